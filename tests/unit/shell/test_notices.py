"""Notices: what people and services wrote is shown as written, and never formats the page."""

import pytest

from components.shell.notices import plain


@pytest.mark.parametrize(
    "text", ["**bold**", "[link](http://x)", ":red[x]", "$x$", "<b>", "# title", "`code`", "a_b", "~x~"]
)
def test_markdown_in_a_value_is_escaped(text: str):
    escaped = plain(text)
    assert escaped.replace("\\", "") == text
    assert escaped != text


def test_ordinary_words_stay():
    assert plain("Trip WSVM7K is canceled, 12 people.") == "Trip WSVM7K is canceled, 12 people."
