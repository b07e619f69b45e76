"""Find what is wrong with features, and repair it on request. Runs in the confined process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np
import shapely

from shapes.features import NAME, Layer, Shapes, exceed_degrees, extent_of, is_empty, is_finite
from shapes.findings import Finding
from shapes.layers import to_degrees
from shapes.polygon_repairs import (
    areas_of,
    count_rings,
    drawn_area,
    drop_outside_holes,
    has_outside_hole,
    repair_invalid,
    square_meters,
)
from shapes.systems import WGS84, are_degrees, is_wgs84, system_name

NUMBERED: Final = 20
"""A finding lists at most this many features by number."""
_NEAR: Final = 0.001
"""In degrees; positions this far out of range count as in range."""
_LONGEST_NAME: Final = 100
_NAMED: Final = 3
"""A message names at most this many features."""
_MOST_GROWTH: Final = 1.001
"""A repair that makes a feature larger than this, compared with before, needs a consent of its own."""
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
        self._growth: dict[int, str] = {}
        """How much larger repairs made features, by feature number."""

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
        self._outside_holes()
        self._crossings()
        self._consent_to_growth()

    @property
    def numbers(self) -> list[int]:
        """The numbers of the features that are left, from 1, in the order of the layer."""
        return list(map(int, self._numbers))

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
                before = self.layer.shapes[wrong]
                repair(wrong)
                if len(self.layer.shapes) == len(wrong):
                    self._compare(before, wrong)

    def _compare(self, before: Shapes, wrong: Any) -> None:
        """Add the parts and the area before and after the last repair to its finding, and note the shapes that grew."""
        after = self.layer.shapes[wrong]
        meters_before = square_meters(np.array([drawn_area(each) for each in before], dtype=object))
        meters_after = square_meters(after)
        sentences = [self.findings[-1].message, f"Repaired: {self._names(wrong)}."]
        for noun, old, new in zip(("Areas", "Holes"), _sum_rings(before), _sum_rings(after), strict=True):
            if old != new:
                sentences.append(f"{noun}: {old:,} before, {new:,} after.")
        sentences.append(f"Area: {_format_area(meters_before.sum())} before, {_format_area(meters_after.sum())} after.")
        self.findings[-1] = replace(self.findings[-1], message=" ".join(sentences))
        for number, old, new in zip(self._numbers[wrong].tolist(), meters_before, meters_after, strict=True):
            if new > old * _MOST_GROWTH + 1:
                self._growth[number] = f"by {_format_area(new - old)}" + (f" ({new / old - 1:.1%})" if old else "")

    def _consent_to_growth(self) -> None:
        grown = np.isin(self._numbers, list(self._growth))
        if grown.any():
            labels = self._labels(grown)
            numbers = self._numbers[grown].tolist()
            # Only the first have labels.
            named = zip(labels, numbers, strict=False)
            largest = ", ".join(f"{label} {self._growth[number]}" for label, number in named)
            noun = "feature" if len(numbers) == 1 else "features"
            message = f"Repairs make {len(numbers):,} {noun} larger: {largest}."
            self._add("growth", message, wrong=grown, blocks=True)

    def _names(self, which: Any) -> str:
        others = int(np.count_nonzero(which)) - _NAMED
        return ", ".join(self._labels(which)) + (f", and {others:,} more" if others > 0 else "")

    def _labels(self, which: Any) -> list[str]:
        """Return the names of the first features of a mask, or their numbers."""
        names = next((values for name, values in self.layer.columns.items() if name.lower() == NAME), None)
        return [
            f"“{names[place]}”" if names is not None and names[place] is not None else f"feature {self._numbers[place]}"
            for place in np.flatnonzero(which)[:_NAMED]
        ]

    def _parts(self, missing: Collection[str]) -> None:
        lacking = [part for part in (".shx", ".dbf") if part in missing]
        if lacking:
            verb = "is" if len(lacking) == 1 else "are"
            missing_parts = f"{' and '.join(lacking)} {verb} missing"
            self._add("parts", f"{missing_parts}. The service rejects such a file.", blocks=True)

    def _system(self, missing: Collection[str], crs: str) -> None:
        """Read the coordinates in the system that the file names or the user chose, and convert them to WGS 84."""
        named = self.layer.crs.strip()
        stated, chosen = system_name(named), system_name(crs)
        lie = _describe_lie(self.layer)
        choices: dict[str, str] = {}
        if stated:
            what = lie or f"The file names {stated}."
            if lie and not are_degrees(named):
                choices = {WGS84: "Degrees (WGS 84)", named: f"{stated}, as the file states"}
        elif named:
            what = f"The coordinate system in the file isn’t known: “{named[:_LONGEST_NAME]}”."
        else:
            what = "The .prj is missing." if ".prj" in missing else "The file names no coordinate system."
        if chosen:
            message = f"{what} The coordinates are read as {chosen}."
            self.findings.append(Finding("prj", message, is_repaired=True, choices=choices, choice=crs))
            self.layer.crs = crs
        elif crs:
            message = f"{what} “{crs[:_LONGEST_NAME]}” isn’t known either. Enter an EPSG number or a full name."
            self.findings.append(Finding("prj", message, blocks=True, choices=choices))
        # ASSUMPTION A380
        elif not named and _lies_within(self.layer.shapes, 180, 180):
            self.findings.append(Finding("prj", f"{what} The coordinates are read as degrees (WGS 84)."))
        elif lie or not stated:
            message = f"{what} {'Select' if choices else 'Enter'} the coordinate system of the coordinates."
            self.findings.append(Finding("prj", message, blocks=True, choices=choices))
            return
        system = system_name(self.layer.crs)
        if system and not is_wgs84(self.layer.crs):
            message = f"The coordinates are in {system} and will be sent in WGS 84."
            self.findings.append(Finding("system", message, is_repaired=True))
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

    def _outside_holes(self) -> None:
        shapes = self.layer.shapes
        if not is_finite(shapes).all():
            return
        wrong = ~shapely.is_valid(shapes) & (shapely.get_dimensions(shapes) == 2)
        # Drawn the long way around the Earth, an area leaves out the holes at the 180th meridian.
        wrong[wrong] = [has_outside_hole(_cut_at_date_line(each) or each) for each in shapes[wrong]]
        message = "{} a hole outside its area, which would become an area."
        self._features("holes", wrong, message, partial(self._cut, cut=drop_outside_holes), blocks=True)

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


def _describe_lie(layer: Layer) -> str:
    """Return a sentence if the coordinates cannot be in the system that the file names; "" if they can."""
    system = system_name(layer.crs)
    if not system or not np.isfinite(extent_of(layer.shapes)).all():
        return ""
    if are_degrees(layer.crs):
        is_lie = exceed_degrees(layer.shapes)
        return f"The file names {system}, but its coordinates are too large for degrees." if is_lie else ""
    # All within some hundred meters of the origin of a projection, which is far from the places it is made for.
    is_lie = _lies_within(layer.shapes, 360, 180)
    return f"The file names {system}, but its coordinates look like degrees." if is_lie else ""


def _at_zero(shapes: Shapes) -> Any:
    """Return a mask: points at 0, 0, and other shapes with one corner at 0, 0 that otherwise lie far away."""
    positions, owners = shapely.get_coordinates(shapes, return_index=True)
    has_zero = np.zeros(len(shapes), dtype=bool)
    has_zero[owners[~positions.any(axis=1)]] = True
    # The median corner: one at 0, 0 pulls the center towards it.
    for place in np.flatnonzero(has_zero & (shapely.get_dimensions(shapes) > 0)):
        has_zero[place] = np.abs(np.median(shapely.get_coordinates(shapes[place]), axis=0)).max() > _FAR_FROM_ZERO
    return has_zero


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


def _sum_rings(shapes: Shapes) -> tuple[int, int]:
    """Return the number of areas and of holes in some shapes."""
    areas, holes = zip(*map(count_rings, shapes), strict=True)
    return sum(areas), sum(holes)


def _format_area(meters: float) -> str:
    return f"{meters / 1e6:,.1f} km²" if meters >= 1e6 else f"{meters:,.0f} m²"


def _lies_within(shapes: Shapes, x: float, y: float) -> bool:
    west, south, east, north = extent_of(shapes)
    return bool(
        np.isnan(west) or (west >= -x - _NEAR and east <= x + _NEAR and south >= -y - _NEAR and north <= y + _NEAR)
    )


def _reason(geos_reason: str) -> str:
    words = geos_reason.partition("[")[0].strip()
    return {"Self-intersection": "crosses itself", "Ring Self-intersection": "touches itself"}.get(words, words.lower())
