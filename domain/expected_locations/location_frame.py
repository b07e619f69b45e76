"""The expected locations of a roster as data frames of records, places, and people.

Each record of a traveler at a place is a row. Values that rows share (place, person, record locator) are stored once,
as codes. This way a million rows can be added as they arrive and filtered in milliseconds.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
from cachetools import LRUCache

from client.models.itineraries import ExpectedLocation
from domain.geography.airports import airport_meant, zone_of_place
from domain.geography.countries import country_code, country_name
from domain.geography.states import state_code
from domain.trips.likely_places import LikelyPlaces, find_likely_places
from domain.trips.presences import (
    ALWAYS,
    KINDS,
    NEVER,
    ROLES,
    Whereabouts,
    Windows,
    closing,
    find_whereabouts,
    kind_code,
    opening,
    role_code,
)

T = TypeVar("T")
_ROW: Final = np.dtype(
    [
        ("person", "i4"),
        ("place", "i4"),
        ("locator", "i4"),
        ("itinerary", "i4"),
        ("kind", "i1"),
        ("role", "i1"),
        ("arrives", "i8"),
        ("expires", "i8"),
    ]
)
_MEMO_SIZE: Final = 16


class Place(NamedTuple):
    """A place where people are expected. Coordinates are decimal degrees; None if unknown."""

    place_id: str
    label: str
    name: str
    address: str
    city: str
    country: str
    iata: str
    latitude: float | None
    longitude: float | None
    zone: str | None
    street: str = ""


def place_of(
    iata: str | None,
    spot: tuple[float, float] | None,
    name: str | None,
    city: str | None,
    country: str | None,
    *,
    state: str | None = None,
    street_address: str | None = None,
    kind: str = "Air",
) -> Place:
    """Return the place of a record, from its segment type, texts, and coordinates in decimal degrees (`spot`).

    Records with the same airport code are at one place. Others are at one place if the name and the coordinates to 3
    decimals (100 m) are equal; without coordinates, if name, city, state, and country are equal. An airport's missing
    coordinates come from its code. The country can be any code or name.
    """
    # ASSUMPTION A62
    given = (iata or "").strip().upper()
    latitude, longitude = spot or (None, None)
    known = airport_meant(kind, given, city=city, country=country, latitude=latitude, longitude=longitude)
    # The code of a station, of an airport in another place, or of no airport is only part of the name.
    code = given if known else ""
    if spot is None and known is not None:
        spot = (known.latitude, known.longitude)
    given_name = (name or "").strip()
    town = (city or "").strip() or (known.city if known else "")
    region = (state or "").strip()
    land = country_code(country) or (known.country if known else (country or "").strip().upper())
    place_name = given_name or ((known.name or known.city) if known else "") or (street_address or "").strip()
    if not place_name and given and not code:
        place_name = f"{'Station' if kind == 'Rail' else 'Code'} {given}"
    if code:
        place_id = code
    elif spot is not None:
        place_id = f"{place_name.casefold()}@{spot[0]:.3f},{spot[1]:.3f}"
    else:
        place_id = _id_by_name(place_name.casefold(), town.casefold(), region, land)
    return Place(
        place_id=place_id,
        label=_label(place_name, code, town, land, spot),
        name=place_name,
        address=", ".join(filter(None, ((street_address or "").strip(), town, region, country_name(land)))),
        city=town,
        country=land,
        iata=code,
        latitude=spot[0] if spot else None,
        longitude=spot[1] if spot else None,
        zone=zone_of_place(known, spot, city=town, state=region, country=land),
        street=(street_address or "").strip(),
    )


def _id_by_name(place_name: str, town: str, region: str, land: str) -> str:
    state = state_code(region, land or "US").casefold()
    return f"{place_name}@{','.join(filter(None, (town, state)))},{land}"


def find_known_id(place_id: str, known_ids: Sequence[str]) -> str:
    """Return the known ID of a place in a saved link; the ID itself if none certainly matches.

    For a place without coordinates, the link may have another spelling of country or state, or no state.
    """
    if place_id in known_ids:
        return place_id
    place_name, _, where = place_id.rpartition("@")
    town, _, rest = where.partition(",")
    region, _, land = rest.rpartition(",")
    land = country_code(land) or land
    same_id = _id_by_name(place_name, town, region, land)
    if same_id in known_ids or region:
        return same_id if same_id in known_ids else place_id
    in_any_state = [
        each for each in known_ids if each.startswith(f"{place_name}@{town},") and each.endswith(f",{land}")
    ]
    return in_any_state[0] if len(in_any_state) == 1 else place_id


def _label(name: str, iata: str, city: str, country: str, spot: tuple[float, float] | None) -> str:
    words = name
    if not iata and city and city.casefold() not in name.casefold():
        words = f"{name}, {city}" if name else city
    if not words:
        words = country_name(country) or (f"{spot[0]:.3f}, {spot[1]:.3f}" if spot else "A place without a name")
    return f"{words} ({iata})" if iata and iata not in words.split() else words


class Memo:
    """A cache of results that belong to one snapshot. The least recently used result is dropped first."""

    def __init__(self, size: int = _MEMO_SIZE) -> None:
        """Store at most `size` results."""
        self._kept: LRUCache[Hashable, object] = LRUCache(size)
        self._lock = threading.Lock()

    def get(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the result under the key, and compute it first if needed."""
        with self._lock:
            if key in self._kept:
                return cast(T, self._kept[key])
        value = compute()
        with self._lock:
            self._kept[key] = value
        return value


