"""Build and resolve the segments of a file's rows with the functions that the editor uses.

A row has one segment, or several if the columns are numbered. Hotel columns in a row with a flight are an extra
segment. This module adds only what files need: a day and a time in two columns, arrivals without a day, placeholder
times, and offsets from UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from client.models.itineraries import Segment
from client.models.itinerary_rules import segment_problems
from domain.file_import.cell_times import has_time_of_day, read_utc_offsets
from domain.file_import.column_types import FULL_FROM
from domain.file_import.direction_headings import is_of_return
from domain.file_import.row_problems import PROGRESS, Rows
from domain.geography.airports import airport, city_code
from domain.geography.city_text import CityText, city_at_start, read_city
from domain.geography.folding import fold
from domain.geography.place_text import PlaceText, read_place
from domain.geography.time_zones import local_at, zone_named
from domain.trips.resolved_segments import ResolvedSegment, resolve_segment, times_to_send, transport_number
from domain.trips.trip_import.arrivals import DAY, Arrival, complete_arrival, time_of
from domain.trips.trip_import.trip_columns import SEGMENT

# ASSUMPTION A400
CHECK_IN, CHECK_OUT = 15 * 3_600_000, 11 * 3_600_000
WIRE_ADDRESS: Final = {
    "LocationName": "locationName",
    "Street": "streetAddress",
    "City": "city",
    "State": "state",
    "PostalCode": "postalCode",
    "Country": "country",
    "Latitude": "latitude",
    "Longitude": "longitude",
}
_TRANSPORT_NUMBER: Final = re.compile(r"(?=[0-9]?[A-Z])[A-Z0-9]{2,3} ?[0-9]{1,5}")
_AIRLINE_CODE: Final = re.compile(r"[A-Z][A-Z0-9]|[0-9][A-Z]")
_MAX_AIRLINE_CODE: Final = 3
_NAMES_COUNTRY: Final = re.compile(r"[,;(]")
_STAY_TIMES: Final = frozenset({"checkIn", "checkInClock", "checkOut", "checkOutClock"})
_TIMES_OF_ENDS: Final = {
    "checkIn": "fromDate",
    "checkInClock": "fromClock",
    "checkOut": "toDate",
    "checkOutClock": "toClock",
}
_DATES_OF_ENDS: Final = frozenset(_TIMES_OF_ENDS.values())
_STAY: Final = frozenset(f"hotel{name.removeprefix('Location')}" for name in WIRE_ADDRESS) | _STAY_TIMES
_TIMES: Final = frozenset(
    f"{side}{what}" for side in ("from", "to") for what in ("Date", "Clock", "DateTime", "TimeZone")
)
_OTHERS: Final = frozenset(column.name for column in SEGMENT.columns) - _STAY - _TIMES - {"type"}
_PLACES: Final = {
    f"{side}{what}": f"{other}{what}"
    for side, other in (("from", "to"), ("to", "from"))
    for what in ("IataCode", "TimeZone", "Place", *WIRE_ADDRESS)
}
"""The columns of the place of one end, with those of the other end."""
_DATES: Final = frozenset({"fromDate", "toDate", "checkIn", "checkOut"})
_CLOCKS: Final = frozenset({"fromClock", "toClock", "checkInClock", "checkOutClock"})
_KIND_WORDS: Final = (
    ("Car", re.compile(r"\A(?=.*pick ?up).*drop ?off")),
    ("Air", re.compile(r"flight|flt|airline|flug|\bvol\b|vuelo")),
    ("Car", re.compile(r"pick ?up|drop ?off|rental|\bcar\b|vehicle")),
    ("Rail", re.compile(r"train|rail|station|bahn|\bzug|\bgare\b|\btren|estacion")),
)
"""Words in headings that give the segment type if no column does. The first match counts."""
_MEMORY: Final = "trip segments"
REPORT_EVERY: Final = 1_000
"""The number of rows after which progress is recorded."""
READING_SHARE: Final = 0.65
"""The share of a check that reading the segments takes."""


class _Columns(NamedTuple):
    """The names of the columns of one side, and the default time of day of a stay."""

    code: str
    zone: str
    place: str
    day: str
    clock: str
    utc: str
    stay_day: str
    stay_clock: str
    default: int
    address: tuple[tuple[str, str], ...]


def _columns_of(side: str, stay_day: str, stay_clock: str, default_time: int) -> _Columns:
    address = tuple((f"{side}{name}", name) for name in WIRE_ADDRESS)
    return _Columns(
        code=f"{side}IataCode",
        zone=f"{side}TimeZone",
        place=f"{side}Place",
        day=f"{side}Date",
        clock=f"{side}Clock",
        utc=f"{side}DateTime",
        stay_day=stay_day,
        stay_clock=stay_clock,
        default=default_time,
        address=address,
    )


_SIDES: Final = {
    "from": _columns_of("from", "checkIn", "checkInClock", CHECK_IN),
    "to": _columns_of("to", "checkOut", "checkOutClock", CHECK_OUT),
}
_HOTEL: Final = tuple((f"hotel{name.removeprefix('Location')}", name) for name in WIRE_ADDRESS)


class FileTime(NamedTuple):
    """A time in a cell: milliseconds since 1970 in local time, or seconds in columns of times of day.

    `offset` is the written offset from UTC in milliseconds.
    """

    value: int
    has_clock: bool
    offset: int | None


class FileEnd(NamedTuple):
    """One end of a segment in the file. Times are in milliseconds; `local` counts from 1970 in local time."""

    code: str | None
    address: Mapping[str, Any]
    """The address by the names in `WIRE_ADDRESS`."""
    zone: str | None
    local: int | None
    utc: int | None
    clock: int | None
    """The time of day of an end without a day; more than a day if the cell has "+1"."""
    offset: int | None
    lacks_clock: bool
    """Whether the time of day is missing although it is needed."""
    has_two_clocks: bool
    """Whether the columns for day and time contradict each other."""


class FileSegment(NamedTuple):
    """A segment of a row: the cells, the payload, and the resolved segment."""

    number: int
    """The number of its columns, from 1."""
    is_extra_stay: bool
    """Whether it is a stay in the hotel columns of a row with another segment."""
    kind: str | None
    start: FileEnd
    end: FileEnd
    arrival: Arrival
    stated: Mapping[str, Any]
    """The payload as the file states it."""
    resolved: ResolvedSegment
    shifted: tuple[str, ...]
    """The sides whose offset from UTC differs from that of the place."""
    refusals: tuple[tuple[str, str], ...]
    """Why the service rejects it: the field of the segment and the message."""
    filled: frozenset[str]
    """The segment columns with text in its row, without their number."""
    identity: tuple[str | None, ...] | None
    """Type, number, place, and day of the start, or None if nothing identifies the flight, train, stay, or car."""

    def build_payload(self) -> dict[str, Any]:
        """Return the payload to send, with the times and time zones that follow from the file."""
        whole = {**self.stated, **times_to_send(self.resolved)}
        return {name: value for name, value in whole.items() if value is not None}


def read_segments(rows: Rows) -> list[Sequence[FileSegment]]:
    """Return the segments of each row. After a correction, only changed rows are read again."""
    whole = rows.all_rows or rows
    previous: tuple[Rows, list[Sequence[FileSegment]]] | None = whole.memory.get(_MEMORY)
    if previous is None or previous[0] is not whole:
        positions = np.arange(len(whole)) if previous is None else _changed_rows(previous[0], whole)
        by_row: list[Sequence[FileSegment]] = (
            [()] * len(whole) if previous is None or len(previous[1]) != len(whole) else previous[1].copy()
        )
        new_segments: dict[int, list[FileSegment]] = {int(row): [] for row in positions}
        for number in range(1, part_count(whole, "type") + 1):
            for row, segment in _read_part(whole, number, positions):
                new_segments[row].append(segment)
        for row, segments in new_segments.items():
            by_row[row] = segments
        previous = whole.memory[_MEMORY] = whole, by_row
    return previous[1] if rows.positions is None else [previous[1][row] for row in rows.positions.tolist()]


def part_count(rows: Rows, column: str) -> int:
    """Return how many times the rows have the columns of a group. `column` is one of these columns."""
    return 1 + sum(name.startswith(f"{column}.") for name in rows.values)


def numbered_column(column: str, number: int) -> str:
    """Return the name of a column with this number."""
    return column if number == 1 else f"{column}.{number}"


def _changed_rows(previous: Rows, rows: Rows) -> Any:
    """Return the positions of the rows whose segment cells changed."""
    all_positions = np.arange(len(rows))
    names = [name for name in rows.values if name.partition(".")[0] in _SEGMENT_NAMES]
    if (
        len(previous) != len(rows)
        or previous.options != rows.options
        or previous.headings != rows.headings
        or names != [name for name in previous.values if name.partition(".")[0] in _SEGMENT_NAMES]
    ):
        return all_positions
    changed = np.zeros(len(rows), dtype=bool)
    for name in names:
        old, new = previous.values[name], rows.values[name]
        if old is not new:
            is_same = (old == new) | (old.isna() & new.isna())
            changed |= ~is_same.fillna(False).to_numpy(dtype=bool)
            changed |= (previous.texts[name] != rows.texts[name]).to_numpy(dtype=bool)
            if name.partition(".")[0] == "type" and old.notna().any() != new.notna().any():
                return all_positions
    return np.flatnonzero(changed)


_SEGMENT_NAMES: Final = frozenset(column.name for column in SEGMENT.columns)


def _read_part(rows: Rows, number: int, positions: Any) -> Iterator[tuple[int, FileSegment]]:
    """Yield the segments of rows at these positions, from the columns with one number."""
    columns, cells_of, invalid = [], [], []
    default = default_kind(rows, number)
    outbound = _columns_of_outbound(rows, number)
    for column in SEGMENT.columns:
        name = outbound.get(column.name, numbered_column(column.name, number))
        texts = rows.texts[name]
        filled = (texts != "").to_numpy(dtype=bool)[positions]
        if not filled.any():
            continue
        values = rows.values[name].iloc[positions]
        cells = values.astype(object).where(values.notna(), None).to_numpy(dtype=object)
        if column.name in _DATES or column.name in _CLOCKS:
            cells = _file_times(texts.iloc[positions], cells, is_date=column.name in _DATES)
        columns.append(column.name)
        cells_of.append(cells.tolist())
        invalid.append((filled & (cells == None)).tolist())  # noqa: E711 (an array)
    has_invalid, sets = any(map(any, invalid)), dict[frozenset[str], frozenset[str]]()
    for index, (position, row) in enumerate(zip(positions.tolist(), zip(*cells_of, strict=True), strict=False)):
        if index % REPORT_EVERY == 0:
            rows.memory[PROGRESS] = READING_SHARE * index / len(positions)
        cells = {name: cell for name, cell in zip(columns, row, strict=True) if cell is not None}
        filled = frozenset(cells)
        if has_invalid:
            filled |= {name for name, each in zip(columns, invalid, strict=True) if each[index]}
        if not filled <= outbound.keys():
            # Most rows fill the same columns and share one set.
            filled = sets.setdefault(filled, filled)
            for segment in _segments_in(cells, filled, number, default):
                yield position, segment


def _columns_of_outbound(rows: Rows, number: int) -> dict[str, str]:
    """Return the columns of the outbound segment that a return without places has too, by its own columns.

    In "Ville départ, Ville arrivée, Date aller, Date retour", the return goes from the second place to the first.
    """
    if number != 2:
        return {}
    own = {column.name: rows.headings.get(numbered_column(column.name, number), ()) for column in SEGMENT.columns}
    if not any(is_of_return(heading) for headings in own.values() for heading in headings):
        return {}
    found = {} if own["type"] else {"type": "type"}
    if any(own[name] for name in ("route", *_PLACES)):
        return found
    return found | {name: _PLACES[name] for name in _PLACES if rows.headings.get(_PLACES[name])}


def default_kind(rows: Rows, number: int) -> str | None:
    """Return the segment type that the headings suggest, or None if a column gives the type.

    A return has the type of the outbound segment, unless its headings suggest another one.
    """
    # ASSUMPTION A401
    outbound = _columns_of_outbound(rows, number)
    if rows.values[outbound.get("type", numbered_column("type", number))].notna().any():
        return None
    columns = [numbered_column(column.name, number) for column in SEGMENT.columns]
    headings = " · ".join(fold(heading) for name in columns for heading in rows.headings.get(name, ()))
    own = next((kind for kind, message in _KIND_WORDS if message.search(headings)), None)
    return own or (default_kind(rows, 1) if outbound else "Air")


def _file_times(texts: pd.Series[str], cells: Any, *, is_date: bool) -> Any:
    """Return the cells of a column of times as `FileTime`. Each distinct text is read once."""
    codes, uniques = pd.factorize(texts)
    unique = pd.Series(uniques, dtype="str")
    first = np.full(len(uniques), 0)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    has_clock = has_time_of_day(unique).tolist()
    offsets, has_offset = (each.tolist() for each in read_utc_offsets(unique))
    times = np.full(len(uniques), None, dtype=object)
    for place, index in enumerate(first.tolist()):
        value = cells[index]
        # 0 stands for an invalid date. No trip is on that day.
        if value is not None and (value or not is_date):
            times[place] = FileTime(int(value), has_clock[place], offsets[place] if has_offset[place] else None)
    return times[codes]


def _segments_in(
    cells: Mapping[str, Any], filled: frozenset[str], number: int, default: str | None
) -> Iterator[FileSegment]:
    """Yield the segment in a row's columns with one number, and the stay in its hotel columns."""
    if cells.get("isCanceled") is True:
        return
    if cells.get("type") not in (None, "Hotel") and filled & _STAY <= _STAY_TIMES and filled.isdisjoint(_DATES_OF_ENDS):
        # One pair of columns for flights and stays, such as "Anreise" and "Abreise".
        cells = {_TIMES_OF_ENDS.get(name, name): cell for name, cell in cells.items()}
        filled = frozenset(_TIMES_OF_ENDS.get(name, name) for name in filled)
    has_stay_columns = not filled.isdisjoint(_STAY)
    # Times alone belong to the stay. An address alone isn't a segment.
    is_own = not filled.isdisjoint(_OTHERS) or (
        not filled.isdisjoint(_TIMES) and (not filled.isdisjoint(_STAY_TIMES) or not has_stay_columns)
    )
    has_stay = "hotelName" in filled or not filled.isdisjoint(_STAY_TIMES) or (has_stay_columns and not is_own)
    kind: str | None = cells.get("type")
    if not (is_own or has_stay or kind is not None):
        return
    if kind is None and has_stay and not is_own:
        kind = "Hotel"
    elif kind is None and is_own:
        kind = default
    if is_own or kind == "Hotel" or not has_stay:
        yield _read_segment(cells, filled, number, kind, is_extra_stay=False)
    if has_stay and is_own and kind != "Hotel":
        yield _read_segment(cells, filled, number, "Hotel", is_extra_stay=True)


