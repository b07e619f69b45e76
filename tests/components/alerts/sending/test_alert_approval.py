"""Another person approves exactly one text, once. Every edit voids the approval."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from client import ServiceClient, ServiceError
from domain.alerts.draft import KIND, AlertDraft
from domain.alerts.sending import approval
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.alerts.sending.approval import CannotDecide, NotApproved, approval_of
from domain.edits import stored_drafts
from domain.edits.edit_draft import SendStatus
from domain.runtime.settings import settings
from domain.runtime.workspace import Workspace
from journal.approval_requests import ApprovalRequest
from tests.domain.alerts.sending.alerts_for_sending import (
    a_test,
    an_alert,
    close,
    count_alerts,
    load_alert,
    open_workspace,
    save_draft,
    send,
)
from tests.running_service import RunningService


@pytest.fixture(autouse=True)
def require_approval(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Require approval in this deployment."""
    monkeypatch.setenv("MUSTER_ALERT_APPROVAL", "true")
    settings.cache_clear()
    yield
    settings.cache_clear()


@pytest.fixture
def ana(service: RunningService, tmp_path: Path) -> Iterator[Workspace]:
    """Return the workspace of the author."""
    workspace = open_workspace(service, tmp_path)
    yield workspace
    close(workspace)


@pytest.fixture
def ben(service: RunningService, tmp_path: Path) -> Iterator[Workspace]:
    """Return the workspace of the reviewer."""
    workspace = open_workspace(service, tmp_path, "ben")
    yield workspace
    close(workspace)


def submit_draft(workspace: Workspace, draft: AlertDraft) -> ApprovalRequest:
    """Save the draft and request its approval."""
    save_draft(workspace, draft)
    approval.request_approval(workspace, draft)
    approval_request = approval_of(workspace, draft).approval_request
    assert approval_request is not None
    return approval_request


def list_journal_entries(workspace: Workspace) -> list[tuple[str, str, str]]:
    """Return the journal entries as action, user, and outcome, oldest first."""
    entries = workspace.journal.audit.list(workspace.actor.service, workspace.actor.organization_id)
    return [(entry.action, entry.actor.username, entry.state) for entry in reversed(entries)]


@pytest.mark.parametrize("draft", [an_alert(), a_test()], ids=["live", "routine test"])
def test_nothing_is_sent_without_an_approval(draft: AlertDraft, ana: Workspace, service: RunningService) -> None:
    """Neither a live alert nor a routine test, before the request for approval and while it is pending."""
    save_draft(ana, draft)
    with pytest.raises(NotApproved):
        send(ana, draft)
    submit_draft(ana, draft)
    with pytest.raises(NotApproved):
        send(ana, draft)
    assert count_alerts(service) == 0
    assert load_alert(ana, draft.uid).status is SendStatus.DRAFT


def test_an_approved_alert_is_sent_and_the_journal_names_all_three_people(
    ana: Workspace, ben: Workspace, service: RunningService
) -> None:
    """The author, the approver, and the sender."""
    draft = an_alert()
    approval_request = submit_draft(ana, draft)
    (waiting,) = ben.journal.approval_requests.waiting(ben.actor.service, ben.actor.organization_id, KIND)
    assert approval.submitted_draft(waiting) == draft
    approval.approve(ben, waiting)
    assert approval_of(ana, draft).approved_by == "ben"
    assert send(ana, draft) is not None
    assert count_alerts(service) == 1
    entry = load_alert(ana, draft.uid).entry
    request = (entry.request if entry is not None else None) or {}
    assert [request[f"{part}_by"] for part in ("written", "approved", "sent")] == ["ana", "ben", "ana"]
    assert list_journal_entries(ana) == [
        ("public_alert.request_approval", "ana", "succeeded"),
        ("public_alert.approve", "ben", "succeeded"),
        ("public_alert.send", "ana", "succeeded"),
    ]
    now = ana.journal.approval_requests.load(ana.actor.service, ana.actor.organization_id, approval_request.id)
    assert now is not None
    assert now.state == "used"


@pytest.mark.parametrize("name", ["ana", "Ana", " ANA "])
def test_authors_cannot_approve_or_decline_their_own_alerts(
    name: str, ana: Workspace, service: RunningService, tmp_path: Path
) -> None:
    """Case and spaces in the name do not matter. The attempt is in the journal."""
    approval_request = submit_draft(ana, an_alert())
    again = open_workspace(service, tmp_path, name)
    for decide in (
        lambda: approval.approve(again, approval_request),
        lambda: approval.decline(again, approval_request, "no"),
    ):
        with pytest.raises(CannotDecide, match="Someone else"):
            decide()
    close(again)
    assert approval_of(ana, an_alert(uid=approval_request.key)).state == "waiting"
    assert [state for _, _, state in list_journal_entries(ana)] == ["succeeded", "refused", "refused"]


@pytest.mark.parametrize("field", [{"sms": "Leave"}, {"regions": [80301]}, {"severity": "Severe"}, {"title": "Now"}])
def test_any_edit_voids_an_approval(
    field: dict[str, object], ana: Workspace, ben: Workspace, service: RunningService
) -> None:
    """The draft loses its approval at once, even if the edit is undone."""
    draft = an_alert()
    approval.approve(ben, submit_draft(ana, draft))
    edited = save_draft(ana, draft.model_copy(update=field))
    assert approval_of(ana, edited).state == "changed"
    with pytest.raises(NotApproved):
        send(ana, edited)
    save_draft(ana, draft)
    assert approval_of(ana, draft).state == "withdrawn"
    with pytest.raises(NotApproved):
        send(ana, draft)
    assert count_alerts(service) == 0


