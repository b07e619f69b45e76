"""An alert is sent once, whatever goes wrong between the button and the answer, and never lost silently."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from client import Invalid, OutcomeUnknown, ServiceClient, ServiceError
from components.alert_reach.region_catalog import region_lookups
from components.alert_sending import fate, sending
from components.alert_sending.countdown import (
    SECONDS,
    SILENCE,
    Countdown,
    clear_mark,
    left_at,
    mark_begun,
    may_run_elsewhere,
)
from components.alert_sending.fate import standing_of
from components.alert_sending.sending import ChangedMeanwhile, digest
from components.alert_sending.whom import written_down
from components.change.kept_drafts import Fate
from components.public_alerts import draft_store
from components.public_alerts.request import request_json
from components.shell.workspace import Workspace
from journal import JournalError
from tests.running_service import RunningService
from tests.unit.alert_sending.alerts_for_sending import (
    LOST_AFTER,
    LOST_BEFORE,
    TEXT,
    a_test,
    abandon,
    an_alert,
    arrived,
    close,
    kept,
    let_claims_age,
    workspace_of,
)

PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture
def workspace(service: RunningService, tmp_path: Path) -> Iterator[Workspace]:
    """A desk at a fresh service."""
    desk = workspace_of(service, tmp_path)
    yield desk
    close(desk)


@pytest.fixture
def losing() -> Iterator[RunningService]:
    """A service that does the first sending and loses its answer."""
    with RunningService(faults={"fault": [LOST_AFTER]}) as running:
        yield running


@pytest.fixture
def at_losing(losing: RunningService, tmp_path: Path) -> Iterator[Workspace]:
    """A desk at that service."""
    desk = workspace_of(losing, tmp_path)
    yield desk
    close(desk)


def send(workspace: Workspace, draft: Any) -> int | None:
    """Send what is kept as it stands."""
    return sending.send(workspace, draft, reviewed=digest(draft))


def entries(workspace: Workspace) -> list[str]:
    """The states of what the journal holds, newest first."""
    actor = workspace.actor
    return [entry.state for entry in workspace.journal.audit.list(actor.service, actor.organization_id)]


def test_the_journal_names_the_places_with_their_states(workspace: Workspace) -> None:
    """The request has ids; who reads the journal later has to see which Boulder it was, and can search for it."""
    assert region_lookups(workspace).wait(30)
    draft = kept(workspace, an_alert())
    send(workspace, draft)
    entry = standing_of(workspace, draft.uid).entry
    assert entry is not None
    assert entry.request is not None
    assert entry.subject_name == "Wildfire · 2 zip codes in CO"
    assert (entry.request["to"], entry.request["places"]) == ("2 zip codes in CO", ["80301, CO", "80302, CO"])
    many = written_down(workspace, an_alert(regions=list(range(80001, 80300))))["places"]
    assert len(many) == 101
    assert many[-1] == "and 199 more"


def test_an_alert_is_sent_and_its_fate_is_known(workspace: Workspace, service: RunningService) -> None:
    """The service has exactly what was reviewed; the journal names who wrote and sent it, and the notification."""
    draft = kept(workspace, an_alert(follows=7, follow_up="correction"))
    sent = send(workspace, draft)
    assert arrived(service, TEXT) == 1
    standing = standing_of(workspace, draft.uid)
    assert (standing.fate, standing.notification_id) == (Fate.SENT, sent)
    assert standing.people == {"written": "ana", "sent": "ana"}
    assert standing.body == request_json(draft)
    assert standing.entry is not None
    assert standing.entry.subject_name == "Wildfire · 2 places"
    assert standing.entry.request is not None
    assert standing.entry.request["notification"] == request_json(draft)
    assert standing.entry.request["follows"] == {"as": "correction", "notification": 7}


def test_a_second_press_sends_nothing(workspace: Workspace, service: RunningService) -> None:
    """The first took the draft; the second finds it taken."""
    draft = kept(workspace, an_alert())
    assert send(workspace, draft) is not None
    assert send(workspace, draft) is None
    assert (arrived(service), entries(workspace)) == (1, ["succeeded"])


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
    draft_store.discard(workspace, draft.uid)
    again = kept(workspace, draft.model_copy(update={"event": "Forest Fire"}))
    assert standing_of(workspace, draft.uid).fate is Fate.SENT
    assert send(workspace, again) is None
    assert (arrived(service), entries(workspace)) == (1, ["succeeded"])


def test_what_was_changed_or_discarded_in_another_tab_is_not_sent(
    workspace: Workspace, service: RunningService
) -> None:
    """What is sent is what was reviewed, or nothing."""
    draft = kept(workspace, an_alert())
    reviewed = digest(draft)
    other = kept(workspace, draft.model_copy(update={"jurisdiction": "all", "regions": []}))
    with pytest.raises(ChangedMeanwhile) as changed:
        sending.send(workspace, draft, reviewed=reviewed)
    assert changed.value.now == other
    with pytest.raises(ChangedMeanwhile):
        sending.send(workspace, other, reviewed=reviewed)
    draft_store.discard(workspace, draft.uid)
    with pytest.raises(ChangedMeanwhile) as changed:
        sending.send(workspace, draft, reviewed=reviewed)
    assert changed.value.now is None
    assert (arrived(service), entries(workspace)) == (0, [])


def test_what_may_not_be_sent_never_leaves(workspace: Workspace, service: RunningService) -> None:
    """An alert that reaches nobody is refused here, whatever stage it claims to be at."""
    draft = kept(workspace, an_alert(regions=[]))
    with pytest.raises(Invalid):
        send(workspace, draft)
    assert (arrived(service), entries(workspace)) == (0, [])
    assert standing_of(workspace, draft.uid).fate is Fate.UNSENT


def test_what_the_service_refuses_goes_back_to_its_field_and_can_be_sent(workspace: Workspace) -> None:
    """A region that the service does not offer."""
    draft = kept(workspace, an_alert(regions=[80301, 123]))
    with pytest.raises(ServiceError) as failed:
        send(workspace, draft)
    mended = sending.refused(draft, failed.value)
    (said,) = mended.refused
    assert (mended.stage, said[0]) == ("edit", "publicMessages.publicAlertMessage.community.regionIds[1]")
    assert standing_of(workspace, draft.uid).fate is Fate.UNSENT
    mended = kept(workspace, mended.model_copy(update={"regions": [80301], "refused": []}))
    assert send(workspace, mended) is not None


def test_a_refusal_of_the_whole_leaves_the_review_as_it_is(workspace: Workspace) -> None:
    """A wrong password cannot be mended at a field."""
    stranger = replace(workspace, client=ServiceClient(workspace.connection.base_url, 8800, "ana", "wrong"))
    draft = kept(workspace, an_alert())
    with pytest.raises(ServiceError) as failed:
        send(stranger, draft)
    stranger.client.close()
    assert sending.refused(draft, failed.value) == draft
    assert standing_of(workspace, draft.uid).fate is Fate.UNSENT


def test_what_never_left_can_be_pressed_again(workspace: Workspace, service: RunningService) -> None:
    """Nobody listens: nothing was sent, the draft is free, and the journal says so."""
    nobody = replace(workspace, client=ServiceClient("http://127.0.0.1:9", 8800, "ana", "x"))
    draft = kept(workspace, an_alert())
    with pytest.raises(ServiceError):
        send(nobody, draft)
    nobody.client.close()
    assert standing_of(workspace, draft.uid).fate is Fate.UNSENT
    assert send(workspace, draft) is not None
    assert (arrived(service), entries(workspace)) == (1, ["succeeded", "not sent"])


def test_a_lost_answer_is_unknown_and_nothing_is_sent_again_by_itself(
    at_losing: Workspace, losing: RunningService
) -> None:
    """It arrived; nobody here knows; pressing again does nothing."""
    draft = kept(at_losing, an_alert())
    with pytest.raises(OutcomeUnknown):
        send(at_losing, draft)
    assert standing_of(at_losing, draft.uid).fate is Fate.UNKNOWN
    assert fate.begun(at_losing, draft.uid), "it stays taken"
    assert send(at_losing, draft) is None
    draft_store.discard(at_losing, draft.uid)
    assert send(at_losing, kept(at_losing, draft)) is None, "the journal remembers what the draft's row forgot"
    assert arrived(losing) == 1


def test_a_person_who_found_it_settles_it(at_losing: Workspace, losing: RunningService) -> None:
    """Sent, with the notification's id, and who wrote it as before."""
    draft = kept(at_losing, an_alert())
    with pytest.raises(OutcomeUnknown):
        send(at_losing, draft)
    unknown = standing_of(at_losing, draft.uid)
    sending.settle_as_sent(at_losing, unknown, 4711)
    standing = standing_of(at_losing, draft.uid)
    assert standing.begun_at == unknown.begun_at, "it went out when it was sent, not when it was found"
    assert (standing.fate, standing.notification_id) == (Fate.SENT, 4711)
    assert standing.people == {"written": "ana", "sent": "ana"}
    assert standing.body == request_json(draft)
    assert entries(at_losing) == ["succeeded", "unknown"]
    assert send(at_losing, draft) is None
    assert arrived(losing) == 1


