"""What sending a file of trips would do, worked out before anything is sent; nothing is asked of the service.

Which trips are new and which this desk has sent before or would remove, how many contacts may be created and so how
many batches it takes, where people would be expected, and what looks wrong with each trip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Final, Literal

import pandas as pd

from client.models.itineraries import Itinerary
from client.vocabulary.limits import BATCH_ADD, BATCH_ADD_WITH_CONTACTS
from domain.file_import.row_sending import JournalContext, Outgoing
from domain.maps.map_shape import Shape
from domain.text.plain_text import count
from domain.trips.checks import trip_checks
from domain.trips.known_trip import IMPORT, REMOVAL, REMOVES, SENDS
from domain.trips.prediction import PredictedLocation, predict
from domain.trips.trip_findings import Finding, Severity, severity_rank
from domain.trips.trip_import.trip_sending import CONTACTS, is_canceled
from journal import normalize_locator

Standing = Literal["new", "sent before", "removed"]

MOST_TOLD: Final = 4
WORKED_OUT: Final = 2_000
"""So many trips are worked out one by one while a person waits: about a second."""


@dataclass(frozen=True)
class Remembered:
    """What Muster has sent: the normalized record locators that stand, and the employee ids that have a contact."""

    locators: frozenset[str] = frozenset()
    employee_ids: frozenset[str] = frozenset()


@dataclass(frozen=True)
class DryRun:
    """What would follow. `trips` is a row a trip, `places` a row a place as maps take them.

    `worked_out` is how many of the trips were looked at one by one; locations, places and what looks wrong are theirs.
    `found` is what looks wrong with each that anything does, by its id, what matters most first.
    """

    trips: pd.DataFrame
    places: pd.DataFrame
    standings: Mapping[Standing, int]
    contacts: int
    batches: int
    batches_with_contacts: int
    locations: int
    worked_out: int
    found: Mapping[str, Sequence[Finding]] = field(default_factory=dict)

    @property
    def kinds(self) -> dict[str, int]:
        """With how many trips something of each kind looks wrong, by its rule; what matters most first."""
        gravest: dict[str, Finding] = {}
        for finding in sorted((each for some in self.found.values() for each in some), key=severity_rank, reverse=True):
            gravest[finding.rule] = finding
        numbers = Counter(rule for some in self.found.values() for rule in {each.rule for each in some})
        return {rule: numbers[rule] for rule in sorted(gravest, key=lambda rule: severity_rank(gravest[rule]))}

    @property
    def cannot_be(self) -> int:
        """How many trips cannot be as they stand, or leave somebody out."""
        return sum(some[0].severity is Severity.ERROR for some in self.found.values())

    @property
    def unreached(self) -> int:
        """How many of the trips whose expected locations were predicted lead to none: no one is expected anywhere."""
        stays = self.trips["standing"] != "removed"
        return int((stays & self.trips["locations"].eq(0).fillna(value=False)).sum())

    def with_kind(self, rule: str | None) -> pd.DataFrame:
        """The trips with what looks wrong of one kind, or of any; those first with which it matters most."""
        found = {trip: [each for each in some if rule in (None, each.rule)] for trip, some in self.found.items()}
        wrong = self.trips["id"].map(lambda trip: _told(found.get(trip, ())))
        table = self.trips.assign(wrong=wrong)
        if rule is not None:
            table = table[wrong != ""]
        last = (len(Severity), 0)
        order = table["id"].map(lambda trip: min(map(severity_rank, found.get(trip, ())), default=last))
        return table.iloc[sorted(range(len(table)), key=order.tolist().__getitem__)].reset_index(drop=True)

    @property
    def place_shapes(self) -> list[Shape]:
        """The places as points for a map, those with the most people last, over the others."""
        return [
            Shape(
                row["label"],
                f"{count(row['people'], 'person', 'people')}, "
                f"{count(row['locations'], 'expected location', 'expected locations')}",
                {"type": "Point", "coordinates": [row["lon"], row["lat"]]},
            )
            for row in self.places.sort_values("people").to_dict("records")
        ]

    @property
    def placed(self) -> int:
        """How many expected locations have a position."""
        return int(self.places["locations"].sum())

    @property
    def is_whole(self) -> bool:
        """Whether every trip was looked at one by one."""
        return self.worked_out == len(self.trips)


def remembered(desk: JournalContext) -> Remembered:
    """Read what this desk has sent to the organization: in imports, and trip by trip."""
    service, organization = desk.actor.service, desk.actor.organization_id
    actions = desk.journal.audit.succeeded(service, organization, "itinerary", SENDS | REMOVES)
    told = [(at, name, action in SENDS) for at, action, name in actions if name]
    employee_ids: set[str] = set()
    locators: dict[str | None, str] = {}
    for done in desk.journal.ledger_history.list_done(desk.actor, [IMPORT, REMOVAL]):
        if done.kind == REMOVAL:
            told.append((done.at, locators.get(done.payload["id"]) or done.payload.get("locator", ""), False))
            continue
        locator = locators[done.result_id] = str(done.payload.get("pnr", ""))
        told.append((done.at, locator, not is_canceled(done.payload)))
        # A cancellation creates no contacts.
        people = [] if is_canceled(done.payload) else done.payload.get("passengers") or []
        employee_ids.update(person["employeeId"] for person in people if person.get("employeeId"))
    standing = {normalize_locator(name): is_sent for _, name, is_sent in sorted(told, key=lambda each: each[0])}
    return Remembered(frozenset(name for name, is_sent in standing.items() if is_sent), frozenset(employee_ids))


def dry_run(items: Sequence[Outgoing], memory: Remembered, *, at_most: int = WORKED_OUT) -> DryRun:
    """Work out what sending these would do; `at_most` so many, evenly spread, are looked at one by one."""
    step = max(1, ceil(len(items) / at_most)) if items else 1
    predicted: dict[int, list[PredictedLocation]] = {}
    wrong: dict[str, Sequence[Finding]] = {}
    for place in range(0, len(items), step):
        itinerary = Itinerary.model_validate(items[place].payload)
        predicted[place] = [each for each in predict(itinerary) if each.is_expected]
        found = sorted((each for each in trip_checks(itinerary) if each.is_problem), key=severity_rank)
        if found:
            wrong[str(place)] = found
    standings = [_standing(item.payload, memory.locators) for item in items]
    rows = [
        {
            "id": str(place),
            "locator": item.label,
            "standing": standings[place],
            "travellers": len(item.payload["passengers"]),
            "segments": len(item.payload["segments"]),
            "locations": len(predicted[place]) if place in predicted else None,
        }
        for place, item in enumerate(items)
    ]
    columns = ["id", "locator", "standing", "travellers", "segments", "locations"]
    table = pd.DataFrame(rows, columns=columns).astype({"locations": "Int64"})
    lots = Counter(item.batch_group for item in items)
    return DryRun(
        trips=table,
        places=places_of(each for some in predicted.values() for each in some),
        standings=Counter(standings),
        contacts=len({mark for item in items for mark in _strangers(item, memory.employee_ids)}),
        batches=sum(ceil(number / BATCH_ADD) for lot, number in lots.items() if lot != CONTACTS),
        batches_with_contacts=ceil(lots[CONTACTS] / BATCH_ADD_WITH_CONTACTS),
        locations=sum(map(len, predicted.values())),
        worked_out=len(predicted),
        found=wrong,
    )


def _told(found: Sequence[Finding]) -> str:
    titles = [each.title for each in found]
    more = len(titles) - MOST_TOLD
    return "; ".join([*titles[:MOST_TOLD], *([f"{more:,} more"] if more > 0 else [])])


def places_of(predicted: Iterable[PredictedLocation]) -> pd.DataFrame:
    """Return a row for each position of expected locations: its place, people, and expected locations."""
    at: dict[tuple[float, float], list[PredictedLocation]] = {}
    for each in predicted:
        if (position := each.place.position) is not None:
            at.setdefault((round(position[0], 3), round(position[1], 3)), []).append(each)
    rows = [
        {
            "label": some[0].place.name,
            "lat": latitude,
            "lon": longitude,
            "people": len({each.known_as or each.traveler for each in some}),
            "locations": len(some),
        }
        for (latitude, longitude), some in at.items()
    ]
    return pd.DataFrame(rows, columns=["label", "lat", "lon", "people", "locations"])


def _standing(payload: Mapping[str, Any], locators: Collection[str]) -> Standing:
    if is_canceled(payload):
        return "removed"
    return "sent before" if normalize_locator(payload["pnr"]) in locators else "new"


def _strangers(item: Outgoing, known: Collection[str]) -> Iterable[object]:
    """What tells apart the travellers of a trip who may have no contact yet."""
    if item.batch_group != CONTACTS:
        return
    for person in item.payload["passengers"]:
        if "contactId" not in person and person.get("employeeId") not in known:
            name = (person.get("firstName"), person.get("lastName"), *person.get("emailAddresses", ()))
            yield person.get("employeeId") or name
