"""What people and services wrote is shown as written: it formats nothing, and becomes no icon, link or arrow."""

from __future__ import annotations

import re

import pytest

from components.widgets.markdown_text import in_short, plain


@pytest.mark.parametrize(
    "text", ["**bold**", "[link](http://x)", ":red[x]", "$x$", "<b>", "# title", "`code`", "a_b", "~x~"]
)
def test_markdown_in_a_text_is_escaped(text: str) -> None:
    escaped = plain(text)
    assert re.sub("[\\\\\u2060]", "", escaped) == text
    assert escaped != text


def test_ordinary_words_stay() -> None:
    assert plain("Trip WSVM7K is canceled, 12 people") == "Trip WSVM7K is canceled, 12 people"


# The patterns by which Streamlit 1.67 looks through text once its escapes are gone.
READ_LATER = [
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
    assert not [pattern for pattern in READ_LATER if re.search(pattern, read, re.IGNORECASE)]


def test_what_is_longer_than_a_heading_is_cut():
    assert in_short("x" * 120) == "x" * 120
    assert in_short("x" * 121) == "x" * 119 + "…"
