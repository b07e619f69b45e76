"""Predicted locations equal those of the service: two implementations of the rules, compared over HTTP."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from client.models.itineraries import Address, ExpectedLocation, Itinerary, Passenger, Segment
from domain.geography.airports import all_airports
from domain.trips.prediction import PredictedLocation, predict
from tests.domain.trips.editor.sample_trips import ANA, BACK, BEN, OUT, STAY, trip
from tests.running_service import RunningService

SEED = 20261120
TRIPS = 60
DEMO_EVERY = 15
KINDS = ("Air", "Rail", "Car", "Hotel")

Key = tuple[object, ...]


def predicted_keys(itinerary: Itinerary) -> Counter[Key]:
    """Return one key per predicted location."""
    return Counter(_predicted(each) for each in predict(itinerary) if each.is_expected)


def expected_keys(locations: list[ExpectedLocation]) -> Counter[Key]:
    """Return one key per expected location of the service."""
    return Counter(_expected(each) for each in locations)


def _predicted(each: PredictedLocation) -> Key:
    return (
        each.known_as[0],
        each.segment.kind,
        each.role,
        each.arrives,
        each.expires,
        *(map(_rounded, each.place.position or (None, None))),
        each.location_name or None,
        each.place.city or None,
        each.place.country.upper() or None,
        each.place.code or None,
    )


def _expected(each: ExpectedLocation) -> Key:
    return (
        each.contact_external_id,
        each.kind,
        each.travel_type,
        each.address.arrive_date,
        each.address.expire_date,
        _rounded(each.latitude),
        _rounded(each.longitude),
        each.address.location_name,
        each.address.city,
        each.address.country,
        each.address.iata,
    )


def _rounded(degrees: float | None) -> float | None:
    return None if degrees is None else round(degrees, 6)


def with_changes(segment: Segment, **changes: object) -> Segment:
    """Return the segment with changed fields."""
    return segment.model_copy(update=changes)


IRREGULAR_TRIPS = {
    "out, stay and back for two": trip(OUT, STAY, BACK, travelers=(ANA, BEN)),
    "rail": trip(with_changes(OUT, type="Rail", from_time_zone="Asia/Dubai", to_time_zone="Asia/Kuwait")),
    "rail by country without a zone": trip(
        with_changes(
            OUT,
            type="Rail",
            from_iata_code="EDB",
            to_iata_code="LDS",
            from_address=Address(city="Edinburgh", country="GB"),
            to_address=Address(city="Leeds", country="United Kingdom"),
        )
    ),
    "hotel by country without a zone": trip(with_changes(STAY, from_address=Address(city="Bonn", country="Germany"))),
    "rail without a zone, beside a flight": trip(OUT, with_changes(OUT, type="Rail")),
    **{
        f"{kind} of codes that are airports elsewhere": trip(
            with_changes(
                OUT,
                type=kind,
                from_iata_code="EDB",
                to_iata_code="LDS",
                from_time_zone="Europe/London",
                to_time_zone="Europe/London",
                from_address=Address(city="Edinburgh", country="GB"),
                to_address=Address(city="Leeds", country="United Kingdom"),
            )
        )
        for kind in KINDS
    },
    **{
        f"{kind} of such codes with coordinates and no zone": trip(
            with_changes(
                OUT,
                type=kind,
                from_iata_code="EDB",
                to_iata_code="LDS",
                from_address=Address(latitude=55.952, longitude=-3.189),
                to_address=Address(latitude=53.795, longitude=-1.547),
            )
        )
        for kind in KINDS
    },
    "codes of cities": trip(with_changes(OUT, from_iata_code="LON", to_iata_code="NYC")),
    "airports that the package misplaces": trip(with_changes(OUT, from_iata_code="BRU", to_iata_code="CUU")),
    "city that its airport serves": trip(with_changes(OUT, from_iata_code="NRT", from_address=Address(city="Narita"))),
    "city of other airports": trip(with_changes(OUT, from_address=Address(city="Leeds"), from_time_zone="Asia/Dubai")),
    "country written out": trip(with_changes(OUT, from_address=Address(country="United Arab Emirates"))),
    "country without an airport": trip(
        with_changes(OUT, to_iata_code="NCE", to_address=Address(country="MC", city="Monaco"))
    ),
    "hotel with one zone, its last": trip(with_changes(STAY, from_time_zone=None, to_time_zone="Asia/Tokyo")),
    "hotel of a street only": trip(
        with_changes(STAY, from_address=Address(street_address="1 Gulf Road"), from_time_zone="Asia/Kuwait")
    ),
    "utc without its z": trip(
        with_changes(OUT, from_date_time="2026-11-20T10:05:00", to_date_time="2026-11-20T11:45:00")
    ),
    "local time with an offset, beside a flight": trip(
        OUT, with_changes(OUT, from_date_time_local="2026-11-20T14:05:00+04:00")
    ),
    "car": trip(with_changes(OUT, type="Car")),
    "car returned where it was picked up": trip(with_changes(STAY, type="Car", to_time_zone="Asia/Kuwait")),
    "small letters": trip(with_changes(OUT, type="air", from_iata_code="auh")),
    "utc only": trip(
        with_changes(
            OUT,
            from_date_time_local=None,
            to_date_time_local=None,
            from_date_time="2026-11-20T10:05:00Z",
            to_date_time="2026-11-20T11:45:00Z",
        )
    ),
    "utc and local time disagree": trip(with_changes(OUT, from_date_time="2026-11-20T09:00:00Z")),
    "zone given": trip(with_changes(OUT, from_time_zone="Asia/Tokyo")),
    "zone nobody knows": trip(with_changes(OUT, from_time_zone="Mars/One")),
    "skipped hour": trip(
        with_changes(OUT, from_iata_code="BER", from_date_time_local="2026-03-29T02:30:00", to_iata_code="LHR")
    ),
    "doubled hour": trip(
        with_changes(OUT, from_iata_code="BER", from_date_time_local="2026-10-25T02:30:00", to_iata_code="LHR")
    ),
    "ends in the doubled hour": trip(
        with_changes(
            OUT,
            type="Car",
            from_iata_code="BER",
            to_iata_code="BER",
            from_date_time_local="2026-10-25T02:50:00",
            to_date_time_local="2026-10-25T02:10:00",
        )
    ),
    "over the date line": trip(
        with_changes(
            OUT,
            from_iata_code="AKL",
            to_iata_code="HNL",
            from_date_time_local="2026-11-20T12:00:00",
            to_date_time_local="2026-11-19T21:30:00",
        )
    ),
    "one segment ends before it begins": trip(OUT, with_changes(BACK, to_date_time_local="2026-11-20T00:00:00")),
    "one segment without a time": trip(OUT, with_changes(BACK, from_date_time_local=None)),
    "one segment of no known kind": trip(OUT, with_changes(BACK, type="Boat")),
    "no coordinates": trip(with_changes(STAY, from_address=Address(city="Somewhere"), from_time_zone="Asia/Kuwait")),
    "no coordinates and no zone, beside one with": trip(OUT, with_changes(STAY, from_address=Address(city="X"))),
    "coordinates 0, 0": trip(
        with_changes(STAY, from_address=Address(city="X", latitude=0, longitude=0), from_time_zone="UTC")
    ),
    "address with a city and an airport": trip(with_changes(OUT, from_address=Address(city="Al Ain", country="ae"))),
    "address with a name only, and an airport": trip(with_changes(OUT, from_address=Address(location_name="Gate 3"))),
    "no destination": trip(with_changes(OUT, to_iata_code=None, to_time_zone="Asia/Kuwait")),
    "airport nobody knows": trip(OUT, with_changes(BACK, from_iata_code="QQQ", from_time_zone="UTC")),
    "hotel with two zones": trip(with_changes(STAY, from_time_zone="Asia/Kuwait", to_time_zone="Asia/Tokyo")),
    "hotel at an airport": trip(with_changes(STAY, from_iata_code="KWI", from_address=Address(city="Kuwait City"))),
    "the same traveller twice": trip(OUT, travelers=(ANA, ANA, BEN)),
    "a traveller nobody can match": trip(OUT, travelers=(ANA, Passenger(email_addresses=["no@body.org"]))),
    "travellers without an employee id": trip(
        OUT,
        travelers=(
            Passenger(first_name="Una", last_name="Known", email_addresses=["una@x.org", "u.known@x.org"]),
            Passenger(first_name="Una", last_name="Known"),
            Passenger(first_name="una", email_addresses=["U.Known@x.org"]),
            Passenger(first_name="Only", last_name="Named"),
            Passenger(first_name="ONLY", last_name="named"),
            Passenger(last_name="Mononym"),
        ),
    ),
    "travellers who share an address": trip(
        OUT,
        travelers=(
            Passenger(first_name="Guy", last_name="One", email_addresses=["office@x.org"]),
            Passenger(first_name="Guy", last_name="Two", email_addresses=["Office@x.org"]),
        ),
    ),
}


@pytest.mark.parametrize("name", IRREGULAR_TRIPS)
def test_an_irregular_trip_is_predicted_like_the_service_expects_it(service: RunningService, name: str) -> None:
    """Every irregular case separately."""
    itinerary = IRREGULAR_TRIPS[name]
    with service.client() as client:
        # Sent as JSON, because the client refuses some of these trips.
        answer = service.http.post(f"/itineraries/{service.organization_id}", json=itinerary.to_wire())
        assert answer.status_code == 200, answer.text
        locations = list(client.itineraries.list_expected_locations(int(answer.json()["id"])))
    assert expected_keys(locations) == predicted_keys(itinerary)
    assert locations


def test_many_generated_trips_are_predicted_like_the_service_expects_them(service: RunningService) -> None:
    """Random flights and stays between real airports, the same on every run."""
    chance = random.Random(SEED)
    trips = [_invented(chance, number) for number in range(TRIPS)]
    with service.client() as client:
        for itinerary in trips:
            made = client.itineraries.create(itinerary)
            locations = list(client.itineraries.list_expected_locations(made.id))
            assert expected_keys(locations) == predicted_keys(itinerary), itinerary.to_wire()


def test_the_trips_of_the_demo_are_predicted_like_the_service_expects_them(demo_service: RunningService) -> None:
    """Every fifteenth trip of the demo organization, as it was stored."""
    rows = _demo_documents(demo_service)
    assert len(rows) > 1000
    compared = 0
    with demo_service.client() as client:
        for itinerary_id, document in rows[::DEMO_EVERY]:
            itinerary = Itinerary.model_validate(document)
            locations = list(client.itineraries.list_expected_locations(itinerary_id))
            assert expected_keys(locations) == predicted_keys(itinerary), document
            compared += len(locations)
    assert compared > 300


def _demo_documents(service: RunningService) -> list[tuple[int, dict[str, object]]]:
    with sqlite3.connect(service.database_url.removeprefix("sqlite:///")) as database:
        found = database.execute("SELECT id, document FROM itineraries WHERE status = 'A' ORDER BY id").fetchall()
    database.close()
    return [(int(row[0]), json.loads(row[1])) for row in found]


def _invented(chance: random.Random, number: int) -> Itinerary:
    airports = list(all_airports().values())
    segments, at = [], datetime(2026, 3, 1, tzinfo=UTC) + timedelta(hours=chance.randrange(8000))
    for _ in range(chance.randint(1, 4)):
        kind, origin, destination = chance.choice(KINDS), chance.choice(airports), chance.choice(airports)
        ends = at + timedelta(minutes=chance.randrange(30, 4000))
        with_address = kind != "Air" or chance.random() < 0.2
        segments.append(
            Segment(
                type=kind,
                from_iata_code=origin.iata if kind != "Hotel" else None,
                to_iata_code=destination.iata if kind != "Hotel" else None,
                from_address=_address(chance, origin.city, origin.country) if with_address else None,
                from_date_time_local=f"{at:%Y-%m-%dT%H:%M:%S}",
                to_date_time_local=f"{ends:%Y-%m-%dT%H:%M:%S}",
                from_time_zone=chance.choice([None, "Asia/Tokyo", origin.time_zone]) if kind != "Hotel" else "UTC",
            )
        )
        at = ends + timedelta(hours=chance.randrange(48))
    people = [
        Passenger(employee_id=f"P{number}-{each}", first_name="Pat", last_name=f"Number {each}")
        for each in range(chance.randint(1, 3))
    ]
    # One valid segment, so that the service accepts the trip.
    return Itinerary(pnr=f"INV{number:03d}", segments=[OUT, *segments], passengers=people)


def _address(chance: random.Random, city: str, country: str) -> Address:
    if chance.random() < 0.5:
        return Address(location_name="Somewhere", city=city or "X", country=country)
    return Address(
        city=city or "X",
        country=country,
        latitude=round(chance.uniform(-85, 85), 4),
        longitude=round(chance.uniform(-179, 179), 4),
    )
