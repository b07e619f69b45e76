"""Draws the rosters of the organization, which are named lists of record locators."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.edits.removal_view import deleting, draw_removed
from components.file_import.steps import current_file, draw_steps, remove_file
from components.record_list.declaration import (
    AllRecords,
    ListResult,
    NewAction,
    RecordColumn,
    RecordList,
    numbers,
    text,
)
from components.record_list.record_table import record_table
from components.shell.address import choices_field, in_address, link_to, optional_field
from components.shell.background_changes import is_pending, start_change
from components.shell.confirm import confirm_dialog
from components.shell.notices import field_problem, show_problem, show_success
from components.shell.state import StateKey
from domain.runtime.screens import EXPECTED_LOCATIONS
from domain.tables.loaded_records import NEW, LoadedRecords, ReportProgress
from domain.text.plain_text import count, id_in, names, plain
from domain.text.time_text import moment
from domain.trips.rosters import changes
from domain.trips.rosters.changes import ROSTER_IN_URL, ROSTER_REMOVAL
from domain.trips.rosters.roster_file import KEEP_IMPORTED_FOR, ROSTER, trips_of
from journal import JournalError, RosterEntry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from domain.runtime.calls import End
    from domain.runtime.workspace import Workspace
    from journal import Roster, RosterLoad


MAKING, RENAMING, REPLACING, DEFAULT = "roster", "roster.rename", "roster.replace", "roster.default"
EXTENDING: Final = "roster.extend"
RESTORED: Final = optional_field("rosters-restore")
"""The journal entry of a deleted roster that is to be restored."""
MAX_NAME_LENGTH: Final = 100
NAMED_IN_DIALOG: Final = 6
DRAFT: Final = "rosters-new"
NO_TRIPS: Final = "Paste at least one record locator, or upload a file."

NAME: Final = StateKey[str](f"{DRAFT}-name", str)
PROBLEMS: Final = StateKey[dict[str, str]]("rosters-problems", dict)
"""The error messages of the forms, by field."""
FAILURE: Final[StateKey[Exception | None]] = StateKey("rosters-failure", lambda: None)
"""The error of the last change that failed for another reason."""


def new_roster(workspace: Workspace) -> None:
    """Draw the form that makes a roster."""
    st.header("New roster", anchor=False)
    st.text_input(
        "Name",
        key=NAME.widget_key,
        max_chars=MAX_NAME_LENGTH,
        persist_state="session",
        placeholder="Sales conference, Singapore",
        on_change=PROBLEMS.clear,
    )
    field_problem(PROBLEMS.get().get("name"))
    entries = _draw_intake(workspace, DRAFT)
    field_problem(None if entries else PROBLEMS.get().get("trips"))
    trips = f" with {count(len(entries), 'trip', 'trips')}" if entries else ""
    st.button(
        f"Create roster{trips}",
        key="rosters-make",
        type="primary",
        icon=":material/playlist_add:",
        on_click=partial(_create, workspace),
    )


def roster_detail(workspace: Workspace, roster: Roster, load: RosterLoad | None, now: datetime) -> None:
    """Draw the details of a roster, without its name."""
    entries = roster.entries()
    made = f"created by {plain(roster.created_by)} on {moment(roster.created_at, now=now)}"
    last = changes.load_text(load, now, in_line=True)
    st.caption(f"{count(roster.entry_count, 'trip', 'trips')} · {made} · {last}")
    if roster.takes_imports:
        days = KEEP_IMPORTED_FOR.days
        st.caption(f"Muster adds imported trips to this roster and removes them {days} days after they end.")
    record_table(
        changes.trips_frame(entries),
        {"locator": "Record locator", "travelers": "Travelers", "itineraries": "Trip ID"},
        key=f"rosters-trips-{roster.id}",
        selection=None,
        noun=("trip", "trips"),
        build_file=lambda _: changes.roster_download(entries),
        stem=f"roster-{roster.id}",
    )
    with st.expander("Add or replace trips", icon=":material/sync_alt:"):
        _draw_replace(workspace, roster)
    scope = workspace.actor.service, workspace.actor.organization_id
    others = {each.id: each for each in workspace.journal.rosters.list(*scope) if each.id != roster.id}
    if others:
        with st.expander("Merge another roster", icon=":material/merge:"):
            _draw_merge(workspace, roster, others)


def _draw_intake(workspace: Workspace, key: str) -> list[RosterEntry]:
    """Draw the steps that read trips from a file or text. Return the trips of the rows without errors."""
    check = draw_steps(workspace, ROSTER, key=key)
    if check is None:
        return []
    trips = trips_of(check.ready)
    if trips.entries:
        st.markdown(f"**Read:** {plain(changes.trips_summary(trips))}")
    return trips.entries


def _create(workspace: Workspace) -> None:
    if is_pending(workspace, MAKING):
        return
    check = current_file(DRAFT, workspace)  # The file as it is now, not as it was when the page was drawn.
    entries = [] if check is None else trips_of(check.ready).entries
    # Keep the form open, even if there was no roster before.
    choices_field(ROSTER_IN_URL).set_with_url([NEW])
    name = NAME.get().strip()
    problems = {"name": "" if name else "Give the roster a name.", "trips": "" if entries else NO_TRIPS}
    PROBLEMS.set({field: words for field, words in problems.items() if words})
    if PROBLEMS.get():
        return
    work = partial(changes.create, workspace, name, entries)
    start_change(workspace, MAKING, name, work, label=f"Roster “{name}”", then=partial(_on_created, workspace))


def _on_created(workspace: Workspace, end: End) -> None:
    if isinstance(end.error, JournalError):
        PROBLEMS.set({"name": str(end.error)})
        return
    if end.error is not None:
        FAILURE.set(end.error)
        return
    FAILURE.clear()
    roster: Roster = end.value
    if end.is_here:
        NAME.set("")
        remove_file(DRAFT, workspace)
        choices_field(ROSTER_IN_URL).set_with_url([str(roster.id)])
    show_success(f"“{roster.name}” has {count(roster.entry_count, 'trip', 'trips')}")


def _draw_more(workspace: Workspace, roster: Roster) -> None:
    _draw_rename(workspace, roster)
    _draw_default(workspace, roster)


def _draw_rename(workspace: Workspace, roster: Roster) -> None:
    key = f"rosters-rename-{roster.id}"
    name = st.text_input("New name", roster.name, key=key, max_chars=MAX_NAME_LENGTH, on_change=PROBLEMS.clear)
    field_problem(PROBLEMS.get().get(key))

    def rename() -> None:
        work = partial(changes.rename, workspace, roster, st.session_state[key])
        start_change(workspace, RENAMING, str(roster.id), work, label=f"Roster “{roster.name}”", then=renamed)

    def renamed(end: End) -> None:
        PROBLEMS.set({} if end.error is None else {key: str(end.error)})
        if end.error is None:
            show_success(f"The roster is renamed to “{end.value.name}”")

    st.button("Save name", key=f"{key}-save", on_click=rename, disabled=name == roster.name)


def _draw_default(workspace: Workspace, roster: Roster) -> None:
    is_new, name = not roster.is_default, roster.name

    def save() -> None:
        work = partial(changes.make_default, workspace, roster, is_default=is_new)
        start_change(workspace, DEFAULT, str(roster.id), work, label=f"Roster “{name}”", then=saved)

    def saved(end: End) -> None:
        if end.error is not None:
            FAILURE.set(end.error)
            return
        FAILURE.clear()
        show_success(f"“{name}” is the default roster" if is_new else f"“{name}” is no longer the default roster")

    st.button(
        "Make default" if is_new else "Remove default",
        key=f"rosters-default-{roster.id}",
        icon=":material/star:",
        help="The map opens on the default roster for everyone in the organization who has not chosen another one.",
        on_click=save,
    )


def _draw_add_button(workspace: Workspace, roster: Roster, entries: list[RosterEntry], key: str) -> None:
    """Draw the button that adds trips to a roster."""

    def add() -> None:
        work = partial(changes.extend, workspace, roster, entries)
        start_change(workspace, EXTENDING, str(roster.id), work, label=f"Roster “{roster.name}”", then=added)

    def added(end: End) -> None:
        if end.error is not None:
            FAILURE.set(end.error)
            return
        FAILURE.clear()
        remove_file(key, workspace)
        show_success(f"“{end.value.name}” has {count(end.value.entry_count, 'trip', 'trips')}")

    label = f"Add {count(len(entries), 'trip', 'trips')}" if entries else "Add trips"
    st.button(label, key=f"{key}-add", icon=":material/playlist_add:", disabled=not entries, on_click=add)


def _draw_merge(workspace: Workspace, roster: Roster, others: Mapping[int, Roster]) -> None:
    """Draw the field that adds all trips of another roster."""
    key = f"rosters-merge-{roster.id}"
    chosen = st.selectbox(
        "Roster to add",
        list(others),
        index=None,
        format_func=lambda roster_id: others[roster_id].name,
        key=key,
        help="Adds all trips of the other roster to this one. The other roster stays.",
    )
    other = others[chosen].entries() if chosen is not None and chosen in others else []
    _draw_add_button(workspace, roster, [RosterEntry(each.record_locator, each.travelers) for each in other], key)


def _draw_replace(workspace: Workspace, roster: Roster) -> None:
    st.caption("Trips on both rosters keep their trip IDs.")
    key = f"rosters-replace-{roster.id}"
    entries = _draw_intake(workspace, key)
    before, after = count(roster.entry_count, "trip", "trips"), count(len(entries), "trip", "trips")

    def replace() -> None:
        work = partial(changes.replace, workspace, roster, entries)
        start_change(workspace, REPLACING, str(roster.id), work, label=f"Roster “{roster.name}”", then=replaced)

    def replaced(end: End) -> None:
        if end.error is not None:
            FAILURE.set(end.error)
            return
        FAILURE.clear()
        remove_file(key, workspace)
        show_success(f"“{end.value.name}” has {count(end.value.entry_count, 'trip', 'trips')}")

    _draw_add_button(workspace, roster, entries, key)
    if st.button(
        f":red[Replace {before}{f' with {after}' if entries else ''}]", key="rosters-replace", disabled=not entries
    ):
        added = plain(names([entry.record_locator for entry in entries], at_most=NAMED_IN_DIALOG))
        confirm_dialog(
            "Replace the trips?",
            [
                f"Replacing the trips removes {before} from **{plain(roster.name)}** and adds {after}: {added}.",
                "Nothing changes in the service.",
            ],
            f"Replace {before}",
            replace,
            key="rosters-replace-dialog",
            icon=":material/sync_alt:",
        )


@dataclass(frozen=True)
class RosterWithLoad:
    """A roster, and the last time it was loaded onto the map."""

    roster: Roster
    load: RosterLoad | None

    @property
    def loaded_at(self) -> datetime | None:
        """When it was last loaded onto the map."""
        return None if self.load is None else self.load.finished_at or self.load.started_at


def _list_rosters(workspace: Workspace, _: ReportProgress) -> LoadedRecords[RosterWithLoad]:
    journal, scope = workspace.journal, (workspace.actor.service, workspace.actor.organization_id)
    loads = journal.roster_loads.latest_of(*scope)
    return LoadedRecords([RosterWithLoad(roster, loads.get(roster.id)) for roster in journal.rosters.list(*scope)])


def _summary(_: Workspace, found: ListResult[RosterWithLoad]) -> str:
    trips = sum(known.roster.entry_count for known in found.loaded.records)
    return f"{count(len(found.loaded.records), 'roster', 'rosters')} · {count(trips, 'trip', 'trips')}"


def _draw_restore(workspace: Workspace) -> None:
    """Draw the form that restores the deleted roster of the journal entry in the address."""
    with in_address(RESTORED):
        entry_id = id_in(RESTORED.get() or "")
    if entry_id is None:
        return
    deleted = changes.read_deleted(workspace, entry_id)
    if deleted is None:
        st.warning(f"Journal entry {entry_id} has no deleted roster.", icon=":material/search_off:")
        return
    name, entries = deleted
    key = f"rosters-restore-{entry_id}"

    def restore() -> None:
        work = partial(changes.create, workspace, st.session_state[key].strip(), entries)
        start_change(workspace, MAKING, str(entry_id), work, label=f"Roster “{name}”", then=restored)

    def restored(end: End) -> None:
        PROBLEMS.set({} if end.error is None else {key: str(end.error)})
        if end.error is None:
            if end.is_here:
                RESTORED.set_with_url(None)
                choices_field(ROSTER_IN_URL).set_with_url([str(end.value.id)])
            show_success(f"“{end.value.name}” is restored with {count(end.value.entry_count, 'trip', 'trips')}")

    with st.container(border=True):
        trips = count(len(entries), "trip", "trips")
        st.markdown(f"**Restore the deleted roster “{plain(name)}”** with {trips}")
        st.text_input("Name", name, key=key, max_chars=MAX_NAME_LENGTH, on_change=PROBLEMS.clear)
        field_problem(PROBLEMS.get().get(key))
        st.button("Restore roster", key=f"{key}-save", type="primary", icon=":material/restore:", on_click=restore)


def _draw_above(workspace: Workspace, *_: object) -> None:
    _draw_restore(workspace)
    draw_removed(workspace, ROSTER_REMOVAL)
    failure = FAILURE.get()
    if failure is not None:
        show_problem(failure, key="rosters-failure")
        st.button("Dismiss", key="rosters-failure-dismiss", on_click=FAILURE.clear)


ROSTERS: Final = RecordList(
    key="rosters",
    noun=("roster", "rosters"),
    source=AllRecords(_list_rosters, search=("name",), search_hint="Name", max_age=None),
    identity=lambda known: str(known.roster.id),
    name=lambda known: known.roster.name,
    columns={
        "name": text("Roster", lambda known: known.roster.name),
        "trips": numbers("Trips", lambda known: known.roster.entry_count),
        "last_load": RecordColumn(
            "Last loaded",
            lambda known: changes.load_text(known.load, datetime.now(UTC)),
            sort_value=lambda known: known.loaded_at,
        ),
        "made_by": text("Created by", lambda known: known.roster.created_by),
        "default": text("Default", lambda known: "Default" if known.roster.is_default else ""),
    },
    selection="many",
    url_parameter=ROSTER_IN_URL,
    subject_kind=changes.SUBJECT,
    draw_detail=lambda workspace, known: roster_detail(workspace, known.roster, known.load, datetime.now(UTC)),
    displayed_id=lambda _: None,
    missing_message="This organization has no roster {id}. The roster may have been deleted.",
    icon="format_list_bulleted",
    draw_buttons=lambda _, known: link_to(EXPECTED_LOCATIONS, "Open on the map", roster=known.roster.id),
    draw_more=lambda workspace, known: _draw_more(workspace, known.roster),
    actions=(deleting(ROSTER_REMOVAL, lambda known: changes.target_of(known.roster)),),
    new=NewAction("New roster", form=new_roster),
    summarize=_summary,
    draw_above_list=_draw_above,
    empty_message="A roster is a named list of trips, such as those of a team. The map shows the trips of a roster.",
)
