"""Find what is wrong with features, and repair it on request. Runs in the confined process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any, Final

import numpy as np
import shapely

from shapes.features import Layer, Shapes, extent_of, is_empty, is_finite
from shapes.findings import Finding
from shapes.layers import to_degrees
from shapes.systems import is_wgs84, parse_system, system_name

NUMBERED: Final = 20
"""A finding lists at most this many features by number."""
_NEAR: Final = 0.001
"""In degrees; positions this far out of range count as in range."""
_LONGEST_NAME: Final = 100
_FAR_FROM_ZERO: Final = 10.0
"""If a shape's median corner is farther from 0, 0 than this, in degrees, a corner at 0, 0 is a missing position."""
_SIGNS: Final = {
    "latitude": ("The sign of the latitudes is changed.", (1.0, -1.0)),
    "longitude": ("The sign of the longitudes is changed.", (-1.0, 1.0)),
    "signs": ("Both signs are changed.", (-1.0, -1.0)),
}


class Repairs:
    """Finds problems in the order in which one hides the next, and repairs those whose codes were requested."""

    def __init__(self, layer: Layer, codes: Collection[str], findings: Iterable[Finding] = ()) -> None:
        self.layer = layer
        self.layer_before_repairs = layer
        self.findings = list(findings)
        self._codes = codes
        self._numbers = np.arange(1, len(layer.shapes) + 1)

    def repair_all(self, *, missing: Collection[str], crs: str) -> None:
        """Find all problems and repair those requested. `crs` is the coordinate system that the user chose, or ""."""
        self._parts(missing)
        self._system(missing, crs)
        self._features("empty", is_empty(self.layer.shapes), "{} no geometry.", self.drop)
        broken = ~is_finite(self.layer.shapes)
        self._features("broken", broken, "{} a position that is not a number.", self.drop, blocks=True)
        self._features("zero", _at_zero(self.layer.shapes), "{} a position at 0, 0.", self.drop, blocks=True)
        self.layer_before_repairs = self.layer
        self._swapped()
        self._signs()
        self._out_of_range()
        self._dimensions()
        self._antimeridian()
        self._crossings()

    def drop(self, wrong: Any) -> None:
        """Remove features by a mask."""
        self.layer, self._numbers = self.layer.only(~wrong), self._numbers[~wrong]

    def _add(self, code: str, message: str, *, wrong: Any = None, blocks: bool = False) -> bool:
        is_repaired = code in self._codes
        count = 1 if wrong is None else int(np.count_nonzero(wrong))
        features = () if wrong is None else tuple(map(int, self._numbers[wrong][:NUMBERED]))
        self.findings.append(Finding(code, message, count, features, blocks and not is_repaired, is_repaired))
        return is_repaired

    def _features(
        self,
        code: str,
        wrong: Any,
        message: str,
        repair: Callable[[Any], None],
        *,
        blocks: bool = False,
        verb: str = "",
    ) -> None:
        if wrong.any():
            count = int(np.count_nonzero(wrong))
            words = f"{count:,} {'feature' if count == 1 else 'features'} {verb or ('has' if count == 1 else 'have')}"
            if self._add(code, message.format(words), wrong=wrong, blocks=blocks):
                repair(wrong)

    def _parts(self, missing: Collection[str]) -> None:
        lacking = [part for part in (".shx", ".dbf") if part in missing]
        if lacking:
            verb = "is" if len(lacking) == 1 else "are"
            self._add("parts", f"{' and '.join(lacking)} {verb} missing: the service refuses such a file.", blocks=True)

    def _system(self, missing: Collection[str], crs: str) -> None:
        named = self.layer.crs.strip()
        if parse_system(named) is None:
            what = "The .prj is missing." if ".prj" in missing else "The file names no coordinate system."
            if named:
                what = f"The coordinate system in the file isn't known: “{named[:_LONGEST_NAME]}”."
            if chosen := system_name(crs):
                self.findings.append(Finding("prj", f"{what} The coordinates are read as {chosen}.", is_repaired=True))
                self.layer.crs = crs
            elif crs:
                message = f"{what} “{crs[:_LONGEST_NAME]}” isn't known either. Enter an EPSG number or a full name."
                self.findings.append(Finding("prj", message, blocks=True))
            # ASSUMPTION A380
            elif not named and _lies_within(self.layer.shapes, 180, 180):
                self.findings.append(Finding("prj", f"{what} The coordinates are read as degrees (WGS 84)."))
            else:
                message = f"{what} Enter the coordinate system of the coordinates."
                self.findings.append(Finding("prj", message, blocks=True))
        system = system_name(self.layer.crs)
        if system and not is_wgs84(self.layer.crs):
            self._add("system", f"The coordinates are in {system}.")
            self.layer = to_degrees(self.layer)

    def _swapped(self) -> None:
        shapes = self.layer.shapes
        certain = not _lies_within(shapes, 180, 90) and _lies_within(shapes, 90, 180)
        if certain or "swapped" in self._codes:
            message = "Latitudes beyond 90 degrees: latitude and longitude are swapped."
            chosen = "Latitude and longitude are swapped, as you selected."
            if self._add("swapped", message if certain else chosen, blocks=True):
                turned = shapely.transform(shapes, lambda positions: positions[:, ::-1])
                self.layer = Layer(turned, self.layer.columns, self.layer.crs)

    def _signs(self) -> None:
        """Change signs only on request: the file does not tell in which country the shapes should lie."""
        for code, (message, signs) in _SIGNS.items():
            if code in self._codes and self._add(code, message):
                turned = shapely.transform(self.layer.shapes, lambda positions, signs=signs: positions * signs)
                self.layer = Layer(turned, self.layer.columns, self.layer.crs)

    def _out_of_range(self) -> None:
        if any(each.code == "prj" and each.blocks for each in self.findings):
            return
        west, south, east, north = shapely.bounds(self.layer.shapes).T
        with np.errstate(invalid="ignore"):
            beyond = (west < -180 - _NEAR) | (east > 180 + _NEAR) | (south < -90 - _NEAR) | (north > 90 + _NEAR)
            # Longitudes from 0 to 360, or continued beyond the 180th meridian.
            around = beyond & (south >= -90 - _NEAR) & (north <= 90 + _NEAR) & (east - west <= 360)
            around &= (west >= -540) & (west < 360) & (east > -360) & (east <= 540)
            around &= shapely.get_dimensions(self.layer.shapes) == 2
        if not any(each.code == "swapped" and each.blocks for each in self.findings):
            cut = partial(self._cut, cut=_wrap_longitudes)
            self._features("longitudes", around, "{} longitudes beyond 180 degrees.", cut, blocks=True)
            beyond &= ~around
            message = "{} outside of -180 to 180 and -90 to 90 degrees."
            verb = "lies" if np.count_nonzero(beyond) == 1 else "lie"
            self._features("beyond", beyond, message, self.drop, blocks=True, verb=verb)

    def _dimensions(self) -> None:
        dimensions = shapely.get_dimensions(self.layer.shapes)
        others = (dimensions < 2) & ~is_empty(self.layer.shapes)
        if others.any() and (dimensions >= 2).any():
            counts = Counter("point" if each == 0 else "line" for each in dimensions[others])
            found = " and ".join(f"{number:,} {kind}{'s' * (number != 1)}" for kind, number in sorted(counts.items()))
            if self._add("others", f"{found} where areas are expected.", wrong=others):
                self.drop(others)
        elif others.any():
            self.findings.append(Finding("no_area", "The file has no areas, only points or lines."))
        if (shapely.get_type_id(self.layer.shapes) == 7).any():
            mixed = shapely.get_type_id(self.layer.shapes) == 7

            def areas(_: Any) -> None:
                shapes = self.layer.shapes.copy()
                shapes[mixed] = [areas_of(each) for each in shapes[mixed]]
                self.layer = Layer(shapes, self.layer.columns, self.layer.crs)

            self._features("collections", mixed, "{} areas together with points or lines.", areas)

    def _antimeridian(self) -> None:
        shapes = self.layer.shapes
        west, _, east, _ = shapely.bounds(shapes).T
        with np.errstate(invalid="ignore"):
            wide = (east - west > 180) & (west >= -180 - _NEAR) & (east <= 180 + _NEAR)
        wide &= shapely.get_dimensions(shapes) == 2
        for place in np.flatnonzero(wide):
            # A shape that is already cut there has narrow parts; one around a pole really is that wide.
            widths = [bounds[2] - bounds[0] for bounds in shapely.bounds(shapely.get_parts(shapes[place]))]
            wide[place] = max(widths) > 180 and _cut_at_date_line(shapes[place]) is not None
        verb = "crosses" if np.count_nonzero(wide) == 1 else "cross"
        self._features(
            "antimeridian",
            wide,
            "{} the 180th meridian the long way around.",
            partial(self._cut, cut=_cut_at_date_line),
            verb=verb,
        )

    def _cut(self, which: Any, cut: Callable[[Any], Any]) -> None:
        shapes = self.layer.shapes.copy()
        shapes[which] = [cut(each) for each in shapes[which]]
        self.layer = Layer(shapes, self.layer.columns, self.layer.crs)

    def _crossings(self) -> None:
        invalid = ~shapely.is_valid(self.layer.shapes) & ~shapely.is_missing(self.layer.shapes)
        if not invalid.any() or not is_finite(self.layer.shapes).all():
            return
        reasons = Counter(_reason(each) for each in shapely.is_valid_reason(self.layer.shapes[invalid][:500]))
        message = "{}: " + ", ".join(reason for reason, _ in reasons.most_common(3)) + "."
        verb = "is not valid" if np.count_nonzero(invalid) == 1 else "are not valid"
        self._features("invalid", invalid, message, lambda _: self._repair(), verb=verb)

    def _repair(self) -> None:
        self.layer = Layer(repair_invalid(self.layer.shapes), self.layer.columns, self.layer.crs)


