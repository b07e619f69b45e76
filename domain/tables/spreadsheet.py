"""Tables as files for spreadsheets, without letting a cell become a formula or an id become a number."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, date, datetime
from typing import Any, Final

import pandas as pd
import xlsxwriter  # type: ignore[import-untyped]

FORMULA: Final = r"=+\-@\uff1d\uff0b\uff0d\uff20"
"""What begins a formula, as a class of a regular expression: some spreadsheets read full-width signs alike."""
SEPARATOR: Final = r";|\t\r\n"
"""What may begin a cell where a spreadsheet separates cells otherwise than by commas, and so reads quotes otherwise."""
MAX_SHEET_ROWS: Final = 1_048_576
MAX_CELL_LENGTH: Final = 32_767
LARGEST_EXACT_INTEGER: Final = 2**53

_FORMULA_START: Final = re.compile(rf"\A(?=[{FORMULA}\t\r\n])|(?<=[{SEPARATOR}])(?=[{FORMULA}])")
_ID_COLUMN: Final = re.compile(r"(^|[\s_])ids?$", re.IGNORECASE)
_NOT_IN_A_SHEET_NAME: Final = re.compile(r"[\[\]:*?/\\\x00-\x1f]|^'|'$")
_NOT_IN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def to_csv(table: pd.DataFrame) -> bytes:
    """Write a table as CSV in UTF-8 with the mark that spreadsheets look for; the index is left out.

    Every text is quoted. One that a spreadsheet would run as a formula gets an apostrophe before it, also in the middle
    of a cell that another list separator would end; numbers stay numbers; times are ISO 8601 in UTC.
    """
    safe = pd.DataFrame(
        {index: [_csv_cell(value) for value in table.iloc[:, index]] for index in range(table.shape[1])}, dtype=object
    )
    safe.columns = pd.Index([_csv_cell(str(name)) for name in table.columns])
    text: str = safe.to_csv(index=False, lineterminator="\r\n", quoting=csv.QUOTE_NONNUMERIC)
    return b"\xef\xbb\xbf" + text.encode("utf-8", errors="replace")


def to_xlsx(table: pd.DataFrame, sheet_name: str) -> bytes:
    """Write a table as an Excel workbook; the index is left out.

    Text is never run as a formula or made a link; columns named as ids are text to the last digit;
    times are UTC. A table longer than a sheet goes on in the next one.
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
    """Turn what a DataFrame holds into None, text, a number, a truth value or an aware or bare time."""
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
