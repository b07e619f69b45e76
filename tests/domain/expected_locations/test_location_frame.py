"""Records collected as they arrive, and the rows, places, and people made from them."""

from datetime import UTC, datetime, timedelta

import pytest

from client.models.itineraries import ExpectedLocation
from domain.expected_locations.location_frame import LocationStore, Memo, find_known_id, place_of
from tests.domain.expected_locations.records import Row, build_locations

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def stay(person: str, locator: str, place: str = "hotel") -> Row:
    return Row(person, locator, place, "Stay", NOON, NOON + timedelta(days=1))


def test_a_row_has_person_place_trip_and_times() -> None:
    locations = build_locations([Row("E1", "AAA111", "SIN", "Arrival", NOON, None)], {"E1": "Silva, Ana"})
    row = locations.rows.iloc[0]
    assert (row["person"], row["place"], row["locator"], row["kind"], row["role"]) == (
        "E1",
        "SIN",
        "AAA111",
        "Air",
        "Arrival",
    )
    assert row["itinerary"] == "9000000000"
    assert row["arrives"] == NOON
    assert row["expires"] is not None
    assert locations.rows["expires"].isna().all()
    assert (row["latitude"], row["longitude"], row["zone"]) == (1.36, 103.99, "Asia/Singapore")
    assert locations.people.iloc[0].to_dict() == {"person": "E1", "external_id": "E1", "name": "Silva, Ana"}
    assert locations.places.iloc[0]["label"] == "Singapore Changi International Airport (SIN)"


def test_people_without_an_external_id_are_distinguished_by_their_contact() -> None:
    people = build_locations([stay("contact 7", "A"), stay("contact 8", "A"), stay("7", "A")]).people
    assert list(people["person"]) == ["contact 7", "contact 8", "7"]
    assert list(people["name"]) == ["Contact 7", "Contact 8", "7"]


def test_new_records_of_a_record_locator_replace_earlier_ones() -> None:
    store = LocationStore()
    store.put("AAA111", [(1, [stay("ana", "AAA111").record()] * 3)])
    store.put("BBB222", [(2, [stay("ben", "BBB222").record()])])
    before = store.snapshot({})
    store.put("AAA111", [(1, [stay("ana", "AAA111").record()])])
    assert len(before.rows) == 4
    assert len(store.snapshot({}).rows) == 2
    store.drop("AAA111")
    assert list(store.snapshot({}).rows["locator"]) == ["BBB222"]


def test_a_snapshot_is_the_same_until_something_changes() -> None:
    store, names = LocationStore(), {"ana": "Silva, Ana"}
    store.put("AAA111", [(1, [stay("ana", "AAA111").record()])])
    first = store.snapshot(names)
    assert store.snapshot(names) is first
    store.drop("ZZZ999")
    assert store.snapshot(names) is first
    assert store.snapshot({"ana": "Silva, A."}).people["name"].tolist() == ["Silva, A."]
    store.put("BBB222", [(2, [])])
    assert store.snapshot(names) is not first


def test_ids_beyond_64_bits_stay_exact() -> None:
    store = LocationStore()
    store.put("AAA111", [(2**70 + 1, [stay("ana", "AAA111").record()])])
    assert store.snapshot({}).rows["itinerary"].tolist() == [str(2**70 + 1)]


@pytest.mark.parametrize(
    ("travel_type", "category", "role"),
    [("departure", "Air", "Departure"), (None, "Hotel", "Stay"), (None, "Car", "Other"), ("Layover", "Rail", "Other")],
)
def test_the_role_of_a_record(travel_type: str | None, category: str, role: str) -> None:
    record = ExpectedLocation.model_validate(
        {"contactId": 1, "travelCategory": category, "travelType": travel_type, "address": {"iata": "SIN"}}
    )
    store = LocationStore()
    store.put("AAA111", [(1, [record])])
    assert store.snapshot({}).rows["role"].tolist() == [role]


