"""Trips taken in from files: what holds of their rows, and the declaration of what is looked for and sent of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from client.vocabulary.airports import CITY_CODES
from client.vocabulary.itineraries import CANCELED
from domain.file_import.column_types import Mask
from domain.file_import.import_declaration import Intake
from domain.file_import.position_rules import conflict_problems
from domain.file_import.row_problems import Asks, Problem, Rows
from domain.file_import.traveller_cells import MAY_BE_TWO, may_name_more
from domain.geography.airports import Airport, airport, airport_meant, is_known_code
from domain.geography.distance import WGS84
from domain.geography.place_conflicts import Stated
from domain.trips.known_trip import IMPORT
from domain.trips.plausible_times import is_impossible, is_long, is_too_fast, is_too_long
from domain.trips.resolved import is_lost_code, number_of
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
from domain.trips.trip_import.trip_rows import (
    Ends,
    Part,
    Segments,
    items,
    parts_of,
    segments_of,
    there,
)
from domain.trips.trip_import.trip_sending import NO_ZONE, trips_sent
from domain.trips.trip_import.wall_clocks import DAY, NO_TIME, Objects, Times

EARLIEST: Final = int(np.datetime64("1970-01-02", "ms").astype(int))
LATEST: Final = int(np.datetime64("2199-12-31", "ms").astype(int))
HOUR: Final = DAY // 24
LONGEST_STAY: Final = 90 * DAY
HALF_ROUND_THE_WORLD_KM: Final = 20_100.0

NO_PHONE: Final = "This is not a phone number."
OF_NO_COUNTRY: Final = "This number has no country code. Muster sends it as written."
OF_NO_CONTACT: Final = "This employee ID has no name. The service creates contacts only for travelers with a name."
OF_A_TOWN: Final = "It is no whole number of its country, and nobody can call it from abroad: sent as it is written."

NO_AIRPORT: Final = "No airport or city has this code. Correct it, or give coordinates."
CITY: Final = "{} is the code of {}, not of one airport. Muster uses the city's position and time zone. Airports: {}."

_ONE_SEGMENT: Final = " Where only this segment is canceled, drop the row."

Codes = npt.NDArray[np.int64]

_PLACES: Final = ("Place", "IataCode", "City", "LocationName", "Street")
_SAYS_ONE_THING: Final = {
    "externalItineraryId": True,
    "itineraryStatus": True,
    "itinerarySource": False,
    "arrangerName": False,
    "arrangerEmployeeId": False,
}


def trip_rules(rows: Rows, *, known: Collection[str] = frozenset()) -> Iterator[Problem]:
    """Everything that is wrong beyond single cells; `known` are the employee ids that surely have a contact."""
    trips = _codes(rows.compared("pnr"))
    status = Part(rows).objects("itineraryStatus")
    is_canceled = _anywhere(trips, status == CANCELED)
    has_segment, has_traveller = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=bool)
    found = segments_of(rows)
    is_usable = np.zeros(len(rows), dtype=bool)
    for segments in found:
        has_segment[segments.row] = True
        is_usable[segments.row] |= (segments.first.moment != NO_TIME) & (segments.last.moment != NO_TIME)
    is_refused = ~_anywhere(trips, is_usable)
    for segments in found:
        live, is_stay = ~is_canceled[segments.row], segments.kind == "Hotel"
        yield from _Judged(rows, segments, live & ~is_stay, is_refused).problems()
        yield from _Judged(rows, segments, live & is_stay, is_refused, are_stays=True).problems()
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
        yield Problem(other >= 0, column, f"{words}{more}", is_error, against=rows.numbers[other])
    if not rows.reading.carries:
        words = "Another row of this record locator is canceled: say whether this one is, too."
        untold = is_canceled & (rows.texts["itineraryStatus"] == "").to_numpy(bool)
        canceled = rows.numbers[_first(trips, status == CANCELED)]
        yield Problem(untold, "itineraryStatus", words, against=canceled)
    people = _people(parts_of(rows, "employeeId"))
    yield from _two_people(rows, trips, *people)
    yield from _two_bookings(rows, np.where(is_canceled, -1, trips), found, *people)
    yield from _two_times(rows, trips, found)


@dataclass(frozen=True)
class _Judged:
    """Segments in the columns of one number, with which of them are judged: stays, or all others.

    `is_refused` tells of rows whether the service refuses their trip, since none of its segments has both its times.
    """

    rows: Rows
    segments: Segments
    live: Mask
    is_refused: Mask
    are_stays: bool = False

    def problems(self) -> Iterator[Problem]:
        kind, first, last = self.segments.kind, self.segments.first, self.segments.last
        if not self.live.any():
            return
        is_blank = (self.rows.texts[self.segments.part.named("type")] == "").to_numpy(dtype=bool)[self.segments.row]
        yield self._at(~there(kind) & is_blank, ("type",), "Select the type of the segment: Air, Hotel, Rail, or Car.")
        where = "Enter where the segment starts: a code or an address."
        yield self._at(~first.has_place, self._where("from", "hotelName", "hotelCity"), where)
        lost = "Nobody will be expected where it ends: give the place."
        moves = (kind == "Air") | (kind == "Rail")
        yield from self._as_refused(moves & ~last.has_place, last, self._columns("to", *_PLACES), lost)
        lost_codes = {"from": self._has_lost_code(first), "to": self._has_lost_code(last)}
        yield from self._times("from", first, lost_codes["from"])
        yield from self._times("to", last, lost_codes["to"])
        both = (first.moment != NO_TIME) & (last.moment != NO_TIME)
        walls = (first.local != NO_TIME) & (last.local != NO_TIME) & ~both
        ends_first = (both & (last.moment < first.moment)) | (walls & (last.local < first.local - DAY))
        ends = (*self._when("to"), "toClock")
        yield self._at(ends_first, ends, "It ends before it begins, in true time.")
        lasts = np.where(both, last.moment - first.moment, 0)
        words = "It lasts more than 90 days. Check the day and the month."
        yield self._at((kind != "Air") & (lasts > LONGEST_STAY), ends, words, is_error=False)
        arrivals = self.segments.arrivals
        is_told = both & ~arrivals.is_placeholder
        for name in ("Air", "Rail", "Car"):
            yield from self._too_long_or_fast(name, is_told & (kind == name) & (lasts >= 0), lasts / HOUR)
        words = "The arrival date isn't certain. Write it with the time, such as 2026-03-27 05:00."
        yield self._at(arrivals.is_uncertain, ("toClock",), words)
        words = "The file has no arrival date. By true time, it's another day than the departure's: {}."
        yield self._at(arrivals.is_placed, ("toClock",), words, is_error=False, shows=last.local // DAY)
        words = "The arrival time is worked out from the duration: {}."
        yield self._at(arrivals.is_computed, ("toClock", *self._when("to")), words, is_error=False, shows=last.local)
        words = "00:00 doesn't fit the other times of this row. Write the real time."
        for side in ("from", "to"):
            yield self._at(arrivals.is_placeholder, (f"{side}Clock", *self._when(side)), words)
        for side, end in (("from", first), ("to", last)):
            yield from self._codes(side, end, lost_codes[side])
            yield from self._positions(side, end)
            lone = there(end.address["Latitude"]) != there(end.address["Longitude"])
            of_stays = ("hotelLatitude", "hotelLongitude") if self.are_stays else ()
            columns = (*of_stays, *self._columns(side, "Latitude", "Longitude"))
            yield self._at(lone, columns, "Give both coordinates, or neither.")

    def _codes(self, side: str, end: Ends, is_lost: Mask) -> Iterator[Problem]:
        """Codes that no airport has, and those of cities with several airports."""
        places = (*self._columns(side, "Place", "IataCode"), "route", f"{side}City", *(("hotelCity",) * self.are_stays))
        yield self._at(is_lost, places, NO_AIRPORT)
        if self.are_stays:
            return
        for code in set(end.code[self.live & there(end.code)]) & CITY_CODES.keys():
            city = CITY_CODES[code]
            words = CITY.format(code, city["name"], ", ".join(city["airports"]))
            is_here = (self.segments.kind == "Air") & (end.code == code)
            yield self._at(is_here, places, words, is_error=False)

    def _positions(self, side: str, end: Ends) -> Iterator[Problem]:
        """Coordinates that contradict the country, the city or the airport of their end."""
        if not there(end.address["Latitude"]).any():
            return
        size, here = len(self.rows), self.segments.row[self.live]
        told = {name: np.full(size, None, dtype=object) for name in ("City", "Country", "Latitude", "Longitude")}
        for name, cells in told.items():
            cells[here] = end.address[name][self.live]
        ports = np.full(size, None, dtype=object)
        codes = zip(self.segments.kind, end.code, end.address["City"], end.address["Country"], strict=True)
        ports[here] = np.array([_port_of(*each) for each in codes], dtype=object)[self.live]
        of_stays = [("hotelLatitude", "hotelLongitude")] if self.are_stays else []
        for pair in (*of_stays, self._columns(side, "Latitude", "Longitude")):
            latitude, longitude = map(self.segments.part.named, pair)
            is_here = (self.rows.texts[latitude] != "").to_numpy(dtype=bool) & there(told["Latitude"])
            if is_here.any():
                y, x = (
                    np.where(is_here, told[name], np.nan).astype(np.float64, copy=False)
                    for name in ("Latitude", "Longitude")
                )
                stated = Stated(told["Country"].tolist(), told["City"].tolist(), ports.tolist())
                yield from conflict_problems(self.rows, (latitude, longitude), (y, x), stated)

    def _has_lost_code(self, end: Ends) -> Mask:
        has_position = there(end.address["Latitude"]) & there(end.address["Longitude"])
        has_address = np.logical_or.reduce([there(cells) for cells in end.address.values()])
        lost = np.zeros(len(end.code), dtype=bool)
        codes, names = pd.factorize(end.code)
        is_unknown = np.array([*(not is_known_code(name) for name in names), False], dtype=bool)[codes]
        for row in np.flatnonzero(is_unknown).tolist():
            kind, at, by = self.segments.kind[row] or "", bool(has_position[row]), bool(has_address[row])
            lost[row] = is_lost_code(kind, end.code[row], has_position=at, has_address=by)
        return lost

    def _times(self, side: str, end: Ends, is_lost: Mask) -> Iterator[Problem]:
        when = self._when(side)
        ends = "begins" if side == "from" else "ends"
        yield self._at(end.lacks_clock, (f"{side}Clock", *when), f"Give the time of day at which it {ends}.")
        untold = (end.local == NO_TIME) & (end.moment == NO_TIME) & ~end.lacks_clock
        if side == "to":
            # Of a journey, a time of day is enough; what it is not enough for stands at its cell.
            untold &= (end.clock == NO_TIME) | ~np.isin(self.segments.kind.astype(str), ("Air", "Rail"))
        is_blank = (self.rows.texts[self.segments.part.named(when[0])] == "").to_numpy(dtype=bool)
        yield self._at(untold & is_blank[self.segments.row], when, f"Say when it {ends}.")
        zoneless = (end.moment == NO_TIME) & (end.local != NO_TIME) & ~is_lost
        places = self._where(side, "hotelCountry", "hotelCity")
        yield from self._as_refused(zoneless & end.has_place, end, places, NO_ZONE)
        skipped = "The clocks go forward over this time: there is none such."
        yield self._at(end.is_skipped, when, skipped, is_error=False)
        shifted = "This offset from UTC is not that of the place: match the column as UTC, or write the time there."
        yield self._at(end.is_shifted, when, shifted)
        clocks = ("checkInClock" if side == "from" else "checkOutClock", f"{side}Clock")
        two = "The columns for the day and the time don't agree. Match only the column that gives when it {}."
        yield self._at(end.has_two_clocks, clocks if self.are_stays else clocks[1:], two.format(ends))
        out = (end.local != NO_TIME) & ((end.local < EARLIEST) | (end.local > LATEST))
        yield self._at(out, when, "This is no year of a trip.")

    def _as_refused(self, mask: Mask, end: Ends, columns: Sequence[str], words: str) -> Iterator[Problem]:
        """An error where the service refuses the trip for want of this true time, else a warning."""
        is_refused = self.is_refused[self.segments.row] & (end.moment == NO_TIME)
        yield self._at(mask & is_refused, columns, words)
        yield self._at(mask & ~is_refused, columns, words, is_error=False)

    def _too_long_or_fast(self, name: str, of_kind: Mask, hours: npt.NDArray[np.float64]) -> Iterator[Problem]:
        """What cannot be, by the rules that a trip is checked by as well."""
        ends = (*self._when("to"), "toClock")
        too_long = of_kind & is_too_long(name, hours)
        yield self._at(too_long, ends, "No flight lasts more than 24 hours. Check the dates and the times.")
        words = "No flight without a stop lasts more than 20 hours. Check the dates and the times."
        yield self._at(of_kind & ~too_long & is_long(name, hours), ends, words, is_error=False)
        may_be = np.flatnonzero(of_kind & is_too_fast(name, HALF_ROUND_THE_WORLD_KM, hours))
        kilometers = np.zeros(len(of_kind))
        kilometers[may_be] = _kilometers(self.segments, may_be)
        too_fast, impossible = of_kind & is_too_fast(name, kilometers, hours), is_impossible(kilometers, hours)
        words = "No aircraft is that fast. Check the times and the places."
        yield self._at(too_fast & impossible, ends, words)
        words = "It's faster than its kind can be. Check the times and the places."
        yield self._at(too_fast & ~impossible, ends, words, is_error=False)

    def _when(self, side: str) -> tuple[str, ...]:
        own = ("checkIn" if side == "from" else "checkOut",) if self.are_stays else ()
        return own if self.segments.is_beside else (*own, f"{side}Date")

    def _where(self, side: str, *of_stays: str) -> tuple[str, ...]:
        own = of_stays if self.are_stays else ()
        return (*own, *self._columns(side, *_PLACES), f"{side}TimeZone")

    def _columns(self, side: str, *names: str) -> tuple[str, ...]:
        return tuple(f"{side}{name}" for name in names)

    def _is_filled(self, column: str) -> bool:
        return bool((self.rows.texts[self.segments.part.named(column)] != "").any())

    def _at(
        self,
        mask: Mask,
        columns: Sequence[str],
        words: str,
        *,
        is_error: bool = True,
        against: Codes | None = None,
        shows: Times | None = None,
    ) -> Problem:
        """A problem of segments, at the first of these columns that the file has.

        `shows` are days, or local times in milliseconds, to stand in the words.
        """
        column = next((each for each in columns if self._is_filled(each)), columns[0])
        whole = np.zeros(len(self.rows), dtype=bool)
        whole[self.segments.row[mask & self.live]] = True
        if against is not None:
            of_rows = np.zeros(len(self.rows), dtype=np.int64)
            of_rows[self.segments.row] = against
            against = of_rows
        told = None
        if shows is not None and whole.any():
            by_row = dict(zip(self.segments.row.tolist(), shows.tolist(), strict=True))

            def told(row: int) -> str:
                return words.format(_written(by_row[row]))

        return Problem(whole, self.segments.part.named(column), words, is_error, against=against, told=told)


def _written(time: int) -> str:
    """A day, as their number since 1970, or a local time in milliseconds, as a cell may hold it."""
    if abs(time) < DAY:
        return str(np.datetime64(time, "D"))
    return str(np.datetime64(time, "ms").astype("datetime64[m]")).replace("T", " ")


def _kilometers(segments: Segments, places: Codes) -> npt.NDArray[np.float64]:
    """How far the ends of some segments are apart; 0 where a position is not known."""
    (starts, start), (ends, end) = (_positions(each, segments.kind) for each in (segments.first, segments.last))
    # Most ways are flown many times.
    ways, way = np.unique(start[places] * len(ends) + end[places], return_inverse=True)
    at = np.hstack([starts[ways // len(ends)], ends[ways % len(ends)]])
    is_known, far = ~np.isnan(at).any(axis=1), np.zeros(len(ways))
    latitude, longitude, other_latitude, other_longitude = at[is_known].T
    far[is_known] = WGS84.inv(longitude, latitude, other_longitude, other_latitude)[2] / 1000
    return far[way]


def _positions(end: Ends, kind: Objects) -> tuple[npt.NDArray[np.float64], Codes]:
    """Latitudes and longitudes, and which of them each segment has: its coordinates, else its airport's, else NaN."""
    codes, names = pd.factorize(end.code)
    ports = [(port.latitude, port.longitude) if (port := airport(name)) else (np.nan, np.nan) for name in names]
    latitude, longitude = end.address["Latitude"], end.address["Longitude"]
    is_given = there(latitude) & there(longitude)
    given = np.stack([latitude[is_given], longitude[is_given]], axis=1).astype(np.float64)
    # A train's code is a station's.
    which = np.where((codes < 0) | (kind == "Rail"), len(ports), codes)
    which[is_given] = len(ports) + 1 + np.arange(len(given))
    return np.concatenate([[*ports, (np.nan, np.nan)], given]), which


