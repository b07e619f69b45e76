"""Find trips by record locator or external ID, and travelers by name."""

from datetime import UTC, datetime

import streamlit as st

from components.record_list.unknown_changes import draw_unknown_changes
from components.shell.page_header import draw_page_header
from components.shell.session import require_workspace
from components.trips import lookup_view
from components.trips.traveler_search_view import search_travelers
from domain.search.searched_rosters import loaded_travelers
from domain.trips.editor.trip_change import KIND
from domain.trips.rosters.traveler_search import may_be_name

workspace = require_workspace()

draw_page_header()
draw_unknown_changes(workspace, KIND)

query = lookup_view.query_form(workspace)
pasted = query.parse()

if not pasted.values:
    lookup_view.show_nothing_asked()
    st.stop()

lookup_view.show_what_was_read(pasted, query)
search = (
    search_travelers(workspace, query.text, loaded_travelers(workspace, query.text, datetime.now(UTC)))
    if may_be_name(query.text)
    else None
)
if search is not None and search.found and len(pasted.values) > 1:
    st.caption(
        "Muster searched for this text as a name. To search for its words as record locators, enter one word at a time."
    )
    st.stop()
lookup_view.show_outcome(workspace, query, pasted)
