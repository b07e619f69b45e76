"""Incidents in the journal: separate per organization, without overwriting unseen changes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from journal import IncidentChanged, IncidentContent, IncidentNotFound, Journal, JournalError
from tests.journal.conftest import ANA, BEN, STRANGER

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
FLOOD = IncidentContent(
    name="Flood in  Pokhara",
    area={"type": "FeatureCollection", "features": []},
    begins_at=NOON,
    ends_at=None,
    margin_km=12.5,
    roster_ids=[3, 4],
)


def test_an_incident_is_read_as_saved_and_only_by_its_organization(journal: Journal) -> None:
    incident = journal.incidents.create(ANA, FLOOD)
    assert (incident.state, incident.version, incident.created_by) == ("open", 1, "ana")
    assert incident.content == replace(FLOOD, name="Flood in Pokhara")
    assert journal.incidents.list(BEN) == [incident]
    assert journal.incidents.list(STRANGER) == []
    for call in (journal.incidents.retrieve, journal.incidents.marks, journal.incidents.load_last_view):
        with pytest.raises(IncidentNotFound):
            call(STRANGER, incident.id)


def test_a_change_does_not_overwrite_a_change_of_someone_else(journal: Journal) -> None:
    incident = journal.incidents.create(ANA, FLOOD)
    later = replace(FLOOD, name="Flood", ends_at=NOON + timedelta(hours=4))
    changed = journal.incidents.update(BEN, incident.id, later, over=incident.version)
    assert (changed.version, changed.content, changed.changed_by) == (2, later, "ben")
    for call in (journal.incidents.close_incident, journal.incidents.reopen):
        with pytest.raises(IncidentChanged):
            call(ANA, incident.id, over=incident.version)
    assert journal.incidents.retrieve(ANA, incident.id) == changed


def test_open_incidents_come_before_closed_ones(journal: Journal) -> None:
    first, second, third = (journal.incidents.create(ANA, replace(FLOOD, name=name)) for name in "ABC")
    journal.incidents.close_incident(ANA, third.id, over=1)
    assert [each.content.name for each in journal.incidents.list(ANA)] == ["B", "A", "C"]
    assert [each.id for each in journal.incidents.list(ANA, "closed")] == [third.id]
    journal.incidents.reopen(ANA, third.id, over=2)
    assert [each.id for each in journal.incidents.list(ANA, "open")] == [third.id, second.id, first.id]


def test_two_people_see_and_do_not_overwrite_the_marks_of_each_other(journal: Journal) -> None:
    incident = journal.incidents.create(ANA, FLOOD)
    last_event_id = journal.incidents.latest_event_id(BEN, incident.id)
    journal.incidents.mark(ANA, incident.id, "E7", "contacted")
    assert journal.incidents.latest_event_id(BEN, incident.id) > last_event_id
    with pytest.raises(IncidentChanged):
        journal.incidents.mark(BEN, incident.id, "E7", "needs help")
    mark = journal.incidents.marks(BEN, incident.id)["E7"]
    assert (mark.status, mark.version, mark.marked_by) == ("contacted", 1, "ana")
    journal.incidents.mark(BEN, incident.id, "E7", "safe", " At the embassy. ", over=mark.version)
    with pytest.raises(IncidentChanged):
        journal.incidents.mark(ANA, incident.id, "E7", "needs help", over=mark.version)
    assert journal.incidents.marks(ANA, incident.id)["E7"].note == "At the embassy."
    assert [
        (each.username, each.action, each.note)
        for each in journal.incidents.events(ANA, incident.id, after_id=last_event_id)
    ] == [
        ("ben", "marked", "safe: At the embassy."),
        ("ana", "marked", "contacted"),
    ]


def test_an_assignment_keeps_the_mark_and_a_mark_keeps_the_assignment(journal: Journal) -> None:
    incident = journal.incidents.create(ANA, FLOOD)
    assigned = journal.incidents.assign(ANA, incident.id, "E7", " ben ")
    assert (assigned.status, assigned.assigned_to, assigned.version) == ("unanswered", "ben", 1)
    with pytest.raises(IncidentChanged):
        journal.incidents.assign(BEN, incident.id, "E7", "ana")
    marked = journal.incidents.mark(BEN, incident.id, "E7", "safe", "At home", over=assigned.version)
    assert (marked.status, marked.assigned_to, marked.marked_by) == ("safe", "ben", "ben")
    released = journal.incidents.assign(ANA, incident.id, "E7", "", over=marked.version)
    assert (released.status, released.note, released.assigned_to, released.marked_by) == ("safe", "At home", "", "ben")
    assert journal.incidents.marks(BEN, incident.id) == {"E7": released}
    assert [(each.action, each.note) for each in journal.incidents.events(ANA, incident.id)][:3] == [
        ("assigned", "no one"),
        ("marked", "safe: At home"),
        ("assigned", "ben"),
    ]


def test_actions_and_notes_are_in_the_history(journal: Journal) -> None:
    incident = journal.incidents.create(ANA, FLOOD)
    journal.incidents.add_note(BEN, incident.id, "The bridge is closed.")
    journal.incidents.close_incident(ANA, incident.id, over=1)
    events = journal.incidents.events(ANA, incident.id)
    assert [(each.username, each.action) for each in events] == [
        ("ana", "closed"),
        ("ben", "noted"),
        ("ana", "created"),
    ]


def test_each_user_has_a_last_view_of_the_list(journal: Journal) -> None:
    incident = journal.incidents.create(ANA, FLOOD)
    assert journal.incidents.load_last_view(ANA, incident.id) is None
    for hour in (0, 1):
        journal.incidents.save_last_view(ANA, incident.id, {"hour": hour}, at=NOON + timedelta(hours=hour))
    last_view = journal.incidents.load_last_view(ANA, incident.id)
    assert last_view is not None
    assert (last_view.looked_at, last_view.snapshot) == (NOON + timedelta(hours=1), {"hour": 1})
    assert journal.incidents.load_last_view(BEN, incident.id) is None


def test_names_and_notes_have_a_minimum_and_a_maximum_length(journal: Journal) -> None:
    with pytest.raises(JournalError, match="name must have 1 to 100"):
        journal.incidents.create(ANA, replace(FLOOD, name=" "))
    incident = journal.incidents.create(ANA, FLOOD)
    with pytest.raises(JournalError, match="The note is empty"):
        journal.incidents.add_note(ANA, incident.id, " ")
    with pytest.raises(JournalError, match=r"at most 4,000 characters"):
        journal.incidents.mark(ANA, incident.id, "E7", "safe", "x" * 4_001)