def test_one_iata_code_is_one_place_under_any_name() -> None:
    assert place_of("sin ", (1.36, 103.99), "Changi", None, None).place_id == "SIN"
    assert place_of("SIN", None, None, None, None).place_id == "SIN"
    assert place_of("LON", None, None, None, None).label == "London (LON)"


def test_a_station_is_not_the_airport_of_its_code() -> None:
    station = place_of("EDB", None, "Waverley", "Edinburgh", "GB", kind="Rail")
    assert (station.latitude, station.country, station.label) == (None, "GB", "Waverley, Edinburgh")
    assert station.place_id != place_of("EDB", None, None, None, None).place_id
    york = place_of("YRK", None, "Platform 3", "York", "GB", kind="Rail")
    assert (york.iata, york.label) == ("", "Platform 3, York")
    without_details = place_of("EDB", None, None, None, None, kind="Rail")
    assert (without_details.latitude, without_details.label) == (None, "Station EDB")
    assert without_details.place_id != place_of("LDS", None, None, None, None, kind="Rail").place_id


def test_an_airport_code_far_from_its_address_is_not_that_airport() -> None:
    place = place_of("EDB", None, None, "Edinburgh", "GB")
    assert (place.latitude, place.city, place.label) == (None, "Edinburgh", "Code EDB, Edinburgh")
    spot = place_of("EDB", (55.95, -3.19), None, None, None)
    assert (spot.latitude, spot.zone, spot.country) == (55.95, "Europe/London", "")


def test_an_unknown_code_is_only_used_as_a_name() -> None:
    in_oslo, in_lima = (place_of("QQX", None, "Heliport", city, None) for city in ("Oslo", "Lima"))
    assert in_oslo.place_id != in_lima.place_id
    assert (in_oslo.iata, in_oslo.label) == ("", "Heliport, Oslo")
    spots = [place_of("QQX", spot, None, None, None) for spot in ((10.0, 10.0), (50.0, 50.0))]
    assert spots[0].place_id != spots[1].place_id
    without_details = place_of("QQX", None, None, None, None)
    assert without_details.label == "Code QQX"
    assert without_details.place_id != place_of("QQZ", None, None, None, None).place_id


@pytest.mark.parametrize("name", ["SG", "sg", "SGP", "Singapore", " Singapur "])
def test_a_country_is_known_by_any_code_or_name(name: str) -> None:
    place = place_of(None, None, "Lion Hotel", "Singapore", name, kind="Hotel")
    assert (place.country, place.address) == ("SG", "Singapore, Singapore")
    assert place.place_id == place_of(None, None, "Lion Hotel", "Singapore", "SG", kind="Hotel").place_id
    assert place_of(None, None, "Lion Hotel", "Atlantis", " atlantis ").country == "ATLANTIS"
    assert place_of("JFK", None, None, None, "U.S. of A.").country == "US"


@pytest.mark.parametrize(
    ("country", "zone"), [("Singapore", "Asia/Singapore"), ("GB", "Europe/London"), ("US", None), (None, None)]
)
def test_a_place_without_coordinates_has_the_zone_of_a_country_with_one_time(
    country: str | None, zone: str | None
) -> None:
    assert place_of(None, None, "Lion Hotel", "Somewhere", country, kind="Hotel").zone == zone
    assert place_of("EDB", None, None, None, country, kind="Rail").zone == zone


def label_places(*addresses: dict[str, str]) -> list[str]:
    """The labels of the places of people who stay at these addresses."""
    store = LocationStore()
    records = [
        ExpectedLocation.model_validate({"contactId": 1, "travelCategory": "Hotel", "address": each})
        for each in addresses
    ]
    store.put("AAA111", [(1, records)])
    return store.snapshot({}).places["label"].tolist()


def test_two_streets_of_one_city_are_two_places() -> None:
    town = {"city": "Lyon", "country": "FR"}
    assert label_places(town | {"streetAddress": "1 Rue A"}, town | {"streetAddress": "9 Rue B"}) == [
        "1 Rue A, Lyon",
        "9 Rue B, Lyon",
    ]