@dataclass(frozen=True, eq=False)
class Locations:
    """All expected locations at one point of a load.

    rows: one per record: person, place, locator, itinerary, kind, role (categorical; the codes of person and place are
    rows of `people` and `places`), arrives and expires (UTC; NaT if missing), latitude, longitude (decimal degrees; NaN
    if unknown), zone (categorical; missing if unknown). places: place_id, label, name, address, city, country, iata,
    latitude, longitude, zone. people: person (key), external_id, name.
    """

    rows: pd.DataFrame
    places: pd.DataFrame
    people: pd.DataFrame
    version: int
    memo: Memo = field(default_factory=Memo, repr=False)

    @cached_property
    def whereabouts(self) -> Whereabouts:
        """Where everyone is at any time, as found from the windows."""
        windows = Windows(
            person=self.codes("person"),
            trip=self.codes("itinerary"),
            place=self.codes("place"),
            kind=self.codes("kind"),
            role=self.codes("role"),
            arrives=self.times("arrives"),
            expires=self.times("expires"),
            latitude=self.places["latitude"].to_numpy(dtype=np.float64),
            longitude=self.places["longitude"].to_numpy(dtype=np.float64),
        )
        return find_whereabouts(windows)

    @cached_property
    def likely_places(self) -> LikelyPlaces:
        """The most likely place of each person at all times."""
        place_order = np.empty(len(self.places), dtype=np.int64)
        place_order[np.argsort(self.places["place_id"].to_numpy(dtype=str))] = np.arange(len(self.places))
        return find_likely_places(self.whereabouts, place_order)

    def codes(self, column: str) -> npt.NDArray[np.integer]:
        """Return the codes of a categorical column of `rows`, without a copy."""
        return np.asarray(self.rows[column].cat.codes)

    def times(self, column: str) -> npt.NDArray[np.int64]:
        """Return `arrives` or `expires` in microseconds UTC since 1970, with `ALWAYS` and `NEVER` if missing."""
        given = self.rows[column]
        missing = given.isna().to_numpy()
        times = given.to_numpy(dtype="datetime64[us]").astype(np.int64)
        return np.where(missing, ALWAYS if column == "arrives" else NEVER, times) if missing.any() else times


