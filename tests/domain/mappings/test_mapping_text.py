"""Attributes and groups as a line of text: written, read back, and messages about errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.mappings.mapping_text import attributes_text, groups_text, read_attributes, read_groups

# Requests have no spaces around values.
TEXTS = st.text(min_size=1).map(str.strip).filter(bool)
SIGNS = st.text(alphabet='ab ;|="\n', min_size=1).map(str.strip).filter(bool)
ATTRIBUTES = st.lists(st.tuples(TEXTS | SIGNS, st.lists(TEXTS | SIGNS, min_size=1, max_size=3)), min_size=1, max_size=4)


@given(ATTRIBUTES)
def test_attributes_survive_being_written_and_read(attributes: list[tuple[str, list[str]]]):
    parsed = read_attributes(attributes_text(attributes))
    assert [(each.name, each.values) for each in parsed] == attributes


@given(st.lists(st.tuples(st.integers(1, 2**63 - 1), TEXTS | SIGNS | st.none()), min_size=1, max_size=4))
def test_groups_survive_being_written_and_read(groups: list[tuple[int, str | None]]):
    parsed = read_groups(groups_text(groups))
    assert [(each.id, each.name) for each in parsed] == groups


def test_attributes_and_groups_are_written_as_a_plain_line():
    assert attributes_text([("department", ["Sales", "Legal"]), ("site", ["BER"])]) == (
        "department = Sales | Legal; site = BER"
    )
    assert groups_text([(88011, "Berlin office"), (88012, None)]) == "88011 = Berlin office; 88012"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("site=BER", [("site", ["BER"])]),
        (
            "  role = Duty officer|First aider ;role=Warden;",
            [("role", ["Duty officer", "First aider"]), ("role", ["Warden"])],
        ),
        ('"a=b" = "x;y" | "say ""hi"""', [("a=b", ["x;y", 'say "hi"'])]),
    ],
)
def test_typed_attributes_are_read(text: str, expected: list[tuple[str, list[str]]]):
    assert [(each.name, each.values) for each in read_attributes(text)] == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "at least one attribute"),
        (" ; ", "at least one attribute"),
        ("site", "needs a name, an equals sign"),
        ("site =", "needs a name, an equals sign"),
        ("= BER", "needs a name, an equals sign"),
        ("site = BER |", "“site” has a value that is empty"),
        ("site = a = b", "“site” has a value that is empty or needs quotation marks"),
        ('site = "open', "quotation mark"),
        ('site = "a" b', "quotation mark"),
    ],
)
def test_an_invalid_attribute_has_a_message(text: str, words: str):
    with pytest.raises(ValueError, match=words):
        read_attributes(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("88011, 88012", [88011, 88012]),
        ("88011 88012", [88011, 88012]),
        ("7; 8", [7, 8]),
        ("7 Sales; 8 = Legal", [7, 8]),
    ],
)
def test_ids_may_be_separated_by_commas_or_spaces(text: str, expected: list[int]):
    assert [each.id for each in read_groups(text)] == expected


@pytest.mark.parametrize("text", ["", "Sales", "0", "-1 Sales", "9223372036854775808", "Sales 7"])
def test_an_invalid_group_has_a_message(text: str):
    with pytest.raises(ValueError, match="group"):
        read_groups(text)
