"""Labels next to marks."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.maps.labels import LARGE_MARK, LEADING, LONGEST, Box, placed_labels, short_name, text_width

WIDTH, HEIGHT = 800.0, 500.0
MARKS = st.lists(
    st.tuples(
        st.floats(-50, WIDTH + 50),
        st.floats(-50, HEIGHT + 50),
        st.floats(4, 24),
        st.text(alphabet="abcIMW ", min_size=0, max_size=25),
    ),
    max_size=60,
)


def overlap(one: Box, other: Box) -> bool:
    """Return whether two boxes have more than an edge in common."""
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom


def box_of(x: float, y: float, r: float) -> Box:
    return Box(x - r, y - r, x + r, y + r)


@given(MARKS)
def test_labels_never_overlap_and_never_leave_the_window(
    marks: list[tuple[float, float, float, str]],
) -> None:
    x, y, r, texts = ([mark[part] for mark in marks] for part in range(4))
    labels = placed_labels(x, y, r, texts, width=WIDTH, height=HEIGHT)
    for one, other in combinations(labels, 2):
        assert not overlap(one.box, other.box)
    for label in labels:
        assert label.box.left >= 0
        assert label.box.top >= 0
        assert label.box.right <= WIDTH
        assert label.box.bottom <= HEIGHT


@given(MARKS)
def test_labels_never_cover_large_marks_and_only_the_first_cover_small_ones(
    marks: list[tuple[float, float, float, str]],
) -> None:
    x, y, r, texts = ([mark[part] for mark in marks] for part in range(4))
    for label in placed_labels(x, y, r, texts, width=WIDTH, height=HEIGHT):
        for mark in zip(x, y, r, strict=True):
            if label.index >= LEADING or mark[2] > LARGE_MARK:
                assert not overlap(label.box, box_of(*mark))


def test_the_first_of_two_marks_at_one_position_gets_the_preferred_side() -> None:
    labels = placed_labels([400, 400], [250, 250], [8, 8], ["First", "Second"], width=WIDTH, height=HEIGHT)
    assert [label.text for label in labels] == ["First", "Second"]
    assert labels[0].anchor == "start"
    assert labels[1].anchor == "end"


def test_a_label_at_the_right_edge_is_placed_on_the_left() -> None:
    (label,) = placed_labels([WIDTH - 10], [250], [8], ["Auckland"], width=WIDTH, height=HEIGHT)
    assert label.anchor == "end"
    assert label.dx < 0


def test_the_number_of_labels_is_limited() -> None:
    x = np.linspace(50, 700, 12)
    labels = placed_labels(x, x * 0.6, [6] * 12, ["ab"] * 12, width=WIDTH, height=HEIGHT, most=5)
    assert [label.index for label in labels] == [0, 1, 2, 3, 4]


def test_labels_do_not_cover_obstacles() -> None:
    right_of_it = np.array([[405.0, 200.0, 800.0, 300.0]])
    (label,) = placed_labels([400], [250], [4], ["Aden"], width=WIDTH, height=HEIGHT, obstacles=right_of_it)
    assert label.anchor == "end"


def test_without_marks_there_are_no_labels() -> None:
    assert placed_labels([], [], [], [], width=WIDTH, height=HEIGHT) == []


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Singapore Changi International Airport (SIN)", "Singapore SIN"),
        ("Yogyakarta International Airport (YIA)", "Yogyakarta YIA"),
        ("Sheraton Kuwait, Kuwait City", "Sheraton Kuwait"),
        ("Changi (SIN)", "Singapore SIN"),
        ("Edinburgh Waverley (EDB)", "Edinburgh Waverley (E…"),
        ("KWI", "KWI"),
        ("The very long name of a hotel by the sea", "The very long name of…"),
        ("A hotel (XQZ)", "A hotel (XQZ)"),
        ("", ""),
    ],
)
def test_long_names_are_shortened(label: str, name: str) -> None:
    assert short_name(label) == name
    assert len(short_name(label)) <= LONGEST


def test_wide_letters_have_a_larger_estimated_width_than_narrow_ones() -> None:
    assert text_width("WWWW") > text_width("aaaa") > text_width("iiii") > 0
    assert text_width("東京") > text_width("ab")
