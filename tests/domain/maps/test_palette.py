"""Colors that everyone can distinguish on land and sea."""

import math
from itertools import combinations

import pytest

from domain.maps.palette import (
    GROUNDS,
    KIND_COLOURS,
    KIND_ICONS,
    KIND_LETTERS,
    OTHER_KIND,
    PROBLEM_COLOURS,
    STATUS_COLORS,
    Colour,
    Theme,
    kind_colour,
    rgb,
    theme_of,
)

THEMES: list[Theme] = ["light", "dark"]
# Machado, Oliveira and Fernandes (2009), severity 1, on linear light.
COLOR_VISION = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def luminance(color: Colour) -> float:
    """The relative luminance of a color, from 0 to 1, as WCAG defines it."""
    red, green, blue = ((c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for c in (v / 255 for v in color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of two colors, from 1 to 21, as WCAG defines it."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def lab(color: Colour, vision: str) -> tuple[float, float, float]:
    """CIE Lab of a color with this color vision."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in color)]
    rows = COLOR_VISION[vision]
    red, green, blue = (min(max(sum(a * b for a, b in zip(row, linear, strict=True)), 0.0), 1.0) for row in rows)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", KIND_COLOURS)
def test_a_mark_stands_out_from_land_and_sea_and_its_count_from_the_mark(kind: str, theme: Theme) -> None:
    ground, color = GROUNDS[theme], kind_colour(kind, theme)
    assert contrast(color, rgb(ground.land)) >= 3
    assert contrast(color, rgb(ground.sea)) >= 3
    assert contrast(color, rgb(ground.on_mark)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_names_can_be_read_on_land_on_sea_and_in_tooltips(theme: Theme) -> None:
    ground = GROUNDS[theme]
    for background in (ground.land, ground.sea, ground.casing):
        assert contrast(rgb(ground.ink), rgb(background)) >= 7
    assert contrast(rgb(ground.tooltip_ink), rgb(ground.tooltip_ground)) >= 7


@pytest.mark.parametrize("theme", THEMES)
def test_the_rings_of_statuses_stand_out_from_the_ground_and_their_counts_from_the_mark(theme: Theme) -> None:
    ground = GROUNDS[theme]
    for colors in STATUS_COLORS.values():
        color = rgb(colors[theme])
        assert min(contrast(color, rgb(background)) for background in (ground.land, ground.sea, ground.casing)) >= 3
        assert contrast(color, rgb(ground.on_mark)) >= 4.5
    assert contrast(rgb(PROBLEM_COLOURS["error"][theme]), rgb(ground.land)) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", COLOR_VISION)
def test_the_four_kinds_are_distinguished_with_any_color_vision(vision: str, theme: Theme) -> None:
    kinds = [kind for kind in KIND_COLOURS if kind != OTHER_KIND]
    for one, other in combinations(kinds, 2):
        distance = math.dist(lab(kind_colour(one, theme), vision), lab(kind_colour(other, theme), vision))
        assert distance >= 18, f"{one} and {other}"


def test_every_kind_has_a_unique_icon_and_letter() -> None:
    assert set(KIND_ICONS) == set(KIND_LETTERS) == set(KIND_COLOURS)
    assert len(set(KIND_LETTERS.values())) == len(KIND_LETTERS)


@pytest.mark.parametrize("kind", [None, "", "air", "Ferry", 7])
def test_a_kind_without_a_color_is_drawn_as_other(kind: object) -> None:
    assert kind_colour(kind, "light") == rgb(KIND_COLOURS[OTHER_KIND]["light"])


@pytest.mark.parametrize(
    ("preference", "theme"), [("dark", "dark"), ("light", "light"), (None, "light"), ("x", "light")]
)
def test_the_theme_is_light_unless_the_browser_prefers_dark(preference: str | None, theme: Theme) -> None:
    assert theme_of(preference) == theme


def test_contrast_and_luminance_follow_wcag() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert luminance((118, 118, 118)) == pytest.approx(0.181, abs=0.001)
