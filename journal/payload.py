"""Turning requests and answers into text for the database and back, without losing a digit or a letter."""

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
"""What copies a JSON-like value, or a text, without the secrets in it: whoever opens the journal knows them."""


def encode(payload: Mapping[str, Any] | None, redact: Redact) -> str | None:
    """Write a payload as JSON text, secrets removed.

    Plain ASCII, so that lone surrogates and NUL pass through every database; integers keep all their digits.
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
    """Replace the few characters that a text column cannot hold (NUL and lone surrogates)."""
    return None if text is None else _NOT_STORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def redacted_message(text: str | None, redact: Redact) -> str | None:
    """A text about what happened as it is written down: storable, secrets removed."""
    return None if text is None else str(redact(storable(text)))


def search_text(*parts: object) -> str:
    """Gather every word and number of the parts into one caseless text to search in, at most 20,000 characters."""
    words: list[str] = []
    _gather(parts, words, SEARCH_TEXT_LIMIT)
    return storable(" ".join(words).casefold()[:SEARCH_TEXT_LIMIT]) or ""


def _gather(value: object, words: list[str], room: int) -> int:
    """Append the leaves of a value while there is room; return the room left."""
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
