"""Build the trips of a file's rows: the segments and travelers of each record locator, as the service expects them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat, zip_longest
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from client.vocabulary.itineraries import CANCELED
from domain.file_import.column_types import Mask
from domain.file_import.row_problems import Rows
from domain.file_import.row_sending import Outgoing
from domain.file_import.traveler_cells import Name, split_ids
from domain.trips.resolved_segments import transport_number
from domain.trips.trip_import.file_segments import default_kind, numbered_column, part_count, read_segments
from domain.trips.trip_import.trip_columns import TRAVELER, international, is_local, phones_in
from domain.trips.trip_import.trip_sending import CONTACTS, PLAIN, REMOVED

Objects = npt.NDArray[np.object_]
_OF_TRIP: Final = ("externalItineraryId", "itineraryStatus", "itinerarySource", "createdDate", "lastModifiedDate")


@dataclass(frozen=True)
class Part:
    """The columns of a group with one number, over all rows."""

    rows: Rows
    number: int = 1

    def column(self, column: str) -> str:
        """Return the name of a column in this part."""
        return numbered_column(column, self.number)

    def has(self, *columns: str) -> Mask:
        """Return which rows have text in any of these columns."""
        filled = np.zeros(len(self.rows), dtype=bool)
        for column in columns:
            filled |= (self.rows.texts[self.column(column)] != "").to_numpy(dtype=bool)
        return filled

    def employee_ids(self) -> list[list[str]]:
        """Return the employee IDs of each row."""

        def compute() -> list[list[str]]:
            cells = zip(self.objects("employeeId"), self.objects("travelerName"), strict=True)
            return [split_ids(text, len(some or ())) if text else [] for text, some in cells]

        columns = [self.column("employeeId"), self.column("travelerName")]
        return self.rows.once(" ".join(("ids", *columns)), columns, compute)

    def objects(self, column: str) -> Objects:
        """Return the values of a column, None for empty cells."""
        values = self.rows.values[self.column(column)]
        if not values.notna().any():
            return np.full(len(values), None, dtype=object)
        return np.asarray(values.astype(object).where(values.notna(), None), dtype=object)


def parts_of(rows: Rows, column: str) -> list[Part]:
    """Return the parts of a group in the rows. `column` is one of the group's columns."""
    return [Part(rows, number) for number in range(1, part_count(rows, column) + 1)]


def find_default_kinds(rows: Rows) -> set[str]:
    """Return the segment types that were assumed because no column gives them."""
    open_kinds = {number: default_kind(rows, number) for number in range(1, part_count(rows, "type") + 1)}
    return {
        segment.kind
        for segments in read_segments(rows)
        for segment in segments
        if open_kinds[segment.number] is not None and segment.kind not in ("Hotel", None)
    } - {None}


def build_trips(rows: Rows, *, known_employee_ids: Collection[str] = ()) -> Iterator[Outgoing]:
    """Yield a trip per record locator in the order of the file, with the spelling of its first row.

    `known_employee_ids` have a contact at the service. A trip of only these people is in the batch group "plain",
    another one in "contacts", and a canceled one in "removed".
    """
    trip_numbers, locators = pd.factorize(rows.comparison_keys("pnr"))
    by_row = read_segments(rows)
    people: list[list[dict[str, Any]]] = [[] for _ in range(len(rows))]
    for each in parts_of(rows, "employeeId"):
        for row, person in _people(each):
            people[row].append(person)
    columns = [*_OF_TRIP, "arrangerName", "arrangerEmployeeId", "arrangerEmail"]
    trip_cells = {name: Part(rows).objects(name) for name in columns}
    places: list[list[int]] = [[] for _ in locators]
    for row, name in enumerate(trip_numbers.tolist()):
        places[name].append(row)
    for of_trip in places:
        locator = str(rows.texts["pnr"].iloc[of_trip[0]])
        trip_values = {
            name: next((cells[row] for row in of_trip if cells[row] is not None), None)
            for name, cells in trip_cells.items()
        }
        segments: dict[str, dict[str, Any]] = {}
        for row in of_trip:
            for segment in by_row[row]:
                segment_payload = segment.build_payload()
                segments.setdefault(_identity(segment_payload), segment_payload)
        travelers = merge_people(person for row in of_trip for person in people[row])
        payload = {
            "pnr": locator,
            **_trip_payload(trip_values),
            "segments": list(segments.values()),
            "passengers": travelers,
        }
        needs_none = all("contactId" in each or each.get("employeeId") in known_employee_ids for each in travelers)
        is_removed = payload.get("itineraryStatus") == CANCELED
        group = REMOVED if is_removed else PLAIN if needs_none else CONTACTS
        yield Outgoing(of_trip, payload, locator, group)


