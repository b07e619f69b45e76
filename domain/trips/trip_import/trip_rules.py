"""The rules for rows of trips, beyond single cells."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, date, datetime
from functools import partial
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from client.vocabulary.itineraries import CANCELED
from domain.file_import.column_types import Mask
from domain.file_import.row_problems import Offer, Problem, Question, Rows
from domain.file_import.traveler_cells import (
    SEPARATE_PEOPLE,
    count_leading_last_names,
    may_name_several,
    may_split_elsewhere,
)
from domain.geography.folding import fold
from domain.trips.trip_import.date_warnings import date_warnings, time_column
from domain.trips.trip_import.file_segments import FileSegment, numbered_column, place_text, read_segments
from domain.trips.trip_import.segment_problems import segment_problems
from domain.trips.trip_import.trip_columns import (
    TRAVELER,
    is_local,
    is_phone,
    phones_in,
)
from domain.trips.trip_import.trip_rows import Objects, Part, parts_of
from domain.trips.trip_import.trip_words import CANCELLATION

NO_PHONE: Final = "The phone number isn’t valid."
OF_NO_COUNTRY: Final = "The phone number has no country code. Muster sends it as written."
OF_NO_CONTACT: Final = (
    "The traveler has an employee ID but no name. The service creates contacts only for travelers with a name."
)
OF_A_TOWN: Final = "The phone number is too short for an international number. Muster sends it as written."

OTHER_NUMBER_OF_IDS: Final = (
    "The cell has several employee IDs, but not one for each traveler. Enter one ID per traveler, in their order."
)
TOO_EARLY: Final = "The departure is before the arrival of the previous flight or train in this row. Check the dates."
IS_CANCELED: Final = "Muster sends this trip as canceled. Skip the row if the trip was never sent."
SUBJECT_CANCELED: Final = (
    "The subject says that the booking was canceled. Skip the row, enter “canceled” as the status, or clear this cell."
)
ORDER_OF_HEADING: Final = (
    "The heading puts the last name first. Muster reads “{}” as the last name. If that’s wrong, put a slash between "
    "the last and first names."
)
_ORDER_OF_HEADING: Final = (
    "row has a name that Muster may have split incorrectly",
    "rows have names that Muster may have split incorrectly",
)
_CANCELED: Final = ("row is canceled", "rows are canceled")
_ONE_SEGMENT: Final = " If only this segment is canceled, skip the row."

Codes = npt.NDArray[np.int64]

_SAME_IN_TRIP: Final = {
    "externalItineraryId": True,
    "itineraryStatus": True,
    "itinerarySource": False,
    "arrangerName": False,
    "arrangerEmployeeId": False,
}


def trip_rules(
    rows: Rows, *, known_employee_ids: Collection[str] = frozenset(), today: date | None = None
) -> Iterator[Problem]:
    """Yield the problems of segments, travelers, and trips. `known_employee_ids` have a contact at the service."""
    trips = _codes(rows.comparison_keys("pnr"))
    status = Part(rows).objects("itineraryStatus")
    is_canceled = _anywhere(trips, status == CANCELED)
    has_traveler, is_usable = np.zeros((2, len(rows)), dtype=bool)
    segments_by_row = read_segments(rows)
    has_segment = np.array([bool(some) for some in segments_by_row], dtype=bool)
    with_times = [
        row for row, some in enumerate(segments_by_row) for each in some if each.resolved.duration is not None
    ]
    is_usable[with_times] = True
    yield from segment_problems(rows, segments_by_row, is_live=~is_canceled, is_refused=~_anywhere(trips, is_usable))
    today = today or datetime.now(UTC).date()
    yield from date_warnings(rows, segments_by_row, is_live=~is_canceled, today=today)
    live = ~is_canceled
    skip = Offer("Skip {} with a canceled trip")
    subjects, texts = pd.factorize(rows.texts["subject"])
    says_canceled = np.array([CANCELLATION.search(fold(text)) is not None for text in texts], dtype=bool)[subjects]
    yield Problem(says_canceled & live, "subject", SUBJECT_CANCELED, offer=Offer("Skip {} of canceled bookings"))
    yield Problem(status == CANCELED, "itineraryStatus", IS_CANCELED, is_error=False, offer=skip, summary=_CANCELED)
    parts = parts_of(rows, "employeeId")
    of_travelers = [part.column(column.name) for part in parts for column in TRAVELER.columns]
    yield from _returns_too_early(rows, segments_by_row, live)
    for part in parts:
        has_traveler |= part.has("employeeId", "travelerName", "firstName", "lastName", "contactId")

    def check_travelers() -> list[Problem]:
        named = {*_ids_with_name(rows), *known_employee_ids}
        return [problem for part in parts for problem in _traveler_problems(part, live, named)]

    of_trips = ["pnr", "itineraryStatus"]
    key = rows.options, known_employee_ids
    yield from rows.once("traveler problems", [*of_trips, *of_travelers], check_travelers, key=key)
    is_left_out = np.zeros(len(rows), dtype=bool)
    for part in parts_of(rows, "type"):
        is_off, column = part.objects("isCanceled") == True, part.column("isCanceled")  # noqa: E712 (an array)
        yield Problem(live & is_off, column, "Canceled. Muster doesn’t send this segment.", is_error=False)
        message = "Diverted. The segment ends at this place. Check the arrival time."
        yield Problem(live & ~is_off & part.has("divertedTo"), part.column("divertedTo"), message, is_error=False)
        is_left_out |= is_off
    has_segment, live = _anywhere(trips, has_segment), live & (trips >= 0)
    message = (
        "All segments of this trip are canceled. Skip its rows, or enter “canceled” as the status to cancel the trip."
    )
    yield Problem(live & ~has_segment & is_left_out, "isCanceled", message)
    message = "The trip has no segment. A trip that isn’t canceled needs one."
    yield Problem(live & ~has_segment & ~_anywhere(trips, is_left_out), "type", message)
    message = "The trip has no traveler. The service rejects a trip without travelers."
    yield Problem(live & ~_anywhere(trips, has_traveler), "travelerName", message)
    for column, is_error in _SAME_IN_TRIP.items():
        other = _differs(trips, _codes(rows.texts[column] if column != "itineraryStatus" else rows.values[column]))
        message = "Another row with this record locator has a different value."
        more = _ONE_SEGMENT if column == "itineraryStatus" else "" if is_error else " Muster uses the first one."
        yield Problem(other >= 0, column, f"{message}{more}", is_error, compared_rows=rows.numbers[other])
    if not rows.options.carries:
        message = "Another row with this record locator is canceled. Enter the status of this row."
        lacks_status = is_canceled & (rows.texts["itineraryStatus"] == "").to_numpy(bool)
        canceled = rows.numbers[_first(trips, status == CANCELED)]
        yield Problem(lacks_status, "itineraryStatus", message, compared_rows=canceled)
    people = rows.once("people", of_travelers, partial(_people, parts))
    yield from _two_people(rows, trips, *people)
    segments = _Segments(segments_by_row)
    if segments.every:
        yield from _two_bookings(rows, np.where(is_canceled, -1, trips), segments, *people)
        yield from _two_times(rows, trips, segments)


def _ids_with_name(rows: Rows) -> Iterator[str]:
    """Yield the employee IDs with a name in any row. The service can create contacts for them."""
    for part in parts_of(rows, "employeeId"):
        has_name = part.has("travelerName", "firstName", "lastName")
        for ids, is_named in zip(part.employee_ids(), has_name.tolist(), strict=True):
            yield from ids if is_named else ()


def _traveler_problems(part: Part, live: Mask, known_employee_ids: set[str]) -> Iterator[Problem]:
    columns = [column.name for column in TRAVELER.columns]
    nameless = part.has(*columns) & ~part.has("employeeId", "contactId", "travelerName", "firstName", "lastName")
    message = "The service needs an employee ID or a name. It cannot match this traveler."
    yield Problem(live & nameless, part.column("email"), message)
    if not part.rows.options.are_contacts:
        is_unnamed = np.array([not known_employee_ids.issuperset(ids) for ids in part.employee_ids()], dtype=bool)
        is_unnamed &= live & ~part.has("contactId", "travelerName", "firstName", "lastName")
        yield Problem(is_unnamed, part.column("employeeId"), OF_NO_CONTACT, question="contacts")
    cells, names = pd.factorize(part.rows.texts[part.column("travelerName")])
    may_be_two = np.array(["," in cell and may_name_several(cell) for cell in names], dtype=bool)
    # One cell that can only be "Last, First" shows the order in all of them.
    if may_be_two.any() and not any("," in cell for cell in names[~may_be_two]):
        message = f"Muster reads this as one person. {SEPARATE_PEOPLE}"
        yield Problem(may_be_two[cells], part.column("travelerName"), message, is_error=False)
    heading = next(iter(part.rows.headings.get(part.column("travelerName"), ())), "")
    last_names = count_leading_last_names(heading)
    is_open = np.array([may_split_elsewhere(cell, last_names) for cell in names], dtype=bool)
    people_by_row = part.objects("travelerName")

    def describe_order(row: int) -> str:
        return ORDER_OF_HEADING.format(", ".join(name.last for name in people_by_row[row]))

    yield Problem(
        is_open[cells] & np.array([bool(people) for people in people_by_row], dtype=bool),
        part.column("travelerName"),
        "",
        is_error=False,
        row_message=describe_order,
        summary=_ORDER_OF_HEADING,
    )
    has_phone = part.has("phone")
    if has_phone.any():
        countries, phones = part.objects("phoneCountry"), part.rows.values[part.column("phone")].fillna("")
        country_codes, phone_codes = _codes(pd.Series(countries)), _codes(phones)
        pairs = _combined(country_codes, phone_codes)
        _, first, place = np.unique(pairs, return_index=True, return_inverse=True)
        phones_with_country = zip(phones.iloc[first].tolist(), countries[first].tolist(), strict=True)
        default_country = part.rows.options.country
        messages = np.array(
            [_phone_problem(text, country or default_country) for text, country in phones_with_country], dtype=object
        )[place]
        for message in dict.fromkeys(filter(None, messages)):
            asks: Question = "country" if message == OF_NO_COUNTRY else ""
            yield Problem(messages == message, part.column("phone"), message, message == NO_PHONE, question=asks)
    people = np.array([len(each or ()) for each in people_by_row], dtype=np.int64)
    people[(people == 0) & part.has("firstName", "lastName")] = 1
    yield from _several_people(part, people)
    id_counts = np.array([len(each) for each in part.employee_ids()], dtype=np.int64)
    yield Problem(
        live & (id_counts > 1) & (people > 0) & (id_counts != people), part.column("employeeId"), OTHER_NUMBER_OF_IDS
    )
    if (people > 1).any():
        email_counts = np.array([len(each or ()) for each in part.objects("email")], dtype=np.int64)
        phone_counts = np.array([len(phones_in(each or "")) for each in part.objects("phone")], dtype=np.int64)
        is_shared = part.has("contactId")
        for details in (id_counts, email_counts, phone_counts):
            is_shared |= (details > 0) & (details != people)
        message = "The cell names several people. The one employee ID, email, or phone applies to the first."
        yield Problem((people > 1) & is_shared, part.column("travelerName"), message, is_error=False)


def _several_people(part: Part, people: Codes) -> Iterator[Problem]:
    """Yield a note about each cell that is read as several travelers."""
    people_by_row = part.objects("travelerName")

    def describe(row: int) -> str:
        full_names = (f"{name.first} {name.last}".strip() for name in people_by_row[row])
        return f"{people[row]:,} travelers in one cell: {', '.join(full_names)}."

    yield Problem(people > 1, part.column("travelerName"), "", is_error=False, is_note=True, row_message=describe)


def _returns_too_early(rows: Rows, segments_by_row: Sequence[Sequence[FileSegment]], live: Mask) -> Iterator[Problem]:
    """Yield journeys that leave before the one in the columns before them arrives."""
    early: dict[str, Mask] = {}
    for row, segments in enumerate(segments_by_row):
        if len(segments) < 2 or not live[row]:
            continue
        journeys = [each for each in segments if each.kind in ("Air", "Rail")]
        for one, other in pairwise(journeys):
            arrives, leaves = one.resolved.end.moment or one.resolved.start.moment, other.resolved.start.moment
            if arrives is not None and leaves is not None and leaves < arrives:
                early.setdefault(time_column(other), np.zeros(len(rows), dtype=bool))[row] = True
    for column, mask in early.items():
        yield Problem(mask, column, TOO_EARLY)


def _phone_problem(text: str, country: str) -> str:
    wrong = [number for number in phones_in(text) if not is_phone(number, country)]
    if not wrong:
        return ""
    if not all(map(is_local, wrong)):
        return NO_PHONE
    return OF_A_TOWN if country else OF_NO_COUNTRY


def _people(parts: Sequence[Part]) -> tuple[Codes, Codes]:
    """Return a number per employee ID and per name, part after part, or -1 for empty cells."""
    ids = np.array([next(iter(ids), None) for part in parts for ids in part.employee_ids()], dtype=object)
    names = np.concatenate([_folded_names(part) for part in parts])
    return _codes(pd.Series(ids)), _codes(pd.Series(names))


def _two_people(rows: Rows, trips: Codes, id_codes: Codes, name_codes: Codes) -> Iterator[Problem]:
    """Yield employee IDs with two names, and names with two employee IDs in one trip."""
    parts = parts_of(rows, "employeeId")
    of_trip = np.tile(trips, len(parts))
    other_name = _differs(np.where(id_codes >= 0, id_codes, -1), name_codes).reshape(len(parts), -1)
    in_trip = np.where((name_codes >= 0) & (of_trip >= 0), _combined(of_trip, name_codes), -1)
    other_id = _differs(in_trip, id_codes).reshape(len(parts), -1)
    for place, part in enumerate(parts):
        column = "travelerName" if part.has("travelerName").any() else "lastName"
        message = "Another row gives this employee ID another name. Check that both rows are for the same person."
        first = rows.numbers[other_name[place] % len(rows)]
        yield Problem(other_name[place] >= 0, part.column(column), message, is_error=False, compared_rows=first)
        message = (
            "Another row of this trip gives this name another employee ID. "
            "Check that both rows are for the same person."
        )
        first = rows.numbers[other_id[place] % len(rows)]
        yield Problem(other_id[place] >= 0, part.column("employeeId"), message, is_error=False, compared_rows=first)


def _folded_names(part: Part) -> Objects:
    if part.has("firstName", "lastName").any():
        both = part.rows.texts[part.column("firstName")] + " " + part.rows.texts[part.column("lastName")]
        return np.asarray(both.str.strip().str.casefold(), dtype=object)
    codes, cells = pd.factorize(part.rows.texts[part.column("travelerName")])
    values = part.objects("travelerName")
    first = np.full(len(cells), -1)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    names = [values[place][0] if values[place] else None for place in first.tolist()]
    return np.array([f"{name.first} {name.last}".casefold() if name else "" for name in names], dtype=object)[codes]


def _two_bookings(
    rows: Rows, trips: Codes, segments_of: _Segments, id_codes: Codes, name_codes: Codes
) -> Iterator[Problem]:
    """Yield travelers of a record locator who share no segment: two bookings, or a misspelled record locator."""
    of_trip = np.tile(trips, len(id_codes) // max(1, len(trips)))
    by_id = np.where(id_codes >= 0, id_codes + name_codes.max(initial=0) + 1, -1)
    person = np.where(name_codes >= 0, name_codes, by_id)
    has_others = np.isin(of_trip, of_trip[_differs(of_trip, person) >= 0])
    if not has_others.any():
        return
    people = pd.DataFrame({"trip": of_trip, "person": person, "row": np.arange(len(person)) % len(rows)})
    people = people[has_others & (person >= 0)]
    segments = pd.DataFrame({"row": segments_of.row, "segment": segments_of.same})
    # Rows with the same number are one record, such as a trip in JSON.
    for table in (people, segments):
        table["number"] = rows.numbers[table["row"]]
    shared_segments = people.merge(segments[["number", "segment"]], on="number")
    shared_segments = shared_segments[shared_segments["segment"] >= 0].drop_duplicates(["trip", "person", "segment"])
    shared_segments["shared"] = shared_segments.duplicated(["trip", "segment"], keep=False)
    by_person = shared_segments.groupby(["trip", "person"], sort=False).agg(
        row=("row", "min"), shared=("shared", "any")
    )
    by_person = by_person[by_person.groupby("trip")["row"].transform("size") > 1].reset_index()
    separate = by_person[~by_person["shared"]]
    if separate.empty:
        return
    first, last = (by_person.groupby("trip")["row"].agg(which) for which in ("min", "max"))
    mask, against = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=np.int64)
    rows_of = people.merge(separate[["trip", "person"]].assign(own=separate["row"]), on=["trip", "person"])
    other = np.where(
        rows_of["own"] == rows_of["trip"].map(first), rows_of["trip"].map(last), rows_of["trip"].map(first)
    )
    mask[rows_of["row"]], against[rows_of["row"]] = True, rows.numbers[other]
    message = (
        "This traveler has no segment in common with others who have this record locator. "
        "Check that all travelers belong to the same trip."
    )
    yield Problem(mask, "pnr", message, is_error=False, compared_rows=against)


def _two_times(rows: Rows, trips: Codes, segments: _Segments) -> Iterator[Problem]:
    """Yield segments of a trip that two rows describe differently."""
    in_trip = trips[segments.row]
    same = np.where((in_trip >= 0) & (segments.same >= 0), _combined(in_trip, segments.same), -1)
    again = np.flatnonzero(np.bincount(same + 1)[same + 1] * (same >= 0) > 1)
    row, same, numbers = segments.row[again], same[again], segments.number[again]
    every = [segments.every[place] for place in again.tolist()]
    message = "Another row of this trip has a different value for the same segment."
    for columns, cells in (
        (("fromClock", "fromDate", "checkIn"), [each.resolved.start.local for each in every]),
        (("toClock", "toDate", "checkOut"), [each.resolved.end.local for each in every]),
        (("toPlace", "toIataCode", "route", "toCity"), [place_text(each.end) for each in every]),
    ):
        other = _differs(same, _codes(pd.Series(cells, dtype=object)))
        for number in {every[place].number for place in np.flatnonzero(other >= 0).tolist()}:
            named = [numbered_column(column, number) for column in columns]
            column = next((name for name in named if (rows.texts[name] != "").any()), named[0])
            mask, against = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=np.int64)
            here = (other >= 0) & (numbers == number)
            mask[row[here]], against[row[here]] = True, rows.numbers[row[other[here]]]
            yield Problem(mask, column, message, compared_rows=against)


class _Segments:
    """The segments of all rows in one list, with their row and number, and which of them are the same."""

    def __init__(self, segments_by_row: Sequence[Sequence[FileSegment]]) -> None:
        self.every = [segment for segments in segments_by_row for segment in segments]
        self.row = np.repeat(np.arange(len(segments_by_row)), [len(segments) for segments in segments_by_row])
        self.number = np.array([segment.number for segment in self.every], dtype=np.int64)
        self.same = _codes(pd.Series([segment.identity for segment in self.every], dtype=object))
        """A number per flight, train, stay, or car across all trips, or -1 if nothing identifies it."""


def _codes(cells: pd.Series[Any]) -> Codes:
    """Return a number per distinct cell, or -1 for empty cells."""
    codes, things = pd.factorize(cells)
    nothing = [place for place, thing in enumerate(things) if thing is None or thing == ""]
    return np.where(np.isin(codes, nothing), -1, codes) if nothing else codes.astype(np.int64)


def _combined(*codes: Codes) -> Codes:
    whole = np.zeros(len(codes[0]), dtype=np.int64)
    for each in codes:
        whole, _ = pd.factorize(whole * (int(each.max(initial=0)) + 2) + each + 1)
    return np.asarray(whole, dtype=np.int64)


def _first(groups: Codes, mask: Mask) -> Codes:
    """Return, for each row, the position of the first row of its group in the mask, or -1."""
    first = np.full(int(groups.max(initial=0)) + 2, -1)
    places = np.flatnonzero(mask & (groups >= 0))[::-1]
    first[groups[places]] = places
    return np.asarray(first[groups], dtype=np.int64)


def _differs(groups: Codes, codes: Codes) -> Codes:
    """Return, for each row, the position of the first filled row of its group if that row differs, or -1."""
    is_filled = (groups >= 0) & (codes >= 0)
    first = _first(groups, is_filled)
    return np.where(is_filled & (codes != codes[first]), first, -1)


def _anywhere(groups: Codes, mask: Mask) -> Mask:
    """Return the rows of groups with a row in the mask. A row without a group counts alone."""
    return np.asarray(np.where(groups >= 0, _first(groups, mask) >= 0, mask), dtype=bool)
