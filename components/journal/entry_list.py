"""The journal screen: every change that Muster has sent to the service for the organization, and its outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

import streamlit as st

from client.paging import Page
from components.record_list.declaration import ListQuery, ListResult, PagedRecords, RecordList, statuses, text, times
from components.record_list.filter_controls import CHOICE_WIDTH, ChoiceFilter, SearchFilter
from components.record_list.unknown_changes import DRAFTS
from components.shell.address import choice_field, day_field, go_to, link_to, optional_field, text_field
from components.shell.notices import show_failure
from components.shell.session import while_signed_in
from components.widgets.browser_zone import browser_zone
from components.widgets.downloads import json_text, payload_view
from components.widgets.empty_state import EmptyAction
from components.widgets.status_badge import draw_status
from domain.edits.journal_texts import (
    ALERT,
    MEANINGS,
    STATUSES,
    describe_action,
    describe_duration,
    describe_subject,
    entry_status,
    format_entry_time,
    list_places,
)
from domain.edits.journaled_calls import resolve_entry
from domain.runtime.screens import (
    ASSETS,
    CANCEL_TRIPS,
    CONTACT_FILTER,
    CONTACT_FILTERS,
    DYNAMIC_LOCATIONS,
    EXPECTED_LOCATIONS,
    LOOKUP_MAPPING,
    LOOKUP_MAPPINGS,
    NOTIFICATIONS,
    PUBLIC_ALERT,
    ROSTERS,
    SHAPE_LIBRARY,
    TRIP,
    TRIP_EDITOR,
    TRIP_IMPORT,
)
from domain.tables.status import RESOLVED, UNKNOWN
from domain.text.plain_text import count, plain
from domain.text.time_text import ago
from journal import Entry, EntryFilters, EntryNotFound, EntryState, JournalError

if TYPE_CHECKING:
    from components.shell.address import AddressField
    from domain.runtime.screens import Screen
    from domain.runtime.workspace import Workspace

ALL_TIME: Final = "All time"
TODAY: Final = "Today"
WEEK: Final = "Last 7 days"
MONTH: Final = "Last 30 days"
CUSTOM: Final = "Custom dates"
PERIODS: Final = (ALL_TIME, TODAY, WEEK, MONTH, CUSTOM)
MOST_IN_A_FILE: Final = 20_000
TEXT: Final = text_field("journal-text")
PERSON: Final = optional_field("journal-person")
ACTION: Final = optional_field("journal-action")
OUTCOME: Final = optional_field("journal-outcome")
PERIOD: Final = choice_field("journal-period", PERIODS, ALL_TIME)
FIRST_DAY: Final = day_field("journal-from")
LAST_DAY: Final = day_field("journal-to")
RESULTS: Final[dict[str, tuple[Screen, str, dict[str, str]]]] = {
    "trip": (TRIP_IMPORT, "trip-import", {}),
    "trip_cancel": (CANCEL_TRIPS, "cancel-trips", {}),
    "dynamic_location": (DYNAMIC_LOCATIONS, "locations", {}),
    "asset_add": (ASSETS, "assets-add", {"assets-task": "add"}),
    "asset_change": (ASSETS, "assets-change", {"assets-task": "change"}),
    "asset_delete": (ASSETS, "assets-delete", {"assets-task": "delete"}),
    "lookup_mapping_file": (LOOKUP_MAPPINGS, "mapping-file", {}),
    "lookup_mapping_undo": (LOOKUP_MAPPINGS, "mapping-undo", {}),
}
"""The screen that shows the status of each row of a file, by kind: the screen, its key, and further parameters."""


def entry_detail(workspace: Workspace, entry: Entry, now: datetime) -> None:
    """Draw the detail of an entry below its title."""
    status = entry_status(entry)
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_status(status)
        when = f"{format_entry_time(entry, browser_zone(), now=now)} ({ago(entry.at, now)})"
        st.caption(f"by {plain(entry.actor.username)} · {plain(when)}")
    if places := list_places(entry):
        st.caption(f":material/location_on: {plain(places)}")
    if status is RESOLVED:
        st.info(MEANINGS[status], icon=":material/fact_check:")
    elif status is UNKNOWN:
        st.warning(MEANINGS[status], icon=":material/warning:")
    else:
        st.caption(MEANINGS[status])
    if entry.message:
        st.markdown(plain(entry.message))
    st.caption(f"{describe_duration(entry)} · entry {entry.id}")
    _draw_links(entry)
    if entry.state == "unknown" and not entry.is_resolved:
        _draw_resolution(workspace, entry)
    request_tab, response_tab = st.tabs(["Request", "Response"])
    with request_tab:
        _draw_payload(entry.request, f"entry-{entry.id}-request", "The request had no body.")
    with response_tab:
        _draw_payload(entry.answer, f"entry-{entry.id}-response", "No response was recorded.")


def _draw_links(entry: Entry) -> None:
    if entry.subject_kind == "itinerary" and (entry.subject_id or entry.subject_name):
        link_to(TRIP, "Open trip", id=entry.subject_id, locator=entry.subject_name)
        request = entry.request or {}
        removed_trip = {"itinerary.delete": request.get("lastSent"), "itinerary.cancel": request.get("itinerary")}
        if (removed_trip.get(entry.action) or {}).get("segments"):
            link_to(TRIP_EDITOR, "Create the trip again", entry=str(entry.id))
    elif entry.subject_kind in RESULTS and (job := (entry.request or {}).get("job")):
        screen, key, more = RESULTS[entry.subject_kind]
        link_to(screen, "Show the status of each row", **{f"{key}-sent": str(job)}, **more)
        if entry.subject_kind == "asset_delete":
            link_to(ASSETS, "Add the assets again", **{"assets-task": "add", "assets-again": str(job)})
    elif entry.action == "shape_library.delete":
        link_to(SHAPE_LIBRARY, "Show the shape to send it again", region=entry.subject_name)
    elif entry.subject_kind == "roster" and entry.subject_id and entry.action != "roster.delete":
        link_to(EXPECTED_LOCATIONS, "Open the roster on the map", roster=entry.subject_id)
    elif entry.subject_kind == "contact_filter" and entry.action != "contact_filter.delete":
        link_to(
            CONTACT_FILTERS,
            "Open contact filter",
            id=entry.subject_id,
            name=None if entry.subject_id else entry.subject_name,
        )
    elif entry.action == "contact_filter.delete" and "contactFilter" in (entry.request or {}):
        link_to(CONTACT_FILTER, "Create the filter again", entry=str(entry.id))
    elif entry.action == "roster.delete" and "entries" in (entry.request or {}):
        link_to(ROSTERS, "Restore the roster", **{"rosters-restore": str(entry.id)})
    elif entry.action == "lookup_mapping.delete" and "lookupMapping" in (entry.request or {}):
        link_to(LOOKUP_MAPPING, "Create the mapping again", entry=str(entry.id))
    elif entry.subject_kind == ALERT:
        if entry.subject_id:
            link_to(NOTIFICATIONS, "Open notification", notification=entry.subject_id)
        if entry.action == "public_alert.send" and entry.request is not None and entry.request.get("draft"):
            link_to(PUBLIC_ALERT, "Show alert status", draft=str(entry.request["draft"]))


def _draw_resolution(workspace: Workspace, entry: Entry) -> None:
    """Draw the link to the screen where the outcome is resolved, or the buttons if there is no such screen."""
    request, is_own = entry.request or {}, entry.actor.username == workspace.actor.username
    if "draft" in request and entry.subject_kind in DRAFTS and is_own:
        link_to(DRAFTS[entry.subject_kind], "Show status", id=entry.subject_id or None, draft=str(request["draft"]))
        return
    if "job" in request or ("draft" in request and entry.subject_kind == ALERT):
        return
    states: dict[EntryState, str] = {"succeeded": "Mark as sent", "not sent": "Mark as not sent"}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Check the service first.", width="content")
        for state, words in states.items():
            resolve = while_signed_in(partial(_resolve, workspace, entry, state))
            st.button(words, key=f"journal-resolve-{state}/{entry.id}", on_click=resolve)


def _resolve(workspace: Workspace, entry: Entry, state: EntryState) -> None:
    try:
        if not workspace.journal.audit.retrieve(entry.id, actor=workspace.actor).is_resolved:
            resolve_entry(workspace, entry, state)
    except JournalError as error:
        show_failure(str(error))


def _draw_payload(payload: Mapping[str, Any] | None, key: str, when_none: str) -> None:
    if payload is None:
        st.caption(when_none)
    else:
        payload_view(payload, key=key)


@dataclass(frozen=True)
class _Period:
    """The filter by period, with two dates if the period is custom."""

    @property
    def fields(self) -> Sequence[AddressField[Any]]:
        """The period and its dates."""
        return (PERIOD, FIRST_DAY, LAST_DAY)

    def draw(self, _: Workspace, start_over: Callable[[], None]) -> None:
        """Draw the fields."""
        st.selectbox("Period", PERIODS, key=PERIOD.widget_key, on_change=start_over, width=CHOICE_WIDTH)
        if PERIOD.get() != CUSTOM:
            FIRST_DAY.set(None)
            LAST_DAY.set(None)
            return
        st.date_input("From", None, key=FIRST_DAY.widget_key, on_change=start_over, width=CHOICE_WIDTH)
        st.date_input("To", None, key=LAST_DAY.widget_key, on_change=start_over, width=CHOICE_WIDTH)


def period_bounds(
    period: str, now: datetime, first: date | None = None, last: date | None = None
) -> tuple[datetime | None, datetime | None]:
    """Return the start and end of a period of whole UTC days that includes today or `last`; None is unlimited.

    `first` and `last` count for custom dates only, in either order.
    """
    if period == CUSTOM:
        if first is not None and last is not None:
            first, last = sorted((first, last))
        # There is no day after the last day of the calendar.
        until = None if last is None or last == date.max else _start(last + timedelta(days=1))
        return (None if first is None else _start(first)), until
    back = {TODAY: 0, WEEK: 6, MONTH: 29}.get(period)
    return (None, None) if back is None else (_start(now.astimezone(UTC).date() - timedelta(days=back)), None)


def _start(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)


def _scope(workspace: Workspace) -> tuple[str, int]:
    return workspace.actor.service, workspace.actor.organization_id


def _filters(workspace: Workspace, query: ListQuery) -> EntryFilters:
    by_words = {describe_action(action): action for action in workspace.journal.audit.actions(*_scope(workspace))}
    by_word: dict[str, EntryState] = {str(status): state for state, status in STATUSES.items()}
    by_word[RESOLVED] = "unknown"
    since, until = period_bounds(query[PERIOD], datetime.now(UTC), query[FIRST_DAY], query[LAST_DAY])
    words, word = query[ACTION], query[OUTCOME]
    # An unknown word, as from an old link, stays in its field and matches no entry.
    return EntryFilters(
        username=query[PERSON],
        action=by_words.get(words, words) if words else None,
        state=by_word.get(word, cast(EntryState, word)) if word else None,
        is_resolved=word == RESOLVED,
        since=since,
        until=until,
        text=query[TEXT],
    )


def _read(workspace: Workspace, query: ListQuery) -> Page[Entry]:
    audit, scope, filters = workspace.journal.audit, _scope(workspace), _filters(workspace, query)
    total = audit.count(*scope, filters=filters)
    entries = audit.list(
        *scope, filters=filters, page=query.page_number, page_size=query.page_size, payloads_of=[ALERT]
    )
    return Page(list(entries), query.page_number, query.page_size, total)


def _read_file(workspace: Workspace, query: ListQuery) -> Iterator[Entry]:
    filters = _filters(workspace, query)
    return iter(workspace.journal.audit.list(*_scope(workspace), filters=filters, page_size=MOST_IN_A_FILE))


def _retrieve(workspace: Workspace, entry_id: str) -> Entry | None:
    try:
        return workspace.journal.audit.retrieve(int(entry_id), actor=workspace.actor)
    except EntryNotFound:
        return None


def _summarize(workspace: Workspace, _: ListResult[Entry]) -> str:
    audit, scope = workspace.journal.audit, _scope(workspace)
    under_way = audit.count(*scope, filters=EntryFilters(state="started"))
    parts = [count(audit.count(*scope), "entry", "entries"), f"{unknown_count(workspace):,} with status Unknown"]
    return " · ".join(parts + ([f"{under_way:,} under way"] if under_way else []))


def unknown_count(workspace: Workspace) -> int:
    """Count the changes with status Unknown that no one has resolved."""
    return workspace.journal.audit.count(*_scope(workspace), filters=EntryFilters(state="unknown"))


def _usernames(workspace: Workspace) -> dict[str, str]:
    return {name: name for name in workspace.journal.audit.usernames(*_scope(workspace))}


def _actions(workspace: Workspace) -> dict[str, str]:
    words = [describe_action(action) for action in workspace.journal.audit.actions(*_scope(workspace))]
    return {each: each for each in words}


JOURNAL: Final = RecordList(
    key="journal",
    noun=("entry", "entries"),
    source=PagedRecords(_read, max_age=None, max_file_records=MOST_IN_A_FILE, read_file=_read_file),
    identity=lambda entry: str(entry.id),
    name=lambda entry: f"{describe_action(entry.action)}: {describe_subject(entry)}",
    columns={
        "what": text("Action", lambda entry: describe_action(entry.action)),
        "subject": text("Record", describe_subject),
        "outcome": statuses("Status", entry_status),
        "when": times("Time", lambda entry: entry.at),
        "who": text("Person", lambda entry: entry.actor.username),
        "id": text("Entry ID", lambda entry: str(entry.id)).in_files_only(),
        "finished": times("Finished", lambda entry: entry.finished_at).in_files_only(),
        "organization": text("Organization ID", lambda entry: str(entry.actor.organization_id)).in_files_only(),
        "service": text("Service", lambda entry: entry.actor.service).in_files_only(),
        "subject_id": text("Subject ID", lambda entry: entry.subject_id).in_files_only(),
        "message": text("Message", lambda entry: entry.message).in_files_only(),
        "sent": text("Sent", lambda entry: _payload(entry.request)).in_files_only(),
        "came_back": text("Response", lambda entry: _payload(entry.answer)).in_files_only(),
    },
    url_parameter="entry",
    draw_detail=lambda workspace, entry: entry_detail(workspace, entry, datetime.now(UTC)),
    retrieve=_retrieve,
    has_partial_records=True,
    displayed_id=lambda _: None,
    missing_message="This organization’s journal has no entry {id}.",
    icon="history",
    filters=(
        SearchFilter(TEXT, "Search the journal", "Record locator, name, ID, or message"),
        ChoiceFilter(PERSON, "Person", _usernames, none_label="Everyone"),
        ChoiceFilter(ACTION, "Action", _actions, none_label="All actions"),
        ChoiceFilter(
            OUTCOME,
            "Status",
            lambda _: {str(each): str(each) for each in (*STATUSES.values(), RESOLVED)},
            none_label="All",
        ),
        _Period(),
    ),
    summarize=_summarize,
    empty_message="The journal lists every change that was made in Muster, and its result.",
    empty_action=EmptyAction("Add a trip", lambda: go_to(TRIP_EDITOR)),
)


def _payload(payload: Any) -> str | None:
    return None if payload is None else json_text(payload, indent=None)
