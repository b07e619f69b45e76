"""The files and outlines of the regions that Muster sent to the shape library: the service cannot return them.

Both are stored in the journal under the SHA-256 of the file that was sent.
"""

from __future__ import annotations

import base64
import json
from contextlib import suppress
from pathlib import PurePath
from typing import Any, Final

from journal import Actor, Journal, JournalError
from journal.journal_errors import NameTaken
from shapes.archives import ArchiveError
from shapes.confined_process import ReaderNotStartedError, UnreadableShapeError
from shapes.reading import read_shape

_KIND: Final = "region_outline"
_FILE_KIND: Final = "region_file"


def save_outline(journal: Journal, actor: Actor, digest: str, geojson: str) -> None:
    """Store a GeoJSON FeatureCollection under the digest of its file. Raises JournalError."""
    with suppress(NameTaken):
        journal.versioned_records.save(actor, _KIND, digest, json.loads(geojson))


def save_file_outline(journal: Journal, actor: Actor, digest: str, file_name: str, content: bytes) -> None:
    """Store the outline of a file that was sent; without one the region is only missing as the area of an incident."""
    with suppress(UnreadableShapeError, ArchiveError, ReaderNotStartedError, JournalError):
        save_outline(journal, actor, digest, read_shape(content, PurePath(file_name).suffix.lower()).geometry)


def load_outline(journal: Journal, actor: Actor, digest: str) -> dict[str, Any] | None:
    """Return the FeatureCollection of a file by its digest; None if Muster has not stored it."""
    versions = journal.versioned_records.versions(actor, _KIND, digest) if digest else []
    return versions[0].payload if versions else None


def save_file(journal: Journal, actor: Actor, digest: str, content: bytes) -> None:
    """Store a file that was sent; without it the region can only be sent again as its outline."""
    with suppress(JournalError):
        payload = {"content": base64.b64encode(content).decode()}
        journal.versioned_records.save(actor, _FILE_KIND, digest, payload)


def load_file(journal: Journal, actor: Actor, digest: str, file_name: str) -> tuple[str, bytes] | None:
    """Return the name and content of the file that was sent, or else its outline as GeoJSON; None without both."""
    versions = journal.versioned_records.versions(actor, _FILE_KIND, digest) if digest else []
    if versions:
        return file_name, base64.b64decode(versions[0].payload["content"])
    outline = load_outline(journal, actor, digest)
    return None if outline is None else (f"{PurePath(file_name).stem}.geojson", json.dumps(outline).encode())
