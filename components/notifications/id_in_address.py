"""Reading the id of a record out of an address, where anybody may have written anything."""

from __future__ import annotations

from typing import Final

from client.vocabulary.limits import LONG_MAX

_LONGEST: Final = len(str(LONG_MAX))


def id_in_address(text: str) -> int | None:
    """The whole number that a part of an address is; None where it is none, or longer than any id."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST else None
