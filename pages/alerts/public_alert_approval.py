"""A public alert that another person wrote: approve exactly that text, or turn it down."""

import streamlit as st

from components.alerts.sending.approval_view import approval_screen
from components.shell.session import require_workspace

workspace = require_workspace()
st.title("Approve a public alert", anchor=False)
approval_screen(workspace, st.query_params.get("id", ""))