class LocationStore:
    """Collects expected locations in a compact form, and builds `Locations` from those collected so far.

    One thread adds while others take snapshots. Records added for a record locator replace its earlier ones.
    """

    def __init__(self) -> None:
        """Start without records."""
        self._lock = threading.Lock()
        self._chunks: dict[str, npt.NDArray[np.void]] = {}
        self._locators: dict[str, int] = {}
        self._itineraries: dict[int, int] = {}
        self._people: dict[str, int] = {}
        self._external_ids: list[str] = []
        self._places: dict[Hashable, int] = {}
        self._known_places: list[Place] = []
        self._version = 0
        self._snapshot: Locations | None = None
        self._snapshot_names: Mapping[str, str] | None = None

    @property
    def version(self) -> int:
        """A number that increases with every change."""
        return self._version

    def put(self, locator: str, answers: Iterable[tuple[int, Sequence[ExpectedLocation]]]) -> None:
        """Store the expected locations of a record locator's itineraries."""
        with self._lock:
            code = self._locators.setdefault(locator, len(self._locators))
            rows = [
                self._row(code, self._itineraries.setdefault(itinerary_id, len(self._itineraries)), record)
                for itinerary_id, records in answers
                for record in records
            ]
            self._chunks[locator] = np.array(rows, dtype=_ROW)
            self._version += 1

    def drop(self, locator: str) -> None:
        """Remove the records of a record locator."""
        with self._lock:
            if self._chunks.pop(locator, None) is not None:
                self._version += 1

    def snapshot(self, names: Mapping[str, str]) -> Locations:
        """Return everything collected so far. `names` are people's names by external ID.

        The result is the same object until something changes. Another `names` object counts as a change.
        """
        with self._lock:
            snapshot = self._snapshot
            if snapshot is not None and snapshot.version == self._version and names is self._snapshot_names:
                return snapshot
            self._snapshot = self._build(names)
            self._snapshot_names = names
            return self._snapshot

    def _row(self, locator: int, itinerary: int, record: ExpectedLocation) -> tuple[int, ...]:
        external_id = (record.contact_external_id or "").strip()
        key = external_id or f"contact {record.contact_id}"
        person = self._people.setdefault(key, len(self._people))
        if person == len(self._external_ids):
            self._external_ids.append(external_id)
        kind = kind_code(record.kind)
        address = record.address
        return (
            person,
            self._place(record, kind),
            locator,
            itinerary,
            kind,
            role_code(record.travel_type, kind),
            opening(address.arrive_date),
            closing(address.expire_date),
        )

    def _place(self, record: ExpectedLocation, kind: int) -> int:
        address = record.address
        given = (
            KINDS[kind],
            # A hotel with the code of a nearby airport is not that airport.
            (address.iata or "") if KINDS[kind] != "Hotel" else "",
            record.position,
            address.location_name,
            address.city,
            address.country,
            address.state,
            address.street_address,
        )
        # The same values repeat, so each combination is evaluated once.
        code = self._places.get(given)
        if code is None:
            place = place_of(*given[1:6], state=given[6], street_address=given[7], kind=given[0])
            code = self._places.setdefault(place.place_id, len(self._known_places))
            if code == len(self._known_places):
                self._known_places.append(place)
            self._places[given] = code
        return code

    def _build(self, names: Mapping[str, str]) -> Locations:
        chunks = list(self._chunks.values())
        raw = np.concatenate(chunks) if chunks else np.empty(0, dtype=_ROW)
        places = _places_frame(self._known_places)
        people = _people_frame(self._people, self._external_ids, names)
        zone_names = pd.Index(sorted(set(places["zone"].dropna())), dtype=object)
        zone_of_place = zone_names.get_indexer(pd.Index(places["zone"], dtype=object)).astype(np.int16)
        at = raw["place"]
        rows = pd.DataFrame(
            {
                "person": categorical(raw["person"], people["person"]),
                "place": categorical(at, places["place_id"]),
                "locator": categorical(raw["locator"], list(self._locators)),
                "itinerary": categorical(raw["itinerary"], [str(each) for each in self._itineraries]),
                "kind": categorical(raw["kind"], KINDS),
                "role": categorical(raw["role"], ROLES),
                "arrives": utc(raw["arrives"]),
                "expires": utc(raw["expires"]),
                "latitude": places["latitude"].to_numpy(dtype=np.float64)[at],
                "longitude": places["longitude"].to_numpy(dtype=np.float64)[at],
                "zone": pd.Categorical.from_codes(zone_of_place[at], categories=zone_names),
            },
            copy=False,
        )
        return Locations(rows=rows, places=places, people=people, version=self._version)


def categorical(codes: npt.NDArray[np.integer], categories: Sequence[str] | pd.Series) -> pd.Categorical:
    return pd.Categorical.from_codes(np.ascontiguousarray(codes), categories=pd.Index(categories, dtype=object))


def utc(times: npt.NDArray[np.integer]) -> pd.Series:
    """Convert microseconds since 1970 to UTC; NaT for `ALWAYS` and `NEVER`."""
    given = np.array(times, dtype=np.int64).astype("datetime64[us]")
    given[(times == ALWAYS) | (times == NEVER)] = np.datetime64("NaT")
    return pd.Series(given, copy=False).dt.tz_localize("UTC")


def _people_frame(codes: Mapping[str, int], external_ids: Sequence[str], names: Mapping[str, str]) -> pd.DataFrame:
    people = zip(codes, external_ids, strict=True)
    rows = [
        (key, find_known_id, names.get(find_known_id) or find_known_id or key.capitalize())
        for key, find_known_id in people
    ]
    return pd.DataFrame(rows, columns=["person", "external_id", "name"], dtype=object)


def _places_frame(places: Sequence[Place]) -> pd.DataFrame:
    frame = pd.DataFrame(places, columns=Place._fields, dtype=object).assign(label=_unlike(places))
    return frame.astype({"label": object, "latitude": np.float64, "longitude": np.float64})


def _unlike(places: Sequence[Place]) -> list[str]:
    """Return the labels of the places. Equal labels get their streets, or else their coordinates or a number."""
    given = Counter(each.label for each in places)
    labels_with_street = [
        f"{each.label} · {each.street}" if given[each.label] > 1 and each.street else each.label for each in places
    ]
    taken = Counter(labels_with_street)
    labels: list[str] = []
    seen: Counter[str] = Counter()
    for each, label in zip(places, labels_with_street, strict=True):
        if taken[label] > 1 and each.latitude is not None:
            label = f"{label} · {each.latitude:.3f}, {each.longitude:.3f}"
        seen[label] += 1
        labels.append(label if seen[label] == 1 else f"{label} · {seen[label]}")
    return labels
