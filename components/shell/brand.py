"""Muster's name and mark."""

from __future__ import annotations

from pathlib import Path
from typing import Final

NAME: Final = "Muster"
_IMAGES: Final = Path(__file__).parent / "images"
MARK: Final = (_IMAGES / "mark.svg").read_text(encoding="utf-8").strip()
WORDMARK: Final = (_IMAGES / "wordmark.svg").read_text(encoding="utf-8").strip()
"""The mark with the name beside it, which follows the page from light to dark."""
CREDITS: Final = (
    "Cities and ZIP codes: [GeoNames](https://www.geonames.org/), "
    "[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/). Time zones: "
    "[timezone-boundary-builder](https://github.com/evansiroky/timezone-boundary-builder), with data of "
    "[OpenStreetMap](https://www.openstreetmap.org/copyright) contributors, "
    "[ODbL](https://opendatacommons.org/licenses/odbl/1-0/). Maps: Natural Earth and the United States Census Bureau."
)
"""The sources of the data that ships with Muster, as their licenses require."""
