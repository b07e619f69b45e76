"""The declaration of a record list: how its records are read, its columns, filters, and actions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

from domain.tables.loaded_records import MAX_AGE, LoadedRecords, ReportProgress
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
class ListQuery:
    """A query of a list: its page, its order, and the values of its filters."""

    page_number: int = 1
    page_size: int = PAGE_SIZE
    order: tuple[str, bool] | None = None
    """The column to sort by, and whether in descending order; None for the order in which the records are read."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """The values of the filters, by name of the URL parameter."""
    url_values: tuple[Hashable, ...] = ()
    """The filters as the URL has them."""

    def __getitem__(self, filter_field: AddressField[T]) -> T:
        """Return the value of a filter."""
        value: T = self.values[filter_field.name]
        return value

    @property
    def is_descending(self) -> bool:
        """Whether to sort in descending order."""
        return self.order is not None and self.order[1]

    @property
    def cache_key(self) -> tuple[Hashable, ...]:
        """A key that differs for every other query of the list."""
        return (self.page_number, self.page_size, self.order, self.url_values)


class Filter(Protocol):
    """A filter of a list. The URL contains its values."""

    @property
    def fields(self) -> Sequence[AddressField[Any]]:
        """Its URL parameters."""

    def draw(self, workspace: Workspace, start_over: Callable[[], None], /) -> None:
        """Draw the filter in a row with others. Every widget in it calls `start_over` when its value changes."""


@dataclass(frozen=True)
class AllRecords(Generic[R]):
    """Records that are read all at once. Muster searches and sorts them."""

    read: Callable[[Workspace, ReportProgress], LoadedRecords[R]]
    search: Sequence[str] = ()
    """The columns that the search field searches."""
    search_hint: str = ""
    """The placeholder of the search field."""
    matches: Callable[[R, ListQuery], bool] | None = None
    """Returns whether a record matches the filters."""
    max_age: timedelta | None = MAX_AGE
    """How long records are shown before they are read again; None reads them in every run, as from the journal."""


@dataclass(frozen=True)
class PagedRecords(Generic[R]):
    """Records that the service searches, sorts, and returns page by page."""

    read: Callable[[Workspace, ListQuery], Page[R]]
    sortable: Collection[str] = ()
    """The columns that the service can sort by."""
    page_sizes: Sequence[int] = (PAGE_SIZE,)
    """The sizes that a user can choose for a page; the first is the default."""
    max_age: timedelta | None = MAX_AGE
    """How long a page is shown before it is read again; None reads it in every run."""
    max_file_records: int = 20_000
    """The maximum number of records in a file."""
    file_page_size: int | None = None
    """The page size for reading the records of a file; None for that of the list."""
    read_file: Callable[[Workspace, ListQuery], Iterable[R]] | None = None
    """Reads the records of a file, if not page by page."""


@dataclass(frozen=True)
class RecordColumn(Generic[R]):
    """A column of a list. A value that is a `Status` is drawn as a badge."""

    label: str
    value: Callable[[R], Any]
    """Returns the value of a record; None if it has none."""
    format_value: Callable[[Any], str] = str
    sort_value: Callable[[R], Any] | None = None
    """Returns the value that sorts the rows, if it is another one."""
    is_numeric: bool = False
    file_heading: str | None = ""
    """The heading in files: "" for the label, None for a column that is not in files."""
    is_hidden: bool = False
    """Whether the column is in files only."""
    is_one_line: bool = False
    """Whether values get the room to stay in one line before other columns do."""
    is_secondary: bool = False
    """Whether the column is left out on a phone, and while a record is open beside the list."""

    def in_files_only(self) -> RecordColumn[R]:
        """Return the same column, in files but not on the screen."""
        return replace(self, is_hidden=True)

    def not_in_files(self) -> RecordColumn[R]:
        """Return the same column, on the screen only."""
        return replace(self, file_heading=None)

    def secondary(self) -> RecordColumn[R]:
        """Return the same column, left out on a phone and while a record is open beside the list."""
        return replace(self, is_secondary=True)

    def sorted_by(self, sort_value: Callable[[R], Any]) -> RecordColumn[R]:
        """Return the same column, sorted by another value."""
        return replace(self, sort_value=sort_value)

    @property
    def heading(self) -> str | None:
        """The heading in files, or None for a column that is not in files."""
        return self.label if self.file_heading == "" else self.file_heading

    def as_table_column(self) -> Column:
        """Return the column of the table on the screen."""
        return Column(
            self.label,
            self.format_value,
            is_numeric=self.is_numeric,
            is_one_line=self.is_one_line,
            is_secondary=self.is_secondary,
        )


def text(label: str, value: Callable[[R], Any], *, format_value: Callable[[Any], str] = str) -> RecordColumn[R]:
    """Declare a column of text or IDs."""
    return RecordColumn(label, value, format_value)


def numbers(label: str, value: Callable[[R], int | float | None]) -> RecordColumn[R]:
    """Declare a column of numbers with separators."""
    return RecordColumn(label, value, "{:,}".format, is_numeric=True)


def times(label: str, value: Callable[[R], datetime | None]) -> RecordColumn[R]:
    """Declare a column of aware times, in UTC."""
    return RecordColumn(f"{label} (UTC)", value, utc_time, is_one_line=True)


def local_times(label: str, value: Callable[[R], str | None]) -> RecordColumn[R]:
    """Declare a column of times that are text in the local time of a place."""
    return RecordColumn(label, value, is_one_line=True)


def statuses(label: str, value: Callable[[R], Status]) -> RecordColumn[R]:
    """Declare a column of status badges."""
    return RecordColumn(label, value)


@dataclass(frozen=True)
class Action(Generic[R]):
    """An action on a record, or on several selected ones.

    The first actions are buttons at the top of the record. The others are in the menu *More*.
    """

    label: str | Callable[[Workspace, R], str]
    """The label of the button. If the action allows several records, only the verb: the noun or the number follows."""
    run: Callable[[Workspace, Sequence[R]], None]
    """Runs the action. It may open a dialog or another screen."""
    icon: str | None = None
    is_destructive: bool = False
    """Whether it cannot be undone. Such an action is in the menu *More*, unless it is the only one."""
    allows_several: bool = False
    key: str = ""
    is_offered: Callable[[Workspace, R], bool] | None = None
    """Returns whether to offer the action for a record; by default for every record."""


@dataclass(frozen=True)
class NewAction:
    """The button for a new record: `open` opens a screen, or `form` draws a form beside the list."""

    label: str
    open: Callable[[Workspace], None] | None = None
    form: Callable[[Workspace], None] | None = None
    is_primary: bool = True


@dataclass(frozen=True)
class RecordList(Generic[R]):
    """A list of records with the selected one beside it. For an example, see `components/record_list/__init__.py`."""

    key: str
    """The prefix of its widget keys, URL parameters, and file names."""
    noun: tuple[str, str]
    """The noun in singular and plural."""
    source: AllRecords[R] | PagedRecords[R]
    identity: Callable[[R], str]
    """Returns the ID of a record as text."""
    name: Callable[[R], str]
    """Returns the title of a record."""
    columns: Mapping[str, RecordColumn[R]]
    draw_detail: Callable[[Workspace, R], None]
    """Draws a record below its title and its buttons."""
    empty_message: str
    """Says what belongs in the list, if there are no records at all."""
    url_parameter: str
    """The URL parameter with the IDs of the selected records."""
    default_order: str | None = None
    """The column that sorts the records as they are read, followed by " descending" for that order."""
    filters: Sequence[Filter] = ()
    selection: Literal["one", "many"] = "one"
    retrieve: Callable[[Workspace, str], R | None] | None = None
    """Reads a record that is not on the page. Returns None or raises `NotFound` if it does not exist."""
    has_partial_records: bool = False
    """Whether the list has only a part of each record, so that a selected one is always retrieved."""
    has_numeric_ids: bool = True
    displayed_id: Callable[[R], str | None] | None = None
    """Returns the ID to show below a record, if it is not its identity."""
    missing_message: str = ""
    """Says that a selected record does not exist; "{id}" stands for its ID."""
    actions: Sequence[Action[R]] = ()
    draw_buttons: Callable[[Workspace, R], None] | None = None
    """Draws further buttons of a record, before those of its actions."""
    draw_more: Callable[[Workspace, R], None] | None = None
    """Draws further contents of the menu *More* of a record."""
    draw_side_panel: Callable[[Workspace, ListResult[R]], None] | None = None
    """Draws beside the list while no record is selected, such as a map."""
    new: NewAction | None = None
    summarize: Callable[[Workspace, ListResult[R]], str] | None = None
    """Returns the line below the title; by default the number of records."""
    draw_above_list: Callable[[Workspace, ListResult[R]], None] | None = None
    """Draws between the title and the filters."""
    icon: str = "inbox"
    """The Material icon of the empty list."""
    empty_action: EmptyAction | None = None
    """The button of an empty list, if it isn't a new record."""
    placeholder: str = ""
    """The text of empty cells."""
    make_json: Callable[[Workspace, Sequence[R]], Sequence[Mapping[str, Any]]] | None = None
    """Makes records for a JSON file, from a list that is read all at once. It may read the service."""
    subject_kind: str = ""
    """The journal's kind of subject: its changes with status Unknown are drawn first."""

    @property
    def noun_with_article(self) -> str:
        """The noun with its indefinite article."""
        return f"{'an' if self.noun[0][:1].lower() in 'aeiou' else 'a'} {self.noun[0]}"


@dataclass(frozen=True)
class ListResult(Generic[R]):
    """The result of a query."""

    records: Sequence[R]
    """All matching records of a list that is read all at once; otherwise a page of them."""
    total: int
    """The number of matching records."""
    query: ListQuery
    loaded: LoadedRecords[R]
    """The records as they were read, before they were filtered."""
    read_at: datetime | None = None
    """When they were read; None if they are read in every run."""
    is_loaded: bool = True
    """Whether anything could be read. If not, `loaded` has only the error."""
