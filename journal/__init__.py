"""What this desk has done and keeps: the audit trail, rosters, travellers' names and the progress of roster loads.

It must import neither streamlit nor `client`: it knows databases and plain values, nothing of screens or wires.
"""

from journal.audit import AuditTrail
from journal.errors import AlreadyFinished, EntryNotFound, JournalError, JournalTooNew, RosterNameTaken, RosterNotFound
from journal.journal import Journal
from journal.records import (
    Actor,
    Entry,
    EntryFilters,
    EntryState,
    LearntEntry,
    LoadState,
    Roster,
    RosterEntry,
    RosterLoad,
    Traveller,
)

__all__ = [
    "Actor",
    "AlreadyFinished",
    "AuditTrail",
    "Entry",
    "EntryFilters",
    "EntryNotFound",
    "EntryState",
    "Journal",
    "JournalError",
    "JournalTooNew",
    "LearntEntry",
    "LoadState",
    "Roster",
    "RosterEntry",
    "RosterLoad",
    "RosterNameTaken",
    "RosterNotFound",
    "Traveller",
]
