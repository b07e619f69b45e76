"""Features read from any format: geometries, and attributes as clean columns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import shapely

from shapes.encodings import ENCODINGS, detect, previews
from shapes.findings import Finding
from shapes.systems import WGS84

NAME: Final = "name"
FOLDER: Final = "folder"
LONGEST_VALUE: Final = 2_000
CODE_COLUMNS: Final = frozenset({"geocode", "same", "ugc", "fips", "fips6", "affectedzones"})
"""Columns with lists of codes in lower case. A list that is cut would lose counties."""
LONGEST_CODES: Final = 100_000
MOST_COLUMNS: Final = 100
# Control characters and half surrogate pairs: neither a table nor XML accepts them.
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# The columns that LIBKML adds to every file, with the values that mean nothing.
_OF_LIBKML: Final[dict[str, set[Any]]] = {
    "altitudeMode": {None, ""},
    "drawOrder": {None},
    "extrude": {None, -1, 0},
    "tessellate": {None, -1, 0, 1},
    "visibility": {None, -1, 0, 1},
}

Shapes = np.ndarray[Any, np.dtype[np.object_]]


class ShapeProblemError(Exception):
    """A file that cannot be read; the message says why."""


@dataclass
class Layer:
    """Features of one file."""

    shapes: Shapes
    """The geometries; None for a feature without one."""

    columns: dict[str, list[Any]] = field(default_factory=dict)
    """The attributes: one value per feature in each."""

    crs: str = WGS84
    """The coordinate system as the file names it; "" if it names none."""

    def only(self, selection: Any) -> Layer:
        """Return the features of a mask or a list of indexes."""
        places = np.arange(len(self.shapes))[selection]
        columns = {name: [values[place] for place in places] for name, values in self.columns.items()}
        return Layer(self.shapes[places], columns, self.crs)


@dataclass
class ReadOptions:
    """How to read a file."""

    encoding: str = ""
    """The encoding that the user chose; "" to detect it."""

    findings: list[Finding] | None = None
    """Receives what was changed while reading. If None, a file that can only be read in part is refused."""

    def note_change(self, code: str, message: str, number: int = 1, **more: Any) -> None:
        """Note that what is sent differs from the file."""
        if self.findings is not None:
            self.findings.append(Finding(code, message, number, is_repaired=True, **more))

    def choose_encoding(self, texts: Sequence[bytes], declared: str) -> str:
        """Return the encoding of texts; note it, with a preview of others, where the file doesn't declare it."""
        found = detect(texts, declared)
        name = self.encoding or found.name
        if name != found.name or not found.is_declared:
            label = ENCODINGS[name].partition(" (")[0]
            names = (
                f"The file declares {ENCODINGS[declared].partition(' (')[0]}." if declared else "No encoding is named."
            )
            is_guess = not found.is_certain and not self.encoding
            check = " Check that the text below is right." if is_guess else ""
            message = f"{names} The text is read as {label} and sent as UTF-8.{check}"
            code = "guessed_encoding" if is_guess else "encoding"
            self.note_change(code, message, choices=previews(texts), choice=name)
        return name


def check_size(features: int, positions: int, *, most_features: int, most_positions: int) -> None:
    """Raise `ShapeProblemError` for more features or vertices than are read."""
    for number, most, noun in ((features, most_features, "features"), (positions, most_positions, "vertices")):
        if number > most:
            raise ShapeProblemError(
                f"The file has too many {noun}. Muster reads at most {most:,}. Simplify or split the file."
            )


def extent_of(shapes: Shapes) -> Any:
    """Return west, south, east, and north of all shapes; NaN if there is no position."""
    return shapely.total_bounds(shapes) if len(shapes) else np.full(4, np.nan)


def is_empty(shapes: Shapes) -> Any:
    """Return a mask of the shapes without any position."""
    return shapely.is_missing(shapes) | shapely.is_empty(shapes)


def exceed_degrees(shapes: Shapes) -> bool:
    """Return whether no shape can be in degrees, even where longitudes continue around the Earth."""
    with np.errstate(invalid="ignore"):
        farthest = np.abs(shapely.bounds(shapes)).max(axis=1)
        return bool((farthest > 720).any() and not (farthest <= 720).any())


def is_finite(shapes: Shapes) -> Any:
    """Return a mask of the shapes whose positions are all finite numbers; true for shapes without positions."""
    positions, owners = shapely.get_coordinates(shapes, return_index=True)
    finite = np.ones(len(shapes), dtype=bool)
    finite[owners[~np.isfinite(positions).all(axis=1)]] = False
    return finite


def clean_value(value: Any, *, longest: int = LONGEST_VALUE) -> Any:
    """Return a value for a table or XML: a number, a text without control characters, or None if empty."""
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, int | np.integer):
        return int(value)
    if value is None or (isinstance(value, np.datetime64) and np.isnat(value)):
        return None
    if isinstance(value, bytes | memoryview):
        return f"{len(value)} bytes"
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
    return _CONTROL.sub(" ", text)[:longest].strip() or None


def clean_columns(columns_read: Iterable[tuple[Any, Iterable[Any]]]) -> dict[str, list[Any]]:
    """Return clean values by column label, without empty columns."""
    columns: dict[str, list[Any]] = {}
    for heading, values in columns_read:
        heading = str(heading)
        longest = LONGEST_CODES if heading.lower() in CODE_COLUMNS else LONGEST_VALUE
        column = [clean_value(value, longest=longest) for value in values]
        if heading in _OF_LIBKML and set(column) <= _OF_LIBKML[heading]:
            continue
        if all(value is None for value in column):
            continue
        label = NAME if heading == "Name" else clean_text(heading) or f"column {len(columns) + 1}"
        if len(columns) < MOST_COLUMNS:
            columns.setdefault(label, column)
    return columns


def clean_text(value: Any) -> str:
    """Return a value as one line of text."""
    return str(clean_value(str(value)) or "")
