"""Place an area by its codes: counties by SAME, FIPS, and UGC, and whole states."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import shapely
from shapely.geometry import shape

from domain.alerts.recipients.us_places import us_counties
from domain.geography.states import state_name
from domain.incidents.area import Shape
from domain.text.plain_text import names
from shapes.features import CODE_COLUMNS

_SEPARATORS: Final = re.compile(r"[\s,;|]+")
_NAMED: Final = 4
_SHORT_FIPS: Final = re.compile(r"\d{4}")
"""A FIPS code whose zero a program dropped."""


class PlacedCodes(NamedTuple):
    """The counties of codes as one shape, and what is not placed or only roughly, one sentence each."""

    shapes: tuple[Shape, ...]
    notes: tuple[str, ...]


def codes_in_attributes(attributes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the codes in the attributes of a feature, each with the name of its scheme."""
    for name, text in attributes.items():
        if name.lower() in CODE_COLUMNS:
            yield from _codes_of(name, _parsed(text))


def place_codes(codes: Iterable[tuple[str, str]], name: str, label: str) -> PlacedCodes:
    """Return the counties of codes. Each is a scheme and one or more values with spaces between.

    The schemes describe the same area: a code that cannot be placed is named only if no scheme is placed completely.
    """
    by_scheme: defaultdict[str, list[str]] = defaultdict(list)
    for scheme, value in codes:
        by_scheme[scheme.upper()] += [each for each in _SEPARATORS.split(value.strip()) if each]
    found = {code: us_counties().find_by_code(_whole(code)) for each in by_scheme.values() for code in each}
    counties = {county.number: county for each in found.values() for county in each.counties}
    unplaced = [code for code, each in found.items() if not each.counties]
    is_complete = any(each and all(found[code].counties for code in each) for each in by_scheme.values())
    notes = []
    if (unplaced and not is_complete) or not found:
        listed = names(unplaced, at_most=_NAMED)
        what = (
            f"is not complete. Muster cannot place the codes {listed}."
            if found
            else "has only a name. Muster cannot place it."
        )
        notes.append(f"The area “{name}” {what}")
    parts = {
        code: state_name(each.state) if each.state else each.counties[0].label
        for code, each in found.items()
        if each.is_part
    }
    for code, whole in parts.items():
        notes.append(f"The code {code} stands for part of {whole}. Muster uses the whole area.")
    if not counties:
        return PlacedCodes((), tuple(notes))
    whole = shapely.union_all([shapely.make_valid(shape(county.geometry)) for county in counties.values()])
    return PlacedCodes((Shape(whole, label),), tuple(notes))


def _whole(code: str) -> str:
    code = code.rpartition("/")[2]
    return code.zfill(5) if _SHORT_FIPS.fullmatch(code) else code


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _codes_of(scheme: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _codes_of(str(name), each)
    elif isinstance(value, list):
        for each in value:
            yield from _codes_of(scheme, each)
    elif value is not None:
        yield scheme, str(value)
