"""A draft is sent once through a real service and a real journal, and its outcome is determined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from client import Connection, Invalid, OutcomeUnknown, ServiceClient
from client.models.itineraries import Segment
from domain.edits import draft_sending, stored_drafts
from domain.edits.edit_draft import SendStatus, StoredDraft
from domain.edits.removals import remove_each
from domain.forms.form import Problems
from domain.runtime.workspace import Workspace
from domain.trips.editor import trip_change
from domain.trips.editor.form_state import TripDraft, from_itinerary, to_itinerary
from domain.trips.editor.trip_change import NOBODY_MATCHED, TRIP_EDIT
from domain.trips.location_comparison import are_as_predicted
from domain.trips.prediction import predict
from domain.trips.trip_removal import CANCEL_TRIP, DELETE_TRIP, TripTarget
from journal import Actor, JournalError, LearntEntry, RosterEntry
from journal.rosters import Rosters
from tests.domain.trips.editor.sample_trips import BACK, BEN, OUT, SHERATON, STAY, send_trip, trip
from tests.prepared_journal import new_journal
from tests.running_service import RunningService


def create_workspace(service: RunningService, folder: Path, username: str = "ana") -> Workspace:
    """A separate workspace at this service."""
    connection = Connection(service.url, service.organization_id, service.username, service.password)
    return Workspace(
        client=ServiceClient.connect(connection),
        connection=connection,
        journal=new_journal(folder / "journal.sqlite"),
        actor=Actor(service.url, service.organization_id, username),
        service_name=service.url,
        is_demo=False,
    )


@pytest.fixture
def workspace(service: RunningService, tmp_path: Path) -> Iterator[Workspace]:
    """A workspace at a new service."""
    workspace = create_workspace(service, tmp_path)
    yield workspace
    workspace.client.close()
    workspace.journal.close()


@pytest.fixture
def lossy_workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A workspace at a service that makes the first creation or change but loses its response."""
    fault = {"kind": "drop", "when": "after", "methods": ["POST", "PUT"], "path": "/itineraries/8800*", "times": 1}
    with RunningService(faults={"fault": [fault]}) as service:
        workspace = create_workspace(service, tmp_path)
        yield workspace
        workspace.client.close()
        workspace.journal.close()


def build_draft(locator: str = "WSVM7K") -> TripDraft:
    """A new trip that is ready to send."""
    return from_itinerary(trip(OUT, BACK, locator=locator))


def hotel(**address: Any) -> Segment:
    """The stay, at another address."""
    return STAY.model_copy(update={"from_address": SHERATON.model_copy(update=address)})


def find_ids(workspace: Workspace, locator: str = "WSVM7K") -> list[int]:
    """The IDs of the trips at the service."""
    return trip_change.find_ids_by_locator(workspace, locator)


def test_a_sent_draft_has_status_sent(workspace: Workspace) -> None:
    """The service and the journal have the trip, and the draft has the status."""
    draft = build_draft()
    itinerary_id = send_trip(workspace, draft, [])
    assert find_ids(workspace) == [itinerary_id]
    saved_draft = stored_drafts.load(workspace, TRIP_EDIT, draft.uid)
    assert saved_draft is not None
    assert (saved_draft.status, saved_draft.sent_id) == (SendStatus.SENT, itinerary_id)
    assert stored_drafts.list_unfinished(workspace, TRIP_EDIT) == []


def test_a_rejected_draft_can_be_fixed_and_sent(workspace: Workspace) -> None:
    """The reason is shown at its field."""
    draft = build_draft().model_copy(update={"auto_create_contact": False, "stage": "review"})
    with pytest.raises(Invalid) as rejection:
        send_trip(workspace, draft, [])
    corrected = draft_sending.with_refusal(TRIP_EDIT, draft, rejection.value)
    assert (corrected.stage, corrected.refused) == ("edit", [("passengers", NOBODY_MATCHED)])
    assert stored_drafts.load(workspace, TRIP_EDIT, draft.uid).status is SendStatus.DRAFT
    assert send_trip(workspace, corrected.model_copy(update={"auto_create_contact": True}), []) is not None


