"""An alert is sent once, whatever goes wrong between the button and the answer, and never lost silently."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from client import OutcomeUnknown, ServiceClient, ServiceError
from domain.alerts.draft import KIND, AlertDraft
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.request import request_json
from domain.alerts.sending import countdown, lost_answer
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.alerts.sending.countdown import (
    SECONDS,
    SILENCE,
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
    arrived,
    close,
    kept,
    send,
    standing_of,
    workspace_of,
)
from tests.running_service import RunningService


@pytest.fixture
def workspace(service: RunningService, tmp_path: Path) -> Iterator[Workspace]:
    """A desk at a fresh service."""
    desk = workspace_of(service, tmp_path)
    yield desk
    close(desk)


def entries(workspace: Workspace) -> list[str]:
    """The states of what the journal holds, newest first."""
    actor = workspace.actor
    return [entry.state for entry in workspace.journal.audit.list(actor.service, actor.organization_id)]


def test_the_journal_names_the_places_with_their_states(workspace: Workspace) -> None:
    """The request has ids; who reads the journal later has to see which Boulder it was, and can search for it."""
    assert region_lookups(workspace).wait()
    draft = kept(workspace, an_alert())
    send(workspace, draft)
    entry = standing_of(workspace, draft.uid).entry
    assert entry is not None
    assert entry.request is not None
    assert entry.subject_name == "Wildfire · Boulder, CO (2 ZIP codes)"
    assert entry.request["to"] == "Boulder, CO (2 ZIP codes)"
    assert entry.request["places"] == ["80301, CO · Boulder", "80302, CO · Boulder"]
    many = describe_recipients(workspace, an_alert(regions=list(range(80001, 80300))))["places"]
    assert len(many) == 101
    assert many[-1] == "and 199 more"


def test_an_alert_is_sent_and_its_fate_is_known(workspace: Workspace, service: RunningService) -> None:
    """The service has exactly what was reviewed; the journal names who wrote and sent it, and the notification."""
    draft = kept(workspace, an_alert(follows=7, follow_up="correction"))
    sent = send(workspace, draft)
    assert arrived(service, TEXT) == 1
    standing = standing_of(workspace, draft.uid)
    assert (standing.status, standing.sent_id) == (SendStatus.SENT, sent)
    assert standing.entry is not None
    assert standing.entry.subject_name == "Correction (Wildfire) · 2 places"
    told = standing.entry.request or {}
    assert told["notification"] == request_json(draft)
    assert (told["written_by"], told["sent_by"]) == ("ana", "ana")
    assert told["follows"] == {"as": "correction", "notification": 7}


def test_two_tabs_that_press_at_the_same_moment_send_one(service: RunningService, tmp_path: Path) -> None:
    """Eight desks on one journal, as replicas have it, released together."""
    desks = [workspace_of(service, tmp_path) for _ in range(8)]
    draft = kept(desks[0], an_alert())
    together, results = threading.Barrier(len(desks)), []

    def press(desk: Workspace) -> None:
        together.wait()
        results.append(send(desk, draft))

    threads = [threading.Thread(target=press, args=(desk,)) for desk in desks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert arrived(service) == 1
    assert len([each for each in results if each is not None]) == 1
    for desk in desks:
        close(desk)


def test_a_draft_discarded_and_kept_again_after_it_was_sent_is_still_sent(
    workspace: Workspace, service: RunningService
) -> None:
    """Its claim is gone with the draft, and the journal remembers: by the draft, whatever event it has now."""
    draft = kept(workspace, an_alert())
    send(workspace, draft)
    stored_drafts.discard(workspace, ALERT_EDIT, draft.uid)
    again = kept(workspace, draft.model_copy(update={"event": "Forest Fire"}))
    assert send(workspace, again) is None
    assert standing_of(workspace, draft.uid).status is SendStatus.SENT
    assert (arrived(service), entries(workspace)) == (1, ["succeeded"])


def test_what_may_not_be_sent_never_leaves(workspace: Workspace, service: RunningService) -> None:
    """An alert that reaches nobody is refused here, whatever stage it claims to be at."""
    draft = kept(workspace, an_alert(regions=[]))
    with pytest.raises(NotSentError):
        send(workspace, draft)
    assert (arrived(service), entries(workspace)) == (0, [])
    assert standing_of(workspace, draft.uid).status is SendStatus.DRAFT


def test_what_the_service_refuses_goes_back_to_its_field_and_can_be_sent(workspace: Workspace) -> None:
    """A region that the service does not offer."""
    draft = kept(workspace, an_alert(regions=[80301, 123]))
    with pytest.raises(ServiceError) as failed:
        send(workspace, draft)
    mended = draft_sending.with_refusal(ALERT_EDIT, draft, failed.value)
    (said,) = mended.refused
    assert (mended.stage, said[0]) == ("edit", "publicMessages.publicAlertMessage.community.regionIds[1]")
    assert standing_of(workspace, draft.uid).status is SendStatus.DRAFT
    mended = kept(workspace, mended.model_copy(update={"regions": [80301], "refused": []}))
    assert send(workspace, mended) is not None


def test_a_refusal_of_the_whole_leaves_the_review_as_it_is(workspace: Workspace) -> None:
    """A wrong password cannot be mended at a field."""
    stranger = replace(workspace, client=ServiceClient(workspace.connection.base_url, 8800, "ana", "wrong"))
    draft = kept(workspace, an_alert())
    with pytest.raises(ServiceError) as failed:
        send(stranger, draft)
    stranger.client.close()
    assert draft_sending.with_refusal(ALERT_EDIT, draft, failed.value) == draft
    assert standing_of(workspace, draft.uid).status is SendStatus.DRAFT


def test_a_colleague_finds_what_was_sent_by_its_name_and_marks_what_was_lost(tmp_path: Path) -> None:
    """Who wrote it has gone home: the journal tells what became of it, and who decides for whom it was."""
    with RunningService(faults={"fault": [LOST_AFTER]}) as service:
        ana, ben = workspace_of(service, tmp_path), workspace_of(service, tmp_path, "ben")
        draft = kept(ana, an_alert(follows=7, follow_up="correction"))
        with pytest.raises(OutcomeUnknown):
            send(ana, draft)
        unknown = standing_of(ben, draft.uid)
        assert (unknown.status, unknown.is_own, unknown.draft.sms) == (SendStatus.UNKNOWN, False, TEXT)
        (found,) = lost_answer.reconcile(ben, unknown.draft, since=unknown.version).candidates
        assert found.is_match
        draft_sending.mark_as_done(ben, ALERT_EDIT, unknown, found)
        for desk in (ana, ben):
            sent = standing_of(desk, draft.uid)
            assert (sent.status, sent.sent_id, sent.draft.follows) == (SendStatus.SENT, found.subject_id, 7)
            assert sent.entry is not None
            assert (sent.entry.request or {})["sent_by"] == "ana"
            close(desk)


def test_what_an_earlier_muster_took_and_sent_is_sent(workspace: Workspace) -> None:
    """It noted no entry with the claim: the journal's says it."""
    draft = kept(workspace, an_alert())
    earlier = {ATTEMPT: "a1", "request": request_json(draft), "draft": draft.model_dump(mode="json")}
    send(workspace, draft)
    with workspace.journal.drafts._database.writing() as connection:
        connection.execute(drafts.update().values(claim=json.dumps(earlier)))
    assert standing_of(workspace, draft.uid).status is SendStatus.SENT


