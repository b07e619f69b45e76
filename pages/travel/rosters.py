"""Rosters: the named lists of record locators that are put on the map together."""

from datetime import UTC, datetime

import streamlit as st

from components.rosters.new_roster import new_roster
from components.rosters.roster_detail import roster_detail
from components.rosters.roster_frame import roster_frame
from components.rosters.state import FAILURE, ROSTER_IN_URL
from components.shell.notices import show_problem
from components.shell.session import require_workspace
from components.widgets.ids import quoted_id
from components.widgets.markdown_text import plain
from components.widgets.number_text import count
from components.widgets.paging import Column, numbers
from components.widgets.record_table import record_table
from components.widgets.stage import new_stage

NEW = "new"

workspace = require_workspace()
journal, actor, now = workspace.journal, workspace.actor, datetime.now(UTC)
rosters = journal.rosters.list(actor.service, actor.organization_id)
loads = journal.roster_loads.latest_of(actor.service, actor.organization_id)

st.title("Rosters", anchor=False)
trips = sum(roster.entry_count for roster in rosters)
st.markdown(f"{count(len(rosters), 'roster', 'rosters')} · {count(trips, 'trip', 'trips')} in them")

failure = FAILURE.get()
if failure is not None:
    doing, error = failure
    show_problem(error, doing=doing, key="rosters-failure")
    st.button("Dismiss", key="rosters-failure-dismiss", on_click=FAILURE.clear)

if not rosters:
    st.info(
        "A roster is a named list of record locators: a team, a conference, everybody on the road this month. "
        "The service cannot list trips by itself, so the map shows the trips of a roster. Make the first one here.",
        icon=":material/format_list_bulleted:",
    )
    new_roster(workspace)
    st.stop()

list_side, detail_side = st.columns(2, gap="medium")
in_url = st.query_params.get(ROSTER_IN_URL)
new_stage(NEW if in_url == NEW else "list")
with list_side:
    if st.button("New roster", key="rosters-new", icon=":material/add:", disabled=in_url == NEW):
        st.query_params[ROSTER_IN_URL] = NEW
        st.rerun()
    shown = record_table(
        roster_frame(rosters, loads, now),
        {
            "name": "Roster",
            "trips": numbers("Trips"),
            "last_load": Column("Last on the map", order="loaded"),
            "made_by": "Made by",
        },
        key="rosters",
        id_column="id",
        picked_in=ROSTER_IN_URL,
        noun=("roster", "rosters"),
        in_address=True,
    ).one

roster = next((roster for roster in rosters if str(roster.id) == shown), None)
with detail_side, st.container(border=True):
    if roster is not None:
        roster_detail(workspace, roster, loads.get(roster.id), now)
    elif shown == NEW:
        new_roster(workspace)
    elif shown is not None:
        st.info(
            f"This organization has no roster {plain(quoted_id(shown))}. It may have been deleted.",
            icon=":material/search_off:",
        )
    else:
        st.caption("Pick a roster to see its trips, put it on the map, rename or delete it.")
