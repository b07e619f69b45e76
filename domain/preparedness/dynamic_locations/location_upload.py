"""Upload a file of dynamic locations, wait for its end, and read the status of each row.

The note of a row has the name of its file, its line there, and the ID of the upload once the service returns it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

from client import NotFound, ServiceError
from client.models.dynamic_locations import RowError, UploadBatch, is_running
from domain.file_import.column_types import squash
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.job import CALL_REASONS
from domain.file_import.row_problems import find_repeats
from domain.file_import.row_sending import Sending
from domain.preparedness.assets.asset_rows import time_span_rule
from domain.preparedness.dynamic_locations.location_rows import (
    ADDRESS,
    COLUMNS,
    KIND,
    POSITION,
    build_csv,
    build_items,
    expiry_rule,
    has_expired_unconfirmed,
    place_rule,
)
from domain.runtime.server import server
from domain.text.plain_text import count
from journal import Item, ItemStatus
from journal.ledger_records import NOTE

if TYPE_CHECKING:
    from client import ServiceClient
    from domain.file_import.row_sending import Batch
    from domain.preparedness.dynamic_locations.location_rows import KnownIds

FIRST_LINE: Final = 2
"""The line of the first row. Lines count as in a spreadsheet: the headings are line 1."""
FIRST_WAIT: Final = 0.5
LONGEST_WAIT: Final = 5.0
MAX_TRIES: Final = 20
"""How many times in a row the upload may be unreadable, or have the same unknown status, before the waiting ends."""
MAX_UPLOADS_MISSING: Final = 60
"""After this many IDs in a row without an upload, no later one is expected."""
EXPIRED_SINCE: Final = (
    "The location expired before it was sent, so Muster did not send it: it would have removed the person’s current "
    "location. To remove that location, send the row in a separate file."
)
REASON_NOT_LISTED: Final = "The service rejected this row. The service explains only the first errors."
ROW_NOT_LISTED: Final = (
    "The service stored {stored} of this upload, rejected {failed}, and explains only the first {named}. "
    "This row may or may not have been stored."
)
AMBIGUOUS_ROW: Final = "The error may belong to the row above or below: the service does not say how it counts rows."
PLACE: Final = frozenset({"lat", "lon", "locationId"})
CODES: Final = {
    "EXTERNAL_ID_NOT_EXIST": "The service has no contact with this ID.",
    "DYN_LOC_LOCATIONID_NOT_EXIST": "The service has no location with this ID.",
    "LAT_RANGE_INVALID": "The service does not accept this latitude.",
    "LON_RANGE_INVALID": "The service does not accept this longitude.",
    "BATCH_HEADER_NOT_FOUND": "The service does not recognize the heading of this column.",
}


@dataclass(frozen=True)
class Note:
    """The note of a row that was sent."""

    file: str
    line: int
    upload: str | None = None

    def __str__(self) -> str:
        """Return the note as stored text."""
        return json.dumps([self.file, self.line, self.upload])

    @classmethod
    def of(cls, item: Item) -> Note | None:
        """Return the note of an item, or None."""
        return cls(*json.loads(item.note)) if item.note else None


def send(client: ServiceClient, batch: Batch) -> list[ItemStatus]:
    """Upload the rows as one file and wait for its end. Raises ServiceError if the upload itself fails."""
    rows = [item for item in batch if not has_expired_unconfirmed(item.payload)]
    statuses: dict[int, ItemStatus] = {}
    if rows:
        name = f"locations-{token_hex(6)}.csv"
        lines = {item.position: line for line, item in enumerate(rows, FIRST_LINE)}
        batch.note_each({position: str(Note(name, line)) for position, line in lines.items()})
        batch.report("The file is being sent.")
        content = build_csv([item.payload for item in rows], server().settings.location_headings)
        receipt = client.dynamic_locations.upload(content, file_name=name)
        if receipt.id is not None:
            batch.note_each({position: str(Note(name, line, str(receipt.id))) for position, line in lines.items()})
            read = partial(client.dynamic_locations.retrieve, receipt.id)
            statuses = read_statuses(
                _wait_for_end(read, batch, str(receipt.id)), {lines[item.position]: item for item in rows}
            )
    expired = ItemStatus("failed", reasons={"expireDate": EXPIRED_SINCE})
    sent = {item.position for item in rows}
    return [statuses.get(item.position, ItemStatus("unknown")) if item.position in sent else expired for item in batch]


def reconcile(last_upload: int, client: ServiceClient, batch: Batch) -> dict[int, ItemStatus]:
    """Find the status of rows after a lost response. Reads only; raises ServiceError."""
    uploads: dict[tuple[str, str | None], dict[int, Item]] = {}
    for item in batch:
        note = Note.of(item)
        # A row with other reasons has its result from the service. Nothing more can be learned about it.
        reasons = {message for name, message in item.status.reasons.items() if name != NOTE}
        if note is not None and reasons <= CALL_REASONS:
            uploads.setdefault((note.file, note.upload), {})[note.line] = item
    lost = {name for name, upload in uploads if upload is None}
    found = _find_uploads(client, lost, last_upload) if lost else {}
    results: dict[int, ItemStatus] = {}
    for (name, upload), rows in uploads.items():
        upload = upload or found.get(name)
        if upload is not None:
            read = partial(client.dynamic_locations.retrieve, upload)
            results |= read_statuses(_wait_for_end(read, batch, upload), rows)
    return {position: status for position, status in results.items() if status.state != "unknown"}


def _find_uploads(client: ServiceClient, names: Collection[str], last_upload: int) -> dict[str, str]:
    """Return the IDs of the uploads of the files with these unique names."""
    # ASSUMPTION A390: upload IDs increase. The uploads after the last known one are read, and the unique name of the
    # file shows which one it is.
    found: dict[str, str] = {}
    number, missing = last_upload, 0
    while len(found) < len(names) and missing < MAX_UPLOADS_MISSING:
        number += 1
        try:
            record = client.dynamic_locations.retrieve(number)
        except NotFound:
            missing += 1
            continue
        missing = 0
        if record.file_name is not None and record.file_name in names:
            found[record.file_name] = str(number)
    return found


def _wait_for_end(read: Callable[[], UploadBatch], batch: Batch, upload: str) -> UploadBatch | None:
    """Wait for the end of the upload and return it; None if its end is not known or the job was stopped."""
    previous: UploadBatch | None = None
    wait, tries = FIRST_WAIT, 0
    while tries < MAX_TRIES:
        try:
            now = read()
        except NotFound:
            return None
        except ServiceError as error:
            tries += 1
            batch.report(f"The service has upload {upload}. Muster cannot load its progress: {error.message}")
        else:
            if now.has_ended:
                return now
            tries = 0 if is_running(now, previous) else tries + 1
            previous = now
            done = sum(now.counts[:3])
            batch.report(f"Upload {upload}: {(now.upload_status or 'no status').lower()}, {done:,} rows so far.")
        if not batch.wait(wait):
            return None
        wait = min(LONGEST_WAIT, wait * 1.5)
    return None


def read_statuses(upload: UploadBatch | None, rows: Mapping[int, Item]) -> dict[int, ItemStatus]:
    """Return the status of each row by position; empty if the upload has not ended. `rows` are by line in the file."""
    if upload is None:
        return {}
    upload_id = None if upload.id is None else str(upload.id)
    readings = _group_by_line(upload.row_errors, rows)
    reasons_by_line = {
        line: _reasons([error for reading in readings for error in reading.get(line, ())])
        for line in sorted(set().union(*readings))
    }
    stored = (upload.success_num or 0) + (upload.with_error_num or 0)
    ended = f"The upload ended with the status “{(upload.upload_status or '').lower()}”."
    if upload.has_failed and not stored:
        words = " ".join(_reasons(upload.row_errors).values())
        whole = {"": f"{ended} {words}".strip()}
        own = reasons_by_line if len(readings) == 1 else {}
        return {
            item.position: ItemStatus("failed", upload_id, whole | own.get(line, {})) for line, item in rows.items()
        }
    error_count = (upload.with_error_num or 0) + (upload.critical_num or 0)
    last = max(reasons_by_line, default=0)
    unlisted = error_count - len(readings[0])
    rows_after = sum(line > last for line in rows)
    has_unplaced_errors = sum(map(len, readings[0].values())) < len(upload.row_errors)
    has_missing_rows = upload.success_num is not None and upload.success_num + error_count < len(rows)
    not_listed = ROW_NOT_LISTED.format(
        stored=count(stored, "row", "rows"), failed=f"{error_count:,}", named=f"{len(readings[0]):,}"
    )
    counted = f" The service reports {count(stored, 'row', 'rows')} stored." if stored or has_missing_rows else ""
    statuses = {}
    for line, item in rows.items():
        if line in reasons_by_line and not all(line in reading for reading in readings):
            statuses[item.position] = ItemStatus("unknown", None, reasons_by_line[line] | {"": AMBIGUOUS_ROW})
        elif line in reasons_by_line:
            is_stored = (
                bool(upload.with_error_num)
                and set(reasons_by_line[line]) <= PLACE
                and _has_other_place(item, reasons_by_line[line])
            )
            reasons = (
                {"": "Stored, but invalid values were dropped."} | reasons_by_line[line]
                if is_stored
                else reasons_by_line[line]
            )
            statuses[item.position] = ItemStatus("done" if is_stored else "failed", upload_id, reasons)
        elif upload.has_failed or has_unplaced_errors or has_missing_rows:
            reason = {"": f"{ended}{counted} The service does not say whether it stored this row."}
            statuses[item.position] = ItemStatus("unknown", None, reason)
        elif unlisted > 0 and line > last:
            is_open = unlisted < rows_after
            reason = {"": not_listed if is_open else REASON_NOT_LISTED}
            statuses[item.position] = ItemStatus("unknown" if is_open else "failed", None, reason)
        else:
            statuses[item.position] = ItemStatus("done", upload_id)
    return statuses


def _group_by_line(errors: Sequence[RowError], rows: Mapping[int, Item]) -> list[dict[int, list[RowError]]]:
    """Group errors by line of the file, once for each way of counting rows that fits best."""
    # ASSUMPTION A391: a service may count the headings as row 1, or the first row as 1 or 0. The best way is the one
    # for which most errors name the text in their cell, and then the one for which most are a row of the file.
    readings: list[dict[int, list[RowError]]] = []
    for shift in (0, 1, 2):
        by_line: dict[int, list[RowError]] = {}
        for error in errors:
            if error.row is not None and error.row + shift in rows:
                by_line.setdefault(error.row + shift, []).append(error)
        readings.append(by_line)

    def fit(reading: Mapping[int, Sequence[RowError]]) -> tuple[int, int]:
        placed = [_matches_cell(error, rows[line]) for line, its in reading.items() for error in its]
        return sum(placed), len(placed)

    best = max(map(fit, readings))
    return [each for number, each in enumerate(readings) if fit(each) == best and each not in readings[:number]]


def _matches_cell(error: RowError, item: Item) -> bool:
    return bool(item.payload["row"].get(_column(error), "") == (error.column_value or ""))


def _column(error: RowError) -> str:
    named = squash(error.column_name or "")
    return next((column.name for column in COLUMNS if column.matches_alias(named)), "")


def _reasons(errors: Sequence[RowError]) -> dict[str, str]:
    reasons: dict[str, list[str]] = {}
    for error in errors:
        code = error.upload_error_code or ""
        reasons.setdefault(_column(error), []).append(
            CODES.get(code, f"Message from the service: {code.lower().replace('_', ' ')}.")
        )
    return {column: " ".join(dict.fromkeys(words)) for column, words in reasons.items()}


def _has_other_place(item: Item, invalid: Mapping[str, Any]) -> bool:
    """Return whether a row also has a location other than the invalid one."""
    row = item.payload["row"]
    others = [("locationId",) if "locationId" not in invalid else (), () if {"lat", "lon"} & set(invalid) else ("lat",)]
    return any(name in row for name in (*ADDRESS, *others[0], *others[1]))


MAX_ROWS_PER_UPLOAD: Final = 1_000
"""The service names at most this many rows with errors, so each row of an upload has a status."""
_SENDING: Final = Sending(
    "Upload",
    "stored",
    build_items,
    send,
    partial(reconcile, 0),
    max_batch_size=MAX_ROWS_PER_UPLOAD,
    reconcile_size=100_000,
)
LOCATIONS: Final = ImportDeclaration(
    kind=KIND,
    noun=("location", "locations"),
    columns=COLUMNS,
    rules=(
        time_span_rule("arriveDate", "expireDate"),
        expiry_rule,
        place_rule,
        # The service uses the last row of a person and source.
        find_repeats(
            "externalId",
            "source",
            message="Another row has the same person and source. The last row counts.",
            is_error=False,
        ),
    ),
    sending=_SENDING,
    position=POSITION,
    help="One row per person, with an ID, an end time, and a location.",
    placeholder="External ID;Arrives;Expires;Latitude;Longitude\nE10001;2026-11-20 08:00;2026-11-21 18:00;47.38;8.54",
)


def build_intake(known_ids: KnownIds) -> ImportDeclaration:
    """Return the import that checks rows against known IDs, and asks for confirmation of expired rows."""
    build, check = partial(build_items, confirmed_at=known_ids.checked_at), partial(reconcile, known_ids.last_upload)
    sending = replace(
        _SENDING,
        build_items=build,
        confirmation_lines=lambda rows, _: known_ids.confirmation_lines(rows),
        reconcile=check,
    )
    return replace(LOCATIONS, rules=(*LOCATIONS.rules, known_ids.check_ids), sending=sending)
