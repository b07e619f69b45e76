"""What a list shows of its records: those that are asked for, as a table, as a file, and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeVar

import pandas as pd

from components.record_list.declared import Asked, ByPage, RecordColumn, Records, Whole
from domain.tables.table_pages import in_order
from domain.text.plain_text import count

if TYPE_CHECKING:
    from client.paging import Page
    from components.record_list.declared import Found
    from domain.runtime.background import Reading
    from domain.runtime.workspace import Workspace
    from domain.tables.listed import Tell

R = TypeVar("R")

ID: Final = "\x1fid"


def matching(what: Records[R], read: Whole[R], records: Sequence[R], asked: Asked, wanted: str) -> list[R]:
    """The records that the filters keep and that hold every word of the text, whatever its case, or have it as id."""
    words = wanted.casefold().split()
    searched = [what.columns[name] for name in read.search]
    return [
        each
        for each in records
        if (read.keeps is None or read.keeps(each, asked))
        and (not words or wanted.strip() == what.identity(each) or _holds(searched, each, words))
    ]


def _holds(searched: Iterable[RecordColumn[R]], record: R, words: Iterable[str]) -> bool:
    held = "\n".join(column.words(value) for column in searched if (value := column.value(record)) is not None)
    text = held.casefold()
    return all(word in text for word in words)


def in_order_asked(what: Records[R], records: Sequence[R], order: tuple[str, bool] | None) -> list[R]:
    """Put all records in the order of a column; without one they stand as they came."""
    if order is None:
        return list(records)
    column = what.columns[order[0]]
    values = pd.Series([(column.order or column.value)(each) for each in records], dtype=object)
    rows = in_order(pd.DataFrame({"row": range(len(records))}), values, order[1])
    return [records[row] for row in rows["row"]]


def table_of(what: Records[R], page: Sequence[R]) -> pd.DataFrame:
    """Make the table on the screen of the records of a page: a column by its name, and the ids."""
    table: dict[str, list[object]] = {ID: [what.identity(each) for each in page]}
    table |= {name: [column.value(each) for each in page] for name, column in what.columns.items() if not column.hidden}
    return pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in table.items()})


def file_of(what: Records[R], records: Iterable[R]) -> pd.DataFrame:
    """Make the table to take away: values as they are, ids as text, every column that has a heading in files."""
    held = list(records)
    return pd.DataFrame(
        {
            column.heading: pd.Series([column.value(each) for each in held], dtype=object)
            for column in what.columns.values()
            if column.heading is not None
        }
    )


def pages_of_a_file(read: ByPage[R], found: Found[R]) -> int:
    """How many pages are read for a file of what was found."""
    return -(-min(found.total, read.most_in_file) // (read.file_size or found.asked.size))


def every_page(workspace: Workspace, read: ByPage[R], asked: Asked, tell: Tell = lambda *_: None) -> list[R]:
    """Read all that is asked for, in its order, as much of it as a file holds. Raises `ServiceError`."""
    if read.read_file is not None:
        return list(islice(read.read_file(workspace, asked), read.most_in_file))
    size = read.file_size or asked.size

    def page(number: int) -> Page[R]:
        return replace(read.read(workspace, replace(asked, number=number, size=size)), load=page)

    return list(islice(told(page(1).pages(), tell), read.most_in_file))


def total_of(page: Page[R], asked: Asked) -> int:
    """How many there are; where the service does not tell, at least as many as the pages up to the next."""
    if page.total_count is not None:
        return page.total_count
    return (page.number - 1) * (page.page_size or asked.size) + len(page.items) + page.has_next


def reading_words(what: Records[R], now: Reading[Any]) -> str:
    """Say how far the reading is."""
    words = f"Reading the {what.noun[1]}{' again' if now.value is not None else ''} …"
    if not now.done:
        return words
    return f"{words} {now.done:,}{f' of {max(now.total, now.done):,}' if now.total else ''}"


def told(pages: Iterator[Page[R]], tell: Tell) -> Iterator[R]:
    """The records of all pages, saying after each how far it is."""
    done = 0
    for page in pages:
        done += len(page.items)
        tell(done, page.total_count)
        yield from page.items


def none_words(what: Records[R], wanted: str, *, is_narrowed: bool) -> str:
    """Say that nothing is there of what is asked for."""
    if wanted.strip() and not is_narrowed:
        return f"No {what.noun[0]} matches “{wanted.strip()}”."
    return f"No {what.noun[0]} matches these filters."


def picked_words(what: Records[R], picked: int) -> str:
    """Say how many are picked."""
    return f"{count(picked, *what.noun)} selected"
