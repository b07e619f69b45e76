"""A city is found by its other names and not by the names of other cities."""

import pytest

from domain.geography.city_names import names_of_city
from domain.geography.countries import names_of_country


@pytest.mark.parametrize(
    ("city", "country", "other"),
    [
        ("Munich", "DE", "munchen"),
        ("München", "DE", "munich"),
        ("Muenchen", "DE", "munich"),
        ("Geneva", "CH", "genf"),
        ("Den Haag", "NL", "the hague"),
        ("Ho Chi Minh City", "VN", "saigon"),
        ("New York", "US", "nueva york"),
    ],
)
def test_a_city_is_known_by_its_names_in_other_languages_and_from_other_times(
    city: str, country: str, other: str
) -> None:
    assert other in names_of_city(city, country)


def test_a_name_that_contains_another_city_is_excluded() -> None:
    assert "monaco di baviera" not in names_of_city("Munich", "DE")
    assert "orange" not in names_of_city("New York", "US")


@pytest.mark.parametrize(("city", "country"), [("", "DE"), ("Munich", "FR"), ("Munich", ""), ("Nowhere", "DE")])
def test_an_unknown_city_has_no_other_names(city: str, country: str) -> None:
    assert names_of_city(city, country) == ""


def test_a_country_is_known_by_its_names_in_other_languages_and_its_code() -> None:
    assert {"deutschland", "allemagne", "germany", "deu"} <= set(names_of_country("DE").split())
    assert names_of_country("") == ""
