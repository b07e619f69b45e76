"""Muster's name and mark."""

from __future__ import annotations

from pathlib import Path
from typing import Final

NAME: Final = "Muster"
_IMAGES: Final = Path(__file__).parent / "images"
MARK: Final = (_IMAGES / "mark.svg").read_text(encoding="utf-8").strip()
WORDMARK: Final = (_IMAGES / "wordmark.svg").read_text(encoding="utf-8").strip()
"""The mark with the name beside it, which follows the page from light to dark."""
