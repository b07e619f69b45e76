"""Read the rows of a CSV of dynamic locations by header, and check them one by one (interface: Dynamic locations)."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from pydantic.alias_generators import to_snake

from client.vocabulary.dynamic_locations import COLUMNS
from service.epoch import to_ms
from service.schema import KEY_LENGTH

DEFAULT_SOURCE = "UPLOAD"
FIRST_ROW = 2
"""The number of the first row after the header, counted as spreadsheets do."""

HEADERS_VARIABLE = "MUSTER_SERVICE_LOCATION_HEADERS"
"""The environment variable with the administrator's spellings of header names."""

_REQUIRED = ("externalId", "expireDate")
_ADDRESS = ("street", "suite", "city", "state", "postalCode", "country")
_MORE = ("floorNo", "roomNo", "referenceId")
_EPOCH_MS = re.compile(r"\d{12,13}\Z", re.ASCII)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?\Z", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d{1,3}(\.\d{0,20})?\Z", re.ASCII)


class Code(StrEnum):
    """What can be wrong with a row or a file."""

    # ASSUMPTION A152: all codes after the first four; no example shows them.
    EXTERNAL_ID_NOT_EXIST = "EXTERNAL_ID_NOT_EXIST"
    LOCATION_ID_NOT_EXIST = "DYN_LOC_LOCATIONID_NOT_EXIST"
    LAT_RANGE_INVALID = "LAT_RANGE_INVALID"
    HEADER_NOT_FOUND = "BATCH_HEADER_NOT_FOUND"
    LON_RANGE_INVALID = "LON_RANGE_INVALID"
    ARRIVE_DATE_INVALID = "ARRIVE_DATE_INVALID"
    EXPIRE_DATE_INVALID = "EXPIRE_DATE_INVALID"
    EXPIRE_BEFORE_ARRIVE = "EXPIRE_DATE_BEFORE_ARRIVE_DATE"
    LOCATION_EMPTY = "DYN_LOC_LOCATION_EMPTY"
    ROW_MALFORMED = "ROW_MALFORMED"
    FILE_NOT_READABLE = "FILE_NOT_READABLE"
    SOURCE_TOO_LONG = "SOURCE_TOO_LONG"
    INTERNAL_ERROR = "INTERNAL_ERROR"


@dataclass(frozen=True)
class RowError:
    """One error and its column."""

    row_number: int
    column_name: str
    column_value: str
    code: Code


class UnreadableFileError(Exception):
    """A file without readable rows."""

    def __init__(self, error: RowError) -> None:
        super().__init__(error.code)
        self.error = error


class HeaderSpellingsError(Exception):
    """The configured spellings of header names cannot be read."""


@dataclass(frozen=True)
class Row:
    """One row as it was sent. A row with more cells than the header has no values."""

    number: int
    values: Mapping[str, str] | None

    def value(self, column: str) -> str:
        """Return the value of a column; empty if the file does not have it."""
        return (self.values or {}).get(column, "")


@dataclass(frozen=True)
class Site:
    """The place of a locationId, in decimal degrees."""

    latitude: float | None
    longitude: float | None


@dataclass(frozen=True)
class KnownRecords:
    """The people and places of the organization that rows name."""

    contacts: Mapping[str, int]
    sites: Mapping[str, Site]


@dataclass(frozen=True)
class RowResult:
    """The result of a row. `key` is person and source. A `location` of None deletes the current location."""

    errors: Sequence[RowError]
    key: tuple[int, str] | None = None
    location: Mapping[str, object] | None = None

    @property
    def is_critical(self) -> bool:
        """Return whether the row had no effect."""
        return self.key is None

    @property
    def has_coordinates(self) -> bool:
        """Return whether the row has coordinates."""
        return self.location is not None and self.location["latitude"] is not None


def read_rows(content: bytes) -> list[Row]:
    """Return the rows of a file without blank ones. Raises `UnreadableFileError`."""
    # ASSUMPTION A149: UTF-8 and commas. Header names in any case and order; blanks and underscores in them are ignored.
    # An administrator may configure further spellings.
    unreadable = UnreadableFileError(RowError(1, "", "", Code.FILE_NOT_READABLE))
    try:
        text = content.decode("utf-8-sig")
        lines = list(csv.reader(io.StringIO(text, newline="")))
    except (ValueError, csv.Error) as error:
        raise unreadable from error
    if "\0" in text:
        raise unreadable
    spellings = header_spellings()
    header = [spellings.get(_folded(cell)) for cell in lines[0]] if lines else []
    for column in _REQUIRED:
        if column not in header:
            raise UnreadableFileError(RowError(1, column, "", Code.HEADER_NOT_FOUND))
    rows: list[Row] = []
    for number, cells in enumerate(lines[1:], FIRST_ROW):
        if not any(cell.strip() for cell in cells):
            continue
        too_many = any(cell.strip() for cell in cells[len(header) :])
        values = {column: cell.strip() for column, cell in zip(header, cells, strict=False) if column and cell.strip()}
        rows.append(Row(number, None if too_many else values))
    return rows