def test_after_a_lost_response_reconciliation_finds_the_trip_and_sets_its_status(lossy_workspace: Workspace) -> None:
    """The trip is found by its record locator, compared with the prediction, and marked as done."""
    draft = build_draft()
    with pytest.raises(OutcomeUnknown):
        send_trip(lossy_workspace, draft, [])
    saved_draft = stored_drafts.load(lossy_workspace, TRIP_EDIT, draft.uid)
    assert saved_draft is not None
    assert saved_draft.status is SendStatus.UNKNOWN
    assert (saved_draft.note or {})["held_before"] == []
    assert send_trip(lossy_workspace, draft, []) is None, "not resent automatically"
    (found,) = TRIP_EDIT.reconcile(lossy_workspace, saved_draft).candidates
    assert found.title == f"ID {found.subject_id}, new"
    assert found.is_match
    draft_sending.mark_as_done(lossy_workspace, TRIP_EDIT, saved_draft, found)
    resolved_draft = stored_drafts.load(lossy_workspace, TRIP_EDIT, draft.uid)
    assert resolved_draft is not None
    assert (resolved_draft.status, resolved_draft.sent_id) == (SendStatus.SENT, found.subject_id)
    assert trip_change.last_sent(lossy_workspace, found.subject_id or 0, "WSVM7K") is not None


def test_reconciliation_of_a_lost_change_compares_the_changed_trip(lossy_workspace: Workspace) -> None:
    """An unchanged trip is not a match."""
    first = build_draft()
    with pytest.raises(OutcomeUnknown):
        send_trip(lossy_workspace, first, [])
    (itinerary_id,) = find_ids(lossy_workspace)
    change = from_itinerary(trip(OUT, travelers=(BEN,)), itinerary_id=itinerary_id)
    change = change.model_copy(update={"base": trip(OUT, BACK).to_wire()})
    (before,) = TRIP_EDIT.reconcile(lossy_workspace, StoredDraft(change, datetime.now(UTC))).candidates
    assert not before.is_match
    assert "Your change was probably not made." in before.description
    send_trip(lossy_workspace, change, [itinerary_id])
    (after,) = TRIP_EDIT.reconcile(lossy_workspace, StoredDraft(change, datetime.now(UTC))).candidates
    assert after.is_match


def test_a_change_without_effect_on_expected_locations_cannot_be_detected(workspace: Workspace) -> None:
    """Another flight number at the same times has no visible effect, so the change is not marked as done."""
    itinerary_id = send_trip(workspace, build_draft(), [])
    assert itinerary_id is not None
    change = trip_change.start_change(workspace, itinerary_id, "WSVM7K")
    change.segments[0].number = "EY999"
    (found,) = TRIP_EDIT.reconcile(workspace, StoredDraft(change, datetime.now(UTC))).candidates
    assert not found.is_match
    assert "cannot tell the versions apart" in found.description


@pytest.mark.parametrize(
    ("existing", "changed"),
    [
        (STAY, hotel(location_name="Hilton", latitude=29.30, longitude=48.09)),
        (STAY, hotel(location_name="Hilton")),
        (hotel(latitude=None, longitude=None), hotel(city="Al Ahmadi", latitude=None, longitude=None)),
        (OUT, OUT.model_copy(update={"from_iata_code": "DXB"})),
    ],
    ids=["kilometres away", "next door", "a city without coordinates", "another airport"],
)
def test_people_expected_at_other_places_at_the_same_times_are_not_a_match(
    workspace: Workspace, existing: Segment, changed: Segment
) -> None:
    """They do not prove that a change or an import with a lost response was made."""
    itinerary_id = workspace.client.itineraries.create(trip(existing)).id
    locations = list(workspace.client.itineraries.list_expected_locations(itinerary_id))
    assert are_as_predicted(predict(trip(existing)), locations)
    assert not are_as_predicted(predict(trip(changed)), locations)


