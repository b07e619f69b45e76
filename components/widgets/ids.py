"""Reading the ids that people and addresses give, where anybody may have written anything."""

from __future__ import annotations

from typing import Final

from client.vocabulary.limits import LONG_MAX

NOT_AN_ID: Final = f"An id is a whole number above 0, at most {LONG_MAX}."
MOST_SHOWN: Final = 40


def id_in(text: str) -> int | None:
    """The id that a text gives, exactly: digits and blanks around them; None for what cannot be one."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()):
        return None
    digits = digits.lstrip("0")
    # Python refuses to read digits by the thousand.
    if not 0 < len(digits) <= len(str(LONG_MAX)):
        return None
    number = int(digits)
    return number if number <= LONG_MAX else None


def quoted_id(text: str) -> str:
    """What was given where an id should be, short enough to be told."""
    given = text.strip()
    return f"“{given if len(given) <= MOST_SHOWN else given[: MOST_SHOWN - 1] + '…'}”"
