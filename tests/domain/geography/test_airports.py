"""Airports by code and by search."""

import time
from typing import Any

import pytest

from client.vocabulary.airports import CITY_CODES
from domain.geography.airports import (
    COORDINATES_WITHIN_KM,
    airport,
    airport_choices,
    airport_meant,
    airport_of_icao,
    all_airports,
    search_airports,
    zone_of_city,
    zone_of_place,
)
from domain.geography.countries import all_countries
from domain.geography.distance import great_circle_km
from domain.geography.time_zones import all_zones


def find_codes(text: str, limit: int = 20) -> list[str]:
    return [found.iata for found in search_airports(text, limit)]


def test_an_airport_is_found_by_its_code_in_any_case_and_with_blanks() -> None:
    singapore = airport(" sin ")
    assert singapore is not None
    assert (singapore.iata, singapore.city, singapore.country) == ("SIN", "Singapore", "SG")
    assert singapore.latitude == pytest.approx(1.35, abs=0.01)
    assert singapore.longitude == pytest.approx(103.99, abs=0.01)
    assert singapore.time_zone == "Asia/Singapore"


@pytest.mark.parametrize("code", ["", None, "QQQ", "SI", "SINX"])
def test_an_unknown_code_has_no_airport(code: str | None) -> None:
    assert airport(code) is None


@pytest.mark.parametrize(
    ("code", "latitude", "longitude"),
    [
        ("BRU", 50.901, 4.484),  # degrees and minutes read as decimals
        ("LUX", 49.623, 6.204),
        ("NDA", -4.521, 129.905),  # on another island
        ("TLI", 1.123, 120.794),  # south instead of north
        ("KMG", 25.110, 102.937),  # moved to a new airport
        ("NLA", -12.962, 28.517),  # moved, and the other source has the old one
        ("KIV", 46.928, 28.931),  # lacking
    ],
)
def test_wrong_positions_in_the_data_package_are_corrected(code: str, latitude: float, longitude: float) -> None:
    found = airport(code)
    assert found is not None
    assert (found.latitude, found.longitude) == pytest.approx((latitude, longitude), abs=0.01)


@pytest.mark.parametrize(
    ("code", "city"),
    [("PNH", "Phnom Penh"), ("FRU", "Bishkek"), ("TSE", "Astana"), ("SXF", "Berlin"), ("TXL", "Berlin")],
)
def test_a_former_airport_code_is_known(code: str, city: str) -> None:
    found = airport(code)
    assert found is not None
    assert (found.iata, found.city) == (code, city)


def test_a_city_code_is_a_city_with_its_airports() -> None:
    london = airport("lon")
    assert london is not None
    assert (london.city, london.time_zone, london.city_airports[0]) == ("London", "Europe/London", "LHR")
    assert (london.latitude, london.longitude) == pytest.approx((51.507, -0.128))
    assert london.label == "LON · Any airport, London"
    assert "LON" not in all_airports()


def test_every_airport_of_a_city_is_known_and_near() -> None:
    for code, city in CITY_CODES.items():
        for each in city["airports"]:
            port = all_airports()[each]
            distance = great_circle_km(city["lat"], city["lon"], port.latitude, port.longitude)
            assert distance < COORDINATES_WITHIN_KM, (code, each)


def test_an_airport_with_or_without_an_iata_code_is_found_by_its_icao_code() -> None:
    arlanda, harle, manas = map(airport_of_icao, ("essa", "EDXP", "UCFM"))
    assert arlanda is not None
    assert arlanda.iata == "ARN"
    assert harle is not None
    assert (harle.iata, harle.city) == ("", "Harlesiel")
    assert manas is not None
    assert manas.iata == "BSZ"
    assert airport_of_icao("QQQQ") is None


@pytest.mark.parametrize(
    ("code", "city", "country", "state", "zone"),
    [
        ("CUU", "Chihuahua", "MX", "", "America/Chihuahua"),
        ("CJS", "Ciudad Juarez", "MX", "", "America/Ciudad_Juarez"),
        ("UUS", "Yuzhno-Sakhalinsk", "RU", "", "Asia/Sakhalin"),
        ("BUA", "Buka Island", "PG", "", "Pacific/Bougainville"),
        ("LON", "London", "GB", "", "Europe/London"),
        ("NYC", "New York", "US", "NY", "America/New_York"),
    ],
)
def test_an_airport_its_position_and_its_city_have_the_same_zone(
    code: str, city: str, country: str, state: str, zone: str
) -> None:
    port = airport(code)
    assert port is not None
    assert zone_of_place(port, None) == zone
    assert zone_of_place(None, (port.latitude, port.longitude)) == zone
    assert zone_of_city(city, country, state) == zone


@pytest.mark.parametrize("kind", ["Air", "Car", "Hotel"])
@pytest.mark.parametrize(
    ("address", "is_match"),
    [
        ({}, True),
        ({"country": "SD"}, True),
        ({"country": "Sudan", "city": "El Debba"}, True),
        ({"city": "A village"}, True),
        ({"latitude": 18.3, "longitude": 31.2}, True),
        ({"country": "GB"}, False),
        ({"country": "United Kingdom"}, False),
        ({"city": "Edinburgh"}, False),
        ({"latitude": 55.952, "longitude": -3.189}, False),
    ],
)
def test_a_code_means_its_airport_unless_the_address_is_far_away(
    kind: str, address: dict[str, Any], is_match: bool
) -> None:
    found = airport_meant(kind, "edb", **address)
    assert found == (airport("EDB") if is_match else None)