def _named_ids(rows: Rows) -> Iterator[str]:
    """The employee ids that any row gives a name: a contact can be created for each of them."""
    for part in parts_of(rows, "employeeId"):
        yield from pd.unique(part.objects("employeeId")[part.has("travellerName", "firstName", "lastName")])


@lru_cache(maxsize=10_000)
def _port_of(kind: str | None, code: str | None, city: str | None, country: str | None) -> Airport | None:
    return airport_meant(kind or "", code, city=city, country=country)


def _traveller_problems(part: Part, live: Mask, named: Collection[str]) -> Iterator[Problem]:
    names = [column.name for column in TRAVELLER.columns]
    nameless = part.has(*names) & ~part.has("employeeId", "contactId", "travellerName", "firstName", "lastName")
    words = "The service needs an employee ID or a name. It cannot match this traveler."
    yield Problem(live & nameless, part.named("email"), words)
    if not part.rows.reading.are_contacts:
        codes, ids = pd.factorize(part.objects("employeeId"))
        is_unnamed = np.array([*(each not in named for each in ids), False], dtype=bool)[codes]
        is_unnamed &= live & ~part.has("contactId", "travellerName", "firstName", "lastName")
        yield Problem(is_unnamed, part.named("employeeId"), OF_NO_CONTACT, asks="contacts")
    cells, called = pd.factorize(part.rows.texts[part.named("travellerName")])
    may_be_two = np.array(["," in cell and may_name_more(cell) for cell in called], dtype=bool)
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
            asks: Asks = "country" if words == OF_NO_COUNTRY else ""
            yield Problem(said == words, part.named("phone"), words, words in (NO_PHONE, SHORTENED), asks=asks)
    if part.has("travellerName").any() and part.has("employeeId", "email", "phone").any():
        several = np.array([len(each or ()) > 1 for each in part.objects("travellerName")], dtype=bool)
        words = "Several people stand here, and one employee id, e-mail or phone: those are taken for the first."
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
        words = "Another row gives this employee id another name: look whether it is one person."
        first = rows.numbers[other_name[place] % len(rows)]
        yield Problem(other_name[place] >= 0, part.named(column), words, is_error=False, against=first)
        words = "Another row of this trip gives this name another employee id: look whether it is one person."
        first = rows.numbers[other_id[place] % len(rows)]
        yield Problem(other_id[place] >= 0, part.named("employeeId"), words, is_error=False, against=first)


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
    rows: Rows, trips: Codes, found: Sequence[Segments], id_codes: Codes, name_codes: Codes
) -> Iterator[Problem]:
    """Travelers of one record locator of whom each has other segments: two bookings, or one locator misspelled."""
    of_trip = np.tile(trips, len(id_codes) // max(1, len(trips)))
    by_id = np.where(id_codes >= 0, id_codes + name_codes.max(initial=0) + 1, -1)
    person = np.where(name_codes >= 0, name_codes, by_id)
    has_others = np.isin(of_trip, of_trip[_differs(of_trip, person) >= 0])
    if not found or not has_others.any():
        return
    people = pd.DataFrame({"trip": of_trip, "person": person, "row": np.arange(len(person)) % len(rows)})
    people = people[has_others & (person >= 0)]
    segments = pd.DataFrame({"row": np.concatenate([each.row for each in found]), "segment": _same_segments(found)})
    # Rows of one number are one record, such as a trip in JSON.
    for table in (people, segments):
        table["number"] = rows.numbers[table["row"]]
    told = people.merge(segments[["number", "segment"]], on="number")
    told = told[told["segment"] >= 0].drop_duplicates(["trip", "person", "segment"])
    told["shared"] = told.duplicated(["trip", "segment"], keep=False)
    by_person = told.groupby(["trip", "person"], sort=False).agg(row=("row", "min"), shared=("shared", "any"))
    by_person = by_person[by_person.groupby("trip")["row"].transform("size") > 1].reset_index()
    apart = by_person[~by_person["shared"]]
    first, last = (by_person.groupby("trip")["row"].agg(which) for which in ("min", "max"))
    mask, against = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=np.int64)
    rows_of = people.merge(apart[["trip", "person"]].assign(own=apart["row"]), on=["trip", "person"])
    other = np.where(
        rows_of["own"] == rows_of["trip"].map(first), rows_of["trip"].map(last), rows_of["trip"].map(first)
    )
    mask[rows_of["row"]], against[rows_of["row"]] = True, rows.numbers[other]
    words = "This traveler shares no segment with the others of this record locator. Check that it's one booking."
    yield Problem(mask, "pnr", words, is_error=False, against=against)


