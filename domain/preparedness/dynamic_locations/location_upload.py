"""A file of locations on its way: handed in as one upload, followed through its statuses, its rows' fates read of it.

What is noted of a row is the name of the file it was sent in, its line there, and the upload's id once that is told.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

from client import NotFound, ServiceError
from client.models.dynamic_locations import RowError, UploadBatch, is_running
from domain.file_import.column_types import squash
from domain.file_import.import_declaration import Intake
from domain.file_import.row_problems import find_repeats
from domain.file_import.row_sending import Sending
from domain.preparedness.assets.asset_rows import span_rule
from domain.preparedness.dynamic_locations.location_rows import (
    ADDRESS,
    COLUMNS,
    KIND,
    POSITION,
    csv_of,
    expiry_rule,
    has_expired_since,
    items,
    place_rule,
)
from domain.runtime.server import server
from domain.text.plain_text import count
from journal import Fate, Item
from journal.ledger_records import NOTE

if TYPE_CHECKING:
    from client import ServiceClient
    from domain.file_import.row_sending import Batch
    from domain.preparedness.dynamic_locations.location_rows import Known

FIRST_LINE: Final = 2
"""Lines are counted as a spreadsheet shows them: the headings are 1."""
FIRST_WAIT: Final = 0.5
LONGEST_WAIT: Final = 5.0
MOST_TRIES: Final = 20
"""So often in a row an upload could not be read, or an unknown status stood still, before it is followed no more."""
NUMBERS_LOOKED_AT: Final = 60
EXPIRED_SINCE: Final = (
    "The location expired before it was sent, so Muster did not send it: it would have removed the person’s current "
    "location. To remove that location, send the row in a separate file."
)
REASON_NOT_TOLD: Final = "The service rejected this row. The service explains only the first errors."
NOT_TOLD: Final = "The service lists only the first rows with errors. This row may or may not have been stored."
MAY_BE_ANOTHERS: Final = "The error may belong to the row above or below: the service does not say how it counts rows."
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
    """What is noted of a row that was sent."""

    file: str
    line: int
    upload: str | None = None

    def __str__(self) -> str:
        """Write it as it is kept."""
        return json.dumps([self.file, self.line, self.upload])

    @classmethod
    def of(cls, item: Item) -> Note | None:
        """What was noted of an item; None where nothing was."""
        return cls(*json.loads(item.note)) if item.note else None


def send(client: ServiceClient, batch: Batch) -> list[Fate]:
    """Hand the rows in as one file and follow it to its end. Raises ServiceError before it is handed in."""
    rows = [item for item in batch if not has_expired_since(item.payload)]
    fates: dict[int, Fate] = {}
    if rows:
        name = f"locations-{token_hex(6)}.csv"
        lines = {item.position: line for line, item in enumerate(rows, FIRST_LINE)}
        batch.note_each({position: str(Note(name, line)) for position, line in lines.items()})
        batch.report("The file is being sent.")
        content = csv_of([item.payload for item in rows], server().settings.location_headings)
        receipt = client.dynamic_locations.upload(content, file_name=name)
        if receipt.id is not None:
            batch.note_each({position: str(Note(name, line, str(receipt.id))) for position, line in lines.items()})
            read = partial(client.dynamic_locations.retrieve, receipt.id)
            fates = fates_told(_followed(read, batch, str(receipt.id)), {lines[item.position]: item for item in rows})
    left_out = Fate("failed", reasons={"expireDate": EXPIRED_SINCE})
    sent = {item.position for item in rows}
    return [fates.get(item.position, Fate("unknown")) if item.position in sent else left_out for item in batch]


def look(last_upload: int, client: ServiceClient, batch: Batch) -> dict[int, Fate]:
    """Find the status of rows after a lost response. Reads only; raises ServiceError."""
    uploads: dict[tuple[str, str | None], dict[int, Item]] = {}
    for item in batch:
        note = Note.of(item)
        # Of rows for which there is a reason the service has told what it tells: the rest of their file is settled.
        if note is not None and item.fate.reasons.keys() == {NOTE}:
            uploads.setdefault((note.file, note.upload), {})[note.line] = item
    found: dict[int, Fate] = {}
    for (name, upload), rows in uploads.items():
        upload = upload or _named(client, name, last_upload)
        if upload is not None:
            read = partial(client.dynamic_locations.retrieve, upload)
            found |= fates_told(_followed(read, batch, upload), rows)
    return {position: fate for position, fate in found.items() if fate.state != "unknown"}


def _named(client: ServiceClient, name: str, last_upload: int) -> str | None:
    """The id of the upload of a file with this name, which no other has; None where it is not found."""
    # ASSUMPTION A390: uploads are numbered upwards; those after the last one known here are read, one by one, and the
    # file's name, made for one upload alone, tells which it is.
    for number in range(last_upload + 1, last_upload + 1 + NUMBERS_LOOKED_AT):
        try:
            record = client.dynamic_locations.retrieve(number)
        except NotFound:
            continue
        if record.file_name == name:
            return str(number)
    return None


def _followed(read: Callable[[], UploadBatch], batch: Batch, upload: str) -> UploadBatch | None:
    """The upload at its end; None where that is not known, or nobody is to wait for it."""
    before: UploadBatch | None = None
    wait, tries = FIRST_WAIT, 0
    while tries < MOST_TRIES:
        try:
            now = read()
        except NotFound:
            return None
        except ServiceError as error:
            tries += 1
            batch.report(f"The service has upload {upload}. Muster cannot read its progress: {error.message}")
        else:
            if now.has_ended:
                return now
            tries = 0 if is_running(now, before) else tries + 1
            before = now
            done = sum(now.counts[:3])
            batch.report(f"Upload {upload}: {(now.upload_status or 'no status').lower()}, {done:,} rows so far.")
        if not batch.wait(wait):
            return None
        wait = min(LONGEST_WAIT, wait * 1.5)
    return None


def fates_told(upload: UploadBatch | None, rows: Mapping[int, Item]) -> dict[int, Fate]:
    """What became of the rows of an upload, by their lines in its file; none where it has not ended."""
    if upload is None:
        return {}
    upload_id = None if upload.id is None else str(upload.id)
    readings = _by_line(upload.row_errors, rows)
    told = {
        line: _reasons([error for reading in readings for error in reading.get(line, ())])
        for line in sorted(set().union(*readings))
    }
    stored = (upload.success_num or 0) + (upload.with_error_num or 0)
    ended = f"The service ended the upload as {(upload.upload_status or '').lower()}"
    if upload.has_failed and not stored:
        words = " ".join(_reasons(upload.row_errors).values())
        whole = {"": f"{ended}. {words}".strip()}
        own = told if len(readings) == 1 else {}
        return {item.position: Fate("failed", upload_id, whole | own.get(line, {})) for line, item in rows.items()}
    wrong = (upload.with_error_num or 0) + (upload.critical_num or 0)
    last = max(told, default=0)
    untold = wrong - len(readings[0])
    left = sum(line > last for line in rows)
    is_astray = sum(map(len, readings[0].values())) < len(upload.row_errors)
    is_short = upload.success_num is not None and upload.success_num + wrong < len(rows)
    counted = f" and counts {count(stored, 'row', 'rows')} as stored" if stored or is_short else ""
    fates = {}
    for line, item in rows.items():
        if line in told and not all(line in reading for reading in readings):
            fates[item.position] = Fate("unknown", None, told[line] | {"": MAY_BE_ANOTHERS})
        elif line in told:
            is_stored = bool(upload.with_error_num) and set(told[line]) <= PLACE and _says_more(item, told[line])
            reasons = {"": "Stored without the invalid values."} | told[line] if is_stored else told[line]
            fates[item.position] = Fate("done" if is_stored else "failed", upload_id, reasons)
        elif upload.has_failed or is_astray or is_short:
            why = {"": f"{ended}{counted}. The service does not say whether it stored this row."}
            fates[item.position] = Fate("unknown", None, why)
        elif untold > 0 and line > last:
            is_open = untold < left
            why = {"": NOT_TOLD if is_open else REASON_NOT_TOLD}
            fates[item.position] = Fate("unknown" if is_open else "failed", None, why)
        else:
            fates[item.position] = Fate("done", upload_id)
    return fates


def _by_line(errors: Sequence[RowError], rows: Mapping[int, Item]) -> list[dict[int, list[RowError]]]:
    """Errors by the line of the file that was sent: once for each way of counting rows that fits best."""
    # ASSUMPTION A391: a service may count the headings as row 1, the first row as 1, or as 0: that is taken by which
    # most errors name the text that stands there, then by which most fall on a row that was sent.
    readings: list[dict[int, list[RowError]]] = []
    for shift in (0, 1, 2):
        found: dict[int, list[RowError]] = {}
        for error in errors:
            if error.row is not None and error.row + shift in rows:
                found.setdefault(error.row + shift, []).append(error)
        readings.append(found)

    def fit(reading: Mapping[int, Sequence[RowError]]) -> tuple[int, int]:
        placed = [_stands(error, rows[line]) for line, its in reading.items() for error in its]
        return sum(placed), len(placed)

    best = max(map(fit, readings))
    return [each for number, each in enumerate(readings) if fit(each) == best and each not in readings[:number]]


def _stands(error: RowError, item: Item) -> bool:
    return bool(item.payload["row"].get(_column(error), "") == (error.column_value or ""))


def _column(error: RowError) -> str:
    named = squash(error.column_name or "")
    return next((column.name for column in COLUMNS if column.matches_alias(named)), "")


def _reasons(errors: Sequence[RowError]) -> dict[str, str]:
    reasons: dict[str, list[str]] = {}
    for error in errors:
        code = error.upload_error_code or ""
        reasons.setdefault(_column(error), []).append(
            CODES.get(code, f"Message of the service: {code.lower().replace('_', ' ')}.")
        )
    return {column: " ".join(dict.fromkeys(words)) for column, words in reasons.items()}


def _says_more(item: Item, wrong: Mapping[str, Any]) -> bool:
    """Whether a row says where in another way, too, than by what was wrong."""
    row = item.payload["row"]
    others = [("locationId",) if "locationId" not in wrong else (), () if {"lat", "lon"} & set(wrong) else ("lat",)]
    return any(name in row for name in (*ADDRESS, *others[0], *others[1]))


# One file is one upload, and so one call.
_SENDING: Final = Sending("Upload", "stored", items, send, partial(look, 0), size=100_000, reconcile_size=100_000)
LOCATIONS: Final = Intake(
    kind=KIND,
    noun=("location", "locations"),
    columns=COLUMNS,
    rules=(
        span_rule("arriveDate", "expireDate"),
        expiry_rule,
        place_rule,
        # Of several rows for one person and source, the last one counts.
        find_repeats(
            "externalId",
            "source",
            words="Another row has the same person and source. The last row counts.",
            is_error=False,
        ),
    ),
    sending=_SENDING,
    position=POSITION,
    help="One row per person, with an ID, an end time, and a location.",
    placeholder="External ID;Arrives;Expires;Latitude;Longitude\nE10001;2026-11-20 08:00;2026-11-21 18:00;47.38;8.54",
)


def intake_knowing(known: Known) -> Intake:
    """The intake that holds rows against what this desk knows, and asks about what has expired at that moment."""
    to_send, to_look = partial(items, asked_at=known.at), partial(look, known.last_upload)
    sending = replace(_SENDING, items=to_send, confirmation_lines=lambda rows, _: known.asks(rows), reconcile=to_look)
    return replace(LOCATIONS, rules=(*LOCATIONS.rules, known.rule), sending=sending)
