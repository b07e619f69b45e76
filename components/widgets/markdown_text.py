"""Making any text safe to stand inside Markdown, exactly as it was typed."""

from __future__ import annotations

import re
from typing import Final

_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&^=])")
_READ_LATER: Final = re.compile(
    r"(:(?=material/|streamlit:|//|[\w+-]+:)|@(?=\w)|www(?=\.)|(?<!\S)<-?(?=[->=])|(?<!\S)[->~](?=[->=](?!\S)))", re.I
)
"""What Streamlit makes icons, links and arrows of after Markdown has been read, when no escape is left to stop it."""
_BROKEN_UP: Final = "\\1\u2060"
_TURNS: Final = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Letters written from right to left, and characters that turn the direction of what follows."""
_KEPT_APART: Final = "\u2068{}\u2069"


def plain(text: str) -> str:
    """Escape everything that Markdown, or Streamlit on top of it, would read as more than a letter.

    What is written from right to left keeps its direction to itself: it would turn round the words after it, too.
    """
    broken_up = _READ_LATER.sub(_BROKEN_UP, " ".join(text.split()))
    escaped = _SPECIAL.sub(r"\\\1", broken_up)
    return _KEPT_APART.format(escaped) if _TURNS.search(escaped) else escaped


def in_short(text: str, most: int = 120) -> str:
    """What a heading or a row can hold of a text; where it is cut, three dots stand. Not escaped."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
