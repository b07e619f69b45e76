"""A file held against what a screen takes in: what is wrong in which cell, mended or dropped until rows are ready.

A whole screen:

    ASSETS = Intake(
        kind="asset",
        noun=("asset", "assets"),
        columns=[
            Column("name", "Name", Text(longest=100), aliases=("title",), required=True),
            Column("startDate", "Starts", Moment()),
            Column("endDate", "Ends", Moment(is_end=True)),
            Column("latitude", "Latitude", Decimal(-90, 90), aliases=("lat",), by_content=True),
        ],
        rules=[repeated("name", words="This name stands in another row, too.", is_error=False), ends_after_start],
        sending=Sending(
            verb="Add", done="added",
            items=each_row(lambda row: {"name": row["name"], "startDate": row["startDate"]}, label="name"),
            send=lambda client, items: fates_of(client.assets.create_batch([item.payload_text for item in items])),
            look=lambda client, items: {item.position: held(client, item) for item in items},
            size=100,
        ),
    )
    take_in(workspace, ASSETS, key="assets")          # the page: four steps, what is under way, and what came of it

What is wrong is worked out over whole columns, and only for those that changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from client import ServiceClient
from domain.file_import.cell_times import DateOrder, order_shown, without_zone
from domain.file_import.column_matching import Column, Group, Match, match_columns, named_columns
from domain.file_import.column_types import SAY_THE_ORDER, Clock, Mask, Moment, Reading, WallClock
from domain.file_import.delimited import Table
from domain.file_import.source_file import SourceFile, read_source
from domain.text.plain_text import count, names
from journal import Actor, Fate, Item, Job, Journal, Ledger, NewItem
from journal.ledger_records import NOT_SENT, SAID_NOT_DONE

if TYPE_CHECKING:
    from domain.file_import.positions import Position

T = TypeVar("T")
Asks = Literal["", "country", "order", "contacts"]
View = Literal["all", "errors", "warnings"]
QUESTIONS: Mapping[Asks, tuple[tuple[str, str], str]] = {
    "order": (
        ("row has a date", "rows have dates"),
        "such as 03/04/2026. Muster cannot tell the day from the month.",
    ),
    "country": (
        ("row has a phone number", "rows have phone numbers"),
        "without a country code. Muster sends such numbers as written.",
    ),
    "contacts": (
        ("row has an employee ID", "rows have employee IDs"),
        "without a name. The service refuses them unless these people are contacts already.",
    ),
}
MANY_ROWS = 20
"""From so many rows on, what is wrong with most of a column is said once for all of it."""
MOST_CELLS = 0.8
NOTHING_GIVEN = "Nothing is given."
NOT_WORKED_OUT = "The workbook could not work this cell out (“{}”): write what belongs here."
_LATER_ERRORS = ("#SPILL!", "#CALC!", "#FIELD!", "#GETTING_DATA")
SHEET_ERRORS = frozenset(("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", *_LATER_ERRORS))
HELD_BACK = "Another row of it has an error"
FILLED_WHERE_TOLD = 0.9
REASON = "Reason"
ROW = "Row"
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


@dataclass(frozen=True)
class Offer:
    """What can be done about problems in all rows at once: other texts by column, row by row; none drops the rows.

    "{}" in the words stands for how many rows.
    """

    words: str
    cells: Mapping[str, pd.Series[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Problem:
    """What is wrong with a column ("" for the row as a whole) in the rows of a mask; "{}" stands for the cell.

    An error keeps its rows from being taken, a warning does not. `told` gives the words of a row where each has its
    own; `against` gives the number in the file of the row that each is held against. What `asks` is a question about
    the whole file: one answer settles it in all rows, and as a warning it stands above them and not at each.
    """

    rows: Mask
    column: str
    words: str
    is_error: bool = True
    offer: Offer | None = None
    asks: Asks = ""
    told: Callable[[int], str] | None = None
    against: npt.NDArray[np.int64] | None = None


@dataclass(frozen=True)
class Rows:
    """Rows of a file by the columns of the declaration: as texts, "" where nothing is, and as values.

    `numbers` are the rows' in the file. A value that is not there is None or NA.
    """

    texts: pd.DataFrame
    values: Mapping[str, pd.Series[Any]]
    numbers: npt.NDArray[np.int64]
    reading: Reading = field(default_factory=Reading)
    headings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The columns of the file that stand for each."""
    keys: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    """`Column.key` of the columns that have one."""

    def __len__(self) -> int:
        return len(self.texts)

    def compared(self, column: str) -> pd.Series[str]:
        """The texts of a column as cells are compared."""
        texts = self.texts[column]
        return texts.map(self.keys[column]) if column in self.keys else texts

    def only(self, rows: Mask | npt.NDArray[np.intp]) -> Rows:
        """Some of the rows, in the order of their places where those are given."""
        values = {name: series.iloc[rows].reset_index(drop=True) for name, series in self.values.items()}
        texts = self.texts.iloc[rows].reset_index(drop=True)
        return replace(self, texts=texts, values=values, numbers=self.numbers[rows])

    def records(self) -> Iterator[dict[str, Any]]:
        """Row by row, the values that are there."""
        plain = {
            name: series.astype(object).where(series.notna(), None).tolist()
            for name, series in self.values.items()
            if series.notna().any()
        }
        for row in zip(*plain.values(), strict=True):
            yield {name: value for name, value in zip(plain, row, strict=True) if value is not None}


