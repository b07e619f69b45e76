"""JSON as text, to be read and copied with every digit: a browser that reads it as numbers rounds long ids."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

SHOWN_LIMIT: Final = 60_000


def json_text(payload: Mapping[str, Any], *, indent: int | None = 2) -> str:
    """Write a payload as JSON to read and to copy; letters stay letters wherever UTF-8 can carry them."""
    text = json.dumps(payload, ensure_ascii=False, indent=indent)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(payload, indent=indent)
    return text


def shown_json(payload: Mapping[str, Any]) -> tuple[str, bool]:
    """Write a payload for the screen, and tell whether its end had to be left out."""
    text = json_text(payload)
    return (text, False) if len(text) <= SHOWN_LIMIT else (f"{text[:SHOWN_LIMIT]}\n…", True)
