"""Counts and lists of names in words."""

from __future__ import annotations

import pytest

from components.framework.icon_name import icon_name
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


def test_text_from_right_to_left_does_not_turn_the_words_after_it() -> None:
    assert plain("موظفون") == "\u2068موظفون\u2069"
    assert plain("a\u202eb") == "\u2068a\u202eb\u2069"
    assert plain("日本 Ünï 🚨") == "日本 Ünï 🚨"


def test_the_name_of_an_icon_is_read_out_as_it_is() -> None:
    assert icon_name("Remove rule 1").startswith("![Remove rule 1](data:image/gif;base64,")
    assert icon_name("a](b)").startswith(r"![a\]\(b\)](data:")
