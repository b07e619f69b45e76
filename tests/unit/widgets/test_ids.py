"""Reading ids that people and addresses give, where anything may have been written."""

from __future__ import annotations

import pytest

from components.contact_filters.values import read_id
from components.widgets.ids import MOST_SHOWN, NOT_AN_ID, id_in, quoted_id

LARGEST = 2**63 - 1
CANNOT_BE = (
    *("", " ", "abc", "1e3", "1.0", "0x10", "1_000", "1 000", "1,000", "+1", "-1", "0", "000", "１２", "٣", "²"),
    *("12\n3", "NaN", "None", str(LARGEST + 1), str(2**64), "9" * 5_000, "0" * 5_000),
)


@pytest.mark.parametrize("text", CANNOT_BE)
def test_what_cannot_be_an_id_is_none(text: str) -> None:
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


@pytest.mark.parametrize("text", [text for text in CANNOT_BE if text.strip()])
def test_a_field_takes_the_same_ids_as_an_address(text: str) -> None:
    assert read_id(text).problem is not None


def test_what_is_told_of_a_text_that_is_no_id_stays_short() -> None:
    assert quoted_id("9" * 5_000) == f"“{'9' * (MOST_SHOWN - 1)}…”"
    assert quoted_id(" abc ") == "“abc”"
    assert str(LARGEST) in NOT_AN_ID