def _read_segment(
    cells: Mapping[str, Any], filled: frozenset[str], number: int, kind: str | None, *, is_extra_stay: bool
) -> FileSegment:
    cells = _without_second_day_mark(cells)
    are_days = kind == "Hotel" and _are_days(cells, filled)
    start = _read_end(cells, "from", kind, only_stay=is_extra_stay, are_days=are_days)
    end = _read_end(cells, "to", kind, only_stay=is_extra_stay, are_days=are_days)
    if kind == "Rail":
        start, end = _in_country_of(start, end), _in_country_of(end, start)
    payload: dict[str, Any] = {} if kind is None else {"type": kind}
    if not is_extra_stay:
        for name in ("supplierCode", "supplierName", "airRailNumber"):
            if name in cells:
                payload[name] = cells[name]
        if kind in ("Air", "Rail") and _TRANSPORT_NUMBER.fullmatch(payload.get("supplierName", "")):
            # A column for what is booked: "LH 778" of a flight, and the name of a hotel.
            payload.setdefault("airRailNumber", payload.pop("supplierName"))
        if kind == "Air" and "supplierName" not in payload and len(payload.get("supplierCode", "")) > _MAX_AIRLINE_CODE:
            payload["supplierName"] = payload.pop("supplierCode")
        if kind == "Air" and "supplierCode" in payload and payload.get("airRailNumber", "").isdigit():
            payload["airRailNumber"] = f"{payload['supplierCode']}{payload['airRailNumber']}"
        if kind == "Air" and "supplierCode" not in payload and _AIRLINE_CODE.fullmatch(payload.get("supplierName", "")):
            payload["supplierCode"] = payload.pop("supplierName")
    for side, each in (("from", start), ("to", end)):
        if each.code is not None:
            payload[f"{side}IataCode"] = each.code
        if each.address:
            payload[f"{side}Address"] = {WIRE_ADDRESS[name]: cell for name, cell in each.address.items()}
        if each.zone is not None:
            payload[f"{side}TimeZone"] = each.zone
        if (local := time_of(each.local)) is not None:
            payload[f"{side}DateTimeLocal"] = local.isoformat(timespec="seconds")
        if (utc := time_of(each.utc)) is not None:
            payload[f"{side}DateTime"] = f"{utc.isoformat(timespec='seconds')}Z"
    segment = Segment.model_validate(payload)
    resolved = resolve_segment(0, segment)
    shifted = []
    if start.offset is not None or end.offset is not None:
        for side, each, place in (("from", start, resolved.start), ("to", end, resolved.end)):
            if each.offset is not None and each.local is not None:
                moment = time_of(each.local - each.offset, is_utc=True)
                zone = zone_named(place.zone) if place.zone else None
                if moment is not None and local_at(moment, zone) == time_of(each.local):
                    payload.setdefault(f"{side}DateTime", moment.isoformat(timespec="seconds").replace("+00:00", "Z"))
                elif zone is not None or each.offset == 0:
                    # Without a time zone the offset can't be checked, except UTC, which isn't used for local times.
                    shifted.append(side)
        segment = Segment.model_validate(payload)
        resolved = resolve_segment(0, segment)
    arrival = NO_ARRIVAL
    if kind in ("Air", "Rail"):
        arrival = complete_arrival(resolved, end.clock, cells.get("duration"))
        if arrival.changes:
            for name, text in (
                ("toDateTimeLocal", arrival.local and arrival.local.isoformat(timespec="seconds")),
                ("toDateTime", arrival.moment and f"{arrival.moment:%Y-%m-%dT%H:%M:%SZ}"),
            ):
                payload.pop(name, None)
                if text is not None:
                    payload[name] = text
            segment = Segment.model_validate(payload)
            resolved = resolve_segment(0, segment)
    refusals = tuple((each.field.removeprefix("."), each.message) for each in segment_problems("", segment))
    if is_extra_stay:
        label: str | None = start.address.get("LocationName")
    else:
        label = transport_number(kind or "", payload.get("supplierCode", ""), payload.get("airRailNumber", ""))
    identity, leaves = (label or None, place_text(start) or None), resolved.start.local
    return FileSegment(
        number,
        is_extra_stay,
        kind,
        start,
        end,
        arrival,
        payload,
        resolved,
        tuple(shifted),
        refusals,
        filled,
        (kind, *identity, leaves.date().isoformat()) if leaves is not None and any(identity) else None,
    )


