"""Draws what is always in sight: organization, user and service, sign-out, and a band on anything but the demo."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final

import streamlit as st

from components.shell.session import sign_out
from domain.runtime import screens
from domain.runtime.server import server
from domain.runtime.workspace import Workspace
from domain.text.plain_text import plain

REMINDERS: Final[list[Callable[[Workspace], None]]] = []
"""What draws a reminder on every screen; rooms above this one put theirs in when the dashboard starts."""


def pages() -> dict[str, list[st.Page]]:
    """The screens as the framework's pages, by their section of the menu; to be called within a run."""
    # The framework writes into those it is given, and every run is given its own.
    return {section: [copy.copy(page) for page in of_section] for section, of_section in _pages().items()}


@lru_cache(maxsize=1)
def _pages() -> dict[str, list[st.Page]]:
    """Made once: to look after thirty files takes longer than a small screen does."""
    sections: dict[str, list[st.Page]] = {}
    for screen in screens.ALL:
        page = st.Page(
            Path(__file__).parent / screen.page,
            title=screen.title,
            icon=screen.icon,
            url_path=screen.url_path or None,
            default=screen is screens.ALL[0],
            visibility="visible" if screen.in_menu else "hidden",
        )
        sections.setdefault(screen.section, []).append(page)
    return sections


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
        if server().embedded is not None:
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
    """Show the end of the embedded service to somebody who only looks."""
    embedded = server().embedded
    if embedded is not None and embedded.condition.phase == "restarting":
        st.warning("Muster's own service ended and is being started again.", icon=":material/restart_alt:")
