"""What the rows of a file say as trips: segments and travellers row by row, put together by record locator.

Whole columns are worked on at once, so that a file of 100,000 rows is judged while a person waits. A row has one
segment or, where the file numbers its columns, several; hotel columns beside those of a flight are a segment, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
import pandas as pd

from client.models.itineraries import Address
from client.vocabulary.itineraries import CANCELED
from domain.file_import.cell_times import tell_a_clock, told_offsets
from domain.file_import.column_types import FULL_FROM, Mask
from domain.file_import.row_problems import Rows
from domain.file_import.row_sending import Outgoing
from domain.file_import.traveller_cells import Name
from domain.geography.airports import airport, city_code, is_known_code
from domain.geography.folding import fold
from domain.trips.resolved import known_zone, number_of
from domain.trips.trip_import.arrivals import Arrivals, work_out_arrivals
from domain.trips.trip_import.trip_columns import SEGMENT, TRAVELLER, international, is_local, phones_in
from domain.trips.trip_import.trip_sending import CONTACTS, PLAIN, REMOVED
from domain.trips.trip_import.wall_clocks import DAY, NO_TIME, Objects, Times, true_times, wall_clocks

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
_OF_STAY: Final = {
    "LocationName": "hotelName",
    "Street": "hotelStreet",
    "City": "hotelCity",
    "State": "hotelState",
    "PostalCode": "hotelPostalCode",
    "Country": "hotelCountry",
    "Latitude": "hotelLatitude",
    "Longitude": "hotelLongitude",
}
_STAY_TIMES: Final = ("checkIn", "checkInClock", "checkOut", "checkOutClock")
STAY: Final = (*_OF_STAY.values(), *_STAY_TIMES)
_TIMES: Final = tuple(f"{side}{what}" for side in ("from", "to") for what in ("Date", "Clock", "DateTime", "TimeZone"))
_OF_KIND: Final = (
    ("Car", re.compile(r"(?=.*pick ?up).*drop ?off")),
    ("Air", re.compile(r"flight|flt|airline|flug|\bvol\b|vuelo")),
    ("Car", re.compile(r"pick ?up|drop ?off|rental|\bcar\b|vehicle")),
    ("Rail", re.compile(r"train|rail|station|bahn|\bzug|\bgare\b|\btren|estacion")),
)
"""Words of headings that tell of what a file without a column for the kind of segment is; the first that are found."""
_OF_TRIP: Final = ("externalItineraryId", "itineraryStatus", "itinerarySource", "createdDate", "lastModifiedDate")


@dataclass(frozen=True)
class Part:
    """The columns of a group with one number, over all rows. Cells are objects, None where nothing is."""

    rows: Rows
    number: int = 1

    def named(self, column: str) -> str:
        """A column as it is called with this number."""
        return column if self.number == 1 else f"{column}.{self.number}"

    def has(self, *columns: str) -> Mask:
        """The rows in which any of these is filled."""
        filled = np.zeros(len(self.rows), dtype=bool)
        for column in columns:
            filled |= (self.rows.texts[self.named(column)] != "").to_numpy(dtype=bool)
        return filled

    def objects(self, column: str) -> Objects:
        """What the cells of a column say; None where that is nothing."""
        values = self.rows.values[self.named(column)]
        if not values.notna().any():
            return np.full(len(values), None, dtype=object)
        return np.asarray(values.astype(object).where(values.notna(), None), dtype=object)

    def times(self, column: str) -> Times:
        """The numbers of a column; NO_TIME where there is none."""
        values = self.rows.values[self.named(column)]
        if not values.notna().any():
            return np.full(len(self.rows), NO_TIME)
        times = np.asarray(values.fillna(NO_TIME), dtype=np.int64)
        # What could not be read stands as 0: no day of a trip, though a time of day.
        return times if column.endswith("Clock") else np.where(times == 0, NO_TIME, times)


def parts_of(rows: Rows, column: str) -> list[Part]:
    """A group's parts, as many as the rows have; the group is told by one of its columns."""
    more = sum(name.startswith(f"{column}.") for name in rows.values)
    return [Part(rows, number) for number in range(1, more + 2)]


