"""A shape file before it is sent: what is in it, what is wrong with it, and the file that is to be sent instead.

Everything is worked out anew from the file and what is wished, in a process of its own: nothing of it is kept there.
"""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal

from shapes.apart import UnreadableShapeError, run_apart
from shapes.archives import NESTED, PARTS, ArchiveError, unpack_members
from shapes.findings import Finding, Loss
from shapes.preparation import REQUEST

SECONDS: Final = 240.0
MOST_BYTES: Final = 40 * 2**20
MOST_UNPACKED_BYTES: Final = 200 * 2**20
AT_ONCE: Final = 2
FORMATS: Final = {
    ".zip": "shapefile",
    ".kml": "KML",
    ".geojson": "GeoJSON",
    ".gpkg": "GeoPackage",
    ".gpx": "GPX",
    ".fgb": "FlatGeobuf",
}
OTHER_ENDINGS: Final = dict.fromkeys(
    (".json", ".topojson", ".geojsonl", ".geojsons", ".geojsonseq", ".ndjson", ".jsonl"), ".geojson"
)
"""Endings of what is read as GeoJSON is."""

SUPPORTED: Final = "Use a zipped shapefile, KML, GeoJSON, or GeoPackage."

_turns = threading.BoundedSemaphore(AT_ONCE)


@dataclass(frozen=True)
class ShapeFile:
    """A file as it was dropped, or the loose parts of one shapefile; `parts` are by their ending."""

    name: str
    ending: str
    parts: Mapping[str, bytes] = field(repr=False)
    content: bytes = field(repr=False, default=b"")
    """The file itself, where it could be sent as it is."""

    @property
    def stem(self) -> str:
        """Its name without the ending, and without that of the archive it comes from."""
        return PurePosixPath(self.name.rpartition(": ")[2]).stem


@dataclass(frozen=True)
class Wishes:
    """What is to be done with a file: findings to mend, by their code, the file to make of it, and how it is to fit.

    `crs` is the coordinate system of a file that names none, `encoding` that of its text, by Python's name. `fit`
    simplifies the shapes until they fit, or splits them into several files; "" leaves them as they are.
    """

    kind: str
    mends: frozenset[str] = frozenset()
    crs: str = ""
    encoding: str = ""
    fit: Literal["", "fit", "split"] = ""


@dataclass(frozen=True)
class Made:
    """One file to send: its content, and how many features are in it."""

    content: bytes = field(repr=False)
    features: int


@dataclass(frozen=True)
class Prepared:
    """A file as it was understood, and what would be sent of it; `files` is empty where something keeps it.

    `extent` is west, south, east, north in degrees, None where that cannot be told. `before` and `after` hold the
    features to draw: the number of each from 0, and its GeoJSON; `after` is None where nothing was made anew.
    `too_large` says that a file is larger than the limit, `no_fit` why simplifying is not enough.
    """

    features: int
    vertices: int
    sorts: Mapping[str, int]
    crs: str
    extent: tuple[float, float, float, float] | None
    columns: Mapping[str, Sequence[Any]] = field(repr=False)
    vertices_of: Sequence[int] = field(repr=False)
    findings: Sequence[Finding]
    before: Sequence[tuple[int, Mapping[str, Any]]] = field(repr=False)
    after: Sequence[tuple[int, Mapping[str, Any]]] | None = field(repr=False)
    files: Sequence[Made]
    loss: Loss | None
    is_as_it_is: bool
    too_large: bool
    no_fit: str


def shape_files(dropped: Sequence[tuple[str, bytes]]) -> tuple[list[ShapeFile], list[str]]:
    """Return the shape files in what was dropped, and why others can't be read, a sentence each.

    Loose parts of a shapefile are put together; archives are unpacked, each shape in one is a file of its own.
    """
    loose: dict[str, dict[str, bytes]] = {}
    found: list[ShapeFile] = []
    problems: list[str] = []
    for name, content in dropped:
        path = PurePosixPath(name.replace("\\", "/"))
        ending = path.suffix.lower()
        problem = ""
        if len(content) > MOST_BYTES:
            problem = f"The file has more than {MOST_BYTES // 2**20} MB."
        elif ending in PARTS:
            loose.setdefault(path.stem, {})[ending] = content
        elif ending in NESTED:
            try:
                found += _files_in(path.name, content)
            except ArchiveError as error:
                problem = str(error)
        elif file := _single(path.name, content):
            found.append(file)
        else:
            problem = f"The format isn't supported. {SUPPORTED}"
        if problem:
            problems.append(f"“{path.name}” cannot be read. {problem}")
    for stem, parts in loose.items():
        if ".shp" in parts:
            found.append(ShapeFile(f"{stem}.shp", ".zip", parts))
        else:
            problems.append(f"“{stem}” has no .shp. Add all parts of the shapefile together.")
    return found, problems


