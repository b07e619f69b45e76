"""The places of a CAP alert: codes before names, and IDs only if they still match the names."""

from __future__ import annotations

import time

import pytest

from client.models.public_lookups import Regions
from domain.alerts.cap.cap_reading import CodedArea, OpenedCap
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.cap_places import add_places
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import us_counties, us_places
from domain.text.plain_text import isolated
from tests.domain.alerts.recipients.sample_regions import region


@pytest.fixture(scope="module")
def catalog() -> RegionCatalog:
    return RegionCatalog(
        Regions(
            cities=[region(1, "Cleveland", "OK"), region(2, "Norman", "OK"), region(3, "Boulder", "CO")],
            zipcodes=[region(4, "73069", "OK")],
            counties=[
                *(region(11, "Cleveland County", "OK"), region(12, "McClain County", "OK")),
                *(region(13, "Boulder County", "CO"), region(14, "Lewis and Clark County", "MT")),
            ],
        ),
        us_places(),
    )


def build_cap(name: str, *codes: str) -> OpenedCap:
    return OpenedCap(AlertDraft(), coded=[CodedArea(name, codes)])


@pytest.mark.parametrize(
    ("name", "codes", "regions"),
    [
        ("Cleveland, OK", ["040027"], [11]),
        ("Cleveland", ["040027"], [11]),
        ("Cleveland County, Oklahoma", ["40027"], [11]),
        ("Cleveland, OK; McClain, OK", ["040027", "040087"], [11, 12]),
        ("Cleveland; McClain", ["040027", "OKC027", "OKC087"], [11, 12]),
        ("", ["040027"], [11]),
    ],
)
def test_a_county_code_selects_the_county_and_not_a_city_with_its_name(
    name: str, codes: list[str], regions: list[int], catalog: RegionCatalog
) -> None:
    draft = add_places(build_cap(name, *codes), catalog)
    assert (draft.regions, draft.not_imported) == (regions, [])


@pytest.mark.parametrize(
    "code",
    ["140027", "040000", "075610", "000000", "OKZ027", "OKC000", "AMZ610", "040077", "40027x", "٠٤٠٠٢٧"],
    ids=["part", "state", "sea", "country", "zone", "all", "sea zone", "not offered", "odd", "other digits"],
)
def test_a_code_of_an_unavailable_or_partial_county_is_reported_and_selects_nothing(
    code: str, catalog: RegionCatalog
) -> None:
    draft = add_places(build_cap("Norman, OK", code), catalog)
    assert draft.regions == []
    assert draft.not_imported == [f"The area “Norman, OK” with the codes {isolated(code)}. Select its places."]


@pytest.mark.parametrize("name", ["Norman, OK", "Central and Southern Cleveland", "Cleveland, TX", "Cleveland; Norman"])
def test_an_area_name_that_differs_from_its_codes_is_reported(name: str, catalog: RegionCatalog) -> None:
    draft = add_places(build_cap(name, "040027"), catalog)
    assert draft.regions == [11]
    assert draft.not_imported == [
        f"The area “{name}”. Based on the codes, Muster selected Cleveland County, OK. Check the places."
    ]


def test_codes_without_a_match_are_reported(catalog: RegionCatalog) -> None:
    draft = add_places(build_cap("Cleveland", "040027", "OKZ029"), catalog)
    assert draft.regions == [11]
    assert draft.not_imported == ["The area “Cleveland” with the codes OKZ029. Select its places."]


def test_other_codes_of_an_area_with_zip_codes_are_reported_by_their_meaning(
    catalog: RegionCatalog,
) -> None:
    area = CodedArea("Cleveland, OK; McClain, OK", ("040027", "OKC087", "OKZ029"), goes_by_zip=True)
    draft = add_places(OpenedCap(AlertDraft(), places=["73069"], coded=[area]), catalog)
    assert draft.regions == [4]
    (note,) = draft.not_imported
    codes = "Cleveland County, OK, McClain County, OK, and OKZ029"
    assert note == (
        f"The area “{area.name}” has ZIP codes and the codes of {codes}. Muster selected only the ZIP codes. "
        "Check the places."
    )