def ready(workspace: Workspace) -> DraftVersion:
    """A draft that may be sent, as it is kept."""
    draft = kept(workspace, an_alert())
    return DraftVersion(draft, standing_of(workspace, draft.uid).version)


def test_a_countdown_counts_from_when_it_was_first_seen_to_zero() -> None:
    """A slow page takes nothing from the five seconds; 5, 4, 3, 2, 1 are shown, and at zero it is time."""
    counting = Countdown(DraftVersion(an_alert(), None)).after_tick(100.0)
    seen = []
    for now in (100.0, 101.0, 102.0, 103.0, 104.0, 105.0):
        seen.append((counting.shown_seconds(now), counting.step(now)))
        counting = counting.after_tick(now)
    assert seen == [*((number, "counting") for number in (5, 4, 3, 2, 1)), (0, "zero")]
    assert SECONDS == 5


@pytest.mark.parametrize(("silence", "step"), [(SILENCE - 0.1, "counting"), (SILENCE + 0.1, "left"), (7200.0, "left")])
def test_a_countdown_that_no_one_watched_never_comes_to_zero(silence: float, step: str) -> None:
    """A page that was left, or a machine that slept: the next look finds it too late, and nothing is sent."""
    counting = Countdown(DraftVersion(an_alert(), None)).after_tick(100.0)
    assert counting.step(100.0 + silence) == step


