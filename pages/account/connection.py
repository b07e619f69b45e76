"""Connection: the service, organization, and user, a check of the connection, and the settings."""

from datetime import UTC, datetime

import streamlit as st

from components.shell.connection_facts import LAST_ROUND_TRIP, facts, list_settings, measure
from components.shell.notices import show_problem
from components.shell.page_header import draw_page_header
from components.shell.session import require_workspace, sign_out
from components.shell.token_form import token_form
from domain.runtime import access_token
from domain.runtime.settings import settings
from domain.runtime.version import version
from domain.text.plain_text import plain
from domain.text.time_text import moment

workspace = require_workspace()

draw_page_header()
st.markdown(
    f"You are signed in as **{plain(workspace.actor.username)}** in organization **{workspace.actor.organization_id}** "
    f"at **{plain(workspace.service_name)}**. "
    f"Muster signs you out after **{settings().session_idle_minutes} minutes** without activity."
)

with st.container(horizontal=True, vertical_alignment="center"):
    if st.button("Check connection", icon=":material/network_check:", type="primary", key="connection.check"):
        with st.spinner("Checking the connection…"):
            LAST_ROUND_TRIP.set(measure(workspace.client.check_access))
    st.button("Sign out", icon=":material/logout:", on_click=sign_out, key="connection.sign_out")

if trip := LAST_ROUND_TRIP.get():
    if trip.error is not None:
        show_problem(trip.error, key="connection.check", is_read=True)
    else:
        st.success(f"The service responded in {trip.milliseconds:,.0f} ms.", icon=":material/check_circle:")
    st.caption(f"Checked {moment(trip.at)}.")

st.header("Service", anchor=False)
st.table(facts(workspace, version=version()), border="horizontal", hide_header=True, width="content")

st.header("Access token", anchor=False)
token = workspace.connection.token
st.markdown(plain(access_token.describe_token(token, datetime.now(UTC), is_demo=workspace.is_demo)))
token_form(workspace)

st.header("Settings", anchor=False)
st.caption("The administrator of Muster changes settings in the environment or in .streamlit/secrets.toml.")
st.markdown("\n".join(f"- {label}: **{plain(value)}** · `{name}`" for label, value, name in list_settings(settings())))