Rule = Callable[[Rows], Iterable[Problem]]


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

    def will(self, check: Check) -> str:
        """What sending the rows that are ready does: "Add 12 trips", "Add 140, cancel 2 trips"."""
        lots = Counter(item.lot for item in check.outgoing()) if self.others else {"": check.number}
        numbers = self._by_words(lots, 0) or {self.verb: 0}
        *first, last = numbers.items()
        parts = [*(f"{verb} {number:,}" for verb, number in first), f"{last[0]} {count(last[1], *check.intake.noun)}"]
        return ", ".join([parts[0], *(f"{part[0].lower()}{part[1:]}" for part in parts[1:])])

    def did(self, job: Job, ledger: Ledger) -> list[str]:
        """What was done of a job: "140 added" and "2 canceled". Raises JournalError."""
        number, lots = job.counts.get("done", 0), job.lots
        if number != sum(lots.values()):
            lots = {lot: ledger.done_of_lot([job.id], lot).get(job.id, 0) for lot in lots if lot in self.others}
            lots[""] = number - sum(lots.values())
        return [f"{done:,} {word}" for word, done in self._by_words(lots, 1).items()]

    def _by_words(self, lots: Mapping[str, int], which: int) -> dict[str, int]:
        numbers: Counter[str] = Counter()
        for lot in sorted(lots, key=lambda lot: lot in self.others):
            numbers[self.others.get(lot, (self.verb, self.done))[which]] += lots[lot]
        return {word: number for word, number in numbers.items() if number}

    def most(self, lot: str) -> int:
        """How many items of a lot make a batch."""
        return self.size if isinstance(self.size, int) else self.size(lot)


@dataclass(frozen=True)
class Intake:
    """What a screen takes in; `own` reads texts that are no tables. Without `sending`, the caller takes the rows.

    `columns` hold the first of those of each group. Rows that say the same in the column `together` are taken together
    or not at all. Of the columns `one_of` a file needs any; the first can be written once for all rows.
    With a `position`, half of one and a swapped one are told, rows are drawn on a map, and where they lie says in which
    zone their times may be.
    """

    kind: str
    noun: tuple[str, str]
    columns: Sequence[Column]
    rules: Sequence[Rule] = ()
    groups: Sequence[Group] = ()
    together: str = ""
    one_of: Sequence[str] = ()
    sending: Sending | None = None
    position: Position | None = None
    most_rows: int = 100_000
    own: Callable[[str], Table | None] | None = None
    help: str = ""
    placeholder: str = ""

    def read(self, name: str, content: bytes | str, *, sheet: str | None = None) -> SourceFile:
        """Read a file or a pasted text. Raises Unreadable."""

        def named(cells: Sequence[str]) -> int:
            return named_columns(cells, self.columns, self.groups)

        return read_source(name, content, named=named, most_rows=self.most_rows, sheet=sheet, own=self.own)


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


def repeated(*columns: str, words: str, is_error: bool = True) -> Rule:
    """Rows that say in these columns what a row before them says; rows with nothing in them repeat nothing."""

    def rule(rows: Rows) -> Iterator[Problem]:
        parts = pd.DataFrame({column: rows.compared(column) for column in columns})
        alike = parts.groupby(list(columns), sort=False).ngroup().to_numpy()
        first = np.unique(alike, return_index=True)[1][alike]
        again = (first != np.arange(len(rows))) & (parts != "").any(axis=1).to_numpy(dtype=bool)
        yield Problem(again, columns[0], words, is_error, against=rows.numbers[first])

    return rule


@dataclass(frozen=True)
class ColumnMatch:
    """What is kept under a name: the headings of each column, and what a person said of how cells are read.

    `headings` are all that the file had.
    """

    columns: Mapping[str, Sequence[str]]
    reading: Mapping[str, Any] = field(default_factory=dict)
    headings: Sequence[str] = ()


def kept_matches(desk: Desk, kind: str) -> dict[str, ColumnMatch]:
    """What the organization keeps for a kind of file, by name; the latest first."""
    kept = desk.journal.kept_by_name.list(desk.actor, _kept_as(kind))
    return {each.name: ColumnMatch(**each.payload) for each in sorted(kept, key=lambda each: each.saved_at)[::-1]}


def _kept_as(kind: str) -> str:
    return f"columns/{kind}"


