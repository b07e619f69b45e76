"""The recipients of an alert, as lines of text.

reach = reach_of(draft, catalog, groups)   # catalog: RegionCatalog | None, groups: {id: name} | None
reach.lines          -> (ReachLine(kind, words, weight, details), ...), to be shown in this order
reach.headline       -> the first of them: "Entire jurisdiction", "SOME of the jurisdiction: 2 cities …"
reach.warnings   -> warnings
reach.is_wide        -> all of the jurisdiction, whole states, or very many places
reach.whom           -> "Entire jurisdiction", "Davidson County, TN", "Boulder, CO (5 ZIP codes)"
reach.place_to_type  -> what a sender types to confirm: "Davidson County, TN", "Boulder, CO and 4 more", or "ALL";
                        "" if no one is reached
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from textwrap import shorten
from typing import Final, Literal, NamedTuple

from client.vocabulary.public_alerts import JURISDICTION_ALL, JURISDICTION_SOME, TYPES
from domain.alerts import levels
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.place_names import PlaceNaming, estimate_people, name_places
from domain.alerts.recipients.region_place import KIND_WORDS, KINDS, Place, RegionKind
from domain.alerts.recipients.regions import Chosen, RegionCatalog, StateCount, kind_counts, state_counts
from domain.alerts.request import zip_flag_is_offered
from domain.geography.states import state_name
from domain.text.plain_text import count, names

Weight = Literal["plain", "strong", "warning", "error"]
LineKind = Literal["jurisdiction", "people", "states", "groups", "zip flag", "type"]

ENTIRE_JURISDICTION: Final = "Entire jurisdiction"
MANY_PLACES: Final = 1_000
MOST_TYPED: Final = 40
_NAMED: Final = 6
_STATES_NAMED: Final = 3


class ReachLine(NamedTuple):
    """One line about the recipients. `details` are shown below it, one per line."""

    kind: LineKind
    words: str
    weight: Weight = "plain"
    details: tuple[str, ...] = ()


class Reach(NamedTuple):
    """The recipients of an alert."""

    lines: tuple[ReachLine, ...]
    is_wide: bool
    warnings: tuple[str, ...]
    whom: str
    place_to_type: str

    @property
    def headline(self) -> ReachLine:
        """The first line."""
        return self.lines[0]


class _Counts(NamedTuple):
    """The number of places, in total and per kind. `unknown` IDs are not in the lookups."""

    places: int
    by_kind: Mapping[RegionKind, int]
    unknown: int
    unknown_groups: int

    @property
    def words(self) -> str:
        """The counts as text: "2 cities, 14 ZIP codes and 1 place not available"."""
        if not self.by_kind:
            return count(self.places, "place", "places")
        return f"{kind_counts(self.by_kind)}{self.and_unknown}"

    @property
    def and_unknown(self) -> str:
        """The text about unavailable places."""
        return f" and {count(self.unknown, 'place', 'places')} not available" if self.unknown else ""


def reach_of(draft: AlertDraft, catalog: RegionCatalog | None, groups: Mapping[int, str] | None) -> Reach:
    """Return the recipients of a draft. Without a lookup (None), IDs are counted, not named."""
    # ASSUMPTION A93: places and event groups add up. With neither, no one is reached. The interface does not say how
    # the two combine.
    regions = list(dict.fromkeys(draft.regions))
    chosen = catalog.places_of(regions) if catalog is not None else Chosen((), ())
    per_state = state_counts(chosen.places)
    group_names = _group_names(draft.groups, groups)
    counts = _Counts(
        len(regions),
        Counter(place.kind for place in chosen.places),
        len(chosen.unknown),
        0 if groups is None else sum(each not in groups for each in dict.fromkeys(draft.groups)),
    )
    is_all, is_some = (draft.jurisdiction == each for each in (JURISDICTION_ALL, JURISDICTION_SOME))
    whole = catalog.whole_kinds(regions) if catalog is not None and is_some else ()
    names_of_places = name_places(regions, catalog)
    lines = [
        _headline(draft, counts, per_state, chosen.places, _naming(regions, catalog, chosen, names_of_places)),
        *([_states_line(per_state, counts)] if is_some and len(per_state) > 1 and len(regions) > _NAMED else []),
        *([ReachLine("people", estimate_people(regions, catalog).words)] if is_some and regions and catalog else []),
        _groups_line(group_names, counts),
        *([_zip_line(draft, counts, catalog)] if draft.zip_to_groups or zip_flag_is_offered(draft) else []),
        _type_line(draft.type),
    ]
    return Reach(
        lines=tuple(lines),
        is_wide=is_all or bool(whole) or counts.places > MANY_PLACES,
        warnings=tuple(_find_warnings(draft, counts, per_state, whole)),
        whom=_describe_recipients(draft, counts, names_of_places, group_names),
        place_to_type=JURISDICTION_ALL
        if is_all
        else _by_name(draft, counts, names_of_places.in_short, [_begins(each) for each in group_names]),
    )


def _begins(name: str) -> str:
    """Return the beginning of a name in whole words, short enough to type on a phone."""
    return shorten(name, MOST_TYPED, placeholder="") or name[:MOST_TYPED]


def _group_names(ids: list[int], groups: Mapping[int, str] | None) -> list[str]:
    return [
        f"group {each}" if groups is None else groups.get(each) or f"group {each} (not available)"
        for each in dict.fromkeys(ids)
    ]


def _headline(
    draft: AlertDraft,
    counts: _Counts,
    per_state: tuple[StateCount, ...],
    places: tuple[Place, ...],
    naming: tuple[str, ...],
) -> ReachLine:
    def line(words: str, weight: Weight = "plain", *details: str) -> ReachLine:
        return ReachLine("jurisdiction", words, weight, details)

    if draft.jurisdiction == JURISDICTION_ALL:
        return line(ENTIRE_JURISDICTION, "strong", "Everyone this organization can alert.")
    if draft.jurisdiction == JURISDICTION_SOME and not counts.places:
        return line("No recipients: no place selected", "error", "Select places or the entire jurisdiction.")
    if draft.jurisdiction == JURISDICTION_SOME:
        return line(f"Selected places: {_amount(counts, places, per_state)}", "plain", *naming)
    if draft.jurisdiction:
        return line(f"Unknown jurisdiction “{draft.jurisdiction}”", "error", "The service accepts “all” and “some”.")
    if counts.places:
        number = count(counts.places, "place", "places")
        return line(f"{number} selected, but the setting “Selected places” is off", "error")
    if draft.groups:
        return line("Event groups only")
    return line("No recipients yet", "warning", "Select places, the entire jurisdiction, or event groups.")


def _amount(counts: _Counts, places: tuple[Place, ...], per_state: tuple[StateCount, ...]) -> str:
    """Return the name of a single place, or the number and states of several."""
    if counts.places == 1 and places:
        return places[0].label
    if not places:
        return counts.words
    states = [each.name for each in per_state]
    where = names(states) if len(states) <= _STATES_NAMED else count(len(states), "state", "states")
    return f"{kind_counts(counts.by_kind)} in {where}{counts.and_unknown}"


def _naming(
    regions: list[int], catalog: RegionCatalog | None, chosen: Chosen, names_of_places: PlaceNaming
) -> tuple[str, ...]:
    """Return the names of a few places, or the largest of many; without the lookup, the IDs.

    ZIP codes include their town, so that a wrong digit is visible.
    """
    if len(regions) > _NAMED:
        return (names_of_places.in_text,) if names_of_places.in_text else ()
    if catalog is None:
        return tuple(f"Region {each}" for each in regions)
    towns = ((place, catalog.town_of(place)) for place in chosen.places)
    named = (place.words if town is place else f"{place.words} · {town.name}" for place, town in towns)
    return (*named, *(f"Region {each} · not available" for each in chosen.unknown))


def _states_line(per_state: tuple[StateCount, ...], counts: _Counts) -> ReachLine:
    details = [f"{each.name}: {each.words}" for each in per_state]
    if counts.unknown:
        details.append(f"Not available: {count(counts.unknown, 'place', 'places')}")
    return ReachLine("states", f"In {count(len(per_state), 'state', 'states')}", "plain", tuple(details))


def _groups_line(group_names: list[str], counts: _Counts) -> ReachLine:
    if not group_names:
        return ReachLine("groups", "No event groups")
    weight: Weight = "warning" if counts.unknown_groups else "plain"
    details = tuple(group_names) if len(group_names) > _NAMED else ()
    shown = count(len(group_names), "event group", "event groups")
    return ReachLine("groups", f"{shown}: {names(group_names, at_most=_NAMED)}", weight, details)


def _zip_line(draft: AlertDraft, counts: _Counts, catalog: RegionCatalog | None) -> ReachLine:
    # ASSUMPTION A94: applyZipCodeToEventGroups limits the event groups to their members in the selected ZIP codes. The
    # interface does not describe the flag.
    if not draft.zip_to_groups:
        return ReachLine("zip flag", "All subscribers of the event groups, not only those in the selected ZIP codes")
    if not zip_flag_is_offered(draft):
        return ReachLine(
            "zip flag", "ZIP codes cannot apply to event groups", "error", ("Select places and event groups first.",)
        )
    zips = counts.by_kind.get("zip", 0)
    if zips:
        where = count(zips, "selected ZIP code", "selected ZIP codes")
        return ReachLine("zip flag", f"Only subscribers of the event groups in {where}")
    if catalog is None and counts.places:
        return ReachLine("zip flag", "Only subscribers of the event groups in the selected ZIP codes")
    return ReachLine("zip flag", "ZIP codes apply to the event groups, but no ZIP code is selected", "warning")


def _type_line(number: int | None) -> ReachLine:
    if number is None:
        return ReachLine("type", "No type selected", "warning")
    if number not in TYPES:
        return ReachLine("type", f"Unknown type {number}", "error")
    return ReachLine("type", f"Type: {TYPES[number]}", "plain", (levels.TYPE[number],))


def _find_warnings(
    draft: AlertDraft,
    counts: _Counts,
    per_state: tuple[StateCount, ...],
    whole: tuple[tuple[str, RegionKind, int], ...],
) -> list[str]:
    looks: list[str] = []
    if draft.jurisdiction == JURISDICTION_SOME:
        if counts.places > MANY_PLACES:
            looks.append(f"More than {MANY_PLACES:,} places are selected ({counts.places:,}).")
        looks += _whole_states(whole)
        with_zips = [each.name for each in per_state if each.by_kind.get("zip")]
        if len(with_zips) > 1:
            looks.append(f"The ZIP codes are in {count(len(with_zips), 'state', 'states')}: {names(with_zips)}.")
        if counts.unknown:
            unavailable = count(counts.unknown, "selected place isn’t", "selected places aren’t")
            looks.append(f"{unavailable} available in the service. The service may reject the alert.")
    if counts.unknown_groups:
        looks.append(
            f"{count(counts.unknown_groups, 'event group is', 'event groups are')} not available in the service."
        )
    return looks


def _whole_states(whole: tuple[tuple[str, RegionKind, int], ...]) -> list[str]:
    looks = []
    for kind in KINDS:
        states = [state_name(state) for state, each, _ in whole if each == kind]
        if states:
            number = sum(number for _, each, number in whole if each == kind)
            looks.append(f"Every {KIND_WORDS[kind][0]} in {names(states)} is selected ({number:,}).")
    return looks


def _describe_recipients(
    draft: AlertDraft, counts: _Counts, names_of_places: PlaceNaming, group_names: list[str]
) -> str:
    """Return the recipients in short: the largest place and the number of each kind."""
    if draft.jurisdiction == JURISDICTION_ALL:
        return ENTIRE_JURISDICTION
    named = names_of_places.in_short
    if counts.places > 1 and counts.by_kind:
        named = f"{named} ({counts.words})"
    elif names_of_places.town:
        # The town makes a ZIP code recognizable.
        named = f"{named} · {names_of_places.town}"
    return _by_name(draft, counts, named, group_names)


def _by_name(draft: AlertDraft, counts: _Counts, places: str, group_names: list[str]) -> str:
    if (draft.jurisdiction or "") != (JURISDICTION_SOME if counts.places else ""):
        return ""
    by_place = [places or count(counts.places, "place", "places")] if counts.places else []
    by_group = group_names if len(group_names) == 1 else [f"{len(group_names)} event groups"] if group_names else []
    return names([*by_place, *by_group])
