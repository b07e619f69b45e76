"""The effects of importing trips, computed before anything is sent and without requests to the service.

They are: which trips are new, replace earlier ones, or are canceled; how many contacts may be created, and how many
batches that takes; where people will be expected; and the findings of the checks.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
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

TripEffect = Literal["new", "sent before", "canceled"]

MAX_LISTED: Final = 4
MAX_CHECKED: Final = 2_000
"""The number of trips that are checked while a person waits. It takes about a second."""

MOST_OPEN: Final = 20_000
"""The number of earlier trips that are kept in memory to compare a file with them: about 20 MB."""


@dataclass(frozen=True)
class SendHistory:
    """What Muster sent before: the normalized record locators of existing trips, and the employee IDs with a
    contact.
    """

    locators: frozenset[str] = frozenset()
    employee_ids: frozenset[str] = frozenset()
    open_trips: Mapping[str, str] = field(default_factory=dict)
    """The payloads of the latest imported trips that have not ended, as JSON, by normalized record locator."""


@dataclass(frozen=True)
class DryRun:
    """The effects of an import.

    `trips` has one row per trip, and `places` one row per position. Only `checked_count` trips were checked: locations,
    places, and findings are about these. `findings` are by trip ID, the most severe first.
    """

    trips: pd.DataFrame
    places: pd.DataFrame
    effects: Mapping[TripEffect, int]
    contacts: int
    batches: int
    batches_with_contacts: int
    locations: int
    checked_count: int
    findings: Mapping[str, Sequence[Finding]] = field(default_factory=dict)

    @property
    def kinds(self) -> dict[str, int]:
        """The number of trips with findings of each rule, the most severe rule first."""
        gravest: dict[str, Finding] = {}
        for finding in sorted(
            (each for some in self.findings.values() for each in some), key=severity_rank, reverse=True
        ):
            gravest[finding.rule] = finding
        numbers = Counter(rule for some in self.findings.values() for rule in {each.rule for each in some})
        return {rule: numbers[rule] for rule in sorted(gravest, key=lambda rule: severity_rank(gravest[rule]))}

    @property
    def error_count(self) -> int:
        """The number of trips with an error."""
        return sum(some[0].severity is Severity.ERROR for some in self.findings.values())

    @property
    def unreached_count(self) -> int:
        """The number of checked trips without expected locations, except canceled ones."""
        stays = self.trips["effect"] != "canceled"
        return int((stays & self.trips["locations"].eq(0).fillna(value=False)).sum())

    def with_kind(self, rule: str | None) -> pd.DataFrame:
        """Return the trips with findings of one rule, or of any, the most severe first."""
        findings = {trip: [each for each in some if rule in (None, each.rule)] for trip, some in self.findings.items()}
        problems = self.trips["id"].map(lambda trip: _describe_findings(findings.get(trip, ())))
        table = self.trips.assign(problems=problems)
        if rule is not None:
            table = table[problems != ""]
        last = (len(Severity), 0)
        order = table["id"].map(lambda trip: min(map(severity_rank, findings.get(trip, ())), default=last))
        return table.iloc[sorted(range(len(table)), key=order.tolist().__getitem__)].reset_index(drop=True)

    @property
    def place_shapes(self) -> list[Shape]:
        """The places as points for a map. Places with the most people come last, so that they are on top."""
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
    def placed_count(self) -> int:
        """The number of expected locations with a position."""
        return int(self.places["locations"].sum())

    @property
    def is_complete(self) -> bool:
        """Whether every trip was checked."""
        return self.checked_count == len(self.trips)


def load_send_history(context: JournalContext) -> SendHistory:
    """Read which trips Muster sent to the organization, from imports and from the editor."""
    service, organization = context.actor.service, context.actor.organization_id
    actions = context.journal.audit.succeeded(service, organization, "itinerary", SENDS | REMOVES)
    changes = [(at, name, action in SENDS) for at, action, name in actions if name]
    employee_ids: set[str] = set()
    locators: dict[str | None, str] = {}
    open_trips: dict[str, str] = {}
    yesterday = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    for done in context.journal.ledger_history.list_done(context.actor, [IMPORT, REMOVAL]):
        if done.kind == REMOVAL:
            changes.append((done.at, locators.get(done.payload["id"]) or done.payload.get("locator", ""), False))
            continue
        locator = locators[done.result_id] = str(done.payload.get("pnr", ""))
        changes.append((done.at, locator, not is_canceled(done.payload)))
        open_trips.pop(name := normalize_locator(locator), None)
        if _last_time(done.payload) >= yesterday:
            open_trips[name] = json.dumps(done.payload)
        # A cancellation creates no contacts.
        people = [] if is_canceled(done.payload) else done.payload.get("passengers") or []
        employee_ids.update(person["employeeId"] for person in people if person.get("employeeId"))
    is_sent_by_locator = {
        normalize_locator(name): is_sent for _, name, is_sent in sorted(changes, key=lambda each: each[0])
    }
    sent = frozenset(name for name, is_sent in is_sent_by_locator.items() if is_sent)
    return SendHistory(
        sent, frozenset(employee_ids), dict([each for each in open_trips.items() if each[0] in sent][-MOST_OPEN:])
    )


def _last_time(payload: Mapping[str, Any]) -> str:
    """Return the last time of a trip as text, local or UTC, or "" without a time."""
    segments = payload.get("segments") or []
    times = (text for each in segments for name, text in each.items() if "DateTime" in name and text)
    return max(times, default="")


def dry_run(items: Sequence[Outgoing], history: SendHistory, *, at_most: int = MAX_CHECKED) -> DryRun:
    """Compute the effects of sending these items. Check up to `at_most` of them, evenly spread."""
    step = max(1, ceil(len(items) / at_most)) if items else 1
    predicted: dict[int, list[PredictedLocation]] = {}
    findings: dict[str, Sequence[Finding]] = {}
    for place in range(0, len(items), step):
        itinerary = Itinerary.model_validate(items[place].payload)
        predicted[place] = [each for each in predict(itinerary) if each.is_expected]
        trip_findings = sorted((each for each in trip_checks(itinerary) if each.is_problem), key=severity_rank)
        if trip_findings:
            findings[str(place)] = trip_findings
    effects = [_find_effect(item.payload, history.locators) for item in items]
    rows = [
        {
            "id": str(place),
            "locator": item.label,
            "effect": effects[place],
            "travelers": len(item.payload["passengers"]),
            "segments": len(item.payload["segments"]),
            "locations": len(predicted[place]) if place in predicted else None,
        }
        for place, item in enumerate(items)
    ]
    columns = ["id", "locator", "effect", "travelers", "segments", "locations"]
    table = pd.DataFrame(rows, columns=columns).astype({"locations": "Int64"})
    groups = Counter(item.batch_group for item in items)
    return DryRun(
        trips=table,
        places=places_of(each for some in predicted.values() for each in some),
        effects=Counter(effects),
        contacts=len({mark for item in items for mark in _new_contacts(item, history.employee_ids)}),
        batches=sum(ceil(number / BATCH_ADD) for group, number in groups.items() if group != CONTACTS),
        batches_with_contacts=ceil(groups[CONTACTS] / BATCH_ADD_WITH_CONTACTS),
        locations=sum(map(len, predicted.values())),
        checked_count=len(predicted),
        findings=findings,
    )


def _describe_findings(findings: Sequence[Finding]) -> str:
    titles = [each.title for each in findings]
    more = len(titles) - MAX_LISTED
    return "; ".join([*titles[:MAX_LISTED], *([f"{more:,} more"] if more > 0 else [])])


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


def _find_effect(payload: Mapping[str, Any], locators: Collection[str]) -> TripEffect:
    if is_canceled(payload):
        return "canceled"
    return "sent before" if normalize_locator(payload["pnr"]) in locators else "new"


def _new_contacts(item: Outgoing, known_employee_ids: Collection[str]) -> Iterable[object]:
    """Yield an identifier for each traveler of a trip who may not have a contact yet."""
    if item.batch_group != CONTACTS:
        return
    for person in item.payload["passengers"]:
        if "contactId" not in person and person.get("employeeId") not in known_employee_ids:
            name = (person.get("firstName"), person.get("lastName"), *person.get("emailAddresses", ()))
            yield person.get("employeeId") or name
