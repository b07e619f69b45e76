"""Find what is wrong with features, and repair it on request. Runs in the confined process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
    cut_overlaps,
    drawn_area,
    drop_outside_holes,
    find_overlaps,
    keep_outside_holes,
    merge_overlaps,
    repair_shape,
    share_area,
    split_outside_holes,
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
"""A repair that changes the area of a feature by more than this factor needs a consent of its own."""
_FAR_FROM_ZERO: Final = 10.0
"""If a shape's median corner is farther from 0, 0 than this, in degrees, a corner at 0, 0 is a missing position."""
_SIGNS: Final = {
    "latitude": ("Muster changed the sign of the latitudes.", (1.0, -1.0)),
    "longitude": ("Muster changed the sign of the longitudes.", (-1.0, 1.0)),
    "signs": ("Muster changed both signs.", (-1.0, -1.0)),
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
        """The features that repairs made larger, and by how much, by feature number."""
        self._loss: dict[int, str] = {}
        """The features that repairs made smaller or removed, and by how much, by feature number."""
        self._unresolved: set[int] = set()
        """The numbers of the features whose rings someone still has to decide about."""

    def repair_all(self, *, missing: Collection[str], crs: str) -> None:
        """Find all problems and repair those requested. `crs` is the coordinate system that the user chose, or ""."""
        self._parts(missing)
        self._system(missing, crs)
        self._features("empty", is_empty(self.layer.shapes), "{have} no geometry.", "without a geometry", self.drop)
        broken, zero = "a position that is not a number", "a position at 0, 0"
        wrong = ~is_finite(self.layer.shapes)
        self._features("broken", wrong, f"{{have}} {broken}.", f"with {broken}", self.drop, blocks=True)
        wrong = _at_zero(self.layer.shapes)
        self._features("zero", wrong, f"{{have}} {zero}.", f"with {zero}", self.drop, blocks=True)
        self.layer_before_repairs = self.layer
        self._swapped()
        self._signs()
        self._dimensions()
        if not any(each.code == "prj" and each.blocks for each in self.findings):
            self._outside_holes()
            self._overlaps()
            self._out_of_range()
        self._antimeridian()
        self._crossings()
        self._consent_to_changes()

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
        problem: str,
        done: str,
        repair: Callable[[Any], None],
        *,
        blocks: bool = False,
        is_wide: bool = False,
    ) -> None:
        """Find the features of a mask, and repair them on request.

        `problem` is a sentence that begins with the number of features, `done` what a repair did, with their number.
        `is_wide` says that the features are drawn the long way around the Earth.
        """
        if not wrong.any():
            return
        names, count = self._names(wrong), int(np.count_nonzero(wrong))
        if not self._add(code, _sentence(problem, count), wrong=wrong, blocks=blocks):
            return
        before, labels, numbers = self.layer.shapes[wrong], self._labels(wrong, all_of_them=True), self._numbers[wrong]
        repair(wrong)
        if repair == self.drop:
            is_area = shapely.get_dimensions(before) == 2
            self._loss |= {
                number: f"all of {label}"
                for number, label, lost in zip(numbers.tolist(), labels, is_area, strict=True)
                if lost
            }
            self._report(f"Removed {_sentence('{features}', count)} {done}: {names}.")
        else:
            self._report(f"{_sentence(done, count)}: {names}.")
            self._compare(_narrow_all(before) if is_wide else before, wrong)

    def _decide(
        self, code: str, wrong: Any, problem: str, choices: Mapping[str, tuple[str, str, Callable[[Any], Any]]]
    ) -> None:
        """Find the features of a mask, whose rings can be read in several ways, and repair them in the selected one.

        `choices` has, by code, a label, what the repair did, and the repair of one shape.
        """
        if not wrong.any():
            return
        before = self.layer.shapes.copy()
        before[wrong] = _narrow_all(before[wrong])
        results: dict[str, Shapes] = {}
        labels = {}
        for choice, (label, _, repair) in choices.items():
            results[choice] = before.copy()
            results[choice][wrong] = [repair(each) for each in before[wrong]]
            labels[choice] = f"{label}: {_format_area(_drawn_meters(results[choice][wrong]).sum())}"
        chosen = next((each for each in choices if each in self._codes), "")
        numbers = self._numbers[wrong].tolist()
        features = tuple(numbers[:NUMBERED])
        finding = Finding(code, problem, len(numbers), features, not chosen, bool(chosen), labels, chosen)
        self.findings.append(finding)
        if chosen:
            self.layer = Layer(results[chosen], self.layer.columns, self.layer.crs)
            self._report(choices[chosen][1])
            self._compare(before[wrong], wrong)
        else:
            self._unresolved.update(numbers)

    def _report(self, message: str) -> None:
        """Say in the last finding what its repair did."""
        self.findings[-1] = replace(self.findings[-1], message=message)

    def _compare(self, before: Shapes, wrong: Any) -> None:
        """Add the parts and the area before and after the last repair to its finding, and note what grew or shrank."""
        after = self.layer.shapes[wrong]
        meters_before, meters_after = _drawn_meters(before), _drawn_meters(after)
        sentences = [self.findings[-1].message]
        for noun, old, new in zip(("Areas", "Holes"), _sum_rings(before), _sum_rings(after), strict=True):
            if old != new:
                sentences.append(f"{noun}: {old:,} before, {new:,} after.")
        sentences.append(f"Area: {_format_area(meters_before.sum())} before, {_format_area(meters_after.sum())} after.")
        self._report(" ".join(sentences))
        labels = self._labels(wrong, all_of_them=True)
        for number, label, old, new in zip(
            self._numbers[wrong].tolist(), labels, meters_before, meters_after, strict=True
        ):
            share = f" ({abs(new / old - 1):.1%})" if old else ""
            if new > old * _MOST_GROWTH + 1:
                self._growth[number] = f"{label} by {_format_area(new - old)}{share}"
            if old > new * _MOST_GROWTH + 1:
                self._loss[number] = f"{_format_area(old - new)}{share} of {label}" if new else f"all of {label}"

    def _consent_to_changes(self) -> None:
        for code, changes, message in (
            ("growth", self._growth, "Repairs make {} larger: {}."),
            ("loss", self._loss, "Repairs remove area from {}: {}."),
        ):
            if changes:
                is_accepted = code in self._codes
                message = message.format(_sentence("{features}", len(changes)), _list_first(list(changes.values())))
                features = tuple(changes)[:NUMBERED]
                self.findings.append(Finding(code, message, len(changes), features, not is_accepted, is_accepted))

    def _names(self, which: Any) -> str:
        return _list_first(self._labels(which), int(np.count_nonzero(which)))

    def _labels(self, which: Any, *, all_of_them: bool = False) -> list[str]:
        """Return the names of the first features of a mask, or their numbers."""
        names = next((values for name, values in self.layer.columns.items() if name.lower() == NAME), None)
        return [
            f"“{names[place]}”" if names is not None and names[place] is not None else f"feature {self._numbers[place]}"
            for place in np.flatnonzero(which)[: None if all_of_them else _NAMED]
        ]

    def _parts(self, missing: Collection[str]) -> None:
        lacking = [part for part in (".shx", ".dbf") if part in missing]
        if lacking:
            verb = "is" if len(lacking) == 1 else "are"
            missing_parts = f"{' and '.join(lacking)} {verb} missing"
            if self._add("parts", f"{missing_parts}. The service rejects a shapefile without all parts.", blocks=True):
                self._report(f"Added the missing {' and '.join(lacking)}.")

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
            what = "The .prj is missing." if ".prj" in missing else "The file does not name a coordinate system."
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
            message = f"{what} {'Select' if choices else 'Enter'} the coordinate system."
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
                self._report(f"{message} Muster swapped them back." if certain else chosen)
                turned = shapely.transform(shapes, lambda positions: positions[:, ::-1])
                self.layer = Layer(turned, self.layer.columns, self.layer.crs)

    def _signs(self) -> None:
        """Change signs only on request: the file does not tell in which country the shapes should lie."""
        for code, (message, signs) in _SIGNS.items():
            if code in self._codes and self._add(code, message):
                turned = shapely.transform(self.layer.shapes, lambda positions, signs=signs: positions * signs)
                self.layer = Layer(turned, self.layer.columns, self.layer.crs)

    def _out_of_range(self) -> None:
        west, south, east, north = shapely.bounds(self.layer.shapes).T
        with np.errstate(invalid="ignore"):
            beyond = (west < -180 - _NEAR) | (east > 180 + _NEAR) | (south < -90 - _NEAR) | (north > 90 + _NEAR)
            # Longitudes from 0 to 360, or continued beyond the 180th meridian.
            around = beyond & (south >= -90 - _NEAR) & (north <= 90 + _NEAR) & (east - west <= 360)
            around &= (west >= -540) & (west < 360) & (east > -360) & (east <= 540)
            around &= shapely.get_dimensions(self.layer.shapes) == 2
        if not any(each.code == "swapped" and each.blocks for each in self.findings):
            cut = partial(self._cut, cut=_wrap_longitudes)
            message = "{have} longitudes beyond 180 degrees."
            done = "Converted the longitudes of {features} to -180 to 180"
            self._features("longitudes", around, message, done, cut, blocks=True)
            beyond &= ~around
            place = "outside of -180 to 180 and -90 to 90 degrees"
            self._features("beyond", beyond, f"{{lie}} {place}.", place, self.drop, blocks=True)

    def _dimensions(self) -> None:
        dimensions = shapely.get_dimensions(self.layer.shapes)
        others = (dimensions < 2) & ~is_empty(self.layer.shapes)
        if others.any() and (dimensions >= 2).any():
            counts = Counter("point" if each == 0 else "line" for each in dimensions[others])
            found = " and ".join(f"{number:,} {kind}{'s' * (number != 1)}" for kind, number in sorted(counts.items()))
            if self._add("others", f"{found} where areas are expected.", wrong=others):
                self._report(f"Removed {found}.")
                self.drop(others)
        elif others.any():
            self.findings.append(Finding("no_area", "The file has no areas, only points or lines."))
        mixed = shapely.get_type_id(self.layer.shapes) == 7
        message, done = "{have} areas together with points or lines.", "Kept only the areas of {features}"
        self._features("collections", mixed, message, done, partial(self._cut, cut=areas_of))

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
        message, done = "{cross} the 180th meridian the long way around.", "Cut {features} at the 180th meridian"
        self._features("antimeridian", wide, message, done, partial(self._cut, cut=_cut_at_date_line), is_wide=True)
        # Drawn the long way around, a sound area seems to cross or enclose others.
        self._unresolved.update(self._numbers[wide].tolist() if "antimeridian" not in self._codes else ())

    def _cut(self, which: Any, cut: Callable[[Any], Any]) -> None:
        shapes = self.layer.shapes.copy()
        shapes[which] = [cut(each) for each in shapes[which]]
        self.layer = Layer(shapes, self.layer.columns, self.layer.crs)

    def _outside_holes(self) -> None:
        wrong = _find_invalid_areas(self.layer.shapes)
        split = [split_outside_holes(each) for each in _narrow_all(self.layer.shapes[wrong])]
        wrong[wrong] = [len(holes) > 0 for _, holes in split]
        split = [each for each in split if each[1]]
        are_in_areas = {share_area(merge_overlaps(area), hole) for area, holes in split for hole in holes}
        is_one = sum(len(holes) for _, holes in split) == 1
        what = "a hole outside its area" if is_one else "holes outside their area"
        listed = self._list_parts(wrong, [holes for _, holes in split])
        if are_in_areas == {True}:
            keep = "Keep as a hole of the area around it" if is_one else "Keep as holes of the areas around them"
        elif are_in_areas == {True, False}:
            keep = "Keep as separate areas, and as holes of areas around them"
        else:
            keep = "Keep as a separate area" if is_one else "Keep as separate areas"
        problem = _sentence(f"{{have}} {what}", int(np.count_nonzero(wrong)))
        self._decide(
            "holes",
            wrong,
            f"{problem}: {listed}. {keep}, or remove {'it' if is_one else 'them'}.",
            {
                "hole_areas": (keep, f"{keep.replace('Keep', 'Kept', 1)}: {listed}.", keep_outside_holes),
                "holes": ("Remove", f"Removed {what}: {listed}.", drop_outside_holes),
            },
        )

    def _overlaps(self) -> None:
        wrong = _find_invalid_areas(self.layer.shapes) & ~np.isin(self._numbers, list(self._unresolved))
        overlaps = [find_overlaps(each) for each in _narrow_all(self.layer.shapes[wrong])]
        wrong[wrong] = [len(each) > 0 for each in overlaps]
        listed = self._list_parts(wrong, [each for each in overlaps if each])
        problem = _sentence("{have} nested or overlapping areas", int(np.count_nonzero(wrong)))
        self._decide(
            "overlaps",
            wrong,
            f"{problem}: {listed}. Merge the areas, or make holes where they overlap.",
            {
                "merge": ("Merge", f"Merged areas that overlapped: {listed}.", merge_overlaps),
                "cut": ("Make holes", f"Made holes where areas overlapped: {listed}.", cut_overlaps),
            },
        )

    def _list_parts(self, which: Any, parts: Sequence[Sequence[Any]]) -> str:
        """Return the first parts of the features of a mask, each with its feature, size, and position."""
        texts = []
        for label, of_feature in zip(self._labels(which), parts, strict=False):
            for part in of_feature[:_NAMED]:
                at = shapely.point_on_surface(part)
                size = _format_area(square_meters(np.array([part], dtype=object))[0])
                texts.append(f"{label}, {size} at {_degrees(at.y, 'S', 'N')}, {_degrees(at.x, 'W', 'E')}")
        return _list_first(texts, sum(map(len, parts)), separator="; ")

    def _crossings(self) -> None:
        invalid = ~shapely.is_valid(self.layer.shapes) & ~shapely.is_missing(self.layer.shapes)
        invalid &= ~np.isin(self._numbers, list(self._unresolved))
        if not invalid.any() or not is_finite(self.layer.shapes).all():
            return
        counts = Counter(_reason(each) for each in shapely.is_valid_reason(self.layer.shapes[invalid][:500]))
        reasons = ", ".join(reason for reason, _ in counts.most_common(3))
        done = f"Repaired {{features}} ({reasons})"
        self._features("invalid", invalid, f"{{are}} not valid: {reasons}.", done, partial(self._cut, cut=repair_shape))


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


