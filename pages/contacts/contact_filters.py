"""The contact filters of the organization: found, sorted, read at a glance, opened, copied, deleted."""

from datetime import UTC, datetime

import streamlit as st

from components.change.removed_view import draw_removed
from components.change.sent_stage import draw_unfinished
from components.contact_filters.filter_change import FILTER_REMOVAL, still_there
from components.contact_filters.filter_frame import answer, filter_frame
from components.filter_builder.actions import EDITOR
from components.filter_list import filter_list
from components.filter_list.filter_detail import draw_picked
from components.filter_saving.editor import let_go_of_untouched
from components.shell.session import require_workspace
from components.widgets.markdown_text import plain

workspace = require_workspace()
now = datetime.now(UTC)
let_go_of_untouched()

with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    st.title("Contact filters", anchor=False, width="content")
    fresh = st.container(width="content")
said = st.empty()

listing = filter_list.load_list(workspace, now)
filter_list.draw_failure(listing)
draw_removed(workspace, FILTER_REMOVAL, is_there=still_there(listing.filters) if not listing.error else None)
draw_unfinished(workspace, EDITOR, expanded=True)
with fresh:
    filter_list.draw_freshness(listing)

if not listing.filters:
    if listing.error is None:
        filter_list.draw_empty()
    filter_list.draw_new()
    st.stop()

table = filter_frame(listing.filters)
said.markdown(plain(answer(table, now)))

with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
    with st.container(width="content"):
        filter_list.draw_open(workspace, listing)
    filter_list.draw_new()
list_side, detail_side = st.columns([3, 2], gap="medium")
with list_side:
    asked = filter_list.draw_filters()
    picked = filter_list.draw_table(table, asked, f"contact-filters-{workspace.actor.organization_id}-{now:%Y-%m-%d}")
with detail_side, st.container(border=True):
    draw_picked(workspace, listing, picked)
