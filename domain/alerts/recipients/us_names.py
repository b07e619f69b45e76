"""Names of states and places as people write and type them: abbreviations, nicknames, and typing errors."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from rapidfuzz.distance import OSA

from domain.geography.folding import fold, letters_together
from domain.geography.states import STATES, state_code

PlaceKey: TypeAlias = tuple[Literal["city", "zip", "county"], str, str]
"""The kind, the two letters of the state, and the folded name."""

_TABLE: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("us_names.toml").read_text(encoding="utf-8"))
STATE_NAMES: Final = STATES["US"]
"""The states, the district, and the territories by their postal codes."""
FEWEST_LETTERS: Final = 4
"""Shorter names are similar to too many others."""
STATES_BY_NAME: Final[dict[str, str]] = {
    **{fold(name): code for code, name in STATE_NAMES.items()},
    **{name: code for code, name in _TABLE["states_in_spanish"].items()},
}
"""The codes of states by their folded names in English and Spanish."""
STATES_IN_PRINT: Final[dict[str, str]] = {fold(word): code for code, word in _TABLE["states_in_print"].items()}
"""The codes of states by the abbreviations that follow the name of a city."""
_LETTERS_FOR_TWO: Final = 8
_WRITTEN_SHORT: Final = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount", "pt": "point"}
_COMPASS: Final = {"n": "north", "s": "south", "e": "east", "w": "west", "no": "north", "so": "south"}
_WHAT_A_COUNTY_IS: Final = re.compile(
    r"^(?:municipality|city and borough) of |"
    r" (?:county|parish|(?:city and )?borough|census area|municipality|municipio)$"
)
_BEFORE_A_NAME: Final = re.compile(
    r"^(?:the )?(?:(?:city and )?(?P<county>county|parish)|city|town|township|village|borough) of (?:the )?|^the "
)
_ENDS_COUNTIES: Final = ("county", "parish", "borough", "area", "municipality", "municipio", "city", "island")


def expand_abbreviations(key: str) -> str:
    """Expand abbreviations: "st louis" becomes "saint louis"."""
    if " " not in key:  # most cities with these letters are saints
        return _WRITTEN_SHORT.get(key, key)
    return " ".join(_WRITTEN_SHORT.get(word, word) for word in key.split())


def squash(key: str) -> str:
    """Return a folded name without spaces: "coeur d alene" and "coeur dalene" are equal."""
    return expand_abbreviations(key).replace(" ", "")


def strip_county_word(key: str) -> str:
    """Return the folded name of a county without "county" and the like."""
    return _WHAT_A_COUNTY_IS.sub("", key) or key


def typed_forms(name: str) -> tuple[str, ...]:
    """Return the forms of a typed name that a lookup may have, the typed one first."""
    ways = [name]
    before = _BEFORE_A_NAME.match(name)
    if before and (rest := name[before.end() :]):
        ways.append(f"{rest} {before['county']}" if before["county"] else rest)
    for way in tuple(ways):
        first, blank, rest = way.partition(" ")
        if blank and first in _COMPASS:
            ways.append(f"{_COMPASS[first]} {rest}")
    return tuple(dict.fromkeys([*ways, *map(expand_abbreviations, ways)]))


def other_forms(key: str, *, is_county: bool) -> tuple[str, ...]:
    """Return the other forms in which the folded name of a city or county may be typed."""
    ways = {expand_abbreviations(key)}
    if is_county and not key.endswith(_ENDS_COUNTIES):
        ways |= {f"{way} county" for way in (key, *ways)}
    return tuple(sorted(ways - {key}))


def state_words(states: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the folded names and abbreviations of states, each with the lookup's spellings."""
    words: defaultdict[str, set[str]] = defaultdict(set)
    for state in states:
        code = state_code(state)
        for word in (state, code, STATE_NAMES.get(code, state)):
            words[fold(word)].add(state)
        for word in _TABLE["states_shortened"].get(code, ()):
            words[word].add(state)
        words[f"{fold(STATE_NAMES.get(code, state))} state"].add(state)
    return {word: frozenset(named) for word, named in words.items() if word}


def find_similar(name: str, keys: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the position of every key similar to a folded name, with a rank. Lower is more similar.

    0: equal except for spaces and marks ("ofallon", "prince georges county"). 1: the same beginning. Otherwise, 1 more
    than the number of typing errors: a wrong, missing, or extra letter, or two swapped letters. The first letter must
    be right.
    """
    wanted = squash(typed_forms(name)[-1])
    if len(wanted) < FEWEST_LETTERS or wanted.isdigit():
        return
    most = 2 if len(wanted) >= _LETTERS_FOR_TWO else 1
    for at, key in enumerate(keys):
        if key[:1] != wanted[0]:
            continue
        written = squash(key)
        if written.startswith(wanted):
            yield at, int(written != wanted)
        elif abs(len(written) - len(wanted)) <= most:
            number = OSA.distance(wanted, written, score_cutoff=most)
            if number <= most:
                yield at, number + 1


def find_nickname(name: str) -> tuple[PlaceKey, ...]:
    """Return the places of a nickname, in display order.

    New York City includes its five counties, because the postal city is Manhattan.
    """
    name = expand_abbreviations(name.removeprefix("the "))
    return NICKNAMES.get(name, ()) or NICKNAMES.get(letters_together(name), ())


def _build_nicknames() -> dict[str, tuple[PlaceKey, ...]]:
    meant: dict[str, tuple[PlaceKey, ...]] = {}
    boroughs: dict[str, PlaceKey] = {
        borough: ("county", "NY", f"{county} county") for borough, county in _TABLE["boroughs"].items()
    }
    for nickname in _TABLE["new_york_city"]:
        meant[nickname] = (("city", "NY", "new york"), *boroughs.values())
    for borough, county in boroughs.items():
        city: PlaceKey = ("city", "NY", "new york" if borough == "manhattan" else borough)
        # To the post, Queens is many cities, and none of this name.
        both = (county,) if borough == "queens" else (city, county)
        meant |= dict.fromkeys((borough, f"{borough} borough", f"borough of {borough}"), both)
    for nickname, cities in _TABLE["cities"].items():
        meant[nickname] = tuple(("city", each[-2:], each[:-3]) for each in cities)
    for nickname in ("mat su", "mat su borough"):
        meant[nickname] = (("county", "AK", "matanuska susitna borough"),)
    for nickname, name in _TABLE["counties"].items():
        county_key: PlaceKey = ("county", name[-2:], f"{name[:-3]} county")
        meant[f"{nickname} county"] = (county_key,)
        meant.setdefault(nickname, (county_key,))
    return meant


NICKNAMES: Final = _build_nicknames()
"""Nicknames of places, folded, with the places."""
