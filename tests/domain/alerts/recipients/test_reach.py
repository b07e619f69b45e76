"""The recipients of an alert in words and counts, and the text that a sender types to confirm them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.models.public_lookups import Regions
from client.vocabulary.public_alerts import JURISDICTIONS, TYPES
from domain.alerts.alert_problems import alert_problems
from domain.alerts.draft import AlertDraft
from domain.alerts.levels import TYPE
from domain.alerts.recipients.reach import MANY_PLACES, Reach, reach_of
from domain.alerts.recipients.regions import RegionCatalog
from tests.domain.alerts.recipients.sample_regions import CATALOG, region

GROUPS = {1: "Schools", 2: "Hospitals"}


def reach(**fields: Any) -> Reach:
    """Return the recipients of a draft, with both lists loaded."""
    return reach_of(AlertDraft(**fields), CATALOG, GROUPS)


def line(recipients: Reach, kind: str) -> str:
    """Return the text of the line of a kind."""
    return next(each.words for each in recipients.lines if each.kind == kind)


def test_a_whole_jurisdiction_is_emphasized():
    recipients = reach(jurisdiction="all", type=2)
    assert recipients.headline.words == "Entire jurisdiction"
    assert recipients.headline.weight == "strong"
    assert recipients.place_to_type == "all"


def test_the_jurisdiction_some_without_a_place_has_no_recipients_and_is_rejected():
    for groups in ([], [1]):
        recipients = reach(jurisdiction="some", groups=groups)
        assert recipients.headline.weight == "error"
        assert "No recipients" in recipients.headline.words
        assert recipients.place_to_type == ""


def test_an_empty_draft_has_no_recipients():
    recipients = reach()
    assert recipients.headline.words == "No recipients yet"
    assert line(recipients, "groups") == "No event groups"
    assert line(recipients, "type") == "No type selected"


def test_groups_without_places_reach_their_members():
    recipients = reach(groups=[2, 1])
    assert recipients.headline.words == "Event groups only"
    assert line(recipients, "groups") == "2 event groups: Hospitals and Schools"


def test_few_places_are_named_and_many_are_counted_by_state():
    few = reach(jurisdiction="some", regions=[1, 80302, 3])
    assert few.headline.words == "Selected places: 2 cities, 1 ZIP code in Colorado and Nevada"
    assert few.headline.details == ("Boulder, CO · city", "80302, CO · ZIP code", "Boulder City, NV · city")
    many = reach(jurisdiction="some", regions=[1, 80301, 80302, 101, 3, 8, 77])
    assert many.headline.words == (
        "Selected places: 3 cities, 2 ZIP codes, 1 county in Colorado, Nevada, and New York and 1 place not available"
    )
    states = next(each for each in many.lines if each.kind == "states")
    assert states.words == "In 3 states"
    assert states.details == (
        "Colorado: 1 city, 2 ZIP codes, 1 county",
        "Nevada: 1 city",
        "New York: 1 city",
        "Not available: 1 place",
    )


def test_a_place_that_is_no_longer_available_stays_and_is_marked():
    recipients = reach(jurisdiction="some", regions=[1, 77])
    assert recipients.headline.details[-1] == "Region 77 · not available"
    assert recipients.warnings == (
        "1 selected place isn’t available in the service. The service may reject the alert.",
    )


def test_a_group_that_is_no_longer_available_stays_and_is_marked():
    recipients = reach(groups=[1, 9])
    assert line(recipients, "groups") == "2 event groups: Schools and group 9 (not available)"
    assert recipients.warnings == ("1 event group is not available in the service.",)


def test_without_the_lists_of_the_service_places_and_groups_are_counted_but_not_marked():
    recipients = reach_of(AlertDraft(jurisdiction="some", regions=[1, 2], groups=[1]), None, None)
    assert recipients.headline.words == "Selected places: 2 places"
    assert recipients.headline.details == ("Region 1", "Region 2"), "without the lists, regions are shown by ID"
    assert line(recipients, "groups") == "1 event group: group 1"
    assert recipients.warnings == ()
    assert recipients.place_to_type == "2 places and group 1"


@pytest.mark.parametrize(
    ("fields", "words", "weight"),
    [
        (
            {"jurisdiction": "some", "regions": [80301, 80302], "groups": [1]},
            "Only subscribers of the event groups in 2 selected ZIP codes",
            "plain",
        ),
        (
            {"jurisdiction": "some", "regions": [80301], "groups": [1]},
            "Only subscribers of the event groups in 1 selected ZIP code",
            "plain",
        ),
        (
            {"jurisdiction": "some", "regions": [1], "groups": [1]},
            "ZIP codes apply to the event groups, but no ZIP code is selected",
            "warning",
        ),
        (
            {"regions": [80301], "groups": [1]},
            "Only subscribers of the event groups in 1 selected ZIP code",
            "plain",
        ),
        (
            {"jurisdiction": "all", "groups": [1]},
            "ZIP codes apply to the event groups, but no ZIP code is selected",
            "warning",
        ),
        ({"jurisdiction": "some", "regions": [80301]}, "ZIP codes cannot apply to event groups", "error"),
        ({"groups": [1]}, "ZIP codes cannot apply to event groups", "error"),
    ],
)
def test_the_zip_flag_is_described(fields: dict[str, Any], words: str, weight: str):
    recipients = reach(zip_to_groups=True, **fields)
    flag = next(each for each in recipients.lines if each.kind == "zip flag")
    assert (flag.words, flag.weight) == (words, weight)
    not_set = [(each.words, each.weight) for each in reach(**fields).lines if each.kind == "zip flag"]
    all_subscribers = ("All subscribers of the event groups, not only those in the selected ZIP codes", "plain")
    assert not_set == ([] if weight == "error" else [all_subscribers])


@pytest.mark.parametrize("number", TYPES)
def test_the_type_is_shown_with_its_meaning(number: int):
    kind = next(each for each in reach(type=number).lines if each.kind == "type")
    assert kind.words == f"Type: {TYPES[number]}"
    assert kind.details == (TYPE[number],)


def test_an_unknown_type_is_rejected():
    kind = next(each for each in reach(type=4).lines if each.kind == "type")
    assert (kind.words, kind.weight) == ("Unknown type 4", "error")


def test_selecting_a_whole_state_gives_a_warning():
    assert reach(jurisdiction="some", regions=[101, 102, 103]).warnings == (
        "Every county in Colorado is selected (3).",
    )
    assert reach(jurisdiction="some", regions=[101, 102]).warnings == ()


def test_several_whole_states_are_reported_in_one_sentence():
    cities = [region(number, f"City {number}", "CO" if number < 10 else "UT") for number in range(5, 15)]
    catalog = RegionCatalog(Regions(cities=cities))
    draft = AlertDraft(jurisdiction="some", regions=list(range(5, 15)))
    assert reach_of(draft, catalog, {}).warnings == ("Every city in Colorado and Utah is selected (10).",)


def test_zip_codes_in_several_states_give_a_warning():
    assert reach(jurisdiction="some", regions=[80301, 98030, 2134]).warnings == (
        "The ZIP codes are in 3 states: Colorado, Massachusetts, and Washington.",
    )
    # A city in another state does not count as a ZIP code in another state.
    assert reach(jurisdiction="some", regions=[80301, 8]).warnings == ()


@pytest.mark.parametrize(("number", "is_reported"), [(MANY_PLACES, False), (MANY_PLACES + 1, True)])
def test_more_than_1000_places_give_a_warning(number: int, is_reported: bool):
    items = [region(at, f"Place {at}", "CO") for at in range(1, number + 2)]
    draft = AlertDraft(jurisdiction="some", regions=list(range(1, number + 1)))
    recipients = reach_of(draft, RegionCatalog(Regions(cities=items)), {})
    assert (recipients.warnings == (f"More than 1,000 places are selected ({number:,}).",)) is is_reported
    assert recipients.is_wide is is_reported


@pytest.mark.parametrize(
    ("fields", "whom"),
    [
        ({"jurisdiction": "all", "groups": [1]}, "Entire jurisdiction"),
        ({"jurisdiction": "some", "regions": [1]}, "Boulder, CO"),
        ({"jurisdiction": "some", "regions": [1, 80302]}, "Boulder and 80302, CO (1 city, 1 ZIP code)"),
        ({"jurisdiction": "some", "regions": [1, 2]}, "Boulder, CO and Boulder, UT (2 cities)"),
        ({"jurisdiction": "some", "regions": [77]}, "1 place"),
        ({"groups": [1]}, "Schools"),
        ({}, ""),
    ],
)
def test_the_recipients_summary_names_only_the_selected_recipients(fields: dict[str, Any], whom: str):
    assert reach(**fields).whom == whom


@pytest.mark.parametrize(
    ("fields", "wide"),
    [
        ({"jurisdiction": "all"}, True),
        ({"jurisdiction": "some", "regions": [101, 102, 103]}, True),
        ({"jurisdiction": "some", "regions": [101, 102]}, False),
        ({"groups": [1, 2]}, False),
    ],
)
def test_whole_jurisdictions_and_whole_states_count_as_wide(fields: dict[str, Any], wide: bool):
    assert reach(**fields).is_wide is wide


@pytest.mark.parametrize(
    ("fields", "typed"),
    [
        ({"jurisdiction": "all", "groups": [1]}, "all"),
        ({"jurisdiction": "some", "regions": [1]}, "Boulder, CO"),
        ({"jurisdiction": "some", "regions": [101, 102]}, "Boulder County and Larimer County, CO"),
        ({"jurisdiction": "some", "regions": [101, 102, 103]}, "Boulder County, CO and 2 more"),
        ({"jurisdiction": "some", "regions": [80302], "groups": [1]}, "80302, CO and Schools"),
        ({"jurisdiction": "some", "regions": [1, 80302]}, "Boulder and 80302, CO"),
        ({"jurisdiction": "some", "regions": [1, 2]}, "Boulder, CO and Boulder, UT"),
        ({"jurisdiction": "some", "regions": [1, 2, 3, 4]}, "Boulder, CO and 3 more"),
        ({"jurisdiction": "some", "regions": [1, 77]}, "Boulder, CO and 1 more"),
        ({"jurisdiction": "some", "regions": [77]}, "1 place"),
        ({"jurisdiction": "some"}, ""),
        ({"groups": [1]}, "Schools"),
        ({"groups": [1, 2]}, "2 event groups"),
        ({}, ""),
    ],
)
def test_the_text_to_confirm_names_the_recipients(fields: dict[str, Any], typed: str):
    assert reach(**fields).place_to_type == typed


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Volunteers of the Greater Boulder Valley Emergency Preparedness", "Volunteers of the Greater Boulder Valley"),
        ("避難" * 30, "避難" * 20),
        ("Schools", "Schools"),
    ],
)
def test_the_text_to_confirm_a_long_name_is_its_beginning(name: str, typed: str):
    """The full name is shown next to the field."""
    recipients = reach_of(AlertDraft(groups=[1]), CATALOG, {1: name})
    assert (recipients.place_to_type, recipients.whom) == (typed, name)


drafts = st.builds(
    AlertDraft,
    jurisdiction=st.sampled_from([None, "", *JURISDICTIONS, "All"]),
    regions=st.lists(st.sampled_from([1, 2, 8, 80301, 80302, 101, 102, 103, 77, 66]), max_size=8),
    groups=st.lists(st.sampled_from([1, 2, 9]), max_size=3),
    zip_to_groups=st.booleans(),
    type=st.sampled_from([None, *TYPES]),
)


@given(drafts, st.booleans())
def test_an_alert_that_cannot_be_sent_has_no_text_to_confirm(draft: AlertDraft, is_loaded: bool):
    recipients = reach_of(draft, CATALOG if is_loaded else None, GROUPS if is_loaded else None)
    assert recipients.headline.kind == "jurisdiction"
    refused = bool(alert_problems(draft).at(draft.uid, "regions", "jurisdiction"))
    assert (not recipients.place_to_type) == (refused and draft.jurisdiction != "all")
    assert refused or recipients.headline.weight != "error"
