"""Import trips from files: read, check, preview, and send."""

import streamlit as st

from components.shell.page_header import draw_page_header
from components.shell.session import require_workspace
from components.trips.trip_import.import_screen import import_screen

workspace = require_workspace()

draw_page_header()
st.markdown("Import trips from a file. Muster shows what will happen before anything is sent.")
import_screen(workspace)
