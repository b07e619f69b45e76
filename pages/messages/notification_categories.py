"""The categories that notifications are filed under."""

import streamlit as st

from components.notifications.named_records import CATEGORIES
from components.notifications.named_records_screen import named_records_screen
from components.shell.session import require_workspace

workspace = require_workspace()
st.title("Notification categories", anchor=False)
named_records_screen(
    workspace,
    CATEGORIES,
    meaning="A category says what a notification is about, such as weather or traffic, whatever happens.",
)
