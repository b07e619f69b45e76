"""The notifications that were sent."""

from datetime import UTC, datetime

import streamlit as st

from client import ServiceError
from components.notifications.filing import names_filed_under
from components.notifications.sent_detail import sent_detail
from components.notifications.sent_list import picked_notification, sent_answer, sent_filters, sent_list, sent_page
from components.shell.notices import show_problem
from components.shell.session import require_workspace
from components.widgets.ids import quoted_id
from components.widgets.markdown_text import plain

workspace = require_workspace()
now = datetime.now(UTC)

st.title("Sent notifications", anchor=False)
answer_place = st.container()
events, categories = names_filed_under(workspace)
wanted = sent_filters(events)
found = sent_page(workspace, wanted)
if found is None:
    st.stop()
with answer_place:
    sent_answer(found, events, now)

list_side, detail_side = st.columns([3, 2], gap="medium")
with list_side:
    shown = sent_list(workspace, found, events, now)

if shown is None and not found.page.items:
    st.stop()
with detail_side, st.container(border=True):
    if shown is None:
        st.caption("Pick a notification to read it, to send another like it, or to correct it.")
        st.stop()
    try:
        notification = picked_notification(workspace, found, shown)
    except ServiceError as error:
        show_problem(error, doing=f"looking for the notification {quoted_id(shown)}", key="notifications-one")
        st.stop()
    if notification is None:
        st.info(
            f"The service tells no notification {plain(quoted_id(shown))} among its newest. "
            "It may be older, or of another organization.",
            icon=":material/search_off:",
        )
    else:
        sent_detail(workspace, notification, events, categories, now)