@dataclass(frozen=True)
class Ends:
    """One end of segments. Times are milliseconds, NO_TIME where none is told; `local` is as if the clocks showed UTC.

    `moment` is the true time, as told or from clocks and zone. `clock` is the time of day of an end without a day.
    `lacks_clock` is where only a day is told and more is needed, `is_skipped` where clocks never show it, `is_shifted`
    where it is written with an offset that is not that of the place, and `has_two_clocks` where the columns for the day
    and for the time contradict each other.
    """

    code: Objects
    address: dict[str, Objects]
    zone: Objects
    local: Times
    moment: Times
    clock: Times
    lacks_clock: Mask
    is_skipped: Mask
    is_shifted: Mask
    has_two_clocks: Mask

    @property
    def has_place(self) -> Mask:
        """Where anything says where it is."""
        return np.asarray(
            np.logical_or.reduce([there(cells) for cells in (self.code, *self.address.values())]), dtype=bool
        )


@dataclass(frozen=True)
class Segments:
    """Segments of rows, one for each place in `row`; `number` says of which columns, `is_beside` of hotel columns."""

    row: Times
    number: int
    is_beside: bool
    kind: Objects
    first: Ends
    last: Ends
    arrivals: Arrivals
    part: Part


def segments_of(rows: Rows) -> list[Segments]:
    """What segments there are, by the columns that they stand in."""
    found = []
    for part in parts_of(rows, "type"):
        names = [column.name for column in SEGMENT.columns if column.name not in STAY]
        # Times alone are those of the stay, and an address alone is none.
        stated, own = part.objects("type"), part.has(*(n for n in names if n != "type" and n not in _TIMES))
        own |= part.has(*_TIMES) & (part.has(*_STAY_TIMES) | ~part.has(*STAY))
        stay = part.has("hotelName", *_STAY_TIMES) | (part.has(*STAY) & ~own)
        is_stay = (stated == "Hotel") | ((stated == None) & stay & ~own)  # noqa: E711 (an array)
        is_told = own | stay | there(stated)
        kinds = stated.copy()
        kinds[is_stay] = "Hotel"
        if not there(stated).any():
            # ASSUMPTION A401
            kinds[own & ~is_stay] = _kind_told(part)
        is_told &= part.objects("isCanceled") != True  # noqa: E712 (an array)
        main = np.flatnonzero(is_told & (own | is_stay | ~stay))
        beside = np.flatnonzero(is_told & stay & own & ~is_stay)
        for places, is_beside in ((main, False), (beside, True)):
            if len(places):
                found.append(
                    _segments(part, places, kinds if not is_beside else np.full(len(rows), "Hotel", object), is_beside)
                )
    return found


def kinds_supposed(rows: Rows) -> set[str]:
    """What segments are taken for by the headings alone, since nothing says their kind."""
    return {
        kind
        for segments in segments_of(rows)
        if not segments.is_beside and not there(segments.part.objects("type")).any()
        for kind in set(segments.kind.tolist()) - {"Hotel", None}
    }


def _kind_told(part: Part) -> str:
    """What the headings of a part call its segments: those of flights, unless they speak of trains or cars alone."""
    columns = [part.named(column.name) for column in SEGMENT.columns]
    told = " · ".join(fold(heading) for name in columns for heading in part.rows.headings.get(name, ()))
    return next((kind for kind, words in _OF_KIND if words.search(told)), "Air")


def _segments(part: Part, places: Times, kinds: Objects, is_beside: bool) -> Segments:
    kind = kinds[places]
    is_stay = kind == "Hotel"
    are_days = is_stay & _are_days(part)[places]
    first = _end(part, places, kind, is_stay, are_days, "from", None, only_stay=is_beside)
    last = _end(part, places, kind, is_stay, are_days, "to", first, only_stay=is_beside)
    arrivals = work_out_arrivals(
        (kind == "Air") | (kind == "Rail"),
        (first.local, first.moment),
        (last.local, last.moment),
        last.clock,
        last.zone,
        part.times("duration")[places],
    )
    last = replace(
        last, local=arrivals.local, moment=arrivals.moment, lacks_clock=last.lacks_clock & ~arrivals.is_computed
    )
    return Segments(places, part.number, is_beside, kind, first, last, arrivals, part)