class Check:
    """One file against one declaration: how its columns are matched, what was mended and dropped, what is wrong."""

    def __init__(self, intake: Intake, source: SourceFile, *, kept: Mapping[str, ColumnMatch] | None = None) -> None:
        """Take the file; columns are matched as under a kept name where all of its headings are those of the file."""
        self.intake = intake
        self.source = source
        self.reading = Reading()
        self.chosen: dict[str, list[str]] = {}
        self.repeats: dict[str, int] = {}
        """How many times a row has the columns of a group, where a person said so."""
        self.passed_over: frozenset[str] = frozenset()
        """The headings that stand for nothing in what was kept."""
        self.kept_as: str | None = None
        self.mended: dict[str, dict[int, str]] = {}
        self.dropped: set[int] = set()
        self.refused: dict[tuple[int, str], str] = {}
        """By row and column, what the service said when these rows were sent before."""
        self.content: bytes | str | None = None
        """What was read, where there is more in it, such as another sheet."""
        self.sent: set[int] = set()
        """The rows that jobs took over."""
        self.job_id: int | None = None
        """The last of those jobs."""
        self.sent_in: dict[int, int] = {}
        """Which job took each of these rows over."""
        self.returned: dict[int, tuple[int, int]] = {}
        """The rows that came back from a job since they failed there: the job, and the position of their item."""
        self.origin: tuple[int, list[int]] | None = None
        """The job, and row by row the position of its item, that these rows are from."""
        self.about: Mapping[str, Any] = {}
        """What a job that is made of these rows is noted to be for, such as the one that it undoes."""
        self._steps: list[Callable[[], object]] = []
        self._read: dict[str, tuple[object, pd.Series[str], pd.Series[Any], list[Problem], Mask]] = {}
        self._version = 0
        self._worked_out: dict[str, Any] = {}
        self._matches: tuple[object, dict[str, Match]] | None = None
        self._columns: tuple[object, tuple[Column, ...]] | None = None
        self._settled: tuple[object, Reading] | None = None
        for name, match in (kept or {}).items():
            headings = [header for found in match.columns.values() for header in found]
            if headings and set(headings) <= set(source.headers):
                self.match_as(name, match.columns, match.reading, known=match.headings)
                break

    @classmethod
    def of(
        cls,
        intake: Intake,
        name: str,
        content: bytes | str,
        desk: Desk | None = None,
        *,
        sheet: str | None = None,
    ) -> Check:
        """Read a file or a pasted text, and match it as the desk keeps it. Raises Unreadable."""
        kept = kept_matches(desk, intake.kind) if desk is not None else None
        check = cls(intake, intake.read(name, content, sheet=sheet), kept=kept)
        check.content = content if check.source.sheets else None
        return check

    @classmethod
    def of_rows(cls, intake: Intake, name: str, rows: Sequence[Mapping[str, str]]) -> Check:
        """Rows that are in no file, by the columns' names, such as those of records to be changed."""
        headings = [column.label for column in intake.columns]
        lines = [[row.get(column.name, "") for column in intake.columns] for row in rows]
        cells = pd.DataFrame([headings, *lines], dtype="str")
        return cls(intake, SourceFile(name, cells, tuple(range(len(cells))), "", True, "written here"))

    @classmethod
    def of_failed(cls, intake: Intake, job: Job, items: Sequence[Item]) -> Check:
        """The rows of a job's failed items, to be mended, with what the service said at their cells."""
        rows = [(item, number, cells) for item in items for number, cells in item.rows]
        cells = pd.DataFrame([job.settings["headers"], *(cells for _, _, cells in rows)], dtype="str")
        numbers = (0, *(number for _, number, _ in rows))
        check = cls(intake, SourceFile(job.name, cells, numbers, job.digest, True, "rows that failed"))
        check.match_as(None, job.settings["columns"], known=job.settings["headers"])
        usual = vars(Reading())  # an earlier version may have noted more
        check.reading = Reading(**{name: said for name, said in job.settings["reading"].items() if name in usual})
        known = {column.name for column in check.columns}
        check.refused = {
            (row, name if name in known else ""): words
            for row, (item, _, _) in enumerate(rows)
            for name, words in item.fate.reasons.items()
            if words not in (NOT_SENT, SAID_NOT_DONE)  # nothing is wrong with them
        }
        check.origin = job.id, [item.position for item, _, _ in rows]
        check.about = job.settings.get("about", {})
        return check

    # How it is read

    def times(self, group: Group) -> int:
        """How many times a row has the columns of a group: as a person said, else as the headings are numbered."""
        return self.repeats.get(group.name) or group.found_in(self.source.headers)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that are looked for in this file: those declared, and those of groups as often as they stand."""
        key = (self.source.has_headings, tuple(self.times(group) for group in self.intake.groups))
        if self._columns is None or self._columns[0] != key:
            more = [
                column
                for group, times in zip(self.intake.groups, key[1], strict=True)
                for number in range(2, times + 1)
                for column in group.of(number)
            ]
            self._columns = key, (*self.intake.columns, *more)
        return self._columns[1]

    def repeat(self, group: Group, times: int) -> None:
        """Say how many times a row has the columns of a group."""
        self.repeats = {**self.repeats, group.name: times}
        known = {column.name for column in self.columns}
        self.chosen = {name: found for name, found in self.chosen.items() if name in known}
        self._changed()

    @property
    def settled(self) -> Reading:
        """How cells are read: as a person said, and what they left open as the whole file shows."""
        key = (self.reading, self.matches)
        if self._settled is None or self._settled[0] != key:
            self._settled = key, replace(self.reading, date_order=self._order(), carries=self._carries())
        return self._settled[1]

    def _order(self) -> DateOrder:
        if self.reading.date_order != "as the file shows":
            return self.reading.date_order
        dates = [column for column in self.columns if isinstance(column.kind, Moment | WallClock | Clock)]
        headers = [header for column in dates for header in self.matches[column.name].headers]
        return order_shown(self.source.frame[header] for header in headers)

    def _carries(self) -> bool:
        """Whether columns are told once for the rows below: where they are empty, others that are filled are, too."""
        carried = self.carried
        if self.reading.carries is not None or not carried or not self.source.is_told_once:
            return bool(self.reading.carries)
        filled = (self.source.frame != "").to_numpy(dtype=bool)
        is_told = filled[:, self.source.headers.index(carried[0])]
        if not is_told.size or not is_told[0]:
            return False
        in_step = ~filled[~is_told].any(axis=0) & (filled[is_told].mean(axis=0) > FILLED_WHERE_TOLD)
        return int(in_step.sum()) > 1

    @property
    def carried(self) -> list[str]:
        """The columns of the file that may be told once for the rows below, and have empty cells."""
        headers = [header for each in self.columns if each.carried for header in self.matches[each.name].headers]
        return [header for header in headers if (self.source.frame[header] == "").any()]

    @property
    def matches(self) -> dict[str, Match]:
        """Which columns of the file stand for each column of the declaration."""
        columns = self.columns
        chosen = {name: tuple(found) for name, found in self.chosen.items()}
        key = (self.source.has_headings, columns, chosen, self.passed_over)
        if self._matches is None or self._matches[0] != key:
            headers = [header for header in self.source.headers if header not in self.passed_over]
            self._matches = key, match_columns(headers, columns, self.chosen, self.source.frame)
        return self._matches[1]

    @property
    def missing(self) -> list[Column]:
        """The columns that are needed and that no column of the file stands for."""
        return [column for column in self.columns if column.required and not self.matches[column.name].headers]

    @property
    def wanted(self) -> Column | None:
        """The first of the columns of which a file needs one, where it has none."""
        if not self.intake.one_of or any(self.matches[name].headers for name in self.intake.one_of):
            return None
        return next(column for column in self.columns if column.name == self.intake.one_of[0])

    @property
    def unread(self) -> list[str]:
        """The columns of the file that stand for nothing."""
        used = {header for match in self.matches.values() for header in match.headers}
        return [header for header in self.source.headers if header not in used]

    def match(self, column: str, headers: Sequence[str]) -> None:
        """Say which columns of the file stand for one of the declaration."""
        self.chosen = {**self.chosen, column: list(headers)}
        self.passed_over -= set(headers)
        self._changed()

    def match_as(
        self,
        name: str | None,
        columns: Mapping[str, Sequence[str]],
        reading: Mapping[str, Any] | None = None,
        *,
        known: Collection[str] = (),
    ) -> None:
        """Match and read all columns as was kept under a name, or as they are found by themselves.

        Headings that are `known`, and stand for nothing there, are passed over; any others are found as ever.
        """
        told = {header for found in columns.values() for header in found}
        self.passed_over = frozenset(known) - told
        more = [header for header in self.source.headers if header not in told | self.passed_over]
        self.repeats = {
            group.name: max(group.found_in(more), *numbers)
            for group in self.intake.groups
            if (numbers := [n for n in range(1, group.most + 1) for each in group.of(n) if columns.get(each.name)])
        }
        found = {name: match.headers for name, match in match_columns(more, self.columns).items() if match.is_sure}
        self.chosen = {
            each.name: [*columns[each.name], *(found.get(each.name, ()) if each.several else ())]
            for each in self.columns
            if columns.get(each.name)
        }
        self.kept_as = name
        self.reading = replace(self.reading, **reading or {})
        self._changed()

    def keep_as(self, desk: Desk, name: str) -> None:
        """Keep how columns are matched and read under a name, for the organization. Raises JournalError."""
        columns = {column: list(match.headers) for column, match in self.matches.items() if match.headers}
        said = {
            name: getattr(self.reading, name) for name in ("zone", "date_order", "country", "are_contacts", "carries")
        }
        usual = vars(Reading())
        reading = {name: value for name, value in said.items() if value != usual[name]}
        kept = {"columns": columns, "reading": reading, "headings": list(self.source.headers)}
        desk.journal.kept_by_name.save(desk.actor, _kept_as(self.intake.kind), name, kept, over=None)
        self.match_as(" ".join(name.split()), columns, known=self.source.headers)

    def forget_kept(self, desk: Desk) -> None:
        """Forget what was kept under the name that columns are matched by, and match them by themselves."""
        if self.kept_as is not None:
            desk.journal.kept_by_name.delete(desk.actor, _kept_as(self.intake.kind), self.kept_as)
        self.match_as(None, {})

    def read_as(self, reading: Reading) -> None:
        """Say what the cells do not say themselves."""
        if reading != self.reading:
            self.reading = reading
            self._changed()

    def hold_against(self, intake: Intake) -> None:
        """Judge the rows anew, as by rules that know more by now."""
        if intake is not self.intake:
            self.intake = intake
            self._changed()

    def turn_headings(self) -> None:
        """Take the first row for a record where it was taken for headings, and the other way round."""
        self.source = replace(self.source, has_headings=not self.source.has_headings)
        self.chosen, self.mended, self.dropped, self.refused, self._read, self._steps = {}, {}, set(), {}, {}, []
        self.sent, self.passed_over, self.sent_in, self.returned = set(), frozenset(), {}, {}
        self._changed()

    # What is done about it

    def mend(self, row: int, column: str, text: str) -> None:
        """Write another text into a cell."""
        self._mend({column: {row: text}})

    def accept(self, offer: Offer, rows: Sequence[int]) -> None:
        """Do what is offered about some rows."""
        if offer.cells:
            self._mend({name: {row: str(texts.iloc[row]) for row in rows} for name, texts in offer.cells.items()})
        else:
            self.drop(rows)

    def offers(self) -> list[tuple[Offer, list[int]]]:
        """What can be done at once, and about which of the rows that are here."""
        found: dict[str, tuple[Offer, Mask]] = {}
        for problem in self.problems:
            if problem.offer is not None:
                _, rows = found.get(problem.offer.words, (problem.offer, np.zeros(self.source.rows, dtype=bool)))
                found[problem.offer.words] = problem.offer, rows | problem.rows
        here = [(offer, np.flatnonzero(rows & ~self._gone).tolist()) for offer, rows in found.values()]
        return [(offer, rows) for offer, rows in here if rows]

    def _mend(self, texts: Mapping[str, Mapping[int, str]]) -> None:
        before = {name: dict(self.mended.get(name, {})) for name in texts}
        refused = dict(self.refused)
        for name, cells in texts.items():
            self.mended.setdefault(name, {}).update({row: " ".join(text.split()) for row, text in cells.items()})
            for row in cells if refused else ():
                self.refused.pop((row, name), None)
                self.refused.pop((row, ""), None)

        def undo() -> None:
            self.refused = refused
            self.mended.update(before)

        self._did(undo)

    def add_row(self) -> None:
        """Put an empty row at the end."""
        before = self.source
        empty = pd.DataFrame([[""] * len(before.cells.columns)], columns=before.cells.columns, dtype="str")
        cells = pd.concat([before.cells, empty], ignore_index=True)
        self._put_source(replace(before, cells=cells, numbers=(*before.numbers, before.numbers[-1] + 1)))
        self._did(lambda: self._put_source(before))

    def add_column(self, column: Column, text: str) -> None:
        """Put a column at the end that says the same in every row."""
        before, chosen = self.source, self.chosen
        cells = before.cells.copy()
        cells[cells.shape[1]] = text
        if before.has_headings:
            cells.iat[0, -1] = column.label
        self._put_source(replace(before, cells=cells))
        self.chosen = {**chosen, column.name: [self.source.headers[-1]]}

        def undo() -> None:
            self._put_source(before)
            self.chosen = chosen

        self._did(undo)

    def _put_source(self, source: SourceFile) -> None:
        self.source, self._read, self._matches = source, {}, None

    def drop(self, rows: Collection[int]) -> None:
        """Leave rows out."""
        more = set(rows) - self.dropped
        self.dropped |= more
        self._did(lambda: self.dropped.difference_update(more))

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return bool(self._steps)

    def undo(self) -> None:
        """Take back what was mended or dropped last."""
        if self._steps:
            self._steps.pop()()
            self._changed()

    # What is wrong

    @property
    def problems(self) -> list[Problem]:
        """Everything that is wrong; rows that were dropped judge no others, those that were sent stand first."""
        sent = np.flatnonzero(self._are(self.sent - self.dropped))
        places = np.concatenate([sent, np.flatnonzero(~self._gone)])
        return self._once("problems", lambda: self._found(places))

    def _found(self, places: npt.NDArray[np.intp]) -> list[Problem]:
        """What is wrong with cells, and what rules say where just the rows at these places are there, so ordered."""
        rows = self.rows if np.array_equal(places, np.arange(self.source.rows)) else self.rows.only(places)
        found = [problem for column in self.columns for problem in self._column(column)[3]]
        position = self.intake.position
        for rule in (*([position.problems] if position else []), *self.intake.rules):
            said = [problem for problem in rule(rows) if problem.rows.any()]
            found += said if rows is self.rows else [_of_all(problem, places, self.source.rows) for problem in said]
        by_words: dict[tuple[str, str], Mask] = {}
        for (row, name), words in self.refused.items():
            by_words.setdefault((name, words), np.zeros(self.source.rows, dtype=bool))[row] = True
        found += [Problem(mask, name, words) for (name, words), mask in by_words.items()]
        return [*found, *self._held_back(self.rows, found)]

    @property
    def without_zone(self) -> int:
        """How many times or days of the rows that are ready say no zone.

        Of all that are here where none is ready: the zone may be what is wrong.
        """
        bare = [self._column(column)[4] for column in self.columns if isinstance(column.kind, Moment)]
        ready, here = (sum(int((each & rows).sum()) for each in bare) for rows in (self.is_ready, ~self._gone))
        return ready or here

    @property
    def questions(self) -> dict[Asks, str]:
        """What one answer settles in many rows, each with how many they are."""
        numbers = {what: self.asking(what) for what in QUESTIONS}
        return {
            what: " ".join((count(numbers[what], *noun), words))
            for what, (noun, words) in QUESTIONS.items()
            if numbers[what]
        }

    @property
    def column_problems(self) -> list[str]:
        """What is wrong with most filled cells of a column, in one line each, where no one answer settles it."""
        lines = []
        for problem in self.problems:
            rows = int((problem.rows & self.in_play).sum())
            if (
                problem.column
                and not (problem.asks or problem.told or problem.against is not None)
                and rows >= MANY_ROWS
            ):
                column = next(each for each in self.columns if each.name == problem.column)
                filled = int(((self._column(column)[1] != "").to_numpy(dtype=bool) & self.in_play).sum())
                if rows >= MOST_CELLS * filled:
                    words = problem.words.replace(" (“{}”)", "").replace("“{}”", "the cell")
                    lines.append(f"{column.label}, {count(rows, 'row', 'rows')}: {words}")
        return lines

    def asking(self, what: Asks) -> int:
        """How many rows hold what is settled once somebody says this for the whole file."""
        mask = np.zeros(self.source.rows, dtype=bool)
        for problem in self.problems:
            if problem.asks == what:
                mask |= problem.rows
        return int((mask & ~self._gone).sum())

    @property
    def rows(self) -> Rows:
        """All rows, whatever is wrong with them."""

        def work_out() -> Rows:
            read = {column.name: self._column(column) for column in self.columns}
            texts = pd.DataFrame({name: part[1] for name, part in read.items()}, index=range(self.source.rows))
            numbers = np.array(self.source.numbers[self.source.has_headings :], dtype=np.int64)
            headings = {name: match.headers for name, match in self.matches.items()}
            values = {name: part[2] for name, part in read.items()}
            keys = {column.name: column.key for column in self.columns if column.key is not None}
            return Rows(texts, values, numbers, self.settled, headings, keys)

        return self._once("rows", work_out)

    @property
    def with_errors(self) -> Mask:
        """Which rows cannot be taken as they are, without those that were dropped."""
        return self._any(is_error=True) & ~self._gone

    @property
    def with_warnings(self) -> Mask:
        """Which rows can be taken and should be looked at."""
        return self._any(is_error=False) & ~self._any(is_error=True) & ~self._gone

    @property
    def is_ready(self) -> Mask:
        """Which rows are taken; none while a column that is needed is missing."""
        if self.missing:
            return np.zeros(self.source.rows, dtype=bool)
        return ~self._any(is_error=True) & ~self._gone

    @property
    def ready(self) -> Rows:
        """The rows that are taken."""
        return self._once("ready", lambda: self.rows.only(self.is_ready))

    @property
    def has_unsent_work(self) -> bool:
        """Whether rows are here that no file has as they are: corrected, dropped, or left of what was sent."""
        return bool(self.in_play.any() and (self._steps or self.sent or self.returned or self.origin))

    @property
    def in_play(self) -> Mask:
        """Which rows are here: neither dropped nor sent."""
        return ~self._gone

    @property
    def number(self) -> int:
        """How many of what is taken in are ready: rows, or as many as the rows make together."""
        ready = self.is_ready
        if not self.intake.together:
            return int(ready.sum())
        return int(self._compared_together[ready].nunique())

    @property
    def _compared_together(self) -> pd.Series[str]:
        return self._once("together", lambda: self.rows.compared(self.intake.together))

    def in_view(self, view: View) -> npt.NDArray[np.int64]:
        """The rows of a view, in the file's order; those that were dropped stand in none."""
        masks = {"errors": self.with_errors, "warnings": self.with_warnings, "all": ~self._gone}
        return np.flatnonzero(masks[view]).astype(np.int64)

    def at_cells(self, row: int) -> dict[str, list[tuple[str, bool]]]:
        """What is wrong with a row, by column: the words, and whether it is an error.

        A row that was dropped is told of as it stood among the others.
        """
        said: dict[str, list[tuple[str, bool]]] = {}
        problems = self.problems
        if row in self.dropped:
            problems = self._once("with dropped", lambda: self._found(np.arange(self.source.rows)))
        for problem in problems:
            if problem.rows[row] and not (problem.asks and not problem.is_error):
                text = self._column_texts(problem.column).iloc[row] if problem.column else ""
                words = problem.told(row) if problem.told is not None else problem.words.replace("{}", str(text))
                if problem.against is not None:
                    words += f" See row {problem.against[row]}."
                said.setdefault(problem.column, []).append((words, problem.is_error))
        return said

    def left_behind(self) -> pd.DataFrame:
        """The rows that are not taken, as they stand in the file with what was mended, and why."""
        rows = np.flatnonzero(~self.is_ready & ~self._are(self.sent))
        labels = {column.name: column.label for column in self.columns}
        reasons = []
        for row in rows.tolist():
            parts = ["Dropped."] if row in self.dropped else []
            for column, said in self.at_cells(row).items():
                words = " ".join(text for text, is_error in said if is_error)
                parts += [f"{labels[column]}: {words}" if column else words] if words else []
            reasons.append(" ".join(parts) or f"No column stands for {self.missing[0].label}.")
        table = self.as_given(rows)
        heading = _free(REASON, table.columns)
        return table.assign(**{heading: pd.Series(reasons, dtype="str", index=table.index)})

    def as_given(self, rows: npt.NDArray[np.int64]) -> pd.DataFrame:
        """Rows in the file's own columns, with what was mended in them and what the rows above say for them."""
        table = self.source.frame.iloc[rows].reset_index(drop=True)
        place = {int(row): number for number, row in enumerate(rows)}
        headings, written = self.headings_of, dict(self.mended)
        for column in self.columns:
            is_respelled = hasattr(column.kind, "respell") and getattr(column.kind, "spelling", "") is not None
            if is_respelled and headings.get(column.name):
                respelled = self._column_texts(column.name)
                raw = self._joined(self.matches[column.name].headers)
                rows_of = np.flatnonzero((respelled != raw).to_numpy(dtype=bool))
                written[column.name] = dict(zip(rows_of.tolist(), respelled.iloc[rows_of], strict=True))
        if self.settled.carries:
            written |= {c.name: dict(enumerate(self._column_texts(c.name))) for c in self.columns if c.carried}
        for name, cells in written.items():
            mended = {place[row]: text for row, text in cells.items() if row in place}
            for number, each in enumerate(headings.get(name, ())):
                texts = table[each].tolist() if each in table else [""] * len(table)
                for row, text in mended.items():
                    texts[row] = "" if number else text
                table[each] = pd.Series(texts, dtype="str")
        return table

    @property
    def headings_of(self) -> dict[str, list[str]]:
        """The headings under which each column is given; one that something was written into has one of its own."""
        headers = self.source.headers
        own = {each.name: [_free(each.label, headers)] for each in self.columns if each.name in self.mended}
        return {name: list(match.headers) or own.get(name, []) for name, match in self.matches.items()}

    @property
    def version(self) -> int:
        """Grows with everything that changes what is ready."""
        return self._version

    def outgoing(self) -> Sequence[Outgoing]:
        """What would be sent of the rows that are ready; worked out once for what is seen of it and for the sending."""
        return self._once("outgoing", lambda: list(self._sent_of(self.ready)))

    def to_send(self) -> Iterator[NewItem]:
        """What is sent of the rows that are ready, with the rows themselves for whoever has to mend them."""
        ready = self.ready
        given = list(self.as_given(np.flatnonzero(self.is_ready)).astype(object).itertuples(index=False, name=None))
        numbers = ready.numbers.tolist()
        for item in self._worked_out.get("outgoing") or self._sent_of(ready):
            rows = [(numbers[place], given[place]) for place in item.rows]
            yield NewItem(item.payload, rows, item.label, item.lot)

    @property
    def headers(self) -> list[str]:
        """The file's columns, with those that something was written into and that it did not have."""
        return list(self.as_given(np.zeros(0, dtype=np.int64)).columns)

    @property
    def replaces(self) -> dict[int, list[int]]:
        """By job, the positions of the items in whose place the rows that are ready are sent."""
        items = dict(self.returned)
        if self.origin is not None:
            items |= {row: (self.origin[0], position) for row, position in enumerate(self.origin[1])}
        found: dict[int, set[int]] = {}
        for row in np.flatnonzero(self.is_ready).tolist():
            if row in items:
                job_id, position = items[row]
                found.setdefault(job_id, set()).add(position)
        return {job_id: sorted(positions) for job_id, positions in found.items()}

    def take_back(self, job_id: int, items: Sequence[Item]) -> bool:
        """Put what failed in a job back among the rows of this file; False where the job is not of this file.

        What was corrected and dropped in the others stays.
        """
        if job_id not in self.sent_in.values():
            return False
        by_number: dict[int, list[int]] = {}
        for row, job in self.sent_in.items():
            if job == job_id:
                by_number.setdefault(self.source.row_number(row), []).append(row)
        known = {column.name for column in self.columns}
        for item in items:
            for row in {row for number, _ in item.rows for row in by_number.get(number, ())}:
                self.sent.discard(row)
                del self.sent_in[row]
                self.returned[row] = job_id, item.position
                for name, words in item.fate.reasons.items():
                    if words not in (NOT_SENT, SAID_NOT_DONE):
                        self.refused[row, name if name in known else ""] = words
        self._changed()
        return True

    def hand_over(self, job_id: int) -> None:
        """Note that a job took over the rows that are ready: they are sent once, and not undone here."""
        self.job_id = job_id
        rows = np.flatnonzero(self.is_ready).tolist()
        self.sent |= set(rows)
        self.sent_in |= dict.fromkeys(rows, job_id)
        for row in rows:
            self.returned.pop(row, None)
        self._steps = []
        self._changed()

    @property
    def _gone(self) -> Mask:
        return self._are(self.dropped) | self._are(self.sent)

    def _are(self, rows: Collection[int]) -> Mask:
        mask = np.zeros(self.source.rows, dtype=bool)
        mask[list(rows)] = True
        return mask

    def _any(self, *, is_error: bool) -> Mask:
        mask = np.zeros(self.source.rows, dtype=bool)
        for problem in self.problems:
            if problem.is_error == is_error and (is_error or not problem.asks):
                mask |= problem.rows
        return mask

    def _held_back(self, rows: Rows, found: Sequence[Problem]) -> Iterator[Problem]:
        """Rows with nothing wrong that belong together with one that has an error, and is not dropped."""
        if not self.intake.together:
            return
        bad = np.zeros(len(rows), dtype=bool)
        for problem in found:
            if problem.is_error:
                bad |= problem.rows
        groups, _ = pd.factorize(self._compared_together)
        groups[(rows.texts[self.intake.together] == "").to_numpy()] = -1
        kept = bad & ~self._gone & (groups >= 0)
        if not kept.any():
            return
        wrong: dict[int, dict[str, None]] = {}
        for row in np.flatnonzero(kept).tolist():
            wrong.setdefault(int(groups[row]), {})[str(self.source.row_number(row))] = None

        def told(row: int) -> str:
            numbers = list(wrong[int(groups[row])])
            if len(numbers) == 1:
                return f"{HELD_BACK}: row {numbers[0]}."
            return f"Other rows of it have errors: rows {names(numbers)}."

        yield Problem(np.isin(groups, groups[kept]) & ~bad, self.intake.together, HELD_BACK, told=told)

    def _column_texts(self, name: str) -> pd.Series[str]:
        return self._column(next(column for column in self.columns if column.name == name))[1]

    def _column(self, column: Column) -> tuple[object, pd.Series[str], pd.Series[Any], list[Problem], Mask]:
        """A column's key, texts, values, problems and times without a zone, read once for what they depend on."""
        headers = self.matches[column.name].headers
        mended = self.mended.get(column.name, {})
        reading = self.settled
        key = (headers, reading, dict(mended))
        held = self._read.get(column.name)
        if held is not None and held[0] == key:
            return held
        texts = self._joined(headers)
        if mended:
            cells = texts.tolist()
            for row, text in mended.items():
                cells[row] = text
            texts = pd.Series(cells, dtype="str")
        if (respell := getattr(column.kind, "respell", None)) is not None:
            texts = respell(texts)
        if column.carried and reading.carries:
            texts = texts.where(texts != "").ffill().fillna("")
        filled, is_broken = (texts != "").to_numpy(dtype=bool), texts.isin(SHEET_ERRORS).to_numpy(dtype=bool)
        is_empty = ~filled
        filled = filled & ~is_broken
        some = texts if filled.all() else texts[filled]
        values, wrong = column.kind.read(some, reading) if len(some) else (column.unfilled, [])
        if values.dtype == np.int64:
            values = values.astype("Int64")
        if len(values) < len(texts):
            values = values.reindex(texts.index)
        problems = [
            Problem(_spread(mask, filled), column.name, words, asks="order" if words == SAY_THE_ORDER else "")
            for mask, words in wrong
            if mask.any()
        ]
        if is_broken.any():
            problems.append(Problem(is_broken, column.name, NOT_WORKED_OUT))
        if column.required and headers and is_empty.any():
            problems.append(Problem(is_empty, column.name, NOTHING_GIVEN))
        bare = isinstance(column.kind, Moment) and without_zone(some)
        self._read[column.name] = key, texts, values, problems, _spread(bare, filled)
        return self._read[column.name]

    def _joined(self, headers: Sequence[str]) -> pd.Series[str]:
        if not headers:
            return pd.Series("", index=range(self.source.rows), dtype="str")
        first, *others = (self.source.frame[header] for header in headers)
        for other in others:
            between = pd.Series(np.where((first != "") & (other != ""), " | ", ""), dtype="str")
            first = first + between + other
        return first

    def _did(self, undo: Callable[[], object]) -> None:
        self._steps.append(undo)
        self._changed()

    def _once(self, name: str, work_out: Callable[[], T]) -> T:
        """What is worked out of everything here, once until something of it changes."""
        worked_out = self._worked_out  # another one after a change, also one that comes while this is worked out
        if name not in worked_out:
            worked_out[name] = work_out()
        found: T = worked_out[name]
        return found

    def _sent_of(self, rows: Rows) -> Iterable[Outgoing]:
        return () if self.intake.sending is None else self.intake.sending.items(rows)

    def _changed(self) -> None:
        self._version += 1
        self._worked_out = {}


def _spread(mask: Mask | bool, filled: Mask) -> Mask:
    whole = np.zeros(len(filled), dtype=bool)
    whole[np.flatnonzero(filled)] = mask
    return whole


def _of_all(problem: Problem, places: npt.NDArray[np.intp], number: int) -> Problem:
    """What is wrong with the rows at these places, as told of all."""
    offer, against, rows = problem.offer, None, np.zeros(number, dtype=bool)
    rows[places] = problem.rows
    if problem.against is not None:
        against = np.zeros(number, dtype=np.int64)
        against[places] = problem.against
    if offer is not None:
        cells = {name: texts.set_axis(places).reindex(range(number)) for name, texts in offer.cells.items()}
        offer = replace(offer, cells=cells)
    return replace(problem, rows=rows, offer=offer, against=against)


def _free(heading: str, taken: Collection[str]) -> str:
    while heading in taken:
        heading += " *"
    return heading
