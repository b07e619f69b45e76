"""Map, table, trip page, and prediction agree with the segments of random trips."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from client.models.itineraries import Address, ExpectedLocation, Itinerary, Passenger, Segment
from domain.expected_locations.at_moment import GROUPS, group_people, moment
from domain.expected_locations.location_frame import Locations, LocationStore
from domain.expected_locations.person_days import NOT_COVERED, travelers_now
from domain.expected_locations.roster_view import Filters, look
from domain.geography.distance import great_circle_km
from domain.geography.time_zones import utc_text
from domain.trips.location_comparison import compare_locations, presence_texts
from domain.trips.prediction import reconstruct_itinerary
from domain.trips.resolved_segments import resolve
from domain.trips.timeline import segments_under_way
from tests.domain.trips.trip_builders import build_expected_locations

BEGIN = datetime(2026, 11, 20, tzinfo=UTC)
HOUR = timedelta(hours=1)
CITIES = {"SIN": (1.36, 103.99), "KUL": (2.74, 101.7), "FRA": (50.03, 8.56), "JFK": (40.64, -73.78)}
NAMES = {"Hotel": "Lion Hotel", "Rail": "Main Station", "Car": "City Cars"}


@dataclass(frozen=True)
class Leg:
    """One segment of any type between two cities, or a stay in a city. Times are hours after `BEGIN`."""

    kind: str
    origin: str
    destination: str
    begins: int
    ends: int

    @property
    def is_journey(self) -> bool:
        return self.kind in {"Air", "Rail"} or (self.kind == "Car" and self.ends - self.begins <= 12)

    def segment(self) -> Segment:
        is_flight = self.kind == "Air"
        return Segment(
            type=self.kind,
            from_iata_code=self.origin if is_flight else None,
            to_iata_code=self.destination if is_flight else None,
            from_address=None if is_flight else address(self.kind, self.origin),
            to_address=None if is_flight else address(self.kind, self.destination),
            from_date_time=(BEGIN + self.begins * HOUR).isoformat(),
            to_date_time=(BEGIN + self.ends * HOUR).isoformat(),
        )


@dataclass(frozen=True)
class Trip:
    """The legs of a group of people, and their expected places in an hour. A place is a kind and a city."""

    people: tuple[str, ...]
    legs: tuple[Leg, ...]

    def itinerary(self, locator: str) -> Itinerary:
        passengers = [Passenger(employee_id=each, first_name=each) for each in self.people]
        return Itinerary(pnr=locator, segments=[leg.segment() for leg in self.legs], passengers=passengers)

    def under_way(self, hour: int) -> list[Leg]:
        return [leg for leg in self.legs if leg.is_journey and leg.begins <= hour < leg.ends]

    def windows(self) -> Iterator[tuple[Leg, str, str, int, int]]:
        for leg in self.legs:
            if leg.kind == "Hotel":
                yield leg, "stay", leg.origin, leg.begins, leg.ends
            else:
                yield leg, "before departure", leg.origin, leg.begins - 24, leg.begins
                yield leg, "after arrival", leg.destination, leg.ends, leg.ends + 24

    def present(self, hour: int) -> list[tuple[Leg, str, str]]:
        """The windows in which a person is at a place: the segment, its end, the city."""
        moving = [leg for leg in self.legs if leg.kind != "Hotel"]
        found = []
        for leg, end, city, opens, closes in self.windows():
            if not opens <= hour < closes:
                continue
            if end == "after arrival" and any(opens < other.begins <= hour for other in moving):
                continue
            if end == "stay":
                is_there = True
                for now in range(opens + 1, hour + 1):
                    if any(other.ends == now and other.destination == city for other in moving):
                        is_there = True
                    if any(other.begins == now and other.is_journey for other in moving):
                        is_there = False
                if not is_there:
                    continue
            found.append((leg, end, city))
        return found

    def is_on(self, hour: int) -> bool:
        windows = list(self.windows())
        return min(each[3] for each in windows) <= hour < max(each[4] for each in windows)


def address(kind: str, city: str) -> Address:
    latitude, longitude = CITIES[city]
    return Address(location_name=f"{NAMES[kind]} {city}", city=city, latitude=latitude, longitude=longitude)


def place_id(kind: str, city: str) -> str:
    latitude, longitude = CITIES[city]
    return city if kind == "Air" else f"{NAMES[kind]} {city}@{latitude:.3f},{longitude:.3f}".casefold()


def nearest_city(position: tuple[float, float] | None) -> str:
    assert position is not None
    return min(CITIES, key=lambda city: great_circle_km(*CITIES[city], *position))


@st.composite
def trips(draw: st.DrawFn) -> Trip:
    """A possible trip: consecutive journeys, with stays and rentals around them, some with an early check-in."""
    hour, city = draw(st.integers(0, 60)), draw(st.sampled_from(sorted(CITIES)))
    legs = []
    kinds = ["Air", "Hotel", "Rail", "Hotel", "Car", "Air"]
    for kind in draw(st.lists(st.sampled_from(kinds), min_size=2, max_size=6)):
        hour += draw(st.sampled_from([1, 2, 5, 20]))
        goes_to = draw(st.sampled_from([each for each in sorted(CITIES) if each != city]))
        if kind == "Hotel":
            checks_in = hour - draw(st.sampled_from([0, 4, 15]))
            legs.append(Leg(kind, city, city, checks_in, hour + draw(st.sampled_from([10, 70]))))
        elif kind == "Car" and draw(st.booleans()):
            legs.append(Leg(kind, city, goes_to, hour, hour + 65))
        else:
            lasts = draw(st.sampled_from([2, 9]))
            legs.append(Leg(kind, city, goes_to, hour, hour + lasts))
            hour, city = hour + lasts, goes_to
    return Trip(draw(st.sampled_from([("E1",), ("E1", "E2"), ("E3",)])), tuple(legs))


def build_locations(records_by_trip: list[list[ExpectedLocation]]) -> Locations:
    store = LocationStore()
    for number, records in enumerate(records_by_trip):
        store.put(f"TRIP{number}", [(number, records)])
    return store.snapshot({})


@given(st.lists(trips(), min_size=1, max_size=3), st.lists(st.integers(-20, 150), min_size=5, max_size=5))
def test_every_view_agrees_with_the_segments_of_random_trips(roster: list[Trip], hours: list[int]) -> None:
    itineraries = [trip.itinerary(f"TRIP{number}") for number, trip in enumerate(roster)]
    records_by_trip = [build_expected_locations(itinerary) for itinerary in itineraries]
    locations = build_locations(records_by_trip)
    for hour in hours:
        _check_map_and_table(locations, roster, hour)
        for trip, itinerary, records in zip(roster, itineraries, records_by_trip, strict=True):
            _check_trip_page(trip, itinerary, records, hour)
    for trip, sent, records in zip(roster, itineraries, records_by_trip, strict=True):
        _check_now(trip, sent, records, hours[0])
        itinerary = reconstruct_itinerary(records, {}, locator=None)
        assert itinerary is not None
        assert {(each.type, each.from_date_time, each.to_date_time) for each in itinerary.segments} == {
            (leg.kind, utc_text(BEGIN + leg.begins * HOUR), utc_text(BEGIN + leg.ends * HOUR)) for leg in trip.legs
        }


def _check_map_and_table(locations: Locations, roster: list[Trip], hour: int) -> None:
    groups = dict.fromkeys(locations.people["person"], "not traveling")
    at_places, in_transit = set(), set()
    for person in groups:
        own = [trip for trip in roster if person in trip.people]
        legs = [leg for trip in own for leg in trip.under_way(hour)]
        places = [(leg, city) for trip in own for leg, _, city in trip.present(hour)]
        if legs:
            groups[person] = "in transit"
            in_transit |= {
                (person, place_id(leg.kind, leg.destination), BEGIN + leg.begins * HOUR, BEGIN + leg.ends * HOUR)
                for leg in legs
            }
        elif places:
            groups[person] = "at a place"
            at_places |= {(person, place_id(leg.kind, city)) for leg, city in places}
        elif any(trip.is_on(hour) for trip in own):
            groups[person] = "not covered"

    view = look(locations, moment(BEGIN + hour * HOUR), Filters())
    codes = group_people(locations, view.at)
    assert {person: GROUPS[code] for person, code in zip(groups, codes, strict=True)} == groups
    counts = Counter(groups.values())
    assert (view.people, view.in_transit) == (counts["at a place"], counts["in transit"])
    assert view.narrowed.people == len(groups) - counts["not traveling"]
    not_covered = {person for person, group in groups.items() if group == "not covered"}
    assert (view.not_covered_count, set(view.not_covered()["external_id"])) == (len(not_covered), not_covered)
    table = view.people_at(None)
    is_leg = table["status"] == "in transit"
    listed, others = (
        set(each[["person", "place_id"]].itertuples(index=False, name=None))
        for each in (table[~is_leg], view.other_candidates(None))
    )
    assert (listed | others, listed & others) == (at_places, set())
    assert Counter(person for person, _ in listed) == dict.fromkeys({person for person, _ in at_places}, 1)
    assert dict(zip(view.places["place_id"], view.places["people"], strict=True)) == Counter(
        place for _, place in listed
    )
    columns = ["person", "place_id", "from", "until"]
    assert set(table.loc[is_leg, columns].itertuples(index=False, name=None)) == in_transit


def _check_trip_page(trip: Trip, itinerary: Itinerary, records: list[ExpectedLocation], hour: int) -> None:
    now = BEGIN + hour * HOUR
    legs, present = trip.under_way(hour), trip.present(hour)
    rows = compare_locations(itinerary, records)
    texts = presence_texts(rows, now)
    shown = Counter(
        (row.kind, row.role, "in transit" if text.startswith("in transit") else "open")
        for row, text in zip(rows, texts, strict=True)
        if text.startswith(("now, ", "possible, ", "in transit, "))
    )
    open_windows = [(leg.kind, end, "open") for leg, end, _ in present] if not legs else []
    arrivals = [(leg.kind, "after arrival", "in transit") for leg in legs]
    assert shown == Counter((open_windows + arrivals) * len(trip.people))
    marked = segments_under_way(resolve(itinerary), now)
    moving = {number for number, leg in enumerate(trip.legs) if leg.kind != "Hotel" and leg.begins <= hour < leg.ends}
    stays = {trip.legs.index(leg) for leg, end, _ in present if end == "stay" and not legs}
    assert {number for number in marked if trip.legs[number].kind == "Hotel"} == stays
    assert {number for number in marked if trip.legs[number].kind != "Hotel"} == moving


def _check_now(trip: Trip, itinerary: Itinerary, records: list[ExpectedLocation], hour: int) -> None:
    """Check that the page of a trip shows the same present place as the map."""
    now = BEGIN + hour * HOUR
    rows = compare_locations(itinerary, records)
    texts = presence_texts(rows, now)
    locations = build_locations([records])
    table = look(locations, moment(now), Filters()).people_at(None)
    certain = table[table["status"].isin(["there", "leaving"])]
    now_at = {
        place_id(row.kind, nearest_city(row.position))
        for row, text in zip(rows, texts, strict=True)
        if text.startswith("now, ")
    }
    assert now_at == set(certain["place_id"])
    for current, _ in travelers_now("TRIP0", 0, records, now):
        assert (current is None or current.status == NOT_COVERED) == table.empty
        if current is not None and len(table) == len(trip.people):
            assert {(current.status, current.place_id)} == set(
                table[["status", "place_id"]].itertuples(index=False, name=None)
            )
