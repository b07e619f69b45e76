"""Files of a watched folder that were not sent, or not completely, so that a person can fix them on the screen."""

from __future__ import annotations

import hashlib
import zlib
from base64 import b85decode, b85encode
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from domain.file_import.row_sending import JournalContext
from domain.trips.known_trip import IMPORT
from journal.retention import LEFTOVER_KIND

MOST_FILES: Final = 50
"""Older files are removed, so that a folder of wrong files cannot fill the journal."""
MOST_BYTES: Final = 8 * 2**20
"""The largest compressed file that is stored."""


@dataclass(frozen=True)
class LeftoverFile:
    """A file, or the rows of a file, that a watched folder left over."""

    digest: str
    """The SHA-256 of the content."""
    file: str
    reason: str
    arrived_at: datetime
    compressed: str

    @property
    def content(self) -> bytes:
        """The content of the file."""
        return zlib.decompress(b85decode(self.compressed))


def save_leftover(context: JournalContext, file: str, content: bytes, reason: str) -> bool:
    """Store a file with the reason, and return False if it is too large. Raises JournalError."""
    compressed = b85encode(zlib.compress(content)).decode("ascii")
    if len(compressed) > MOST_BYTES:
        return False
    digest = hashlib.sha256(content).hexdigest()
    payload = {"file": file, "reason": reason, "compressed": compressed}
    context.journal.versioned_records.delete(context.actor, LEFTOVER_KIND, digest)
    context.journal.versioned_records.save(context.actor, LEFTOVER_KIND, digest, payload, over=None)
    for old in _list_stored(context)[MOST_FILES:]:
        remove_leftover(context, old.digest)
    return True


def list_leftovers(context: JournalContext) -> list[LeftoverFile]:
    """Return the files that were not sent since, the latest first. Raises JournalError."""
    ledger = context.journal.ledger
    return [each for each in _list_stored(context) if not ledger.same_file(context.actor, IMPORT, each.digest)]


def remove_leftover(context: JournalContext, digest: str) -> None:
    """Remove a file. Raises JournalError."""
    context.journal.versioned_records.delete(context.actor, LEFTOVER_KIND, digest)


def _list_stored(context: JournalContext) -> list[LeftoverFile]:
    stored = context.journal.versioned_records.list(context.actor, LEFTOVER_KIND)
    files = [LeftoverFile(each.name, arrived_at=each.saved_at, **each.payload) for each in stored]
    return sorted(files, key=lambda each: each.arrived_at, reverse=True)
