"""Areas as typed text."""

from __future__ import annotations

import pytest

from domain.incidents.area import Area, AreaError
from domain.incidents.area_text import parse_area, parse_distance_km
from tests.domain.incidents.test_area import distances

KATHMANDU, POKHARA, DELHI = (27.7172, 85.324), (28.209, 83.959), (28.61, 77.21)


def contains_cities(area: Area) -> list[bool]:
    return [distance == 0 for distance in distances(area, KATHMANDU, POKHARA, DELHI)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("40 km around Kathmandu", [True, False, False]),
        ("25mi around Kathmandu, Nepal", [True, False, False]),
        ("40 km around 27.7172, 85.3240", [True, False, False]),
        ("40km around KTM", [True, False, False]),
        ("circle:27.7172,85.3240,40km", [True, False, False]),
        ("airport:ktm,40km", [True, False, False]),
        ("country:NP", [True, True, False]),
        ("country:NP,India", [True, True, True]),
        ("Nepal", [True, True, False]),
        ("25 km around Katmandu", [True, False, False]),
        ("25 km around Tribhuvan", [True, False, False]),
        ("rectangle:27,83,29,86", [True, True, False]),
        ("polygon:27,85 27,86 28,86 28,85", [True, False, False]),
        ("circle:28.6,77.2,10km; airport:KTM,10km", [True, False, True]),
    ],
)
def test_written_areas_are_read(text: str, expected: list[bool]) -> None:
    assert contains_cities(parse_area(text)) == expected


@pytest.mark.parametrize(
    ("text", "label", "latitude", "longitude"),
    [
        ("Birmingham, Alabama", "25 km around Birmingham, AL", 33.52, -86.81),
        ("40 km around Birmingham, AL", "40 km around Birmingham, AL", 33.52, -86.81),
        ("Washington, DC", "25 km around Washington, DC", 38.9, -77.04),
        ("Birmingham, United Kingdom", "25 km around Birmingham, United Kingdom", 52.48, -1.9),
    ],
)
def test_a_city_can_be_written_with_its_state(text: str, label: str, latitude: float, longitude: float) -> None:
    area = parse_area(text)
    assert area.label == label
    assert distances(area, (latitude, longitude)) == [0]


def test_a_code_of_both_a_state_and_a_country_is_ambiguous() -> None:
    with pytest.raises(AreaError, match="“Salem, IN” is in Indiana and in India"):
        parse_area("10 km around Salem, IN")


def test_swapped_coordinates_are_asked_about() -> None:
    with pytest.raises(AreaError, match=r"Did you mean 27\.7, 95\.3\?"):
        parse_area("40 km around 95.3, 27.7")
    (note,) = parse_area("40 km around 85.3, 27.7").notes
    assert note == "“40 km around 85.3, 27.7” is on land only if latitude and longitude are swapped. Check their order."
    assert parse_area("40 km around 27.7, 85.3").notes == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The area is empty."),
        ("somewhere", "“somewhere” isn’t an area. Enter an area such as"),
        ("40 km around Nowhereville", "Muster does not know where “Nowhereville” is."),
        ("40 km around Springfield", "Several places are called “Springfield”."),
        ("40 km around Kathmandu, Xyz", "“Xyz” isn’t a country."),
        ("far around Kathmandu", "“far” isn’t a distance."),
        ("circle:27.7,85.3", "Enter a circle as circle:LATITUDE,LONGITUDE,RADIUS"),
        ("airport:KTM", "Enter an airport with a radius"),
        ("rectangle:1,2,3", "Enter a rectangle as"),
        ("rectangle:30,80,20,90", "The southern edge of the rectangle is north of its northern edge."),
        ("polygon:27,85 here", "Enter each corner of a polygon as"),
    ],
)
def test_an_unreadable_area_has_a_message_with_advice(text: str, message: str) -> None:
    with pytest.raises(AreaError) as error:
        parse_area(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "kilometers"), [("40 km", 40), ("25mi", 40.2336), ("10 nm", 18.52), ("500 m", 0.5), ("7", 7)]
)
def test_a_distance_has_a_unit_or_is_in_kilometers(text: str, kilometers: float) -> None:
    assert parse_distance_km(text) == pytest.approx(kilometers)
