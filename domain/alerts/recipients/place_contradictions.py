"""Contradictions between the places in a text and the recipients of an alert.

The text names a place far from the recipients, or a whole state of which only a part is selected. Or a selected place
is far from the others and the text does not name it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from client.vocabulary.public_alerts import JURISDICTION_SOME
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.place_names import PlaceNaming, estimate_people, name_places
from domain.alerts.recipients.region_place import Place
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_names import STATE_NAMES
from domain.alerts.recipients.us_places import UsPlace, us_counties
from domain.alerts.wording.contradictions import Advice, Fix
from domain.alerts.wording.patterns import cased
from domain.alerts.wording.wording_checks import without_senders
from domain.geography.distance import WGS84
from domain.geography.folding import fold
from domain.geography.states import state_code, state_name
from domain.text.plain_text import count, names

NEAR_KM: Final = 100.0
"""Texts also name the nearest large city. A place farther away than this is meant itself."""
_KM_A_MILE: Final = 1.609344
_FEWEST_ZIP_CODES: Final = 3
"""Many words are names of hamlets. A word counts as a place only if a place of this size has the name."""
_FAR_MORE: Final = 2
_MOST_COMPARED: Final = 1_000
_NAMED: Final = 6
_BEFORE: Final = (
    r"[Ii]n|[Nn]ear|[Aa]t|[Aa]round|[Aa]cross|[Ff]or|[Oo]f|[Oo]ver|[Tt]owards?|[Aa]pproaching|IN|NEAR|FOR|OF|AT"
)
_SAID: Final = cased(
    r"""
    \b(?:<before>)\s+(?:(?:downtown|central|northern|southern|eastern|western|north|south|east|west|the)\s+)*
    (?P<name>(?:(?:St|Ste|Ft|Mt)\.\s)?[A-ZÀ-Ý][\w'’-]*(?:\s+(?:of\s+)?[A-ZÀ-Ý][\w'’-]*){0,4}|\d{5}(?!\d))
    (?:\s*,\s*(?P<state>[A-Z][A-Za-z]+(?:\s[A-Z][a-z]+)?))?
    """,
    before=_BEFORE,
)
_LETTERS: Final = 2
_NO_PLACE: Final = re.compile(
    r"^(?:mon|tues|wednes|thurs|fri|satur|sun)day|^(?:january|february|march|april|may|june)$", re.I
)


def place_advice(draft: AlertDraft, catalog: RegionCatalog | None) -> list[Advice]:
    """Return advice if the text names a place far from the recipients, or a state that is only partly selected.

    If the text names one place near the recipients, it may also name others.
    """
    # ASSUMPTION A432: a place within 100 km of one that an alert goes to may well be named in its text.
    if catalog is None or draft.jurisdiction != JURISDICTION_SOME or not draft.regions:
        return []
    reached = catalog.cached(_reached, draft.regions)
    if reached is None:
        return []
    goes_to = name_places(draft.regions, catalog)
    codes = {state_code(state) for state in goes_to.states}
    text = "\n".join([draft.title, draft.text, without_senders(draft), draft.instructions])
    far: tuple[str, float | None] | None = None
    whole: dict[str, str] = {}
    for words, name, places in _find_named_places(text, catalog):
        state = state_code(name) if len(name) > _LETTERS else ""
        by_the_post = (catalog.us.places[key] for key in catalog.us.other_names.get(fold(name), ()))
        if any(reached.km(each) <= NEAR_KM for each in (*places, *by_the_post)):
            return []
        if state in codes:
            whole[state] = words
        elif state in STATE_NAMES:
            far = far or (words, None)
        elif places:
            far = far or (words, min(map(reached.km, places)))
    if whole:
        return _partial_state_advice(whole, reached, goes_to, f"{draft.sms}\n{text}")
    if far is None:
        return []
    words, km = far
    distance = f", {km:,.0f} km ({km / _KM_A_MILE:,.0f} mi) away" if km is not None else ""
    message = f"The text says “{words}”, but the alert goes to {goes_to.in_short}{distance}. Change one of them."
    return [Advice(message)]


def unnamed_place_advice(draft: AlertDraft, catalog: RegionCatalog | None) -> list[Advice]:
    """Return advice about selected places far from the others that the text does not name, with a fix.

    The others are near a place that the text names. If it names none, each group may be the mistake.
    """
    # ASSUMPTION A483: a chosen place farther than 100 km from all the others, and not named in the text, may be a slip.
    if catalog is None or draft.jurisdiction != JURISDICTION_SOME:
        return []
    clusters = catalog.cached(_clusters, draft.regions)
    if len(clusters) < _FAR_MORE:
        return []
    text = f" {fold(' '.join([draft.title, draft.text, draft.sms, draft.instructions]))} "
    shared = Counter(place.name for ids in clusters for place in catalog.places_of(ids).places)

    def is_named(place: Place) -> bool:
        # A name that several of the places have names none of them without its state.
        return any(
            f" {fold(way)} " in text
            for each in (place, catalog.town_of(place))
            for way in (each.label, f"{each.name} {state_name(each.state)}", *([each.name] * (shared[each.name] < 2)))
        )

    def has_named(ids: tuple[int, ...]) -> bool:
        return any(map(is_named, catalog.places_of(ids).places))

    def labels_of(places: Iterable[Place]) -> list[str]:
        # Readers do not recognize ZIP codes.
        towns = [(place, catalog.town_of(place)) for place in places]
        return list(dict.fromkeys(p.label if town is p else f"{p.label} ({town.name})" for p, town in towns))

    def removal(places: Sequence[Place]) -> Fix:
        labels, far_ids = labels_of(places), {place.id for place in places}
        these = labels[0] if len(labels) == 1 else count(len(labels), "place", "places")
        left = [each for each in draft.regions if each not in far_ids]
        return Fix(f"Remove {these}", {"regions": left})

    largest, *rest = sorted(
        clusters, key=lambda ids: (has_named(ids), estimate_people(ids, catalog).number), reverse=True
    )
    if not has_named(largest):
        groups = [catalog.places_of(ids).places for ids in (largest, *rest)]
        firsts = names([labels_of(places)[0] for places in groups], at_most=_NAMED)
        words = (
            f"The alert goes to {firsts}, which are far from each other. The text does not say which place it is about."
        )
        return [Advice(words, tuple(map(removal, groups)) if len(groups) == _FAR_MORE else ())]
    far = [place for ids in rest for place in catalog.places_of(ids).places if not is_named(place)]
    if not far:
        return []
    labels = labels_of(far)
    listed = names(labels, at_most=_NAMED)
    not_named = "The text does not name it." if len(labels) == 1 else "The text does not name them."
    return [Advice(f"The alert goes to {listed}, far from its other places. {not_named}", (removal(far),))]


def _clusters(catalog: RegionCatalog, ids: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the IDs in groups that are far from each other. Unknown or too many places are one group."""
    known = [place for each in ids if (place := catalog.us_place(each))]
    if len(known) < len(ids) or not 1 < len(ids) <= _MOST_COMPARED:
        return (ids,)
    lat, lon, across = np.array([(each.lat, each.lon, each.km_across) for each in known], dtype=np.float64).T
    groups: list[tuple[int, ...]] = []
    left = np.ones(len(ids), dtype=bool)
    while left.any():
        group = np.zeros(len(ids), dtype=bool)
        edge = [int(np.argmax(left))]
        while edge:
            group[edge], left[edge] = True, False
            rest = np.flatnonzero(left)
            starts, ends = np.repeat(edge, len(rest)), np.tile(rest, len(edge))
            _, _, metres = WGS84.inv(lon[starts], lat[starts], lon[ends], lat[ends])
            is_near = metres / 1000 - across[starts] - across[ends] <= NEAR_KM
            edge = list(dict.fromkeys(ends[is_near].tolist()))
        groups.append(tuple(ids[at] for at in np.flatnonzero(group)))
    return tuple(groups)


