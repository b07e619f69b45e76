"""Several drafts are sent one after the other, each once, with a result for each."""

from __future__ import annotations

from typing import Any

from domain.edits import stored_drafts
from domain.edits.edit_draft import SendStatus
from domain.edits.several_drafts import send_each
from domain.filters.filter_change import FILTER_EDIT
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.runtime.workspace import Workspace


def a_draft(name: str, value: str = "Ana") -> FilterDraft:
    """Return a new filter, which has an error if `value` is empty."""
    rule: dict[str, Any] = {
        "contactFieldId": 210,
        "columnName": "firstName",
        "columnValue": value,
        "type": "SYSTEM",
        "dataType": "STRING",
        "operator": "E",
        "contactFilterOption": "E",
    }
    return FilterDraft(name=name, rules=[RuleDraft(payload=rule)])


def list_names(workspace: Workspace) -> list[str | None]:
    """Return the names of the filters at the service."""
    return [each.name for each in workspace.client.contact_filters.list()]


def test_a_draft_with_errors_stays_a_draft_and_the_others_are_sent(workspace: Workspace) -> None:
    first, second, third = results = send_each(
        workspace, FILTER_EDIT, [a_draft("First"), a_draft("Second", ""), a_draft("Third")]
    )
    assert [each.status for each in results] == [SendStatus.SENT, SendStatus.DRAFT, SendStatus.SENT]
    assert list_names(workspace) == ["First", "Third"]
    assert (first.error, third.error) == (None, None)
    assert "Enter the text to compare with." in str(second.error)
    assert [each.draft.name for each in stored_drafts.list_unfinished(workspace, FILTER_EDIT)] == ["Second"]


def test_sending_the_same_drafts_again_sends_none_of_them(workspace: Workspace) -> None:
    drafts = [a_draft("First"), a_draft("Second")]
    once = send_each(workspace, FILTER_EDIT, drafts)
    twice = send_each(workspace, FILTER_EDIT, drafts)
    assert [each.sent_id for each in twice] == [each.sent_id for each in once]
    assert list_names(workspace) == ["First", "Second"]


def test_drafts_stay_if_the_service_cannot_be_reached(workspace: Workspace) -> None:
    """The first failure stops the others, which are stored before anything is sent."""
    workspace.client.close()
    results = send_each(workspace, FILTER_EDIT, [a_draft("First"), a_draft("Second")])
    assert [each.status for each in results] == [SendStatus.DRAFT, SendStatus.DRAFT]
    assert results[0].error is results[1].error
    assert results[0].error is not None
    assert len(stored_drafts.list_unfinished(workspace, FILTER_EDIT)) == 2
