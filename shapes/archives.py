"""Unpack zipped shapefiles after checking names, sizes, and compression ratios."""

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
# Small members may have any ratio: a table of blanks compresses well.
_SMALL_BYTES = 2**20

REQUIRED_PARTS = (".shp", ".shx", ".dbf")
PARTS = frozenset({*REQUIRED_PARTS, ".prj", ".cpg"})
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
    """An archive that is not one zipped shapefile, or is not safe to unpack; the message says why."""


def shapefile_members(
    content: bytes, *, required: Collection[str] = REQUIRED_PARTS, most_unpacked_bytes: int = MOST_UNPACKED_BYTES
) -> dict[str, bytes]:
    """Return the parts of the one shapefile in a zip archive, by ending: `.shp`, `.shx`, `.dbf`, `.prj`, …

    Raises `ArchiveError`, also if a `required` part is missing.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _members(archive, required, most_unpacked_bytes)
    except _UNREADABLE as error:
        raise ArchiveError("The file is not a readable zip archive.") from error


def unpack_members(content: bytes, endings: Collection[str], *, most_unpacked_bytes: int) -> list[tuple[str, bytes]]:
    """Return path and content of each file with one of these endings, also from archives in the archive.

    Raises `ArchiveError` before unpacking an archive that isn't safe.
    """
    found: list[tuple[str, bytes]] = []
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for path, entry in _checked(archive, MOST_MEMBERS_OF_SEVERAL, most_unpacked_bytes):
                if path.suffix.lower() in endings:
                    found.append((str(path), archive.read(entry)))
    except _UNREADABLE as error:
        raise ArchiveError("The file is not a readable zip archive.") from error
    flat: list[tuple[str, bytes]] = []
    bytes_left = most_unpacked_bytes - sum(len(inner) for _, inner in found)
    for name, inner in found:
        if not name.lower().endswith(NESTED):
            flat.append((name, inner))
            continue
        # One level deep: archives in archives in archives are ignored.
        unpacked = unpack_members(inner, set(endings) - set(NESTED), most_unpacked_bytes=bytes_left)
        bytes_left -= sum(len(each) for _, each in unpacked)
        flat += [(f"{name}/{path}", each) for path, each in unpacked]
    if len(flat) > MOST_MEMBERS_OF_SEVERAL:
        raise ArchiveError(f"The archive contains more than {MOST_MEMBERS_OF_SEVERAL:,} files.")
    return flat


def list_members(content: bytes, *, most_unpacked_bytes: int) -> list[str]:
    """Return the path of each file, also in archives in the archive. These are listed too if they are not opened.

    Raises `ArchiveError`.
    """
    paths: list[str] = []
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for path, entry in _checked(archive, MOST_MEMBERS_OF_SEVERAL, most_unpacked_bytes):
                if path.suffix.lower() not in NESTED:
                    paths.append(str(path))
                    continue
                with zipfile.ZipFile(io.BytesIO(archive.read(entry))) as inner:
                    paths += [
                        f"{path}/{each}" for each, _ in _checked(inner, MOST_MEMBERS_OF_SEVERAL, most_unpacked_bytes)
                    ]
    except _UNREADABLE as error:
        raise ArchiveError("The file is not a readable zip archive.") from error
    return paths


def _members(archive: zipfile.ZipFile, required: Collection[str], most_unpacked_bytes: int) -> dict[str, bytes]:
    chosen: dict[str, zipfile.ZipInfo] = {}
    stems: set[str] = set()
    for path, entry in _checked(archive, MOST_MEMBERS, most_unpacked_bytes):
        # Licenses, metadata, and indexes next to a shapefile are not unpacked.
        ending = path.suffix.lower()
        if ending not in PARTS:
            continue
        if ending in chosen:
            raise ArchiveError("The archive contains more than one shapefile.")
        chosen[ending] = entry
        stems.add(str(path.with_suffix("")).lower())
    if len(stems) > 1:
        raise ArchiveError("The archive contains more than one shapefile.")
    missing = [ending for ending in required if ending not in chosen]
    if missing:
        raise ArchiveError(f"The archive contains no complete shapefile. Missing: {', '.join(missing)}.")
    return {ending: archive.read(entry) for ending, entry in chosen.items()}


def _checked(
    archive: zipfile.ZipFile, most_members: int, most_unpacked_bytes: int
) -> list[tuple[PurePosixPath, zipfile.ZipInfo]]:
    """Return the files in an archive without those of operating systems. Raises `ArchiveError` if one isn't safe."""
    entries = archive.infolist()
    if len(entries) > most_members:
        raise ArchiveError(f"The archive contains more than {most_members:,} files.")
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
        raise ArchiveError("The archive contains a file without a name.")
    if path.is_absolute() or ".." in path.parts or (path.parts and path.parts[0].endswith(":")):
        raise ArchiveError("The archive contains a path that leads outside of it.")
    if (entry.external_attr >> 16) & 0o170000 == _SYMBOLIC_LINK:
        raise ArchiveError("The archive contains a link.")
    if entry.flag_bits & _ENCRYPTED:
        raise ArchiveError("The archive is encrypted.")
    if entry.file_size > _SMALL_BYTES and entry.file_size > MOST_TIMES_LARGER * max(entry.compress_size, 1):
        raise ArchiveError(f"The archive contains a file that unpacks to more than {MOST_TIMES_LARGER} times its size.")