def test_an_alert_edited_during_its_review_cannot_be_approved(ana: Workspace, ben: Workspace) -> None:
    """The text under review is no longer the text to send."""
    draft = an_alert()
    approval_request = submit_draft(ana, draft)
    assert approval.outcome_words(ben, approval_request) is None
    save_draft(ana, draft.model_copy(update={"sms": "Leave"}))
    with pytest.raises(CannotDecide, match="changed or withdrawn"):
        approval.approve(ben, approval_request)
    assert not approval.counts(ben, approval_request)


def test_a_discarded_alert_cannot_be_approved(ana: Workspace, ben: Workspace) -> None:
    """No one could send it."""
    approval_request = submit_draft(ana, an_alert())
    stored_drafts.discard(ana, ALERT_EDIT, approval_request.key)
    with pytest.raises(CannotDecide, match="changed or withdrawn"):
        approval.approve(ben, approval_request)


def test_a_draft_that_only_moves_between_stages_keeps_its_approval(ana: Workspace, ben: Workspace) -> None:
    """Opening the form is not an edit."""
    draft = an_alert()
    approval.approve(ben, submit_draft(ana, draft))
    assert approval_of(ana, draft.model_copy(update={"stage": "edit", "checked": False})).state == "approved"


def test_a_new_approval_request_replaces_the_pending_one(ana: Workspace, ben: Workspace) -> None:
    """The earlier text can no longer be approved."""
    draft = an_alert()
    first = submit_draft(ana, draft)
    second = submit_draft(ana, draft.model_copy(update={"sms": "Leave now"}))
    waiting = ben.journal.approval_requests.waiting(ben.actor.service, ben.actor.organization_id, KIND)
    assert [each.id for each in waiting] == [second.id]
    with pytest.raises(CannotDecide):
        approval.approve(ben, first)


def test_a_tab_with_an_outdated_text_does_not_void_the_approval(ana: Workspace, ben: Workspace) -> None:
    """The author changed the text in another tab and requested approval again."""
    before = an_alert()
    submit_draft(ana, before)
    now = before.model_copy(update={"sms": "Leave now"})
    approval_request = submit_draft(ana, now)
    assert approval_of(ana, before).state == "changed"
    approval.approve(ben, approval_request)
    assert approval_of(ana, before).state == "changed"
    assert approval_of(ana, now).may_be_sent


def test_the_author_sees_the_reason_for_declining(ana: Workspace, ben: Workspace) -> None:
    """The author can change the alert and request approval again."""
    draft = an_alert()
    approval.decline(ben, submit_draft(ana, draft), "It does not say until when.")
    declined = approval_of(ana, draft)
    assert (declined.state, declined.may_be_sent) == ("declined", False)
    assert declined.approval_request is not None
    assert (declined.approval_request.decided_by, declined.approval_request.note) == (
        "ben",
        "It does not say until when.",
    )
    with pytest.raises(NotApproved):
        send(ana, save_draft(ana, draft))
    corrected = draft.model_copy(update={"sms": "Leave now. Until 18:00."})
    approval.approve(ben, submit_draft(ana, corrected))
    assert approval_of(ana, corrected).may_be_sent


def test_an_approval_request_is_decided_once(
    ana: Workspace, ben: Workspace, service: RunningService, tmp_path: Path
) -> None:
    """A second reviewer at the same moment gets an error that names the first."""
    approval_request = submit_draft(ana, an_alert())
    cleo = open_workspace(service, tmp_path, "cleo")
    approval.approve(ben, approval_request)
    with pytest.raises(CannotDecide, match="ben approved this alert"):
        approval.decline(cleo, approval_request, "no")
    close(cleo)


def test_a_withdrawn_alert_cannot_be_approved(ana: Workspace, ben: Workspace) -> None:
    """The author withdrew the request for approval."""
    draft = an_alert()
    approval_request = submit_draft(ana, draft)
    approval.withdraw_request(ana, draft)
    assert approval_of(ana, draft).state == "withdrawn"
    with pytest.raises(CannotDecide):
        approval.approve(ben, approval_request)


def test_an_approval_stays_valid_after_a_failed_connection(
    ana: Workspace, ben: Workspace, service: RunningService
) -> None:
    """The same text can still be sent, once."""
    draft = an_alert()
    approval.approve(ben, submit_draft(ana, draft))
    reachable = ana.client
    object.__setattr__(ana, "client", ServiceClient("http://127.0.0.1:9", 8800, "ana", "x"))
    with pytest.raises(ServiceError):
        send(ana, draft)
    ana.client.close()
    object.__setattr__(ana, "client", reachable)
    assert approval_of(ana, draft).may_be_sent
    assert send(ana, draft) is not None
    assert send(ana, draft) is None
    assert count_alerts(service) == 1


def test_no_approval_is_needed_if_the_deployment_does_not_require_it(
    ana: Workspace, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This is the default."""
    monkeypatch.delenv("MUSTER_ALERT_APPROVAL")
    settings.cache_clear()
    assert not approval.is_required()
    draft = save_draft(ana, an_alert())
    assert send(ana, draft) is not None
    assert count_alerts(service) == 1