def test_towns_with_the_same_name_in_two_states_are_two_places() -> None:
    inn = {"locationName": "Lion Inn", "city": "Springfield", "country": "US"}
    states = ("IL", "MA", "ma", " Illinois", "massachusetts", "US-IL")
    assert label_places(*(inn | {"state": state} for state in states)) == [
        "Lion Inn, Springfield",
        "Lion Inn, Springfield · 2",
    ]


@pytest.mark.parametrize(
    ("saved", "place_id"),
    [
        ("lion inn@springfield,illinois,UNITED STATES", "lion inn@springfield,il,US"),
        ("lion inn@springfield,ma,US", "lion inn@springfield,ma,US"),
        ("guest house@lyon,FRANKREICH", "guest house@lyon,FR"),
        ("rue a@lyon,US", "rue a@lyon,US"),
        ("rue a@bern,CH", "rue a@bern,be,CH"),
        ("lion inn@springfield,US", "lion inn@springfield,US"),
        ("lion hotel@1.300,103.800", "lion hotel@1.300,103.800"),
        ("SIN", "SIN"),
    ],
)
def test_a_saved_link_finds_its_place_under_other_names_of_state_and_country(saved: str, place_id: str) -> None:
    """Unless the link is ambiguous."""
    known_ids = ["lion inn@springfield,il,US", "lion inn@springfield,ma,US", "guest house@lyon,FR", "rue a@bern,be,CH"]
    assert find_known_id(saved, known_ids) == place_id


def test_the_store_distinguishes_a_station_from_the_airport_with_its_code() -> None:
    store = LocationStore()
    records = [
        ExpectedLocation.model_validate({"contactId": 1, "travelCategory": kind, "address": {"iata": "EDB"}})
        for kind in ("Air", "Rail")
    ]
    store.put("AAA111", [(1, records)])
    assert store.snapshot({}).places["latitude"].isna().tolist() == [False, True]


def test_an_airport_without_coordinates_gets_those_of_its_code() -> None:
    place = place_of("HNL", None, None, None, None)
    assert place.latitude == pytest.approx(21.3, abs=0.1)
    assert place.zone == "Pacific/Honolulu"
    assert place.country == "US"


def test_places_with_the_same_name_are_one_only_at_the_same_position() -> None:
    place = place_of(None, (1.30001, 103.80002), "Lion Hotel", "Singapore", "SG")
    assert place.place_id == place_of(None, (1.3, 103.8), "LION HOTEL", None, None).place_id
    assert place.place_id != place_of(None, (48.2, 16.4), "Lion Hotel", "Vienna", "AT").place_id


def test_a_place_without_coordinates_has_no_position_and_no_zone() -> None:
    place = place_of(None, None, "Guest house", "Somewhere", None)
    assert (place.latitude, place.longitude, place.zone) == (None, None, None)
    assert place.label == "Guest house, Somewhere"


def test_places_with_the_same_label_are_distinguished() -> None:
    store = LocationStore()
    for number, (lat, street) in enumerate([(1.3, ""), (1.4, ""), (1.5, "8 Main Street")]):
        address = {"locationName": "Lion Hotel", "city": "Singapore", "gisLocation": {"lat": lat, "lon": 103.8}}
        address |= {"streetAddress": street}
        record = ExpectedLocation.model_validate({"contactId": 1, "travelCategory": "Hotel", "address": address})
        store.put(f"AAA11{number}", [(number, [record])])
    labels = store.snapshot({}).places["label"].tolist()
    assert labels == [
        "Lion Hotel, Singapore · 1.300, 103.800",
        "Lion Hotel, Singapore · 1.400, 103.800",
        "Lion Hotel, Singapore · 8 Main Street",
    ]


def test_a_memo_computes_once_and_removes_the_least_recently_used_value() -> None:
    memo, computed = Memo(size=2), []

    def compute(key: str) -> str:
        return memo.get(key, lambda: computed.append(key) or key.upper())

    assert [compute(key) for key in "abacab"] == list("ABACAB")
    assert computed == ["a", "b", "c", "b"]
