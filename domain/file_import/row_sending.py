"""How rows are sent: the payloads, the batches, and how a lost response is resolved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from client import ServiceClient
from domain.file_import.row_problems import Rows
from domain.text.plain_text import names
from journal import Actor, Fate, Item, Job, Journal, LedgerHistory

MAX_NAMES = 7
"""The number of rows named in a confirmation."""


class JournalContext(Protocol):
    """The part of a workspace with the journal."""

    @property
    def journal(self) -> Journal:
        """The journal."""

    @property
    def actor(self) -> Actor:
        """The signed-in person."""


class Outgoing(NamedTuple):
    """The payload of some rows, by position. Items of one `batch_group` may share a batch."""

    rows: Sequence[int]
    payload: Mapping[str, Any]
    label: str = ""
    batch_group: str = ""


class Batch(list[Item]):
    """The items of one call, with callbacks during the call."""

    def __init__(
        self,
        items: Iterable[Item],
        note: Callable[[Mapping[int, str]], None] = lambda _: None,
        report: Callable[[str], None] = lambda _: None,
        wait: Callable[[float], bool] = lambda _: False,
    ) -> None:
        """Set the items and the callbacks."""
        super().__init__(items)
        self.note_each = note
        """Record a note for `reconcile` by position."""
        self.report = report
        """Report the progress of a long call."""
        self.wait = wait
        """Wait this many seconds. False: stop waiting."""

    def note(self, words: str, items: Sequence[Item] | None = None) -> None:
        """Record a note for `reconcile`, for some items or all, such as the name of an upload at the service."""
        self.note_each({item.position: words for item in (self if items is None else items)})


@dataclass(frozen=True)
class Sending:
    """How rows are sent: in batches of items, each written down before the call and after it.

    `send` gives a fate for each item, in their order; what it raises is judged for the whole batch. A service that
    names a batch before it is done has that noted, by `batch.note(…)`, for `look` (`item.note`). `look` finds out, by
    reads only, what became of items whose answer was lost: done, failed where nothing came of them, and none where
    it cannot tell; without it, and where it cannot tell, the person says. `size` is of a batch, by lot where batches
    differ, and `width` batches are under way at once: where the size is that of the largest file, a file is one call.
    What `is_repeatable` is sent again where its response was lost: that does no harm. A failure that `is_there` of what
    was sent before without a response means that the service has it, by an id that is not known.
    `verb` and `done` speak of it: "Add 12 assets", "12 added"; `others` in their place, of lots by name. What `asks`
    says of rows has to be agreed to first: that is red, and ends with `last_line`. After each batch `forget` has
    what shows such records read anew. `follow_up` is told the items that are done, as a rule some at a time, before the
    ledger says so: it may be told of one a second time.
    """

    verb: str
    done: str
    items: Callable[[Rows], Iterable[Outgoing]]
    send: Callable[[ServiceClient, Batch], Sequence[Fate]]
    reconcile: Callable[[ServiceClient, Batch], Mapping[int, Fate]] | None = None
    size: int | Callable[[str], int] = 1_000
    width: int = 1
    reconcile_size: int = 500
    confirmation_lines: Callable[[Rows, JournalContext], Sequence[str]] | None = None
    last_line: str = "This cannot be undone."
    is_repeatable: bool = False
    is_duplicate: Callable[[Fate], bool] = lambda _: False
    invalidate: Callable[[], None] = lambda: None
    other_verbs: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    follow_up: Callable[[JournalContext, Sequence[tuple[Item, Fate]]], None] = lambda *_: None

    def describe_done(self, job: Job, history: LedgerHistory) -> list[str]:
        """Return what a job has done: "140 added" and "2 canceled". Raises JournalError."""
        number, lots = job.counts.get("done", 0), job.lots
        if number != sum(lots.values()):
            others = [lot for lot in lots if lot in self.other_verbs]
            lots = {lot: history.count_done_of_lot([job.id], lot).get(job.id, 0) for lot in others}
            lots[""] = number - sum(lots.values())
        return [f"{done:,} {word}" for word, done in self.count_by_verb(lots, 1).items()]

    def count_by_verb(self, lots: Mapping[str, int], which: Literal[0, 1]) -> dict[str, int]:
        """Sum counts of batch groups by their verb: 0 for the verb, 1 for its past form."""
        numbers: Counter[str] = Counter()
        for lot in sorted(lots, key=lambda lot: lot in self.other_verbs):
            numbers[self.other_verbs.get(lot, (self.verb, self.done))[which]] += lots[lot]
        return {word: number for word, number in numbers.items() if number}

    def batch_size(self, batch_group: str) -> int:
        """Return the maximum number of items in a batch of this group."""
        return self.size if isinstance(self.size, int) else self.size(batch_group)


def build_each_row(
    payload: Callable[[dict[str, Any]], Mapping[str, Any]], label: str
) -> Callable[[Rows], Iterable[Outgoing]]:
    """Return a function that sends one item per row, labeled by a column."""

    def items(rows: Rows) -> Iterator[Outgoing]:
        for place, (record, name) in enumerate(zip(rows.records(), rows.texts[label].tolist(), strict=True)):
            yield Outgoing([place], payload(record), name)

    return items


def name_all_rows(
    *columns: str, find_names: Callable[[JournalContext, Collection[str]], Mapping[str, str]] = lambda *_: {}
) -> Callable[[Rows, JournalContext], list[str]]:
    """Return a function that names all rows in a confirmation, by the first filled column.

    The last column is an ID. `find_names` returns the known names of IDs.
    """

    def asks(rows: Rows, desk: JournalContext) -> list[str]:
        parts = rows.texts[list(columns)]
        called = parts.where(parts != "").bfill(axis=1).iloc[:, 0].fillna("")
        ids = called[(parts[list(columns[:-1])] == "").all(axis=1)]
        called = called.replace(dict(find_names(desk, set(ids)))) if len(ids) else called
        return [f"{names(called.tolist(), at_most=MAX_NAMES)}."]

    return asks
