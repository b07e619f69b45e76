"""The background thread that processes uploads of this process and those that other processes left unfinished."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from uuid import uuid4

from client.vocabulary.dynamic_locations import ENDED_STATUSES
from service.database import UNAVAILABLE, Database
from service.dynamic_locations import processing, repository
from service.dynamic_locations.rows import Code, Row, RowError, UnreadableFileError, read_rows
from service.epoch import now_ms

logger = logging.getLogger("service")

LOOK_SECONDS = 2.0
"""The seconds between searches for uploads from other processes."""
CLAIM_TO_READ_MS = 20_000
"""The seconds for which a claim holds while a file is read."""
CLAIM_MS = 5_000
"""The seconds for which a claim holds without renewal. A process that has lost its claim notices before the next
step.
"""


class UploadRunner:
    """Processes uploads until stopped, in order for each organization."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._name = uuid4().hex
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start searching for uploads."""
        self._thread = threading.Thread(target=self._run, name="uploads", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Report a new upload."""
        self._wake.set()

    def stop(self) -> None:
        """Stop after the current step. The next start continues unfinished uploads."""
        self._stopping.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                found = self._process_one()
            except UNAVAILABLE as error:
                logger.warning("Uploads are waiting for the database: %s", type(error).__name__)
                found = False
            except Exception:
                logger.exception("Uploads failed and will be retried")
                found = False
            if not found:
                self._wake.wait(LOOK_SECONDS)

    def _process_one(self) -> bool:
        now = now_ms()
        with self._database.transaction() as connection:
            batch_id = repository.claim(connection, self._name, now, now + CLAIM_TO_READ_MS)
            content = repository.content_of(connection, batch_id) if batch_id is not None else b""
        if batch_id is None:
            return False
        try:
            # Outside of a transaction: reading a large file takes seconds, during which no one else could write.
            rows = read_rows(content)
            while not self._stopping.is_set():
                if not self._step(batch_id, rows):
                    return True
        except UNAVAILABLE:
            raise
        except UnreadableFileError as unreadable:
            self._fail(batch_id, unreadable.error)
            return True
        except Exception:
            logger.exception("Upload %s cannot be processed", batch_id)
            self._fail(batch_id, RowError(1, "", "", Code.INTERNAL_ERROR))
            return True
        with self._database.transaction() as connection:
            repository.release(connection, batch_id, self._name)
        return True

    def _step(self, batch_id: int, rows: Sequence[Row]) -> bool:
        with self._database.transaction() as connection:
            batch = repository.hold(connection, batch_id, self._name, now_ms() + CLAIM_MS)
            if batch is None:
                return False
            return processing.advance(connection, batch, rows) not in ENDED_STATUSES

    def _fail(self, batch_id: int, error: RowError) -> None:
        with self._database.transaction() as connection:
            if repository.hold(connection, batch_id, self._name, now_ms() + CLAIM_MS) is not None:
                processing.fail(connection, batch_id, error)
