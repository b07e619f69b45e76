"""A filter is saved once and never overwrites someone else's change, with a real service and journal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from client import Invalid, NotFound, OutcomeUnknown
from client.models.contact_filters import ContactFilter
from domain.edits import draft_sending, stored_drafts
from domain.edits.edit import DuplicateRecordError, EditConflictError
from domain.edits.edit_draft import SendStatus
from domain.edits.removals import Outcome, remove_each
from domain.filters.comparison import compare_with_stored, is_same_filter, name_of, rules_of
from domain.filters.filter_change import FILTER_EDIT, FILTER_REMOVAL, NAME_TAKEN, FilterTarget, listed_test, target_of
from domain.filters.filter_draft import (
    FilterDraft,
    RuleDraft,
    copy_as_new,
    from_filter,
    overwrite_stored_version,
    to_filter,
    use_stored_version,
)
from domain.runtime.workspace import Workspace
from tests.running_service import RunningService
from tests.sent_drafts import load_stored_draft, send_draft
from tests.workspace_at_service import workspace_at


@pytest.fixture
def workspace(service: RunningService, tmp_path: Path) -> Iterator[Workspace]:
    """A workspace at a new service."""
    with workspace_at(service, tmp_path) as workspace:
        yield workspace


@pytest.fixture
def lossy_workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A workspace at a service that executes the first change and loses the response."""
    lost = {"kind": "drop", "when": "after", "methods": ["POST", "PUT"], "path": "/contactFilters/8800*", "times": 1}
    with RunningService(faults={"fault": [lost]}) as service, workspace_at(service, tmp_path) as workspace:
        yield workspace


def a_rule(column: str = "firstName", value: str = "An", operator: str = "STARTWITH") -> dict[str, Any]:
    """Return a rule over a text column of the person."""
    return {
        "contactFieldId": 210,
        "columnName": column,
        "columnValue": value,
        "type": "SYSTEM",
        "dataType": "STRING",
        "operator": operator,
        "contactFilterOption": operator,
    }


def a_draft(name: str = "Staff", *rules: dict[str, Any]) -> FilterDraft:
    """Return a new filter without errors."""
    return FilterDraft(name=name, rules=[RuleDraft(payload=rule) for rule in rules or (a_rule(),)])


def save(workspace: Workspace, draft: FilterDraft) -> int | None:
    """Save a draft once."""
    return send_draft(workspace, FILTER_EDIT, draft)


def list_filters(workspace: Workspace) -> list[ContactFilter]:
    """Return the filters of the service."""
    return list(workspace.client.contact_filters.list())


def store_filter(workspace: Workspace, name: str = "Staff") -> int:
    """Store a filter outside Muster."""
    return workspace.client.contact_filters.create(to_filter(a_draft(name))).id


def open_change(workspace: Workspace, number: int, **changed: Any) -> FilterDraft:
    """Open a change of a stored filter, and change something."""
    stored = workspace.client.contact_filters.retrieve(number)
    return from_filter(stored, filter_id=number).model_copy(update=changed)


def change_outside_muster(workspace: Workspace, number: int, name: str, *rules: dict[str, Any]) -> None:
    """Change the stored filter as someone else would."""
    workspace.client.contact_filters.update(number, to_filter(a_draft(name, *rules)))


def list_entries(workspace: Workspace) -> list[tuple[str, str]]:
    """Return the actions in the journal, the latest first."""
    found = workspace.journal.audit.list(workspace.actor.service, workspace.actor.organization_id)
    return [(entry.action, entry.state) for entry in found]