def test_every_county_is_found_by_its_codes() -> None:
    for number in ("01001", "24510", "72001", "69110", "02020"):
        county = us_counties().find_by_number(number)
        assert county is not None
        ugc = f"{county.state}C{number[2:]}"
        assert [us_counties().find_by_code(code).counties for code in (number, f"0{number}", ugc)] == [(county,)] * 3


@pytest.mark.parametrize(
    ("code", "labels"),
    [
        ("046102", ["Oglala Lakota County, SD"]),
        ("046113", ["Oglala Lakota County, SD"]),
        ("002158", ["Kusilvak Census Area, AK"]),
        ("AKC270", ["Kusilvak Census Area, AK"]),
        ("002063", ["Chugach Census Area, AK"]),
        ("002261", ["Chugach Census Area, AK", "Copper River Census Area, AK"]),
        ("009001", ["Fairfield County, CT"]),
        ("009190", ["Western Connecticut Planning Region, CT"]),
        ("COZ238", []),
        ("ANZ335", []),
        ("073335", []),
    ],
)
def test_the_code_of_a_renamed_or_split_county_gives_those_of_today(code: str, labels: list[str]) -> None:
    assert [county.label for county in us_counties().find_by_code(code).counties] == labels


def test_a_code_means_a_part_of_a_county_or_a_whole_state() -> None:
    part, state = us_counties().find_by_code("548201"), us_counties().find_by_code("HIZALL")
    assert ([county.label for county in part.counties], part.is_part) == (["Harris County, TX"], True)
    assert ([county.name for county in state.counties], state.state) == (
        ["Hawaii County", "Honolulu County", "Kalawao County", "Kauai County", "Maui County"],
        "HI",
    )


def test_thousands_of_codes_are_matched_quickly(catalog: RegionCatalog) -> None:
    numbers = [f"{state:02}{county:03}" for state in range(57) for county in range(500)]
    began = time.process_time()
    draft = add_places(build_cap("Cleveland, OK;" * 50_000, "OKC027", *numbers), catalog)
    assert time.process_time() - began < 60
    assert set(draft.regions) == {11, 12, 13, 14}


def test_a_name_of_both_a_city_and_a_county_is_reported_as_ambiguous(catalog: RegionCatalog) -> None:
    """Weather offices write a county name without the word “County”."""
    cap = OpenedCap(AlertDraft(), places=["Cleveland, OK", "Norman, OK", "Boulder County, CO", "73069"])
    draft = add_places(cap, catalog)
    assert draft.regions == [2, 13, 4]
    assert draft.not_imported == ["The area “Cleveland, OK” is a city and a county. Select one."]


def test_a_region_id_is_used_only_if_it_matches_the_name_of_the_area(catalog: RegionCatalog) -> None:
    opened = OpenedCap(AlertDraft(), regions={1: "Cleveland, OK", 3: "Norman, OK", 99: "Norman, OK", 98: "Region 98"})
    draft = add_places(opened, catalog)
    assert draft.regions == [1, 2]
    assert draft.not_imported == [
        "The area “Norman, OK”. The ID of this area is that of Boulder, CO. Select the places of “Norman, OK”.",
        "The area “Region 98”. Select its places.",
    ]


def test_without_the_list_of_regions_every_area_is_reported(catalog: RegionCatalog) -> None:
    opened = OpenedCap(AlertDraft(), [], ["Norman, OK"], [CodedArea("Cleveland, OK", ("040027",))], {3: "Boulder, CO"})
    draft = add_places(opened, None)
    assert draft.regions == []
    assert draft.not_imported == [
        "The area “Cleveland, OK” with the codes 040027. Select its places.",
        "The area “Norman, OK”. Select its places.",
        "The area “Boulder, CO”. Select its places.",
    ]
