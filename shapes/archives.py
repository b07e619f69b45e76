"""Zipped shapefiles, looked at before anything is unpacked: names, sizes, ratio, one shapefile; of it, what is read."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Collection
from pathlib import PurePosixPath

MOST_MEMBERS = 40
MOST_UNPACKED_BYTES = 32 * 2**20
MOST_TIMES_LARGER = 100
# Small members may shrink as they like: a table of blanks does.
_SMALL_BYTES = 2**20

NEEDED = (".shp", ".shx", ".dbf")
PARTS = frozenset({*NEEDED, ".prj", ".cpg"})
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
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError) as error:
        raise ArchiveError("The file is not a zip archive that can be read.") from error


def _members(archive: zipfile.ZipFile, needed: Collection[str], most_unpacked_bytes: int) -> dict[str, bytes]:
    entries = archive.infolist()
    if len(entries) > MOST_MEMBERS:
        raise ArchiveError(f"The archive holds more than {MOST_MEMBERS} files.")
    if sum(entry.file_size for entry in entries) > most_unpacked_bytes:
        raise ArchiveError(f"The archive unpacks to more than {most_unpacked_bytes // 2**20} MB.")
    chosen: dict[str, zipfile.ZipInfo] = {}
    stems: set[str] = set()
    for entry in entries:
        path = PurePosixPath(entry.filename.replace("\\", "/"))
        _refuse_unsafe(entry, path)
        if entry.is_dir() or "__MACOSX" in path.parts or path.name.startswith("."):
            continue
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
