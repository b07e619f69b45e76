"""The expected locations of rosters, on a map by hour and in a table."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from components.expected_locations import controls
from components.expected_locations.changes_table import draw_changes, note_first_look
from components.expected_locations.concentrations_panel import draw_concentrations, draw_limit
from components.expected_locations.figures import draw_figures
from components.expected_locations.load_status import (
    draw_failures,
    draw_freshness,
    draw_progress,
    draw_refresh_option,
    open_load,
)
from components.expected_locations.map_panel import draw_map
from components.expected_locations.people_table import draw_table
from components.expected_locations.person_panel import draw_person
from components.expected_locations.place_panel import draw_place_list, draw_places
from components.expected_locations.saved_views import draw_saved_views
from components.shell.address import in_address
from components.shell.page_header import draw_page_header
from components.shell.session import require_workspace
from components.trips.rosters.no_rosters import draw_no_rosters
from domain.expected_locations import expected_words
from domain.expected_locations.roster_view import look
from domain.expected_locations.saved_view import read_limit

workspace = require_workspace()
now = datetime.now(UTC)

header = draw_page_header()

rosters = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
if not rosters:
    draw_no_rosters("The map shows the people on your rosters.")
    st.stop()

controls.follow_saved_link()
figures = header.answer.container()
# Widgets above the map that appear and disappear are in permanent containers. Otherwise the framework would create the
# map again.
with st.container(), in_address(*controls.ADDRESS):
    row = st.container(horizontal=True, vertical_alignment="center", key="expected-controls")
    with row:
        time = controls.draw_time(now)
        filters_button = controls.popover_of(
            "Filters", ":material/filter_alt:", "expected-filters", controls.ROSTERS_SHOWN, *controls.FILTERS
        )
    chosen = controls.draw_rosters(workspace, rosters, filters_button)
notices = st.container()
with notices:
    controls.draw_unknown_rosters(rosters)
if chosen is None:
    st.stop()

load = open_load(workspace, chosen)
# Read once: if the load ends while the page is drawn, the next run shows it.
reading, failures = load.now.is_running, load.failures()
with header.age:
    draw_freshness(load, chosen.name, reading=reading, follows_clock=time.mode == "Now")
with notices:
    if reading:
        draw_progress(load, chosen.name)
    else:
        draw_failures(load)

at, locations = time.moment(now), load.locations()
limit = read_limit(workspace)
filters = controls.draw_filters(locations, time.stretch(now), filters_button)
with row:
    draw_saved_views(workspace)
    options = controls.popover_of("Options", ":material/tune:", "expected-options", controls.CLOCK, controls.REFRESHES)
    if options.open:
        with options:
            controls.draw_clock()
            draw_refresh_option()
            draw_limit(workspace, limit)
    controls.draw_clear_filters("expected-clear")
view = look(locations, time.stretch(now), filters)
is_whole = not reading and not expected_words.unread(failures)
with figures:
    draw_figures(view, reading=reading, failures=failures)

if is_whole:
    note_first_look(workspace, chosen, locations, now)
place_ids: list[str] = []
if locations.rows.empty:
    st.info(
        "Muster is loading the first trips." if reading else expected_words.nobody(view, time, now, failures),
        icon=":material/hourglass:" if reading else ":material/person_off:",
    )
else:
    left, right = st.columns([2.1, 1], gap="medium")
    with left:
        draw_map(view, at, now, limit=limit)
    with right:
        place_ids = draw_place_list(view, is_whole=is_whole)
        if view.is_empty and not reading:
            st.info(expected_words.nobody(view, time, now, failures), icon=":material/person_off:")
            controls.draw_clear_filters("expected-clear-empty")
        if controls.PERSON.get() is not None:
            draw_person(view, at, is_whole=is_whole)
        elif place_ids:
            draw_places(view, place_ids, at, is_whole=is_whole)
        else:
            draw_concentrations(view, limit)
    st.caption(f"{expected_words.figures_of(view, failures)} · {time.text(now, controls.viewer_zone())}")
if controls.SHOWN.get() == "changes":
    draw_changes(workspace, chosen, locations, is_whole=is_whole)
elif controls.SHOWN.get() or not locations.rows.empty:
    draw_table(view, place_ids, chosen.name, failures, at)
