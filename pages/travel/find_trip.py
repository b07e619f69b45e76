"""Find a trip: paste record locators or external ids, see which the service knows, open one."""

import streamlit as st

from components.shell.session import require_workspace
from components.trips import lookup_view

workspace = require_workspace()

st.title("Find a trip", anchor=False)

query = lookup_view.query_form(workspace)
pasted = query.read()

if not pasted.values:
    lookup_view.show_nothing_asked()
    st.stop()

lookup_view.show_what_was_read(pasted, query)
lookup_view.show_outcome(workspace, query, pasted)
