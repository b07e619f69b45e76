"""An alert is sent at most once, whatever fails, and its status is always recorded."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from client import OutcomeUnknown, ServiceClient, ServiceError
from components.alerts.sending.countdown_routes import countdown_routes
from domain.alerts.draft import KIND, AlertDraft
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.request import request_json
from domain.alerts.sending import countdown, lost_answer
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.alerts.sending.countdown import (
    LATE_SECONDS,
    SECONDS,
    Countdown,
    clear_mark,
    is_current,
    may_run_in_other_tab,
    unfinished_since,
)
from domain.alerts.sending.known_recipients import describe_recipients
from domain.edits import draft_sending, stored_drafts
from domain.edits.edit_draft import DraftVersion, SendStatus
from domain.edits.stored_drafts import ATTEMPT
from domain.runtime.problems import NotSentError
from domain.runtime.workspace import Workspace
from journal.tables import drafts
from tests.domain.alerts.sending.alerts_for_sending import (
    LOST_AFTER,
    TEXT,
    an_alert,
    close,
    count_alerts,
    load_alert,
    open_workspace,
    save_draft,
    send,
)
from tests.running_service import RunningService


@pytest.fixture
def workspace(service: RunningService, tmp_path: Path) -> Iterator[Workspace]:
    """Return a workspace at a new service."""
    workspace = open_workspace(service, tmp_path)
    yield workspace
    close(workspace)


def list_entry_states(workspace: Workspace) -> list[str]:
    """Return the states of the journal entries, newest first."""
    actor = workspace.actor
    return [entry.state for entry in workspace.journal.audit.list(actor.service, actor.organization_id)]


def test_the_journal_names_the_places_with_their_states(workspace: Workspace) -> None:
    """The request has only IDs. A reader of the journal needs to know which Boulder it was, and can search for it."""
    assert region_lookups(workspace).wait()
    draft = save_draft(workspace, an_alert())
    send(workspace, draft)
    entry = load_alert(workspace, draft.uid).entry
    assert entry is not None
    assert entry.request is not None
    assert entry.subject_name == "Wildfire · Boulder, CO (2 ZIP codes)"
    assert entry.request["to"] == "Boulder, CO (2 ZIP codes)"
    assert entry.request["places"] == ["80301, CO · Boulder", "80302, CO · Boulder"]
    many = describe_recipients(workspace, an_alert(regions=list(range(80001, 80300))))["places"]
    assert len(many) == 101
    assert many[-1] == "and 199 more"


def test_a_sent_alert_has_the_status_sent(workspace: Workspace, service: RunningService) -> None:
    """The service has exactly the reviewed text. The journal names the author, the sender, and the notification."""
    draft = save_draft(workspace, an_alert(follows=7, follow_up="correction"))
    sent = send(workspace, draft)
    assert count_alerts(service, TEXT) == 1
    alert = load_alert(workspace, draft.uid)
    assert (alert.status, alert.sent_id) == (SendStatus.SENT, sent)
    assert alert.entry is not None
    assert alert.entry.subject_name == "Correction (Wildfire) · 2 places"
    request = alert.entry.request or {}
    assert request["notification"] == request_json(draft)
    assert (request["written_by"], request["sent_by"]) == ("ana", "ana")
    assert request["follows"] == {"as": "correction", "notification": 7}


def test_tabs_that_send_at_the_same_moment_send_one_alert(service: RunningService, tmp_path: Path) -> None:
    """Eight workspaces share one journal, as with replicas, and send at the same time."""
    workspaces = [open_workspace(service, tmp_path) for _ in range(8)]
    draft = save_draft(workspaces[0], an_alert())
    barrier, results = threading.Barrier(len(workspaces)), []

    def send_at_once(workspace: Workspace) -> None:
        barrier.wait()
        results.append(send(workspace, draft))

    threads = [threading.Thread(target=send_at_once, args=(workspace,)) for workspace in workspaces]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count_alerts(service) == 1
    assert len([each for each in results if each is not None]) == 1
    for workspace in workspaces:
        close(workspace)


def test_a_sent_draft_that_is_discarded_and_saved_again_is_not_sent_twice(
    workspace: Workspace, service: RunningService
) -> None:
    """The claim is deleted with the draft. The journal still has the draft as sent, even if its event changes."""
    draft = save_draft(workspace, an_alert())
    send(workspace, draft)
    stored_drafts.discard(workspace, ALERT_EDIT, draft.uid)
    again = save_draft(workspace, draft.model_copy(update={"event": "Forest Fire"}))
    assert send(workspace, again) is None
    assert load_alert(workspace, draft.uid).status is SendStatus.SENT
    assert (count_alerts(service), list_entry_states(workspace)) == (1, ["succeeded"])


def test_an_invalid_alert_is_not_sent(workspace: Workspace, service: RunningService) -> None:
    """An alert without recipients is rejected at every stage."""
    draft = save_draft(workspace, an_alert(regions=[]))
    with pytest.raises(NotSentError):
        send(workspace, draft)
    assert (count_alerts(service), list_entry_states(workspace)) == (0, [])
    assert load_alert(workspace, draft.uid).status is SendStatus.DRAFT


def test_an_error_of_the_service_is_shown_at_its_field_and_the_corrected_alert_can_be_sent(
    workspace: Workspace,
) -> None:
    """The service rejects a region that it does not offer."""
    draft = save_draft(workspace, an_alert(regions=[80301, 123]))
    with pytest.raises(ServiceError) as failed:
        send(workspace, draft)
    corrected = draft_sending.with_refusal(ALERT_EDIT, draft, failed.value)
    (refusal,) = corrected.refused
    assert (corrected.stage, refusal[0]) == ("edit", "publicMessages.publicAlertMessage.community.regionIds[1]")
    assert load_alert(workspace, draft.uid).status is SendStatus.DRAFT
    corrected = save_draft(workspace, corrected.model_copy(update={"regions": [80301], "refused": []}))
    assert send(workspace, corrected) is not None


def test_an_error_without_a_field_leaves_the_review_unchanged(workspace: Workspace) -> None:
    """A wrong password cannot be fixed at a field."""
    stranger = replace(workspace, client=ServiceClient(workspace.connection.base_url, 8800, "ana", "wrong"))
    draft = save_draft(workspace, an_alert())
    with pytest.raises(ServiceError) as failed:
        send(stranger, draft)
    stranger.client.close()
    assert draft_sending.with_refusal(ALERT_EDIT, draft, failed.value) == draft
    assert load_alert(workspace, draft.uid).status is SendStatus.DRAFT


def test_a_colleague_can_find_a_sent_alert_and_resolve_one_with_status_unknown(tmp_path: Path) -> None:
    """The author is absent. The journal names the status, and who resolved it for whom."""
    with RunningService(faults={"fault": [LOST_AFTER]}) as service:
        ana, ben = open_workspace(service, tmp_path), open_workspace(service, tmp_path, "ben")
        draft = save_draft(ana, an_alert(follows=7, follow_up="correction"))
        with pytest.raises(OutcomeUnknown):
            send(ana, draft)
        unknown = load_alert(ben, draft.uid)
        assert (unknown.status, unknown.is_own, unknown.draft.sms) == (SendStatus.UNKNOWN, False, TEXT)
        (found,) = lost_answer.reconcile(ben, unknown.draft, since=unknown.version).candidates
        assert found.is_match
        draft_sending.mark_as_done(ben, ALERT_EDIT, unknown, found)
        for workspace in (ana, ben):
            sent = load_alert(workspace, draft.uid)
            assert (sent.status, sent.sent_id, sent.draft.follows) == (SendStatus.SENT, found.subject_id, 7)
            assert sent.entry is not None
            assert (sent.entry.request or {})["sent_by"] == "ana"
            close(workspace)


def test_an_alert_sent_by_an_earlier_version_has_the_status_sent(workspace: Workspace) -> None:
    """Earlier versions stored no journal entry with the claim. The status comes from the journal."""
    draft = save_draft(workspace, an_alert())
    earlier = {ATTEMPT: "a1", "request": request_json(draft), "draft": draft.model_dump(mode="json")}
    send(workspace, draft)
    with workspace.journal.drafts._database.writing() as connection:
        connection.execute(drafts.update().values(claim=json.dumps(earlier)))
    assert load_alert(workspace, draft.uid).status is SendStatus.SENT


def save_ready_draft(workspace: Workspace) -> DraftVersion:
    """Return a saved draft that is ready to send."""
    draft = save_draft(workspace, an_alert())
    return DraftVersion(draft, load_alert(workspace, draft.uid).version)


@pytest.fixture
def sent() -> list[str]:
    """The alerts that countdowns sent."""
    return []


@pytest.fixture
def clock() -> list[float]:
    """The seconds of the server's clock, which a test sets."""
    return [100.0]


