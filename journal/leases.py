"""Signs of life for rows whose writer is still at work, so that what a crash left behind can be told apart.

A row that is begun carries a time until which its writer vouches for it. While the writer lives, a background thread
moves that time on; when the writer dies, it passes, and every reader on any replica sees the row as abandoned. No
restart, and no agreement on who is "this process", is needed. The clocks of replicas must agree to within seconds.
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
"""Short: what a crash left unknown is in sight within ten seconds, and an owner taken for dead too early loses nothing.
Its claims become void and its late answers still count."""
RENEW_EVERY: Final = timedelta(seconds=2)

_log = logging.getLogger(__name__)


class LeaseKeeper:
    """Renews the leases of the rows that this process has open; its thread lives only while there are some."""

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
        """Tell how long a lease that begins or is renewed now lasts."""
        return utc_now() + self._lease

    def hold(self, table: Table, row_id: int) -> None:
        """Vouch for a row from now on."""
        with self._lock:
            self._held.add((table, row_id))
            if self._thread is None and not self._closed.is_set():
                arguments = (weakref.ref(self), self._closed, self._renew_every)
                self._thread = threading.Thread(
                    target=_renew_in_turn, args=arguments, name="journal-leases", daemon=True
                )
                self._thread.start()

    def release(self, table: Table, row_id: int) -> None:
        """Stop vouching for a row."""
        with self._lock:
            self._held.discard((table, row_id))

    @contextmanager
    def ending(self, table: Table, row_id: int) -> Iterator[None]:
        """Stop vouching for a row once its outcome is written, or cannot be: then it reads as abandoned in time."""
        try:
            yield
        finally:
            self.release(table, row_id)

    def renew(self) -> bool:
        """Move on the leases of all rows held; False when there are none left and the thread may end."""
        with self._lock:
            held = set(self._held)
            if not held:
                self._thread = None
                return False
        try:
            with self._database.writing() as connection:
                for table in {table for table, _ in held}:
                    ids = [row_id for of, row_id in held if of is table]
                    connection.execute(table.update().where(table.c.id.in_(ids)).values(lease_until=self.until()))
        except JournalUnavailable as error:
            _log.error("Could not renew the leases of the journal. Trying again: %s", error)
        return True

    def close(self) -> None:
        """End the thread; rows still held will be seen as abandoned when their lease passes."""
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
