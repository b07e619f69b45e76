"""What a screen declares to show its records: how they are read, their columns, and what can be done with them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

from domain.tables.listed import SHOWN_FOR, Listed, Tell
from domain.tables.table_pages import PAGE_SIZE, Column
from domain.text.time_text import utc_time

if TYPE_CHECKING:
    from client.paging import Page
    from components.shell.address import AddressField
    from components.widgets.empty_state import EmptyAction
    from domain.runtime.workspace import Workspace
    from domain.tables.status import Status

R = TypeVar("R")
T = TypeVar("T")


@dataclass(frozen=True)
class Asked:
    """What is asked of a list: its page, the size of one, its order, and what its filters hold.

    `order` is a column and whether the last comes first; None for the order the records come in.
    """

    number: int = 1
    size: int = PAGE_SIZE
    order: tuple[str, bool] | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    written: tuple[Hashable, ...] = ()

    def __getitem__(self, asked_for: AddressField[T]) -> T:
        """Return what a filter holds."""
        held: T = self.values[asked_for.name]
        return held

    @property
    def descending(self) -> bool:
        """Whether the last comes first."""
        return self.order is not None and self.order[1]

    @property
    def name(self) -> tuple[Hashable, ...]:
        """What tells it from others."""
        return (self.number, self.size, self.order, self.written)


class Filter(Protocol):
    """Something a list is narrowed by; its fields stand in the address."""

    @property
    def fields(self) -> Sequence[AddressField[Any]]:
        """What it holds."""

    def draw(self, workspace: Workspace, start_over: Callable[[], None], /) -> None:
        """Draw it, in a row with others; `start_over` is what every widget in it calls when it is changed."""


@dataclass(frozen=True)
class Whole(Generic[R]):
    """Records that are read in one piece, and searched and put in order here.

    `read` may tell how far it is. `search` names the columns that a text is looked for in, `hint` says so in the field.
    `keeps` is asked of each record where there are filters. With `good_for` None it is read in every run, as from this
    desk's own journal.
    """

    read: Callable[[Workspace, Tell], Listed[R]]
    search: Sequence[str] = ()
    hint: str = ""
    keeps: Callable[[R, Asked], bool] | None = None
    good_for: timedelta | None = SHOWN_FOR


@dataclass(frozen=True)
class ByPage(Generic[R]):
    """Records that the service searches, puts in order and gives a page at a time.

    `orders` are the columns it can put them in order by, `sizes` those a page may have, the first by itself. A file is
    read in pages of `file_size`, at most `most_in_file` records of it; `read_file` does that in another way.
    """

    read: Callable[[Workspace, Asked], Page[R]]
    orders: Collection[str] = ()
    sizes: Sequence[int] = (PAGE_SIZE,)
    good_for: timedelta | None = SHOWN_FOR
    most_in_file: int = 20_000
    file_size: int | None = None
    read_file: Callable[[Workspace, Asked], Iterable[R]] | None = None


@dataclass(frozen=True)
class RecordColumn(Generic[R]):
    """A column: its value in a record (None where it is not told), and the words for one on the screen.

    A value that is a `Status` is drawn as a badge.
    """

    label: str
    value: Callable[[R], Any]
    words: Callable[[Any], str] = str
    """Formats a value."""
    order: Callable[[R], Any] | None = None
    """What rows are sorted by, if it is something else than the value."""
    numeric: bool = False
    file: str | None = ""
    """The heading in files: "" for the label, None for a column that is not in files."""
    hidden: bool = False
    """Whether the column is in files only."""
    in_one_line: bool = False
    """Whether values get the room to stay in one line before other columns do."""
    is_secondary: bool = False
    """Whether the column is left out on a phone, and while a record is open beside the list."""

    def in_files_only(self) -> RecordColumn[R]:
        """The same column, in files and not on the screen."""
        return replace(self, hidden=True)

    def not_in_files(self) -> RecordColumn[R]:
        """The same column, on the screen only."""
        return replace(self, file=None)

    def secondary(self) -> RecordColumn[R]:
        """Return the same column, left out on a phone and while a record is open beside the list."""
        return replace(self, is_secondary=True)

    def sorted_by(self, order: Callable[[R], Any]) -> RecordColumn[R]:
        """The same column, with rows put in order by something else than its words."""
        return replace(self, order=order)

    @property
    def heading(self) -> str | None:
        """Its heading in a file."""
        return self.label if self.file == "" else self.file

    def shown(self) -> Column:
        """How a table shows it."""
        return Column(
            self.label,
            self.words,
            numeric=self.numeric,
            in_one_line=self.in_one_line,
            is_secondary=self.is_secondary,
        )


def text(label: str, value: Callable[[R], Any], *, words: Callable[[Any], str] = str) -> RecordColumn[R]:
    """A column of words or ids."""
    return RecordColumn(label, value, words)


def numbers(label: str, value: Callable[[R], int | float | None]) -> RecordColumn[R]:
    """A column of numbers, with separators."""
    return RecordColumn(label, value, "{:,}".format, numeric=True)


def times(label: str, value: Callable[[R], datetime | None]) -> RecordColumn[R]:
    """A column of aware times, in UTC."""
    return RecordColumn(f"{label} (UTC)", value, utc_time, in_one_line=True)


def local_times(label: str, value: Callable[[R], str | None]) -> RecordColumn[R]:
    """A column of times that are written in the local time of a place."""
    return RecordColumn(label, value, in_one_line=True)


def statuses(label: str, value: Callable[[R], Status]) -> RecordColumn[R]:
    """A column of status badges."""
    return RecordColumn(label, value)


@dataclass(frozen=True)
class Action(Generic[R]):
    """Something to do with a record, or with several that are selected.

    The first actions are buttons at the top of the record, the others are in the menu *More*.
    """

    label: str | Callable[[Workspace, R], str]
    """The label of the button. For an action on `several`, the verb alone: the noun or the number follows."""
    run: Callable[[Workspace, Sequence[R]], None]
    """Does it; it may open a dialog or lead to another screen."""
    icon: str | None = None
    danger: bool = False
    """Whether it cannot be undone. Such an action is in the menu *More*, unless it is the only one."""
    several: bool = False
    key: str = ""
    is_offered: Callable[[Workspace, R], bool] | None = None
    """Whether it can be done with a record; without it, with every record."""


@dataclass(frozen=True)
class New:
    """The way to a new record: a screen that `open` leads to, or a `form` beside the list."""

    label: str
    open: Callable[[Workspace], None] | None = None
    form: Callable[[Workspace], None] | None = None
    primary: bool = True


@dataclass(frozen=True)
class Records(Generic[R]):
    """A list of records and one of them beside it; `components/record_list/__init__.py` shows one.

    `key` names its widgets and its part of the address; `answer` says in a line what is there, `above` draws what
    stands between that and the list. `identity` is the id of a record as text, `name` what it is called. `by` is the
    column the records come in the order of, followed by " descending" where the last comes first.

    `picked_in` is the parameter of the address that names what is picked. `detail` draws a record below its name and
    its buttons; `retrieve` reads one that the list does not show, giving None or raising `NotFound` where there is
    none, and is used for all where the list's records are `thin`. `missing` says that there is none: "{id}" stands for
    its id. `shown_id` is drawn below a record where it is not its identity. Where there are no records at all, `empty`
    says what belongs in the list.
    """

    key: str
    noun: tuple[str, str]
    read: Whole[R] | ByPage[R]
    identity: Callable[[R], str]
    name: Callable[[R], str]
    columns: Mapping[str, RecordColumn[R]]
    detail: Callable[[Workspace, R], None]
    empty: str
    picked_in: str
    by: str | None = None
    filters: Sequence[Filter] = ()
    selection: Literal["one", "many"] = "one"
    retrieve: Callable[[Workspace, str], R | None] | None = None
    thin: bool = False
    long_ids: bool = True
    shown_id: Callable[[R], str | None] | None = None
    missing: str = ""
    actions: Sequence[Action[R]] = ()
    buttons: Callable[[Workspace, R], None] | None = None
    """Draws further buttons of a record, before those of its actions."""
    more: Callable[[Workspace, R], None] | None = None
    """Draws what else is in the menu *More* of a record."""
    beside: Callable[[Workspace, Found[R]], None] | None = None
    """Draws a picture beside the list while no record is selected, such as a map."""
    new: New | None = None
    answer: Callable[[Workspace, Found[R]], str] | None = None
    above: Callable[[Workspace, Found[R]], None] | None = None
    icon: str = "inbox"
    """The Material icon of the empty list."""
    first: EmptyAction | None = None
    """What an empty list offers, if it isn't a new record."""
    placeholder: str = ""
    subject_kind: str = ""
    """The journal's kind of subject: its changes with status Unknown are drawn first."""

    @property
    def a(self) -> str:
        """Its noun with the article."""
        return f"{'an' if self.noun[0][:1] in 'aeiou' else 'a'} {self.noun[0]}"


@dataclass(frozen=True)
class Found(Generic[R]):
    """What was found of what is `asked`: all of it in a list that is read whole, otherwise a page.

    `total` counts all that is asked for; `listed` is what was read; `read_at` is None for what is read in every run.
    Where nothing could be read (`is_read`), there is only the error in `listed`.
    """

    records: Sequence[R]
    total: int
    asked: Asked
    listed: Listed[R]
    read_at: datetime | None = None
    is_read: bool = True