@pytest.fixture
def counting(sent: list[str], clock: list[float]) -> Countdown:
    """A countdown that has not started."""
    return Countdown(DraftVersion(an_alert(), None), lambda: sent.append("alert"), clock=lambda: clock[0])


def test_a_countdown_starts_when_it_is_first_shown_and_the_first_report_at_zero_sends_once(
    counting: Countdown, clock: list[float], sent: list[str]
) -> None:
    """A slow page does not shorten the 5 seconds, and its reports need no script run."""
    clock[0] = 200.0
    counting.start()
    shown = []
    for now in (200.0, 201.0, 202.0, 203.0, 204.9):
        clock[0] = now
        counting.report()
        shown.append(counting.shown_seconds)
    assert (shown, sent, counting.state) == ([5, 4, 3, 2, 1], [], "counting")
    clock[0] = 205.0
    for _ in range(2):
        counting.report()
    assert (counting.shown_seconds, sent, counting.state) == (0, ["alert"], "sent")
    assert not counting.stop(), "it is too late"
    assert SECONDS == 5


@pytest.mark.parametrize(
    ("late", "state"), [(LATE_SECONDS - 0.1, "sent"), (LATE_SECONDS + 0.1, "left"), (7200.0, "left")]
)
def test_a_countdown_without_an_open_page_does_not_send(
    counting: Countdown, clock: list[float], sent: list[str], late: float, state: str
) -> None:
    """After the page was left or the computer slept, a report is too late and nothing is sent."""
    counting.start()
    clock[0] += SECONDS + late
    counting.report()
    assert counting.state == state
    assert sent == ["alert"] * (state == "sent")


