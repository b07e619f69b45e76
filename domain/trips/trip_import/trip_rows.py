"""Trips built from the rows of a file: segments and travelers of each record locator, as they are sent."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from client.vocabulary.itineraries import CANCELED
from domain.file_import.column_types import Mask
from domain.file_import.row_problems import Rows
from domain.file_import.row_sending import Outgoing
from domain.file_import.traveller_cells import Name
from domain.trips.resolved_segments import transport_number
from domain.trips.trip_import.file_segments import numbered, part_count, read_segments, supposed_kind
from domain.trips.trip_import.trip_columns import TRAVELLER, international, is_local, phones_in
from domain.trips.trip_import.trip_sending import CONTACTS, PLAIN, REMOVED

Objects = npt.NDArray[np.object_]
_OF_TRIP: Final = ("externalItineraryId", "itineraryStatus", "itinerarySource", "createdDate", "lastModifiedDate")


@dataclass(frozen=True)
class Part:
    """The columns of a group with one number, over all rows. Cells are objects, None where nothing is."""

    rows: Rows
    number: int = 1

    def named(self, column: str) -> str:
        """Return the name of a column in this part."""
        return numbered(column, self.number)

    def has(self, *columns: str) -> Mask:
        """Return the rows in which any of these is filled."""
        filled = np.zeros(len(self.rows), dtype=bool)
        for column in columns:
            filled |= (self.rows.texts[self.named(column)] != "").to_numpy(dtype=bool)
        return filled

    def objects(self, column: str) -> Objects:
        """Return the values of a column, None where there is none."""
        values = self.rows.values[self.named(column)]
        if not values.notna().any():
            return np.full(len(values), None, dtype=object)
        return np.asarray(values.astype(object).where(values.notna(), None), dtype=object)


def parts_of(rows: Rows, column: str) -> list[Part]:
    """Return the parts of a group that the rows have; `column` is one of its columns."""
    return [Part(rows, number) for number in range(1, part_count(rows, column) + 1)]


def supposed_kinds(rows: Rows) -> set[str]:
    """Return the segment type that the headings suggest, because no column gives it."""
    open_kinds = {number: supposed_kind(rows, number) for number in range(1, part_count(rows, "type") + 1)}
    return {
        segment.kind
        for segments in read_segments(rows)
        for segment in segments
        if open_kinds[segment.number] is not None and segment.kind not in ("Hotel", None)
    } - {None}


def items(rows: Rows, *, known: Collection[str] = ()) -> Iterator[Outgoing]:
    """A trip for each record locator, in the file's order, as the interface has it, spelled as in its first row.

    `known` are the employee ids that have a contact at the service, as far as this desk has seen: a trip of theirs
    alone needs no contact, and its lot is "plain"; that of any other is "contacts", of a canceled one "removed".
    """
    names, locators = pd.factorize(rows.comparison_keys("pnr"))
    by_row = read_segments(rows)
    people: list[list[dict[str, Any]]] = [[] for _ in range(len(rows))]
    for each in parts_of(rows, "employeeId"):
        for row, person in _people(each):
            people[row].append(person)
    columns = [*_OF_TRIP, "arrangerName", "arrangerEmployeeId", "arrangerEmail"]
    trip_cells = {name: Part(rows).objects(name) for name in columns}
    places: list[list[int]] = [[] for _ in locators]
    for row, name in enumerate(names.tolist()):
        places[name].append(row)
    for of_trip in places:
        locator = str(rows.texts["pnr"].iloc[of_trip[0]])
        told = {
            name: next((cells[row] for row in of_trip if cells[row] is not None), None)
            for name, cells in trip_cells.items()
        }
        segments: dict[str, dict[str, Any]] = {}
        for row in of_trip:
            for segment in by_row[row]:
                segments.setdefault(_identity(segment.payload), dict(segment.payload))
        travellers = merged(person for row in of_trip for person in people[row])
        payload = {
            "pnr": locator,
            **_trip_wire(told),
            "segments": list(segments.values()),
            "passengers": travellers,
        }
        needs_none = all("contactId" in each or each.get("employeeId") in known for each in travellers)
        is_removed = payload.get("itineraryStatus") == CANCELED
        lot = REMOVED if is_removed else PLAIN if needs_none else CONTACTS
        yield Outgoing(of_trip, payload, locator, lot)


def _identity(segment: Mapping[str, Any]) -> str:
    """Return what two rows for one segment have in common, however its number is written."""
    number = transport_number(
        segment.get("type", ""), segment.get("supplierCode", ""), segment.get("airRailNumber", "")
    )
    return repr(sorted({**segment, "airRailNumber": number}.items()))


def _trip_wire(told: dict[str, Any]) -> dict[str, Any]:
    wire = {name: told[name] for name in _OF_TRIP if told[name] is not None}
    for name in ("createdDate", "lastModifiedDate"):
        if name in wire:
            wire[name] = f"{np.datetime64(wire[name], 'ms').astype('datetime64[s]')}Z"
    called = next(iter(told["arrangerName"] or []), Name("", ""))
    arranger = _person(called, told["arrangerEmployeeId"], told["arrangerEmail"])
    return {**wire, "travelArranger": arranger} if arranger else wire


def _person(name: Name, employee_id: str | None, emails: Sequence[str] | None) -> dict[str, Any]:
    told = {"employeeId": employee_id, "firstName": name.first, "lastName": name.last, "emailAddresses": emails}
    return {field: value for field, value in told.items() if value}


def _people(part: Part) -> Iterator[tuple[int, dict[str, Any]]]:
    """Who travels in each row."""
    cells = {column.name: part.objects(column.name) for column in TRAVELLER.columns}
    for row in np.flatnonzero(part.has(*cells)).tolist():
        told = {name: values[row] for name, values in cells.items() if values[row] is not None}
        first, *others = told.get("travellerName") or [Name("", "")]
        name = Name(told.get("firstName") or first.first, told.get("lastName") or first.last)
        person = _person(name, told.get("employeeId"), told.get("email"))
        if "middleName" in told:
            person["middleName"] = told["middleName"]
        if "contactId" in told:
            person["contactId"] = int(told["contactId"])
        country = told.get("phoneCountry") or part.rows.reading.country
        phones = [_phone(number, country) for number in phones_in(told.get("phone", ""))]
        if any(phones):
            person["phoneNumbers"] = list(filter(None, phones))
        yield row, person
        for other in others:
            yield row, _person(other, None, None)


def _phone(number: str, country: str) -> dict[str, str]:
    found = international(number, country)
    if found is None and is_local(number):
        # ASSUMPTION A465
        found = number, country
    return {"phoneNumber": found[0], **({"countryName": found[1]} if found[1] else {})} if found else {}


def merged(people: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    """Everybody once, by contact, employee id, name or e-mail address, with all that any row tells of them."""
    found: list[dict[str, Any]] = []
    by_mark: dict[tuple[str, Any], dict[str, Any]] = {}
    for person in people:
        marks = list(_marks(person))
        same = next((by_mark[mark] for mark in marks if mark in by_mark and not _differ(by_mark[mark], person)), None)
        if same is None:
            same = {}
            found.append(same)
        for field, value in person.items():
            if isinstance(value, list):
                same[field] = [*same.get(field, []), *(each for each in value if each not in same.get(field, []))]
            else:
                same.setdefault(field, value)
        by_mark.update(dict.fromkeys((*marks, *_marks(same)), same))
    return found


def _marks(person: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for field in ("contactId", "employeeId"):
        if field in person:
            yield field, person[field]
    name = f"{person.get('firstName', '')} {person.get('lastName', '')}".strip().casefold()
    if name:
        yield "name", name
    else:
        yield from (("email", address.casefold()) for address in person.get("emailAddresses", ()))


def _differ(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return any(field in one and field in other and one[field] != other[field] for field in ("contactId", "employeeId"))
