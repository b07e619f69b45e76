"""The records that the search box finds: those of the lists, and saved incidents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, NamedTuple

from components.alerts.composer.alert_template_list import ALERT_TEMPLATE_LIST
from components.alerts.notifications.named_records_screen import CATEGORIES, EVENTS
from components.alerts.notifications.sent_list import SENT
from components.filters.list.contact_filter_list import CONTACT_FILTERS
from components.mappings.mapping_list import MAPPINGS
from components.preparedness.assets.asset_list import ASSETS
from components.preparedness.shape_library.region_list import REGIONS
from components.preparedness.task_lists.template_list import TEMPLATES, read_all_templates
from components.record_list.declaration import AllRecords, RecordList
from components.trips.rosters.roster_list import ROSTERS
from domain.geography.folding import fold
from domain.incidents.incident_time import time_words
from domain.mappings.mapping_query import read_all_mappings
from domain.runtime import screens
from domain.runtime.access_token import has_usable_token
from domain.runtime.background import ReadState
from domain.runtime.screens import Screen
from domain.runtime.server import server
from domain.runtime.workspace import Workspace
from domain.search.search import SearchedRecord
from domain.search.search_results import SearchLink, SearchNote
from domain.text.plain_text import names
from journal import JournalError


class _Searched(NamedTuple):
    """A list, its screen, the heading of its results, the columns whose values are found and shown, and other words."""

    record_list: RecordList[Any]
    screen: Screen
    kind: str
    columns: Sequence[str] = ()
    words: str = ""


_LISTS: Final = (
    _Searched(SENT, screens.NOTIFICATIONS, "Alerts", ("to", "state")),
    _Searched(ALERT_TEMPLATE_LIST, screens.ALERT_TEMPLATES, "Alert templates", ("event",)),
    _Searched(CONTACT_FILTERS, screens.CONTACT_FILTERS, "Contact filters"),
    _Searched(MAPPINGS, screens.LOOKUP_MAPPINGS, "Mappings", ("groups",)),
    _Searched(ROSTERS, screens.ROSTERS, "Rosters"),
    _Searched(EVENTS, screens.NOTIFICATION_EVENTS, "Notification events"),
    _Searched(CATEGORIES, screens.NOTIFICATION_CATEGORIES, "Notification categories"),
    _Searched(ASSETS, screens.ASSETS, "Assets", ("place",)),
    _Searched(REGIONS, screens.SHAPE_LIBRARY, "Shapes", ("folder",)),
    _Searched(TEMPLATES, screens.CRISIS_TEMPLATES, "Task lists", ("title", "event_type"), "checklist"),
)


class SearchedRecords(NamedTuple):
    """The records, which are not searched, and whether some are still being loaded."""

    records: list[SearchedRecord]
    notes: list[SearchNote]
    is_loading: bool


def gather_records(workspace: Workspace) -> SearchedRecords:
    """Return the records that are in memory or in the journal, and start to load the others in the background."""
    records, loading, failed = list(_incidents(workspace)), list[str](), list[str]()
    for searched in _LISTS:
        if searched.record_list is MAPPINGS and not has_usable_token(workspace.connection.token, datetime.now(UTC)):
            continue
        read = _read(workspace, searched.record_list)
        if read.value is not None:
            records += [_searched_record(searched, record) for record in read.value]
        else:
            (loading if read.error is None else failed).append(searched.kind.lower())
    return SearchedRecords(records, [*_notes(workspace, loading, failed)], bool(loading))


def _notes(workspace: Workspace, loading: list[str], failed: list[str]) -> Iterable[SearchNote]:
    if not has_usable_token(workspace.connection.token, datetime.now(UTC)):
        text = "Muster cannot search mappings without an access token."
        yield SearchNote(text, "Open Mappings", SearchLink(screens.LOOKUP_MAPPINGS))
    if loading:
        yield SearchNote(f"Muster is still loading {names(loading)}.")
    if failed:
        yield SearchNote(f"Muster could not load {names(failed)}, so it cannot search them.", is_warning=True)


def _read(workspace: Workspace, record_list: RecordList[Any]) -> ReadState[Iterable[Any]]:
    """Return the records of a list as far as they are read."""
    if record_list is MAPPINGS:
        mappings = read_all_mappings(workspace).now
        return ReadState(None if mappings.value is None else mappings.value.mappings, error=mappings.error)
    if record_list is TEMPLATES:
        templates = read_all_templates(workspace).now
        return ReadState(templates.value, error=templates.error)
    source = record_list.source
    if not isinstance(source, AllRecords):
        raise TypeError(f"{record_list.key} is not read all at once")
    if source.max_age is None:
        try:
            return ReadState(source.read(workspace, _ignore_progress).records)
        except JournalError as error:
            return ReadState(error=error)
    read = partial(source.read, workspace)
    now = server().reads.open(workspace, (record_list.key, "all"), read, max_age=source.max_age).now
    return ReadState(None if now.value is None else now.value.records, error=now.error)


def _ignore_progress(_done: int, _total: int | None) -> None:
    """Nothing shows the progress."""


def _searched_record(searched: _Searched, record: Any) -> SearchedRecord:
    record_list = searched.record_list
    title = record_list.name(record)
    values = [record_list.columns[name] for name in searched.columns]
    texts = [column.format_value(value) for column in values if (value := column.value(record)) is not None]
    return _record(
        searched.kind,
        title,
        " · ".join(filter(None, texts)),
        f"{record_list.noun[0]} {searched.words}",
        SearchLink(searched.screen, {record_list.url_parameter: record_list.identity(record)}),
        searched.screen.symbol,
    )


def _incidents(workspace: Workspace) -> Iterable[SearchedRecord]:
    now = datetime.now(UTC)
    for incident in workspace.journal.incidents.list(workspace.actor):
        content = incident.content
        yield _record(
            "Incidents",
            content.name,
            f"{incident.state.capitalize()} · {time_words(content.begins_at, content.ends_at, now)}",
            "incident",
            SearchLink(screens.WHO_IS_AFFECTED, {"incident": str(incident.id)}),
            screens.WHO_IS_AFFECTED.symbol,
        )


def _record(kind: str, title: str, detail: str, noun: str, link: SearchLink, icon: str) -> SearchedRecord:
    """Return a record that is found by its title, what is shown with it, and the words for its kind."""
    return SearchedRecord(kind, title, detail, f" {fold(title)} {fold(detail)} {noun} {fold(kind)} ", link, icon)