def _at_zero(shapes: Shapes) -> Any:
    """Return a mask: points at 0, 0, and other shapes with one corner at 0, 0 that otherwise lie far away."""
    positions, owners = shapely.get_coordinates(shapes, return_index=True)
    has_zero = np.zeros(len(shapes), dtype=bool)
    has_zero[owners[~positions.any(axis=1)]] = True
    # The median corner: one at 0, 0 pulls the center towards it.
    for place in np.flatnonzero(has_zero & (shapely.get_dimensions(shapes) > 0)):
        has_zero[place] = np.abs(np.median(shapely.get_coordinates(shapes[place]), axis=0)).max() > _FAR_FROM_ZERO
    return has_zero


def repair_invalid(shapes: Shapes) -> Shapes:
    """Make invalid shapes valid. Areas stay areas; a shape that collapses becomes empty."""
    invalid = ~shapely.is_valid(shapes) & ~shapely.is_missing(shapes)
    result = shapes.copy()
    for place in np.flatnonzero(invalid):
        area = shapely.get_dimensions(shapes[place]) == 2
        valid = shapely.make_valid(shapes[place], method="structure", keep_collapsed=False)
        if area and not shapely.is_valid(valid):
            # If an edge runs back over itself, GEOS sometimes returns two parts that share a piece of it.
            valid = shapely.buffer(valid, 0)
        result[place] = areas_of(valid) if area else valid
    return result


