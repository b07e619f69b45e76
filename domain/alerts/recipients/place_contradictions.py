"""Contradictions between the places in a text and the recipients of an alert.

The text names another place than the recipients', or a whole state of which only a part is selected. Or a selected
place is far from the others and the text does not name it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from client.vocabulary.public_alerts import JURISDICTION_ALL, JURISDICTION_SOME
from domain.alerts.draft import ALL_CLEAR, CORRECTION, FALSE_ALARM, AlertDraft
from domain.alerts.recipients.place_names import PlaceNaming, estimate_people, name_places, zip_codes_of
from domain.alerts.recipients.places_in_text import PlaceInText, find_places_in_text
from domain.alerts.recipients.region_place import Place
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_names import STATE_NAMES, PlaceKey
from domain.alerts.recipients.us_places import UsPlace, UsPlaces, us_counties
from domain.alerts.wording.contradictions import Advice, Fix
from domain.alerts.wording.follow_ups import is_calm
from domain.alerts.wording.hazards_in_text import names_spanish_office
from domain.alerts.wording.patterns import cased
from domain.alerts.wording.text_language import find_language
from domain.alerts.wording.wording_checks import without_senders
from domain.geography.distance import WGS84
from domain.geography.folding import fold
from domain.geography.states import state_code, state_name
from domain.text.plain_text import count, names

NEAR_KM: Final = 100.0
"""Texts also name the nearest large city. A place farther away than this is meant itself."""
_KM_A_MILE: Final = 1.609344
_FEWEST_ZIP_CODES: Final = 3
_FEWEST_PEOPLE: Final = 2_500
"""Many words are names of hamlets. A word counts as a place only if a place of this size has the name: this many ZIP
codes anywhere, or this many people in a state of the recipients."""
_FAR_MORE: Final = 2
_FAR_LARGER: Final = 10
_KM_TO_QUARTER: Final = 10.0
_SHARE_IN_COUNTY: Final = 0.1
_NEARLY_ALL: Final = 0.9
_MOST_COMPARED: Final = 1_000
_NAMED: Final = 6
_PARTS: Final = (
    ("sms", "The text says “{}”"),
    ("title", "The title says “{}”"),
    ("text", "The notification text says “{}”"),
    ("instructions", "The instructions say “{}”"),
)
"""The fields that may name a place, and how a message quotes each."""
_SAYS_WHERE: Final = frozenset({"affected", "vague"})
"""The roles of places where the danger is."""
_FOR_THE_SAME: Final = frozenset({CORRECTION, FALSE_ALARM, ALL_CLEAR})
"""The follow-ups for everyone who got the alert that they follow."""
_NAMES_EARLIER: Final = re.compile(r"\bThis (?:[A-Z][\w ]{0,40} )?replaces [^.]{0,300}\.")
"""The sentence of a follow-up about the alert that it follows."""
_END_OF_SENTENCE: Final = re.compile(r"(?<=[.!?])\s|\n")

# Not "The shelter at 412 Mason St".
_ADDRESS: Final = cased(
    r"""
    (?:^|[.:;!?\n] ?|\b(?:at|near|of|on|en|in) )(?<!helter at )(?<!enter at )(?<!open at )(?<!efugio en )(?<!bergue en )
    (\d{1,6} (?:[NSEW]\.? )?(?:[A-Z][a-z]{1,20} ){1,2}<road>\b|
    (?:the )?\d{2,5} block of (?:[NSEW]\.? )?<name>|(?:the )?(?:corner|intersection) of <name>|
    \d{1,3}(?:st|nd|rd|th) and [A-Z]\w{1,20}|la esquina de (?:las? )?(?:calles? )?<name>|
    (?:la )?(?:[Cc]alle|[Aa]venida) (?:<name> ){1,2}(?:# ?|[Nn]o\.? ?|n[uú]mero )?\d{1,6}\b)
    """,
    name=r"[A-Z0-9][\w-]{0,20}",
    road="St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Dr|Drive|Ln|Lane|Ct|Court|Way|Pkwy|Parkway",
)
"""A building, a block, or a crossing of streets."""


def place_advice(draft: AlertDraft, catalog: RegionCatalog | None) -> list[Advice]:
    """Return advice if a text names another place than the recipients', or a state that is only partly selected.

    Each text is read alone, and each language in it: the title may name another county than the SMS text. A text that
    names the recipients' place may name others too.
    """
    # ASSUMPTION A432: a text that also names a place of the recipients may name others; "near" and "of" may name a
    # place within 100 km.
    if catalog is None or draft.jurisdiction != JURISDICTION_SOME or not draft.regions:
        return []
    reached = catalog.cached(_reached, draft.regions)
    if reached is None:
        return []
    goes_to = name_places(draft.regions, catalog)
    read = [
        (part, words, texts)
        for part, words in _PARTS
        for texts in (_read_part(draft, only, catalog) for only in _by_language(str(getattr(draft, part))))
    ]
    sent = (
        find_places_in_text("\n".join(draft.sent_texts.values()), catalog.us) if draft.follow_up == CORRECTION else []
    )
    known = {each.name for each in sent}
    is_named = any(reached.has(place) and place.role != "denied" for _, _, texts in read for place in texts.all)
    found: dict[str, str] = {}
    whole: dict[str, str] = {}
    for part, words, texts in read:
        other = next(
            (
                each
                for each in texts.all
                if reached.is_other(each, texts, part, is_named=is_named, is_new=bool(known) and each.name not in known)
            ),
            None,
        )
        if other is not None:
            km = reached.nearest_km(other) if other.kind != "state" else None
            distance = f", {km:,.0f} km ({km / _KM_A_MILE:,.0f} mi) away" if km is not None and km > NEAR_KM else ""
            message = f"{words.format(other.words)}, but the alert goes to {goes_to.in_short}{distance}."
            found.setdefault(other.name, f"{message} Change one of them.")
        states = (each for each in texts.all if each.kind == "state" and each.role in _SAYS_WHERE)
        whole |= {each.state: each.words for each in states if reached.is_only_state(each)}
    if not found and whole:
        text = "\n".join([draft.sms, draft.title, *(texts.text for _, _, texts in read)])
        return _partial_state_advice(whole, reached, goes_to, text)
    return [Advice(message) for message in found.values()]


def find_smaller_area(draft: AlertDraft, catalog: RegionCatalog | None, *, only_parts: bool = False) -> str:
    """Return the words of a live alert for a smaller area than the one chosen, or "".

    An evacuation zone or neighborhood is always smaller, and a street address is smaller than a county or the entire
    jurisdiction, unless it is that of help. A city in a chosen county is smaller unless a text names the county too.
    With `only_parts`, only zones and neighborhoods count.
    """
    if catalog is None or draft.is_test or is_calm(draft):
        return ""
    is_all = draft.jurisdiction == JURISDICTION_ALL
    reached = catalog.cached(_reached, draft.regions) if draft.jurisdiction == JURISDICTION_SOME else None
    if reached is None and not is_all:
        return ""
    texts = [_read_part(draft, str(getattr(draft, part)), catalog) for part, _ in _PARTS]
    named = [place for each in texts for place in each.all if place.role in _SAYS_WHERE]
    parts = [place.words for place in named if place.kind == "part"]
    if parts or only_parts:
        return parts[0] if parts else ""
    has_county = any(place is not None and place.county for place in map(catalog.us_place, draft.regions))
    if (is_all or has_county) and (address := _ADDRESS.search(f"{draft.title}\n{draft.sms}")):
        return address.group(1)
    if reached is None:
        return ""
    own = [place for place in named if reached.has(place)]
    codes = frozenset[str]().union(*(reached.codes_of(place) for place in own))
    is_smaller = own and reached.us.people_of(codes & reached.codes) < _NEARLY_ALL * reached.people
    return own[0].words if is_smaller else ""


def smaller_area_advice(draft: AlertDraft, catalog: RegionCatalog | None) -> list[Advice]:
    """Return advice about an evacuation zone or neighborhood, which places of the service cannot follow."""
    words = find_smaller_area(draft, catalog, only_parts=True)
    return (
        [Advice(f"{describe_smaller_area(draft, catalog, words)} Say what everyone else should do.")] if words else []
    )


def describe_smaller_area(draft: AlertDraft, catalog: RegionCatalog | None, words: str) -> str:
    """Return a sentence about words for a smaller area than the recipients’."""
    is_all = draft.jurisdiction == JURISDICTION_ALL
    goes_to = "the entire jurisdiction" if is_all else f"all of {name_places(draft.regions, catalog).in_short}"
    return f"The text says “{words}”, but the alert goes to {goes_to}."


def followed_place_advice(draft: AlertDraft, catalog: RegionCatalog | None) -> list[Advice]:
    """Return advice about a follow-up that leaves out people of the alert that it follows, with a fix.

    An extension or an upgrade may go to fewer of its places, but not to none of them.
    """
    if catalog is None or not draft.follow_up or draft.jurisdiction != JURISDICTION_SOME:
        return []
    codes = zip_codes_of(draft.regions, catalog)
    left = [
        each
        for each in draft.sent_regions
        if each not in draft.regions and not (codes and zip_codes_of([each], catalog) <= codes)
    ]
    if not left or (draft.follow_up not in _FOR_THE_SAME and len(left) < len(draft.sent_regions)):
        return []
    places = name_places(left, catalog).in_short
    message = f"The alert that this one follows also went to {places}. People there would not get this message."
    return [Advice(message, (Fix(f"Add {places}", {"regions": [*draft.regions, *left]}),))]


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


class _PartPlaces(NamedTuple):
    """The places in one text of a draft."""

    text: str
    """The text without the names of senders."""
    places: tuple[PlaceInText, ...]
    head_places: tuple[PlaceInText, ...]
    """The places before the first colon. They may be the sender, so that they name no recipients for sure."""

    @property
    def all(self) -> tuple[PlaceInText, ...]:
        """All places."""
        return (*self.head_places, *self.places)


def _by_language(text: str) -> list[str]:
    """Return a text as its sentences of each language: those in Spanish must name the recipients' place themselves."""
    sentences: dict[str, list[str]] = {}
    for sentence in _END_OF_SENTENCE.split(text):
        if sentence.strip():
            sentences.setdefault(find_language(sentence), []).append(sentence)
    return ["\n".join(each) for each in sentences.values()]


def _read_part(draft: AlertDraft, text: str, catalog: RegionCatalog) -> _PartPlaces:
    whole = " ".join(text.split())
    if not whole:
        return _PartPlaces("", (), ())
    # What a correction says about the earlier alert names that alert's place.
    text = _NAMES_EARLIER.sub(" ", whole) if draft.follow_up else whole
    head, colon, _ = text.partition(":")
    # "CORRECTION from Alamosa: …", "CORRECCIÓN de Bomberos de Alamosa: …"
    is_office = not colon or (draft.follow_up and (" from " in head or names_spanish_office(head)))
    text = without_senders(draft.model_copy(update={"sms": text}))
    places = find_places_in_text(text, catalog.us)
    words = {place.words for place in places}
    at_head = [] if is_office else find_places_in_text(f"{head}:", catalog.us)
    return _PartPlaces(text, tuple(places), tuple(each for each in at_head if each.words not in words))


@dataclass(frozen=True)
class _Reached:
    """The recipients: their positions in degrees, their extent in km, their ZIP codes, states, and population."""

    lat: npt.NDArray[np.float64]
    lon: npt.NDArray[np.float64]
    km_across: npt.NDArray[np.float64]
    people: int
    us: UsPlaces
    codes: frozenset[str]
    states: frozenset[str]
    names: frozenset[str]
    """The folded names of the places, and their postal cities, without states."""
    measured: dict[UsPlace, float] = field(default_factory=dict)

    def has(self, place: PlaceInText) -> bool:
        """Return whether people at a place of a text are among the recipients."""
        if place.kind == "state" and place.state in self.states:
            return True
        if place.kind == "city":
            # The post also calls a few streets of Denver "Aurora", which do not make it the city.
            by_post = {key: self._codes(key) for key in place.postal_keys}
            own = {key[1]: self._codes(key) for key in place.keys}
            for (kind, state, _), codes in by_post.items():
                if state in own and kind == "zip":
                    own[state] |= codes
            others = (codes for key, codes in by_post.items() if key[1] not in own)
            return any(self._shares(codes, is_large=True) for codes in own.values()) or any(map(self._shares, others))
        keys = (*place.keys, *place.postal_keys) if place.kind != "state" or self._is_name(place) else ()
        return any(self._shares(self._codes(key), is_large=place.kind == "county") for key in keys)

    def codes_of(self, place: PlaceInText) -> frozenset[str]:
        """Return the ZIP codes of a place of a text: all of the recipients' if it is their state or has their name."""
        if place.kind == "state" and place.state in self.states:
            return self.codes
        return frozenset[str]().union(*(self._codes(key) for key in (*place.keys, *place.postal_keys)))

    def _shares(self, codes: frozenset[str], *, is_large: bool = False) -> bool:
        """Return whether the recipients have ZIP codes in common with an area. A few suburbs don't count."""
        both = self.codes & codes
        if not both or not is_large:
            return bool(both)
        people = self.us.people_of(both)
        return people >= _SHARE_IN_COUNTY * self.people or people * _FAR_MORE >= self.us.people_of(codes)

    def is_only_state(self, place: PlaceInText) -> bool:
        """Return whether a text means a state of the recipients, and not a city of its name."""
        keys = (*place.keys, *place.postal_keys)
        return (
            place.state in self.states
            and not place.is_partial
            and all(self.codes.isdisjoint(self._codes(key)) for key in keys)
        )

    def is_other(self, place: PlaceInText, texts: _PartPlaces, part: str, *, is_named: bool, is_new: bool) -> bool:
        """Return whether a place of a text contradicts the recipients.

        `is_named` if any text names one of them. `is_new` if the alert that this one corrects named other places only.
        """
        if place.role not in _SAYS_WHERE or place.kind == "part" or self.has(place) or not self._is_place(place):
            return False
        km = self.nearest_km(place)
        if km is None:
            return False
        if place.kind == "zip":
            return place.role == "affected"
        if place.state and place.kind != "state" and place.state not in self.states and self._is_name(place):
            # The town of the same name in another state.
            return not any(each.state and self.has(each) for each in texts.all)
        if km > NEAR_KM:
            return not any(self.has(each) and self._is_clear(each, place) for each in texts.places)
        if any(each.role != "denied" and self.has(each) for each in texts.all) or self._is_part(place):
            return False
        # "Near" the town of a correction, the danger is there.
        if place.role != "affected" and (is_named or not is_new):
            return False
        return place.kind in ("state", "county") or not (is_named and part in ("text", "instructions"))

    def nearest_km(self, place: PlaceInText) -> float | None:
        """Return the distance in km from a place of a text to the nearest recipient; None if it is unknown."""
        keys = place.keys
        if place.state and (place.kind == "state" or not keys):
            keys = (*keys, *self.us.counties_of(place.state))
        return min((self.km(self.us.places[key]) for key in keys if key in self.us.places), default=None)

    def _is_place(self, place: PlaceInText) -> bool:
        """Return whether the words are large enough a place, and no postal name of a near one."""
        if place.kind != "city" or place.state:
            return True
        known = [(key, self.us.places[key]) for key in place.keys]
        large = [
            each
            for key, each in known
            if each.zip_codes >= _FEWEST_ZIP_CODES
            or (key[1] in self.states and self.us.people_of(self.us.zip_codes_of(each)) >= _FEWEST_PEOPLE)
        ]
        by_post = (self.us.places[key] for key in place.postal_keys if key in self.us.places)
        is_near, is_near_by_post = (any(self.km(each) <= NEAR_KM for each in some) for some in (large, by_post))
        return bool(large) and (is_near or not is_near_by_post)

    def _is_part(self, place: PlaceInText) -> bool:
        """Return whether a place is a quarter of a large city of the recipients, with a postal name of its own."""
        if place.kind != "city":
            return False
        near = [each for key in place.keys if (each := self.us.places.get(key)) and self.km(each) <= _KM_TO_QUARTER]
        people = [self.us.people_of(self.us.zip_codes_of(each)) for each in near]
        return bool(people) and max(people) * _FAR_LARGER <= self.people

    def _is_clear(self, named: PlaceInText, other: PlaceInText) -> bool:
        """Return whether a named place of the recipients cannot be meant in the other's state as well."""
        if not named.state and not other.state and other.kind == "county":
            # "Columbus, Franklin County" is in Ohio, not in Georgia.
            towns = [key for key in named.keys if key[1] not in self.states]
            return not any(codes & self._codes(town) for codes in map(self._codes, other.keys) for town in towns)
        if named.state or not other.state:
            return named.kind != "state" or other.kind == "state"
        same = (self.us.places[key] for key in named.keys if key[1] == other.state)
        return not any(each.zip_codes >= _FEWEST_ZIP_CODES for each in same)

    def _is_name(self, place: PlaceInText) -> bool:
        name = place.name if place.kind != "state" else fold(STATE_NAMES[place.state])
        return name in self.names

    def _codes(self, key: PlaceKey) -> frozenset[str]:
        place = self.us.places.get(key)
        return self.us.zip_codes_of(place) if place is not None else frozenset()

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
    """Return the positions of the recipients, or None if there are none, or if one is unknown."""
    known = [each for number in ids if (each := catalog.us_place(number))]
    if not known or len(known) < len(ids):
        return None
    lat, lon, across = np.array([(each.lat, each.lon, each.km_across) for each in known], dtype=np.float64).T
    places = catalog.places_of(ids).places
    return _Reached(
        lat,
        lon,
        across,
        estimate_people(ids, catalog).number,
        catalog.us,
        zip_codes_of(ids, catalog),
        frozenset(state_code(place.state) for place in places),
        frozenset(fold(each.name) for place in places for each in (place, catalog.town_of(place))),
    )


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
