"""Muster's name and mark."""

from __future__ import annotations

from pathlib import Path
from typing import Final

NAME: Final = "Muster"
_IMAGES: Final = Path(__file__).parent / "images"
MARK: Final = (_IMAGES / "mark.svg").read_text(encoding="utf-8").strip()
_INK: Final = {"light": "#0D151D", "dark": "#E3EAF1"}


def wordmark(theme: str | None) -> str:
    """Return the logo with the name as SVG, for a light or a dark background."""
    drawn = (_IMAGES / "wordmark.svg").read_text(encoding="utf-8").strip()
    return drawn.replace("currentColor", _INK["dark" if theme == "dark" else "light"])
