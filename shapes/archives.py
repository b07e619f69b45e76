"""Zipped shapefiles, looked at before anything is unpacked: names, sizes, ratio, one shapefile; of it, what is read."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Collection
from pathlib import PurePosixPath

MOST_MEMBERS = 40
MOST_MEMBERS_OF_SEVERAL = 1_000
MOST_UNPACKED_BYTES = 32 * 2**20
MOST_TIMES_LARGER = 100
# Small members may shrink as they like: a table of blanks does.
_SMALL_BYTES = 2**20

NEEDED = (".shp", ".shx", ".dbf")
PARTS = frozenset({*NEEDED, ".prj", ".cpg"})
NESTED = (".zip", ".kmz")
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OSError,
)
_SYMBOLIC_LINK = 0o120000
_ENCRYPTED = 0x1


class ArchiveError(Exception):
    """An archive that is no single zipped shapefile, or is not safe to unpack; the message says why."""


def shapefile_members(
    content: bytes, *, needed: Collection[str] = NEEDED, most_unpacked_bytes: int = MOST_UNPACKED_BYTES
) -> dict[str, bytes]:
    """The parts of the one shapefile in a zip, by ending: `.shp`, `.shx`, `.dbf`, `.prj` …; raises `ArchiveError`.

    An archive without one of those `needed` is refused.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _members(archive, needed, most_unpacked_bytes)
    except _UNREADABLE as error:
        raise ArchiveError("The file is not a zip archive that can be read.") from error


def unpack_members(content: bytes, endings: Collection[str], *, most_unpacked_bytes: int) -> list[tuple[str, bytes]]:
    """Return the files with one of these endings in an archive and in the archives in it, each with its path.

    Raises `ArchiveError`, before anything of an archive is unpacked that isn't safe.
    """
    found: list[tuple[str, bytes]] = []
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for path, entry in _checked(archive, MOST_MEMBERS_OF_SEVERAL, most_unpacked_bytes):
                if path.suffix.lower() in endings:
                    found.append((str(path), archive.read(entry)))
    except _UNREADABLE as error:
        raise ArchiveError("The file is not a zip archive that can be read.") from error
    flat: list[tuple[str, bytes]] = []
    left = most_unpacked_bytes - sum(len(inner) for _, inner in found)
    for name, inner in found:
        if not name.lower().endswith(NESTED):
            flat.append((name, inner))
            continue
        # One level deep: an archive in an archive in an archive is left out.
        unpacked = unpack_members(inner, set(endings) - set(NESTED), most_unpacked_bytes=left)
        left -= sum(len(each) for _, each in unpacked)
        flat += [(f"{name}/{path}", each) for path, each in unpacked]
    if len(flat) > MOST_MEMBERS_OF_SEVERAL:
        raise ArchiveError(f"The archive holds more than {MOST_MEMBERS_OF_SEVERAL:,} files.")
    return flat


def _members(archive: zipfile.ZipFile, needed: Collection[str], most_unpacked_bytes: int) -> dict[str, bytes]:
    chosen: dict[str, zipfile.ZipInfo] = {}
    stems: set[str] = set()
    for path, entry in _checked(archive, MOST_MEMBERS, most_unpacked_bytes):
        # What agencies put in beside a shapefile (licences, metadata, indexes) is not unpacked.
        ending = path.suffix.lower()
        if ending not in PARTS:
            continue
        if ending in chosen:
            raise ArchiveError("The archive holds more than one shapefile.")
        chosen[ending] = entry
        stems.add(str(path.with_suffix("")).lower())
    if len(stems) > 1:
        raise ArchiveError("The archive holds more than one shapefile.")
    missing = [ending for ending in needed if ending not in chosen]
    if missing:
        raise ArchiveError(f"The archive holds no complete shapefile: {', '.join(missing)} is missing.")
    return {ending: archive.read(entry) for ending, entry in chosen.items()}


def _checked(
    archive: zipfile.ZipFile, most_members: int, most_unpacked_bytes: int
) -> list[tuple[PurePosixPath, zipfile.ZipInfo]]:
    """The files in an archive that aren't a system's own; raises `ArchiveError` where one isn't safe to unpack."""
    entries = archive.infolist()
    if len(entries) > most_members:
        raise ArchiveError(f"The archive holds more than {most_members:,} files.")
    if sum(entry.file_size for entry in entries) > most_unpacked_bytes:
        raise ArchiveError(f"The archive unpacks to more than {most_unpacked_bytes // 2**20} MB.")
    found = []
    for entry in entries:
        path = PurePosixPath(entry.filename.replace("\\", "/"))
        _refuse_unsafe(entry, path)
        if not entry.is_dir() and "__MACOSX" not in path.parts and not path.name.startswith("."):
            found.append((path, entry))
    return found


def _refuse_unsafe(entry: zipfile.ZipInfo, path: PurePosixPath) -> None:
    if not entry.filename:
        raise ArchiveError("The archive holds a file without a name.")
    if path.is_absolute() or ".." in path.parts or (path.parts and path.parts[0].endswith(":")):
        raise ArchiveError("The archive holds a name that leads out of it.")
    if (entry.external_attr >> 16) & 0o170000 == _SYMBOLIC_LINK:
        raise ArchiveError("The archive holds a link.")
    if entry.flag_bits & _ENCRYPTED:
        raise ArchiveError("The archive is encrypted.")
    if entry.file_size > _SMALL_BYTES and entry.file_size > MOST_TIMES_LARGER * max(entry.compress_size, 1):
        raise ArchiveError(f"The archive holds a file that unpacks to more than {MOST_TIMES_LARGER} times its size.")
