"""Headings of an outbound and a return segment in one row, such as "Out date" and "Ret date"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from domain.file_import.column_types import squash
from domain.file_import.heading_words import english_headings

_OUTBOUND: Final = (
    *("outbound", "outward", "out", "going", "hinflug", "hinfahrt", "hinreise", "hin", "aller", "ida"),
    *("andata", "heenreis", "heen", "heenvlucht"),
)
_RETURN: Final = (
    *("return", "inbound", "ret", "rückflug", "rückfahrt", "rückreise", "rück", "zurück", "retour"),
    *("vuelta", "regreso", "volta", "ritorno", "terugreis", "terugvlucht", "terug"),
)
_WORDS: Final = sorted(
    [(squash(word), number) for number, words in ((1, _OUTBOUND), (2, _RETURN)) for word in words],
    key=lambda each: -len(each[0]),
)
MIN_PAIRS: Final = 2
"""From this number of headings that both directions have, each direction is a segment."""


def squash_headings(headings: Sequence[str]) -> dict[str, str]:
    """Return the squashed headings. Those of two directions are numbered: "date1" and "date2"."""
    squashed = {heading: squash(heading) for heading in headings}
    directed = {heading: found for heading, text in squashed.items() if (found := _direction(text)) is not None}
    outbound, back = ({name for name, number in directed.values() if number == each} for each in (1, 2))
    if len(outbound & back) < MIN_PAIRS:
        return squashed
    return squashed | {heading: f"{name}{number}" for heading, (name, number) in directed.items()}


def _direction(squashed: str) -> tuple[str, int] | None:
    """Return the heading without its direction, in English, and the number of the direction."""
    for word, number in _WORDS:
        if squashed.startswith(word) or squashed.endswith(word):
            rest = squashed.removeprefix(word) if squashed.startswith(word) else squashed.removesuffix(word)
            # The direction alone is the number of the flight: "Hinflug".
            rest = rest or "flight"
            return next(iter(english_headings(rest)), rest), number
    return None