def test_a_countdown_that_was_left_is_remembered_until_it_is_cleared(workspace: Workspace) -> None:
    """By the journal: a refreshed page has forgotten everything else."""
    counted = ready(workspace)
    uid = counted.draft.uid
    assert unfinished_since(workspace, uid) is None
    countdown.begin(workspace, counted)
    assert unfinished_since(workspace, uid) is not None
    assert [each.draft.uid for each in stored_drafts.list_unfinished(workspace, ALERT_EDIT)] == [uid], (
        "it is no draft of its own"
    )
    clear_mark(workspace, uid)
    assert unfinished_since(workspace, uid) is None


def test_of_two_countdowns_the_one_begun_last_counts_and_stop_ends_both(
    workspace: Workspace, service: RunningService
) -> None:
    """Neither can send from then on, however near to zero it was; pressed again, it goes out."""
    first = ready(workspace)
    counted = Countdown(first._replace(version=countdown.begin(workspace, first)))
    later = Countdown(first._replace(version=countdown.begin(workspace, counted.ready)))
    assert [is_current(workspace, each) for each in (counted, later)] == [False, True]
    assert countdown.stop(workspace, first.draft)
    for each in (counted, later):
        assert not is_current(workspace, each)
        with pytest.raises(draft_sending.DraftChangedError):
            draft_sending.send_draft(workspace, ALERT_EDIT, first.draft, seen=each.ready.version, note={})
    assert (arrived(service), entries(workspace)) == (0, [])
    assert send(workspace, first.draft) is not None
    assert not countdown.stop(workspace, first.draft), "too late, and that is said"


def test_a_countdown_stops_also_where_its_draft_cannot_be_read_any_more(workspace: Workspace) -> None:
    """Another version of Muster may have kept it meanwhile; what it kept stays as it is."""
    first = ready(workspace)
    counted = Countdown(first._replace(version=countdown.begin(workspace, first)))
    payload = {**first.draft.model_dump(mode="json"), "event": {"of": "another version"}}
    workspace.journal.drafts.save(workspace.actor, KIND, first.draft.uid, payload)
    assert countdown.stop(workspace, first.draft)
    assert not is_current(workspace, counted)
    left = workspace.journal.drafts.load(workspace.actor, KIND, first.draft.uid)
    assert left is not None
    assert left.payload == payload


def test_a_countdown_of_another_tab_is_over_in_seconds_and_where_the_clock_was_set_back() -> None:
    """Nobody waits an hour for five seconds to pass."""
    started_at = datetime(2026, 11, 20, 12, tzinfo=UTC)
    times = (0, 5, 9, -3600)
    assert [may_run_in_other_tab(started_at, started_at + timedelta(seconds=passed)) for passed in times] == [
        True,
        True,
        False,
        False,
    ]


def test_only_another_text_makes_the_words_of_an_alert_younger() -> None:
    """A place more or another severity does not; An old draft is as old as its first change."""
    written = datetime.now(UTC) - timedelta(days=1)
    before = an_alert(written_at=written)
    ages = {
        name: ALERT_EDIT.normalize(before, before.model_copy(update={name: value})).written_at
        for name, value in {"regions": [80301], "category_id": 7, "severity": "Severe", "sms": "Leave."}.items()
    }
    assert [name for name, at in ages.items() if at != written] == ["sms"]
    untouched = AlertDraft(written_at=written)
    assert ALERT_EDIT.normalize(untouched, untouched.model_copy(update={"event": "Wildfire"})).written_at > written
