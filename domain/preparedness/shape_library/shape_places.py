"""Where the features of a shape file lie, held against the country and the city that their attributes name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import shapely

from domain.geography.countries import country_code
from domain.geography.folding import fold
from domain.geography.place_conflicts import FIXES, REASONS, TURNS, Conflicts, Stated, find_conflicts, find_far
from domain.text.plain_text import count
from shapes.findings import Finding
from shapes.preparing import Prepared, PrepareOptions

_COUNTRIES: Final = frozenset({"country", "country code", "country name", "iso a2", "iso2", "land", "pays", "pais"})
_CITIES: Final = frozenset({"city", "city name", "town"})
_CODES: Final = {"swap": "swapped"}
"""What a fix is called where the shape process knows it by another name."""
NUMBERED: Final = 20
"""So many features are named with what is wrong with them."""
REASONS_NAMED: Final = 3
"""So many different reasons are given."""
TURNED: Final = frozenset(_CODES.get(fix, fix) for fix in TURNS)


def with_place_findings(seen: Prepared, options: PrepareOptions) -> Prepared:
    """Add what is wrong with where features lie. Nothing is sent of a file that one fix would put right as a whole."""
    if options.repairs & TURNED or not seen.preview_before:
        return seen
    features = [number for number, _ in seen.preview_before]
    centers = shapely.centroid(shapely.from_geojson([json.dumps(geometry) for _, geometry in seen.preview_before]))
    y, x = shapely.get_y(centers), shapely.get_x(centers)
    countries, cities = (_attribute(seen, names, features) for names in (_COUNTRIES, _CITIES))
    stated = Stated([country_code(text) for text in countries], cities, [None] * len(features))
    found = find_conflicts(y, x, stated)
    more = list(_conflicts(found, stated, features))
    far = find_far(y, x) & ~stated.is_stated
    if far.any():
        said = f"{count(int(far.sum()), 'feature is', 'features are')} far from all others."
        more.append(Finding("far", said, int(far.sum()), _numbers(features, far)))
    blocks = any(finding.blocks for finding in more)
    return replace(seen, findings=[*seen.findings, *more], files=() if blocks else seen.files)


def _conflicts(found: Conflicts, stated: Stated, features: Sequence[int]) -> list[Finding]:
    # A position at 0, 0 is found where the file is read.
    wrong = found.reason > REASONS.index("zero")
    if not wrong.any():
        return []
    reasons = dict.fromkeys(stated.message(at, REASONS[found.reason[at]]) for at in np.flatnonzero(wrong).tolist())
    fixes = set(found.fix[stated.is_stated].tolist())
    number = fixes.pop() if len(fixes) == 1 else -1
    fix = FIXES[number] if number >= 0 else None
    lie = count(int(wrong.sum()), "feature lies", "features lie")
    said = f"{lie} outside the stated place. {' '.join(list(reasons)[:REASONS_NAMED])}"
    code = _CODES.get(fix, fix) if fix in TURNS else "elsewhere"
    return [Finding(str(code), said, int(wrong.sum()), _numbers(features, wrong), blocks=code != "elsewhere")]


def _attribute(seen: Prepared, names: frozenset[str], features: Sequence[int]) -> list[str | None]:
    values: Sequence[Any] = next((cells for name, cells in seen.columns.items() if fold(name) in names), ())
    return [str(values[at]) if at < len(values) and values[at] is not None else None for at in features]


def _numbers(features: Sequence[int], mask: Any) -> tuple[int, ...]:
    return tuple(features[at] + 1 for at in np.flatnonzero(mask)[:NUMBERED])
