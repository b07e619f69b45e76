"""Counts and lists of names as text, exact IDs, and text without icons, links, or arrows from Markdown."""

from __future__ import annotations

import re

import pytest

from components.streamlit_workarounds.icon_name import icon_name
from domain.filters.values import read_id
from domain.text.plain_text import (
    MAX_ID_LENGTH,
    NOT_AN_ID,
    count,
    id_in,
    in_short,
    names,
    plain,
    plain_label,
    quoted_id,
)


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
        (["A", "B", "C"], "A, B, and C"),
        (["A", "B", "C", "D"], "A, B, and 2 more"),
    ],
)
def test_names_are_listed_in_a_phrase_and_the_rest_are_counted(items: list[str], text: str) -> None:
    assert names(items, at_most=3) == text


def test_text_in_markdown_stays_text() -> None:
    assert plain("a*b_[x](y) :red[z] $1$") == r"a\*b\_\[x\]\(y\) \:red\[z\] \$1\$"
    assert plain("two\nlines") == "two lines"


def test_labels_are_escaped_only_where_markdown_would_change_them() -> None:
    for label in ("Geometry (GeoJSON)", "Check-in: time", "No. 1."):
        assert plain_label(label) == label
    assert plain_label("a*b_[x](y) :red[z]") == r"a\*b\_\[x\](y) \:red\[z\]"


def test_right_to_left_text_does_not_affect_the_text_after_it() -> None:
    assert plain("موظفون") == "\u2068موظفون\u2069"
    assert plain("a\u202eb") == "ab"
    assert plain("\u2069\u202eموظفون") == "\u2068موظفون\u2069"
    assert plain("日本 Ünï 🚨") == "日本 Ünï 🚨"


def test_a_right_to_left_name_does_not_affect_its_sentence() -> None:
    assert plain("Delete “موظفون\u202e” now?") == "Delete “\u2068موظفون\u2069” now?"
    phrase = names(["موظفون", "A\u2066"])
    assert plain(f"Delete {phrase} now?") == "Delete \u2068موظفون\u2069 and A now?"


def test_the_name_of_an_icon_stays_text() -> None:
    assert icon_name("Remove rule 1").startswith("![Remove rule 1](data:image/gif;base64,")
    assert icon_name("a](b)").startswith(r"![a\]\(b\)](data:")


@pytest.mark.parametrize(
    "text", ["**bold**", "[link](http://x)", ":red[x]", "$x$", "<b>", "# title", "`code`", "a_b", "~x~"]
)
def test_markdown_in_a_text_is_escaped(text: str) -> None:
    escaped = plain(text)
    assert re.sub("[\\\\\u2060]", "", escaped) == text
    assert escaped != text


def test_ordinary_text_is_unchanged() -> None:
    assert plain("Trip WSVM7K is canceled, 12 people") == "Trip WSVM7K is canceled, 12 people"


# The patterns that Streamlit 1.67 searches for in text after it removes escapes.
STREAMLIT_PATTERNS = [
    r":material[/_](\w+):",
    r":streamlit:",
    r":[\w+-]+:",
    r"https?://",
    r"www(?=\.)",
    r"[-.\w+]+@[-\w]+",
    r"(^|\s)(<->|->|<-|--|>=|<=|~=)(\s|$)",
]


@pytest.mark.parametrize(
    "text",
    [
        *(":material/home:", "x :streamlit: y", ":smile:", ":100:"),
        *("http://a.example", "HTTPS://a.example/b?c", "www.a.example", "ana@a.example", "mailto:ana@a.example"),
        *("a <-> b", "a -> b", "a <- b", "a -- b", "a >= b", "a <= b", "a ~= b", "->"),
    ],
)
def test_icons_links_and_arrows_are_broken_up(text: str) -> None:
    read = re.sub(r"\\(.)", r"\1", plain(text))
    assert read.replace("\u2060", "") == text
    assert not [pattern for pattern in STREAMLIT_PATTERNS if re.search(pattern, read, re.IGNORECASE)]


def test_a_text_too_long_for_a_heading_is_shortened():
    assert in_short("x" * 120) == "x" * 120
    assert in_short("x" * 121) == "x" * 119 + "…"


LARGEST = 2**63 - 1
NOT_IDS = (
    *("", " ", "abc", "1e3", "1.0", "0x10", "1_000", "1 000", "1,000", "+1", "-1", "0", "000", "１２", "٣", "²"),
    *("12\n3", "NaN", "None", str(LARGEST + 1), str(2**64), "9" * 5_000, "0" * 5_000),
)


@pytest.mark.parametrize("text", NOT_IDS)
def test_text_that_cannot_be_an_id_is_not_an_id(text: str) -> None:
    assert id_in(text) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("7", 7), (" 7 ", 7), ("\t7\n", 7), ("007", 7), ("0" * 5_000 + "7", 7)),
        *((str(number), number) for number in (2**53 + 1, LARGEST)),
    ],
)
def test_every_digit_of_an_id_counts(text: str, number: int) -> None:
    assert id_in(text) == number


@pytest.mark.parametrize("text", [text for text in NOT_IDS if text.strip()])
def test_a_field_accepts_the_same_ids_as_a_url(text: str) -> None:
    assert read_id(text).problem is not None


def test_the_message_about_an_invalid_id_is_short() -> None:
    assert quoted_id("9" * 5_000) == f"“{'9' * (MAX_ID_LENGTH - 1)}…”"
    assert quoted_id(" abc ") == "“abc”"
    assert NOT_AN_ID.endswith(f"at most {len(str(LARGEST))} digits.")