def test_a_change_starts_from_the_last_version_and_finds_later_changes(workspace: Workspace) -> None:
    """The journal is the only source of the last version."""
    itinerary_id = send_trip(workspace, build_draft(), [])
    assert itinerary_id is not None
    draft = trip_change.start_change(workspace, itinerary_id, "WSVM7K")
    assert draft.base is not None
    assert [each.number for each in draft.segments] == ["EY301", "EY302"]
    assert trip_change.find_change_since(workspace, draft) is None
    ben = replace(workspace, actor=Actor(workspace.actor.service, 8800, "ben"))
    send_trip(ben, trip_change.start_change(ben, itinerary_id, "WSVM7K"), [itinerary_id])
    since = trip_change.find_change_since(workspace, draft)
    assert since is not None
    assert (since.by, trip_change.change_verb(since)) == ("ben", "changed")


def test_a_trip_created_outside_muster_starts_from_its_expected_locations(workspace: Workspace) -> None:
    """What these do not contain must be entered, or the user sends the trip without it."""
    itinerary_id = workspace.client.itineraries.create(trip(OUT)).id
    draft = trip_change.start_change(workspace, itinerary_id, "WSVM7K")
    assert draft.base is None
    (segment,), (traveler,) = draft.segments, draft.travelers
    assert (segment.start.iata, segment.start.clock, segment.number) == ("AUH", "14:05", "")
    gaps = [(draft.uid, "external_id"), (draft.uid, "source")]
    gaps += [(segment.uid, "supplier_code"), (segment.uid, "number")]
    gaps += [(traveler.uid, "first_name"), (traveler.uid, "last_name")]
    assert trip_change.find_gaps(draft) == gaps
    for problems in (trip_change.problems_of(draft), trip_change.visible_problems(draft, Problems())):
        assert [trip_change.UNKNOWN_VALUE in problems.at(*gap) for gap in gaps] == [True] * len(gaps)
    segment.number = "EY301"
    assert not trip_change.problems_of(draft).at(segment.uid, "number")
    sent_with_gaps = draft.model_copy(update={"is_sent_with_gaps": True})
    assert not trip_change.problems_of(sent_with_gaps)
    assert to_itinerary(sent_with_gaps).itinerary_source is None


def test_a_trip_that_the_service_does_not_return_opens_empty(workspace: Workspace) -> None:
    draft = trip_change.start_change(workspace, 404404, "WSVM7K")
    assert draft.itinerary_id == 404404
    assert (draft.segments[0].start.iata, draft.unknown) == ("", [])


def test_an_unfinished_change_is_found_by_its_trip(workspace: Workspace) -> None:
    """The draft ID is not in the URL."""
    itinerary_id = send_trip(workspace, build_draft(), [])
    assert itinerary_id is not None
    draft = trip_change.start_change(workspace, itinerary_id, "WSVM7K")
    draft.segments[0].number = "EY999"
    stored_drafts.save(workspace, TRIP_EDIT, draft, seen=None)
    (again,) = stored_drafts.list_unfinished_changes(workspace, TRIP_EDIT, itinerary_id)
    assert again.draft.segments[0].number == "EY999"


def test_cancellations_and_deletions_are_recorded_in_the_journal(workspace: Workspace) -> None:
    """Both remove the trip and are recorded with the removed trip."""
    first = send_trip(workspace, build_draft("ONE111"), [])
    second = send_trip(workspace, build_draft("TWO222"), [])
    assert first is not None
    assert second is not None
    target = TripTarget(first, "ONE111", locator="ONE111", last_sent=to_itinerary(build_draft("ONE111")))
    assert [each.state for each in remove_each(workspace, CANCEL_TRIP, [target])] == ["gone"]
    assert [each.state for each in remove_each(workspace, DELETE_TRIP, [TripTarget(second, "TWO222")])] == ["gone"]
    assert find_ids(workspace, "ONE111") == find_ids(workspace, "TWO222") == []
    actions = [(entry.action, entry.state) for entry in workspace.journal.audit.list(workspace.actor.service, 8800)]
    assert actions[:2] == [("itinerary.delete", "succeeded"), ("itinerary.cancel", "succeeded")]


