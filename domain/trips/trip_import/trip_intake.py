"""Trips taken in from files: what holds of their rows, and the declaration of what is looked for and sent of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from client.vocabulary.itineraries import CANCELED
from domain.file_import.column_types import Mask
from domain.file_import.import_declaration import Intake
from domain.file_import.row_problems import Problem, Question, Rows
from domain.file_import.traveller_cells import MAY_BE_TWO, may_name_several
from domain.trips.known_trip import IMPORT
from domain.trips.resolved_segments import transport_number
from domain.trips.trip_import.file_segments import FileEnd, FileSegment, numbered, read_segments
from domain.trips.trip_import.segment_problems import segment_problems
from domain.trips.trip_import.trip_columns import (
    COLUMNS,
    SEGMENT,
    SHORTENED,
    TRAVELLER,
    is_local,
    is_phone,
    is_shortened,
    phones_in,
)
from domain.trips.trip_import.trip_json import trips_in
from domain.trips.trip_import.trip_rows import Objects, Part, items, parts_of
from domain.trips.trip_import.trip_sending import trips_sent

NO_PHONE: Final = "This is not a phone number."
OF_NO_COUNTRY: Final = "This number has no country code. Muster sends it as written."
OF_NO_CONTACT: Final = "This employee ID has no name. The service creates contacts only for travelers with a name."
OF_A_TOWN: Final = "The number is too short to be called from abroad. Muster sends it as written."

_ONE_SEGMENT: Final = " Where only this segment is canceled, drop the row."

Codes = npt.NDArray[np.int64]

_SAYS_ONE_THING: Final = {
    "externalItineraryId": True,
    "itineraryStatus": True,
    "itinerarySource": False,
    "arrangerName": False,
    "arrangerEmployeeId": False,
}


def trip_rules(rows: Rows, *, known: Collection[str] = frozenset()) -> Iterator[Problem]:
    """Everything that is wrong beyond single cells; `known` are the employee ids that surely have a contact."""
    trips = _codes(rows.comparison_keys("pnr"))
    status = Part(rows).objects("itineraryStatus")
    is_canceled = _anywhere(trips, status == CANCELED)
    has_segment, has_traveller = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=bool)
    found = read_segments(rows)
    is_usable = np.zeros(len(rows), dtype=bool)
    for row, some in enumerate(found):
        has_segment[row] = bool(some)
        is_usable[row] = any(each.resolved.duration is not None for each in some)
    yield from segment_problems(rows, found, is_live=~is_canceled, is_refused=~_anywhere(trips, is_usable))
    live = ~is_canceled
    named = {*_named_ids(rows), *known}
    for part in parts_of(rows, "employeeId"):
        has_traveller |= part.has("employeeId", "travellerName", "firstName", "lastName", "contactId")
        yield from _traveller_problems(part, live, named)
    is_left_out = np.zeros(len(rows), dtype=bool)
    for part in parts_of(rows, "type"):
        is_off, column = part.objects("isCanceled") == True, part.named("isCanceled")  # noqa: E712 (an array)
        yield Problem(live & is_off, column, "Canceled. Muster doesn't send this segment.", is_error=False)
        words = "Diverted. The segment ends at this place. Check the arrival time."
        yield Problem(live & ~is_off & part.has("divertedTo"), part.named("divertedTo"), words, is_error=False)
        is_left_out |= is_off
    has_segment, live = _anywhere(trips, has_segment), live & (trips >= 0)
    words = (
        "All segments of this trip are canceled. Skip its rows, or write “canceled” as the status to cancel the trip."
    )
    yield Problem(live & ~has_segment & is_left_out, "isCanceled", words)
    words = "The trip has no segment: one that is not canceled needs one."
    yield Problem(live & ~has_segment & ~_anywhere(trips, is_left_out), "type", words)
    words = "The trip has no traveler. The service refuses it."
    yield Problem(live & ~_anywhere(trips, has_traveller), "travellerName", words)
    for column, is_error in _SAYS_ONE_THING.items():
        other = _differs(trips, _codes(rows.texts[column] if column != "itineraryStatus" else rows.values[column]))
        words = "Another row of this record locator says something else."
        more = _ONE_SEGMENT if column == "itineraryStatus" else "" if is_error else " What the first says is taken."
        yield Problem(other >= 0, column, f"{words}{more}", is_error, compared_rows=rows.numbers[other])
    if not rows.reading.carries:
        words = "Another row of this record locator is canceled: say whether this one is, too."
        untold = is_canceled & (rows.texts["itineraryStatus"] == "").to_numpy(bool)
        canceled = rows.numbers[_first(trips, status == CANCELED)]
        yield Problem(untold, "itineraryStatus", words, compared_rows=canceled)
    people = _people(parts_of(rows, "employeeId"))
    yield from _two_people(rows, trips, *people)
    segments = _Segments(found)
    if segments.every:
        yield from _two_bookings(rows, np.where(is_canceled, -1, trips), segments, *people)
        yield from _two_times(rows, trips, segments)


def _named_ids(rows: Rows) -> Iterator[str]:
    """The employee ids that any row gives a name: a contact can be created for each of them."""
    for part in parts_of(rows, "employeeId"):
        yield from pd.unique(part.objects("employeeId")[part.has("travellerName", "firstName", "lastName")])


def _traveller_problems(part: Part, live: Mask, named: Collection[str]) -> Iterator[Problem]:
    names = [column.name for column in TRAVELLER.columns]
    nameless = part.has(*names) & ~part.has("employeeId", "contactId", "travellerName", "firstName", "lastName")
    words = "The service needs an employee ID or a name. It cannot match this traveler."
    yield Problem(live & nameless, part.named("email"), words)
    if not part.rows.reading.are_contacts:
        codes, ids = pd.factorize(part.objects("employeeId"))
        is_unnamed = np.array([*(each not in named for each in ids), False], dtype=bool)[codes]
        is_unnamed &= live & ~part.has("contactId", "travellerName", "firstName", "lastName")
        yield Problem(is_unnamed, part.named("employeeId"), OF_NO_CONTACT, question="contacts")
    cells, called = pd.factorize(part.rows.texts[part.named("travellerName")])
    may_be_two = np.array(["," in cell and may_name_several(cell) for cell in called], dtype=bool)
    # One cell that can only be "Last, First" says how all of them are written.
    if may_be_two.any() and not any("," in cell for cell in called[~may_be_two]):
        words = f"This is taken for one person. {MAY_BE_TWO}"
        yield Problem(may_be_two[cells], part.named("travellerName"), words, is_error=False)
    has_phone = part.has("phone")
    if has_phone.any():
        countries, phones = part.objects("phoneCountry"), part.rows.texts[part.named("phone")]
        country_codes, phone_codes = _codes(pd.Series(countries)), _codes(phones)
        pairs = _combined(country_codes, phone_codes)
        _, first, place = np.unique(pairs, return_index=True, return_inverse=True)
        asked = zip(phones.iloc[first].tolist(), countries[first].tolist(), strict=True)
        usual = part.rows.reading.country
        said = np.array([_phone_problem(text, country or usual) for text, country in asked], dtype=object)[place]
        for words in dict.fromkeys(filter(None, said)):
            asks: Question = "country" if words == OF_NO_COUNTRY else ""
            yield Problem(said == words, part.named("phone"), words, words in (NO_PHONE, SHORTENED), question=asks)
    if part.has("travellerName").any() and part.has("employeeId", "email", "phone").any():
        several = np.array([len(each or ()) > 1 for each in part.objects("travellerName")], dtype=bool)
        words = "The cell names several people. The one employee ID, email, or phone applies to the first."
        told = several & part.has("employeeId", "email", "phone", "contactId")
        yield Problem(told, part.named("travellerName"), words, is_error=False)


def _phone_problem(text: str, country: str) -> str:
    if any(map(is_shortened, phones_in(text))):
        return SHORTENED
    wrong = [number for number in phones_in(text) if not is_phone(number, country)]
    if not wrong:
        return ""
    if not all(map(is_local, wrong)):
        return NO_PHONE
    return OF_A_TOWN if country else OF_NO_COUNTRY


def _people(parts: Sequence[Part]) -> tuple[Codes, Codes]:
    """A number for each employee id and for each name, part after part; -1 where there is none."""
    ids = np.concatenate([part.objects("employeeId") for part in parts])
    names = np.concatenate([_called(part) for part in parts])
    return _codes(pd.Series(ids)), _codes(pd.Series(names))


def _two_people(rows: Rows, trips: Codes, id_codes: Codes, name_codes: Codes) -> Iterator[Problem]:
    """One employee id with two names, and one name of a trip with two employee ids."""
    parts = parts_of(rows, "employeeId")
    of_trip = np.tile(trips, len(parts))
    other_name = _differs(np.where(id_codes >= 0, id_codes, -1), name_codes).reshape(len(parts), -1)
    in_trip = np.where((name_codes >= 0) & (of_trip >= 0), _combined(of_trip, name_codes), -1)
    other_id = _differs(in_trip, id_codes).reshape(len(parts), -1)
    for place, part in enumerate(parts):
        column = "travellerName" if part.has("travellerName").any() else "lastName"
        words = "Another row gives this employee ID another name. Check that it's one person."
        first = rows.numbers[other_name[place] % len(rows)]
        yield Problem(other_name[place] >= 0, part.named(column), words, is_error=False, compared_rows=first)
        words = "Another row of this trip gives this name another employee ID. Check that it's one person."
        first = rows.numbers[other_id[place] % len(rows)]
        yield Problem(other_id[place] >= 0, part.named("employeeId"), words, is_error=False, compared_rows=first)


def _called(part: Part) -> Objects:
    if part.has("firstName", "lastName").any():
        both = part.rows.texts[part.named("firstName")] + " " + part.rows.texts[part.named("lastName")]
        return np.asarray(both.str.strip().str.casefold(), dtype=object)
    codes, cells = pd.factorize(part.rows.texts[part.named("travellerName")])
    values = part.objects("travellerName")
    first = np.full(len(cells), -1)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    called = [values[place][0] if values[place] else None for place in first.tolist()]
    return np.array([f"{name.first} {name.last}".casefold() if name else "" for name in called], dtype=object)[codes]


def _two_bookings(
    rows: Rows, trips: Codes, segments_of: _Segments, id_codes: Codes, name_codes: Codes
) -> Iterator[Problem]:
    """Travelers of one record locator of whom each has other segments: two bookings, or one locator misspelled."""
    of_trip = np.tile(trips, len(id_codes) // max(1, len(trips)))
    by_id = np.where(id_codes >= 0, id_codes + name_codes.max(initial=0) + 1, -1)
    person = np.where(name_codes >= 0, name_codes, by_id)
    has_others = np.isin(of_trip, of_trip[_differs(of_trip, person) >= 0])
    if not has_others.any():
        return
    people = pd.DataFrame({"trip": of_trip, "person": person, "row": np.arange(len(person)) % len(rows)})
    people = people[has_others & (person >= 0)]
    segments = pd.DataFrame({"row": segments_of.row, "segment": segments_of.same})
    # Rows of one number are one record, such as a trip in JSON.
    for table in (people, segments):
        table["number"] = rows.numbers[table["row"]]
    told = people.merge(segments[["number", "segment"]], on="number")
    told = told[told["segment"] >= 0].drop_duplicates(["trip", "person", "segment"])
    told["shared"] = told.duplicated(["trip", "segment"], keep=False)
    by_person = told.groupby(["trip", "person"], sort=False).agg(row=("row", "min"), shared=("shared", "any"))
    by_person = by_person[by_person.groupby("trip")["row"].transform("size") > 1].reset_index()
    apart = by_person[~by_person["shared"]]
    if apart.empty:
        return
    first, last = (by_person.groupby("trip")["row"].agg(which) for which in ("min", "max"))
    mask, against = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=np.int64)
    rows_of = people.merge(apart[["trip", "person"]].assign(own=apart["row"]), on=["trip", "person"])
    other = np.where(
        rows_of["own"] == rows_of["trip"].map(first), rows_of["trip"].map(last), rows_of["trip"].map(first)
    )
    mask[rows_of["row"]], against[rows_of["row"]] = True, rows.numbers[other]
    words = "This traveler shares no segment with the others of this record locator. Check that it's one booking."
    yield Problem(mask, "pnr", words, is_error=False, compared_rows=against)


def _two_times(rows: Rows, trips: Codes, segments: _Segments) -> Iterator[Problem]:
    """One flight, train, stay or car of a trip that two rows tell differently."""
    row, every = segments.row, segments.every
    same = np.where((trips[row] >= 0) & (segments.same >= 0), _combined(trips[row], segments.same), -1)
    words = "Another row of this trip tells the same segment with something else here."
    for columns, cells in (
        (("fromClock", "fromDate", "checkIn"), [each.resolved.start.local for each in every]),
        (("toClock", "toDate", "checkOut"), [each.resolved.end.local for each in every]),
        (("toPlace", "toIataCode", "route", "toCity"), [_place_text(each.end) for each in every]),
    ):
        other = _differs(same, _codes(pd.Series(cells, dtype=object)))
        for number in {every[place].number for place in np.flatnonzero(other >= 0).tolist()}:
            named = [numbered(column, number) for column in columns]
            column = next((name for name in named if (rows.texts[name] != "").any()), named[0])
            mask, against = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=np.int64)
            here = (other >= 0) & (segments.number == number)
            mask[row[here]], against[row[here]] = True, rows.numbers[row[other[here]]]
            yield Problem(mask, column, words, compared_rows=against)


class _Segments:
    """The segments of all rows, one after the other: the row and the number of each, and which of them are the same."""

    def __init__(self, found: Sequence[Sequence[FileSegment]]) -> None:
        self.every = [segment for segments in found for segment in segments]
        self.row = np.repeat(np.arange(len(found)), [len(segments) for segments in found])
        self.number = np.array([segment.number for segment in self.every], dtype=np.int64)
        self.same = self._same()
        """A number for each flight, train, stay or car, whatever trip a row is of; -1 where nothing identifies it."""

    def _same(self) -> Codes:
        number, name, day, kind = (
            _codes(pd.Series([read(segment) for segment in self.every], dtype=object))
            for read in (_number_text, lambda each: _place_text(each.start), _start_day, lambda each: each.kind)
        )
        same = _combined(kind, number, day, name)
        return np.where(((number >= 0) | (name >= 0)) & (day >= 0), same, -1)


def _number_text(segment: FileSegment) -> str | None:
    """Return the number of a flight or train, written one way; of a stay beside another segment, its name."""
    if segment.is_beside:
        return segment.start.address.get("LocationName")
    number = segment.payload.get("airRailNumber")
    return number and transport_number(segment.kind or "", segment.payload.get("supplierCode", ""), number)


def _start_day(segment: FileSegment) -> date | None:
    local = segment.resolved.start.local
    return None if local is None else local.date()


def _place_text(end: FileEnd) -> str | None:
    return end.code or end.address.get("City") or end.address.get("LocationName")


def _codes(cells: pd.Series[Any]) -> Codes:
    """A number for each thing that cells say; -1 where that is nothing."""
    codes, things = pd.factorize(cells)
    nothing = [place for place, thing in enumerate(things) if thing is None or thing == ""]
    return np.where(np.isin(codes, nothing), -1, codes) if nothing else codes.astype(np.int64)


def _combined(*codes: Codes) -> Codes:
    whole = np.zeros(len(codes[0]), dtype=np.int64)
    for each in codes:
        whole, _ = pd.factorize(whole * (int(each.max(initial=0)) + 2) + each + 1)
    return np.asarray(whole, dtype=np.int64)


def _first(groups: Codes, mask: Mask) -> Codes:
    """For each row, the place of the first of its group in which it is so; -1 where there is none."""
    first = np.full(int(groups.max(initial=0)) + 2, -1)
    places = np.flatnonzero(mask & (groups >= 0))[::-1]
    first[groups[places]] = places
    return np.asarray(first[groups], dtype=np.int64)


def _differs(groups: Codes, codes: Codes) -> Codes:
    """For each row that says another thing than the first of its group that says anything, the place of that one."""
    told = (groups >= 0) & (codes >= 0)
    first = _first(groups, told)
    return np.where(told & (codes != codes[first]), first, -1)


def _anywhere(groups: Codes, mask: Mask) -> Mask:
    """The rows of groups in which it is so anywhere; of a row without a group, whether it is so there."""
    return np.asarray(np.where(groups >= 0, _first(groups, mask) >= 0, mask), dtype=bool)


TRIPS: Final = Intake(
    kind=IMPORT,
    noun=("trip", "trips"),
    columns=COLUMNS,
    groups=(TRAVELLER, SEGMENT),
    group_by="pnr",
    one_of=("travellerName", "employeeId", "firstName", "lastName", "email", "contactId"),
    rules=(trip_rules,),
    custom_reader=trips_in,
    sending=trips_sent(items),
    help="A row a segment, or a row a trip: record locator, who travels, from where to where, and when.",
    placeholder="Record locator;Traveller;Flight;From;To;Departs;Arrives\n"
    "WSVM7K;SILVA/ANA MRS;EY301;AUH;KWI;20 Mar 2026 08:25;20 Mar 2026 09:15",
)


def trips_with(known: Collection[str]) -> Intake:
    """The same where these employee ids are known to have a contact: trips of theirs alone need none to be created."""
    return _trips_with(frozenset(known))


@lru_cache(maxsize=16)
def _trips_with(known: frozenset[str]) -> Intake:
    rules = (partial(trip_rules, known=known),)
    return replace(TRIPS, rules=rules, sending=trips_sent(partial(items, known=known)))
