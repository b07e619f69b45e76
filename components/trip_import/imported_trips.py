"""What an import of trips made: what can be undone of it, as a roster, and held against the service. No drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import pandas as pd

from client import NotFound, ServiceError
from client.fan_out import fan_out
from client.models.itineraries import Itinerary, Passenger
from components.change.recorded import message_of
from components.intake.checking import Check, Desk
from components.rosters import changes
from components.trip_import.canceling import CANCELING, NAMED, title_of, who_of
from components.trip_import.trip_sending import FOUND_SO, TOOK_ITS_PLACE, is_canceled, is_proven
from components.trips.expected import Comparison, compared, verdict
from components.widgets.number_text import count, names
from components.widgets.time_text import moment
from journal import Item, Job, Roster, RosterEntry, Traveller

if TYPE_CHECKING:
    from client import ServiceClient
    from components.records.declared import Tell
    from components.shell.workspace import Workspace

_UNDOES: Final = "undoes"
_ADDED: Final = "added"
MOST_UNDOS: Final = 1_000
MATCHES: Final = "as sent"


@dataclass(frozen=True)
class Undo:
    """What undoing an import takes away, row by row as `CANCELING` takes them in, and in words what it cannot undo."""

    rows: list[dict[str, str]]
    named: str
    leaves: list[str]

    def check(self, job: Job) -> Check:
        """The rows to send, noted to undo this job."""
        check = Check.of_rows(CANCELING, f"Undo of {job.name}", self.rows)
        check.about = {_UNDOES: job.id, _ADDED: job.counts.get("done", 0)}
        return check


@dataclass(frozen=True)
class Undone:
    """What was undone of an import, last by whom and when; `is_whole` where nothing is left that could be undone.

    `job_id` is of the last job that undid it.
    """

    job_id: int
    by: str
    at: datetime
    canceled: int
    added: int
    is_under_way: bool
    is_whole: bool

    @property
    def words(self) -> str:
        """What a person is to know of it."""
        state = "Being undone" if self.is_under_way else "Undone" if self.is_whole else "Undone in part"
        when = moment(self.at, now=datetime.now(UTC))
        return f"{state} by {self.by}, {when}: {self.canceled:,} of {self.added:,} canceled"


def undone(desk: Desk, jobs: Sequence[Job]) -> dict[int, Undone]:
    """What was undone of imports, by their ids; of others nothing was. Raises JournalError."""
    undos: dict[int, list[Job]] = {}
    for undo in desk.journal.ledger.jobs(desk.actor, CANCELING.kind, at_most=MOST_UNDOS):
        undos.setdefault(undo.settings.get("about", {}).get(_UNDOES), []).append(undo)
    return {job.id: _undone(job, undos[job.id]) for job in jobs if job.id in undos}


def _undone(job: Job, undos: Sequence[Job]) -> Undone:
    last, *_ = undos
    added = job.counts.get("done", 0)
    return Undone(
        job_id=last.id,
        by=last.created_by,
        at=last.created_at,
        canceled=sum(each.counts.get("done", 0) for each in undos),
        added=added,
        is_under_way=last.is_owned,
        is_whole=last.counts.get("done", 0) == last.total and added <= last.settings["about"][_ADDED],
    )


def undo_of(workspace: Workspace, items: Sequence[Item]) -> Undo:
    """Work out what can be undone of these items of an import. Raises JournalError."""
    gone = _canceled(workspace)
    made = [item for item in items if is_proven(item)]
    left = [item for item in made if item.fate.result_id not in gone]
    said = {
        "canceled here or undone before": len(made) - len(left),
        "of unknown fate: look for them first": _number(items, "unknown"),
        "at the service, and nothing proves that this import made them": sum(_says(item, FOUND_SO) for item in items),
        "in the place of others that stood before, which do not come back": sum(
            _says(item, TOOK_ITS_PLACE) for item in left
        ),
        "canceled by this import, which does not come back": sum(
            item.fate.state == "done" and is_canceled(item.payload) for item in items
        ),
        "still waiting or under way": _number(items, "waiting") + _number(items, "under way"),
    }
    rows = [{"id": str(item.fate.result_id), "locator": item.label, "who": who_of(item.payload)} for item in left]
    named = names([title_of(row) for row in rows], at_most=NAMED)
    return Undo(rows, named, [f"{count(number, 'trip', 'trips')} {what}." for what, number in said.items() if number])


def as_roster(workspace: Workspace, name: str, items: Sequence[Item]) -> Roster:
    """Make a roster of what an import added and nobody canceled since, with the service's ids. Raises JournalError."""
    there = still_there(workspace, items)
    entries = [RosterEntry(item.label, _travellers(_people(item))) for item in there]
    roster = changes.create(workspace, name, entries)
    ids: dict[str, list[int]] = {}
    for item in there:
        ids.setdefault(item.label, []).append(int(str(item.fate.result_id)))
    workspace.journal.rosters.learn(roster.id, ids, datetime.now(UTC))
    return roster


@dataclass(frozen=True)
class HeldAgainst:
    """How many trips people are expected for exactly as they were sent, and the others, each with what differs."""

    same: int
    others: pd.DataFrame


def held_against(client: ServiceClient, there: Sequence[Item], tell: Tell, *, width: int) -> HeldAgainst:
    """Read the expected locations of trips that an import added, and compare them with those it should give."""

    def words(item: Item) -> str:
        try:
            locations = list(client.itineraries.list_expected_locations(int(str(item.fate.result_id))))
        except NotFound:
            return "not at the service any more"
        rows = compared(Itinerary.model_validate(item.payload), locations)
        if all(row.comparison is Comparison.MATCHES for row in rows):
            return MATCHES
        differing = [f"{row.place}: {row.words}" for row in rows if row.comparison is not Comparison.MATCHES]
        return f"{verdict(rows)}. {names(differing, at_most=3)}"

    others, same = [], 0
    for number, outcome in enumerate(fan_out(words, there, width=width), start=1):
        if outcome.error is not None and not isinstance(outcome.error, ServiceError):
            raise outcome.error
        said = message_of(outcome.error) if outcome.error is not None else outcome.result()
        if said == MATCHES:
            same += 1
        else:
            item = outcome.item
            numbers = ", ".join(str(row) for row, _ in item.rows)
            others.append((item.position, item.label, item.fate.result_id, numbers, said))
        tell(number, len(there))
    table = pd.DataFrame(sorted(others), columns=["position", "locator", "id", "rows", "what"])
    return HeldAgainst(same, table.drop(columns="position"))


def still_there(desk: Desk, items: Sequence[Item]) -> list[Item]:
    """The trips of an import that it added, and that nobody at this desk canceled since. Raises JournalError."""
    gone = _canceled(desk)
    return [
        item
        for item in items
        if item.fate.state == "done"
        and item.fate.result_id is not None
        and item.fate.result_id not in gone
        and not is_canceled(item.payload)
    ]


def _canceled(desk: Desk) -> set[str]:
    return {each.payload["id"] for each in desk.journal.ledger.done(desk.actor, [CANCELING.kind])}


def _number(items: Sequence[Item], state: str) -> int:
    return sum(item.fate.state == state for item in items)


def _says(item: Item, words: str) -> bool:
    return item.fate.state == "done" and item.fate.reasons.get("") == words


def _people(item: Item) -> list[Passenger]:
    return Itinerary.model_validate({"passengers": item.payload.get("passengers", [])}).passengers


def _travellers(people: Sequence[Passenger]) -> list[Traveller]:
    return [
        Traveller(person.employee_id, person.first_name or "", person.last_name or "")
        for person in people
        if person.employee_id
    ]
