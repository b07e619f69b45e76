"""Draws what is always in sight: organization, user and service, sign-out, and a band on anything but the demo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st

from components.shell.server import server
from components.shell.session import session_lives, sign_out
from components.shell.workspace import Workspace
from components.widgets.markdown_text import plain

REMINDERS: Final[list[Callable[[Workspace], None]]] = []
"""What draws a reminder on every screen; rooms above this one put theirs in when the dashboard starts."""


def organization_name(workspace: Workspace) -> str:
    """Return what the organization is called on screens."""
    if workspace.is_demo:
        return "Demo organization"
    return f"Organization {workspace.actor.organization_id}"


def draw_sidebar(workspace: Workspace) -> None:
    """Draw organization, user, service and sign-out under the menu."""
    with st.sidebar:
        st.markdown(
            f"**{organization_name(workspace)}**  \n"
            f":material/person: {plain(workspace.actor.username)} · {workspace.actor.organization_id}  \n"
            f":material/dns: {plain(workspace.service_name)}"
        )
        st.button(
            "Sign out",
            icon=":material/logout:",
            on_click=sign_out,
            width="stretch",
            key="shell.sign_out",
            type="secondary",
        )
        _watch()


def draw_band(workspace: Workspace) -> None:
    """Draw above every page what one works on, as a coloured band unless it is the demo, and what must be seen now."""
    where = plain(f"{workspace.actor.username} · {workspace.actor.organization_id} · {workspace.service_name}")
    with st.container():  # what comes and goes in it moves no field of the page
        if workspace.is_demo:
            st.caption(f"Demo organization · {where}")
        else:
            st.info(f"**Live service** · {where}", icon=":material/dns:")
        for draw in REMINDERS:
            draw(workspace)


@st.fragment(run_every=20)
def _watch() -> None:
    """Show the end of the session, or of the embedded service, to somebody who only looks."""
    if not session_lives():
        st.rerun()
    embedded = server().embedded
    if embedded is not None and embedded.condition.phase == "restarting":
        st.warning("Muster's own service ended and is being started again.", icon=":material/restart_alt:")