def test_a_person_may_decide_that_it_did_not_go_out(tmp_path: Path) -> None:
    """The request was lost on its way: the decision is written down, and only then it can be sent once more."""
    with RunningService(faults={"fault": [LOST_BEFORE]}) as service:
        desk = workspace_of(service, tmp_path)
        draft = kept(desk, an_alert())
        with pytest.raises(OutcomeUnknown):
            send(desk, draft)
        assert arrived(service) == 0
        unknown = standing_of(desk, draft.uid)
        sending.settle_as_not_sent(desk, unknown)
        assert standing_of(desk, draft.uid).fate is Fate.UNSENT
        assert send(desk, draft) is not None
        assert arrived(service) == 1
        assert entries(desk) == ["succeeded", "not sent", "unknown"]
        sent = standing_of(desk, draft.uid)
        # In a tab that still shows the first attempt: neither decision touches the second.
        with pytest.raises(JournalError):
            sending.settle_as_not_sent(desk, unknown)
        with pytest.raises(JournalError):
            sending.settle_as_sent(desk, unknown, 4711)
        assert standing_of(desk, draft.uid) == sent
        assert sent.fate is Fate.SENT
        close(desk)


def test_a_decision_on_the_first_lost_attempt_is_none_on_the_second(tmp_path: Path) -> None:
    """In a tab that still shows the first: it would give back what may be on its way."""
    with RunningService(faults={"fault": [LOST_BEFORE | {"times": 2}]}) as service:
        desk = workspace_of(service, tmp_path)
        draft = kept(desk, an_alert())
        with pytest.raises(OutcomeUnknown):
            send(desk, draft)
        first = standing_of(desk, draft.uid)
        sending.settle_as_not_sent(desk, first)
        with pytest.raises(OutcomeUnknown):
            send(desk, draft)
        with pytest.raises(JournalError, match="Look again"):
            sending.settle_as_not_sent(desk, first)
        assert standing_of(desk, draft.uid).fate is Fate.UNKNOWN
        close(desk)


