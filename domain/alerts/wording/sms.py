"""A text as SMS: its message parts, the characters that make it longer, and their plain replacements."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from domain.text.plain_text import count, names

Encoding = Literal["GSM-7", "UCS-2"]
GSM_7: Final[Encoding] = "GSM-7"
UCS_2: Final[Encoding] = "UCS-2"

# 3GPP TS 23.038, 6.2.1: the default alphabet in order. The escape at 0x1B is no character.
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
"""The characters of the extension table (6.2.1.1). Each takes two units: an escape and another."""

# 140 octets per message. In a text of several parts, a header takes 6 of them (TS 23.040, 9.2.3.24.1).
_WIRELESS_ROOM: Final = 360
SINGLE: Final[dict[Encoding, int]] = {GSM_7: 160, UCS_2: 70}
PART: Final[dict[Encoding, int]] = {GSM_7: 153, UCS_2: 67}

_JOINER: Final = "\u200d"
_KEYCAP: Final = "\u20e3"
_FLAG_LETTERS: Final = range(0x1F1E6, 0x1F200)
_SKIN_TONES: Final = range(0x1F3FB, 0x1F400)
_TAGS: Final = range(0xE0020, 0xE0080)
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
"""The plain replacement of each character. Accented letters are not replaced, since they belong to names. Neither
are raised digits: 10² would become 102.
"""
_UNSEEN: Final = "".join(sign for sign, plain in REPLACEMENTS.items() if not plain)
_APART: Final = tuple(
    (re.compile(found), apart)
    for found, apart in (
        # 1½ would become 11/2.
        (rf"(?<=\d)[{_UNSEEN}]*(?=[{_FRACTIONS}])|(?<=[{_FRACTIONS}])[{_UNSEEN}]*(?=[\d{_FRACTIONS}])", " "),
        # The parts of a phone number stay joined: "555—123—4567".
        (r"(?<=\d{3})[—―](?=\d{3,4}\b)", "-"),
        # A dash between clauses would become a hyphen: "Highway 36—5 miles".
        (r"(?<=\S)(?=[—―])|(?<=[—―])(?=\S)", " "),
        # A bullet would become a minus sign: "•5 shelters".
        (r"(?<=•)(?=\S)", " "),
        (r"\s+(?=°)", ""),
        (r"(?<=°)(?=[CF]\b)", " "),
    )
)
"""Where a plain character needs a space beside it."""
_NAMELESS: Final = {"\t": "tab", "\n": "line break", "\r": "carriage return", "\f": "form feed", "\v": "line tab"}
_NAMED: Final = 4


def encoding_of(text: str) -> Encoding:
    """Return the encoding of a text. One character outside the default alphabet changes it for the whole text."""
    return GSM_7 if all(character in BASIC or character in EXTENSION for character in text) else UCS_2


def units_of(text: str, encoding: Encoding) -> int:
    """Return the number of units of a text: septets, or 16-bit units, of which characters beyond U+FFFF take two."""
    if encoding == GSM_7:
        return len(text) + sum(character in EXTENSION for character in text)
    return len(text) + sum(ord(character) > 0xFFFF for character in text)


def graphemes(text: str) -> Iterator[str]:
    """Split a text into what is seen as one character, with its marks, joined emoji, skin tones, and flags.

    A small part of Unicode's rules (UAX 29), for what occurs in messages.
    """
    start = 0
    for position in range(1, len(text) + 1):
        if position == len(text) or not _continues(text, start, position):
            if position > start:
                yield text[start:position]
            start = position


def parts_of(text: str) -> list[str]:
    """Return the message parts of a text, none for an empty one.

    Escapes, surrogates, and what is seen as one character are not split if a part can hold them.
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
        # A joiner joins emoji. Letters of other scripts use it for their shape.
        return unicodedata.category(character) == "So"
    if code in _FLAG_LETTERS:
        letters = 0
        while position - letters > start and ord(text[position - letters - 1]) in _FLAG_LETTERS:
            letters += 1
        return letters % 2 == 1
    return unicodedata.category(character) in ("Mn", "Me", "Mc")


def plain_form(piece: str) -> str | None:
    """Return the equivalent plain text, or None if there is none.

    A letter and its accent become one letter if the alphabet has it.
    """
    composed = unicodedata.normalize("NFC", piece)
    plain = "".join(REPLACEMENTS.get(character, character) for character in composed)
    return None if plain == piece or encoding_of(plain) != GSM_7 else plain


def straighten(text: str) -> str:
    """Return the text with plain quotes, dashes, dots, and spaces. Letters, emoji, and everything else stay.

    The result never takes more message parts: if a written-out ellipsis would add one, it stays.
    """
    if encoding_of(text) == GSM_7:
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


