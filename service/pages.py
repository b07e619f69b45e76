"""Pages of lists: the slice of a page number, how it is read, and its envelope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, func, select

Found = tuple[Sequence[Any], int]
"""The items of a page, and the total of the list."""


@dataclass(frozen=True)
class PageRequest:
    """A request for page `number` (from 1) of pages of `size`. A size of None returns all items on one page."""

    number: int
    size: int | None

    @property
    def start(self) -> int:
        """Return the position of the first item, from 0."""
        return (self.number - 1) * (self.size or 0)

    def page(self, result: Found) -> dict[str, Any]:
        """Return the fields of a `Page`."""
        items, total = result
        return {
            "page_size": total if self.size is None else self.size,
            "start": self.start,
            "data": items,
            "total_count": total,
            "total_page_count": min(total, 1) if self.size is None else -(-total // self.size),
            "current_page_no": self.number,
        }

    def response(self, result: Found, uri: str | None = None) -> dict[str, Any]:
        """Return the fields of a `PageResponse`, with links if the list's URI is given."""
        page = self.page(result)
        if uri is None:
            return {"page": page}
        uri += "&pageNumber=" if "?" in uri else "?pageNumber="
        last = max(1, page["total_page_count"])
        following = f"{uri}{self.number + 1}" if self.number < last else None
        links = {"first_page_uri": f"{uri}1", "next_page_uri": following, "last_page_uri": f"{uri}{last}"}
        return {**links, "page": page}


def read_page(connection: Connection, statement: Select[Any], page: PageRequest) -> Found:
    """Return the rows of a page of a statement, and its total."""
    rows = connection.execute(statement.limit(page.size).offset(page.start)).all()
    if page.size is None:
        return rows if page.number == 1 else [], len(rows)
    if len(rows) < page.size and (rows or page.start == 0):
        return rows, page.start + len(rows)
    counted = select(func.count()).select_from(statement.order_by(None).subquery())
    return rows, connection.execute(counted).scalar_one()