@pytest.mark.parametrize(("when", "reaches"), [("before the call", 0), ("after the call", 1)])
def test_a_process_killed_around_the_call_leaves_an_unknown_and_sends_no_second(
    when: str, reaches: int, workspace: Workspace, service: RunningService, tmp_path: Path
) -> None:
    """Killed for real, with the entry written: under way while its lease lasts, unknown after, never sent by itself."""
    draft = kept(workspace, an_alert())
    program = f"""
import os, signal, sys
sys.path.insert(0, {str(PROJECT)!r})
from pathlib import Path
from components.alert_sending import sending
from components.public_alerts import draft_store
from tests.unit.alert_sending.alerts_for_sending import workspace_of
class Service:
    url, organization_id, username, password = {service.url!r}, 8800, {service.username!r}, {service.password!r}
desk = workspace_of(Service, Path({str(tmp_path)!r}))
create = desk.client.notifications.create
def killed(request):
    if {when!r} == "after the call":
        create(request)
    os.kill(os.getpid(), signal.SIGKILL)
desk.client.notifications.create = killed
draft = draft_store.load(desk, {draft.uid!r}).draft
sending.send(desk, draft, reviewed=sending.digest(draft))
"""
    ended = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert ended.returncode == -9, ended.stderr
    assert arrived(service) == reaches
    assert standing_of(workspace, draft.uid).fate is Fate.SENDING
    assert send(workspace, draft) is None
    abandon(workspace)
    standing = standing_of(workspace, draft.uid)
    assert (standing.fate, standing.body) == (Fate.UNKNOWN, request_json(draft))
    assert send(workspace, draft) is None
    assert arrived(service) == reaches


def test_a_process_killed_before_it_wrote_anything_gives_the_draft_back_and_says_so(
    workspace: Workspace, service: RunningService
) -> None:
    """Taken, and nothing more: for a while it may be under way; after that it was not sent, and can be."""
    draft = kept(workspace, an_alert())
    workspace.journal.drafts.claim(workspace.actor, draft_store.KIND, draft.uid, {"attempt": "a1"})
    assert standing_of(workspace, draft.uid).fate is Fate.SENDING
    assert send(workspace, draft) is None
    assert entries(workspace) == [], "who finds it taken does not even begin"
    let_claims_age(workspace)
    standing = standing_of(workspace, draft.uid)
    assert standing.fate is Fate.UNSENT
    assert standing.stopped_at is not None
    assert send(workspace, draft) is not None
    assert arrived(service) == 1