class _Reached(NamedTuple):
    """The positions of the recipients in degrees, their extent in km, and their population."""

    lat: npt.NDArray[np.float64]
    lon: npt.NDArray[np.float64]
    km_across: npt.NDArray[np.float64]
    people: int
    measured: dict[UsPlace, float]

    def km(self, place: UsPlace) -> float:
        """Return the distance in km of a place to the nearest recipient, edge to edge. The result is cached."""
        if place not in self.measured:
            self.measured[place] = self._km(place)
        return self.measured[place]

    def _km(self, place: UsPlace) -> float:
        here = np.full(len(self.lat), place.lon), np.full(len(self.lat), place.lat)
        _, _, metres = WGS84.inv(*here, self.lon, self.lat)
        return float(np.maximum(0.0, metres / 1000 - self.km_across - place.km_across).min())


def _reached(catalog: RegionCatalog, ids: tuple[int, ...]) -> _Reached | None:
    """Return the positions of the recipients, or None if one is unknown."""
    known = [each for number in ids if (each := catalog.us_place(number))]
    if len(known) < len(ids):
        return None
    lat, lon, across = np.array([(each.lat, each.lon, each.km_across) for each in known], dtype=np.float64).T
    return _Reached(lat, lon, across, estimate_people(ids, catalog).number, {})


