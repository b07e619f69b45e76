"""Counts and lists of names in words."""

from __future__ import annotations

import pytest

from components.widgets.markdown_text import plain
from components.widgets.number_text import count, names


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 people"), (1, "1 person"), (2, "2 people"), (1612, "1,612 people")]
)
def test_counts_have_separators_and_the_right_word(number: int, text: str) -> None:
    assert count(number, "person", "people") == text


@pytest.mark.parametrize(
    ("items", "text"),
    [
        ([], ""),
        (["A"], "A"),
        (["A", "B"], "A and B"),
        (["A", "B", "C"], "A, B and C"),
        (["A", "B", "C", "D"], "A, B and 2 more"),
    ],
)
def test_names_are_listed_as_in_speech_and_the_rest_counted(items: list[str], text: str) -> None:
    assert names(items, at_most=3) == text


def test_text_in_markdown_stays_text() -> None:
    assert plain("a*b_[x](y) :red[z] $1$") == r"a\*b\_\[x\]\(y\) \:red\[z\] \$1\$"
    assert plain("two\nlines") == "two lines"
