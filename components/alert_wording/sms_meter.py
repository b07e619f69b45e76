"""The SMS meter: how many messages a text takes, how much room is left, and which characters make it expensive."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final, NamedTuple

from components.alert_wording.sms_encoding import (
    BASIC,
    EXTENSION,
    GSM_7,
    PART,
    SINGLE,
    UCS_2,
    Encoding,
    encoding_of,
    graphemes,
    parts_of,
    units_of,
)
from components.alert_wording.straighten import plain_form

_NAMELESS: Final = {"\t": "tabulator", "\n": "line break", "\r": "carriage return", "\f": "form feed", "\v": "line tab"}


class Costly(NamedTuple):
    """A character that makes the text expensive, its name in Unicode, and where it stands, counted from 1."""

    character: str
    name: str
    position: int

    @property
    def replacement(self) -> str | None:
        """What would stand for it at no loss; None where nothing does, and "" where it can go without a trace."""
        return plain_form(self.character)


@dataclass(frozen=True)
class SmsMeter:
    """What a text costs as SMS.

    `units` are septets of GSM-7 or 16-bit units of UCS-2; `per_segment` is the room of one message at this length, and
    `left` what remains in the last. `costly` are the characters that force UCS-2 on the whole text; `doubled` those of
    a GSM-7 text that take two units each.
    """

    encoding: Encoding
    units: int
    segments: int
    per_segment: int
    left: int
    costly: list[Costly]
    doubled: list[Costly]
    parts: list[str]

    @property
    def words(self) -> str:
        """In a line: "152 of 160 · 1 segment", "201 · 2 segments of 153"."""
        if self.segments > 1:
            return f"{self.units} · {self.segments} segments of {self.per_segment}"
        return f"{self.units} of {self.per_segment} · {self.segments} segment{'' if self.segments == 1 else 's'}"

    @property
    def can_be_straightened(self) -> bool:
        """Whether plain quotes, dashes and spaces would stand for some of the costly characters."""
        return any(each.replacement is not None for each in self.costly)


class WirelessRoom(NamedTuple):
    """What a text takes of the room that wireless emergency alerts have on some phones, in characters."""

    phones: str
    limit: int
    used: int

    @property
    def fits(self) -> bool:
        """Whether the whole text has room."""
        return self.used <= self.limit

    @property
    def words(self) -> str:
        """In a line: "152 of 360 · wireless alert, newer phones", "152 of 90, 62 too many · …"."""
        over = "" if self.fits else f", {self.used - self.limit} too many"
        return f"{self.used} of {self.limit}{over} · wireless alert, {self.phones}"


def wireless_rooms(text: str) -> list[WirelessRoom]:
    """The two lengths of wireless emergency alerts in the United States (47 CFR 10.430), and what a text takes of each.

    Every phone shows 90 characters; those on networks from 4G LTE on show 360.
    """
    # ASSUMPTION A453: whether the service passes alerts on to wireless emergency alerts, and what of the text, is not
    # shown. The counters say what would have room there; nothing is refused for it.
    return [WirelessRoom("older phones", 90, len(text)), WirelessRoom("newer phones", 360, len(text))]


def measure(text: str) -> SmsMeter:
    """What this text costs, as it stands, spaces at its ends included."""
    encoding = encoding_of(text)
    parts = parts_of(text)
    room = PART[encoding] if len(parts) > 1 else SINGLE[encoding]
    return SmsMeter(
        encoding=encoding,
        units=units_of(text, encoding),
        segments=len(parts),
        per_segment=room,
        left=room - (units_of(parts[-1], encoding) if parts else 0),
        costly=_costly(text) if encoding == UCS_2 else [],
        doubled=[
            Costly(character, name_of(character), position)
            for position, character in enumerate(text, start=1)
            if encoding == GSM_7 and character in EXTENSION
        ],
        parts=parts,
    )


def name_of(character: str) -> str:
    """The name of what is seen as one character, in small letters; of a joined one, what it begins with."""
    first = character[:1]
    name = _NAMELESS.get(first) or unicodedata.name(first, f"U+{ord(first):04X}").lower()
    return f"{name}, joined of {len(character)}" if len(character) > 1 else name


def _costly(text: str) -> list[Costly]:
    found, position = [], 1
    for piece in graphemes(text):
        if not all(character in BASIC or character in EXTENSION for character in piece):
            found.append(Costly(piece, name_of(piece), position))
        position += len(piece)
    return found