def _identity(segment: Mapping[str, Any]) -> str:
    """Return an identifier of a segment that does not depend on the spelling of its number."""
    number = transport_number(
        segment.get("type", ""), segment.get("supplierCode", ""), segment.get("airRailNumber", "")
    )
    return repr(sorted({**segment, "airRailNumber": number}.items()))


def _trip_payload(values: dict[str, Any]) -> dict[str, Any]:
    payload = {name: values[name] for name in _OF_TRIP if values[name] is not None}
    for name in ("createdDate", "lastModifiedDate"):
        if name in payload:
            payload[name] = f"{np.datetime64(payload[name], 'ms').astype('datetime64[s]')}Z"
    arranger_name = next(iter(values["arrangerName"] or []), Name("", ""))
    arranger = _person(arranger_name, values["arrangerEmployeeId"], values["arrangerEmail"])
    return {**payload, "travelArranger": arranger} if arranger else payload


def _person(name: Name, employee_id: str | None, emails: Sequence[str] | None) -> dict[str, Any]:
    fields = {"employeeId": employee_id, "firstName": name.first, "lastName": name.last, "emailAddresses": emails}
    return {field: value for field, value in fields.items() if value}


def _people(part: Part) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the travelers with their row."""
    cells = {column.name: part.objects(column.name) for column in TRAVELER.columns}
    ids_by_row = part.employee_ids()
    for row in np.flatnonzero(part.has(*cells)).tolist():
        values = {name: column[row] for name, column in cells.items() if column[row] is not None}
        ids = ids_by_row[row]
        first, *others = values.get("travelerName") or [Name("", "")] * max(1, len(ids))
        name = Name(values.get("firstName") or first.first, values.get("lastName") or first.last)
        first_id, other_ids = next(iter(ids), None), ids[1:]
        first_emails, *other_emails = _one_each(values.get("email") or [], 1 + len(others))
        first_phones, *other_phones = _one_each(phones_in(values.get("phone", "")), 1 + len(others))
        person = _person(name, first_id, first_emails)
        if "middleName" in values:
            person["middleName"] = values["middleName"]
        if "contactId" in values:
            person["contactId"] = int(values["contactId"])
        country = values.get("phoneCountry") or part.rows.options.country
        yield row, _with_phones(person, first_phones, country)
        details = chain(zip_longest(other_ids, other_emails, other_phones), repeat((None, None, None)))
        for other, (employee_id, emails, phones) in zip(others, details, strict=False):
            yield row, _with_phones(_person(other, employee_id, emails), phones or (), country)


def _one_each(details: Sequence[str], people: int) -> list[Sequence[str]]:
    """Return the details of each person: one each if they are as many as the people, else all for the first."""
    return [[each] for each in details] if len(details) == people else [details]


def _with_phones(person: dict[str, Any], numbers: Sequence[str], country: str) -> dict[str, Any]:
    phones = [phone for number in numbers if (phone := _phone(number, country))]
    return {**person, "phoneNumbers": phones} if phones else person


def _phone(number: str, country: str) -> dict[str, str]:
    found = international(number, country)
    if found is None and is_local(number):
        # ASSUMPTION A465
        found = number, country
    return {"phoneNumber": found[0], **({"countryName": found[1]} if found[1] else {})} if found else {}


def merge_people(people: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each person once, identified by contact, employee ID, name, or email, with the details of all rows."""
    found: list[dict[str, Any]] = []
    by_mark: dict[tuple[str, Any], dict[str, Any]] = {}
    for person in people:
        marks = list(_identifiers(person))
        same = next(
            (by_mark[mark] for mark in marks if mark in by_mark and not _are_different(by_mark[mark], person)), None
        )
        if same is None:
            same = {}
            found.append(same)
        for field, value in person.items():
            if isinstance(value, list):
                same[field] = [*same.get(field, []), *(each for each in value if each not in same.get(field, []))]
            else:
                same.setdefault(field, value)
        by_mark.update(dict.fromkeys((*marks, *_identifiers(same)), same))
    return found


def _identifiers(person: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for field in ("contactId", "employeeId"):
        if field in person:
            yield field, person[field]
    name = f"{person.get('firstName', '')} {person.get('lastName', '')}".strip().casefold()
    if name:
        yield "name", name
    else:
        yield from (("email", address.casefold()) for address in person.get("emailAddresses", ()))


def _are_different(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return any(field in one and field in other and one[field] != other[field] for field in ("contactId", "employeeId"))
