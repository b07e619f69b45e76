"""What the places of an alert are called in its text."""

from __future__ import annotations

from typing import Final

from components.alert_reach.reach import reach_of
from components.alert_reach.regions import RegionCatalog
from components.alert_reach.us_states import state_name
from components.public_alerts.draft import AlertDraft
from components.widgets.number_text import names

NAMED: Final = 3


def place_names(draft: AlertDraft, catalog: RegionCatalog | None) -> list[str]:
    """Every name by which a text may say where: of the places, and of their states; empty while none are known."""
    if catalog is None or not draft.regions:
        return []
    places = catalog.chosen(draft.regions).places
    states = {place.state for place in places if place.state}
    return list(dict.fromkeys([*(place.name for place in places), *sorted(states), *sorted(map(state_name, states))]))


def place_words(draft: AlertDraft, catalog: RegionCatalog | None) -> str:
    """The place as a text would name it: the places while they are few, else their state; "" where none is known."""
    if catalog is None or not draft.regions:
        return ""
    places = catalog.chosen(draft.regions).places
    if len(places) <= NAMED:
        return names([place.name for place in places])
    reach = reach_of(draft, catalog, None)
    return reach.per_state[0].name if len(reach.per_state) == 1 else ""
