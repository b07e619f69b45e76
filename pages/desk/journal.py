"""The journal: what this desk has done at the service for this organization, and how it ended."""

from datetime import UTC, datetime

import streamlit as st

from components.journal.entry_detail import entry_detail
from components.journal.entry_frame import COLUMNS, DOWNLOAD_LIMIT, downloaded_entries, shown_frame
from components.journal.filter_row import clear_filters, filter_row, show_unknown_only
from components.journal.one_entry import read_entry
from components.journal.state import ENTRY_IN_URL, PAGE
from components.shell.navigation import link_to
from components.shell.screens import TRIP_EDITOR
from components.shell.session import require_workspace
from components.widgets.ids import quoted_id
from components.widgets.markdown_text import plain
from components.widgets.number_text import count
from components.widgets.paging import page_bounds
from components.widgets.record_table import record_table
from journal import EntryFilters

workspace = require_workspace()
audit, actor, now = workspace.journal.audit, workspace.actor, datetime.now(UTC)
scope = (actor.service, actor.organization_id)

st.title("What this desk has done", anchor=False)
everything = audit.count(*scope)
unknown = audit.count(*scope, filters=EntryFilters(state="unknown"))
under_way = audit.count(*scope, filters=EntryFilters(state="started"))

if not everything:
    st.info(
        "Nothing yet. Every change that anybody makes here for this organization is written down before it is sent, "
        "and how it ended after. Add a trip to see the first one.",
        icon=":material/history:",
    )
    link_to(TRIP_EDITOR, "Add a trip")
    st.stop()

answer = [count(everything, "entry", "entries"), f"{unknown:,} with an unknown outcome"]
st.markdown(" · ".join(answer + ([f"{under_way:,} under way"] if under_way else [])))
if unknown:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning(
            f"{count(unknown, 'change has', 'changes have')} an outcome nobody knows. "
            "Look at the service before doing the same again.",
            icon=":material/help:",
        )
        st.button("Show them", key="journal-show-unknown", on_click=show_unknown_only)

filters = filter_row(audit.usernames(*scope), audit.actions(*scope), now)
matching = audit.count(*scope, filters=filters)
if not matching:
    st.info("No entry matches these filters.", icon=":material/filter_alt_off:")
    st.button("Clear the filters", key="journal-clear", on_click=clear_filters)
    st.stop()

list_side, detail_side = st.columns([3, 2], gap="medium")
with list_side:
    entries = audit.list(*scope, filters=filters, page=page_bounds(matching, PAGE.get()).number, payloads=False)
    picked = record_table(
        shown_frame(entries, now),
        COLUMNS,
        key="journal",
        id_column="id",
        picked_in=ENTRY_IN_URL,
        noun=("entry", "entries"),
        total=matching,
        file=lambda _: downloaded_entries(workspace.journal, actor, filters),
        stem=f"journal-{actor.organization_id}-{now:%Y-%m-%d}",
    )
    if matching > DOWNLOAD_LIMIT:
        st.caption(f"A file holds the newest {DOWNLOAD_LIMIT:,} of these; narrow the period for older ones.")

shown = picked.one

with detail_side, st.container(border=True):
    entry = read_entry(workspace.journal, actor, shown) if shown else None
    if entry is not None:
        entry_detail(entry, now)
    elif shown is not None:
        st.info(f"This organization's journal has no entry {plain(quoted_id(shown))}.", icon=":material/search_off:")
    else:
        st.caption("Pick an entry to see what was sent and what came back.")
