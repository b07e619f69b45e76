"""An area as a file gives it: named parts of which some count, and what was left out, changed, or is doubtful.

file = read_area_file("storm.geojson", content)
file.select()                      # the parts that count unless someone chooses
file.select(file.find("Poly_Red"))
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from domain.alerts.cap.alert_state import read_moment
from domain.incidents.area import Area, AreaError, Part, Shape, part_feature, parts_of_feature
from domain.incidents.swapped import looks_swapped, swap, swapped_note
from domain.text.plain_text import names
from shapes.polygon_repairs import square_meters

NO_PART: Final = "No part of the file is selected. Select at least one."
DIFFERENT_KINDS: Final = "The parts are of different kinds. Select those to include."
_NAMED: Final = 6


@dataclass(frozen=True)
class FilePart:
    """A part of a file that counts as a whole or not at all."""

    label: str
    kind: str
    """What tells it from parts with the same name: "Poly_Red", "Tornado Warning · Immediate, Extreme"."""

    shapes: tuple[Part, ...]
    names: tuple[str, ...] = ()
    """Further texts by which it can be chosen."""

    is_preselected: bool = True

    group: str = ""
    """What kind of thing it is among the parts of its file: parts of one group count together."""

    begins: datetime | None = None
    """When an alert for this part begins, in UTC; None if the file does not say."""

    ends: datetime | None = None
    """When it ends."""

    @property
    def title(self) -> str:
        """Return the name with the kind: "120 km/h (Poly_Red)"."""
        return f"{self.label} ({self.kind})" if self.kind else self.label

    @cached_property
    def geometry(self) -> BaseGeometry:
        """Return all shapes as one geometry."""
        return shapely.union_all([each.geometry for each in self.shapes])

    @cached_property
    def square_kilometers(self) -> float:
        """Return the size of the part on the ellipsoid."""
        return float(square_meters(np.array([self.geometry]))[0]) / 1e6

    def is_called(self, name: str) -> bool:
        """Return whether a person means this part by a name."""
        return name.strip().casefold() in {each.casefold() for each in (self.label, self.kind, self.title, *self.names)}


@dataclass(frozen=True)
class AreaFile:
    """The parts of a file, and the findings about it, one sentence each."""

    name: str
    parts: tuple[FilePart, ...]
    notes: tuple[str, ...] = ()

    @property
    def preselected(self) -> list[int]:
        """Return the numbers of the parts that count unless someone chooses, from 1."""
        return [number for number, part in enumerate(self.parts, 1) if part.is_preselected]

    @property
    def has_different_kinds(self) -> bool:
        """Return whether the parts should not count together unless someone chooses them, as a zone and a forecast."""
        return len({part.group for part in self.parts}) > 1

    @property
    def looks_swapped(self) -> bool:
        """Return whether a part is on land only if latitude and longitude are swapped."""
        return looks_swapped(self.notes)

    def swap(self) -> AreaFile:
        """Return the file with latitude and longitude exchanged where a part is on land only then."""
        parts, swapped = [], []
        for part in self.parts:
            if swapped_note(part.label, [each.geometry for each in part.shapes]):
                shapes = tuple(Shape(swap(each.geometry), each.label) for each in part.shapes)
                swapped.append(part)
                parts.append(replace(part, shapes=shapes))
            else:
                parts.append(part)
        notes = [note for note in self.notes if not looks_swapped([note])]
        return replace(
            self, parts=tuple(parts), notes=(*notes, f"Latitude and longitude are swapped in {_titles(swapped)}.")
        )

    def find(self, name: str) -> list[int]:
        """Return the numbers of the parts with a name."""
        return [number for number, part in enumerate(self.parts, 1) if part.is_called(name)]

    def select(self, numbers: Collection[int] | None = None) -> Area:
        """Return the area of these parts, with a note on which parts count. Raises `AreaError` if there is none."""
        chosen = set(self.preselected if numbers is None else numbers)
        counted = [part for number, part in enumerate(self.parts, 1) if number in chosen]
        rest = [part for number, part in enumerate(self.parts, 1) if number not in chosen]
        if not counted:
            raise AreaError(NO_PART)
        notes = list(self.notes)
        if len(self.parts) > 1:
            whole = "Both" if len(self.parts) == 2 else f"All {len(self.parts):,}"
            share = f"{len(counted):,} of {len(self.parts):,}" if rest else whole
            verb = "counts" if len(counted) == 1 else "count"
            notes.append(f"{share} parts of “{self.name}” {verb}: {_titles(counted)}.")
        if rest:
            notes.append(f"Not counted: {_titles(rest)}.")
        return Area(tuple(shape for part in counted for shape in part.shapes), tuple(notes))

    def to_geojson(self) -> dict[str, Any]:
        """Return a FeatureCollection that `from_geojson` reads: one feature per shape."""
        return {
            "type": "FeatureCollection",
            "name": self.name,
            "notes": list(self.notes),
            "features": [
                part_feature(
                    shape,
                    title=part.label,
                    about=part.kind,
                    counts=part.is_preselected,
                    group=part.group,
                    begins=part.begins.isoformat() if part.begins else "",
                    ends=part.ends.isoformat() if part.ends else "",
                )
                for part in self.parts
                for shape in part.shapes
            ],
        }

    @classmethod
    def from_geojson(cls, collection: Mapping[str, Any]) -> AreaFile:
        """Read the result of `to_geojson`, or that of `Area.to_geojson`. Raises `AreaError`."""
        parts = []
        for feature in collection["features"]:
            about = feature["properties"]
            shapes = tuple(parts_of_feature(feature))
            label = str(about.get("title") or about.get("label") or "Area")
            counts, group = bool(about.get("counts", True)), str(about.get("group") or "")
            begins, ends = (read_moment(str(about.get(side) or "")) for side in ("begins", "ends"))
            parts.append(FilePart(label, str(about.get("about") or ""), shapes, (), counts, group, begins, ends))
        return cls(str(collection.get("name") or "file"), merge_parts(parts), tuple(collection.get("notes") or ()))


def merge_parts(parts: Collection[FilePart]) -> tuple[FilePart, ...]:
    """Join parts with the same name and kind, because no one can tell them apart."""
    merged: dict[tuple[str, str, bool], FilePart] = {}
    for part in parts:
        key = (part.label, part.kind, part.is_preselected)
        first = merged.get(key)
        if first is None:
            merged[key] = part
        else:
            both = tuple(dict.fromkeys((*first.names, *part.names)))
            begins, ends = join_periods([first, part])
            shapes = (*first.shapes, *part.shapes)
            merged[key] = replace(first, shapes=shapes, names=both, begins=begins, ends=ends)
    return tuple(merged.values())


def join_periods(parts: Collection[FilePart]) -> tuple[datetime | None, datetime | None]:
    """Return the first beginning and the last end that the parts have."""
    return (
        min((part.begins for part in parts if part.begins is not None), default=None),
        max((part.ends for part in parts if part.ends is not None), default=None),
    )


def _titles(parts: Collection[FilePart]) -> str:
    return names([part.title for part in parts], at_most=_NAMED)
