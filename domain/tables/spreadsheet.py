"""Tables as CSV and Excel files, in which no cell becomes a formula and no ID becomes a number."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, date, datetime
from typing import Any, Final

import pandas as pd
import xlsxwriter  # type: ignore[import-untyped]

FORMULA: Final = r"=+\-@\uff1d\uff0b\uff0d\uff20"
"""Characters that begin a formula, as a character class. Some spreadsheets accept full-width characters too."""
SEPARATOR: Final = r";|\t\r\n"
"""Characters after which a cell may begin if a spreadsheet uses another separator than the comma."""
MAX_SHEET_ROWS: Final = 1_048_576
MAX_CELL_LENGTH: Final = 32_767
LARGEST_EXACT_INTEGER: Final = 2**53

_FORMULA_START: Final = re.compile(rf"\A(?=[{FORMULA}\t\r\n])|(?<=[{SEPARATOR}])(?=[{FORMULA}])")
_ID_COLUMN: Final = re.compile(r"(^|[\s_])ids?$", re.IGNORECASE)
_NOT_IN_A_SHEET_NAME: Final = re.compile(r"[\[\]:*?/\\\x00-\x1f]|^'|'$")
_NOT_IN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def to_csv(table: pd.DataFrame) -> bytes:
    """Return a table as CSV in UTF-8 with a byte order mark, without its index.

    Every text is quoted. A text that a spreadsheet would run as a formula gets an apostrophe, also after another
    separator within a cell. Numbers stay numbers, and times are ISO 8601 in UTC.
    """
    safe = pd.DataFrame(
        {index: [_csv_cell(value) for value in table.iloc[:, index]] for index in range(table.shape[1])}, dtype=object
    )
    safe.columns = pd.Index([_csv_cell(str(name)) for name in table.columns])
    text: str = safe.to_csv(index=False, lineterminator="\r\n", quoting=csv.QUOTE_NONNUMERIC)
    return b"\xef\xbb\xbf" + text.encode("utf-8", errors="replace")


def to_xlsx(table: pd.DataFrame, sheet_name: str) -> bytes:
    """Return a table as an Excel workbook, without its index.

    Text never becomes a formula or a link, and columns of IDs are text with all digits. Times are in UTC. A table that
    is longer than a sheet continues on the next one.
    """
    buffer = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
        "nan_inf_to_errors": True,
        "default_date_format": "yyyy-mm-dd hh:mm:ss",
    }
    with xlsxwriter.Workbook(buffer, options) as book:
        heading = book.add_format({"bold": True, "bottom": 1})
        name = _NOT_IN_A_SHEET_NAME.sub(" ", sheet_name).strip()[:25] or "Sheet"
        room = MAX_SHEET_ROWS - 1
        as_text = {str(column) for column in table.columns if _ID_COLUMN.search(str(column))}
        for number, start in enumerate(range(0, max(len(table), 1), room), start=1):
            sheet = book.add_worksheet(name if number == 1 else f"{name} {number}")
            sheet.freeze_panes(1, 0)
            for column in range(table.shape[1]):
                label = str(table.columns[column])
                values = [_xlsx_cell(v, label in as_text) for v in table.iloc[start : start + room, column]]
                sheet.write_string(0, column, label, heading)
                for row, value in enumerate(values, start=1):
                    if value is not None:
                        sheet.write(row, column, value)
                longest = max((len(str(value)) for value in values[:200]), default=0)
                sheet.set_column(column, column, min(max(longest, len(label)) + 2, 60))
            if table.shape[1]:
                sheet.autofilter(0, 0, max(len(table.iloc[start : start + room]), 1), table.shape[1] - 1)
    return buffer.getvalue()


def _csv_cell(value: Any) -> Any:
    value = _as_plain(value)
    if isinstance(value, str):
        return _FORMULA_START.sub("'", value)
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return "" if value is None else value


def _xlsx_cell(value: Any, as_text: bool) -> Any:
    value = _as_plain(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
    if isinstance(value, bool | date) or value is None:
        return value
    if isinstance(value, int | float) and not as_text and abs(value) <= LARGEST_EXACT_INTEGER:
        return value
    if isinstance(value, float) and as_text and value.is_integer():
        value = int(value)
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", str(value))[:MAX_CELL_LENGTH]


def _as_plain(value: Any) -> Any:
    """Return a cell as None, text, a number, a Boolean, or a time."""
    if isinstance(value, list | tuple | set | frozenset):
        return "; ".join(str(member) for member in value)
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, pd.Timestamp):
        moment = value.to_pydatetime(warn=False)
        return moment.astimezone(UTC) if moment.tzinfo else moment
    if isinstance(value, datetime):
        return value.astimezone(UTC) if value.tzinfo else value
    if isinstance(value, pd.Timedelta):
        return str(value)
    if hasattr(value, "item") and not isinstance(value, str):
        value = value.item()
    if isinstance(value, float) and value != value:
        return None
    return value
