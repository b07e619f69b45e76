"""The records of a list: filtered, sorted, as a table, as a file, and counted in messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeVar

import pandas as pd

from components.record_list.declaration import AllRecords, ListQuery, PagedRecords, RecordColumn, RecordList
from domain.tables.table_pages import sort_rows
from domain.text.plain_text import count

if TYPE_CHECKING:
    from client.paging import Page
    from components.record_list.declaration import ListResult
    from domain.runtime.background import ReadState
    from domain.runtime.workspace import Workspace
    from domain.tables.loaded_records import ReportProgress

R = TypeVar("R")

ID: Final = "\x1fid"


def filter_records(
    record_list: RecordList[R], source: AllRecords[R], records: Sequence[R], query: ListQuery, search_text: str
) -> list[R]:
    """Return the records that match the filters and contain every word of the text, without case, or have it as ID."""
    words = search_text.casefold().split()
    columns = [record_list.columns[name] for name in source.search]
    return [
        each
        for each in records
        if (source.matches is None or source.matches(each, query))
        and (not words or search_text.strip() == record_list.identity(each) or _contains(columns, each, words))
    ]


def _contains(columns: Iterable[RecordColumn[R]], record: R, words: Iterable[str]) -> bool:
    cells = [column.format_value(value) for column in columns if (value := column.value(record)) is not None]
    text = "\n".join(cells).casefold()
    return all(word in text for word in words)


def sort_records(record_list: RecordList[R], records: Sequence[R], order: tuple[str, bool] | None) -> list[R]:
    """Sort records by a column; None leaves their order unchanged."""
    if order is None:
        return list(records)
    column = record_list.columns[order[0]]
    values = pd.Series([(column.sort_value or column.value)(each) for each in records], dtype=object)
    rows = sort_rows(pd.DataFrame({"row": range(len(records))}), values, order[1])
    return [records[row] for row in rows["row"]]


def build_table(record_list: RecordList[R], page: Sequence[R]) -> pd.DataFrame:
    """Return a page of records as a table with the columns of the screen by name, and the IDs."""
    table: dict[str, list[object]] = {ID: [record_list.identity(each) for each in page]}
    shown = {name: column for name, column in record_list.columns.items() if not column.is_hidden}
    table |= {name: [column.value(each) for each in page] for name, column in shown.items()}
    return pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in table.items()})


def build_file_table(record_list: RecordList[R], records: Iterable[R]) -> pd.DataFrame:
    """Return records as the table of a file: unformatted values, IDs as text, all columns with a heading in files."""
    rows = list(records)
    return pd.DataFrame(
        {
            column.heading: pd.Series([column.value(each) for each in rows], dtype=object)
            for column in record_list.columns.values()
            if column.heading is not None
        }
    )


def count_file_pages(source: PagedRecords[R], result: ListResult[R]) -> int:
    """Return how many pages to read for a file of the result."""
    return -(-min(result.total, source.max_file_records) // (source.file_page_size or result.query.page_size))


def read_all_pages(
    workspace: Workspace, source: PagedRecords[R], query: ListQuery, report: ReportProgress = lambda *_: None
) -> list[R]:
    """Read all records of a query in order, up to the maximum of a file. Raises `ServiceError`."""
    if source.read_file is not None:
        return list(islice(source.read_file(workspace, query), source.max_file_records))
    size = source.file_page_size or query.page_size

    def page(number: int) -> Page[R]:
        return replace(source.read(workspace, replace(query, page_number=number, page_size=size)), load=page)

    return list(islice(_iterate_with_progress(page(1).pages(), report), source.max_file_records))


def count_total(page: Page[R], query: ListQuery) -> int:
    """Return the number of records; if the service does not return it, those up to this page and one on the next."""
    if page.total_count is not None:
        return page.total_count
    return (page.number - 1) * (page.page_size or query.page_size) + len(page.items) + page.has_next


def describe_progress(record_list: RecordList[R], now: ReadState[Any]) -> str:
    """Return the progress of a read: "Reading the trips … 200 of 1,612"."""
    text = f"Loading the {record_list.noun[1]}{' again' if now.value is not None else ''} …"
    if not now.done:
        return text
    return f"{text} {now.done:,}{f' of {max(now.total, now.done):,}' if now.total else ''}"


def _iterate_with_progress(pages: Iterator[Page[R]], report: ReportProgress) -> Iterator[R]:
    done = 0
    for page in pages:
        done += len(page.items)
        report(done, page.total_count)
        yield from page.items


def no_match_message(record_list: RecordList[R], search_text: str, *, has_filters: bool) -> str:
    """Return the message that no record matches the search or the filters."""
    if search_text.strip() and not has_filters:
        return f"No {record_list.noun[0]} matches “{search_text.strip()}”."
    return f"No {record_list.noun[0]} matches these filters."


def describe_selection(record_list: RecordList[R], number: int) -> str:
    """Return the number of selected records with its noun."""
    return f"{count(number, *record_list.noun)} selected"
