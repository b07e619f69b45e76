"""The search for places by name: matches, their order, and counts of the selected places."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from client.models.public_lookups import Region, Regions
from domain.alerts.recipients.region_place import KINDS, RegionKind
from domain.alerts.recipients.regions import RegionCatalog, distinct_words, left_out, not_offered, summary
from domain.alerts.recipients.us_names import STATE_NAMES
from domain.alerts.recipients.us_places import UsPlace, UsPlaces, us_places
from domain.geography.folding import fold
from domain.geography.states import state_name
from tests.domain.alerts.recipients.sample_regions import CATALOG, region

SHORT = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount"}
STATES = ["CO", "NY", "MA", "Colorado", "", "XX"]
WORDS = ["boulder", "saint", "st", "new", "york", "county", "élan", "co", "a", "city", "80302", "2134"]


def search(text: str, kind: RegionKind | None = None, state: str | None = None) -> list[str]:
    """Return the labels of the search results, best first."""
    return [place.words for place in CATALOG.search.find_places(text, kind, state)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("boulder", [1, 2, 3, 101]),
        ("BOULDER", [1, 2, 3, 101]),
        ("  boulder  ", [1, 2, 3, 101]),
        ("oulde", [1, 2, 3, 101]),
        ("boulder co", [1, 101]),
        ("boulder, CO", [1, 101]),
        ("Boulder,Colorado", [1, 101]),
        ("boulder colorado", [1, 101]),
        ("boulder, c", [1, 101]),
        ("boulder,", [1, 2, 3, 101]),
        ("boulder county, CO", [101]),
        ("boulder county", [101]),
        ("denver county", [103]),
        ("springfield il", [4]),
        ("springfield ill", [4]),
        ("springfield massa", [5, 6]),
        ("springfield m", []),
        ("springfield", [4, 5, 6]),
        ("new york", [8]),
        ("new york ny", [8]),
        ("new york new york", [8]),
        ("80302", [80302]),
        ("80302-1234", [80302]),
        ("803", [80301, 80302]),
        ("8030", [80301, 80302]),
        ("2134", []),
        ("02134", [2134]),
        ("mayaguez", [9]),
        ("MAYAGÜEZ pr", [9]),
        ("saint louis", [7, 104, 105]),
        ("st louis", [7, 104, 105]),
        ("St. Louis, MN", [104, 105]),
        ("sain", [7, 104, 105]),
        ("st", [7, 11, 104, 105]),
        ("boulder, tx", []),
        ("nowhere", []),
        ("", []),
        ("  , ", []),
        ("...", []),
    ],
)
def test_a_search_finds_matching_places(text: str, expected: list[int]):
    assert sorted(place.id for place in CATALOG.search.find_places(text)) == sorted(expected)


def test_the_best_match_comes_first():
    assert search("boulder") == [
        "Boulder, CO · city",
        "Boulder, UT · city",
        "Boulder County, CO · county",
        "Boulder City, NV · city",
    ]
    assert search("springfield")[-1] == "West Springfield, MA · city"
    assert sorted(search("oulder")) == sorted(search("boulder"))


def test_exact_names_rank_before_prefixes_and_word_prefixes_and_substrings_last():
    place_names = ["Ann Arbor", "Bar Harbor", "Arbor Vitae", "Arbor"]
    catalog = RegionCatalog(Regions(cities=[region(at, name, "MI") for at, name in enumerate(place_names, 1)]))
    assert [place.name for place in catalog.search.find_places("arbor")] == ["Arbor", "Arbor Vitae", "Ann Arbor"]
    assert [place.name for place in catalog.search.find_places("harb")] == ["Bar Harbor"]
    assert [place.name for place in catalog.search.find_places("rbor")] == [
        "Ann Arbor",
        "Arbor",
        "Arbor Vitae",
        "Bar Harbor",
    ]


def test_of_equal_matches_the_larger_place_is_first():
    cities = [region(at, "Nashville", state) for at, state in enumerate(("AR", "GA", "IL", "IN", "Tennessee"), 1)]
    counties = [region(11, "Davidson County", "NC"), region(12, "Davidson", "TN")]
    sizes = {("city", "TN", "nashville"): 22, ("city", "IN", "nashville"): 1, ("county", "TN", "davidson county"): 29}
    place_data = UsPlaces({key: UsPlace(size, 0.0, 0.0, ()) for key, size in sizes.items()})
    catalog = RegionCatalog(
        Regions(cities=[*cities, region(9, "Nashville-Davidson", "XX")], counties=counties), place_data
    )
    assert [place.label for place in catalog.search.find_places("nashville")][:3] == [
        "Nashville, Tennessee",
        "Nashville, IN",
        "Nashville, AR",
    ]
    assert catalog.search.find_places("nashvile") == []
    assert catalog.search.suggest("nashvile")[0].state == "Tennessee"
    assert [place.state for place in catalog.search.find_places("davidson county")] == ["TN", "NC"]
    assert catalog.search.find_places("nashville")[-1].id == 9, "a better match ranks before a larger place"


def test_sizes_are_those_of_real_places():
    places = us_places().places
    size = {key: place.zip_codes for key, place in places.items()}
    assert size["city", "TN", "nashville"] > size["city", "AR", "nashville"] > 0
    assert size["county", "TN", "davidson county"] > size["county", "NC", "davidson county"] > 1


def test_a_place_listed_twice_has_all_its_ids():
    assert CATALOG.listed_as(104) == CATALOG.listed_as(105) == (104, 105)
    assert CATALOG.listed_as(1) == (1,), (
        "a place with the same name in another state or of another kind is another place"
    )
    assert CATALOG.listed_as(12) == (12,)
    assert CATALOG.listed_as(77) == (77,)


def test_omitted_places_are_counted_by_state():
    assert left_out(CATALOG.search.find_places("springfield")) == "IL 1, MA 2"
    nameless = RegionCatalog(Regions(cities=[region(1, "One", None), region(2, "One", "Utah")]))
    assert left_out(nameless.search.find_places("one")) == "UT 1, no state given 1"


def test_kind_and_state_filter_a_search_with_or_without_text():
    assert search("boulder", "county") == ["Boulder County, CO · county"]
    assert search("boulder", None, "UT") == ["Boulder, UT · city"]
    assert search("", "county", "CO") == [
        "Boulder County, CO · county",
        "Denver, CO · county",
        "Larimer County, CO · county",
    ]
    assert len(search("", None, "CO")) == 7


def test_full_state_names_are_found_by_name_and_code():
    catalog = RegionCatalog(Regions(cities=[region(1, "Boulder", "Colorado"), region(2, "Boulder", "Utah")]))
    for text in ("boulder co", "boulder, colorado", "boulder colo", "boulder, CO"):
        assert [place.id for place in catalog.search.find_places(text)] == [1]


def test_a_region_without_a_name_is_shown_by_its_id():
    catalog = RegionCatalog(Regions(counties=[region(5, None, None), region(6, "  Two   words ", None)]))
    assert [place.words for place in catalog.search.find_places("region 5")] == ["region 5 · county"]
    assert catalog.names([6, 5, 9]) == ["Two words", "region 5", "region 9"]
    assert [count.name for count in catalog.per_state([5, 6])] == ["no state given"]


def test_of_two_regions_with_the_same_id_the_first_is_used():
    catalog = RegionCatalog(Regions(cities=[region(1, "One", "CO")], zipcodes=[region(1, "80302", "CO")]))
    assert len(catalog) == 1
    assert catalog.names([1]) == ["One, CO"]


def test_selected_ids_are_resolved_in_order_and_once_each():
    chosen = CATALOG.places_of([80302, 77, 1, 80302, 66])
    assert [place.id for place in chosen.places] == [80302, 1]
    assert chosen.unknown == (77, 66)
    assert CATALOG.names([1, 77]) == ["Boulder, CO", "region 77"]


def test_counts_by_state_are_sorted_by_state_name():
    counts = CATALOG.per_state([8, 1, 80301, 80302, 101, 3, 77])
    assert [(each.name, each.words, each.total) for each in counts] == [
        ("Colorado", "1 city, 2 ZIP codes, 1 county", 4),
        ("Nevada", "1 city", 1),
        ("New York", "1 city", 1),
    ]


def test_selecting_all_places_of_a_state_is_detected_unless_there_are_very_few():
    assert CATALOG.whole_kinds([101, 102, 103, 1]) == (("CO", "county", 3),)
    assert CATALOG.whole_kinds([101, 102]) == ()
    # All counties of Missouri and Nevada in the list, but too few for a warning.
    assert CATALOG.whole_kinds([7, 106]) == ()


def test_places_with_the_same_label_show_their_ids():
    catalog = RegionCatalog(Regions(cities=[region(1, "One", "CO"), region(2, "One", "CO"), region(3, "Two", "CO")]))
    assert distinct_words(catalog.places_of([1, 2, 3]).places) == {
        1: "One, CO · city (ID 1)",
        2: "One, CO · city (ID 2)",
        3: "Two, CO · city",
    }
    assert not_offered([9]) == {9: "Region 9 · not available"}


def test_a_long_list_of_places_is_summarized_by_state_and_omitted_states_are_counted():
    catalog = RegionCatalog(Regions(cities=[region(at, "One", state) for at, state in enumerate(STATE_NAMES, 1)]))
    lines = summary(catalog.search.find_places("one"))
    assert lines[0] == "Alabama: 1 city"
    assert len(lines) == 9
    assert lines[-1] == f"{len(STATE_NAMES) - 8} more states: {len(STATE_NAMES) - 8} places"


def test_state_codes_become_names_and_unknown_states_stay_unchanged():
    assert state_name("co") == "Colorado"
    assert state_name("Bavaria") == "Bavaria"
    assert state_name(" ") == "no state given"


names = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
kinds = st.sampled_from(KINDS)


@st.composite
def catalogs(draw: st.DrawFn) -> tuple[RegionCatalog, list[tuple[RegionKind, Region]]]:
    """Generate a catalog of a few places, and its items by kind."""
    places = draw(st.lists(st.tuples(kinds, names, st.sampled_from(STATES)), max_size=12))
    items = [(kind, region(at, name, state)) for at, (kind, name, state) in enumerate(places, 1)]
    of = {kind: [item for each, item in items if each == kind] for kind in KINDS}
    return RegionCatalog(Regions(cities=of["city"], zipcodes=of["zip"], counties=of["county"])), items


def find_states(text: str) -> set[str]:
    """Return the states that words name by code, name, or start of a name. This is an independent implementation."""
    folded = fold(text)

    def is_named(state: str) -> bool:
        ways = {fold(state), fold(state_name(state)), {"Colorado": "co"}.get(state, "")} - {""}
        return folded in ways or (len(folded) > 2 and any(way.startswith(folded) for way in ways))

    return {state for state in STATES if state and is_named(state)}


def could_match(text: str, name: str, state: str) -> bool:
    """Return whether a place can match a text: its name contains the text, with or without its state.

    Of a ZIP+4 code, only the ZIP code counts.
    """
    zip_and_four = re.fullmatch(r"(\d{5})[ -]\d{4}", text)
    whole = zip_and_four[1] if zip_and_four else fold(text)
    words = whole.split()
    texts = [whole] + [
        " ".join(words[:-size]) for size in range(1, len(words)) if state in find_states(" ".join(words[-size:]))
    ]
    written = fold(name)
    ways = [written, f"{written} county"]
    ways += [" ".join(SHORT.get(word, word) for word in way.split()) for way in ways]
    forms = texts + [" ".join(SHORT.get(word, word) for word in each.split()) for each in texts]
    return any(form in way for form in forms for way in ways)


@given(catalogs(), names)
@example((RegionCatalog(Regions(cities=[region(1, "80302", "CO")])), []), "80302 2134")
def test_a_search_finds_only_places_that_match(
    generated: tuple[RegionCatalog, list[tuple[RegionKind, Region]]], text: str
):
    catalog, _ = generated
    for place in catalog.search.find_places(text):
        assert could_match(text, place.name, place.state)


@given(catalogs(), names, st.one_of(st.none(), kinds), st.one_of(st.none(), st.sampled_from(STATES)))
def test_kind_and_state_filters_only_remove_places_and_keep_the_order(
    generated: tuple[RegionCatalog, list[tuple[RegionKind, Region]]],
    text: str,
    kind: RegionKind | None,
    state: str | None,
):
    catalog, _ = generated
    everything = catalog.search.find_places(text)
    narrowed = catalog.search.find_places(text, kind, state)
    assert narrowed == [
        place
        for place in everything
        if (kind is None or place.kind == kind) and (state is None or place.state == state)
    ]
    assert catalog.search.find_places(text) == everything
    assert len({place.id for place in everything}) == len(everything)


@given(catalogs())
def test_every_place_is_found_by_its_own_name_and_state(
    generated: tuple[RegionCatalog, list[tuple[RegionKind, Region]]],
):
    catalog, items = generated
    for _, item in items:
        assert item.id in {place.id for place in catalog.search.find_places(str(item.name))}
        assert item.id in {place.id for place in catalog.search.find_exact(str(item.name))}
        if item.state:
            by_both = f"{item.name}, {item.state}"
            assert item.id in {place.id for place in catalog.search.find_places(by_both)}


@given(catalogs(), st.lists(st.integers(1, 20)))
def test_counts_by_state_add_up_to_the_selected_places(
    generated: tuple[RegionCatalog, list[tuple[RegionKind, Region]]], ids: list[int]
):
    catalog, _ = generated
    chosen = catalog.places_of(ids)
    assert len(chosen.places) + len(chosen.unknown) == len(set(ids))
    assert sum(each.total for each in catalog.per_state(ids)) == len(chosen.places)
    for kind in KINDS:
        counted = sum(each.by_kind.get(kind, 0) for each in catalog.per_state(ids))
        assert counted == sum(place.kind == kind for place in chosen.places)
