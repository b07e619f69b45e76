"""Draw the screen that cancels many trips: the list, the trips at the service, and the results."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import pandas as pd
import streamlit as st

from components.file_import.import_view import arrange, draw_jobs, show_job
from components.file_import.steps import draw_steps, remove_file
from components.record_list.record_table import record_table
from components.shell.confirm import confirm_dialog
from components.shell.notices import field_problem
from components.shell.reading_view import draw_reading
from components.shell.state import StateKey
from components.trips.lookup_view import values_box
from components.trips.trip_import.import_actions import CANCEL_KEY
from domain.file_import.checking import Check
from domain.file_import.job import JOBS
from domain.runtime.server import server
from domain.runtime.settings import settings
from domain.text.plain_text import count, names, plain
from domain.trips.trip_import.canceling import CANCELING, NAMED, TRIPS_TO_CANCEL, FoundTrips, find_trips, trip_title
from journal import JournalError

if TYPE_CHECKING:
    from domain.runtime.background import ReadState
    from domain.runtime.workspace import Workspace

MAX_AGE: Final = timedelta(minutes=5)
_PROBLEM: Final = StateKey[tuple[Check | None, str]](f"{CANCEL_KEY}.problem", lambda: (None, ""))
"""The file and the error message of an attempt that canceled nothing."""


def cancel_screen(workspace: Workspace) -> None:
    """Draw the screen."""
    order = arrange(workspace, CANCELING, key=CANCEL_KEY)
    with order.steps:
        check = draw_steps(workspace, TRIPS_TO_CANCEL, key=CANCEL_KEY, is_folded=order.is_folded)
        if check is not None and check.is_ready.any():
            _draw_search(workspace, check)
            failed_check, message = _PROBLEM.get()
            field_problem(message if failed_check is check else None)
    with order.jobs:
        draw_jobs(workspace, CANCELING, key=CANCEL_KEY)


def _draw_search(workspace: Workspace, check: Check) -> None:
    records = list(check.ready.records())
    name = ("trips to cancel", sha256(repr(records).encode()).hexdigest())
    load = partial(find_trips, workspace, records, width=settings().fan_out)
    read = server().reads.find(workspace, *name)
    is_searching = st.button(
        f"Find {count(len(records), 'trip', 'trips')}",
        key=f"{CANCEL_KEY}-look",
        type="primary" if read is None else "secondary",
        icon=":material/search:",
    )
    if is_searching:
        if read is not None:
            read.invalidate()
        read = server().reads.open(workspace, name, load, max_age=MAX_AGE)
    if read is None:
        return
    reading = draw_reading(read, _format_progress, key=f"{CANCEL_KEY}-looked")
    if reading.latest is not None:
        _draw_found(workspace, check, reading.latest)


def _format_progress(now: ReadState[FoundTrips]) -> str:
    return f"Searched for {now.done:,} of {now.total or 0:,}"


def _draw_found(workspace: Workspace, check: Check, trips_found: FoundTrips) -> None:
    trips = count(len(trips_found.rows), "trip", "trips")
    st.markdown(f"**{trips} to cancel**")
    for values, message in (
        (trips_found.missing, "Not found in the service: {}."),
        (trips_found.unclear, "Not canceled: {}. The record locator and the external ID belong to different trips."),
        (trips_found.unread, "Not loaded, because the service failed: {}. Find the trips again."),
    ):
        if values:
            st.warning(message.format(f"{len(values):,}"), icon=":material/search_off:")
            values_box(values)
    if not trips_found.rows:
        return
    record_table(
        pd.DataFrame(trips_found.rows, columns=["locator", "id", "who"]),
        {"locator": "Record locator", "id": "Trip ID", "who": "Travelers"},
        f"{CANCEL_KEY}-found",
        selection=None,
        noun=("trip", "trips"),
    )
    if st.button(f":red[Cancel {trips}]", key=f"{CANCEL_KEY}-send", icon=":material/event_busy:"):
        confirm_dialog(
            f"Cancel {trips}?",
            [
                f"{plain(names([trip_title(row) for row in trips_found.rows], at_most=NAMED))}.",
                "The service will delete the trips and their expected locations.",
                "If a trip was sent from Muster, you can create it again on its page. Muster cannot restore others.",
            ],
            f"Cancel {trips}",
            partial(_cancel, workspace, check, trips_found),
            key=f"{CANCEL_KEY}-dialog",
            keep_label=f"Keep {trips}",
            icon=":material/event_busy:",
        )


def _cancel(workspace: Workspace, check: Check, trips_found: FoundTrips) -> None:
    try:
        job_id = JOBS.begin(workspace, Check.of_rows(CANCELING, check.source.name, trips_found.rows))
    except JournalError as error:
        _PROBLEM.set((check, f"Nothing was canceled. {error}"))
        return
    _PROBLEM.clear()
    show_job(CANCEL_KEY, job_id)
    remove_file(CANCEL_KEY, workspace)