def test_a_new_filter_is_saved_once_and_its_status_is_sent(workspace: Workspace) -> None:
    draft = a_draft()
    number = save(workspace, draft)
    assert [(each.id, name_of(each)) for each in list_filters(workspace)] == [(number, "Staff")]
    loaded = stored_drafts.load(workspace, FILTER_EDIT, draft.uid)
    assert loaded is not None
    assert (loaded.status, loaded.sent_id) == (SendStatus.SENT, number)
    assert stored_drafts.list_unfinished(workspace, FILTER_EDIT) == []
    (entry,) = workspace.journal.audit.list(workspace.actor.service, 8800)
    assert (entry.action, entry.subject_kind, entry.subject_id) == (
        "contact_filter.create",
        "contact_filter",
        str(number),
    )
    assert entry.request is not None
    assert entry.request["contactFilter"]["contactFilterRules"][0]["columnName"] == "firstName"


def test_muted_rules_are_listed_as_removed(workspace: Workspace) -> None:
    draft = a_draft("Staff", a_rule(), a_rule("lastName"))
    draft.rules[1].muted = True
    assert [rule["columnName"] for rule in compare_with_stored(draft).muted] == ["lastName"]
    save(workspace, draft)
    assert len(list_filters(workspace)[0].rules) == 1


def test_a_name_in_use_is_reported_at_the_name_and_nothing_is_sent(workspace: Workspace) -> None:
    number = store_filter(workspace)
    draft = a_draft(" Staff ")
    with pytest.raises(DuplicateRecordError) as raised:
        save(workspace, draft)
    assert raised.value.other.id == number
    assert draft_sending.with_refusal(FILTER_EDIT, draft, raised.value).refused == [("name", NAME_TAKEN)]
    assert list_entries(workspace) == []
    assert save(workspace, draft.model_copy(update={"name": "Staff too"})) is not None


def test_a_new_filter_is_saved_if_the_lookup_of_its_name_is_unreadable(tmp_path: Path) -> None:
    odd = {"kind": "html", "status": 200, "methods": ["GET"], "path": "/contactFilters/8800/*", "times": 1}
    with RunningService(faults={"fault": [odd]}) as service, workspace_at(service, tmp_path) as workspace:
        assert save(workspace, a_draft()) == list_filters(workspace)[0].id


def test_a_rejection_is_shown_at_its_field_and_can_be_fixed(workspace: Workspace) -> None:
    """A copy of an old rule is rejected before it is sent. Once corrected, the same draft is saved."""
    draft = a_draft("Old", {**a_rule(), "operator": "GT", "contactFilterOption": "GT"})
    with pytest.raises(Invalid) as refused:
        save(workspace, draft)
    record = workspace.journal.drafts.load(workspace.actor, FILTER_EDIT.draft_kind, draft.uid)
    assert record is not None
    assert record.claimed_at is None
    corrected = draft_sending.with_refusal(FILTER_EDIT, draft, refused.value)
    assert [field for field, _ in corrected.refused] == ["contactFilterRules[0].operator"]
    loaded = stored_drafts.load(workspace, FILTER_EDIT, draft.uid)
    assert loaded is not None
    assert loaded.status is SendStatus.DRAFT
    good = corrected.model_copy(update={"rules": [RuleDraft(payload=a_rule())], "refused": []})
    assert save(workspace, good) is not None


def test_a_change_is_sent_if_no_one_else_changed_the_filter(workspace: Workspace) -> None:
    number = store_filter(workspace)
    draft = open_change(workspace, number, name="Staff of ours")
    assert save(workspace, draft) == number
    assert name_of(workspace.client.contact_filters.retrieve(number)) == "Staff of ours"
    assert list_entries(workspace) == [("contact_filter.update", "succeeded")]


