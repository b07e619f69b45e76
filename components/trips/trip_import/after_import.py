"""Drawing what can be done with an import that was sent: as a roster, held against the service, undone."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.file_import.intake_screen import sent_field
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
from domain.trips.trip_import.imported_trips import HeldAgainst, as_roster, held_against, still_there
from domain.trips.trip_import.undoing import undo_of, undone
from journal import JournalError

if TYPE_CHECKING:
    from domain.file_import.job_undo import Undo
    from domain.runtime.background import BackgroundRead, ReadState
    from domain.runtime.calls import End
    from domain.runtime.workspace import Workspace
    from journal import Job, Roster

CANCEL_KEY: Final = "cancel-trips"
"""What the keys of the screen of cancellations begin with, on which an undone import is followed."""
MAX_AGE: Final = timedelta(hours=1)
MAKING: Final = "roster"
_BEGUN: Final = StateKey[int | None]("trip-import.undone", lambda: None)
_PROBLEM: Final = StateKey[dict[int, str]]("trip-import.problem", dict)
"""By the job it is about."""
_ROSTERS: Final = StateKey[dict[int, int]]("trip-import.rosters", dict)
"""The rosters that were made here, by the job they are of."""


def after_import(workspace: Workspace, job: Job) -> None:
    """Draw it, below how far the job is; nothing before anything was added."""
    begun = _BEGUN.get()
    if begun is not None:
        _BEGUN.clear()
        go_to(CANCEL_TRIPS, **{sent_field(CANCEL_KEY).name: begun})
    if not job.counts.get("done") or job.is_owned:
        return
    key = f"trip-import-{job.id}"
    was_undone = undone(workspace, [job]).get(job.id)
    if was_undone is not None and (was_undone.is_whole or was_undone.is_under_way):
        link_to(CANCEL_TRIPS, "See what was canceled", **{sent_field(CANCEL_KEY).name: str(was_undone.job_id)})
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        _roster(workspace, job, key)
        compare = st.button("Compare with the service", key=f"{key}-compare", icon=":material/compare_arrows:")
        if st.button(":red[Undo this import]", key=f"{key}-undo", icon=":material/undo:"):
            _ask_to_undo(workspace, job, key)
    field_problem(_PROBLEM.get().get(job.id))
    _comparison(workspace, job, key, is_asked=compare)


def _roster(workspace: Workspace, job: Job, key: str) -> None:
    made = _ROSTERS.get().get(job.id)
    imports = _roster_of_imports(workspace)
    if made is not None or imports is not None:
        link_to(EXPECTED_LOCATIONS, "Open on the map", roster=made or (imports.id if imports is not None else None))
    if made is not None:
        return
    name = StateKey[str](f"{key}-roster-name", str)

    def save() -> None:
        items = workspace.journal.ledger.items(job.id, ["done"])
        work = partial(as_roster, workspace, name.get().strip(), items)
        start_change(workspace, MAKING, name.get(), work, label=f"Roster “{name.get()}”", then=saved)

    def saved(end: End) -> None:
        _PROBLEM.set({} if end.error is None else {job.id: f"No roster was made. {end.error}"})
        if end.error is None:
            roster: Roster = end.value
            _ROSTERS.get()[job.id] = roster.id

    with st.popover("Save as a separate roster", icon=":material/format_list_bulleted:", key=f"{key}-roster"):
        # What is begun with belongs to the field: the browser draws it when the box opens, runs after it was sent.
        st.text_input("Name", PurePath(job.name).stem, key=name.widget_key, max_chars=100)
        st.button("Save", key=f"{key}-roster-save", type="primary", on_click=save)


def _roster_of_imports(workspace: Workspace) -> Roster | None:
    rosters = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
    return next((roster for roster in rosters if roster.takes_imports), None)


def _ask_to_undo(workspace: Workspace, job: Job, key: str) -> None:
    undo = undo_of(workspace, workspace.journal.ledger.items(job.id))
    lines = [f"- {plain(line)}" for line in undo.not_undoable]
    leaves = "\n".join(["Not undone:", *lines]) if lines else ""
    if not undo.rows:
        _PROBLEM.set({job.id: "There is nothing left that can be undone. " + " ".join(undo.not_undoable)})
        st.rerun()
    trips = count(len(undo.rows), "trip", "trips")
    it = "it" if len(undo.rows) == 1 else "them"
    imports = _roster_of_imports(workspace)
    confirm_dialog(
        "Undo this import?",
        [
            f"The service deletes {trips} that this import made: {plain(undo.record_names)}.",
            f"No one will be expected anywhere because of {it}. This cannot be undone. You can import the file again.",
            *filter(None, [leaves]),
            *([f"Muster removes {it} from the roster “{plain(imports.name)}”."] if imports is not None else []),
            "Contacts that were created stay.",
        ],
        f"Cancel {trips}",
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


def _comparison(workspace: Workspace, job: Job, key: str, *, is_asked: bool) -> None:
    # What was canceled since is not there any more, whatever was read before.
    canceled = workspace.journal.ledger_history.count_done(workspace.actor, [CANCELING.kind])
    name = ("import compared", job.id, canceled)
    held: BackgroundRead[HeldAgainst] | None = server().reads.find(workspace, *name)
    if is_asked:
        if held is not None:
            held.invalidate()
        items = still_there(workspace, workspace.journal.ledger.items(job.id, ["done"]))
        read = partial(held_against, workspace.client, items, width=settings().fan_out)
        held = server().reads.open(workspace, name, read, max_age=MAX_AGE)
    if held is None:
        return
    now = draw_reading(held, _read_so_far, key=f"{key}-compared")
    if now.latest is not None:
        _compared(now.latest, key)


def _read_so_far(now: ReadState[HeldAgainst]) -> str:
    return f"Reading where people are expected: {now.done:,} of {now.total or 0:,} trips"


def _compared(found: HeldAgainst, key: str) -> None:
    others = len(found.others)
    same = count(found.same, "trip is", "trips are")
    if not others:
        st.success(f"{same} expected by the service exactly as predicted.", icon=":material/check_circle:")
        return
    st.warning(
        f"{same} expected by the service exactly as predicted; {others:,} {'differs' if others == 1 else 'differ'}.",
        icon=":material/compare_arrows:",
    )
    record_table(
        found.others,
        {"locator": "Record locator", "rows": "Row", "id": "Itinerary id", "what": "What differs"},
        f"{key}-differences",
        selection=None,
        noun=("trip", "trips"),
        build_file=lambda table: table,
        stem="differences",
    )
