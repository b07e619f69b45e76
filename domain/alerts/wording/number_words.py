"""Numbers as texts write them: "90", "2.5", "1 1/2", "forty-five", "cuarenta y cinco", "half an", "media"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from domain.alerts.wording.patterns import over_lines

_ENGLISH: Final = over_lines(
    """
    one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|
    eighteen|nineteen|twenty
    """
).split("|")
_SPANISH: Final = over_lines(
    """
    una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieciseis|diecisiete|
    dieciocho|diecinueve|veinte|veintiuna|veintidos|veintitres|veinticuatro|veinticinco|veintiseis|veintisiete|
    veintiocho|veintinueve
    """
).split("|")
_TENS: Final[Mapping[str, int]] = {
    **dict(zip(("twenty", "thirty", "forty", "fifty", "sixty", "ninety"), (20, 30, 40, 50, 60, 90), strict=True)),
    **dict(zip(("treinta", "cuarenta", "cincuenta", "sesenta", "noventa"), (30, 40, 50, 60, 90), strict=True)),
}
_VALUES: Final[Mapping[str, int]] = {
    **{word: number for words in (_ENGLISH, _SPANISH) for number, word in enumerate(words, start=1)},
    **_TENS,
    **dict.fromkeys(("a", "an", "un"), 1),
}
_LONGEST_FIRST: Final = sorted(_VALUES, key=len, reverse=True)
HOUR_WORDS: Final = "|".join((*_ENGLISH[:12], *_SPANISH[:12]))
"""The hours of a clock in words."""
NUMBER_WORDS: Final = over_lines(
    r"(?:<tens>)(?:[- ]| y )(?:<ones>)\b|<all>",
    tens="|".join(_TENS),
    ones="|".join((*_ENGLISH[:9], *_SPANISH[:9])),
    all="|".join(word for word in _LONGEST_FIRST if len(word) > len("an")),
)
"""A number from 1 to 99 in words, without "a" and "an"."""


def read_number(words: str) -> float:
    """Return the value of digits, of number words, or of "a" and "un"; 0 for other words."""
    text = words.casefold().strip()
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        return float(text)
    if fraction := re.fullmatch(r"(?:(\d+) )?1/2|(\d+)? ?½", text):
        return float(fraction[1] or fraction[2] or 0) + 0.5
    return float(sum(_VALUES.get(word, 0) for word in re.split(r"[\s-]+", text)))
