"""How rows of a file are sent: what is sent of them, in which batches, and how a lost response is resolved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from client import ServiceClient
from domain.file_import.row_problems import Rows
from domain.text.plain_text import names
from journal import Actor, Fate, Item, Job, Journal, LedgerHistory

NAMED = 7
"""So many rows are named in what has to be agreed to."""


class Desk(Protocol):
    """The part of a workspace that is needed here."""

    @property
    def journal(self) -> Journal:
        """The journal to read from and write to."""

    @property
    def actor(self) -> Actor:
        """Who acts."""


class Outgoing(NamedTuple):
    """What is to be sent of some of the rows, by their places; items of one `lot` may share a batch."""

    rows: Sequence[int]
    payload: Mapping[str, Any]
    label: str = ""
    lot: str = ""


class Batch(list[Item]):
    """The items of one call, with what can be told while it goes on."""

    def __init__(
        self,
        items: Iterable[Item],
        note: Callable[[Mapping[int, str]], None] = lambda _: None,
        say: Callable[[str], None] = lambda _: None,
        wait: Callable[[float], bool] = lambda _: False,
    ) -> None:
        """Take the items, and whom to tell."""
        super().__init__(items)
        self.note_each = note
        """Note by position what `look` has to know, where that is another for each item."""
        self.say = say
        """Say how far a call is that takes long."""
        self.wait = wait
        """Wait so many seconds for a service that takes long; False where it is not to be waited for any longer."""

    def note(self, words: str, items: Sequence[Item] | None = None) -> None:
        """Note of some items, or all, what `look` has to know where the answer is lost: the service's name of them."""
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
    look: Callable[[ServiceClient, Batch], Mapping[int, Fate]] | None = None
    size: int | Callable[[str], int] = 1_000
    width: int = 1
    looked_at: int = 500
    asks: Callable[[Rows, Desk], Sequence[str]] | None = None
    last_line: str = "This cannot be undone."
    is_repeatable: bool = False
    is_there: Callable[[Fate], bool] = lambda _: False
    forget: Callable[[], None] = lambda: None
    others: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    follow_up: Callable[[Desk, Sequence[tuple[Item, Fate]]], None] = lambda *_: None

    def did(self, job: Job, history: LedgerHistory) -> list[str]:
        """What was done of a job: "140 added" and "2 canceled". Raises JournalError."""
        number, lots = job.counts.get("done", 0), job.lots
        if number != sum(lots.values()):
            others = [lot for lot in lots if lot in self.others]
            lots = {lot: history.count_done_of_lot([job.id], lot).get(job.id, 0) for lot in others}
            lots[""] = number - sum(lots.values())
        return [f"{done:,} {word}" for word, done in self.count_by_words(lots, 1).items()]

    def count_by_words(self, lots: Mapping[str, int], which: Literal[0, 1]) -> dict[str, int]:
        """Count items by what is said of their lots: 0 for what is done with them, 1 for what was."""
        numbers: Counter[str] = Counter()
        for lot in sorted(lots, key=lambda lot: lot in self.others):
            numbers[self.others.get(lot, (self.verb, self.done))[which]] += lots[lot]
        return {word: number for word, number in numbers.items() if number}

    def most(self, lot: str) -> int:
        """How many items of a lot make a batch."""
        return self.size if isinstance(self.size, int) else self.size(lot)


def each_row(
    payload: Callable[[dict[str, Any]], Mapping[str, Any]], label: str
) -> Callable[[Rows], Iterable[Outgoing]]:
    """Send an item a row, called by what stands in the column `label`."""

    def items(rows: Rows) -> Iterator[Outgoing]:
        for place, (record, name) in enumerate(zip(rows.records(), rows.texts[label].tolist(), strict=True)):
            yield Outgoing([place], payload(record), name)

    return items


def all_named(
    *columns: str, named: Callable[[Desk, Collection[str]], Mapping[str, str]] = lambda *_: {}
) -> Callable[[Rows, Desk], list[str]]:
    """Ask about every row, by what stands in the first of these columns that says anything.

    Where only the last says something, which is an id, `named` gives the names of those ids that are known.
    """

    def asks(rows: Rows, desk: Desk) -> list[str]:
        parts = rows.texts[list(columns)]
        called = parts.where(parts != "").bfill(axis=1).iloc[:, 0].fillna("")
        ids = called[(parts[list(columns[:-1])] == "").all(axis=1)]
        called = called.replace(dict(named(desk, set(ids)))) if len(ids) else called
        return [f"{names(called.tolist(), at_most=NAMED)}."]

    return asks
