"""Trips from files: taken in, checked, what would follow, sent, and what came of it."""

import streamlit as st

from components.shell.page_header import draw_page_header
from components.shell.session import require_workspace
from components.trips.trip_import.import_screen import import_screen

workspace = require_workspace()

draw_page_header()
st.markdown("Thousands of trips from a file: nothing is sent before you have seen what would follow.")
import_screen(workspace)