def _single(name: str, content: bytes) -> ShapeFile | None:
    ending = PurePosixPath(name).suffix.lower()
    ending = OTHER_ENDINGS.get(ending, ending)
    if ending not in FORMATS or ending == ".zip":
        return None
    return ShapeFile(name, ending, {ending: content}, content if ending == ".kml" else b"")


def _files_in(name: str, content: bytes) -> list[ShapeFile]:
    """The shapes in an archive: a KMZ has one, an archive of a single shapefile can be sent as it is."""
    endings = {*PARTS, *FORMATS, *OTHER_ENDINGS, *NESTED}
    members = unpack_members(content, endings, most_unpacked_bytes=MOST_UNPACKED_BYTES)
    shapefiles: dict[str, dict[str, bytes]] = {}
    found: list[ShapeFile] = []
    for path, inner in members:
        ending = PurePosixPath(path).suffix.lower()
        if ending in PARTS:
            parts = shapefiles.setdefault(path[: -len(ending)].lower(), {".stem": PurePosixPath(path).stem.encode()})
            parts[ending] = inner
        elif file := _single(PurePosixPath(path).name, inner):
            found.append(file)
    complete = [parts for parts in shapefiles.values() if ".shp" in parts]
    is_plain = len(complete) == 1 and not found and not any(_is_nested(path) for path, _ in members)
    for parts in complete:
        stem = parts.pop(".stem").decode()
        found.append(ShapeFile(f"{stem}.shp", ".zip", parts, content if is_plain else b""))
    if not found:
        reason = ": the .shp is missing." if shapefiles else f". {SUPPORTED}"
        raise ArchiveError(f"The archive holds no shape{reason}")
    if len(found) == 1:
        return [replace(found[0], name=name)]
    return [replace(file, name=f"{name}: {file.name}") for file in found]


def _is_nested(path: str) -> bool:
    return any(part.lower().endswith(NESTED) for part in PurePosixPath(path).parts[:-1])


def prepare(file: ShapeFile, wishes: Wishes, *, limit: int) -> Prepared:
    """Read a file, mend it as wished, and make what is to be sent, `limit` bytes at most. Takes a second and more.

    Raises `UnreadableShapeError` for what is no shape.
    """
    missing = [] if file.ending != ".zip" else sorted({".shx", ".dbf", ".prj"} - set(file.parts))
    as_it_is = len(file.content) if wishes.kind == file.ending and file.content else 0
    inner = ".shp" if file.ending == ".zip" else file.ending
    request = {
        "file": f"region{inner}",
        "missing": missing,
        "mends": sorted(wishes.mends),
        "crs": wishes.crs,
        "encoding": wishes.encoding,
        "kind": wishes.kind,
        "limit": limit,
        "fit": wishes.fit,
        "as_it_is": as_it_is,
    }
    with _turns, tempfile.TemporaryDirectory(prefix="shape-") as folder:
        for ending, content in file.parts.items():
            (Path(folder) / f"region{ending}").write_bytes(content)
        (Path(folder) / REQUEST).write_text(json.dumps(request), encoding="utf-8")
        answer = run_apart("prepare", Path(folder), seconds=SECONDS)
    length = int.from_bytes(answer[:8], "big")
    head, rest = json.loads(answer[8 : 8 + length]), answer[8 + length :]
    if "problem" in head:
        raise UnreadableShapeError(head["problem"])
    files, at = [], 0
    for told in head["files"]:
        content = rest[at : at + told["bytes"]] if rest else file.content
        at += len(content)
        files.append(Made(content, told["features"]))
    facts, is_as_it_is = head["facts"], bool(files) and not rest
    return Prepared(
        features=facts["features"],
        vertices=facts["vertices"],
        sorts=facts["sorts"],
        crs=facts["crs"],
        extent=tuple(facts["extent"]) if facts["extent"] else None,
        columns=head["columns"],
        vertices_of=head["vertices"],
        findings=[Finding(**told) for told in head["findings"]],
        before=head["before"],
        after=head["after"],
        files=files,
        loss=Loss(**head["loss"]) if head["loss"] else None,
        is_as_it_is=is_as_it_is,
        too_large=any(len(each.content) > limit for each in files),
        no_fit=head.get("problem_of_fit", ""),
    )
