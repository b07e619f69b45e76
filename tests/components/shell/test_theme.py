"""The contrast of both themes by the formula of WCAG 2, for the colors of config.toml."""

import itertools
import re
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[3]
CONFIG = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text())
CSS = (PROJECT / "static" / "muster.css").read_text()
THEMES = ["light", "dark"]
COLOR_NAMES = ["red", "orange", "yellow", "green", "blue", "violet", "gray"]
TEXT = 4.5
MARK = 3.0


def luminance(color: str) -> float:
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def list_backgrounds(theme: dict) -> list[str]:
    return [
        theme["backgroundColor"],
        theme["secondaryBackgroundColor"],
        theme["sidebar"]["backgroundColor"],
        theme["sidebar"]["secondaryBackgroundColor"],
    ]


def test_the_contrast_formula_matches_the_wcag_standard():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("name", THEMES)
def test_text_is_legible_on_every_background(name: str):
    theme = CONFIG["theme"][name]
    for ground in list_backgrounds(theme):
        assert contrast(theme["textColor"], ground) >= 7
        assert contrast(theme["linkColor"], ground) >= TEXT
        assert contrast(theme["dataframeHeaderTextColor"], ground) >= TEXT


def blend(text: str, ground: str, share: float = 0.6) -> str:
    """Return a color over a background at this opacity. Streamlit draws captions and labels at 60%."""
    mixed = (
        round(int(text[start : start + 2], 16) * share + int(ground[start : start + 2], 16) * (1 - share))
        for start in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


@pytest.mark.parametrize("name", THEMES)
def test_captions_are_legible_on_the_page_and_in_the_sidebar(name: str):
    theme = CONFIG["theme"][name]
    for ground in (theme["backgroundColor"], theme["sidebar"]["backgroundColor"]):
        assert contrast(blend(theme["textColor"], ground), ground) >= TEXT


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("color", COLOR_NAMES)
def test_colored_text_is_legible_on_its_own_background_and_on_the_page(name: str, color: str):
    theme = CONFIG["theme"][name]
    text = theme[f"{color}TextColor"]
    for ground in (theme[f"{color}BackgroundColor"], *list_backgrounds(theme)):
        assert contrast(text, ground) >= TEXT


@pytest.mark.parametrize("name", THEMES)
def test_the_label_of_a_primary_button_is_legible(name: str):
    assert contrast("#FFFFFF", CONFIG["theme"][name]["primaryColor"]) >= TEXT


@pytest.mark.parametrize("name", THEMES)
def test_the_accent_color_stands_out_from_every_background(name: str):
    theme = CONFIG["theme"][name]
    for ground in list_backgrounds(theme):
        assert contrast(theme["primaryColor"], ground) >= MARK


def read_light_dark(rule: str) -> dict[str, str]:
    """Return the colors of the first `light-dark(…)` after a selector of the style sheet, by theme."""
    (pair,) = re.findall(re.escape(rule) + r"[^}]*?light-dark\((#\w+), (#\w+)\)", CSS)
    return dict(zip(THEMES, pair, strict=True))


@pytest.mark.parametrize("name", THEMES)
def test_a_focus_ring_stands_out_from_every_background(name: str):
    """Also from colored notes, table headers, and selected rows. Within a table the ring has the accent color."""
    theme, ring = CONFIG["theme"][name], read_light_dark(":focus-visible {")[name]
    notes = [theme[f"{color}BackgroundColor"] for color in COLOR_NAMES]
    selected = [blend(theme["primaryColor"], ground, 0.14) for ground in list_backgrounds(theme)]
    for ground in (*list_backgrounds(theme), *notes, *selected, theme["dataframeHeaderBackgroundColor"]):
        assert contrast(ring, ground) >= MARK
    for ground in (theme["backgroundColor"], theme["dataframeHeaderBackgroundColor"], *selected[:1]):
        assert contrast(theme["primaryColor"], ground) >= MARK


@pytest.mark.parametrize("name", THEMES)
def test_a_selected_option_is_legible_on_its_tint(name: str):
    """Streamlit fills it with the accent color at 10% over the background."""
    theme, text = CONFIG["theme"][name], read_light_dark('button[data-selected="true"] * {')[name]
    for ground in list_backgrounds(theme):
        assert contrast(text, blend(theme["primaryColor"], ground, 0.1)) >= TEXT


@pytest.mark.parametrize("name", THEMES)
def test_the_first_menu_entry_is_legible(name: str):
    first = '[data-testid="stSidebarNavItems"] > :first-child [data-testid="stSidebarNavLink"]'
    for rule in (f"{first} {{", f"{first}:hover {{"):
        assert contrast("#FFFFFF", read_light_dark(rule)[name]) >= TEXT


def test_the_accent_color_is_not_red():
    for name in THEMES:
        red, green, blue = (int(CONFIG["theme"][name]["primaryColor"][start : start + 2], 16) for start in (1, 3, 5))
        assert red < green < blue


def test_both_themes_set_the_same_colors():
    light, dark = (set(CONFIG["theme"][name]) for name in THEMES)
    assert light == dark


def test_every_color_is_written_in_full():
    themes = (CONFIG["theme"][name] for name in THEMES)
    colors = itertools.chain.from_iterable(theme.items() for theme in themes)
    for key, value in colors:
        if isinstance(value, str):
            assert re.fullmatch(r"#[0-9A-F]{6}", value), key


def test_no_fonts_are_loaded_from_other_hosts_and_no_statistics_are_sent():
    assert CONFIG["browser"]["gatherUsageStats"] is False
    assert "http" not in str(CONFIG["theme"])
    assert CONFIG["client"]["showErrorDetails"] == "none"
    assert CONFIG["client"]["showErrorLinks"] is False
