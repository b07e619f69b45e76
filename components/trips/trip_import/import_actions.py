"""Draw the actions for a sent import: save as a roster, compare with the service, and undo."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.file_import.import_view import sent_field
from components.record_list.record_table import record_table
from components.shell.address import go_to, link_to
from components.shell.background_changes import start_change
from components.shell.confirm import confirm_dialog
from components.shell.notices import field_problem
from components.shell.reading_view import draw_reading
from components.shell.state import StateKey
from domain.file_import.job import JOBS
from domain.runtime.screens import CANCEL_TRIPS, EXPECTED_LOCATIONS
from domain.runtime.server import server
from domain.runtime.settings import settings
from domain.text.plain_text import count, plain
from domain.trips.trip_import.canceling import CANCELING
from domain.trips.trip_import.imported_trips import (
    ServiceComparison,
    compare_with_service,
    create_roster,
    find_remaining,
)
from domain.trips.trip_import.undoing import plan_undo, summarize_undone
from journal import JournalError

if TYPE_CHECKING:
    from domain.file_import.job_undo import Undo
    from domain.runtime.background import BackgroundRead, ReadState
    from domain.runtime.calls import End
    from domain.runtime.workspace import Workspace
    from journal import Job, Roster

CANCEL_KEY: Final = "cancel-trips"
"""The widget key prefix of the screen that cancels trips, which shows the undo of an import."""
MAX_AGE: Final = timedelta(hours=1)
ROSTER_ACTION: Final = "roster"
_BEGUN: Final = StateKey[int | None]("trip-import.undone", lambda: None)
_PROBLEM: Final = StateKey[dict[int, str]]("trip-import.problem", dict)
"""The error messages by job ID."""
_ROSTERS: Final = StateKey[dict[int, int]]("trip-import.rosters", dict)
"""The rosters that were created in this tab, by job ID."""


def draw_import_actions(workspace: Workspace, job: Job) -> None:
    """Draw the actions below the progress of a job, once the job has added something."""
    begun = _BEGUN.get()
    if begun is not None:
        _BEGUN.clear()
        go_to(CANCEL_TRIPS, **{sent_field(CANCEL_KEY).name: begun})
    if not job.counts.get("done") or job.is_owned:
        return
    key = f"trip-import-{job.id}"
    was_undone = summarize_undone(workspace, [job]).get(job.id)
    if was_undone is not None and (was_undone.is_whole or was_undone.is_under_way):
        link_to(CANCEL_TRIPS, "See what was canceled", **{sent_field(CANCEL_KEY).name: str(was_undone.job_id)})
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        _draw_roster(workspace, job, key)
        compare = st.button("Compare with the service", key=f"{key}-compare", icon=":material/compare_arrows:")
        if st.button(":red[Undo this import]", key=f"{key}-undo", icon=":material/undo:"):
            _confirm_undo(workspace, job, key)
    field_problem(_PROBLEM.get().get(job.id))
    _draw_comparison(workspace, job, key, is_asked=compare)


def _draw_roster(workspace: Workspace, job: Job, key: str) -> None:
    made = _ROSTERS.get().get(job.id)
    imports = _roster_of_imports(workspace)
    if made is not None or imports is not None:
        link_to(EXPECTED_LOCATIONS, "Open on the map", roster=made or (imports.id if imports is not None else None))
    if made is not None:
        return
    name = StateKey[str](f"{key}-roster-name", str)

    def save() -> None:
        items = workspace.journal.ledger.items(job.id, ["done"])
        work = partial(create_roster, workspace, name.get().strip(), items)
        start_change(workspace, ROSTER_ACTION, name.get(), work, label=f"Roster “{name.get()}”", then=saved)

    def saved(end: End) -> None:
        _PROBLEM.set({} if end.error is None else {job.id: f"The roster was not saved. {end.error}"})
        if end.error is None:
            roster: Roster = end.value
            _ROSTERS.get()[job.id] = roster.id

    with st.popover("Save as a separate roster", icon=":material/format_list_bulleted:", key=f"{key}-roster"):
        # The default value belongs to the field, because the browser draws the field when the popover opens.
        st.text_input("Name", PurePath(job.name).stem, key=name.widget_key, max_chars=100)
        st.button("Save", key=f"{key}-roster-save", type="primary", on_click=save)


def _roster_of_imports(workspace: Workspace) -> Roster | None:
    rosters = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
    return next((roster for roster in rosters if roster.takes_imports), None)


def _confirm_undo(workspace: Workspace, job: Job, key: str) -> None:
    undo = plan_undo(workspace, workspace.journal.ledger.items(job.id))
    lines = [f"- {plain(line)}" for line in undo.not_undoable]
    exceptions = "\n".join(["Not undone:", *lines]) if lines else ""
    if not undo.rows:
        _PROBLEM.set({job.id: "There is nothing left to undo. " + " ".join(undo.not_undoable)})
        st.rerun()
    trips = count(len(undo.rows), "trip", "trips")
    imports = _roster_of_imports(workspace)
    confirm_dialog(
        "Undo this import?",
        [
            f"The service will delete {trips} of this import: {plain(undo.record_names)}.",
            "Their expected locations will be deleted too. You can import the file again.",
            *filter(None, [exceptions]),
            *([f"Muster will remove {trips} from the roster “{plain(imports.name)}”."] if imports is not None else []),
            "Contacts that the import created will stay.",
        ],
        f"Undo import of {trips}",
        partial(_undo, workspace, job, undo),
        key=f"{key}-undo-dialog",
    )


def _undo(workspace: Workspace, job: Job, undo: Undo) -> None:
    try:
        _BEGUN.set(JOBS.begin(workspace, undo.check(CANCELING, job)))
    except JournalError as error:
        _PROBLEM.set({job.id: f"Nothing was undone. {error}"})
    else:
        _PROBLEM.clear()


def _draw_comparison(workspace: Workspace, job: Job, key: str, *, is_asked: bool) -> None:
    # A trip that was canceled since must not appear in an earlier comparison.
    canceled = workspace.journal.ledger_history.count_done_writes(workspace.actor, [CANCELING.kind])
    name = ("import compared", job.id, canceled)
    comparison: BackgroundRead[ServiceComparison] | None = server().reads.find(workspace, *name)
    if is_asked:
        if comparison is not None:
            comparison.invalidate()
        items = find_remaining(workspace, workspace.journal.ledger.items(job.id, ["done"]))
        read = partial(compare_with_service, workspace.client, items, width=settings().fan_out)
        comparison = server().reads.open(workspace, name, read, max_age=MAX_AGE)
    if comparison is None:
        return
    now = draw_reading(comparison, _read_so_far, key=f"{key}-compared")
    if now.latest is not None:
        _draw_result(now.latest, key)


def _read_so_far(now: ReadState[ServiceComparison]) -> str:
    return f"Compared {now.done:,} of {now.total or 0:,} trips"


def _draw_result(comparison: ServiceComparison, key: str) -> None:
    different = len(comparison.others)
    matching = f"The expected locations of {count(comparison.same, 'trip match', 'trips match')} the prediction."
    if not different:
        st.success(matching, icon=":material/check_circle:")
        return
    differing = f"The expected locations of {count(different, 'trip differ', 'trips differ')} from the prediction."
    st.warning(f"{matching} {differing}", icon=":material/compare_arrows:")
    record_table(
        comparison.others,
        {"locator": "Record locator", "rows": "Row", "id": "Trip ID", "what": "What differs"},
        f"{key}-differences",
        selection=None,
        noun=("trip", "trips"),
        build_file=lambda table: table,
        stem="differences",
    )