def _partial_state_advice(whole: Mapping[str, str], reached: _Reached, goes_to: PlaceNaming, text: str) -> list[Advice]:
    """Return advice for a text that names a state of which most people do not get the alert."""
    # ASSUMPTION A475: a text may name a state where half of its people or more are reached.
    of_all = sum(us_counties().people_by_state.get(state, 0) for state in whole)
    folded = f" {fold(text)} "
    if not reached.people or reached.people * _FAR_MORE >= of_all:
        return []
    if any(f" {fold(name)} " in folded for name in goes_to.names):
        return []
    words = next(iter(whole.values()))
    return [Advice(f"The text says “{words}”, but the alert goes to only part of it. Name {goes_to.in_text}.")]


def _find_named_places(text: str, catalog: RegionCatalog) -> Iterator[tuple[str, str, list[UsPlace]]]:
    """Yield each place name in a text, with the words around it and the larger places of this name."""
    shouts = text.upper() == text
    for found in _SAID.finditer(text):
        name = _state_in_capitals(found["name"]) if shouts else found["name"]
        if _NO_PLACE.match(name):
            continue
        states = catalog.search.states_of(found["state"] or "") or None
        is_zip = name.isdigit()
        called_so = [
            place for place in _find_places(catalog, name, states, shouts=shouts) if (place.kind == "zip") == is_zip
        ]
        known = [each for place in called_so if (each := catalog.us_place(place.id))]
        large = [each for each in known if is_zip or states or each.zip_codes >= _FEWEST_ZIP_CODES]
        # If a large place has the name, the small ones count too.
        yield " ".join(found.group().split()).rstrip(" .,"), name, known if large else []


def _state_in_capitals(name: str) -> str:
    """Return the state at the beginning of words in capitals, or all words."""
    words = name.split()
    starts = (" ".join(words[:size]) for size in range(len(words), 0, -1))
    return next((start for start in starts if len(start) > _LETTERS and state_code(start) in STATE_NAMES), name)


def _find_places(catalog: RegionCatalog, name: str, states: frozenset[str] | None, *, shouts: bool) -> list[Place]:
    """Return the places of a name. In capitals, the name may be shorter, and its state may follow without a comma."""
    words = name.split()
    for size in range(len(words), 0 if shouts else len(words) - 1, -1):
        start = " ".join(words[:size])
        places = catalog.search.find_exact(start, states)
        if not places and size > 1 and (meant := catalog.search.states_of(words[size - 1])):
            places = catalog.search.find_exact(" ".join(words[: size - 1]), meant)
        if places:
            return places
    return []
