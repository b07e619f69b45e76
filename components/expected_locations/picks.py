"""Which places are picked: one list, whether they were picked on the map, in the list beside it, or by the address."""

from __future__ import annotations

from collections.abc import Sequence


def with_map(picks: Sequence[str], before: Sequence[str], now: Sequence[str]) -> list[str]:
    """The picks after the map's own went from `before` to `now`: what it gained is in, what it lost is out."""
    lost = set(before) - set(now)
    gained = [each for each in now if each not in before]
    return list(dict.fromkeys([*(each for each in picks if each not in lost), *gained]))


def must_redraw(picks: Sequence[str], on_map: Sequence[str]) -> bool:
    """Whether the map shows a selection that was taken back elsewhere; only a new map forgets its selection."""
    return bool(set(on_map) - set(picks))


def offered(in_sight: Sequence[str], picks: Sequence[str]) -> list[str]:
    """What the list of places offers: those in sight, then picks that are not, so that a filter never loses a pick."""
    return list(dict.fromkeys([*in_sight, *picks]))
