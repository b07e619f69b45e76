"""How rows are sent: the payloads, the batches, and how a lost response is resolved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from client import ServiceClient
from domain.file_import.row_problems import Rows
from domain.text.plain_text import names
from journal import Actor, Item, ItemStatus, Job, Journal, LedgerHistory

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

    def note(self, message: str, items: Sequence[Item] | None = None) -> None:
        """Record a note for `reconcile`, for some items or all, such as the name of an upload at the service."""
        self.note_each({item.position: message for item in (self if items is None else items)})


@dataclass(frozen=True)
class Sending:
    """How the rows of a file are sent: in batches, whose items the ledger records before and after each call."""

    verb: str
    """The verb of the button: "Add 12 assets"."""
    done_verb: str
    """The verb of the result: "12 added"."""
    build_items: Callable[[Rows], Iterable[Outgoing]]
    """Build the payloads of rows."""
    send: Callable[[ServiceClient, Batch], Sequence[ItemStatus]]
    """Send a batch, and return the status of each item in order. An error applies to the whole batch."""
    reconcile: Callable[[ServiceClient, Batch], Mapping[int, ItemStatus]] | None = None
    """Find the status of items with a lost response by reads only. Items that it leaves out stay Unknown.

    `item.note` has what `send` recorded with `batch.note`. Without `reconcile`, a person sets the status.
    """
    max_batch_size: int | Callable[[str], int] = 1_000
    """The maximum number of items per batch, or a function of the batch group."""
    width: int = 1
    """The number of batches that are sent at the same time."""
    reconcile_size: int = 100
    """The maximum number of items per call of `reconcile`."""
    confirmation_lines: Callable[[Rows, JournalContext], Sequence[str]] | None = None
    """Return the lines of a confirmation that sending needs. They end with `last_line`."""
    last_line: str = "This cannot be undone."
    is_repeatable: bool = False
    """Whether items with a lost response are sent again, because a repetition does no harm."""
    is_duplicate: Callable[[ItemStatus], bool] = lambda _: False
    """Return whether a failure means that the service has the record already.

    If the item was sent before without a response, it is then done, with an unknown ID.
    """
    invalidate: Callable[[], None] = lambda: None
    """Discard what the server has read of these records. Called after each batch."""
    other_verbs: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """`verb` and `done_verb` of other batch groups."""
    follow_up: Callable[[JournalContext, Sequence[tuple[Item, ItemStatus]]], None] = lambda *_: None
    """Do what follows for done items, before the ledger records them. It may get an item a second time."""

    def describe_done(self, job: Job, history: LedgerHistory) -> list[str]:
        """Return what a job has done: "140 added" and "2 canceled". Raises JournalError."""
        number, groups = job.counts.get("done", 0), job.batch_groups
        if number != sum(groups.values()):
            others = [group for group in groups if group in self.other_verbs]
            groups = {group: history.count_done_in_group([job.id], group).get(job.id, 0) for group in others}
            groups[""] = number - sum(groups.values())
        return [f"{number:,} {verb}" for verb, number in self.count_by_verb(groups, 1).items()]

    def count_by_verb(self, groups: Mapping[str, int], form: Literal[0, 1]) -> dict[str, int]:
        """Sum counts of batch groups by their verb: 0 for the verb, 1 for its past form."""
        numbers: Counter[str] = Counter()
        for group in sorted(groups, key=lambda group: group in self.other_verbs):
            numbers[self.other_verbs.get(group, (self.verb, self.done_verb))[form]] += groups[group]
        return {verb: number for verb, number in numbers.items() if number}

    def batch_size(self, batch_group: str) -> int:
        """Return the maximum number of items in a batch of this group."""
        return self.max_batch_size if isinstance(self.max_batch_size, int) else self.max_batch_size(batch_group)


def build_each_row(
    payload: Callable[[dict[str, Any]], Mapping[str, Any]], label: str
) -> Callable[[Rows], Iterable[Outgoing]]:
    """Return a function that sends one item per row, labeled by a column."""

    def items(rows: Rows) -> Iterator[Outgoing]:
        for place, (record, name) in enumerate(zip(rows.records(), rows.texts[label].tolist(), strict=True)):
            yield Outgoing([place], payload(record), name)

    return items


def list_names(
    *columns: str, find_names: Callable[[JournalContext, Collection[str]], Mapping[str, str]] = lambda *_: {}
) -> Callable[[Rows, JournalContext], list[str]]:
    """Return a function that names all rows in a confirmation, by the first filled column.

    The last column is an ID. `find_names` returns the known names of IDs.
    """

    def build_lines(rows: Rows, context: JournalContext) -> list[str]:
        parts = rows.texts[list(columns)]
        labels = parts.where(parts != "").bfill(axis=1).iloc[:, 0].fillna("")
        ids = labels[(parts[list(columns[:-1])] == "").all(axis=1)]
        labels = labels.replace(dict(find_names(context, set(ids)))) if len(ids) else labels
        return [f"{names(labels.tolist(), at_most=MAX_NAMES)}."]

    return build_lines
