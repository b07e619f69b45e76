"""Airports and cities in files: city codes, closed airports, ICAO codes, and codes next to names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from domain.file_import.checking import Check
from domain.geography.place_text import read_place
from tests.domain.trips.trip_import.outcomes import check_of

CASES = Path(__file__).parents[3] / "cases"


@pytest.fixture(scope="module")
def city_codes() -> Check:
    path = CASES / "city-codes.csv"
    return check_of(path.read_bytes(), path.name)


def segment_of(check: Check, locator: str) -> dict[str, Any]:
    [trip] = [item.payload for item in check.outgoing() if item.label == locator]
    [segment] = trip["segments"]
    return dict(segment)


@pytest.mark.parametrize(
    ("locator", "codes", "zones"),
    [
        ("COD001", ("LON", "NYC"), ("Europe/London", "America/New_York")),
        ("COD002", ("PAR", "TYO"), ("Europe/Paris", "Asia/Tokyo")),
        ("COD003", ("EAP", "GVA"), ("Europe/Zurich", "Europe/Zurich")),
        ("COD004", ("PNH", "FRU"), ("Asia/Phnom_Penh", "Asia/Bishkek")),
        ("COD005", ("BRU", "LUX"), ("Europe/Brussels", "Europe/Luxembourg")),
        ("COD008", ("LON", "PAR"), ("Europe/London", "Europe/Paris")),
    ],
)
def test_city_codes_city_names_and_closed_airports_are_read(
    city_codes: Check, locator: str, codes: tuple[str, str], zones: tuple[str, str]
) -> None:
    segment = segment_of(city_codes, locator)
    assert (segment["fromIataCode"], segment["toIataCode"]) == codes
    assert (segment["fromTimeZone"], segment["toTimeZone"]) == zones


def test_the_airports_of_a_city_are_listed_at_its_cell(city_codes: Check) -> None:
    [(words, is_error)] = city_codes.cell_messages(0)["fromPlace"]
    assert "Airports: LHR, LGW, STN, LTN, LCY, SEN." in words
    assert not is_error


def test_an_unknown_code_is_an_error_for_a_flight_and_a_station_for_a_train(city_codes: Check) -> None:
    flight, train = 5, 6
    assert city_codes.cell_messages(flight)["fromPlace"] == [
        ("No airport or city has this code. Correct the code, or enter coordinates.", True)
    ]
    assert city_codes.is_ready.tolist() == [row not in (flight, train) for row in range(8)]
    assert [words[:37] for words, _ in city_codes.cell_messages(train)["fromPlace"]] == [
        "The time zone of this place isn’t kno"
    ]


def test_codes_in_parentheses_after_a_name_are_read() -> None:
    path = CASES / "airport-name-with-codes.csv"
    check = check_of(path.read_bytes(), path.name)
    places = [[each.code for each in check.rows.values[f"{side}Place"]] for side in ("from", "to")]
    assert places == [["ARN", "", "DMM", "DUD"], ["CPH", "AGE", "DOH", "CHC"]]
    harle = segment_of(check, "FR2402")["fromAddress"]
    assert (harle["locationName"], harle["city"], harle["country"]) == ("Harle Airport", "Harlesiel", "DE")
    assert (harle["latitude"], harle["longitude"]) == pytest.approx((53.707, 7.820), abs=0.001)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("EGLL", "LHR"),
        ("London Heathrow (LHR)", "LHR"),
        ("Heathrow [EGLL]", "LHR"),
        ("London (LHR - EGLL)", "LHR"),
        ("Heathrow (EGLL/LHR)", "LHR"),
        ("EGLL - Heathrow", "LHR"),
        ("Heathrow - LHR", "LHR"),
        ("lon", "LON"),
        ("Hannover (XYZ)", "XYZ"),
    ],
)
def test_a_code_is_found_anywhere_in_the_text(text: str, code: str) -> None:
    assert read_place(text).code == code


@pytest.mark.parametrize("text", ["LIMA", "Hannover Hbf", "QQQQ", "Paris (Gare de Lyon)", "Terminal (T2/ABCD)"])
def test_a_name_is_not_a_code(text: str) -> None:
    place = read_place(text)
    assert (place.code, place.name, place.airport) == ("", text, None)


def test_routes_accept_icao_codes_and_hotel_cities_accept_codes() -> None:
    flight, stay = check_of(
        "Record locator,Traveller,Route,Hotel,Hotel city,Date,Time,Arrives,Check-in,Check-out\n"
        "AAAAA1,DOE/ANN,EGLL-KJFK,,,2026-03-10,10:00,2026-03-10 13:00,,\n"
        "AAAAA2,DOE/ANN,,Grand,NYC,,,,2026-03-10,2026-03-12\n"
    ).outgoing()
    assert [flight.payload["segments"][0][f"{x}IataCode"] for x in ("from", "to")] == ["LHR", "JFK"]
    [hotel] = stay.payload["segments"]
    assert (hotel["fromIataCode"], hotel["fromTimeZone"]) == ("NYC", "America/New_York")


@pytest.mark.parametrize(
    ("city", "address"),
    [
        ("Paris (PAR)", {"city": "Paris", "country": "FR"}),
        ("Munich - MUC", {"city": "Munich", "country": "DE"}),
        ("Versailles (PAR)", {"city": "Versailles", "country": "FR"}),
        ("London (YXU)", {"city": "London", "country": "CA", "state": "ON"}),
        ("Springfield (SGF)", {"city": "Springfield", "country": "US", "state": "MO"}),
    ],
)
def test_a_hotel_is_in_the_city_next_to_a_code_and_not_at_its_airport(city: str, address: dict[str, str]) -> None:
    [stay] = check_of(
        "Record locator;Traveller;Type;From;To;Departs;Arrives;Hotel;Hotel city;Check-in;Check-out\n"
        f"AAAAA1;DOE/ANN;Hotel;;;;;Grand;{city};2026-03-10;2026-03-12\n"
        f"AAAAA1;DOE/ANN;Hotel;{city};;2026-03-10;2026-03-12;Grand;;;\n"
    ).outgoing()
    for hotel in stay.payload["segments"]:
        assert hotel["fromAddress"] == {"locationName": "Grand", **address}
        assert "fromIataCode" not in hotel


def test_a_station_is_in_the_city_next_to_its_code() -> None:
    [trip] = check_of(
        "Record locator;Traveller;Type;From;To;Departs;Arrives\n"
        "AAAAA1;DOE/ANN;Rail;Paris (PLY);Lyon (LPD);2026-03-10 08:00;2026-03-10 10:00\n"
        "AAAAA1;DOE/ANN;Rail;Halle(Saale)Hbf;Erfurt Hbf;2026-03-11 08:00;2026-03-11 10:00\n"
    ).outgoing()
    train, other = trip.payload["segments"]
    assert other["fromAddress"] == {"locationName": "Halle(Saale)Hbf", "city": "Halle", "country": "DE"}
    assert (train["fromIataCode"], train["fromAddress"]) == ("PLY", {"city": "Paris", "country": "FR"})


def test_a_station_in_a_column_for_cities_is_in_its_city() -> None:
    [trip] = check_of(
        "Record locator;Traveller;Type;Start city;End city;Departs;Arrives\n"
        "AAAAA1;DOE/ANN;Rail;Boston South Station;New York Penn Station;2026-03-10 08:00;2026-03-10 12:00\n"
    ).outgoing()
    [train] = trip.payload["segments"]
    assert train["fromAddress"] == {"locationName": "Boston South Station", "city": "Boston", "country": "US"}
    assert train["toAddress"] == {"locationName": "New York Penn Station", "city": "New York", "country": "US"}


def test_codes_and_names_under_the_heading_for_a_carrier_are_told_apart() -> None:
    trips = check_of(
        "Dossier;Passager;Prestation;Cie;N° vol;Ville départ;Ville arrivée;Date départ;Date arrivée;Fournisseur\n"
        "AAAAA1;DOE/ANN;Avion;AF;6;CDG;JFK;2026-03-10 08:00;2026-03-10 12:00;\n"
        "AAAAA2;DOE/ANN;Avion;Air France;6;CDG;JFK;2026-03-10 08:00;2026-03-10 12:00;\n"
        "AAAAA3;DOE/ANN;Hôtel;;;Vienne;;2026-03-10;2026-03-12;Hotel Sacher\n"
    ).outgoing()
    code, name, hotel = (trip.payload["segments"][0] for trip in trips)
    assert (code["supplierCode"], code["airRailNumber"]) == ("AF", "AF6")
    assert (name["supplierName"], name["airRailNumber"]) == ("Air France", "6")
    assert hotel["supplierName"] == "Hotel Sacher"
