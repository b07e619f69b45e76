"""Nicknames of places, searched among all places of the embedded service."""

from __future__ import annotations

import pytest

from client.models.public_lookups import Regions
from domain.alerts.recipients.region_paste import read_pasted
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_names import NICKNAMES
from domain.alerts.recipients.us_places import us_places
from service.public_lookups.us_regions import list_regions

SEARCHES = (
    # New York City and its boroughs
    ("NYC", "New York, NY · city"),
    ("N.Y.C.", "New York, NY · city"),
    ("New York City", "New York, NY · city"),
    ("new york city ny", "New York, NY · city"),
    ("NY City", "New York, NY · city"),
    ("Manhattan", "New York, NY · city"),
    ("Brooklyn", "Brooklyn, NY · city"),
    ("Brooklyn NY", "Brooklyn, NY · city"),
    ("Kings County", "Kings County, NY · county"),
    ("the Bronx", "Bronx, NY · city"),
    ("Queens", "Queens County, NY · county"),
    ("Queens, New York", "Queens County, NY · county"),
    ("Staten Island", "Richmond County, NY · county"),
    # Abbreviations and nicknames
    ("LA", "Los Angeles, CA · city"),
    ("L.A.", "Los Angeles, CA · city"),
    ("LA county", "Los Angeles County, CA · county"),
    ("L.A. County", "Los Angeles County, CA · county"),
    ("county of Los Angeles", "Los Angeles County, CA · county"),
    ("East LA", "Los Angeles, CA · city"),
    ("SF", "San Francisco, CA · city"),
    ("San Fran", "San Francisco, CA · city"),
    ("DC", "Washington, DC · city"),
    ("D.C.", "Washington, DC · city"),
    ("Washington DC", "Washington, DC · city"),
    ("Washington, D.C.", "Washington, DC · city"),
    ("District of Columbia", "District of Columbia, DC · county"),
    ("Philly", "Philadelphia, PA · city"),
    ("Vegas", "Las Vegas, NV · city"),
    ("N. Las Vegas", "North Las Vegas, NV · city"),
    ("OKC", "Oklahoma City, OK · city"),
    ("KC", "Kansas City, MO · city"),
    ("Kansas City KS", "Kansas City, KS · city"),
    ("SLC", "Salt Lake City, UT · city"),
    ("Salt Lake", "Salt Lake City, UT · city"),
    ("NOLA", "New Orleans, LA · city"),
    ("Orleans Parish", "Orleans Parish, LA · county"),
    ("Indy", "Indianapolis, IN · city"),
    ("Mpls", "Minneapolis, MN · city"),
    ("Twin Cities", "Minneapolis, MN · city"),
    ("Jax", "Jacksonville, FL · city"),
    ("St Thomas", "St Thomas, VI · city"),
    ("Saint Thomas", "St Thomas, VI · city"),
    ("St. Thomas, MO", "Saint Thomas, MO · city"),
    ("Saint Croix", "Christiansted, VI · city"),
    ("PG County", "Prince George's County, MD · county"),
    ("Prince Georges county", "Prince George's County, MD · county"),
    ("Dade County", "Miami-Dade County, FL · county"),
    ("Miami Dade", "Miami-Dade County, FL · county"),
    ("T or C", "Truth Or Consequences, NM · city"),
    ("Truth or Consequences", "Truth Or Consequences, NM · city"),
    ("Big Island", "Hawaii County, HI · county"),
    ("Oahu", "Honolulu County, HI · county"),
    ("Martha's Vineyard", "Dukes County, MA · county"),
    ("Kona", "Kailua Kona, HI · city"),
    ("VA Beach", "Virginia Beach, VA · city"),
    ("KCMO", "Kansas City, MO · city"),
    ("Colo. Springs", "Colorado Springs, CO · city"),
    ("St. Croix", "Christiansted, VI · city"),
    # Boroughs, parishes, and counties without that word or with another one
    ("Borough of Manhattan", "New York, NY · city"),
    ("Brooklyn borough", "Brooklyn, NY · city"),
    ("the borough of Queens", "Queens County, NY · county"),
    ("Mat-Su Borough", "Matanuska-Susitna Borough, AK · county"),
    ("Anchorage borough", "Anchorage Municipality, AK · county"),
    ("Jefferson County, Louisiana", "Jefferson Parish, LA · county"),
    ("Saint Tammany", "St. Tammany Parish, LA · county"),
    ("East Baton Rouge", "East Baton Rouge Parish, LA · county"),
    ("Du Page", "DuPage County, IL · county"),
    ("Queen Annes", "Queen Anne's County, MD · county"),
    # Saints, forts, mounts, and the points of the compass
    ("St. Louis", "Saint Louis, MO · city"),
    ("Saint Louis", "Saint Louis, MO · city"),
    ("St Louis MO", "Saint Louis, MO · city"),
    ("St. Louis County", "St. Louis County, MO · county"),
    ("E. St. Louis", "East Saint Louis, IL · city"),
    ("St. Paul", "Saint Paul, MN · city"),
    ("St. Pete", "Saint Petersburg, FL · city"),
    ("St. George Utah", "Saint George, UT · city"),
    ("St. Tammany", "St. Tammany Parish, LA · county"),
    ("Ste. Genevieve", "Sainte Genevieve, MO · city"),
    ("Sault Ste. Marie", "Sault Sainte Marie, MI · city"),
    ("Ft. Worth", "Fort Worth, TX · city"),
    ("Ft Lauderdale", "Fort Lauderdale, FL · city"),
    ("Mt. Vernon NY", "Mount Vernon, NY · city"),
    ("Pt. Pleasant WV", "Point Pleasant, WV · city"),
    ("So. Bend", "South Bend, IN · city"),
    # Accents, spaces, and apostrophes
    ("Doña Ana", "Dona Ana, NM · city"),
    ("Dona Ana County", "Dona Ana County, NM · county"),
    ("Doña Ana County, NM", "Dona Ana County, NM · county"),
    ("Cañon City", "Canon City, CO · city"),
    ("San José", "San Jose, CA · city"),
    ("Española", "Espanola, NM · city"),
    ("Mayagüez", "Mayaguez, PR · city"),
    ("Coeur d'Alene", "Coeur D Alene, ID · city"),
    ("Coeur dAlene", "Coeur D Alene, ID · city"),
    ("O'Fallon Missouri", "O Fallon, MO · city"),
    ("OFallon IL", "O Fallon, IL · city"),
    ("DeKalb County GA", "DeKalb County, GA · county"),
    ("LaSalle County", "LaSalle County, IL · county"),
    ("Winston-Salem", "Winston Salem, NC · city"),
    ("Wilkes-Barre", "Wilkes Barre, PA · city"),
    # Names that include the kind of place
    ("City of Boulder", "Boulder, CO · city"),
    ("Town of Vail CO", "Vail, CO · city"),
    ("City and County of Denver", "Denver County, CO · county"),
    ("Metro Nashville", "Davidson County, TN · county"),
    ("Baltimore city", "Baltimore city, MD · county"),
    ("Baltimore County", "Baltimore County, MD · county"),
    ("Richmond City", "Richmond City, VA · county"),
    ("Fairbanks North Star Borough", "Fairbanks North Star Borough, AK · county"),
    # County seats and large namesakes
    ("Nashville", "Nashville, TN · city"),
    ("Davidson County", "Davidson County, TN · county"),
    ("Norman", "Norman, OK · city"),
    ("Norman, Oklahoma", "Norman, OK · city"),
    ("Dallas", "Dallas, TX · city"),
    ("Dallas County", "Dallas County, TX · county"),
    ("Orange County California", "Orange County, CA · county"),
    ("Cook County", "Cook County, IL · county"),
    ("Harris County", "Harris County, TX · county"),
    ("King County", "King County, WA · county"),
    ("Joplin", "Joplin, MO · city"),
    ("Charleston SC", "Charleston, SC · city"),
    ("Columbus", "Columbus, OH · city"),
    ("Portland", "Portland, OR · city"),
    ("Portland Maine", "Portland, ME · city"),
    ("Aurora", "Aurora, CO · city"),
    ("Arlington VA", "Arlington, VA · city"),
    ("Jackson", "Jackson, MS · city"),
    ("Boise", "Boise, ID · city"),
    ("Honolulu", "Honolulu, HI · city"),
    ("Hilo", "Hilo, HI · city"),
    ("Anchorage", "Anchorage, AK · city"),
    ("Juneau", "Juneau, AK · city"),
    ("Pittsburgh", "Pittsburgh, PA · city"),
    # State abbreviations from before the two-letter codes
    ("Tampa, Fla.", "Tampa, FL · city"),
    ("Charleston W. Va.", "Charleston, WV · city"),
    ("Sioux Falls S. Dak.", "Sioux Falls, SD · city"),
    # ZIP codes
    ("80302 1234", "80302, CO · ZIP code"),
    ("803021234", "80302, CO · ZIP code"),
    ("80302", "80302, CO · ZIP code"),
    ("10001-1234", "10001, NY · ZIP code"),
)


