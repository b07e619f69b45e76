"""What the marks and lines of a map mean, as small pictures: shapes and colours for kinds, fillings for statuses."""

import math
from collections.abc import Iterable
from html import escape

from components.maps.labels import text_width
from components.maps.marks import KIND_SHAPES, STATUS_FILLINGS, STATUSES
from components.maps.palette import GROUNDS, KIND_COLOURS, KIND_LETTERS, OTHER_KIND, Theme, kind_or_other

HEIGHT = 22
FONT = 13
RADIUS = 6.5
FONT_FAMILY = "Source Sans, Source Sans Pro, system-ui, sans-serif"


def kinds_legend(kinds: Iterable[object], theme: Theme, *, as_lines: bool = False) -> tuple[str, str]:
    """Return an SVG that names the colours and shapes of these kinds, and the same in words; both empty for no kind.

    `as_lines` shows lines, as on a map of legs, with the kind's letter.
    """
    present = {kind_or_other(kind) for kind in kinds}
    shown = [kind for kind in KIND_COLOURS if kind in present]
    entries = []
    for kind in shown:
        colour = KIND_COLOURS[kind][theme]
        mark = _line(kind, colour, theme) if as_lines else _filled(KIND_SHAPES[kind], "solid", colour, theme)
        entries.append((mark, kind))
    words = ", ".join(kind if as_lines else f"{kind}: {_shape_words(kind)}" for kind in shown)
    return _row(entries, theme), words


def statuses_legend(statuses: Iterable[object], theme: Theme) -> tuple[str, str]:
    """Return an SVG that names the fillings of these statuses, and the same in words; both empty for none."""
    present = set(statuses)
    shown = [status for status in STATUSES if status in present]
    ink = KIND_COLOURS[OTHER_KIND][theme]
    entries = [(_filled("circle", STATUS_FILLINGS[status], ink, theme), status.capitalize()) for status in shown]
    words = ", ".join(f"{status.capitalize()}: {STATUS_FILLINGS[status]}" for status in shown)
    return _row(entries, theme), words


def _row(entries: list[tuple[str, str]], theme: Theme) -> str:
    if not entries:
        return ""
    ink = GROUNDS[theme].ink
    x = 0.0
    parts = []
    for mark, word in entries:
        parts.append(f'<g transform="translate({x + 11:.1f} {HEIGHT / 2})">{mark}</g>')
        parts.append(f'<text x="{x + 24:.1f}" y="{HEIGHT / 2 + 4.5}" fill="{ink}">{escape(word)}</text>')
        x += 24 + text_width(word, FONT) + 14
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{math.ceil(x)}" height="{HEIGHT}" '
        f'viewBox="0 0 {math.ceil(x)} {HEIGHT}" font-family="{FONT_FAMILY}" font-size="{FONT}">{"".join(parts)}</svg>'
    )


def _line(kind: str, colour: str, theme: Theme) -> str:
    return (
        f'<line x1="-10" x2="10" y1="0" y2="0" stroke="{colour}" stroke-width="3"/>'
        f'<circle r="8" fill="{colour}"/><text y="4" text-anchor="middle" font-size="11" font-weight="700" '
        f'fill="{GROUNDS[theme].on_mark}">{KIND_LETTERS[kind]}</text>'
    )


def _filled(shape: str, filling: str, colour: str, theme: Theme) -> str:
    casing = GROUNDS[theme].casing
    outer = _shape(shape, RADIUS, f'fill="{colour}"')
    match filling:
        case "ring":
            return (
                outer + _shape(shape, RADIUS - 1.5, f'fill="{casing}"') + _shape(shape, RADIUS - 3, f'fill="{colour}"')
            )
        case "half":
            lower = RADIUS - 1.5
            return outer + f'<path d="M {-lower} 0 A {lower} {lower} 0 0 0 {lower} 0 Z" fill="{casing}"/>'
        case "hollow":
            return outer + _shape(shape, RADIUS - 1.7, f'fill="{casing}"')
    return outer


def _shape(shape: str, r: float, paint: str) -> str:
    """A shape of the area of a circle of this radius, like scripts/build_marks.py draws it."""
    half = r * math.sqrt(math.pi) / 2
    if shape == "circle":
        return f'<circle r="{r:.2f}" {paint}/>'
    if shape == "triangle":
        reach = 1.5 * r
        across, down = reach * math.cos(math.pi / 6), reach / 2
        return f'<polygon points="0,{-reach:.2f} {across:.2f},{down:.2f} {-across:.2f},{down:.2f}" {paint}/>'
    turned = ' transform="rotate(45)"' if shape == "diamond" else ""
    return (
        f'<rect x="{-half:.2f}" y="{-half:.2f}" width="{2 * half:.2f}" height="{2 * half:.2f}" rx="1" {paint}{turned}/>'
    )


def _shape_words(kind: str) -> str:
    return "grey circle" if kind == OTHER_KIND else KIND_SHAPES[kind]
