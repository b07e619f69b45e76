"""The people of the rosters that a person looked at last, as far as their trips are loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from domain.expected_locations.location_frame import Locations
from domain.expected_locations.roster_choice import RosterChoice, chosen_rosters, opening_choice
from domain.expected_locations.roster_load import find_load
from domain.filters.reach.reach_count import PLACE_COLUMNS

if TYPE_CHECKING:
    from domain.filters.suggestions import ValuesByColumn
    from domain.runtime.workspace import Workspace


def rosters_on_map(workspace: Workspace) -> RosterChoice | None:
    """Return the rosters that the map opens on for this person; None if the organization has none."""
    stored = workspace.journal.rosters
    rosters = stored.list(workspace.actor.service, workspace.actor.organization_id)
    return chosen_rosters(opening_choice(rosters, stored.last_choice(workspace.actor)), rosters) if rosters else None


def values_on_trips(workspace: Workspace, choice: RosterChoice | None) -> ValuesByColumn:
    """Return the places on the loaded trips of these rosters by column of rules, those with the most people first.

    Nothing is loaded for this.
    """
    load = find_load(workspace, choice) if choice is not None else None
    if load is None:
        return {}
    locations = load.locations()
    return locations.memo.get("values of rules", lambda: _count_people(locations))


def _count_people(locations: Locations) -> dict[str, list[str]]:
    total = max(len(locations.people), 1)
    place, person = np.divmod(
        np.unique(locations.codes("place").astype(np.int64) * total + locations.codes("person")), total
    )
    found = {}
    for key, column in PLACE_COLUMNS.items():
        texts, of_place = np.unique(locations.places[column].to_numpy(dtype=str), return_inverse=True)
        pairs = np.unique(of_place[place].astype(np.int64) * total + person)
        people = np.bincount(pairs // total, minlength=len(texts))
        found[key] = [str(texts[each]) for each in np.argsort(-people, kind="stable") if texts[each] and people[each]]
    return found
