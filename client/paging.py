"""Pages of records in any envelope, with the pages that follow."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, TypeAdapter

from .classify import classify
from .models.base import AnswerModel, LenientCount
from .transport import Call, Transport

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of records. Iterating it yields every record from this page to the last page; further pages are read as
    needed.

    `items` are the records of this page alone. Totals are those of the service; None if it sends none that is usable.
    """

    items: list[T]
    number: int
    page_size: int | None = None
    total_count: int | None = None
    total_pages: int | None = None
    has_next: bool = False
    load: Callable[[int], "Page[T]"] | None = field(default=None, repr=False, compare=False)

    def __iter__(self) -> Iterator[T]:
        return (item for page in self.pages() for item in page.items)

    def pages(self) -> Iterator["Page[T]"]:
        """Yield this page and those after it.

        Page numbers are counted locally, because those of services are unreliable. A page equal to the previous one
        ends the iteration: some services answer every number with the same page.
        """
        page = self
        yield page
        while page.load is not None and page.has_next:
            following = page.load(page.number + 1)
            if following.items == page.items:
                return
            yield following
            page = following


class _Counts(AnswerModel):
    """Sizes and totals, which services send inside `page` or next to it."""

    page_size: LenientCount = None
    total_count: LenientCount = None
    total_page_count: LenientCount = None
    current_page_no: LenientCount = None


class _Inside(_Counts, Generic[M]):
    data: list[M | None] | M | None = None


class _Envelope(_Counts, Generic[M]):
    message: Any = None
    page: _Inside[M] | list[M | None] | None = None
    data: list[M | None] | M | None = None
    first_page_uri: Any = None
    previous_page_uri: Any = None
    current_page_uri: Any = None
    next_page_uri: Any = None
    last_page_uri: Any = None


def read_page(record: type[M], content: bytes, *, number: int) -> Page[M]:
    """Read the answer to a request for page `number`. Raises ValueError if it is not a page of such records.

    There is a next page if the envelope has its URI. If the envelope has no URIs at all, either total decides (totals
    may contradict each other); without totals, a full page has a next page. An empty page is always the last. URIs are
    never followed.
    """
    bare, enveloped = _adapters(record)
    if content.lstrip()[:1] == b"[":
        return Page(_records(bare.validate_json(content)), number)
    envelope = enveloped.validate_json(content)
    inside = envelope.page
    counts: list[_Counts] = [envelope]
    found: list[M | None] | M | None
    if isinstance(inside, _Inside):
        counts.insert(0, inside)
        found = inside.data
    else:
        found = inside if inside is not None else envelope.data
    if found is None and not _says_empty(envelope):
        raise ValueError("the response has no page")
    if not found and classify(200, content) is not None:
        raise ValueError("the response is an error")
    entries = found if isinstance(found, list) else [] if found is None else [found]
    items = _records(entries)
    total_count = _largest([count.total_count for count in counts])
    total_pages = _largest([count.total_page_count for count in counts])
    page_size = _largest([count.page_size for count in counts])
    has_next = bool(entries) and _has_next(envelope, len(entries), number, page_size, total_pages, total_count)
    if total_pages is not None:
        total_pages = max(total_pages, number + 1 if has_next else number if items else 0)
    return Page(
        items=items,
        number=number,
        page_size=page_size,
        total_count=None if total_count is None else max(total_count, len(items)),
        total_pages=total_pages,
        has_next=has_next,
    )


def call_page(
    transport: Transport, call: Call, record: type[M], number: int, *, parameters: tuple[str, ...] = ("pageNumber",)
) -> Page[M]:
    """Make a call for page `number`, which goes into the query under each of `parameters`."""
    numbered = replace(call, query={**call.query, **dict.fromkeys(parameters, str(number))})
    page = transport.call(numbered, partial(read_page, record, number=number))
    return replace(page, load=lambda following: call_page(transport, call, record, following, parameters=parameters))


def _has_next(
    envelope: _Envelope[Any],
    length: int,
    number: int,
    page_size: int | None,
    total_pages: int | None,
    total_count: int | None,
) -> bool:
    if envelope.next_page_uri:
        return True
    others = (
        envelope.first_page_uri,
        envelope.previous_page_uri,
        envelope.current_page_uri,
        envelope.last_page_uri,
    )
    if any(others):
        return False
    size = max(page_size or 0, length)
    # Totals below what has been received, such as a default 0, mean nothing.
    says_pages = total_pages is not None and total_pages >= number
    says_count = total_count is not None and total_count >= (number - 1) * size + length
    if not says_pages and not says_count:
        return page_size is not None and 0 < page_size <= length
    # Reading one page too many returns an empty page; one too few would lose records.
    return number < (total_pages or 0) or number * size < (total_count or 0)


def _says_empty(envelope: _Envelope[Any]) -> bool:
    """Return whether an envelope without records is valid: it has counts, or a message of success."""
    counts = envelope.page if isinstance(envelope.page, _Inside) else envelope
    if counts.total_count is not None or counts.current_page_no is not None or envelope.total_count is not None:
        return True
    return isinstance(envelope.page, _Inside) or str(envelope.message).strip().casefold() == "ok"


def _records(entries: list[M | None]) -> list[M]:
    """Return the entries of a list without nulls."""
    return [entry for entry in entries if entry is not None]


def _largest(numbers: list[int | None]) -> int | None:
    """Return the largest of contradicting totals, which loses no records."""
    known = [number for number in numbers if number is not None and number >= 0]
    return max(known, default=None)


@cache
def _adapters(record: type[M]) -> tuple[TypeAdapter[list[M | None]], TypeAdapter[_Envelope[M]]]:
    return (
        cast(TypeAdapter[list[M | None]], TypeAdapter(list[record | None])),  # type: ignore[valid-type]
        cast(TypeAdapter[_Envelope[M]], TypeAdapter(_Envelope[record])),  # type: ignore[valid-type]
    )
