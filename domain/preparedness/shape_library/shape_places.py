"""Compare the positions of features in a shape file with the country and city in their attributes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import shapely

from domain.geography.countries import country_code
from domain.geography.folding import fold
from domain.geography.place_conflicts import (
    FIXES,
    REASONS,
    TURNS,
    Conflicts,
    Mask,
    Stated,
    find_conflicts,
    find_far,
    lie_at_sea,
)
from domain.text.plain_text import count
from shapes.findings import Finding
from shapes.preparing import Prepared, PrepareOptions

_COUNTRIES: Final = frozenset(
    {"country", "country code", "country name", "iso", "iso a2", "iso a3", "iso2", "iso3", "land", "pays", "pais"}
    | {"admin", "adm0 name", "adm0 a3", "cntr code", "cntry name", "name 0", "nation", "paese", "sovereignt", "staat"}
)
_CITIES: Final = frozenset({"city", "city name", "town"})
_CODES: Final = {"swap": "swapped"}
"""The code of a fix in the shape process, if it has another one there."""
MAX_NUMBERS: Final = 20
"""The maximum number of features that are listed in a finding."""
MAX_REASONS: Final = 3
"""The maximum number of reasons in a finding."""
ELSEWHERE: Final = "elsewhere"
TURNED: Final = frozenset(_CODES.get(fix, fix) for fix in TURNS)


def add_place_findings(prepared: Prepared, options: PrepareOptions) -> Prepared:
    """Add findings about features in wrong places. A file that one fix would correct as a whole is not sent."""
    if options.repairs & TURNED or not prepared.preview_before:
        return prepared
    features = [number for number, _ in prepared.preview_before]
    centers = shapely.centroid(shapely.from_geojson([json.dumps(geometry) for _, geometry in prepared.preview_before]))
    y, x = shapely.get_y(centers), shapely.get_x(centers)
    countries, cities = (_attribute(prepared, names, features) for names in (_COUNTRIES, _CITIES))
    stated = Stated([country_code(text) for text in countries], cities, [None] * len(features))
    conflicts = find_conflicts(y, x, stated)
    is_at_sea = lie_at_sea(y, x)
    more = list(_conflict_findings(conflicts, stated, is_at_sea, features, options))
    far = find_far(y, x) & ~stated.is_stated
    if far.any():
        message = f"{count(int(far.sum()), 'feature is', 'features are')} far from all others."
        more.append(Finding("far", message, int(far.sum()), _numbers(features, far)))
    blocks = any(finding.blocks for finding in more)
    return replace(prepared, findings=[*prepared.findings, *more], files=() if blocks else prepared.files)


def _conflict_findings(
    conflicts: Conflicts, stated: Stated, is_at_sea: Mask, features: Sequence[int], options: PrepareOptions
) -> list[Finding]:
    # The reader of the file reports a position at 0, 0.
    wrong = conflicts.reason > REASONS.index("zero")
    if not wrong.any():
        return []
    reasons = dict.fromkeys(stated.message(at, REASONS[conflicts.reason[at]]) for at in np.flatnonzero(wrong).tolist())
    fixes = set(conflicts.fix[stated.is_stated].tolist())
    number = fixes.pop() if len(fixes) == 1 else -1
    fix = FIXES[number] if number >= 0 else None
    outside = count(int(wrong.sum()), "feature is", "features are")
    sea = int((wrong & is_at_sea).sum())
    at_sea = f" {count(sea, 'feature is', 'features are')} at sea." if sea else ""
    message = f"{outside} outside the place named in the attributes.{at_sea} {' '.join(list(reasons)[:MAX_REASONS])}"
    numbers = _numbers(features, wrong)
    if fix in TURNS:
        return [Finding(_CODES.get(fix, fix), message, int(wrong.sum()), numbers, blocks=True)]
    # At sea, or all in other countries: more likely the coordinate system or the coordinates than an attribute.
    is_elsewhere = conflicts.reason == REASONS.index("country")
    are_all_elsewhere = bool(is_elsewhere.any() and is_elsewhere[stated.has_country].all())
    needs_consent = bool((is_elsewhere & is_at_sea).any()) or are_all_elsewhere
    is_accepted = needs_consent and ELSEWHERE in options.repairs
    if needs_consent:
        message += " The coordinate system may be wrong."
    return [Finding(ELSEWHERE, message, int(wrong.sum()), numbers, needs_consent and not is_accepted, is_accepted)]


def _attribute(prepared: Prepared, names: frozenset[str], features: Sequence[int]) -> list[str | None]:
    values: Sequence[Any] = next((cells for name, cells in prepared.columns.items() if fold(name) in names), ())
    return [str(values[at]) if at < len(values) and values[at] is not None else None for at in features]


def _numbers(features: Sequence[int], mask: Any) -> tuple[int, ...]:
    return tuple(features[at] + 1 for at in np.flatnonzero(mask)[:MAX_NUMBERS])
