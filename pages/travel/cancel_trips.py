"""Cancel many trips at once, by record locator, external id or id."""

import streamlit as st

from components.shell.page_header import draw_page_header
from components.shell.session import require_workspace
from components.trips.trip_import.cancel_screen import cancel_screen

workspace = require_workspace()

draw_page_header()
st.markdown(
    "Many trips at once, by record locator, external id or id. The service is asked first, and you see which trips go."
)
cancel_screen(workspace)
