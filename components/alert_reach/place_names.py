"""What the places of an alert are called in its text."""

from __future__ import annotations

from typing import Final

from components.alert_reach.regions import RegionCatalog
from components.alert_reach.us_states import state_name
from components.public_alerts.draft import AlertDraft
from components.widgets.number_text import names

NAMED: Final = 3


def place_names(draft: AlertDraft, catalog: RegionCatalog | None) -> list[str]:
    """Every name by which a text may say where: of places and zip codes' towns, with their states or not; of states."""
    if catalog is None or not draft.regions:
        return []
    places = catalog.chosen(draft.regions).places
    states = {place.state for place in places if place.state}
    called = [*places, *map(catalog.town_of, places)]
    named = [*(place.label for place in called), *(place.name for place in called)]
    return list(dict.fromkeys([*named, *sorted(states), *sorted(map(state_name, states))]))


def place_words(draft: AlertDraft, catalog: RegionCatalog | None) -> str:
    """The place as a text would name it: the places with their states while they are few, else their state.

    Many zip codes are named by their towns, as people call where they live. "" where none is known. A text that names
    the state shows a wrong namesake to whoever writes it.
    """
    if catalog is None or not draft.regions:
        return ""
    places = catalog.chosen(draft.regions).places
    if len(places) > NAMED:
        places = tuple(dict.fromkeys(map(catalog.town_of, places)))
    states = {place.state for place in places}
    if len(places) > NAMED:
        return state_name(states.pop()) if len(states) == 1 else ""
    if len(states) == 1:
        return names([*(place.name for place in places[:-1]), places[-1].label])
    return names([place.label for place in places])
