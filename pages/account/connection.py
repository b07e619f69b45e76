"""Connection: which service, organization and user one works with, whether it answers, and what is in force."""

from datetime import UTC, datetime

import streamlit as st

from components.shell.connection_facts import LAST_ROUND_TRIP, facts, in_force, measure
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
    f"**{plain(workspace.actor.username)}** works for organization **{workspace.actor.organization_id}** "
    f"on **{plain(workspace.service_name)}**. "
    f"You are signed out after **{settings().session_idle_minutes} min** without activity."
)

with st.container(horizontal=True, vertical_alignment="center"):
    if st.button("Check now", icon=":material/network_check:", type="primary", key="connection.check"):
        with st.spinner("Asking the service…"):
            LAST_ROUND_TRIP.set(measure(workspace.client.check_access))
    st.button("Sign out", icon=":material/logout:", on_click=sign_out, key="connection.sign_out")

if trip := LAST_ROUND_TRIP.get():
    if trip.error is not None:
        show_problem(trip.error, key="connection.check")
    else:
        st.success(f"The service answered: {trip.milliseconds:,.0f} ms there and back.", icon=":material/check_circle:")
    st.caption(f"Checked {moment(trip.at)}.")

st.header("Service", anchor=False)
st.table(facts(workspace, version=version()), border="horizontal", hide_header=True, width="content")

st.header("Access token", anchor=False)
token = workspace.connection.token
st.markdown(plain(access_token.words(token, datetime.now(UTC), is_demo=workspace.is_demo)))
token_form(workspace)

st.header("Settings in force", anchor=False)
st.caption("They belong to this installation and are set where it runs, in the environment or .streamlit/secrets.toml.")
st.markdown("\n".join(f"- {told}: **{plain(value)}** · `{name}`" for told, value, name in in_force(settings())))
