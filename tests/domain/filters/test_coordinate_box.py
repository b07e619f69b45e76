"""A box on the map becomes rules that hold exactly for the points in it."""

from __future__ import annotations

import operator
from typing import Any, Final

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from domain.filters.coordinate_box import (
    LATITUDE,
    LONGITUDE,
    Box,
    box_around,
    find_box,
    polygon_of,
    read_box,
    split_at_date_line,
    with_box,
)
from domain.filters.filter_draft import FilterDraft
from domain.filters.filter_problems import find_problems
from domain.filters.rule_steps import add_rule, mute, new_filter, set_operator, set_value
from domain.filters.sentence import describe_filter

COMPARE: Final = {"GTE": operator.ge, "LTE": operator.le}
IDS: Final = {LATITUDE: 227, LONGITUDE: 228}
LATITUDES: Final = st.integers(-9_000_000, 9_000_000).map(lambda number: number / 100_000)
LONGITUDES: Final = st.integers(-18_000_000, 18_000_000).map(lambda number: number / 100_000)


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    """Return a box with edges of at most five digits, across the 180th meridian or not."""
    south, north = sorted(draw(st.lists(LATITUDES, min_size=2, max_size=2, unique=True)))
    west, east = draw(st.lists(LONGITUDES, min_size=2, max_size=2, unique=True))
    # On the meridian itself, a box ends on the side that it comes from.
    assume(west != 180 and east != -180)
    return Box(north, south, west, east)


def matches(draft: FilterDraft, latitude: float, longitude: float) -> bool:
    """Evaluate the rules for one address."""
    values = {"gisLocation.lat": latitude, "gislocation.lon": longitude}
    payloads = [rule.payload for rule in draft.rules]
    return all(COMPARE[each["operator"]](values[each["columnName"]], each["columnValue"]) for each in payloads)


@given(boxes(), LATITUDES, LONGITUDES)
@example(Box(10, -10, 170, -170), 0, 175)
@example(Box(10, -10, 170, -170), 0, -175)
@example(Box(10, -10, 170, -170), 0, 0)
@example(Box(10, -10, 170, -170), 0, 180)
def test_the_filters_of_a_box_hold_exactly_for_the_points_in_it(box: Box, latitude: float, longitude: float) -> None:
    """A box across the 180th meridian is two filters, any other box is one."""
    drafts = [with_box(new_filter(), part, IDS) for part in split_at_date_line(box)]
    assert len(drafts) == (2 if box.crosses_date_line else 1)
    is_between = box.west <= longitude <= box.east
    if box.crosses_date_line:
        is_between = longitude >= box.west or longitude <= box.east
    is_in_box = box.south <= latitude <= box.north and is_between
    assert any(matches(draft, latitude, longitude) for draft in drafts) == is_in_box
    assert all(len(draft.rules) == 4 for draft in drafts)


@given(boxes())
def test_a_box_is_read_from_its_texts_its_polygon_and_its_rules(box: Box) -> None:
    assert read_box(box.texts) == (box, {})
    assert box_around(polygon_of(box)) == box
    if not box.crosses_date_line:
        assert find_box(with_box(FilterDraft(), box)) == box


@given(boxes(), boxes())
def test_another_box_changes_the_rules_of_the_first(first: Box, second: Box) -> None:
    """No rule is added, and each keeps its place."""
    assume(not first.crosses_date_line and not second.crosses_date_line)
    draft = with_box(FilterDraft(), first)
    changed = with_box(draft, second)
    assert [rule.uid for rule in changed.rules] == [rule.uid for rule in draft.rules]
    assert find_box(changed) == second


def test_the_rules_of_a_box_can_be_saved_and_read_as_a_sentence() -> None:
    draft = with_box(new_filter().model_copy(update={"name": "Gulf"}), Box(30.5, 24, 48, 57.25), IDS)
    assert not find_problems(draft)
    assert describe_filter(draft) == (
        "People with an address whose latitude is at most 30.5, with an address whose latitude is at least 24, "
        "with an address whose longitude is at least 48, and with an address whose longitude is at most 57.25."
    )


def test_muted_rules_and_rules_with_other_comparisons_are_not_part_of_the_box() -> None:
    draft = with_box(FilterDraft(), Box(30, 24, 48, 57))
    draft = mute(draft, draft.rules[0].uid)
    assert find_box(draft) is None
    draft = set_operator(draft, draft.rules[1].uid, "E")
    assert len(with_box(draft, Box(1, 0, 0, 1)).rules) == 6


def test_a_rule_with_a_value_that_cannot_be_read_gets_the_edge() -> None:
    draft = add_rule(FilterDraft(), LATITUDE)
    uid = draft.rules[0].uid
    draft = set_value(set_operator(draft, uid, "LTE"), uid, "value", "north")
    draft = with_box(draft, Box(30, 24, 48, 57))
    assert (draft.rules[0].payload["columnValue"], draft.rules[0].typed) == (30, {})


@pytest.mark.parametrize(
    ("edges", "problems"),
    [
        ({"north": "91", "south": "0", "west": "0", "east": "1"}, {"north": "Enter a number from -90 to 90."}),
        ({"west": "181"}, {"west": "Enter a number from -180 to 180."}),
        ({"north": "1", "south": "2"}, {"south": "The south edge must be less than the north edge."}),
        ({"west": "5", "east": "5.0"}, {"east": "The west and the east edge must be different."}),
        ({"north": "47,5"}, {"north": "“47,5” has a comma. Use a decimal point: 47.5."}),
        ({}, {}),
    ],
)
def test_edges_that_are_no_box_have_a_problem_at_their_field(edges: dict[str, str], problems: dict[str, str]) -> None:
    assert read_box(edges) == (None, problems)


def ring(*points: tuple[float, float]) -> dict[str, Any]:
    """Return a polygon with these corners, as the map sends it."""
    return {"type": "Polygon", "coordinates": [[list(each) for each in (*points, points[0])]]}


@pytest.mark.parametrize(
    ("area", "box"),
    [
        (ring((170, -10), (190, -10), (190, 10), (170, 10)), Box(10, -10, 170, -170)),
        (ring((-170, -10), (-190, -10), (-190, 10), (-170, 10)), Box(10, -10, 170, -170)),
        (ring((170, 0), (180, 0), (180, 10), (170, 10)), Box(10, 0, 170, 180)),
        (ring((180, 0), (190, 0), (190, 10), (180, 10)), Box(10, 0, -180, -170)),
        (ring((-200, 0), (200, 0), (200, 10), (-200, 10)), Box(10, 0, -180, 180)),
        (ring((0, 0), (10, 4), (3, 9)), Box(9, 0, 0, 10)),
    ],
)
def test_what_is_drawn_becomes_the_box_around_it(area: dict[str, Any], box: Box) -> None:
    """A map repeats the world, so longitudes may be beyond 180."""
    assert box_around(area) == box
