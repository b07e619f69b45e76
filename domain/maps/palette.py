"""Colors: one per segment type on every map and table, and those of the ground, in the light and the dark theme.

The four types stay distinct for color-blind people, reach 3:1 against land and sea, and 4.5:1 against the count in the
mark; `tests/domain/maps/test_palette.py` checks it. Red, amber, and green keep their usual meanings.
"""

from dataclasses import dataclass
from typing import Literal

Theme = Literal["light", "dark"]
Colour = tuple[int, int, int]

OTHER_KIND = "Other"
"""The type of a place or segment without a known type."""

KIND_COLOURS: dict[str, dict[Theme, str]] = {
    "Air": {"light": "#003BA9", "dark": "#4E93FA"},
    "Hotel": {"light": "#AC489D", "dark": "#DC72BB"},
    "Rail": {"light": "#794D0A", "dark": "#D9B36C"},
    "Car": {"light": "#1B7569", "dark": "#A3EDE8"},
    OTHER_KIND: {"light": "#56636E", "dark": "#A9B6C2"},
}

PROBLEM_COLOURS: dict[Literal["warning", "error"], dict[Theme, str]] = {
    "warning": {"light": "#B4690E", "dark": "#E8A33D"},
    "error": {"light": "#C0362C", "dark": "#F0776C"},
}
"""The theme's orange and red, for warnings and errors."""

STATUS_COLORS: dict[str, dict[Theme, str]] = {
    "there": {"light": "#003BA9", "dark": "#4E93FA"},
    "arriving": {"light": "#1B7569", "dark": "#A3EDE8"},
    "leaving": {"light": "#AC489D", "dark": "#DC72BB"},
    "possible": {"light": "#56636E", "dark": "#A9B6C2"},
}
"""The marks on the map of expected locations, in the order of `PlaceHours.status`."""

KIND_ICONS: dict[str, str] = {
    "Air": ":material/flight:",
    "Hotel": ":material/hotel:",
    "Rail": ":material/train:",
    "Car": ":material/directions_car:",
    OTHER_KIND: ":material/location_on:",
}

KIND_LETTERS: dict[str, str] = {"Air": "F", "Hotel": "H", "Rail": "T", "Car": "C", OTHER_KIND: "?"}


@dataclass(frozen=True)
class Ground:
    """The colors under the marks and of the labels above them, as ``#RRGGBB``."""

    sea: str
    land: str
    border: str
    graticule: str
    river: str
    casing: str
    on_mark: str
    ink: str
    tooltip_ground: str
    tooltip_ink: str


GROUNDS: dict[Theme, Ground] = {
    "light": Ground(
        sea="#D3E0E9",
        land="#F6F7F4",
        border="#B9C6CF",
        graticule="#C4D4DF",
        river="#8FB3CC",
        casing="#FFFFFF",
        on_mark="#FFFFFF",
        ink="#14222E",
        tooltip_ground="#14222E",
        tooltip_ink="#FFFFFF",
    ),
    "dark": Ground(
        sea="#0F1B26",
        land="#22313D",
        border="#3B4E5D",
        graticule="#182836",
        river="#3F6A8A",
        casing="#0B141C",
        on_mark="#0B141C",
        ink="#EEF3F7",
        tooltip_ground="#EEF3F7",
        tooltip_ink="#0B141C",
    ),
}


def theme_of(name: str | None) -> Theme:
    """Return the theme to draw for: the browser's, or light if it sends none."""
    return "dark" if name == "dark" else "light"


def kind_or_other(kind: object) -> str:
    """Return the type itself, or OTHER_KIND for one without a color."""
    return kind if isinstance(kind, str) and kind in KIND_COLOURS else OTHER_KIND


def rgb(colour: str) -> Colour:
    """Return ``#RRGGBB`` as three numbers from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def kind_colour(kind: object, theme: Theme) -> Colour:
    """Return the color of a segment type as three numbers from 0 to 255."""
    return rgb(KIND_COLOURS[kind_or_other(kind)][theme])