def test_one_that_slept_between_taking_and_writing_does_not_send_a_second(
    workspace: Workspace, service: RunningService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took the draft, stood still past the time of grace, another tab sent it; awake again, it sends nothing."""
    other = workspace_of(service, tmp_path)
    draft = kept(workspace, an_alert())
    begin = workspace.journal.audit.begin

    def sleeps(*args: Any, **kwargs: Any) -> int:
        let_claims_age(other)
        assert standing_of(other, draft.uid).fate is Fate.UNSENT
        assert send(other, draft) is not None
        return begin(*args, **kwargs)

    monkeypatch.setattr(workspace.journal.audit, "begin", sleeps)
    assert send(workspace, draft) is None
    assert arrived(service) == 1
    assert standing_of(workspace, draft.uid).fate is Fate.SENT
    close(other)


def test_of_two_whose_entries_are_written_at_once_at_most_one_goes_on(workspace: Workspace) -> None:
    """Each looks for the other's entry after its own: an entry under way counts as done elsewhere."""
    draft = kept(workspace, an_alert())
    for attempt in ("first", "second"):
        workspace.journal.audit.begin(
            workspace.actor,
            fate.SEND,
            subject_kind=fate.SUBJECT,
            subject_name="Wildfire",
            request={"draft": draft.uid, "attempt": attempt},
        )
    found = fate.attempts(workspace, draft.uid)
    assert fate.is_done_elsewhere(found, "first")
    assert fate.is_done_elsewhere(found, "second")


def test_another_draft_with_the_same_event_has_a_fate_of_its_own(workspace: Workspace) -> None:
    """Sending one says nothing of the other."""
    one, other = kept(workspace, a_test()), kept(workspace, a_test())
    send(workspace, one)
    assert standing_of(workspace, other.uid).fate is Fate.UNSENT
    assert not fate.begun(workspace, other.uid)
    assert fate.begun(workspace, one.uid)


def test_a_countdown_counts_from_when_it_was_first_seen_to_zero() -> None:
    """A slow page takes nothing from the five seconds; 5, 4, 3, 2, 1 are shown, and at zero it is time."""
    draft = an_alert()
    counting = Countdown(draft, digest(draft)).looked(100.0)
    seen = []
    for now in (100.0, 101.0, 102.0, 103.0, 104.0, 105.0):
        seen.append((counting.shown(now), counting.step(now)))
        counting = counting.looked(now)
    assert seen == [*((number, "counting") for number in (5, 4, 3, 2, 1)), (0, "zero")]
    assert SECONDS == 5


@pytest.mark.parametrize(("silence", "step"), [(SILENCE - 0.1, "counting"), (SILENCE + 0.1, "left"), (7200.0, "left")])
def test_a_countdown_that_nobody_watched_never_comes_to_zero(silence: float, step: str) -> None:
    """A page that was left, or a machine that slept: the next look finds it too late, and nothing is sent."""
    draft = an_alert()
    counting = Countdown(draft, digest(draft)).looked(100.0)
    assert counting.step(100.0 + silence) == step


def test_a_countdown_that_was_left_is_remembered_until_it_is_cleared(workspace: Workspace) -> None:
    """By the journal: a refreshed page has forgotten everything else."""
    draft = kept(workspace, an_alert())
    assert left_at(workspace, draft.uid) is None
    mark_begun(workspace, draft)
    assert left_at(workspace, draft.uid) is not None
    assert [each.draft.uid for each in draft_store.list_all(workspace)] == [draft.uid], "it is no draft of its own"
    clear_mark(workspace, draft.uid)
    assert left_at(workspace, draft.uid) is None


def test_a_countdown_of_another_tab_is_over_in_seconds_and_where_the_clock_was_set_back() -> None:
    """Nobody waits an hour for five seconds to pass."""
    begun = datetime(2026, 11, 20, 12, tzinfo=UTC)
    times = (0, 5, 9, -3600)
    assert [may_run_elsewhere(begun, begun + timedelta(seconds=passed)) for passed in times] == [
        True,
        True,
        False,
        False,
    ]
