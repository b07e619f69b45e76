"""Approve or reject a public alert that someone else wrote."""

import streamlit as st

from components.alerts.sending.approval_view import approval_screen
from components.shell.page_header import draw_page_header
from components.shell.session import require_workspace

workspace = require_workspace()
draw_page_header()
approval_screen(workspace, st.query_params.get("id", ""))
