"""Reading the one entry that a screen was asked for."""

from __future__ import annotations

from journal import Actor, Entry, EntryNotFound, Journal


def read_entry(journal: Journal, actor: Actor, entry_id: str) -> Entry | None:
    """Read an entry of the actor's organization; None where there is none, or where the id is no number."""
    if not (entry_id.isascii() and entry_id.isdigit() and len(entry_id) < 19):
        return None
    try:
        return journal.audit.retrieve(int(entry_id), within=actor)
    except EntryNotFound:
        return None
