"""What Muster stores: audit trail, ledger, rosters, drafts, approvals, incidents, and records with names and versions.

This package knows databases and plain values, but no screens and no HTTP. It gets a function that removes secrets.
"""

from journal.audit import AuditTrail
from journal.handovers import Handover, digest_of
from journal.incidents import MARKS, Incident, IncidentContent, IncidentEvent, Look, Mark, MarkStatus
from journal.journal import Journal
from journal.journal_errors import (
    AlreadyFinished,
    EntryNotFound,
    IncidentChanged,
    IncidentNotFound,
    JournalError,
    JournalTooNew,
    JournalUnavailable,
    NameTaken,
    RosterNameTaken,
    RosterNotFound,
)
from journal.kept_by_name import KeptVersion
from journal.ledger import Ledger
from journal.ledger_history import LedgerHistory
from journal.ledger_records import Done, Fate, Item, ItemState, Job, JobState, LedgerChanged, NewItem, Run, Sent
from journal.record_locators import locator_spellings, normalize_locator
from journal.value_objects import (
    Actor,
    Entry,
    EntryFilters,
    EntryState,
    ImportedTrip,
    LearntEntry,
    LoadState,
    Roster,
    RosterEntry,
    RosterLoad,
    Traveller,
)

__all__ = [
    "MARKS",
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
    "ImportedTrip",
    "Incident",
    "IncidentChanged",
    "IncidentContent",
    "IncidentEvent",
    "IncidentNotFound",
    "Item",
    "ItemState",
    "Job",
    "JobState",
    "Journal",
    "JournalError",
    "JournalTooNew",
    "JournalUnavailable",
    "KeptVersion",
    "LearntEntry",
    "Ledger",
    "LedgerChanged",
    "LedgerHistory",
    "LoadState",
    "Look",
    "Mark",
    "MarkStatus",
    "NameTaken",
    "NewItem",
    "Roster",
    "RosterEntry",
    "RosterLoad",
    "RosterNameTaken",
    "RosterNotFound",
    "Run",
    "Sent",
    "Traveller",
    "digest_of",
    "locator_spellings",
    "normalize_locator",
]
