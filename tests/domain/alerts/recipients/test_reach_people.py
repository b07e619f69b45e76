"""The estimated number of residents who receive an alert, without duplicates and with its year."""

from __future__ import annotations

from functools import cache

import pytest

from client.models.public_lookups import Regions
from domain.alerts.recipients.place_names import People, estimate_people
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import us_counties, us_places
from tests.domain.alerts.recipients.sample_regions import CATALOG, region


@cache
def build_catalog() -> RegionCatalog:
    """Return a catalog with place data. Reading it takes a second, so only on first use."""
    return RegionCatalog(
        Regions(
            cities=[region(1, "Boulder", "CO"), region(2, "Mayaguez", "PR"), region(3, "Lyons", "Colorado")],
            zipcodes=[region(80302, "80302", "CO"), region(73301, "73301", "TX"), region(90012, "90012", "CA")],
            counties=[
                region(11, "Boulder County", "CO"),
                region(12, "Larimer", "CO"),
                region(13, "Baltimore city", "MD"),
                region(14, "Baltimore County", "MD"),
                region(15, "Doña Ana County", "NM"),
            ],
        ),
        us_places(),
    )


def estimate_residents(*ids: int) -> int:
    """Return the estimate for places."""
    return estimate_people(ids, build_catalog()).number


def test_the_population_of_a_county_is_the_census_bureau_estimate():
    assert (estimate_residents(11), estimate_residents(12)) == (326_196, 356_899)
    assert (estimate_residents(13), estimate_residents(14)) == (593_490, 827_370)
    assert estimate_residents(15) == 218_195


def test_overlapping_places_are_not_counted_twice():
    assert 0 < estimate_residents(80302) < estimate_residents(1) < estimate_residents(11)
    assert estimate_residents(1, 80302) == estimate_residents(1)
    assert estimate_residents(11, 1, 80302) == estimate_residents(11)
    assert estimate_residents(11, 11) == estimate_residents(11)
    assert estimate_residents(1, 90012) == estimate_residents(1) + estimate_residents(90012)


def test_places_of_unknown_population_are_counted_and_reported():
    assert estimate_people([2], build_catalog()).words == "The population is unknown"
    assert estimate_people([73301], build_catalog()).number == 0
    assert estimate_people([11, 73301], build_catalog()).unknown == 0, "the ZIP code of an office has no residents"
    assert estimate_people([11, 2, 999], build_catalog()) == People(326_196, 2, has_cities=True)
    assert estimate_people([11, 2], build_catalog()).words == (
        "About 330,000 residents, not including 1 place with an unknown population "
        "(Census Bureau estimate for 2019; cities are counted by ZIP code)"
    )
    assert estimate_people([1, 2], CATALOG) == People(0, 2), "the catalog has no place data"


@pytest.mark.parametrize(
    ("number", "text"), [(9, "9"), (87, "87"), (126, "130"), (29_833, "30,000"), (10_039_107, "10,000,000")]
)
def test_an_estimate_is_rounded_to_two_significant_digits(number: int, text: str):
    assert f"About {text} residents" in People(number, 0).words


def test_every_county_is_found_by_its_number_and_its_name():
    counties = us_counties()
    boulder = counties.find_by_name("CO", "boulder")
    assert boulder is not None
    assert counties.find_by_number("08013") is boulder is counties.find_by_name("CO", "Boulder County")
    for state, name, number in (
        ("MD", "Baltimore", "24005"),
        ("MD", "Baltimore city", "24510"),
        ("LA", "Orleans", "22071"),
        ("AK", "Municipality of Anchorage", "02020"),
        ("AK", "City and Borough of Juneau", "02110"),
        ("PR", "Mayagüez", "72097"),
        ("NM", "Dona Ana County", "35013"),
        ("VA", "Falls Church city", "51610"),
    ):
        county = counties.find_by_name(state, name)
        assert county is not None, name
        assert county.number == number
    assert counties.find_by_name("CO", "Nowhere County") is None
