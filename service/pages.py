"""Pages of answers: which slice a page number means, and the two envelopes the interface wraps it in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PAGE_SIZE = 1000


@dataclass(frozen=True)
class PageRequest:
    """Page `number` (from 1) of a list cut into pages of `size`."""

    number: int
    size: int = PAGE_SIZE

    @property
    def start(self) -> int:
        """Position of the first item, from 0."""
        return (self.number - 1) * self.size

    def links(self, uri: str, total: int) -> dict[str, Any]:
        """`firstPageUri`, `lastPageUri`, and `nextPageUri` unless this is the last page or beyond it."""
        last = max(1, self.page_count(total))
        uri += "&" if "?" in uri else "?"
        links = {"firstPageUri": f"{uri}pageNumber=1"}
        if self.number < last:
            links["nextPageUri"] = f"{uri}pageNumber={self.number + 1}"
        links["lastPageUri"] = f"{uri}pageNumber={last}"
        return links

    def page_count(self, total: int) -> int:
        """How many pages `total` items make."""
        return -(-total // self.size)

    def counts(self, total: int) -> dict[str, Any]:
        """`start`, `totalCount`, `totalPageCount`, `currentPageNo`."""
        return {
            "start": self.start,
            "totalCount": total,
            "totalPageCount": self.page_count(total),
            "currentPageNo": self.number,
        }


def page_with_counts_beside(request: PageRequest, uri: str, items: list[Any], total: int) -> dict[str, Any]:
    """The itinerary query's envelope: the counts stand beside `page`."""
    page = {"pageSize": request.size, "data": items}
    return {"message": "OK", **request.links(uri, total), **request.counts(total), "page": page}


def page_with_counts_inside(request: PageRequest, uri: str, items: list[Any], total: int) -> dict[str, Any]:
    """The envelope of expected locations: the counts stand inside `page`."""
    page = {"pageSize": request.size, "data": items, **request.counts(total)}
    return {"message": "OK", **request.links(uri, total), "page": page}
