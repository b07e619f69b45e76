"""Requests and responses as text for the database, without losing a digit or a letter."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from datetime import date, datetime, time
from typing import Any, Final

SEARCH_TEXT_LIMIT: Final = 20_000

_NOT_STORABLE: Final = re.compile("[\x00\ud800-\udfff]")


Redact = Callable[[Any], Any]
"""A function that copies a JSON-like value, or a text, without its secrets."""


def encode(payload: Mapping[str, Any] | None, redact: Redact) -> str | None:
    """Return a payload as JSON text without secrets.

    It is ASCII, so that lone surrogates and NUL pass through every database, and integers keep all their digits.
    """

    def plain(value: object) -> object:
        return redact(asdict(value)) if is_dataclass(value) and not isinstance(value, type) else _plain(value)

    return None if payload is None else json.dumps(redact(payload), default=plain, separators=(",", ":"))


def decode(text: str | None) -> dict[str, Any] | None:
    """Read a payload that `encode` wrote."""
    if text is None:
        return None
    value: dict[str, Any] = json.loads(text)
    return value


def storable(text: str | None) -> str | None:
    """Replace the characters that a text column cannot store (NUL and lone surrogates)."""
    return None if text is None else _NOT_STORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def redacted_message(text: str | None, redact: Redact) -> str | None:
    """Return a message that can be stored, without secrets."""
    return None if text is None else str(redact(storable(text)))


def search_text(*parts: object) -> str:
    """Join all words and numbers of the parts to lowercase text for searching, up to 20,000 characters."""
    words: list[str] = []
    _gather(parts, words, SEARCH_TEXT_LIMIT)
    return storable(" ".join(words).casefold()[:SEARCH_TEXT_LIMIT]) or ""


def _gather(value: object, words: list[str], room: int) -> int:
    """Append the leaves of a value while there is room, and return the remaining room."""
    if room <= 0 or value is None or isinstance(value, bool):
        return room
    if isinstance(value, Mapping):
        for member in value.values():
            room = _gather(member, words, room)
        return room
    if isinstance(value, list | tuple):
        for member in value:
            room = _gather(member, words, room)
        return room
    word = str(value)
    words.append(word)
    return room - len(word) - 1


def _plain(value: object) -> object:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    return str(value)
