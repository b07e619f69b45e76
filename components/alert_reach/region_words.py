"""What the region picker says of places: told apart where they look alike, and summed up by state."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from components.alert_reach.regions import Place, RegionKind, kind_counts
from components.alert_reach.us_states import state_code, state_name
from components.widgets.number_text import count

_STATES_TOLD = 8


def distinct_words(places: Iterable[Place]) -> dict[int, str]:
    """The words for places by id, in their order; those that read alike carry their ids."""
    known = list(places)
    times = Counter(place.words for place in known)
    return {place.id: f"{place.words} (id {place.id})" if times[place.words] > 1 else place.words for place in known}


def left_out(places: Iterable[Place]) -> str:
    """How many places there are in each state, in few letters: "AL 2, AR 1"."""
    counted = Counter(state_code(place.state) or state_name("") for place in places)
    return ", ".join(f"{state} {number:,}" for state, number in sorted(counted.items()))


def not_offered(ids: Iterable[int]) -> dict[int, str]:
    """The words for ids that the lookup does not offer."""
    return {each: f"Region {each} · not offered" for each in ids}


def summary(places: Iterable[Place]) -> list[str]:
    """How many places of each kind there are in each state, a line each: "Colorado: 2 cities"."""
    counted: defaultdict[str, Counter[RegionKind]] = defaultdict(Counter)
    for place in places:
        counted[place.state][place.kind] += 1
    states = sorted(counted, key=lambda state: (not state, state_name(state)))
    lines = [f"{state_name(state)}: {kind_counts(counted[state])}" for state in states[:_STATES_TOLD]]
    if len(states) > _STATES_TOLD:
        left = sum(sum(counted[state].values()) for state in states[_STATES_TOLD:])
        more = count(len(states) - _STATES_TOLD, "more state", "more states")
        lines.append(f"{more}: {count(left, 'place', 'places')}")
    return lines
