"""The events that notifications are filed under."""

import streamlit as st

from components.notifications.named_records import EVENTS
from components.notifications.named_records_screen import named_records_screen
from components.shell.session import require_workspace

workspace = require_workspace()
st.title("Notification events", anchor=False)
named_records_screen(
    workspace,
    EVENTS,
    meaning="An event holds together the notifications about one thing that happens, such as a storm or a move.",
)