def place_text(end: FileEnd) -> str | None:
    """Return the code, city, or name of the place of an end."""
    return end.code or end.address.get("City") or end.address.get("LocationName")


NO_ARRIVAL: Final = Arrival()


def _without_second_day_mark(cells: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the cells without "+1" after the time of an arrival whose date already is that day."""
    leaves, day, clock = cells.get("fromDate"), cells.get("toDate"), cells.get("toClock")
    if leaves is None or day is None or clock is None or not DAY // 1000 <= clock.value < FULL_FROM:
        return cells
    if day.value // DAY <= leaves.value // DAY:
        return cells
    return {**cells, "toClock": clock._replace(value=clock.value % (DAY // 1000))}


def _are_days(cells: Mapping[str, Any], filled: frozenset[str]) -> bool:
    """Return whether check-in and check-out are both at midnight, which means days without times."""
    for day, stay_day, clocks in (
        ("fromDate", "checkIn", ("fromClock", "checkInClock")),
        ("toDate", "checkOut", ("toClock", "checkOutClock")),
    ):
        time = cells.get(stay_day) or cells.get(day)
        if time is None or time.value % DAY or not filled.isdisjoint(clocks):
            return False
    return True


def _read_end(cells: Mapping[str, Any], side: str, kind: str | None, *, only_stay: bool, are_days: bool) -> FileEnd:
    columns, is_stay = _SIDES[side], kind == "Hotel"
    code = zone = day = clock = utc = None
    address: dict[str, Any] = {}
    if not only_stay:
        code, zone, utc = cells.get(columns.code), cells.get(columns.zone), cells.get(columns.utc)
        address = {name: cells[column] for column, name in columns.address if column in cells}
        place, route = cells.get(columns.place), cells.get("route")
        if side == "to" and not is_stay and "divertedTo" in cells:
            place, code, zone, route, address = cells["divertedTo"], None, None, None, {}
        if place is not None:
            code, address = _at_place(kind, code, address, place)
        if route is not None:
            code = code or route[side == "to"]
        day, clock = cells.get(columns.day), cells.get(columns.clock)
    if is_stay:
        day, clock = cells.get(columns.stay_day, day), cells.get(columns.stay_clock, clock)
        if side == "from":
            address |= {name: cells[column] for column, name in _HOTEL if column in cells}
            if not only_stay and "supplierName" in cells:
                address.setdefault("LocationName", cells["supplierName"])
        else:
            code, address = None, {}
    if "City" in address:
        place = read_place(address["City"])
        code, address = _at_city(kind, code, address, place)
    if code is None and kind == "Air" and "City" in address:
        code = _city_code(address["City"], address.get("Country"), address.get("State"), address.get("Latitude"))
    local, clock_alone, lacks_clock, has_two_clocks, offset = _read_time(
        day, clock, columns.default if is_stay else None, are_days=are_days
    )
    clock_alone = clock_alone if utc is None else None
    return FileEnd(code, address, zone, local, utc, clock_alone, offset, lacks_clock, has_two_clocks)


def _read_time(
    day: FileTime | None, clock: FileTime | None, default: int | None, *, are_days: bool
) -> tuple[int | None, int | None, bool, bool, int | None]:
    """Return the local time, the time of day alone, whether one is missing or contradicted, and the offset.

    `default` is the time of day at which a stay begins or ends, or None for other segments.
    """
    has_two_clocks = False
    # A column named for the time of day may also give the day.
    if clock is not None and clock.value >= FULL_FROM:
        if day is None:
            day, clock = clock._replace(value=clock.value * 1000), None
        else:
            has_two_clocks = day.value // DAY != clock.value // (DAY // 1000)
            clock = clock._replace(value=clock.value % (DAY // 1000))
    if day is None:
        return None, None if clock is None else clock.value * 1000, False, False, None
    time, has_clock = day.value % DAY, day.has_clock and not are_days
    if clock is not None:
        has_two_clocks |= bool(day.has_clock and time and time != clock.value * 1000 % DAY)
        return day.value - time + clock.value * 1000, None, False, has_two_clocks, None
    if has_clock:
        return day.value, None, False, has_two_clocks, day.offset
    if default is None:
        return None, None, True, has_two_clocks, None
    return day.value - time + default, None, False, has_two_clocks, day.offset


def _at_place(
    kind: str | None, code: str | None, address: dict[str, Any], place: PlaceText
) -> tuple[str | None, dict[str, Any]]:
    """Return the code and address, completed from a cell that names the whole place."""
    if place.code:
        return _at_code(kind, code, address, place)
    city = place.city if kind == "Rail" or not place.is_in_city else None
    if place.name and city and not place.is_in_city:
        address.setdefault("City", place.name)
    elif place.name:
        address.setdefault("LocationName" if kind in ("Rail", "Hotel") else "City", place.name)
        if city and "City" not in address:
            address = _in_city(address, city)
    if (port := place.airport) is not None:
        is_free = "Latitude" not in address and "Longitude" not in address
        address.pop("City", None)
        if is_free:
            of_port = {
                "LocationName": port.name,
                "City": port.city,
                "Country": port.country,
                "Latitude": port.latitude,
                "Longitude": port.longitude,
            }
            address = {**{name: value for name, value in of_port.items() if value != ""}, **address}
    return code, address


def _at_code(
    kind: str | None, code: str | None, address: dict[str, Any], place: PlaceText
) -> tuple[str | None, dict[str, Any]]:
    """Return the code and address, completed from a cell with a code: "NCE" or "Nice (NCE)"."""
    if kind == "Hotel" and place.city:
        # A hotel is in the city, not at its airport.
        return code, _in_city(address, place.city)
    # The code of a train is that of a station. Its name says where it is.
    city = read_city(place.name) if kind == "Rail" else None
    return code or place.code, _in_city(address, city) if city else address


def _at_city(
    kind: str | None, code: str | None, address: dict[str, Any], place: PlaceText
) -> tuple[str | None, dict[str, Any]]:
    """Return the code and address, completed from a cell that names the city."""
    if place.code:
        rest = {name: cell for name, cell in address.items() if name != "City"}
        return _at_code(kind, code, rest, place)
    if place.is_in_city and kind == "Rail":
        # "Boston South Station" is no city.
        rest = {name: cell for name, cell in address.items() if name != "City"}
        return _at_place(kind, code, rest, place)
    return code, address if place.city is None or place.is_in_city else _in_city(address, place.city)


def _in_country_of(end: FileEnd, other: FileEnd) -> FileEnd:
    """Return a station whose city several countries have, such as "Barcelona Sants", in the country of the other."""
    station, country = end.address.get("LocationName"), other.address.get("Country")
    if end.code or not station or not country or "City" in end.address or "Country" in end.address:
        return end
    city = city_at_start(station, country)
    return end._replace(address={**end.address, "City": city.city, "Country": country}) if city else end


def _in_city(address: dict[str, Any], city: CityText) -> dict[str, Any]:
    if address.get("Country", city.country) != city.country:
        return address
    # Columns for country and state say more than the name of a city, which may be in another language: "Londres".
    if "Country" in address and not _NAMES_COUNTRY.search(address.get("City", "")):
        return address if "State" in address else address | {"City": city.city}
    return address | {"City": city.city, "Country": city.country} | ({"State": city.state} if city.state else {})


@lru_cache(maxsize=100_000)
def _city_code(city: str, country: str | None, state: str | None, latitude: float | None) -> str | None:
    """Return the code of a city with several airports if it is named alone or with its country."""
    code = city_code(city) if not state and latitude is None else None
    city_meant = airport(code)
    return code if city_meant and country in (None, city_meant.country) else None
