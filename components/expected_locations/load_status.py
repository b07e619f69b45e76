"""Draws the progress of a load, the age of its data, and the trips it could not read; opens the load of rosters."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

import streamlit as st

from components.expected_locations.controls import REFRESHES
from components.expected_locations.people_table import draw_failures_table
from components.shell.background_changes import redraw_when
from components.shell.job_progress import Progress, job_progress
from components.shell.notices import show_problem
from components.shell.page_redraw import redraw_page
from domain.expected_locations import expected_words
from domain.expected_locations.at_moment import to_the_minute
from domain.expected_locations.roster_choice import RosterChoice
from domain.expected_locations.roster_load import MOST_LOADS, RosterLoad
from domain.runtime.server import server
from domain.runtime.settings import settings
from domain.runtime.workspace import Workspace
from domain.text.plain_text import in_short, plain

# A map takes its time to paint: one that is drawn anew too often is never seen.
_FILL_EVERY_SECONDS: Final = 3
_FRESHNESS_EVERY_SECONDS: Final = 30
_LONGEST_NAME: Final = 40
REFRESH_EVERY: Final = timedelta(minutes=5)
STOPPING: Final = (
    "You can leave this page while Muster loads the roster. If you stop, Muster keeps the trips loaded so far. "
    "Select Refresh to load the roster again."
)


def open_load(workspace: Workspace, choice: RosterChoice) -> RosterLoad:
    """Return the load of these rosters, which everyone in the organization shares: started if it is new, else brought
    up to date.
    """
    load = server().reads.get_or_create(
        workspace,
        ("roster", choice.value),
        lambda: RosterLoad(
            choice.rosters, workspace.client.itineraries, workspace.journal, workspace.actor, width=settings().fan_out
        ),
        of_organization=True,
        at_most=MOST_LOADS,
    )
    load.use(workspace.client.itineraries)
    if load.now.began_at is None:
        load.load()
    elif not load.now.is_running:
        load.follow_rosters(choice.rosters)
        load.follow_changes()
    return load


def draw_freshness(load: RosterLoad, name: str, *, reading: bool, follows_clock: bool) -> None:
    """Draw the name and the age of the data, and the button to refresh it.

    The page is drawn again each minute if it `follows_clock`. The button is off while `reading`: `draw_progress` has
    the page drawn again at the end.
    """
    drawn = datetime.now(UTC)

    @st.fragment(run_every=_FRESHNESS_EVERY_SECONDS)
    def redraw() -> None:
        # First, so that a selected button is not lost if the minute has passed.
        _draw_freshness(load, name, reading, follows_clock)
        now = datetime.now(UTC)
        began = load.now.began_at
        if REFRESHES.get() and not reading and began is not None and now - began >= REFRESH_EVERY:
            load.load()
            redraw_page()
        if follows_clock and to_the_minute(now) != to_the_minute(drawn):
            redraw_page()

    redraw()


def draw_refresh_option() -> None:
    """Draw the option to refresh automatically."""
    st.toggle("Refresh every 5 minutes", key=REFRESHES.widget_key)


def _draw_freshness(load: RosterLoad, name: str, reading: bool, follows_clock: bool) -> None:
    now = datetime.now(UTC)
    with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
        age = [expected_words.freshness(load.as_of, now)] if load.as_of is not None else []
        line = plain(in_short(name, _LONGEST_NAME))
        if load.as_of is not None and follows_clock and now - load.as_of >= expected_words.OUTDATED_AFTER:
            # Not in a caption, whose text is too faint for a color.
            st.markdown(f":small[{line} · :orange[:material/warning: **{age[0]}**]]", width="content")
        else:
            st.caption(" · ".join([line, *age]), width="content")
        if st.button(
            "Refresh",
            icon=":material/refresh:",
            key="expected-refresh",
            disabled=reading,
            help="Load these trips from the service again.",
        ):
            load.load()
            st.rerun(scope="app")


def draw_progress(load: RosterLoad, name: str) -> None:
    """Draw the progress of a running load, and draw the page again as trips arrive."""
    job_progress(partial(_progress, load, name), key="expected-load", on_stop=load.stop, meaning=STOPPING)
    drawn = load.version
    redraw_when(lambda: load.version != drawn, every=_FILL_EVERY_SECONDS)


def draw_failures(load: RosterLoad) -> None:
    """Draw the trips that the latest run could not read, why, and the way to try again."""
    failures = [each for each in load.failures() if each.reason != "not found"]
    if load.problem is not None:
        show_problem(load.problem, key="expected-load", is_read=True)
    if not failures:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="expected-failures"):
        folded = st.popover(
            expected_words.failing(failures),
            icon=":material/warning:",
            type="tertiary",
            key="expected-failure-words",
            on_change="rerun",
        )
        if folded.open:
            with folded:
                draw_failures_table(failures)
        st.button("Retry", icon=":material/replay:", key="expected-retry", on_click=_retry, args=(load,))


def _retry(load: RosterLoad) -> None:
    load.load(only_failed=True)


def _progress(load: RosterLoad, roster_name: str) -> Progress:
    now = load.now
    words = expected_words.loading(now.done, now.total or 0, load.counts, roster_name)
    return Progress(now.total or 0, now.done, words, is_finished=not now.is_running)
