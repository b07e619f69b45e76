"""How a text becomes SMS: the GSM 7-bit alphabet, 16-bit units beyond it, and what is never cut in two."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final, Literal

Encoding = Literal["GSM-7", "UCS-2"]
GSM_7: Final[Encoding] = "GSM-7"
UCS_2: Final[Encoding] = "UCS-2"

# 3GPP TS 23.038, 6.2.1: the default alphabet, row by row; the escape at 0x1B is no character of its own.
BASIC: Final = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅå"
    "Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ"
    " !\"#¤%&'()*+,-./"
    "0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNO"
    "PQRSTUVWXYZÄÖÑÜ§"
    "¿abcdefghijklmno"
    "pqrstuvwxyzäöñüà"
)
EXTENSION: Final = frozenset("\f^{}\\[~]|€")
"""Characters of the extension table (6.2.1.1): an escape and a second unit each."""

# 140 octets a message; a part of several gives 6 of them to the header that joins them (TS 23.040, 9.2.3.24.1).
SINGLE: Final[dict[Encoding, int]] = {GSM_7: 160, UCS_2: 70}
PART: Final[dict[Encoding, int]] = {GSM_7: 153, UCS_2: 67}

_JOINER: Final = "\u200d"
_KEYCAP: Final = "\u20e3"
_FLAG_LETTERS: Final = range(0x1F1E6, 0x1F200)
_SKIN_TONES: Final = range(0x1F3FB, 0x1F400)
_TAGS: Final = range(0xE0020, 0xE0080)


def encoding_of(text: str) -> Encoding:
    """The encoding that carries the whole text: one character beyond the alphabet changes all of it."""
    return GSM_7 if all(character in BASIC or character in EXTENSION for character in text) else UCS_2


def units_of(text: str, encoding: Encoding) -> int:
    """How many units of the encoding a text takes: septets, or 16-bit units, two of them beyond U+FFFF."""
    if encoding == GSM_7:
        return len(text) + sum(character in EXTENSION for character in text)
    return len(text) + sum(ord(character) > 0xFFFF for character in text)


def graphemes(text: str) -> Iterator[str]:
    """Cut a text into what is seen as one character: marks, joined emoji, skin tones and flags stay together.

    A small part of Unicode's rules (UAX 29), with what occurs in messages.
    """
    start = 0
    for position in range(1, len(text) + 1):
        if position == len(text) or not _continues(text, start, position):
            if position > start:
                yield text[start:position]
            start = position


def parts_of(text: str) -> list[str]:
    """The text as the messages that carry it; none for an empty text.

    An escape stays with its second unit, a surrogate with its other half, and what is seen as one character stays whole
    where a message can hold it.
    """
    # ASSUMPTION A89: how the service encodes the text is not shown: the default alphabet where it can, 16 bits else.
    if not text:
        return []
    encoding = encoding_of(text)
    if units_of(text, encoding) <= SINGLE[encoding]:
        return [text]
    pieces = text if encoding == GSM_7 else graphemes(text)
    return list(_packed(pieces, encoding))


def _packed(pieces: Iterable[str], encoding: Encoding) -> Iterator[str]:
    room, part = PART[encoding], ""
    left = room
    for piece in pieces:
        fits_nowhere = units_of(piece, encoding) > room
        for smaller in piece if fits_nowhere else (piece,):
            needed = units_of(smaller, encoding)
            if needed > left:
                yield part
                part, left = "", room
            part, left = part + smaller, left - needed
    yield part


def _continues(text: str, start: int, position: int) -> bool:
    character, before = text[position], text[position - 1]
    code = ord(character)
    if before == "\r" and character == "\n":
        return True
    if before in "\r\n":
        return False
    if character in (_JOINER, _KEYCAP) or code in _SKIN_TONES or code in _TAGS:
        return True
    if before == _JOINER:
        # A joiner joins pictures; letters of other scripts use it to shape what stands beside it.
        return unicodedata.category(character) == "So"
    if code in _FLAG_LETTERS:
        letters = 0
        while position - letters > start and ord(text[position - letters - 1]) in _FLAG_LETTERS:
            letters += 1
        return letters % 2 == 1
    return unicodedata.category(character) in ("Mn", "Me", "Mc")
