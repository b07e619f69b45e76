"""Making any text safe to stand inside Markdown, exactly as it was typed."""

from __future__ import annotations

import re
from typing import Final

_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&^=])")


def plain(text: str) -> str:
    """Escape everything that Markdown, or Streamlit on top of it, would read as more than a letter."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
