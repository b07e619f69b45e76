"""Where the text of an alert names a place that lies far from all the places the alert goes to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from client.vocabulary.public_alerts import JURISDICTION_SOME
from components.alert_reach.regions import Place, RegionCatalog
from components.alert_reach.us_places import UsPlace
from components.alert_reach.us_states import STATE_NAMES, state_code
from components.alert_wording.patterns import cased
from components.geography.distance import great_circle_km
from components.geography.folding import fold
from components.public_alerts.draft import AlertDraft

NEAR_KM: Final = 100.0
"""Texts name the next large city, too; what lies farther away than this is meant as the place itself."""
_KM_A_MILE: Final = 1.609344
_FEWEST_ZIP_CODES: Final = 3
"""Many a word is the name of a hamlet: one is taken for a place only if a place of some size is called so."""
_BEFORE: Final = (
    r"[Ii]n|[Nn]ear|[Aa]t|[Aa]round|[Aa]cross|[Ff]or|[Oo]f|[Oo]ver|[Tt]owards?|[Aa]pproaching|IN|NEAR|FOR|OF|AT"
)
_SAID: Final = cased(
    r"""
    \b(?:<before>)\s+(?:(?:downtown|central|northern|southern|eastern|western|north|south|east|west|the)\s+)*
    (?P<name>(?:(?:St|Ste|Ft|Mt)\.\s)?[A-ZÀ-Ý][\w'’-]*(?:\s+(?:of\s+)?[A-ZÀ-Ý][\w'’-]*){0,4})
    (?:\s*,\s*(?P<state>[A-Z][A-Za-z]+(?:\s[A-Z][a-z]+)?))?
    """,
    before=_BEFORE,
)
_LETTERS: Final = 2
_NO_PLACE: Final = re.compile(
    r"^(?:mon|tues|wednes|thurs|fri|satur|sun)day|^(?:january|february|march|april|may|june)$", re.I
)


def said_elsewhere(draft: AlertDraft, catalog: RegionCatalog | None) -> list[str]:
    """What the text says of places that are not where the alert goes, in words of what to change; mostly nothing.

    A text that names one place near the reach is taken at its word: it may speak of others.
    """
    # ASSUMPTION A432: a place within 100 km of one that an alert goes to may well be named in its text.
    if catalog is None or draft.jurisdiction != JURISDICTION_SOME or not draft.regions:
        return []
    reached = [known for each in draft.regions if (known := catalog.known(each))]
    if len(reached) < len(draft.regions):
        return []
    states = {state_code(place.state) for place in catalog.chosen(draft.regions).places}
    far: tuple[str, float | None] | None = None
    for words, name, places in _named(draft, catalog):
        state = state_code(name) if len(name) > _LETTERS else ""
        if state in states or any(_km(each, reached) <= NEAR_KM for each in (*places, *_by_the_post(catalog, name))):
            return []
        if state in STATE_NAMES:
            far = far or (words, None)
        elif places:
            far = far or (words, min(_km(each, reached) for each in places))
    if far is None:
        return []
    words, km = far
    named = catalog.names(draft.regions[:1])[0] if len(draft.regions) == 1 else "places elsewhere"
    away = f", {km:,.0f} km ({km / _KM_A_MILE:,.0f} mi) from there" if km is not None else ""
    return [f"The text says “{words}”, and the alert goes to {named}{away}. Change one of them."]


def _named(draft: AlertDraft, catalog: RegionCatalog) -> Iterator[tuple[str, str, list[UsPlace]]]:
    """Each name that the text gives for a place, with the words around it and the places of some size of this name."""
    text = "\n".join(part for part in (draft.title, draft.text, draft.sms, draft.instructions) if part.strip())
    shouts = text.upper() == text
    for found in _SAID.finditer(text):
        name = found["name"]
        if _NO_PLACE.match(name):
            continue
        states = catalog.states_of(found["state"] or "") or None
        called = [place for place in _called(catalog, name, states, shouts=shouts) if place.kind != "zip"]
        known = [each for place in called if (each := catalog.known(place.id))]
        large = [each for each in known if states or each.zip_codes >= _FEWEST_ZIP_CODES]
        # Of a name that some large place has, the small ones count, too.
        yield " ".join(found.group().split()).rstrip(" .,"), name, known if large else []


def _by_the_post(catalog: RegionCatalog, name: str) -> list[UsPlace]:
    keys = catalog.us.other_names.get(fold(name), ())
    return [catalog.us.places[key] for key in keys]


def _called(catalog: RegionCatalog, name: str, states: frozenset[str] | None, *, shouts: bool) -> list[Place]:
    """The places of a name; in capitals the name may end before the words do, and its state follow without a comma."""
    words = name.split()
    for size in range(len(words), 0 if shouts else len(words) - 1, -1):
        start = " ".join(words[:size])
        places = catalog.exactly(start, states)
        if not places and size > 1 and (meant := catalog.states_of(words[size - 1])):
            places = catalog.exactly(" ".join(words[: size - 1]), meant)
        if places:
            return places
    return []


def _km(place: UsPlace, reached: list[UsPlace]) -> float:
    """How far a place is from the nearest of others, edge to edge."""
    return min(
        (max(0.0, great_circle_km(place.lat, place.lon, each.lat, each.lon) - place.km_across - each.km_across))
        for each in reached
    )