def test_a_change_does_not_overwrite_the_change_of_someone_else(workspace: Workspace) -> None:
    """Their version stays until the user decides to overwrite it. A later change of theirs is a conflict again."""
    number = store_filter(workspace)
    draft = open_change(workspace, number, name="Mine")
    change_outside_muster(workspace, number, "Theirs", a_rule("lastName"))
    with pytest.raises(EditConflictError) as conflict:
        save(workspace, draft)
    theirs = conflict.value.stored
    assert name_of(theirs) == "Theirs"
    assert list_entries(workspace) == []
    chosen = overwrite_stored_version(draft, theirs)
    assert compare_with_stored(chosen).old_name == "Theirs"
    change_outside_muster(workspace, number, "Theirs again", a_rule("lastName"))
    with pytest.raises(EditConflictError):
        save(workspace, chosen)
    latest = workspace.client.contact_filters.retrieve(number)
    assert save(workspace, overwrite_stored_version(chosen, latest)) == number
    assert name_of(workspace.client.contact_filters.retrieve(number)) == "Mine"


def test_the_version_of_someone_else_can_be_used_instead(workspace: Workspace) -> None:
    number = store_filter(workspace)
    draft = open_change(workspace, number, name="Mine")
    change_outside_muster(workspace, number, "Theirs", a_rule("lastName"))
    theirs = workspace.client.contact_filters.retrieve(number)
    replaced = use_stored_version(draft, theirs)
    assert (replaced.uid, replaced.name, replaced.is_untouched) == (draft.uid, "Theirs", True)


def test_a_filter_that_was_deleted_meanwhile_is_not_changed_and_can_be_saved_as_new(workspace: Workspace) -> None:
    number = store_filter(workspace)
    draft = open_change(workspace, number, name="Mine")
    workspace.client.contact_filters.delete(number)
    with pytest.raises(NotFound):
        save(workspace, draft)
    fresh = copy_as_new(draft)
    assert (fresh.is_change, fresh.base, fresh.name) == (False, None, "Copy of Mine")
    assert "id" not in fresh.rules[0].payload
    assert save(workspace, fresh) != number


def test_an_unchanged_resave_is_not_a_conflict(workspace: Workspace) -> None:
    number = store_filter(workspace)
    draft = open_change(workspace, number, name="Mine")
    change_outside_muster(workspace, number, "Staff")
    assert save(workspace, draft) == number


def test_renaming_to_a_name_in_use_is_an_error_and_keeping_the_name_is_not(workspace: Workspace) -> None:
    number = store_filter(workspace)
    store_filter(workspace, "Others")
    with pytest.raises(DuplicateRecordError):
        save(workspace, open_change(workspace, number, name="Others"))
    draft = open_change(workspace, number, rules=[RuleDraft(payload=a_rule("lastName"))])
    assert save(workspace, draft) == number


def test_after_a_lost_response_the_filter_is_found_by_its_name(lossy_workspace: Workspace) -> None:
    draft = a_draft()
    with pytest.raises(OutcomeUnknown):
        save(lossy_workspace, draft)
    (candidate,) = FILTER_EDIT.reconcile(
        lossy_workspace, load_stored_draft(lossy_workspace, FILTER_EDIT, draft)
    ).candidates
    assert (candidate.subject_id, candidate.is_match) == (list_filters(lossy_workspace)[0].id, True)
    lossy_workspace.client.contact_filters.delete(list_filters(lossy_workspace)[0].id or 0)
    assert (
        FILTER_EDIT.reconcile(lossy_workspace, load_stored_draft(lossy_workspace, FILTER_EDIT, draft)).candidates == []
    )


def test_a_change_with_a_lost_response_is_compared_with_the_old_and_new_version(tmp_path: Path) -> None:
    lost = {"kind": "drop", "when": "after", "methods": ["PUT"], "path": "/contactFilters/8800*", "times": 1}
    with RunningService(faults={"fault": [lost]}) as service, workspace_at(service, tmp_path) as workspace:
        number = store_filter(workspace)
        draft = open_change(workspace, number, name="Mine")
        with pytest.raises(OutcomeUnknown):
            save(workspace, draft)
        (candidate,) = FILTER_EDIT.reconcile(workspace, load_stored_draft(workspace, FILTER_EDIT, draft)).candidates
        assert candidate.is_match
        change_outside_muster(workspace, number, "Staff")
        (candidate,) = FILTER_EDIT.reconcile(workspace, load_stored_draft(workspace, FILTER_EDIT, draft)).candidates
        assert not candidate.is_match
        assert "version before your change" in candidate.description


