"""The people of the rosters that a person looked at last, as far as their trips are loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from domain.expected_locations.location_frame import Locations
from domain.expected_locations.roster_choice import RosterChoice, chosen_rosters, opening_choice
from domain.expected_locations.roster_load import find_load

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace


def rosters_on_map(workspace: Workspace) -> RosterChoice | None:
    """Return the rosters that the map opens on for this person; None if the organization has none."""
    stored = workspace.journal.rosters
    rosters = stored.list(workspace.actor.service, workspace.actor.organization_id)
    return chosen_rosters(opening_choice(rosters, stored.last_choice(workspace.actor)), rosters) if rosters else None


def countries_with_people(workspace: Workspace, choice: RosterChoice | None) -> list[str]:
    """Return the codes of the countries on the loaded trips of these rosters, those with the most people first.

    Nothing is loaded for this.
    """
    load = find_load(workspace, choice) if choice is not None else None
    if load is None:
        return []
    locations = load.locations()
    return locations.memo.get("countries of trips", lambda: _count_countries(locations))


def _count_countries(locations: Locations) -> list[str]:
    codes, of_place = np.unique(locations.places["country"].to_numpy(dtype=str), return_inverse=True)
    pairs = np.unique(np.stack([of_place[locations.codes("place")], locations.codes("person")]), axis=1)
    people = np.bincount(pairs[0], minlength=len(codes))
    return [str(codes[each]) for each in np.argsort(-people, kind="stable") if codes[each]]