def _two_times(rows: Rows, trips: Codes, found: Sequence[Segments]) -> Iterator[Problem]:
    """One flight, train, stay or car of a trip that two rows tell differently."""
    if not found:
        return
    row = np.concatenate([each.row for each in found])
    same = _same_segments(found)
    same = np.where((trips[row] >= 0) & (same >= 0), _combined(trips[row], same), -1)
    starts = np.cumsum([0, *(len(each.row) for each in found)])
    words = "Another row of this trip tells the same segment with something else here."
    for column, cells in (
        ("fromDate", lambda each: each.first.local),
        ("toDate", lambda each: each.last.local),
        ("toPlace", lambda each: _or_city(each.last)),
    ):
        other = _differs(same, _joined(found, cells))
        for segments, start in zip(found, starts, strict=False):
            first = other[start : start + len(segments.row)]
            if (first >= 0).any():
                live = np.ones(len(segments.row), dtype=bool)
                at = {"fromDate": ("fromClock", "fromDate", "checkIn"), "toDate": ("toClock", "toDate", "checkOut")}
                columns = at.get(column, ("toPlace", "toIataCode", "route", "toCity"))
                against = rows.numbers[row[first]]
                yield _Judged(rows, segments, live, live)._at(first >= 0, columns, words, against=against)


