"""Where people are expected: a roster on a map and in a table, at one time, with what can be picked out of it."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from components.expected_locations.controls import draw_clear_filters, draw_controls, draw_unknown_roster
from components.expected_locations.load_status import draw_failures, draw_freshness, draw_progress, open_load
from components.expected_locations.place_panel import draw_map_and_places, draw_not_covered, draw_people
from components.shell.address import link_to
from components.shell.session import require_workspace
from domain.expected_locations import expected_words
from domain.expected_locations.roster_view import look
from domain.runtime.screens import ROSTERS

workspace = require_workspace()
now = datetime.now(UTC)

with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    st.title("Where people are expected", anchor=False, width="content")
    fresh = st.container(width="content")
answer = st.empty()

rosters = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
if not rosters:
    st.info(
        "There is no roster yet. A roster is a named list of record locators; make one from a file or by pasting them, "
        "and its people appear here.",
        icon=":material/format_list_bulleted:",
    )
    link_to(ROSTERS, "Make a roster", roster="new")
    st.stop()

asked = draw_controls(workspace, rosters)
if asked.roster is None:
    draw_unknown_roster()
    st.stop()
load = open_load(workspace, asked.roster)
# Seen once: what ends while the page is drawn is told by a page that follows it.
seen_reading = load.now.is_running
with fresh:
    draw_freshness(load, reading=seen_reading, moves_on=asked.time.mode == "Now")
if seen_reading:
    draw_progress(load, asked.roster.name)
else:
    draw_failures(load)

reading, failures = seen_reading, load.failures()
view = look(load.locations(), asked.time.stretch(now), asked.filters)
answer.markdown(f"{expected_words.answer(view, reading=reading, failures=failures)} · {asked.time.words(now)}")

if not view.is_empty:
    picked = draw_map_and_places(view, is_whole=not reading and not expected_words.unread(failures))
    draw_not_covered(view, asked.roster.name)
    draw_people(view, picked, asked.roster.name)
elif reading:
    st.info("The first answers are on their way.", icon=":material/hourglass:")
else:
    st.info(expected_words.nobody(view, asked.time, now, failures), icon=":material/person_off:")
    if asked.filters.are_set:
        draw_clear_filters("expected-clear-empty")
    draw_not_covered(view, asked.roster.name)
