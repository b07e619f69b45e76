"""Draws how a load is getting on, how fresh its data is, and what it did not bring; opens the load of a roster."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from components.record_list.record_table import record_table
from components.shell.changing import follow
from components.shell.notices import show_problem
from components.widgets.job_progress import Progress, job_progress
from components.widgets.page_redraw import redraw_page
from domain.expected_locations import expected_words
from domain.expected_locations.at_moment import to_the_minute
from domain.expected_locations.roster_choice import RosterChoice
from domain.expected_locations.roster_load import MOST_LOADS, Failure, RosterLoad
from domain.runtime.server import server
from domain.runtime.settings import settings
from domain.runtime.workspace import Workspace

# A map takes its time to paint: one that is drawn anew too often is never seen.
_FILL_EVERY_SECONDS: Final = 3
_FRESHNESS_EVERY_SECONDS: Final = 30
STOPPING: Final = (
    "You can go on elsewhere: it goes on loading. Stop asks for no further trip; what has arrived stays, and Refresh "
    "reads the roster again."
)


def open_load(workspace: Workspace, chosen: RosterChoice) -> RosterLoad:
    """The load of these rosters through this connection; one that was never started starts, others follow changes."""
    load = server().reads.keep(
        workspace,
        ("roster", chosen.value),
        lambda: RosterLoad(
            chosen.rosters, workspace.client.itineraries, workspace.journal, workspace.actor, width=settings().fan_out
        ),
        with_token=False,
        at_most=MOST_LOADS,
    )
    load.use(workspace.client.itineraries)
    if load.now.began_at is None:
        load.load()
    elif not load.now.is_running:
        load.follow_rosters(chosen.rosters)
        load.follow_changes()
    return load


def draw_freshness(load: RosterLoad, *, reading: bool, moves_on: bool) -> None:
    """Draw since when the data holds, and the button that reads the roster again; where now is shown, it moves on.

    While `reading` the button waits: `draw_progress` has the page drawn again at the end of that.
    """
    drawn = datetime.now(UTC)

    @st.fragment(run_every=_FRESHNESS_EVERY_SECONDS)
    def redraw() -> None:
        _draw_freshness(load, reading)  # It comes first: a press on its button is not lost where now moves on.
        if moves_on and to_the_minute(datetime.now(UTC)) != to_the_minute(drawn):
            redraw_page()

    redraw()


def _draw_freshness(load: RosterLoad, reading: bool) -> None:
    with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
        if load.as_of is not None:
            st.caption(expected_words.freshness(load.as_of, datetime.now(UTC)), width="content")
        if st.button(
            "Refresh",
            icon=":material/refresh:",
            key="expected-refresh",
            disabled=reading,
            help="Read these trips from the service again.",
        ):
            load.load()
            st.rerun(scope="app")


def draw_progress(load: RosterLoad, name: str) -> None:
    """Draw how far a load is that was seen to run, and let what arrives appear on the page."""
    job_progress(partial(_progress, load, name), key="expected-load", on_stop=load.stop, meaning=STOPPING)
    drawn = load.version
    follow(lambda: load.version != drawn, every=_FILL_EVERY_SECONDS)


def draw_failures(load: RosterLoad) -> None:
    """Draw what the latest run did not bring, why, and the way to try again."""
    failures = load.failures()
    if not failures:
        return
    said = expected_words.failing(failures)
    retriable = any(each.reason != "not found" for each in failures)
    if load.problem is not None:
        show_problem(load.problem, key="expected-load")
    with st.container(horizontal=True, vertical_alignment="center", key="expected-failures"):
        icon = ":material/warning:" if retriable else ":material/info:"
        folded = st.popover(
            f"{said[:1].upper()}{said[1:]}",
            icon=icon,
            type="tertiary",
            key="expected-failure-words",
            on_change="rerun",
        )
        if folded.open:
            with folded:
                _draw_list(failures)
        if retriable:
            st.button("Retry", icon=":material/replay:", key="expected-retry", on_click=_retry, args=(load,))


def _retry(load: RosterLoad) -> None:
    load.load(only_failed=True)


def _draw_list(failures: Sequence[Failure]) -> None:
    record_table(
        pd.DataFrame({"Record locator": [each.locator for each in failures], "Why": [each.words for each in failures]}),
        {"Record locator": "Record locator", "Why": "Why"},
        "expected-failure-list",
        selection=None,
        noun=("trip", "trips"),
    )


def _progress(load: RosterLoad, roster_name: str) -> Progress:
    now = load.now
    words = expected_words.loading(now.done, now.total or 0, load.counts, roster_name)
    return Progress(now.total or 0, now.done, words, finished=not now.is_running)