def _same_segments(found: Sequence[Segments]) -> Codes:
    """A number for each flight, train, stay or car, whatever trip a row is of; -1 where nothing tells which it is."""
    number = _joined(found, lambda each: each.first.address["LocationName"] if each.is_beside else _numbers(each))
    day = _joined(found, lambda each: each.first.local // DAY)
    name = _joined(found, lambda each: _or_city(each.first))
    same = _combined(_joined(found, lambda each: each.kind), number, day, name)
    return np.where(((number >= 0) | (name >= 0)) & (day >= 0), same, -1)


def _joined(found: Sequence[Segments], cells: Callable[[Segments], Any]) -> Codes:
    return _codes(pd.Series(np.concatenate([np.asarray(cells(each)) for each in found])))


def _numbers(segments: Segments) -> list[str]:
    """The numbers of flights and trains, each written one way."""
    cells = (segments.part.objects(name)[segments.row] for name in ("supplierCode", "airRailNumber"))
    told = zip(segments.kind, *cells, strict=True)
    return [number_of(kind or "", carrier or "", number) if number else "" for kind, carrier, number in told]


def _or_city(end: Ends) -> Objects:
    city = end.address["City"]
    return np.where(there(end.code), end.code, np.where(there(city), city, end.address["LocationName"]))


def _codes(cells: pd.Series[Any]) -> Codes:
    """A number for each thing that cells say; -1 where that is nothing."""
    codes, things = pd.factorize(cells)
    nothing = [place for place, thing in enumerate(things) if thing is None or thing == "" or thing == NO_TIME]
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
    together="pnr",
    one_of=("travellerName", "employeeId", "firstName", "lastName", "email", "contactId"),
    rules=(trip_rules,),
    own=trips_in,
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
