"""Prepare a shape file before it is sent: its content, its problems, and the file to send instead.

Each call reads the file again in a confined process, which keeps nothing between calls.
"""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal

from shapes.archives import NESTED, PARTS, ArchiveError, list_members, unpack_members
from shapes.confined_process import UnreadableShapeError, run_confined
from shapes.findings import Finding, Loss
from shapes.prepare_folder import REQUEST

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
"""Further endings that are read as GeoJSON."""

_PICTURES: Final = frozenset({".png", ".jpg", ".jpeg", ".gif", ".ico", ".bmp", ".svg"})
SUPPORTED: Final = "Use a zipped shapefile, KML, GeoJSON, or GeoPackage."

_turns = threading.BoundedSemaphore(AT_ONCE)


@dataclass(frozen=True)
class ShapeFile:
    """An uploaded file, or the separate parts of one shapefile."""

    name: str
    ending: str
    parts: Mapping[str, bytes] = field(repr=False)
    """The content by ending."""

    content: bytes = field(repr=False, default=b"")
    """The whole file, if it could be sent unchanged."""

    @property
    def stem(self) -> str:
        """The name without its ending and without the name of its archive."""
        return PurePosixPath(self.name.rpartition(": ")[2]).stem


@dataclass(frozen=True)
class PrepareOptions:
    """How to prepare a file."""

    kind: str
    """The ending of the file to send: `.zip` or `.kml`."""

    repairs: frozenset[str] = frozenset()
    """The codes of the findings to repair."""

    crs: str = ""
    """The coordinate system of a file that names none."""

    encoding: str = ""
    """The encoding of the text, by Python's name; "" to detect it."""

    fit: Literal["", "fit", "split"] = ""
    """Simplify the shapes to the size limit, split them into several files, or leave them as they are."""


@dataclass(frozen=True)
class OutputFile:
    """One file to send, and the number of its features."""

    content: bytes = field(repr=False)
    features: int


@dataclass(frozen=True)
class Prepared:
    """The content of a file, its problems, and the files to send."""

    features: int
    vertices: int
    sorts: Mapping[str, int]
    """The number of features by geometry: "areas", "lines", "points", or "nothing"."""

    crs: str
    extent: tuple[float, float, float, float] | None
    """West, south, east, and north in degrees; None if unknown."""

    columns: Mapping[str, Sequence[Any]] = field(repr=False)
    vertices_of: Sequence[int] = field(repr=False)
    """The number of vertices per feature."""

    findings: Sequence[Finding]
    preview_before: Sequence[tuple[int, Mapping[str, Any]]] = field(repr=False)
    """The index and GeoJSON of each feature to draw, as in the uploaded file."""

    preview_after: Sequence[tuple[int, Mapping[str, Any]]] | None = field(repr=False)
    """The same for the files to send; None if the file is sent unchanged."""

    files: Sequence[OutputFile]
    """The files to send; empty while a finding blocks."""

    loss: Loss | None
    is_unchanged: bool
    """Whether the uploaded file itself is sent."""

    is_too_large: bool
    fit_problem: str
    """Why simplifying is not enough; "" if it is."""


def shape_files(uploads: Sequence[tuple[str, bytes]]) -> tuple[list[ShapeFile], list[str]]:
    """Return the shape files among uploaded files, and one sentence for each file that cannot be read.

    Separate parts of a shapefile become one file. Archives are unpacked: each shape in an archive is one file.
    """
    loose: dict[str, dict[str, bytes]] = {}
    found: list[ShapeFile] = []
    problems: list[str] = []
    for name, content in uploads:
        path = PurePosixPath(name.replace("\\", "/"))
        ending = path.suffix.lower()
        problem = ""
        if len(content) > MOST_BYTES:
            problem = f"The file is larger than {MOST_BYTES // 2**20} MB."
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
            problem = f"The format isn’t supported. {SUPPORTED}"
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
    """Return the shapes in an archive. An archive of a single shapefile can be sent unchanged."""
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
        raise ArchiveError(f"The archive contains no shape{reason}")
    if len(found) == 1:
        return [replace(found[0], name=name)]
    return [replace(file, name=f"{name}: {file.name}") for file in found]


def members_left_out(content: bytes) -> list[str]:
    """Return the paths of the files in an archive that are not read, other than indexes of a shapefile and pictures.

    Raises `ArchiveError`.
    """
    paths = list_members(content, most_unpacked_bytes=MOST_UNPACKED_BYTES)
    shapefiles = {path[:-4].lower() for path in paths if path.lower().endswith(".shp")}
    return [path for path in paths if not _is_expected(PurePosixPath(path), shapefiles)]


def _is_expected(path: PurePosixPath, shapefiles: Collection[str]) -> bool:
    """Return whether a member is a shape, belongs to one of the shapefiles, or can hold no area."""
    stem, ending = str(path).lower().removesuffix(".xml").rpartition(".")[0], path.suffix.lower()
    is_shape = ending != ".zip" and (ending in FORMATS or ending in OTHER_ENDINGS)
    return is_shape or stem in shapefiles or ending in _PICTURES


def _is_nested(path: str) -> bool:
    return any(part.lower().endswith(NESTED) for part in PurePosixPath(path).parts[:-1])


def prepare(file: ShapeFile, options: PrepareOptions, *, limit: int) -> Prepared:
    """Read a file, repair it, and make the files to send, each of at most `limit` bytes. Takes a second or more.

    Raises `UnreadableShapeError` if the file is not a shape.
    """
    missing = [] if file.ending != ".zip" else sorted({".shx", ".dbf", ".prj"} - set(file.parts))
    as_it_is = len(file.content) if options.kind == file.ending and file.content else 0
    inner = ".shp" if file.ending == ".zip" else file.ending
    request = {
        "file": f"region{inner}",
        "missing": missing,
        "repairs": sorted(options.repairs),
        "crs": options.crs,
        "encoding": options.encoding,
        "kind": options.kind,
        "limit": limit,
        "fit": options.fit,
        "as_it_is": as_it_is,
    }
    with _turns, tempfile.TemporaryDirectory(prefix="shape-") as folder:
        for ending, content in file.parts.items():
            (Path(folder) / f"region{ending}").write_bytes(content)
        (Path(folder) / REQUEST).write_text(json.dumps(request), encoding="utf-8")
        answer = run_confined("prepare", Path(folder), seconds=SECONDS)
    length = int.from_bytes(answer[:8], "big")
    head, rest = json.loads(answer[8 : 8 + length]), answer[8 + length :]
    if "problem" in head:
        raise UnreadableShapeError(head["problem"])
    files, at = [], 0
    for entry in head["files"]:
        content = rest[at : at + entry["bytes"]] if rest else file.content
        at += len(content)
        files.append(OutputFile(content, entry["features"]))
    facts, is_unchanged = head["facts"], bool(files) and not rest
    return Prepared(
        features=facts["features"],
        vertices=facts["vertices"],
        sorts=facts["sorts"],
        crs=facts["crs"],
        extent=tuple(facts["extent"]) if facts["extent"] else None,
        columns=head["columns"],
        vertices_of=head["vertices"],
        findings=[Finding(**finding) for finding in head["findings"]],
        preview_before=head["before"],
        preview_after=head["after"],
        files=files,
        loss=Loss(**head["loss"]) if head["loss"] else None,
        is_unchanged=is_unchanged,
        is_too_large=any(len(each.content) > limit for each in files),
        fit_problem=head.get("problem_of_fit", ""),
    )
