"""Leases of rows whose writer is still at work, so that rows abandoned by a crash can be recognized.

A row has a time until which its writer guarantees for it. A background thread extends the time while the writer runs.
If the writer dies, the time passes, and readers on every replica see the row as abandoned. The clocks of replicas must
agree to within seconds.
"""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Table

from journal.journal_database import Database, utc_now
from journal.journal_errors import JournalUnavailable

LEASE: Final = timedelta(seconds=8)
"""Short, so that changes with an unknown outcome are visible 10 seconds after a crash. An owner that is wrongly taken
for dead loses nothing: its claims become void, and its late results still count.
"""
RENEW_EVERY: Final = timedelta(seconds=2)

_log = logging.getLogger(__name__)


class LeaseKeeper:
    """Renews the leases of the rows that this process works on. Its thread runs only while there are any."""

    def __init__(self, database: Database, *, renew_every: timedelta = RENEW_EVERY, lease: timedelta = LEASE) -> None:
        self._database = database
        self._lease = lease
        self._renew_every = renew_every
        self._held: set[tuple[Table, int]] = set()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        weakref.finalize(self, self._closed.set)

    def until(self) -> datetime:
        """Return the end of a lease that begins or is renewed now."""
        return utc_now() + self._lease

    def hold(self, table: Table, row_id: int) -> None:
        """Renew the lease of a row from now on."""
        with self._lock:
            self._held.add((table, row_id))
            if self._thread is None and not self._closed.is_set():
                arguments = (weakref.ref(self), self._closed, self._renew_every)
                self._thread = threading.Thread(
                    target=_renew_in_turn, args=arguments, name="journal-leases", daemon=True
                )
                self._thread.start()

    def release(self, table: Table, row_id: int) -> None:
        """Stop renewing the lease of a row."""
        with self._lock:
            self._held.discard((table, row_id))

    @contextmanager
    def ending(self, table: Table, row_id: int) -> Iterator[None]:
        """Stop renewing the lease of a row after its outcome is written, or could not be: then the row becomes
        abandoned.
        """
        try:
            yield
        finally:
            self.release(table, row_id)

    def renew(self) -> bool:
        """Renew all leases. Returns False if there are none, and the thread can end."""
        with self._lock:
            leases = set(self._held)
            if not leases:
                self._thread = None
                return False
        try:
            with self._database.writing() as connection:
                for table in {table for table, _ in leases}:
                    ids = [row_id for of, row_id in leases if of is table]
                    connection.execute(table.update().where(table.c.id.in_(ids)).values(lease_until=self.until()))
        except JournalUnavailable as error:
            _log.error("Could not renew the leases of the journal. Trying again: %s", error)
        return True

    def close(self) -> None:
        """End the thread. The remaining rows become abandoned when their leases end."""
        self._closed.set()
        with self._lock:
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()


def _renew_in_turn(keeper_of: weakref.ref[LeaseKeeper], closed: threading.Event, every: timedelta) -> None:
    while not closed.wait(every.total_seconds()):
        keeper = keeper_of()
        if keeper is None or not keeper.renew():
            return
        del keeper
