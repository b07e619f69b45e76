"""What is said of a shape before it is sent: what is in it, what repairs it, what it would lose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from client.vocabulary.limits import MEGABYTE, SHAPE_FILE_BYTES
from domain.geography.place_conflicts import FIX_LABELS
from domain.maps.map_shape import Shape
from domain.text.plain_text import count
from shapes.findings import Loss
from shapes.preparing import FORMATS, Prepared, PrepareOptions, ShapeFile

MENDS: Final = {
    "parts": "Add the missing parts",
    "system": "Convert to degrees (WGS 84)",
    "empty": "Leave out empty features",
    "broken": "Leave out broken features",
    "zero": "Leave out features at 0, 0",
    "swapped": FIX_LABELS["swap"],
    "latitude": FIX_LABELS["latitude"],
    "longitude": FIX_LABELS["longitude"],
    "signs": FIX_LABELS["signs"],
    "longitudes": "Convert longitudes to -180 to 180",
    "beyond": "Leave out features outside the earth",
    "others": "Leave out lines and points",
    "collections": "Keep the areas only",
    "antimeridian": "Cut at the 180th meridian",
    "invalid": "Repair",
}
REPAIRS: Final = frozenset(
    {"parts", "swapped", "latitude", "longitude", "signs", "longitudes", "antimeridian", "invalid"}
)
"""What can be repaired without leaving features out."""
KINDS: Final = {".zip": "Zipped shapefile", ".kml": "KML"}
_AS: Final = {".zip": "a zipped shapefile", ".kml": "KML"}
_SORTS: Final = {
    "areas": ("area", "areas"),
    "lines": ("line", "lines"),
    "points": ("point", "points"),
    "nothing": ("feature without geometry", "features without geometry"),
}


def first_wishes(file: ShapeFile) -> PrepareOptions:
    """What a file is sent as, where nothing was wished yet: what it is, or else a zipped shapefile."""
    return PrepareOptions(file.ending if file.ending in SHAPE_FILE_BYTES else ".zip")


def megabytes(size: int) -> str:
    """A size as people read it."""
    return f"{size / MEGABYTE:,.2f} MB" if size > MEGABYTE // 10 else f"{max(1, round(size / 1024)):,} KB"


def facts_of(file: ShapeFile, seen: Prepared) -> str:
    """What is in a file, in a line."""
    sorts = ", ".join(count(number, *_SORTS[sort]) for sort, number in seen.sorts.items())
    corners = count(seen.vertices, "vertex", "vertices")
    return " · ".join(
        filter(None, [file.name, FORMATS[file.ending], sorts, corners, seen.crs or "no coordinate system"])
    )


def extent_of(seen: Prepared) -> str:
    """Where the shapes lie, in degrees."""
    if seen.extent is None:
        return "The location is unknown."
    west, south, east, north = seen.extent
    corners = [f"{_degrees(y, 'S', 'N')}, {_degrees(x, 'W', 'E')}" for x, y in ((west, south), (east, north))]
    return f"From {corners[0]} to {corners[1]}"


def drawn_of(seen: Prepared) -> tuple[list[Shape], list[Shape]]:
    """What the map shows of it, as it was and as it would be; the latter is empty where nothing is made of it."""
    column = next((name for name in seen.columns if name.lower() == "name"), None)
    names = seen.columns[column] if column else ()

    def shape(number: int, geometry: Mapping[str, Any]) -> Shape:
        name = names[number] if number < len(names) else None
        return Shape("" if name is None else str(name), f"Feature {number + 1}", geometry, id=str(number + 1))

    return [shape(*each) for each in seen.preview_before], [shape(*each) for each in seen.preview_after or ()]


def what_is_sent(seen: Prepared, options: PrepareOptions) -> str:
    """What would be sent, in a line."""
    if not seen.files:
        return "Nothing can be sent yet. Fix the errors first."
    size = sum(len(each.content) for each in seen.files)
    limit = megabytes(SHAPE_FILE_BYTES[options.kind])
    if seen.is_too_large:
        return f"{megabytes(size)}. The limit is {limit}."
    if len(seen.files) > 1:
        return f"Will be sent as {len(seen.files)} regions of at most {limit} each."
    if seen.is_unchanged:
        return f"Will be sent unchanged: {megabytes(size)} of {limit} allowed."
    return f"Will be sent as {_AS[options.kind]} in WGS 84: {megabytes(size)} of {limit} allowed."


def loss_words(loss: Loss) -> str:
    """What would be lost, in a line; "" for nothing."""
    if loss.vertices_before == loss.vertices_after and not loss.shift and not loss.parts_removed:
        return ""
    words = [f"{loss.vertices_after:,} of {loss.vertices_before:,} vertices", f"moved at most {_metres(loss.shift)}"]
    if loss.area_before:
        percent = (loss.area_after / loss.area_before - 1) * 100
        words.append(f"area {percent:+.2f} %".replace("-", "−") if abs(percent) >= 0.005 else "area unchanged")
    if loss.parts_removed:
        words.append(f"{count(loss.parts_removed, 'small part or hole', 'small parts and holes')} left out")
    return " · ".join(words)


def region_names(name: str, files: int) -> list[str]:
    """The names of the regions that one file becomes."""
    return [name.strip()] if files == 1 else [f"{name.strip()} {number}" for number in range(1, files + 1)]


def _metres(shift: float) -> str:
    if shift < 1:
        return f"{max(1, round(shift * 100))} cm"
    return f"{shift:,.0f} m" if shift < 10_000 else f"{shift / 1000:,.0f} km"


def _degrees(value: float, below: str, above: str) -> str:
    return f"{abs(value):.3f}° {below if value < 0 else above}"