def _are_days(part: Part) -> Mask:
    """The rows whose check-in and check-out are both at midnight: a program wrote days as times."""
    are_days = np.ones(len(part.rows), dtype=bool)
    for date, own, clocks in (
        ("fromDate", "checkIn", ("fromClock", "checkInClock")),
        ("toDate", "checkOut", ("toClock", "checkOutClock")),
    ):
        times = part.times(own)
        times = np.where(times != NO_TIME, times, part.times(date))
        are_days &= (times != NO_TIME) & (times % DAY == 0) & ~part.has(*clocks)
    return are_days


def _end(
    part: Part,
    places: Times,
    kind: Objects,
    is_stay: Mask,
    are_days: Mask,
    side: str,
    first: Ends | None,
    *,
    only_stay: bool,
) -> Ends:
    def cells(column: str) -> Objects:
        return part.objects(column)[places]

    nothing = np.full(len(places), None, dtype=object)
    code, address, zone = nothing, dict.fromkeys(WIRE_ADDRESS, nothing), nothing
    if not only_stay:
        code, zone = cells(f"{side}IataCode"), cells(f"{side}TimeZone")
        address = {name: cells(f"{side}{name}") for name in WIRE_ADDRESS}
        told, route = cells(f"{side}Place"), cells("route")
        if first is not None and there(other := cells("divertedTo")).any():
            is_diverted = there(other) & ~is_stay
            told = np.where(is_diverted, other, told)
            code, zone, route = (_only(~is_diverted, each) for each in (code, zone, route))
            address = {name: _only(~is_diverted, each) for name, each in address.items()}
        if there(told).any():
            code = _or(code, np.array([each.code or None if each else None for each in told], dtype=object))
            called = np.array([each.name or None if each else None for each in told], dtype=object)
            is_named = (kind == "Rail") | is_stay
            address["LocationName"] = _or(address["LocationName"], _only(is_named, called))
            address["City"] = _or(address["City"], _only(~is_named, called))
            address = _filled_by_airports(address, told)
        if there(route).any():
            which = 0 if side == "from" else 1
            code = _or(code, np.array([each[which] if each else None for each in route], dtype=object))
    local = part.times(f"{side}Date")[places] if not only_stay else np.full(len(places), NO_TIME)
    clock = part.times(f"{side}Clock")[places] if not only_stay else np.full(len(places), NO_TIME)
    texts = part.rows.texts[part.named(f"{side}Date")]
    clock_texts = part.rows.texts[part.named(f"{side}Clock")]
    if is_stay.any():
        own = part.times("checkIn" if side == "from" else "checkOut")[places]
        own_clock = part.times("checkInClock" if side == "from" else "checkOutClock")[places]
        has_own = is_stay & (own_clock != NO_TIME)
        clock = np.where(has_own, own_clock, clock)
        own_texts = part.rows.texts[part.named("checkInClock" if side == "from" else "checkOutClock")]
        clock_texts = clock_texts.where(~_at(has_own, places, len(texts)), own_texts)
        use = is_stay & (own != NO_TIME)
        stay_texts = part.rows.texts[part.named("checkIn" if side == "from" else "checkOut")]
        texts = texts.where(~_at(use, places, len(texts)), stay_texts)
        local = np.where(use, own, local)
        if first is None:
            address = {
                name: _or(_only(is_stay, cells(_OF_STAY[name])), each) if name in _OF_STAY else each
                for name, each in address.items()
            }
        else:
            code = _only(~is_stay, code)
            address = {name: _only(~is_stay, each) for name, each in address.items()}
    is_code = _are_codes(address["City"])
    code = _or(code, _only(is_code, address["City"]))
    address["City"] = _only(~is_code, address["City"])
    code = _or(code, _only((kind == "Air") & ~there(code), _city_codes(address)))
    has_day, has_clock = local != NO_TIME, clock != NO_TIME
    # A column that is called one for the time of day may hold the day, too.
    is_full = has_clock & (clock >= FULL_FROM)
    has_two_days = is_full & has_day & (local // DAY != clock // (DAY // 1000))
    if is_full.any():
        is_alone = is_full & ~has_day
        texts = texts.where(~_at(is_alone, places, len(texts)), clock_texts)
        local = np.where(is_alone, clock * 1000, local)
        clock = np.where(is_alone, NO_TIME, np.where(is_full, clock % (DAY // 1000), clock))
        has_day, has_clock = local != NO_TIME, clock != NO_TIME
    tells = np.zeros(len(places), dtype=bool)
    tells[has_day] = tell_a_clock(texts.iloc[places[has_day]])
    has_two_clocks = has_two_days | (has_clock & tells & (local % DAY != 0) & (local % DAY != clock * 1000 % DAY))
    tells &= ~are_days
    day = np.where(has_day, local - local % DAY, NO_TIME)
    usual = CHECK_IN if side == "from" else CHECK_OUT
    local = np.where(has_clock & has_day, day + clock * 1000, np.where(is_stay & has_day & ~tells, day + usual, local))
    lacks = has_day & ~has_clock & ~tells & ~is_stay
    at = first if first is not None and is_stay.all() else None
    zone = _zones(kind, code, address, zone) if at is None else _or(zone, at.zone)
    if first is not None and is_stay.any() and at is None:
        zone = np.where(is_stay, _or(zone, first.zone), zone)
    if first is not None and (kind == "Car").any():
        # A car without a place of return comes back to where it was picked up.
        zone = np.where(kind == "Car", _or(zone, first.zone), zone)
    stated = part.times(f"{side}DateTime")[places] if not only_stay else np.full(len(places), NO_TIME)
    local = np.where(lacks, NO_TIME, local)
    true = true_times(local, zone)
    if first is not None:
        # An end in the hour that comes twice, and before the start the first time, is the second time's.
        again = np.where(true < first.moment, local, NO_TIME)
        true = np.where(again != NO_TIME, np.maximum(true, true_times(again, zone, is_first=False)), true)
    offset, has_offset = told_offsets(texts.iloc[places])
    has_offset &= (local != NO_TIME) & ~has_clock
    meant = np.where(has_offset, local - offset, NO_TIME)
    is_there = has_offset & (wall_clocks(meant, zone) == local)
    true = np.where(is_there, meant, true)
    # Of a place without a zone nobody can tell, but that it is in UTC: nobody writes so on the clocks of a place.
    is_shifted = has_offset & ~is_there & (there(zone) | (offset == 0))
    moment = np.where(stated != NO_TIME, stated, true)
    is_skipped = (true != NO_TIME) & (wall_clocks(true, zone) != local)
    return Ends(
        code,
        address,
        zone,
        np.where(local == NO_TIME, wall_clocks(stated, zone), local),
        moment,
        np.where(has_clock & ~has_day & (stated == NO_TIME), clock * 1000, NO_TIME),
        lacks,
        is_skipped,
        is_shifted,
        has_two_clocks,
    )


def _zones(kind: Objects, code: Objects, address: dict[str, Objects], stated: Objects) -> Objects:
    cells = (address[name] for name in ("City", "State", "Country", "Latitude", "Longitude"))
    known = np.array([_zone_of(*place) for place in zip(kind, code, *cells, strict=True)], dtype=object)
    return _or(stated, known)


@lru_cache(maxsize=100_000)
def _zone_of(
    kind: str | None,
    code: str | None,
    city: str | None,
    state: str | None,
    country: str | None,
    lat: float | None,
    lon: float | None,
) -> str | None:
    if lat is None or lon is None:
        lat = lon = None
    address = Address(city=city, state=state, country=country, latitude=lat, longitude=lon)
    return known_zone(kind or "", code, address)


def there(cells: Objects) -> Mask:
    """Where something is told."""
    return np.asarray(cells != None, dtype=bool)  # noqa: E711 (an array)


def _or(cells: Objects, others: Objects) -> Objects:
    return np.where(there(cells), cells, others)


def _are_codes(cells: Objects) -> Mask:
    """Which cells hold the code of an airport where a city is looked for."""
    codes, texts = pd.factorize(cells)
    known = np.array([len(text) == 3 and text.isupper() and is_known_code(text) for text in texts], dtype=bool)
    return np.append(known, False)[codes]


def _filled_by_airports(address: dict[str, Objects], told: Objects) -> dict[str, Objects]:
    """The address of airports that have no IATA code, where the cells for it are empty."""
    ports = [each.airport if each else None for each in told]
    if not any(ports):
        return address
    filled = {
        "LocationName": [port and port.name for port in ports],
        "City": [port and port.city for port in ports],
        "Country": [port and port.country for port in ports],
        "Latitude": [port and port.latitude for port in ports],
        "Longitude": [port and port.longitude for port in ports],
    }
    has_port = np.array([port is not None for port in ports])
    is_free = ~there(address["Latitude"]) & ~there(address["Longitude"])
    address = {**address, "City": _only(~has_port, address["City"])}
    return address | {
        name: _or(address[name], _only(is_free, np.array(cells, dtype=object))) for name, cells in filled.items()
    }


def _city_codes(address: dict[str, Objects]) -> Objects:
    """The codes of cities with several airports that are named alone, or with their country."""
    cells = (address[name] for name in ("City", "Country", "State", "Latitude"))
    return np.array([_city_code(*each) for each in zip(*cells, strict=True)], dtype=object)


@lru_cache(maxsize=100_000)
def _city_code(city: str | None, country: str | None, state: str | None, latitude: float | None) -> str | None:
    code = city_code(city) if city and not state and latitude is None else None
    city_meant = airport(code)
    return code if city_meant and country in (None, city_meant.country) else None


def _only(mask: Mask, cells: Objects) -> Objects:
    kept = cells.copy()
    kept[~mask] = None
    return kept


def _at(mask: Mask, places: Times, size: int) -> Mask:
    whole = np.zeros(size, dtype=bool)
    whole[places[mask]] = True
    return whole


# To what is sent


def items(rows: Rows, *, known: Collection[str] = ()) -> Iterator[Outgoing]:
    """A trip for each record locator, in the file's order, as the interface has it, spelled as in its first row.

    `known` are the employee ids that have a contact at the service, as far as this desk has seen: a trip of theirs
    alone needs no contact, and its lot is "plain"; that of any other is "contacts", of a canceled one "removed".
    """
    names, locators = pd.factorize(rows.compared("pnr"))
    by_row: list[list[tuple[int, dict[str, Any]]]] = [[] for _ in range(len(rows))]
    for part in segments_of(rows):
        for row, order, wire in _wires(part):
            by_row[row].append((order, wire))
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
            for _, wire in sorted(by_row[row], key=lambda each: each[0]):
                segments.setdefault(_told_by(wire), wire)
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


def _told_by(segment: dict[str, Any]) -> str:
    """What is alike where two rows tell of one segment, however its number is written."""
    number = number_of(segment.get("type", ""), segment.get("supplierCode", ""), segment.get("airRailNumber", ""))
    return repr(segment | {"airRailNumber": number})


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


def _wires(segments: Segments) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """The row of each segment, its order in the row, and how it is sent."""
    part, places = segments.part, segments.row
    columns: dict[str, Objects] = {"type": segments.kind}
    if not segments.is_beside:
        columns |= {name: part.objects(name)[places] for name in ("supplierCode", "supplierName", "airRailNumber")}
    for side, end in (("from", segments.first), ("to", segments.last)):
        columns[f"{side}DateTimeLocal"] = _written(end.local, "")
        columns[f"{side}DateTime"] = _written(end.moment, "Z")
        columns[f"{side}TimeZone"] = end.zone
        columns[f"{side}IataCode"] = end.code
    for place, row in enumerate(places.tolist()):
        wire = {name: cells[place] for name, cells in columns.items() if cells[place] is not None}
        for side, end in (("from", segments.first), ("to", segments.last)):
            address = {
                WIRE_ADDRESS[name]: cells[place] for name, cells in end.address.items() if cells[place] is not None
            }
            if address:
                wire[f"{side}Address"] = address
        number = wire.get("airRailNumber", "")
        if number.isdigit() and "supplierCode" in wire:
            wire["airRailNumber"] = f"{wire['supplierCode']}{number}"
        yield row, segments.number * 2 + segments.is_beside, wire


def _written(times: Times, end: str) -> Objects:
    told = np.full(len(times), None, dtype=object)
    is_told = times != NO_TIME
    told[is_told] = [
        f"{text}{end}" for text in np.datetime_as_string(times[is_told].astype("datetime64[ms]"), unit="s")
    ]
    return told
