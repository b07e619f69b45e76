"""Curly quotes, long dashes and their like, and the plain characters that a text message carries at no extra cost."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from components.alert_wording.sms_encoding import BASIC, EXTENSION, encoding_of, graphemes, parts_of

_PLAIN: Final = {
    "'": "‘’‚‛′‵ʹʻʼʽˈ`´＇",
    '"': "“”„‟″‶«»〝〞＂",
    "<": "‹",
    ">": "›",
    "-": "‐‑‒–—―−﹣－⁃•",
    " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t",
    "\n": "\u2028\u2029\u0085\v",
    "/": "⁄∕",
    "x": "×",
    ":": "∶",
    "": "\u00ad\u200b\u2060\ufeff\u200e\u200f",
}
_FRACTIONS: Final = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_LONGER: Final = {
    "…": "...",
    **{sign: unicodedata.normalize("NFKC", sign).replace("⁄", "/") for sign in _FRACTIONS},
    "™": "(TM)",
    "©": "(c)",
    "®": "(R)",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "№": "No.",
    "°": " deg",
}
REPLACEMENTS: Final[dict[str, str]] = {
    **{fancy: plain for plain, those in _PLAIN.items() for fancy in those},
    **_LONGER,
}
"""What stands for each of them. Letters with accents are not here: they belong to names, and are kept; nor are raised
digits, for 10² would become 102."""
_UNSEEN: Final = "".join(sign for sign, plain in REPLACEMENTS.items() if not plain)
_APART: Final = tuple(
    (re.compile(found), apart)
    for found, apart in (
        # 1½ would become 11/2, and ½5 likewise.
        (rf"(?<=\d)[{_UNSEEN}]*(?=[{_FRACTIONS}])|(?<=[{_FRACTIONS}])[{_UNSEEN}]*(?=[\d{_FRACTIONS}])", " "),
        # The parts of a phone number stay together: "555—123—4567".
        (r"(?<=\d{3})[—―](?=\d{3,4}\b)", "-"),
        # A break of the sentence would become a hyphen: "Highway 36—5 miles".
        (r"(?<=\S)(?=[—―])|(?<=[—―])(?=\S)", " "),
        # A bullet would become a minus: "•5 shelters".
        (r"(?<=•)(?=\S)", " "),
        (r"\s+(?=°)", ""),
        (r"(?<=°)(?=[CF]\b)", " "),
    )
)
"""Where signs touch what they must be kept apart from once they are plain."""


def plain_form(piece: str) -> str | None:
    """What would replace a piece of text at no loss, or None where nothing does.

    A letter typed as two characters (e and an accent) becomes the one letter where the alphabet has it.
    """
    composed = unicodedata.normalize("NFC", piece)
    plain = "".join(REPLACEMENTS.get(character, character) for character in composed)
    if plain == piece or not all(character in BASIC or character in EXTENSION for character in plain):
        return None
    return plain


def straighten(text: str) -> str:
    """The text with plain quotes, dashes, dots and spaces; letters, emoji and everything else stay.

    It never takes more messages than before: where writing out an ellipsis would, the ellipsis stays.
    """
    if encoding_of(text) == encoding_of(""):
        return text
    whole = _replaced(text, longer=True)
    return whole if len(parts_of(whole)) <= len(parts_of(text)) else _replaced(text, longer=False)


def _replaced(text: str, *, longer: bool) -> str:
    if longer:
        for found, apart in _APART:
            text = found.sub(apart, text)
    pieces = []
    for piece in graphemes(text):
        plain = plain_form(piece)
        fits = longer or (plain is not None and len(plain) <= len(piece) and piece not in "—―•")
        pieces.append(plain if plain is not None and fits else piece)
    return "".join(pieces)