def test_a_sent_trip_is_added_to_a_roster_with_its_id(workspace: Workspace) -> None:
    """Next to existing trips, and only once."""
    roster = workspace.journal.rosters.create(workspace.actor, "My people", [RosterEntry("OLD000")])
    itinerary = trip(OUT)
    for _ in range(2):
        assert trip_change.add_to_roster(workspace, roster.id, itinerary, 7) == "My people"
    entries = {entry.record_locator: entry.itinerary_ids for entry in roster.entries()}
    assert entries == {"OLD000": [], "WSVM7K": [7]}


def test_trips_added_to_a_roster_at_once_are_both_saved(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    roster = workspace.journal.rosters.create(workspace.actor, "My people", [])
    read_entries, other_ids = Rosters.entries, [8]

    def read_and_add(self: Rosters, roster_id: int) -> list[LearntEntry]:
        found = read_entries(self, roster_id)
        if other_ids:
            trip_change.add_to_roster(workspace, roster.id, trip(OUT), other_ids.pop())
        return found

    monkeypatch.setattr(Rosters, "entries", read_and_add)
    trip_change.add_to_roster(workspace, roster.id, trip(OUT), 7)
    workspace.journal.rosters.entries(roster.id)
    [entry] = read_entries(workspace.journal.rosters, roster.id)
    assert entry.itinerary_ids == [7, 8]


def test_a_lost_change_is_not_mistaken_for_sent_because_of_another_one(lossy_workspace: Workspace) -> None:
    """Each draft has its own entry, even for the same person and trip."""
    first = build_draft()
    with pytest.raises(OutcomeUnknown):
        send_trip(lossy_workspace, first)
    saved_draft = stored_drafts.load(lossy_workspace, TRIP_EDIT, first.uid)
    assert saved_draft is not None
    (itinerary_id,) = find_ids(lossy_workspace)
    other = from_itinerary(trip(OUT), itinerary_id=itinerary_id)
    assert send_trip(lossy_workspace, other) == itinerary_id
    again = send_trip(lossy_workspace, build_draft())
    assert again is not None
    saved_draft = stored_drafts.load(lossy_workspace, TRIP_EDIT, first.uid)
    assert saved_draft is not None
    assert saved_draft.status is SendStatus.UNKNOWN


def test_earlier_trips_are_reported_only_if_they_were_read(lossy_workspace: Workspace) -> None:
    """A failed lookup of the record locator proves nothing."""
    draft = build_draft()
    with pytest.raises(OutcomeUnknown):
        send_trip(lossy_workspace, draft, None)
    saved_draft = stored_drafts.load(lossy_workspace, TRIP_EDIT, draft.uid)
    assert saved_draft is not None
    assert "does not know" in TRIP_EDIT.describe_original(saved_draft)
    (found,) = TRIP_EDIT.reconcile(lossy_workspace, saved_draft).candidates
    assert found.title == f"ID {found.subject_id}"


def test_only_one_of_two_decisions_about_a_lost_response_is_recorded(lossy_workspace: Workspace) -> None:
    """After a double click or in two tabs, one decision is recorded and the other is an error."""
    draft = build_draft()
    with pytest.raises(OutcomeUnknown):
        send_trip(lossy_workspace, draft)
    saved_draft = stored_drafts.load(lossy_workspace, TRIP_EDIT, draft.uid)
    assert saved_draft is not None
    (found,) = TRIP_EDIT.reconcile(lossy_workspace, saved_draft).candidates
    draft_sending.mark_as_done(lossy_workspace, TRIP_EDIT, saved_draft, found)
    with pytest.raises(JournalError):
        draft_sending.mark_as_done(lossy_workspace, TRIP_EDIT, saved_draft, found)
    with pytest.raises(JournalError):
        draft_sending.mark_as_not_done(lossy_workspace, TRIP_EDIT, saved_draft)
    assert [entry.state for entry in lossy_workspace.journal.audit.list(lossy_workspace.actor.service, 8800)] == [
        "succeeded",
        "unknown",
    ]
