"""Read the features of a file as areas, with what was left out, changed, or is doubtful. Runs in the confined process.

The reader and its findings are those of the shape library. Nothing is left out without a reason.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import shapely

from shapes.features import CODE_COLUMNS, Layer, ReadOptions, ShapeProblemError, Shapes, is_empty, is_finite
from shapes.layers import read_layer
from shapes.polygon_repairs import areas_of
from shapes.repairs import Repairs

MOST_ATTRIBUTES: Final = 40
LONGEST_ATTRIBUTE: Final = 200
_LEFT_OUT: Final = frozenset({"empty", "broken", "zero", "beyond", "others"})
"""The features with these problems are left out, each with its reason."""
_REPAIRED: Final = _LEFT_OUT | {"holes", "merge", "loss"}
_HANDLED: Final = _LEFT_OUT | {"no_area", "collections", "unreadable", "longitudes", "loss"}
"""Problems with a reason at the feature, or none for an area."""
_CONSEQUENCES: Final = {
    "holes": " If a hole is an area, correct the file.",
    "invalid": " Muster repaired the shape.",
    "swapped": " Check the area on the map.",
}
"""What an area does about a problem that the finding leaves open."""
_OF_SENDING: Final = frozenset({"parts", "system", "encoding", "guessed_encoding"})
"""Findings that matter only for a file that is sent."""


def read_area_features(file: Path, *, most_features: int, most_positions: int, missing: list[str]) -> dict[str, Any]:
    """Return the features with attributes, areas in GeoJSON or a reason, and the findings about the file.

    Raises `ShapeProblemError`.
    """
    options = ReadOptions(findings=[])
    layer = read_layer(file, most_features=most_features, most_positions=most_positions, options=options)
    repairs = _repair(layer, options, missing, _REPAIRED)
    is_swapped = any(each.code == "swapped" for each in repairs.findings)
    if is_swapped:
        repairs = _repair(layer, options, missing, _REPAIRED | {"swapped"})
    file_findings = [each for each in repairs.findings if each.code not in _HANDLED | _OF_SENDING]
    if blocking := next((each for each in file_findings if each.blocks), None):
        raise ShapeProblemError(blocking.message)
    unreadable = {number for each in repairs.findings if each.code == "unreadable" for number in each.features}
    shapes = dict(zip(repairs.numbers, repairs.layer.shapes, strict=True))
    return {
        "features": [
            {
                "attributes": attributes,
                **_area_or_reason(original, shapes.get(number), is_unreadable=number in unreadable),
            }
            for number, (attributes, original) in enumerate(zip(_attributes(layer), layer.shapes, strict=True), 1)
        ],
        "findings": [f"{each.message}{_CONSEQUENCES.get(each.code, '')}" for each in file_findings],
    }


def _repair(layer: Layer, options: ReadOptions, missing: list[str], codes: frozenset[str]) -> Repairs:
    copy = Layer(layer.shapes.copy(), layer.columns, layer.crs)
    repairs = Repairs(copy, codes, options.findings or ())
    repairs.repair_all(missing=missing, crs="")
    return repairs


def _area_or_reason(original: Any, repaired: Any, *, is_unreadable: bool) -> Mapping[str, Any]:
    if repaired is not None and shapely.get_dimensions(repaired) == 2:
        area = areas_of(repaired)
        has_more = _count_others(repaired) > 0
        return {"geometry": json.loads(shapely.to_geojson(area)), "has_points_or_lines": has_more}
    return {"geometry": None, "reason": _reason(original, is_unreadable=is_unreadable)}


def _count_others(shape: Any) -> int:
    """Return the number of points and lines in a geometry, however it is nested."""
    if shapely.get_type_id(shape) == 7:
        return sum(_count_others(each) for each in shapely.get_parts(shape))
    return int(shapely.get_dimensions(shape) in (0, 1) and not shapely.is_empty(shape))


def _reason(shape: Any, *, is_unreadable: bool) -> str:
    alone: Shapes = np.array([shape], dtype=object)
    if is_unreadable:
        return "a geometry that cannot be read"
    if is_empty(alone)[0]:
        return "no geometry"
    if not is_finite(alone)[0]:
        return "a position that is not a number"
    if shapely.get_dimensions(shape) < 2:
        return "only points" if shapely.get_dimensions(shape) == 0 else "only lines"
    return "a position that is missing or does not exist on Earth"


def _attributes(layer: Layer) -> list[dict[str, str]]:
    """Return the attributes of each feature as texts. Codes are complete; other texts are cut."""
    columns = list(layer.columns.items())[:MOST_ATTRIBUTES]
    columns += [each for each in layer.columns.items() if each[0].lower() in CODE_COLUMNS and each not in columns]
    return [
        {
            name: str(value) if name.lower() in CODE_COLUMNS else str(value)[:LONGEST_ATTRIBUTE]
            for name, values in columns
            if (value := values[at]) is not None
        }
        for at in range(len(layer.shapes))
    ]
