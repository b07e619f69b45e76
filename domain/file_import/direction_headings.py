"""Headings whose meaning depends on the others, such as "Out date" next to "Ret date", and "Nr." next to "Airline"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from string import digits
from typing import Final

from domain.file_import.column_types import squash
from domain.file_import.heading_words import english_headings
from domain.geography.folding import fold

_OUTBOUND: Final = (
    *("outbound", "outward", "out", "going", "hinflug", "hinfahrt", "hinreise", "hin", "aller", "ida"),
    *("andata", "heenreis", "heen", "heenvlucht"),
)
_RETURN: Final = (
    *("return", "inbound", "ret", "rückflug", "rückfahrt", "rückreise", "rück", "zurück", "retour"),
    *("vuelta", "regreso", "volta", "ritorno", "terugreis", "terugvlucht", "terug"),
)
_NUMBERS: Final = {fold(word): number for number, words in ((1, _OUTBOUND), (2, _RETURN)) for word in words}
_JOINED: Final = sorted((word for word in _NUMBERS if word not in ("ida", "aller")), key=len, reverse=True)
"""Words that may be joined with another, unlike "ida" in "salida"."""
_AIRLINES: Final = frozenset(("airline", "airlinecode", "carriercode", "carr", "cxr"))
_BARE_NUMBERS: Final = frozenset(("nr", "no", "n", "num", "nummer", "numero"))
MIN_PAIRS: Final = 2
"""From this number of headings that both directions have, each direction is a segment."""


def squash_headings(headings: Sequence[str]) -> dict[str, str]:
    """Return the squashed headings. Those of two directions are numbered: "date1" and "date2"."""
    squashed = {heading: squash(heading) for heading in headings}
    if "de" in squashed.values():
        # "De" and "À" are an origin and a destination.
        squashed = {heading: "to" if text == "a" else text for heading, text in squashed.items()}
    if "ankunft" in squashed.values():
        # Next to "Ankunft", "Abreise" is a departure. Next to "Anreise", it is a check-out.
        squashed = {heading: "departure" if text == "abreise" else text for heading, text in squashed.items()}
    for before, heading in pairwise(headings):
        # "Nr." next to an airline is the number of its flight. In another place it may count the rows.
        airline, number = squashed[before].rstrip(digits), squashed[heading].rstrip(digits)
        if number in _BARE_NUMBERS and not _AIRLINES.isdisjoint((airline, *english_headings(airline))):
            squashed[heading] = f"flightnumber{squashed[heading].removeprefix(number)}"
    directed = {heading: found for heading in squashed if (found := _direction(heading)) is not None}
    outbound, back = ({name for name, number in directed.values() if number == each} for each in (1, 2))
    if not back and len(outbound) >= MIN_PAIRS:
        # The file has one direction: "Outward date" is the date of its only segment.
        return squashed | {heading: name for heading, (name, _) in directed.items()}
    if len(outbound & back) < MIN_PAIRS:
        return squashed
    return squashed | {heading: f"{name}{number}" for heading, (name, number) in directed.items()}


def is_of_return(heading: str) -> bool:
    """Return whether a heading is of the way back, such as "Rück-Datum" or "Heure retour"."""
    found = _direction(heading)
    return found is not None and found[1] == _NUMBERS["return"]


def _direction(heading: str) -> tuple[str, int] | None:
    """Return the heading without its direction, in English, and the number of the direction."""
    words = fold(heading).split()
    joined = next(((word, each) for word in words for each in _JOINED if word.startswith(each)), None) or next(
        ((word, each) for word in words for each in _JOINED if word.endswith(each)), None
    )
    found = next(((word, word) for word in words if word in _NUMBERS), joined)
    if found is None or words[0] == "check":
        return None
    word, direction = found
    rest = word.removeprefix(direction) if word.startswith(direction) else word.removesuffix(direction)
    place = words.index(word)
    # The direction alone is the number of the flight: "Hinflug".
    name = "".join((*words[:place], rest, *words[place + 1 :])) or "flight"
    name = "flightnumber" if name in _BARE_NUMBERS else name
    return next(iter(english_headings(name)), name), _NUMBERS[direction]
