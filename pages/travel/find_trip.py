"""Find trips by record locator or external ID."""

import streamlit as st

from components.record_list.unknown_changes import draw_unknown_changes
from components.shell.page_header import draw_page_header
from components.shell.session import require_workspace
from components.trips import lookup_view
from domain.trips.editor.trip_change import KIND

workspace = require_workspace()

draw_page_header()
draw_unknown_changes(workspace, KIND)

query = lookup_view.query_form(workspace)
pasted = query.parse()

if not pasted.values:
    lookup_view.show_nothing_asked()
    st.stop()

lookup_view.show_what_was_read(pasted, query)
lookup_view.show_outcome(workspace, query, pasted)