def _find_invalid_areas(shapes: Shapes) -> Any:
    """Return a mask."""
    return ~shapely.is_valid(shapes) & (shapely.get_dimensions(shapes) == 2) & is_finite(shapes)


def _turn_east(shape: Any) -> Any:
    """Return a shape with longitudes from 0 to 360."""
    return shapely.transform(
        shape, lambda at: np.column_stack([np.where(at[:, 0] < 0, at[:, 0] + 360, at[:, 0]), at[:, 1]])
    )


def _narrow_all(shapes: Shapes) -> Shapes:
    return np.array([_narrow(each) for each in shapes], dtype=object)


def _narrow(shape: Any) -> Any:
    """Return a shape that is drawn the long way around the Earth with the edges that it means."""
    west, _, east, _ = shapely.bounds(shape)
    if not (-180 - _NEAR <= west < east - 180 <= _NEAR):
        return shape
    turned = _turn_east(shape)
    west, _, east, _ = shapely.bounds(turned)
    return turned if east - west <= 180 else shape


def _cut_at_date_line(shape: Any) -> Any:
    """Cut an area that spans the long way around at the 180th meridian; None if that does not repair it."""
    turned = _turn_east(shape)
    west, _, east, _ = shapely.bounds(turned)
    if east - west > 180 or not shapely.is_valid(turned):
        return None
    left = shapely.intersection(turned, shapely.box(0, -90, 180, 90))
    right = shapely.intersection(turned, shapely.box(180, -90, 360, 90))
    right = shapely.transform(right, lambda at: at - [360.0, 0.0])
    return areas_of(shapely.geometrycollections([left, right]))


