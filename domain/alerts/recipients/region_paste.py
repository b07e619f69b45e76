"""Reading a pasted list of ZIP codes and names as places."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from domain.alerts.recipients.region_place import KIND_WORDS, KINDS, Place, RegionKind
from domain.alerts.recipients.regions import RegionCatalog
from domain.geography.folding import fold
from domain.geography.states import state_name
from domain.text.plain_text import count, names

MOST_ENTRIES: Final = 5_000
_ENTRY_ENDS: Final = re.compile(r"[\n\r;|]+")
_ZIP_CODES: Final = re.compile(r"^\d{3,5}(?:-\d{4})?(?:\s+\d{3,5}(?:-\d{4})?)*$")
_NUMBER: Final = re.compile(r"^(\d{3,5})(?:-\d{4}|\.0+)?$|^(\d{5})\d{4}$")
_ZIP_CODE: Final = re.compile(r"\b\d{5}(?:-\d{4})?\b")
_LIST_NUMBER: Final = re.compile(r"^\s*\d{1,3}[.)]\s+")
_DIGITS: Final = 5
_NAMED: Final = 4
_AROUND: Final = " \t\"'“”‘’•*·-–"


@dataclass(frozen=True)
class Unclear:
    """An entry that could be several places, and a message about how to make it clear."""

    entry: str
    words: str


@dataclass(frozen=True)
class Pasted:
    """The places in a pasted text."""

    found: tuple[Place, ...]
    """Each place once."""
    not_found: tuple[str, ...]
    """Entries as written."""
    unclear: tuple[Unclear, ...]
    read_as: tuple[tuple[str, str], ...]
    """Entries that were corrected, with the place: ZIP codes without leading zero, and nicknames."""
    left: tuple[str, ...] = ()
    """Entries beyond the limit."""

    @property
    def remaining(self) -> str:
        """The entries to correct or read later, one per line."""
        return "\n".join((*(each.entry for each in self.unclear), *self.not_found, *self.left))


def read_pasted(
    catalog: RegionCatalog, text: str, *, kind: RegionKind | None = None, state: str | None = None
) -> Pasted:
    """Read entries that are separated by lines, commas, semicolons, or tabs.

    A name without a state must be unique. `kind` and `state` narrow it down.
    """
    entries = list(dict.fromkeys(_entries(catalog, text)))
    found: dict[int, Place] = {}
    not_found: list[str] = []
    unclear: list[Unclear] = []
    otherwise: list[tuple[str, str]] = []
    for entry in entries[:MOST_ENTRIES]:
        places, read_as = _places_of(catalog, entry, kind, state)
        if not places and _ZIP_CODE.search(entry) and fold(_ZIP_CODE.sub(" ", entry)):
            unclear.append(Unclear(entry, "contains a ZIP code and a name. Keep one of them"))
        elif not places:
            not_found.append(entry)
        elif read_as and (
            longer := [place.label for place in catalog.search.find_partial_zip_codes(entry) if place not in places]
        ):
            which = names([places[0].label, *longer], at_most=_NAMED, last="or")
            unclear.append(Unclear(entry, f"is not a complete ZIP code. Enter all 5 digits, such as {which}"))
        elif len({(place.kind, place.state) for place in places}) > 1:
            unclear.append(Unclear(entry, _describe_choices(places)))
        elif _is_in_other_state(entry, places[0], state):
            unclear.append(Unclear(entry, f"is in {state_name(places[0].state)}. Add the state to confirm"))
        else:
            # Of one kind and in one state: the lookup lists the place twice, spelled in two ways.
            found |= {place.id: place for place in places}
            if read_as:
                otherwise.append((entry, read_as))
    left = tuple(entries[MOST_ENTRIES:])
    return Pasted(tuple(found.values()), tuple(not_found), tuple(unclear), tuple(otherwise), left)


def _entries(catalog: RegionCatalog, text: str) -> Iterator[str]:
    for chunk in _ENTRY_ENDS.split(text):
        parts = [part.strip(_AROUND) for part in re.split(r"[,\t]", _LIST_NUMBER.sub("", chunk))]
        parts = [part for part in parts if part]
        at = 0
        while at < len(parts):
            part = parts[at]
            following = parts[at + 1] if at + 1 < len(parts) else ""
            if following and catalog.search.states_of(_ZIP_CODE.sub("", following)):
                # With a ZIP code after it, as in an address, the user must say which of the two is meant.
                yield f"{' '.join(part.split())}, {following}"
                at += 2
            elif _ZIP_CODES.match(part):
                yield from part.split()
                at += 1
            else:
                yield " ".join(part.split())
                at += 1


def _places_of(
    catalog: RegionCatalog, entry: str, kind: RegionKind | None, state: str | None
) -> tuple[list[Place], str | None]:
    """Return the places of an entry, and the ZIP code or name it was corrected to, if any."""
    zip_code, rest = _ZIP_CODE.search(entry), _ZIP_CODE.sub(" ", entry).strip(" ,")
    if zip_code and catalog.search.states_of(rest):
        entry = f"{zip_code[0]}, {rest}"
    name, comma, tail = entry.rpartition(",")
    states = catalog.search.states_of(tail) if comma else None
    number = _NUMBER.match(name if comma else entry)
    if number:
        digits = number[1] or number[2]
        code = digits.zfill(_DIGITS)
        places = [place for place in catalog.search.find_exact(code, states) if place.kind == "zip"]
        return places, code if code != digits else None
    if comma:
        places = catalog.search.find_exact(name, states)
        return (_prefer_kind(places, kind), None) if places else _find_nickname_places(catalog, name, states, kind)
    places = catalog.search.find_exact(entry)
    if places:
        # A name in another state than the selected one is not added: it may not be meant.
        here = [place for place in places if state is None or place.state == state]
        return _prefer_kind(here, kind) or places, None
    words = entry.split()
    for size in range(1, min(4, len(words) - 1) + 1):
        named = catalog.search.states_of(" ".join(words[-size:]))
        if named:
            places = places or catalog.search.find_exact(" ".join(words[:-size]), named)
    if not places:
        return _find_nickname_places(catalog, entry, None if state is None else {state}, kind)
    return _prefer_kind(places, kind), None


def _find_nickname_places(
    catalog: RegionCatalog, name: str, states: Collection[str] | None, kind: RegionKind | None
) -> tuple[list[Place], str | None]:
    places = _prefer_kind(catalog.search.find_nicknames(name, states), kind)
    return places, places[0].label if places else None


def _prefer_kind(places: list[Place], kind: RegionKind | None) -> list[Place]:
    """Return the places of this kind, or all if there are none."""
    return [place for place in places if kind is not None and place.kind == kind] or places


def _is_in_other_state(entry: str, place: Place, state: str | None) -> bool:
    """Return whether a name without a state was found outside the selected state."""
    return state is not None and place.state != state and place.kind != "zip" and fold(entry) == fold(place.name)


def _describe_choices(places: list[Place]) -> str:
    states = list(dict.fromkeys(place.state for place in places))
    kinds = [kind for kind in KINDS if any(place.kind == kind for place in places)]
    if len(states) > 1:
        example = f"{places[0].name}, {states[0]}"
        return f"is in {count(len(states), 'state', 'states')} ({names(states)}). Add the state, such as “{example}”"
    return f"is a {' and a '.join(KIND_WORDS[kind][0] for kind in kinds)}. Search for it and select one"
