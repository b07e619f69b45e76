"""Places of segments: which codes are airports and which are not."""

from __future__ import annotations

from typing import Any

import pytest

from domain.geography.airports import airport
from service.itineraries.models import Address
from service.itineraries.segment_places import Located, Place, airports, locate, zone_at

EDINBURGH = {"city": "Edinburgh", "country": "GB"}
EL_DEBBA = (18.025, 30.9583)


def locate_end(kind: str, code: str | None, **address: Any) -> Located:
    """Return the location of one end of a segment."""
    found = locate(kind, Address.model_validate(address) if address else None, code)
    assert found is not None
    return found


def coordinates_of(place: Place) -> tuple[float, float] | None:
    """Return the coordinates of a place."""
    return None if place.latitude is None or place.longitude is None else (place.latitude, place.longitude)


@pytest.mark.parametrize("address", [{}, EDINBURGH, {"city": "El Debba"}, {"country": "SD"}])
def test_a_train_code_is_not_an_airport_code(address: dict[str, str]) -> None:
    """The code is a station's, whatever the other fields are."""
    found = locate_end("Rail", "EDB", **address)
    zone = {"GB": "Europe/London", "SD": "Africa/Khartoum"}.get(address.get("country", ""))
    assert (coordinates_of(found.place), found.time_zone) == (None, zone)
    assert (found.place.city, found.place.country) == (address.get("city"), address.get("country"))
    assert (found.place.iata, found.place.location_name, found.place.state) == ("EDB", None, None)


@pytest.mark.parametrize("kind", ["Air", "Car", "Hotel"])
@pytest.mark.parametrize(
    "address",
    [
        EDINBURGH,
        {"city": "Edinburgh"},
        {"country": "gb"},
        {"country": "GBR"},
        {"country": "United Kingdom"},
        {"city": "ÉDINBURGH", "country": "Nowhereland"},
    ],
)
def test_an_airport_far_from_the_address_is_not_used(kind: str, address: dict[str, str]) -> None:
    """By country or by city."""
    found = locate_end(kind, "EDB", **address)
    assert (coordinates_of(found.place), found.place.location_name) == (None, None)
    assert found.time_zone in (None, "Europe/London")
    assert (found.place.city, found.place.country) == (
        address.get("city"),
        (address.get("country") or "").upper() or None,
    )


@pytest.mark.parametrize("kind", ["Air", "Car", "Hotel"])
@pytest.mark.parametrize(
    ("code", "address"),
    [
        ("EDB", {}),
        ("edb", {"country": "Sudan"}),
        ("EDB", {"city": "el-debba", "country": "SD"}),
        # Unknown towns and unreadable countries do not matter.
        ("EDB", {"city": "Abri", "country": "As-Sudan"}),
    ],
)
def test_an_airport_fills_in_missing_fields_of_its_address(kind: str, code: str, address: dict[str, str]) -> None:
    """Position and time zone."""
    found = locate_end(kind, code, **address)
    assert (coordinates_of(found.place), found.time_zone) == (EL_DEBBA, "Africa/Khartoum")
    assert found.place.location_name == (None if kind == "Hotel" else "El Debba Airport")


@pytest.mark.parametrize(
    ("code", "city"), [("NRT", "Tokyo"), ("NRT", "Narita"), ("BVA", "Paris"), ("BHM", "Birmingham"), ("MUC", "München")]
)
def test_a_city_served_by_an_airport_matches_it(code: str, city: str) -> None:
    """However distant the city is, and whichever city of that name it is."""
    assert coordinates_of(locate_end("Air", code, city=city).place) is not None


@pytest.mark.parametrize(
    ("code", "country", "is_matched"),
    [
        *(("RUN", "FR", True), ("RUN", "RE", True), ("SJU", "PR", True), ("BSL", "CH", True), ("SXM", "FR", True)),
        *(("SIN", "US", False), ("RUN", "GB", False), ("CDG", "GP", False)),
    ],
)
def test_an_airport_matches_its_sovereign_country_or_a_town_across_the_border(
    code: str, country: str, is_matched: bool
) -> None:
    assert (coordinates_of(locate_end("Air", code, country=country).place) is not None) is is_matched


@pytest.mark.parametrize("kind", ["Air", "Rail", "Car", "Hotel"])
def test_given_coordinates_win(kind: str) -> None:
    """Their time zone too; an airport far from them is not used. KYO is in Florida."""
    found = locate_end(kind, "KYO", latitude=53.958, longitude=-1.093)
    assert (coordinates_of(found.place), found.time_zone) == ((53.958, -1.093), "Europe/London")
    assert (found.place.city, found.place.country, found.place.location_name) == (None, None, None)


def test_coordinates_near_the_airport_keep_its_names() -> None:
    """Coordinates of the terminal, for example."""
    found = locate_end("Air", "EDI", latitude=55.948, longitude=-3.364)
    assert (found.place.city, found.place.location_name, found.time_zone) == (
        "Edinburgh",
        "Edinburgh Airport",
        "Europe/London",
    )
    assert coordinates_of(found.place) == (55.948, -3.364)


def test_zero_coordinates_count_as_missing() -> None:
    """Assumption A9."""
    assert coordinates_of(locate_end("Hotel", None, city="Leeds", latitude=0, longitude=0).place) is None


@pytest.mark.parametrize(
    ("country", "zone"),
    [
        ("GB", "Europe/London"),
        ("Germany", "Europe/Berlin"),
        ("KW", "Asia/Kuwait"),
        ("ES", None),
        ("USA", None),
        ("Nowhereland", None),
        (None, None),
    ],
)
def test_a_country_with_one_time_zone_provides_it(country: str | None, zone: str | None) -> None:
    """Assumption A201; Germany has two zones with the same time."""
    assert locate_end("Hotel", None, city="A town", country=country).time_zone == zone


@pytest.mark.parametrize(
    ("code", "name", "city", "where", "zone"),
    [
        ("BRU", "Brussels Airport", "Brussels", (50.901, 4.484), "Europe/Brussels"),
        ("REX", "General Lucio Blanco International Airport", "Reynosa", (26.009, -98.228), "America/Matamoros"),
        ("PNH", "Phnom Penh International Airport", "Phnom Penh", (11.547, 104.844), "Asia/Phnom_Penh"),
        ("LON", None, "London", (51.507, -0.128), "Europe/London"),
    ],
)
def test_a_flight_without_an_address_uses_the_corrected_airport_table(
    code: str, name: str | None, city: str, where: tuple[float, float], zone: str
) -> None:
    found = locate_end("Air", code)
    assert coordinates_of(found.place) == pytest.approx(where, abs=0.001)
    assert (found.place.location_name, found.place.city, found.place.iata) == (name, city, code)
    assert found.time_zone == zone


def test_service_and_dashboard_locate_every_code_at_the_same_place() -> None:
    for code, row in airports().items():
        port = airport(code)
        assert port is not None
        assert (port.latitude, port.longitude, port.country) == (row["lat"], row["lon"], row["country"])
        assert port.time_zone == zone_at(row["lat"], row["lon"]), code