@pytest.fixture(scope="module")
def catalog() -> RegionCatalog:
    """Return all places of the embedded service with their place data."""
    return RegionCatalog(Regions.model_validate_json(list_regions().body), us_places())


@pytest.mark.parametrize(("text", "meant"), SEARCHES)
def test_a_search_by_a_nickname_lists_its_place_first(catalog: RegionCatalog, text: str, meant: str):
    found = catalog.search.find(text)
    assert found.places[0].words == meant


def test_the_nicknames_cover_many_states():
    assert len(SEARCHES) >= 100
    assert len({meant.partition(" · ")[0][-2:] for _, meant in SEARCHES}) >= 20


def test_a_search_for_new_york_city_finds_its_five_counties(catalog: RegionCatalog):
    """In postal data the city is Manhattan only. An alert to it would not reach four boroughs."""
    found = catalog.search.find("NYC")
    labels = [place.label for place in found.places if place.id not in found.weak_match_ids]
    counties = {f"{name} County, NY" for name in ("Kings", "Queens", "Bronx", "Richmond", "New York")}
    assert {"New York, NY", *counties} == set(labels)
    assert set(found.reasons.values()) >= {"matches “NYC”"}


@pytest.mark.parametrize(
    "text", ["Chicagoland", "Hampton Roads", "Xanadu Heights", "803021", "99999", "Washington state"]
)
def test_an_unknown_place_is_not_found(catalog: RegionCatalog, text: str):
    assert catalog.search.find(text).places == []


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Juneau borough", "Juneau County"),
        ("la county", "Ashtabula County"),
        ("okc", "Bokchito"),
        ("Kings County", "Brookings County"),
        ("Hilo", "Philo"),
    ],
)
def test_a_search_does_not_match_letters_inside_other_names(catalog: RegionCatalog, text: str, never: str):
    assert never not in {place.name for place in catalog.search.find_places(text)}