def _wrap_longitudes(shape: Any) -> Any:
    """Cut an area with longitudes beyond 180 at the 180th meridian, with each part within -180 to 180."""
    sound = repair_shape(shape)
    parts = []
    for turn in (-360.0, 0.0, 360.0):
        part = shapely.intersection(sound, shapely.box(turn - 180, -90, turn + 180, 90))
        parts.append(shapely.transform(part, lambda at, turn=turn: at - [turn, 0.0]))
    return areas_of(shapely.geometrycollections(parts))


def _drawn_meters(shapes: Shapes) -> Any:
    """Return the size of what each area covers, even if it is not valid."""
    return square_meters(np.array([drawn_area(each) for each in shapes], dtype=object))


def _sum_rings(shapes: Shapes) -> tuple[int, int]:
    """Return the number of areas and of holes in some shapes."""
    areas, holes = zip(*map(count_rings, shapes), strict=True)
    return sum(areas), sum(holes)


def _sentence(text: str, count: int) -> str:
    """Fill in the number of features, with a verb that agrees."""
    features = f"{count:,} {'feature' if count == 1 else 'features'}"
    verbs = {"have": "has", "are": "is", "lie": "lies", "cross": "crosses"}
    inserts = {plural: f"{features} {singular if count == 1 else plural}" for plural, singular in verbs.items()}
    return text.format(features=features, **inserts)


def _list_first(texts: Sequence[str], count: int = 0, separator: str = ", ") -> str:
    """List the first of some texts, and the number of the others; `count` is the number of all if it is larger."""
    others = max(count, len(texts)) - len(texts[:_NAMED])
    return separator.join(texts[:_NAMED]) + (f"{separator}and {others:,} more" if others > 0 else "")


def _format_area(meters: float) -> str:
    return f"{meters / 1e6:,.1f} km²" if meters >= 1e6 else f"{meters:,.0f} m²"


def _degrees(value: float, below: str, above: str) -> str:
    return f"{abs(value):.3f}° {below if value < 0 else above}"


def _lies_within(shapes: Shapes, x: float, y: float) -> bool:
    west, south, east, north = extent_of(shapes)
    return bool(
        np.isnan(west) or (west >= -x - _NEAR and east <= x + _NEAR and south >= -y - _NEAR and north <= y + _NEAR)
    )


def _reason(geos_reason: str) -> str:
    words = geos_reason.partition("[")[0].strip()
    return {"Self-intersection": "crosses itself", "Ring Self-intersection": "touches itself"}.get(words, words.lower())