class Costly(NamedTuple):
    """A visible character that makes the text longer, and its position, counted from 1."""

    character: str
    position: int

    @property
    def name(self) -> str:
        """Return its Unicode name in lower case; of a joined one, the name of its first part."""
        first, length = self.character[:1], len(self.character)
        name = _NAMELESS.get(first) or unicodedata.name(first, f"U+{ord(first):04X}").lower()
        return f"{name}, {length} characters" if length > 1 else name

    @property
    def replacement(self) -> str | None:
        """Return its plain replacement, None if there is none, or "" if it can be removed."""
        return plain_form(self.character)


@dataclass(frozen=True)
class SmsMeter:
    """The length of a text as SMS."""

    encoding: Encoding
    units: int
    """Septets of GSM-7, or 16-bit units of UCS-2."""
    segments: int
    per_segment: int
    """The units that fit in one message part of this text."""
    left: int
    """The unused units of the last message part."""
    costly: list[Costly]
    """The characters that force UCS-2 on the whole text."""
    doubled: list[Costly]
    """The characters that take two units each in GSM-7."""

    @property
    def words(self) -> str:
        """Return a summary: "152 of 160 · 1 message part · plain characters"."""
        kind = "plain characters" if self.encoding == GSM_7 else "special characters"
        if self.segments > 1:
            return f"{self.units:,} · {self.segments:,} message parts of {self.per_segment} · {kind}"
        return f"{self.units} of {self.per_segment} · {count(self.segments, 'message part', 'message parts')} · {kind}"

    @property
    def can_be_straightened(self) -> bool:
        """Return whether some of the costly characters have plain replacements."""
        return any(each.replacement is not None for each in self.costly)

    @property
    def costly_words(self) -> str:
        """Return which characters make the text longer, and why."""
        limits = SINGLE if self.segments == 1 else PART
        return (
            f"Special characters reduce a message part from {limits[GSM_7]} to {limits[self.encoding]} characters: "
            f"{_list(self.costly)}."
        )

    @property
    def doubled_words(self) -> str:
        """Return which characters of a plain text count twice."""
        return f"Characters that count as 2: {_list(self.doubled)}."


def describe_wireless_excess(text: str) -> str:
    """Say by how much a text is too long for a wireless emergency alert on any phone; "" if it is not."""
    excess = len(text) - _WIRELESS_ROOM
    if excess <= 0:
        return ""
    return (
        f"The text message is {excess:,} characters too long for a wireless alert, which has room for "
        f"{_WIRELESS_ROOM}. The end may be missing on phones."
    )


def wireless_rooms(text: str) -> list[tuple[str, bool]]:
    """Say how much of the room of wireless emergency alerts in the United States (47 CFR 10.430) a text takes.

    Every phone shows 90 characters, and phones on 4G LTE or later show 360.
    """
    # ASSUMPTION A453: whether the service passes alerts on to wireless emergency alerts, and what of the text, is not
    # shown. The counters say what would have room there; nothing is refused for it.
    rooms, used = (("older phones", 90), ("newer phones", _WIRELESS_ROOM)), len(text)
    over = {limit: f" ({used - limit:,} too many)" if used > limit else "" for _, limit in rooms}
    return [
        (f"{used:,} of {limit}{over[limit]} · wireless alert, {phones}", not over[limit]) for phones, limit in rooms
    ]


def measure(text: str) -> SmsMeter:
    """Measure a text as it is, with the spaces at its ends."""
    encoding, parts = encoding_of(text), parts_of(text)
    room = PART[encoding] if len(parts) > 1 else SINGLE[encoding]
    places, is_plain = enumerate(text, start=1), encoding == GSM_7
    return SmsMeter(
        encoding=encoding,
        units=units_of(text, encoding),
        segments=len(parts),
        per_segment=room,
        left=room - (units_of(parts[-1], encoding) if parts else 0),
        costly=[] if is_plain else _costly(text),
        doubled=[Costly(character, at) for at, character in places if is_plain and character in EXTENSION],
    )


def _costly(text: str) -> list[Costly]:
    found, position = [], 1
    for piece in graphemes(text):
        if encoding_of(piece) != GSM_7:
            found.append(Costly(piece, position))
        position += len(piece)
    return found


def _list(found: list[Costly]) -> str:
    """List each character with its name, its first position, and how often it occurs."""
    first = {each.character: each for each in reversed(found)}
    times = Counter(each.character for each in found)
    return names([_describe(first[character], number) for character, number in times.items()], at_most=_NAMED)


def _describe(each: Costly, times: int) -> str:
    more = f" and {times - 1} more" if times > 1 else ""
    # In a joined emoji, the joiner is invisible.
    if each.character.strip() and each.character[0].isprintable():
        # Separated from its line, the mark does not decide the direction of the line.
        return f"\u2068{each.character}\u2069 ({each.name}, position {each.position}{more})"
    return f"{each.name} (position {each.position}{more})"