def test_a_stopped_countdown_sends_nothing(counting: Countdown, clock: list[float], sent: list[str]) -> None:
    counting.start()
    assert counting.stop()
    clock[0] += SECONDS
    counting.report()
    counting.start()
    assert (sent, counting.state) == ([], "stopped")


def test_a_browser_reports_and_stops_a_countdown_over_http(
    counting: Countdown, clock: list[float], sent: list[str], workspace: Workspace
) -> None:
    """Only a page of Muster, and only as long as the countdown counts."""

    async def post(what: str, origin: str = "http://muster", countdown_id: str = counting.id) -> int:
        transport = httpx.ASGITransport(Starlette(routes=countdown_routes("")))
        async with httpx.AsyncClient(transport=transport, base_url="http://muster") as browser:
            response = await browser.post(
                f"/countdown/{what}", json={"countdown": countdown_id}, headers={"origin": origin}
            )
            return response.status_code

    def responses(*requests: tuple[str, ...]) -> list[int]:
        return [asyncio.run(post(*request)) for request in requests]

    assert responses(("open",)) == [404], "it has not started"
    counting.start()
    assert responses(("open",), ("open", "http://elsewhere"), ("open", "http://muster", "x")) == [204, 404, 404]
    clock[0] += SECONDS
    assert responses(("stop", "http://elsewhere"), ("open",), ("stop",)) == [404, 204, 404]
    assert sent == ["alert"]


def test_an_unfinished_countdown_stays_in_the_journal_until_it_is_cleared(workspace: Workspace) -> None:
    """A refreshed page has lost all other state."""
    counted = save_ready_draft(workspace)
    uid = counted.draft.uid
    assert unfinished_since(workspace, uid) is None
    countdown.begin(workspace, counted)
    assert unfinished_since(workspace, uid) is not None
    assert [each.draft.uid for each in stored_drafts.list_unfinished(workspace, ALERT_EDIT)] == [uid], (
        "the mark of a countdown is not a draft"
    )
    clear_mark(workspace, uid)
    assert unfinished_since(workspace, uid) is None


def test_the_later_of_two_countdowns_counts_and_stop_ends_both(workspace: Workspace, service: RunningService) -> None:
    """After Stop neither can send, however close to zero it was. A new countdown can."""
    first = save_ready_draft(workspace)
    counted = first._replace(version=countdown.begin(workspace, first))
    later = first._replace(version=countdown.begin(workspace, counted))
    assert [is_current(workspace, each) for each in (counted, later)] == [False, True]
    assert countdown.stop(workspace, first.draft)
    for each in (counted, later):
        assert not is_current(workspace, each)
        with pytest.raises(draft_sending.DraftChangedError):
            draft_sending.send_draft(workspace, ALERT_EDIT, first.draft, seen=each.version, note={})
    assert (count_alerts(service), list_entry_states(workspace)) == (0, [])
    assert send(workspace, first.draft) is not None
    assert not countdown.stop(workspace, first.draft), "the alert has been sent"


def test_a_countdown_can_be_stopped_if_its_draft_is_unreadable(workspace: Workspace) -> None:
    """Another version of Muster may have saved the draft. Its data stays unchanged."""
    first = save_ready_draft(workspace)
    counted = first._replace(version=countdown.begin(workspace, first))
    payload = {**first.draft.model_dump(mode="json"), "event": {"of": "another version"}}
    workspace.journal.drafts.save(workspace.actor, KIND, first.draft.uid, payload)
    assert countdown.stop(workspace, first.draft)
    assert not is_current(workspace, counted)
    stored = workspace.journal.drafts.load(workspace.actor, KIND, first.draft.uid)
    assert stored is not None
    assert stored.payload == payload


def test_a_countdown_in_another_tab_expires_in_seconds_even_if_the_clock_is_set_back() -> None:
    """Without this, a changed clock could block an alert for an hour."""
    started_at = datetime(2026, 11, 20, 12, tzinfo=UTC)
    times = (0, 5, 9, -3600)
    assert [may_run_in_other_tab(started_at, started_at + timedelta(seconds=passed)) for passed in times] == [
        True,
        True,
        False,
        False,
    ]


def test_only_a_changed_text_resets_the_age_of_an_alert_text() -> None:
    """Changed places or severity do not. An untouched draft gets its age from its first change."""
    written = datetime.now(UTC) - timedelta(days=1)
    before = an_alert(written_at=written)
    ages = {
        name: ALERT_EDIT.normalize(before, before.model_copy(update={name: value})).written_at
        for name, value in {"regions": [80301], "category_id": 7, "severity": "Severe", "sms": "Leave."}.items()
    }
    assert [name for name, at in ages.items() if at != written] == ["sms"]
    untouched = AlertDraft(written_at=written)
    assert ALERT_EDIT.normalize(untouched, untouched.model_copy(update={"event": "Wildfire"})).written_at > written
