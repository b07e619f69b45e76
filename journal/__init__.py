"""What this desk has done and keeps: the audit trail, rosters, drafts, what was handed over for approval, wordings.

It knows databases and plain values, nothing of screens or wires: of `client` it imports what takes secrets out.
"""

from journal.audit import AuditTrail
from journal.errors import (
    AlreadyFinished,
    EntryNotFound,
    JournalError,
    JournalTooNew,
    JournalUnavailable,
    RosterNameTaken,
    RosterNotFound,
)
from journal.handovers import Handover, digest_of
from journal.journal import Journal
from journal.ledger import Done, Fate, Item, ItemState, Job, JobState, Ledger, LedgerChanged, NewItem, Run
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
from journal.wordings import Wording

__all__ = [
    "Actor",
    "AlreadyFinished",
    "AuditTrail",
    "Done",
    "Entry",
    "EntryFilters",
    "EntryNotFound",
    "EntryState",
    "Fate",
    "Handover",
    "Item",
    "ItemState",
    "Job",
    "JobState",
    "Journal",
    "JournalError",
    "JournalTooNew",
    "JournalUnavailable",
    "LearntEntry",
    "Ledger",
    "LedgerChanged",
    "LoadState",
    "NewItem",
    "Roster",
    "RosterEntry",
    "RosterLoad",
    "RosterNameTaken",
    "RosterNotFound",
    "Run",
    "Traveller",
    "Wording",
    "digest_of",
]
