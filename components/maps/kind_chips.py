"""The kinds of segments as chips: an icon and a letter on the color of the kind."""

from collections.abc import Iterable

from domain.maps.palette import GROUNDS, KIND_COLOURS, KIND_ICONS, KIND_LETTERS, Theme, kind_or_other
from domain.trips.resolved_segments import SEGMENT_NOUNS


def kinds_legend(kinds: Iterable[object], theme: Theme) -> str:
    """Name the chips of these kinds, each once, in a fixed order."""
    present = {kind_or_other(kind) for kind in kinds}
    return "\u2003".join(
        f"{chip(kind, theme)}\u00a0{SEGMENT_NOUNS.get(kind.casefold(), kind)}"
        for kind in KIND_COLOURS
        if kind in present
    )


def chip(kind: object, theme: Theme) -> str:
    """Return the chip of a kind of segment, in Markdown."""
    kind = kind_or_other(kind)
    colors = f'foreground="{GROUNDS[theme].on_mark}" background="{KIND_COLOURS[kind][theme]}"'
    return f":color[{KIND_ICONS[kind]} {KIND_LETTERS[kind]}]{{{colors}}}"
