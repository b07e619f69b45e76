"""What Muster stores: audit trail, ledger, rosters, drafts, approvals, incidents, and records with names and versions.

This package knows databases and plain values, but no screens and no HTTP. It gets a function that removes secrets.
"""

from journal.approval_requests import ApprovalRequest, digest_of
from journal.audit import AuditTrail
from journal.incidents import MARKS, Incident, IncidentContent, IncidentEvent, LastView, Mark, MarkStatus
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
from journal.ledger import Ledger
from journal.ledger_history import LedgerHistory
from journal.ledger_records import Done, Item, ItemState, ItemStatus, Job, JobState, LedgerChanged, NewItem, Run, Sent
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
    Traveler,
)
from journal.versioned_records import RecordVersion

__all__ = [
    "MARKS",
    "Actor",
    "AlreadyFinished",
    "ApprovalRequest",
    "AuditTrail",
    "Done",
    "Entry",
    "EntryFilters",
    "EntryNotFound",
    "EntryState",
    "ImportedTrip",
    "Incident",
    "IncidentChanged",
    "IncidentContent",
    "IncidentEvent",
    "IncidentNotFound",
    "Item",
    "ItemState",
    "ItemStatus",
    "Job",
    "JobState",
    "Journal",
    "JournalError",
    "JournalTooNew",
    "JournalUnavailable",
    "LastView",
    "LearntEntry",
    "Ledger",
    "LedgerChanged",
    "LedgerHistory",
    "LoadState",
    "Mark",
    "MarkStatus",
    "NameTaken",
    "NewItem",
    "RecordVersion",
    "Roster",
    "RosterEntry",
    "RosterLoad",
    "RosterNameTaken",
    "RosterNotFound",
    "Run",
    "Sent",
    "Traveler",
    "digest_of",
    "locator_spellings",
    "normalize_locator",
]
