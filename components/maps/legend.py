"""What the marks and lines of a map mean, as Markdown: shapes and colours for kinds, fillings for statuses."""

from collections.abc import Iterable

from components.maps.marks import KIND_SHAPES, STATUS_FILLINGS
from components.maps.palette import GROUNDS, KIND_COLOURS, KIND_ICONS, KIND_LETTERS, Theme, kind_or_other

SHAPES = {"circle": "●", "square": "■", "diamond": "◆", "triangle": "▲"}
FILLINGS = {"solid": "●", "ring": "◎", "half": "◐", "hollow": "○"}
APART = "\u2003"


def kinds_legend(kinds: Iterable[object], theme: Theme, *, as_lines: bool = False) -> str:
    """Name the shapes and colours of these kinds; `as_lines` shows the chips that stand for legs."""
    present = {kind_or_other(kind) for kind in kinds}
    shown = [kind for kind in KIND_COLOURS if kind in present]
    return APART.join(f"{chip(kind, theme) if as_lines else _mark(kind, theme)} {kind}" for kind in shown)


def statuses_legend(statuses: Iterable[object]) -> str:
    """Name the fillings of these statuses."""
    present = set(statuses)
    fillings = STATUS_FILLINGS.items()
    return APART.join(f"{FILLINGS[filling]} {status.capitalize()}" for status, filling in fillings if status in present)


def chip(kind: object, theme: Theme) -> str:
    """The mark of a kind of segment in its colour: its icon and its letter."""
    kind = kind_or_other(kind)
    colours = f'foreground="{GROUNDS[theme].on_mark}" background="{KIND_COLOURS[kind][theme]}"'
    return f":color[{KIND_ICONS[kind]} {KIND_LETTERS[kind]}]{{{colours}}}"


def _mark(kind: str, theme: Theme) -> str:
    return f':color[{SHAPES[KIND_SHAPES[kind]]}]{{foreground="{KIND_COLOURS[kind][theme]}"}}'
