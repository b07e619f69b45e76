"""Drawing how many trips are canceled at once: what is asked for, what the service has of it, and what came of it."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import pandas as pd
import streamlit as st

from components.file_import.intake_screen import arrange, draw_jobs, show_job
from components.file_import.steps import draw_steps, remove_file
from components.record_list.record_table import record_table
from components.shell.confirm import confirm_dialog
from components.shell.notices import field_problem
from components.shell.reading_view import draw_reading
from components.shell.state import StateKey
from components.trips.lookup_view import values_box
from components.trips.trip_import.after_import import CANCEL_KEY
from domain.file_import.checking import Check
from domain.file_import.job import JOBS
from domain.runtime.server import server
from domain.runtime.settings import settings
from domain.text.plain_text import count, names, plain
from domain.trips.trip_import.canceling import ASKED_FOR, CANCELING, NAMED, Found, find, title_of
from journal import JournalError

if TYPE_CHECKING:
    from domain.runtime.background import ReadState
    from domain.runtime.workspace import Workspace

MAX_AGE: Final = timedelta(minutes=5)
_PROBLEM: Final = StateKey[tuple[Check | None, str]](f"{CANCEL_KEY}.problem", lambda: (None, ""))
"""What was asked for, and why nothing of it was canceled."""


def cancel_screen(workspace: Workspace) -> None:
    """Draw the screen."""
    order = arrange(workspace, CANCELING, key=CANCEL_KEY)
    with order.steps:
        check = draw_steps(workspace, ASKED_FOR, key=CANCEL_KEY, is_folded=order.is_folded)
        if check is not None and check.is_ready.any():
            _found(workspace, check)
            asked, words = _PROBLEM.get()
            field_problem(words if asked is check else None)
    with order.jobs:
        draw_jobs(workspace, CANCELING, key=CANCEL_KEY)


def _found(workspace: Workspace, check: Check) -> None:
    records = list(check.ready.records())
    name = ("trips to cancel", sha256(repr(records).encode()).hexdigest())
    read = partial(find, workspace, records, width=settings().fan_out)
    held = server().reads.find(workspace, *name)
    look = st.button(
        f"Look for {count(len(records), 'trip', 'trips')}",
        key=f"{CANCEL_KEY}-look",
        type="primary" if held is None else "secondary",
        icon=":material/search:",
    )
    if look:
        if held is not None:
            held.invalidate()
        held = server().reads.open(workspace, name, read, max_age=MAX_AGE)
    if held is None:
        return
    now = draw_reading(held, _looked_for, key=f"{CANCEL_KEY}-looked")
    if now.latest is not None:
        _told(workspace, check, now.latest)


def _looked_for(now: ReadState[Found]) -> str:
    return f"Looked for {now.done:,} of {now.total or 0:,}"


def _told(workspace: Workspace, check: Check, found: Found) -> None:
    trips = count(len(found.rows), "trip", "trips")
    it = "it" if len(found.rows) == 1 else "them"
    st.markdown(f"**{trips} to cancel**")
    for values, what in (
        (found.missing, "Not at the service"),
        (found.unclear, "Record locator and external id are not of one trip, which is left as it is"),
        (found.unasked, "The service could not be read for these. Check again"),
    ):
        if values:
            st.warning(f"{what}: {len(values):,}.", icon=":material/search_off:")
            values_box(values)
    if not found.rows:
        return
    record_table(
        pd.DataFrame(found.rows, columns=["locator", "id", "who"]),
        {"locator": "Record locator", "id": "Itinerary id", "who": "Travelers"},
        f"{CANCEL_KEY}-found",
        selection=None,
        noun=("trip", "trips"),
    )
    if st.button(f":red[Cancel {trips}]", key=f"{CANCEL_KEY}-send", icon=":material/event_busy:"):
        confirm_dialog(
            f"Cancel {trips}?",
            [
                f"{plain(names([title_of(row) for row in found.rows], at_most=NAMED))}.",
                f"The service deletes {it}: no one is expected anywhere for {it} any more. This cannot be undone.",
            ],
            f"Cancel {trips}",
            partial(_cancel, workspace, check, found),
            key=f"{CANCEL_KEY}-dialog",
            keep_label=f"Keep {it}",
            icon=":material/event_busy:",
        )


def _cancel(workspace: Workspace, check: Check, found: Found) -> None:
    try:
        job_id = JOBS.begin(workspace, Check.of_rows(CANCELING, check.source.name, found.rows))
    except JournalError as error:
        _PROBLEM.set((check, f"Nothing was canceled. {error}"))
        return
    _PROBLEM.clear()
    show_job(CANCEL_KEY, job_id)
    remove_file(CANCEL_KEY, workspace)
