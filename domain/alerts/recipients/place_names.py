"""The names of the places of an alert: in its text, in the confirmation, and in the check of a text.

Also the estimated population, without counting anyone twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.region_place import Place
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import PEOPLE_OF, us_counties
from domain.geography.states import state_code, state_name
from domain.text.plain_text import count, names

_IN_TEXT: Final = 3
_STATES_NAMED: Final = 3
_NEARLY_ALL: Final = 0.95
_FIGURES: Final = 2


class PlaceNaming(NamedTuple):
    """The names of places."""

    in_text: str = ""
    """As in a text: all of a few places, or the largest of many."""
    in_short: str = ""
    """As typed to confirm: the largest place, and how many more."""
    town: str = ""
    """The town of a single ZIP code."""
    names: tuple[str, ...] = ()
    """Every name by which a text may mean one of them."""
    states: tuple[str, ...] = ()
    """The codes and names of their states."""


def name_places(ids: Iterable[int], catalog: RegionCatalog | None) -> PlaceNaming:
    """Return the names of the places with these IDs, or nothing without the lookup."""
    return PlaceNaming() if catalog is None else catalog.cached(_name_places, ids)


def place_names(draft: AlertDraft, catalog: RegionCatalog | None) -> list[str]:
    """Return every name by which a text may name the recipients: places, towns of ZIP codes, and states."""
    found = name_places(draft.regions, catalog)
    return [*found.names, *found.states]


def place_words(draft: AlertDraft, catalog: RegionCatalog | None) -> str:
    """Return the places as a text names them, or ""."""
    return name_places(draft.regions, catalog).in_text


def _name_places(catalog: RegionCatalog, ids: tuple[int, ...]) -> PlaceNaming:
    places, unknown = catalog.places_of(ids)
    towns = [catalog.town_of(place) for place in places]
    # With the state in the text, its writer notices a place of the same name in another state.
    states = {place.state for place in places if place.state}
    both = [*places, *towns]
    whole = sorted(state_name(state) for state in _whole_states(ids, catalog))
    rest = [town for town in towns if state_name(town.state) not in whole]
    large = _by_size(catalog, rest)
    return PlaceNaming(
        _in_text(whole, large if whole or len(places) > _IN_TEXT else list(places)),
        _in_short(whole, large if whole or len(places) > 1 else list(places), len(unknown)),
        towns[0].name if len(places) == 1 and towns != [*places] else "",
        tuple(dict.fromkeys([*(place.label for place in both), *(place.name for place in both)])),
        (*sorted(states), *sorted(map(state_name, states))),
    )


def _whole_states(ids: Iterable[int], catalog: RegionCatalog) -> set[str]:
    """Return the states in which nearly everyone is reached."""
    offered = {state for state, _, _ in catalog.whole_kinds(ids)}
    places = catalog.places_of(ids).places
    people = {
        state: estimate_people([place.id for place in places if place.state == state], catalog).number
        for state in offered
    }
    in_all = us_counties().people_by_state
    return {state for state in offered if people[state] > _NEARLY_ALL * in_all.get(state_code(state), people[state])}


def _in_text(whole: list[str], places: list[Place]) -> str:
    is_in_one = len({place.state for place in places}) == 1
    named = [*whole, *((each.name if is_in_one else each.label) for each in places)]
    # One more is as short by its name.
    if len(named) > _IN_TEXT + 1:
        states = sorted({*whole[_IN_TEXT:], *(state_name(place.state) for place in places if place.state)})
        where = names(states) if len(states) <= _STATES_NAMED else f"{len(states)} states"
        more = f"{len(named) - _IN_TEXT:,} more"
        return f"{', '.join(named[:_IN_TEXT])}, and {more} {f'in {where}' if places else 'states'}"
    return names([*named[:-1], places[-1].label] if places else named)


def _in_short(whole: list[str], places: list[Place], unknown: int) -> str:
    named = [*whole, *(place.label for place in places)]
    left = len(named) - 1 + unknown
    if not named:
        return count(unknown, "place", "places") if unknown else ""
    if len(places) == 2 and left == 1 and places[0].state == places[1].state:
        return f"{places[0].name} and {places[1].label}"
    return names(named) if left == len(named) - 1 < 2 else f"{named[0]} and {left:,} more"


def _by_size(catalog: RegionCatalog, places: Iterable[Place]) -> list[Place]:
    """Return each place once, the one with the most people first."""
    each_once = dict.fromkeys(places)
    return sorted(each_once, key=lambda place: -estimate_people([place.id], catalog).number)


class People(NamedTuple):
    """An estimated population, and the number of places without an estimate."""

    number: int
    unknown: int
    has_cities: bool = False
    """Whether it includes cities, by their ZIP codes, which may reach beyond the city limits."""

    @property
    def words(self) -> str:
        """The estimate as a sentence, with its year and what is unknown."""
        if not self.number:
            return "The population is unknown"
        places = count(self.unknown, "place with an unknown population", "places with an unknown population")
        rest = f", not including {places}" if self.unknown else ""
        of_codes = "; cities are counted by ZIP code" if self.has_cities else ""
        return f"About {_rounded(self.number):,} residents{rest} (Census Bureau estimate for {PEOPLE_OF}{of_codes})"


def estimate_people(ids: Iterable[int], catalog: RegionCatalog) -> People:
    """Estimate the population of places. A city consists of its ZIP codes. Those in a selected county count once."""
    # ASSUMPTION A433: how many live in a city or zip code is the share of its county's people that it had in the census
    # before; the interface tells no numbers.
    places = [catalog.us_place(each) for each in dict.fromkeys(ids)]
    known = [place for place in places if place is not None]
    counties = {place.county for place in known if place.county}
    found = [county for number in counties if (county := us_counties().find_by_number(number))]
    unknown = len(places) - len(known) + sum(county.people is None for county in found)
    codes: set[str] = set()
    for place in known:
        people = [catalog.us.zip_codes[code].people for code in place.codes]
        # No one lives in a box or a single office.
        if place.codes and place.zip_codes and all(each is None for each in people):
            unknown += 1
        codes.update(place.codes)
    inside = (zip_code for code in codes if (zip_code := catalog.us.zip_codes[code]).county not in counties)
    has_cities = any(len(place.codes) > 1 for place in known)
    number = sum(county.people or 0 for county in found) + sum(each.people or 0 for each in inside)
    return People(number, unknown, has_cities)


def zip_codes_of(ids: Iterable[int], catalog: RegionCatalog) -> frozenset[str]:
    """Return the ZIP codes of places: what two areas have in common is the ZIP codes of both."""
    known = (catalog.us_place(each) for each in dict.fromkeys(ids))
    return frozenset(code for place in known if place is not None for code in catalog.us.zip_codes_of(place))


def _rounded(number: int) -> int:
    """Round to two significant digits, because it is an estimate."""
    return round(number, _FIGURES - len(str(number))) if number >= 10**_FIGURES else number
