"""Reading the one entry that a screen was asked for."""

from __future__ import annotations

from components.widgets.ids import id_in
from journal import Actor, Entry, EntryNotFound, Journal


def read_entry(journal: Journal, actor: Actor, entry_id: str) -> Entry | None:
    """Read an entry of the actor's organization; None where there is none, or where the text is no id."""
    number = id_in(entry_id)
    if number is None:
        return None
    try:
        return journal.audit.retrieve(number, within=actor)
    except EntryNotFound:
        return None