def header_spellings() -> dict[str, str]:
    """Return the column of each header spelling: its own name, and those that the environment adds.

    The variable holds `spelling=column` pairs separated by commas. Raises `HeaderSpellingsError`.
    """
    spellings = dict(_KNOWN)
    for pair in os.environ.get(HEADERS_VARIABLE, "").split(","):
        spelling, _, column = pair.rpartition("=")
        if not pair.strip():
            continue
        if not spelling.strip() or _folded(column) not in _KNOWN:
            columns = ", ".join(COLUMNS)
            raise HeaderSpellingsError(
                f"{HEADERS_VARIABLE}: “{pair.strip()}” is not a pair spelling=column with one of the columns {columns}."
            )
        spellings[_folded(spelling)] = _KNOWN[_folded(column)]
    return spellings


def check_row(row: Row, records: KnownRecords, now: int) -> RowResult:
    """Check one row at a time in epoch milliseconds."""
    if row.values is None:
        return RowResult([RowError(row.number, "", "", Code.ROW_MALFORMED)])
    if len(row.value("source")) > KEY_LENGTH:
        return RowResult([_error(row, "source", Code.SOURCE_TOO_LONG)])
    contact_id = records.contacts.get(row.value("externalId"))
    if contact_id is None:
        return RowResult([_error(row, "externalId", Code.EXTERNAL_ID_NOT_EXIST)])
    arrive = read_moment(row.value("arriveDate")) if row.value("arriveDate") else now
    expire = read_moment(row.value("expireDate"))
    if arrive is None:
        return RowResult([_error(row, "arriveDate", Code.ARRIVE_DATE_INVALID)])
    if expire is None:
        return RowResult([_error(row, "expireDate", Code.EXPIRE_DATE_INVALID)])
    # ASSUMPTION A150: a row without a source has the source UPLOAD; a person without an arriveDate has arrived.
    key = (contact_id, row.value("source") or DEFAULT_SOURCE)
    if expire <= now:
        return RowResult([], key)
    if expire < arrive:
        return RowResult([_error(row, "expireDate", Code.EXPIRE_BEFORE_ARRIVE)])
    return _placed(row, records, key, arrive, expire)


def _placed(row: Row, records: KnownRecords, key: tuple[int, str], arrive: int, expire: int) -> RowResult:
    # ASSUMPTION A151: if the place is known in another way, a wrong locationId or coordinate is dropped, and the row
    # counts as one with errors. Otherwise it is critical.
    errors: list[RowError] = []
    latitude, longitude = _coordinates(row, errors)
    location_id = row.value("locationId") or None
    if location_id is not None and location_id not in records.sites:
        errors.append(_error(row, "locationId", Code.LOCATION_ID_NOT_EXIST))
        location_id = None
    if location_id is not None and latitude is None:
        latitude, longitude = records.sites[location_id].latitude, records.sites[location_id].longitude
    if latitude is None and location_id is None and not any(row.value(column) for column in _ADDRESS):
        return RowResult(errors or [_error(row, "locationId", Code.LOCATION_EMPTY)])
    return RowResult(
        errors,
        key,
        {
            "arrive_at": arrive,
            "expire_at": expire,
            "location_id": location_id,
            "latitude": latitude,
            "longitude": longitude,
            **{to_snake(column): row.value(column) or None for column in (*_ADDRESS, *_MORE)},
        },
    )


def _coordinates(row: Row, errors: list[RowError]) -> tuple[float | None, float | None]:
    if not row.value("lat") and not row.value("lon"):
        return None, None
    latitude, longitude = _degrees(row.value("lat"), 90), _degrees(row.value("lon"), 180)
    if latitude is None:
        errors.append(_error(row, "lat", Code.LAT_RANGE_INVALID))
    if longitude is None:
        errors.append(_error(row, "lon", Code.LON_RANGE_INVALID))
    return (None, None) if latitude is None or longitude is None else (latitude, longitude)


def _degrees(text: str, most: int) -> float | None:
    value = float(text) if _NUMBER.match(text) else None
    return value if value is not None and abs(value) <= most else None


def read_moment(text: str) -> int | None:
    """Return the epoch milliseconds of a date in a file: ISO 8601, in UTC unless it says otherwise, or a number."""
    if _EPOCH_MS.match(text):
        return int(text)
    if not _DATE.match(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
        return to_ms(moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment)
    except (ValueError, OverflowError):
        return None


def names_in(rows: Collection[Row]) -> tuple[set[str], set[str]]:
    """Return the external IDs and location IDs that rows name."""
    return {row.value("externalId") for row in rows} - {""}, {row.value("locationId") for row in rows} - {""}


def _error(row: Row, column: str, code: Code) -> RowError:
    return RowError(row.number, column, row.value(column)[:500], code)


def _folded(text: str) -> str:
    return re.sub(r"[\s_]", "", text).casefold()


_KNOWN = {_folded(column): column for column in COLUMNS}
