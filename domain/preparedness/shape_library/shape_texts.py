"""Texts about a shape before it is sent: its contents, its repairs, and what it would lose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from client.vocabulary.limits import MEGABYTE, SHAPE_FILE_BYTES
from domain.geography.place_conflicts import FIX_LABELS
from domain.maps.map_shape import Shape
from domain.text.plain_text import count, names
from shapes.findings import Loss
from shapes.preparing import FORMATS, Prepared, PrepareOptions, ShapeFile

REPAIR_LABELS: Final = {
    "parts": "Add the missing parts",
    "empty": "Remove empty features",
    "broken": "Remove broken features",
    "zero": "Remove features at 0, 0",
    "swapped": FIX_LABELS["swap"],
    "latitude": FIX_LABELS["latitude"],
    "longitude": FIX_LABELS["longitude"],
    "signs": FIX_LABELS["signs"],
    "longitudes": "Convert longitudes to -180 to 180",
    "beyond": "Remove features outside the valid range of coordinates",
    "others": "Remove lines and points",
    "collections": "Keep the areas only",
    "antimeridian": "Cut at the 180th meridian",
    "invalid": "Repair",
}
CONSENT_LABELS: Final = {
    "growth": "Accept the increase in area",
    "loss": "Accept the loss of area",
    "elsewhere": "Accept this location",
}
"""Errors that a person can accept."""
AREA_CONSENTS: Final = frozenset({"growth", "loss"})
"""Consents to what repairs do to areas."""
CHOICE_LABELS: Final = {"holes": "Holes outside their area", "overlaps": "Overlapping areas"}
"""Problems that can be repaired in several ways."""
SAFE_REPAIRS: Final = frozenset(
    {"parts", "swapped", "latitude", "longitude", "signs", "longitudes", "antimeridian", "invalid"}
)
"""Repairs that leave no features out."""
MAX_NAMED: Final = 8
"""The maximum number of files that are named in a list."""
FORMAT_LABELS: Final = {".zip": "Zipped shapefile", ".kml": "KML"}
_FORMAT_NAMES: Final = {".zip": "a zipped shapefile", ".kml": "KML"}
_SORTS: Final = {
    "areas": ("area", "areas"),
    "lines": ("line", "lines"),
    "points": ("point", "points"),
    "nothing": ("feature without geometry", "features without geometry"),
}


def default_options(file: ShapeFile) -> PrepareOptions:
    """Return the initial options: the file's own format if it can be sent, otherwise a zipped shapefile."""
    return PrepareOptions(file.ending if file.ending in SHAPE_FILE_BYTES else ".zip")


def megabytes(size: int) -> str:
    """Write a size: "12 KB", "1.50 MB"."""
    return f"{size / MEGABYTE:,.2f} MB" if size > MEGABYTE // 10 else f"{max(1, round(size / 1024)):,} KB"


def describe_file(file: ShapeFile, prepared: Prepared) -> str:
    """Describe the contents of a file in one line."""
    sorts = ", ".join(count(number, *_SORTS[sort]) for sort, number in prepared.sorts.items())
    corners = count(prepared.vertices, "vertex", "vertices")
    return " · ".join(
        filter(None, [file.name, FORMATS[file.ending], sorts, corners, prepared.crs or "no coordinate system"])
    )


def describe_extent(prepared: Prepared) -> str:
    """Describe the extent of the shapes in degrees."""
    if prepared.extent is None:
        return "The location is unknown."
    west, south, east, north = prepared.extent
    corners = [f"{_degrees(y, 'S', 'N')}, {_degrees(x, 'W', 'E')}" for x, y in ((west, south), (east, north))]
    return f"From {corners[0]} to {corners[1]}"


def build_map_shapes(prepared: Prepared) -> tuple[list[Shape], list[Shape]]:
    """Return the shapes for the map: the original ones and those to send, which are empty if nothing can be sent."""
    column = next((name for name in prepared.columns if name.lower() == "name"), None)
    labels = prepared.columns[column] if column else ()

    def shape(number: int, geometry: Mapping[str, Any]) -> Shape:
        name = labels[number] if number < len(labels) else None
        return Shape("" if name is None else str(name), f"Feature {number + 1}", geometry, id=str(number + 1))

    return [shape(*each) for each in prepared.preview_before], [shape(*each) for each in prepared.preview_after or ()]


def describe_sending(prepared: Prepared, options: PrepareOptions) -> str:
    """Describe what would be sent in one line."""
    if not prepared.files:
        return "Nothing can be sent yet. Fix the errors first."
    size = sum(len(each.content) for each in prepared.files)
    limit = megabytes(SHAPE_FILE_BYTES[options.kind])
    if prepared.is_too_large:
        return f"{megabytes(size)}. The limit is {limit}."
    if len(prepared.files) > 1:
        return f"Will be sent as {len(prepared.files)} regions of at most {limit} each."
    if prepared.is_unchanged:
        return f"Will be sent unchanged: {megabytes(size)} of {limit} allowed."
    return f"Will be sent as {_FORMAT_NAMES[options.kind]} in WGS 84: {megabytes(size)} of {limit} allowed."


def describe_conversions(files: Iterable[tuple[str, Prepared]]) -> str:
    """Name the files that will be converted to WGS 84, with their coordinate systems; "" for none."""
    converted = [
        f"{name} ({prepared.crs})"
        for name, prepared in files
        if any(finding.code == "system" for finding in prepared.findings)
    ]
    if not converted:
        return ""
    verb = "is" if len(converted) == 1 else "are"
    return (
        f"{count(len(converted), 'file', 'files')} {verb} converted to WGS 84: {names(converted, at_most=MAX_NAMED)}."
    )


def describe_loss(loss: Loss) -> str:
    """Describe what would be lost in one line; "" for nothing."""
    if loss.vertices_before == loss.vertices_after and not loss.shift and not loss.parts_removed:
        return ""
    parts = [f"{loss.vertices_after:,} of {loss.vertices_before:,} vertices", f"moved at most {_meters(loss.shift)}"]
    if loss.area_before:
        percent = (loss.area_after / loss.area_before - 1) * 100
        parts.append(f"area {percent:+.2f}%".replace("-", "−") if abs(percent) >= 0.005 else "area unchanged")
    if loss.parts_removed:
        parts.append(f"{count(loss.parts_removed, 'small part or hole', 'small parts and holes')} removed")
    return " · ".join(parts)


def region_names(name: str, files: int) -> list[str]:
    """Return the names of the regions of one file."""
    return [name.strip()] if files == 1 else [f"{name.strip()} {number}" for number in range(1, files + 1)]


def _meters(shift: float) -> str:
    if shift < 1:
        return f"{max(1, round(shift * 100))} cm"
    return f"{shift:,.0f} m" if shift < 10_000 else f"{shift / 1000:,.0f} km"


def _degrees(value: float, below: str, above: str) -> str:
    return f"{abs(value):.3f}° {below if value < 0 else above}"
