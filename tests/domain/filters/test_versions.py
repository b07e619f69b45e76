"""The versions of a filter are found in the journal, with a real service and journal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from client.models.contact_filters import ContactFilter
from domain.filters.comparison import is_same_filter, rules_of
from domain.filters.filter_change import FILTER_EDIT
from domain.filters.filter_draft import FilterDraft, RuleDraft, from_filter, to_filter
from domain.filters.rule_steps import rename, set_value
from domain.filters.versions import FilterHistory, find_versions, read_history, restore
from domain.runtime.workspace import Workspace
from tests.running_service import RunningService
from tests.sent_drafts import send_draft
from tests.workspace_at_service import workspace_at


@pytest.fixture
def workspace(service: RunningService, tmp_path: Path) -> Iterator[Workspace]:
    """A workspace at a new service."""
    with workspace_at(service, tmp_path) as workspace:
        yield workspace


def a_draft(value: str) -> FilterDraft:
    """Return a new filter with one rule."""
    rule: dict[str, Any] = {
        "contactFieldId": 210,
        "columnName": "firstName",
        "columnValue": value,
        "type": "SYSTEM",
        "dataType": "STRING",
        "operator": "E",
        "contactFilterOption": "E",
    }
    return FilterDraft(name="Staff", rules=[RuleDraft(payload=rule)])


def edit(workspace: Workspace, filter_id: int, value: str) -> None:
    """Change the value of the rule from Muster."""
    draft = from_filter(workspace.client.contact_filters.retrieve(filter_id), filter_id=filter_id)
    send_draft(workspace, FILTER_EDIT, set_value(draft, draft.rules[0].uid, "value", value))


def read(workspace: Workspace, filter_id: int) -> FilterHistory:
    """Return the versions with what the service has."""
    return read_history(workspace, filter_id, workspace.client.contact_filters.retrieve(filter_id))


def values_of(history: FilterHistory) -> list[tuple[str, bool]]:
    """Return the value of the rule in each version, and whether it was saved outside Muster."""
    return [(rules_of(each.contents)[0]["columnValue"], each.is_outside) for each in history.versions]


def test_saves_from_muster_and_what_they_replaced_are_versions(workspace: Workspace) -> None:
    """A change made outside Muster is a version once it is replaced, or while it is the current one."""
    filters = workspace.client.contact_filters
    number = send_draft(workspace, FILTER_EDIT, a_draft("Ana"))
    assert isinstance(number, int)
    edit(workspace, number, "Ben")
    filters.update(number, to_filter(a_draft("Cem")))
    edit(workspace, number, "Dora")
    filters.update(number, to_filter(a_draft("Eve")))
    history = read(workspace, number)
    assert values_of(history) == [("Eve", True), ("Dora", False), ("Cem", True), ("Ben", False), ("Ana", False)]
    assert [each.number for each in history.versions] == [5, 4, 3, 2, 1]
    assert [each.summary for each in history.versions] == ["1 rule changed"] * 4 + [""]
    assert all(each.at is not None and each.by for each in history.versions)
    assert history.note == ""


def test_a_filter_made_outside_muster_has_its_first_version_once_it_is_edited(workspace: Workspace) -> None:
    number = workspace.client.contact_filters.create(to_filter(a_draft("Ana"))).id
    assert isinstance(number, int)
    assert values_of(read(workspace, number)) == [("Ana", True)]
    edit(workspace, number, "Ben")
    assert values_of(read(workspace, number)) == [("Ben", False), ("Ana", True)]


def test_a_restored_version_is_a_draft_that_would_send_its_name_and_rules(workspace: Workspace) -> None:
    """Nothing is sent. Rules that the stored filter has too stay untouched."""
    number = send_draft(workspace, FILTER_EDIT, a_draft("Ana"))
    assert isinstance(number, int)
    edit(workspace, number, "Ben")
    stored = workspace.client.contact_filters.retrieve(number)
    draft = rename(from_filter(stored, filter_id=number), "Unsaved")
    oldest = read(workspace, number).versions[-1]
    restored = restore(draft, oldest)
    assert restored.filter_id == number
    assert is_same_filter(to_filter(restored), oldest.contents)
    assert is_same_filter(workspace.client.contact_filters.retrieve(number), stored)
    latest = restore(draft, read(workspace, number).versions[0])
    assert all(rule.is_untouched for rule in latest.rules)


def test_a_version_whose_content_was_removed_is_counted(workspace: Workspace) -> None:
    """The retention period removes requests from the journal."""
    number = send_draft(workspace, FILTER_EDIT, a_draft("Ana"))
    assert isinstance(number, int)
    (entry,) = workspace.journal.audit.history(
        workspace.actor.service, workspace.actor.organization_id, subject_kind="contact_filter", subject_id=str(number)
    )
    history = find_versions([replace(entry, request=None)], ContactFilter(name="Staff"))
    assert "1 older version was removed after the retention period." in history.note


def test_a_lost_response_that_a_person_resolved_has_the_time_and_author_of_the_save(workspace: Workspace) -> None:
    """The decision is a later entry, perhaps of a colleague. An open entry does not count."""
    number = send_draft(workspace, FILTER_EDIT, a_draft("Ana"))
    actor = workspace.actor
    (entry,) = workspace.journal.audit.history(
        actor.service, actor.organization_id, subject_kind="contact_filter", subject_id=str(number)
    )
    lost = replace(entry, state="unknown")
    decision = replace(
        entry,
        id=entry.id + 1,
        at=entry.at + timedelta(hours=1),
        actor=replace(actor, username="ben"),
        request={**(entry.request or {}), "settles": entry.id},
    )
    assert find_versions([lost], None).versions == []
    (version,) = find_versions([decision, lost], None).versions
    assert (version.at, version.by) == (entry.at, actor.username)