def test_a_copy_is_new_and_has_the_same_rules(workspace: Workspace) -> None:
    number = store_filter(workspace)
    original = workspace.client.contact_filters.retrieve(number)
    copy = copy_as_new(from_filter(original))
    assert (copy.is_change, copy.name) == (False, "Copy of Staff")
    made = save(workspace, copy)
    assert made not in (None, number)
    again = workspace.client.contact_filters.retrieve(made or 0)
    assert is_same_filter(again, ContactFilter(name="Copy of Staff", contact_filter_rules=original.rules))


def test_the_name_of_a_copy_has_a_valid_length() -> None:
    assert len(copy_as_new(a_draft("x" * 100)).name) == 100
    assert copy_as_new(a_draft(" ")).name == ""


def test_several_filters_are_deleted_and_each_outcome_is_reported(tmp_path: Path) -> None:
    """One is deleted, one no longer exists, one is rejected, and the response of one is lost."""
    faults = [
        {"kind": "status", "status": 403, "methods": ["DELETE"], "path": "/contactFilters/8800/3"},
        {"kind": "drop", "when": "after", "methods": ["DELETE"], "path": "/contactFilters/8800/4"},
    ]
    with RunningService(faults={"fault": faults}) as service, workspace_at(service, tmp_path) as workspace:
        numbers = [store_filter(workspace, name) for name in ("A", "B", "C", "D")]
        assert numbers == [1, 2, 3, 4]
        targets = [target_of(workspace.client.contact_filters.retrieve(number)) for number in numbers]
        workspace.client.contact_filters.delete(2)
        stored_drafts.save(workspace, FILTER_EDIT, open_change(workspace, 1, name="Mine"), seen=None)
        outcomes = remove_each(workspace, FILTER_REMOVAL, targets)
        assert [each.state for each in outcomes] == ["gone", "gone before", "kept", "unknown"]
        assert FILTER_REMOVAL.summary(outcomes) == ""
        assert not listed_test(list_filters(workspace))(targets[3])
        assert [name_of(each) for each in list_filters(workspace)] == ["C"]
        assert stored_drafts.list_unfinished(workspace, FILTER_EDIT) == []
        assert [state for _, state in list_entries(workspace)] == ["unknown", "refused", "succeeded"]


def test_a_filter_without_an_id_is_found_by_name_and_deleted_by_id(workspace: Workspace) -> None:
    store_filter(workspace, "Named")
    assert [
        each.state
        for each in remove_each(workspace, FILTER_REMOVAL, [FilterTarget(None, "Named"), FilterTarget(None, "Nobody")])
    ] == [
        "gone",
        "gone before",
    ]
    assert list_filters(workspace) == []


def test_the_confirmation_names_the_filters() -> None:
    one, many = [FilterTarget(1, "A *b*", "2 rules")], [FilterTarget(number, f"F{number}") for number in range(12)]
    assert FILTER_REMOVAL.question(one) == "Delete this contact filter?"
    assert FILTER_REMOVAL.label(one) == "Delete A *b*"
    assert FILTER_REMOVAL.label(many) == "Delete 12 contact filters"
    assert FILTER_REMOVAL.summary([Outcome(one[0], "gone")]) == "Deleted: A *b*."


def test_rules_of_a_stored_filter_are_sent_back_unchanged(workspace: Workspace) -> None:
    """Opening does not change old fields."""
    legacy = ContactFilter.from_wire(
        {
            "id": 9,
            "name": "Old",
            "contactFilterRules": [{"id": 1, "columnName": "city", "contactFilterOption": "E", "x": [1]}],
        }
    )
    assert rules_of(to_filter(from_filter(legacy, filter_id=9))) == rules_of(legacy)
