"""Cancel many trips by record locator, external ID, or ID."""

import streamlit as st

from components.shell.page_header import draw_page_header
from components.shell.session import require_workspace
from components.trips.trip_import.cancel_screen import cancel_screen

workspace = require_workspace()

draw_page_header()
st.markdown(
    "Cancel many trips at once by record locator, external ID, or ID. Muster finds the trips first and shows them."
)
cancel_screen(workspace)