def test_a_postal_city_with_another_name_is_listed_as_a_weak_match(catalog: RegionCatalog):
    """The service does not list Moore, Oklahoma, as a city, only its ZIP codes. They come before Mooreland."""
    found = catalog.search.find("Moore, Oklahoma")
    first = found.places[0]
    assert (first.words, found.reasons[first.id]) == ("73160, OK · ZIP code", "postal code for “Moore, Oklahoma”")
    city = next(place for place in found.places if place.label == "Oklahoma City, OK")
    assert found.reasons[city.id] == "postal city for “Moore, Oklahoma”"
    assert city.id in found.weak_match_ids
    names = [place.name for place in found.places]
    assert names.index("Oklahoma City") < names.index("Mooreland")


def test_a_county_listed_under_two_names_is_selected_as_one(catalog: RegionCatalog):
    """Selecting only one of them would leave people out if the service treats them separately."""
    for name, labels in (
        ("Anchorage Municipality", {"Anchorage Municipality, AK", "Municipality of Anchorage, AK"}),
        ("City and Borough of Juneau", {"City and Borough of Juneau, AK", "Juneau City and Borough, AK"}),
    ):
        (place, *_) = catalog.search.find(name).places
        assert set(catalog.names(catalog.listed_as(place.id))) == labels
    (city,) = [place for place in catalog.search.find_places("Baltimore city") if place.kind == "county"]
    assert catalog.listed_as(city.id) == (city.id,), "an independent city is not the county around it"


def test_an_exact_name_match_differs_from_a_prefix_match(catalog: RegionCatalog):
    assert catalog.search.find("Bould").has_exact_name is False
    assert catalog.search.find("Boulder").has_exact_name is True
    assert catalog.search.find("Miami Dade").has_exact_name is True, "the word “County” is optional"


def test_a_state_is_recognized_by_each_of_its_names(catalog: RegionCatalog):
    for text in ("Washington state", "WA", "Washington"):
        assert catalog.search.states_of(text) == {"WA"}


def test_nine_digits_in_a_list_are_read_as_zip_plus_four(catalog: RegionCatalog):
    assert [place.label for place in read_pasted(catalog, "803021234\n10001-1234").found] == ["80302, CO", "10001, NY"]


@pytest.mark.parametrize(
    ("typed", "labels"),
    [
        ("2134", ["02134, MA"]),
        ("501", ["00501, NY", "50101, IA"]),
        ("8030", ["08030, NJ", "80301, CO", "80302, CO"]),
        ("80302", []),
        ("80", []),
        ("Boulder", []),
    ],
)
def test_a_partial_zip_code_may_lack_its_first_or_last_digits(catalog: RegionCatalog, typed: str, labels: list[str]):
    assert [place.label for place in catalog.search.find_partial_zip_codes(typed)][: len(labels)] == labels


def test_a_partial_zip_code_in_a_pasted_list_is_reported_as_ambiguous(catalog: RegionCatalog):
    """8030 may be 08030 in New Jersey or the start of 80301 in Boulder. Muster does not guess."""
    pasted = read_pasted(catalog, "8030\n2134\n80302")
    assert [place.label for place in pasted.found] == ["02134, MA", "80302, CO"]
    assert [each.entry for each in pasted.unclear] == ["8030"]
    assert "08030, NJ" in pasted.unclear[0].words
    assert "80301" in pasted.unclear[0].words
    assert pasted.read_as == (("2134", "02134"),)


def test_nicknames_in_a_pasted_list_are_matched_and_reported(catalog: RegionCatalog):
    """A name of several places is reported as ambiguous."""
    pasted = read_pasted(catalog, "LA county\nPhilly, PA\nNYC")
    assert [place.label for place in pasted.found] == ["Los Angeles County, CA", "Philadelphia, PA"]
    assert pasted.read_as == (("LA county", "Los Angeles County, CA"), ("Philly, PA", "Philadelphia, PA"))
    assert [(each.entry, each.words.partition(".")[0]) for each in pasted.unclear] == [
        ("NYC", "is a city and a county")
    ]
    elsewhere = read_pasted(catalog, "LA county", state="CO")
    assert (elsewhere.found, elsewhere.not_found) == ((), ("LA county",))


def test_every_nickname_refers_to_existing_places():
    places = us_places().places
    assert [(name, key) for name, keys in NICKNAMES.items() for key in keys if key not in places] == []