def areas_of(shape: Any) -> Any:
    """Return the areas in a shape as one polygon or multipolygon."""
    if shapely.get_type_id(shape) in (3, 6):
        return shape
    parts = shapely.get_parts(shape)
    nested = [area for part in parts for area in shapely.get_parts(part) if shapely.get_type_id(area) == 3]
    return nested[0] if len(nested) == 1 else shapely.multipolygons(nested)


def _cut_at_date_line(shape: Any) -> Any:
    """Cut an area that spans the long way around at the 180th meridian; None if that does not repair it."""
    turned = shapely.transform(
        shape, lambda at: np.column_stack([np.where(at[:, 0] < 0, at[:, 0] + 360, at[:, 0]), at[:, 1]])
    )
    west, _, east, _ = shapely.bounds(turned)
    if east - west > 180 or not shapely.is_valid(turned):
        return None
    left = shapely.intersection(turned, shapely.box(0, -90, 180, 90))
    right = shapely.intersection(turned, shapely.box(180, -90, 360, 90))
    right = shapely.transform(right, lambda at: at - [360.0, 0.0])
    return areas_of(shapely.geometrycollections([left, right]))


def _wrap_longitudes(shape: Any) -> Any:
    """Cut an area with longitudes beyond 180 at the 180th meridian, with each part within -180 to 180."""
    sound = repair_invalid(np.array([shape]))[0]
    parts = []
    for turn in (-360.0, 0.0, 360.0):
        part = shapely.intersection(sound, shapely.box(turn - 180, -90, turn + 180, 90))
        parts.append(shapely.transform(part, lambda at, turn=turn: at - [turn, 0.0]))
    return areas_of(shapely.geometrycollections(parts))


def _lies_within(shapes: Shapes, x: float, y: float) -> bool:
    west, south, east, north = extent_of(shapes)
    return bool(
        np.isnan(west) or (west >= -x - _NEAR and east <= x + _NEAR and south >= -y - _NEAR and north <= y + _NEAR)
    )


def _reason(geos_reason: str) -> str:
    words = geos_reason.partition("[")[0].strip()
    return {"Self-intersection": "crosses itself", "Ring Self-intersection": "touches itself"}.get(words, words.lower())
