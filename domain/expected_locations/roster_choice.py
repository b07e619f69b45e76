"""Which roster the map shows: one, or all of the organization; and which one it opens on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from journal import Roster

ALL: Final = "all"
"""How all rosters together are written in the address, in the place of a roster's id."""
ALL_ROSTERS: Final = "All rosters"


@dataclass(frozen=True)
class RosterChoice:
    """The rosters on the map, and what they are called together; `value` stands for them in the address."""

    value: str
    name: str
    rosters: tuple[Roster, ...]


def choices(rosters: Sequence[Roster]) -> dict[str, RosterChoice]:
    """Return what can be chosen, by its value; all rosters only where there are several."""
    together = [RosterChoice(ALL, ALL_ROSTERS, tuple(rosters))] if len(rosters) > 1 else []
    each = [RosterChoice(str(roster.id), roster.name, (roster,)) for roster in rosters]
    return {choice.value: choice for choice in (*together, *each)}


def opening_choice(rosters: Sequence[Roster], last: str | None) -> str:
    """Return what the map opens on: what the person had there last, else the default roster, else the first by name."""
    if last is not None and last in choices(rosters):
        return last
    return str(next((roster for roster in rosters if roster.is_default), rosters[0]).id)