@pytest.mark.parametrize(
    ("code", "country"),
    [
        *(("RUN", "FR"), ("RUN", "RE"), ("RUN", "France"), ("SJU", "PR"), ("SJU", "US"), ("STT", "US Virgin Islands")),
        *(("HKG", "CN"), ("GIB", "GB"), ("CUR", "NL"), ("JER", "United Kingdom"), ("SXM", "FR"), ("PRN", "RS")),
        *(("BSL", "CH"), ("BSL", "DE"), ("GVA", "FR"), ("SIN", "MY")),
        *(("FCO", "VA"), ("NCE", "Monaco"), ("RMI", "SM"), ("TLS", "AD"), ("ZRH", "LI"), ("AMM", "PS")),
    ],
)
def test_an_address_may_name_the_country_of_a_territory_or_a_neighboring_country(code: str, country: str) -> None:
    assert airport_meant("Air", code, country=country) == airport(code)


@pytest.mark.parametrize(
    ("code", "address"),
    [
        ("SIN", {"country": "US"}),
        ("RUN", {"country": "GB"}),
        ("RUN", {"country": "MU"}),
        ("RUN", {"country": "FR", "city": "Nouméa"}),
        ("CDG", {"country": "GP"}),
        ("RUN", {"country": "GP"}),
        ("MXP", {"country": "VA"}),
        ("SIN", {"country": "MY", "city": "Kuala Lumpur"}),
    ],
)
def test_an_address_far_away_does_not_match_a_territory_or_a_neighboring_country(
    code: str, address: dict[str, str]
) -> None:
    assert airport_meant("Air", code, **address) is None


def test_a_code_of_a_train_segment_is_not_an_airport() -> None:
    assert airport_meant("Rail", "EDB") is None
    assert airport_meant("rail", "EDI", city="Edinburgh", country="GB") is None


@pytest.mark.parametrize(
    ("city", "country", "state", "zone"),
    [
        ("Madrid", "Spain", None, "Europe/Madrid"),
        ("são paulo", "BR", "", "America/Sao_Paulo"),
        ("Toronto", "CA", None, "America/Toronto"),
        ("New York", "US", "NY", "America/New_York"),
        ("Portland", "US", "OR", "America/Los_Angeles"),
        ("Portland", "US", "Maine", "America/New_York"),
        ("Anaheim", "US", "CA", "America/Los_Angeles"),
        ("São Paulo", "BR", "SP", "America/Sao_Paulo"),
        (None, "US", "NY", "America/New_York"),
    ],
)
def test_a_city_is_in_the_zone_of_its_airports(city: str | None, country: str, state: str | None, zone: str) -> None:
    assert zone_of_city(city, country, state) == zone


@pytest.mark.parametrize(
    ("city", "country", "state"),
    [
        ("Portland", "US", None),
        ("Portland", "US", "TX"),
        ("Madrid", None, None),
        ("Madrid", "FR", None),
        ("", "US", None),
    ],
)
def test_an_ambiguous_or_unknown_city_has_no_zone(city: str | None, country: str | None, state: str | None) -> None:
    assert zone_of_city(city, country, state) is None


def test_the_airport_with_the_typed_code_comes_first() -> None:
    assert find_codes("fra")[0] == "FRA"
    assert find_codes("SIN")[0] == "SIN"


@pytest.mark.parametrize("text", ["LON", "london"])
def test_a_metropolitan_code_or_name_finds_all_its_airports_first(text: str) -> None:
    assert set(find_codes(text)[:6]) == {"LHR", "LGW", "LCY", "STN", "LTN", "SEN"}


def test_an_airport_in_use_comes_before_a_closed_one() -> None:
    assert find_codes("bishkek")[:2] == ["BSZ", "FRU"]


def test_a_search_ignores_accents_and_case() -> None:
    assert "ZRH" in find_codes("ZÜRICH")
    assert "GRU" in find_codes("são paulo")
    assert find_codes("sao paulo") == find_codes("São Paulo")


def test_all_words_must_match_in_any_order() -> None:
    assert find_codes("new york kennedy")[0] == "JFK"
    assert find_codes("kennedy new york")[0] == "JFK"
    assert find_codes("kennedy zanzibar") == []


def test_a_country_finds_its_airports() -> None:
    assert "KWI" in find_codes("kuwait")


def test_a_search_without_text_or_with_a_limit_of_0_finds_nothing() -> None:
    assert find_codes("") == []
    assert find_codes("  -- ") == []
    assert find_codes("london", 0) == []
    assert len(find_codes("international", 7)) == 7


def test_a_label_has_the_code_the_airport_and_the_city() -> None:
    found = airport("CDG")
    assert found is not None
    assert found.label == "CDG · Charles de Gaulle International Airport, Paris"


def test_every_airport_has_a_valid_position_country_and_zone() -> None:
    countries = all_countries()
    assert len(all_airports()) > 7000
    for code, each in all_airports().items():
        assert len(code) == 3
        assert -90 <= each.latitude <= 90
        assert -180 <= each.longitude <= 180
        assert each.country in countries
        assert each.time_zone is None or each.time_zone in all_zones() or each.time_zone.startswith("Etc/")


def test_a_search_is_fast_enough_for_each_letter_typed() -> None:
    search_airports("warm")
    began = time.process_time()
    for text in ("l", "lo", "lon", "lond", "london"):
        search_airports(text)
    assert (time.process_time() - began) / 5 < 0.1


@pytest.mark.parametrize(
    ("text", "codes"),
    [("LHR", []), ("l", []), ("lon", ["LHR", "LGW", "STN", "LTN", "LCY", "SEN"]), ("heathrow", ["LHR"]), ("QQQ", [])],
)
def test_the_airports_offered_are_those_that_match_the_typed_text(text: str, codes: list[str]) -> None:
    assert [each.iata for each in airport_choices(text)] == codes
