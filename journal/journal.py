"""The journal: one database with everything that Muster stores."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from sqlalchemy import false, select, update

from journal.approval_requests import ApprovalRequests
from journal.audit import AuditTrail
from journal.drafts import Drafts
from journal.incidents import Incidents
from journal.journal_database import Database
from journal.leases import LeaseKeeper
from journal.ledger import Ledger
from journal.ledger_history import LedgerHistory
from journal.payload import Redact
from journal.retention import Retention
from journal.roster_loads import RosterLoads
from journal.rosters import Rosters
from journal.tables import rosters
from journal.travelers import Travelers
from journal.versioned_records import VersionedRecords


class Journal:
    """The parts of the journal. One object serves all threads of a process."""

    def __init__(self, database: Database, redact: Redact) -> None:
        self._database = database
        self._leases = LeaseKeeper(database)
        self.audit = AuditTrail(database, self._leases, redact)
        self.rosters = Rosters(database)
        self.travelers = Travelers(database)
        self.drafts = Drafts(database)
        self.approval_requests = ApprovalRequests(database)
        self.incidents = Incidents(database)
        self.versioned_records = VersionedRecords(database)
        self.roster_loads = RosterLoads(database, self._leases, redact)
        self.ledger = Ledger(database, redact)
        self.ledger_history = LedgerHistory(database)
        self.retention = Retention(database, self.audit)

    @classmethod
    def open(cls, url: str, redact: Redact) -> Journal:
        """Open the journal at a SQLAlchemy URL (SQLite file or PostgreSQL), and create or migrate its schema.

        `redact` removes secrets from what is stored. Raises JournalError for other databases, and JournalTooNew if a
        newer Muster wrote it.
        """
        database = Database(url)
        try:
            database.bring_up_to_date()
        except BaseException:
            database.close()
            raise
        return cls(database, redact)

    def claim_embedded_service(self) -> bool:
        """Return whether this process may start an embedded service: no other process under this journal has one.

        Raises JournalUnavailable.
        """
        return self._database.lock_out_others()

    def check(self) -> None:
        """Check that the database can be read and written. Raises JournalUnavailable with the reason."""
        with self._database.writing() as connection:
            connection.execute(select(rosters.c.id).limit(1))
            connection.execute(update(rosters).where(false()).values(name=rosters.c.name))

    def close(self) -> None:
        """End the background threads and close the connections."""
        self.ledger.close()
        self._leases.close()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
