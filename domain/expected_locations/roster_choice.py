"""Which rosters the map shows: some, or all of the organization; and which it opens on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from domain.text.plain_text import names
from journal import Roster

ALL: Final = "all"
"""How all rosters together are written in the address, in the place of IDs."""
ALL_ROSTERS: Final = "All rosters"


@dataclass(frozen=True)
class RosterChoice:
    """The rosters on the map, and their name together; `value` stands for them in the journal and in caches."""

    value: str
    name: str
    rosters: tuple[Roster, ...]

    @property
    def description(self) -> str:
        """The rosters within a sentence."""
        if self.value == ALL:
            return "your organization’s rosters"
        noun = "roster" if len(self.rosters) == 1 else "rosters"
        return f"the {noun} {names([f'“{each.name}”' for each in self.rosters])}"


def offered_rosters(rosters: Sequence[Roster]) -> dict[str, str]:
    """Return the names of what can be selected by its value; all rosters only if there are several."""
    all_option = {ALL: ALL_ROSTERS} if len(rosters) > 1 else {}
    return all_option | {str(roster.id): roster.name for roster in rosters}


def chosen_rosters(values: Sequence[str], rosters: Sequence[Roster]) -> RosterChoice | None:
    """Return the rosters that these values name; None if they name none."""
    if ALL in values and len(rosters) > 1:
        return RosterChoice(ALL, ALL_ROSTERS, tuple(rosters))
    chosen = tuple(roster for roster in rosters if str(roster.id) in values)
    if not chosen:
        return None
    return RosterChoice(",".join(str(each.id) for each in chosen), names([each.name for each in chosen]), chosen)


def opening_choice(rosters: Sequence[Roster], last: str | None) -> list[str]:
    """Return what the map opens on: what the person had there last, else the default roster, else the first by name."""
    offered = offered_rosters(rosters)
    chosen = [each for each in (last or "").split(",") if each in offered]
    return chosen or [str(next((roster for roster in rosters if roster.is_default), rosters[0]).id)]


def after_selection(previous: Sequence[str], current: Sequence[str]) -> list[str]:
    """Return what is selected once "All rosters" and single rosters exclude each other: the latest counts."""
    if ALL in current and len(current) > 1:
        return [ALL] if ALL not in previous else [each for each in current if each != ALL]
    return list(current)
