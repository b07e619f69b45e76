"""The menu, the user's menu, and the line above each page."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final

import streamlit as st

from components.shell.address import go_to
from components.shell.session import draw_static_script, sign_out
from components.shell.state import StateKey
from domain.runtime import screens
from domain.runtime.screens import Screen
from domain.runtime.server import server
from domain.runtime.workspace import Workspace
from domain.text.plain_text import plain

SIGN_OUT: Final = "Sign out"
HEADLINES: Final[list[Callable[[Workspace], None]]] = []
"""Functions that draw parts of the line above each page. Packages above this one add theirs at the start."""
_ACCOUNT: Final = StateKey[str | None]("shell.account", lambda: None)
REMINDERS: Final[list[Callable[[Workspace], None]]] = []
"""Functions that draw reminders on every screen. Packages above this one add theirs at the start."""


def pages() -> dict[str, list[st.Page]]:
    """Return the screens as Streamlit pages by section of the menu. Call it within a run."""
    # The framework writes into the pages, so each run gets its own.
    return {section: [copy.copy(page) for page in of_section] for section, of_section in _pages().items()}


@lru_cache(maxsize=1)
def _pages() -> dict[str, list[st.Page]]:
    """Make the pages once, since Streamlit checks 30 files for them."""
    sections: dict[str, list[st.Page]] = {}
    for screen in screens.ALL:
        page = st.Page(
            Path(__file__).parent / screen.page,
            title=screen.title,
            icon=screen.icon,
            url_path=screen.url_path or None,
            default=not screen.url_path,
            visibility="visible" if screen.parent is None and screen.section != screens.ACCOUNT else "hidden",
        )
        section = "" if screen.menu_screen is screens.PUBLIC_ALERT else screen.section
        sections.setdefault(section, []).append(page)
    return sections


def organization_name(workspace: Workspace) -> str:
    """Return the name of the organization on screens."""
    if workspace.is_demo:
        return "Demo organization"
    return f"Organization {workspace.actor.organization_id}"


def draw_sidebar(workspace: Workspace, screen: Screen) -> None:
    """Draw the organization, the service, and the user's menu below the menu."""
    # The whole menu is in sight at a height of 900 pixels.
    with st.sidebar, st.container(gap="xxsmall"):
        st.caption(f"{organization_name(workspace)}  \n{plain(workspace.service_name)}")
        chosen = st.menu_button(
            plain(workspace.actor.username),
            [screens.JOURNAL.title, screens.CONNECTION.title, SIGN_OUT],
            icon=":material/account_circle:",
            width="stretch",
            key=_ACCOUNT.name,
            on_click=_sign_out_if_chosen,
        )
        for each in (screens.JOURNAL, screens.CONNECTION):
            if chosen == each.title:
                go_to(each)
        draw_static_script("menu.js", {"screen": screen.url_path, "entry": screen.menu_screen.url_path})
        if server().embedded is not None:
            _watch()


def _sign_out_if_chosen() -> None:
    if _ACCOUNT.get() == SIGN_OUT:
        sign_out()


def draw_band(workspace: Workspace) -> None:
    """Draw the line above each page: organization, alerts in force, reminders, and the name of a live service."""
    with st.container():  # what comes and goes in it moves no field of the page
        if not workspace.is_demo:
            where = f"{workspace.actor.username} · {workspace.actor.organization_id} · {workspace.service_name}"
            st.info(f"**Live service** · {plain(where)}", icon=":material/dns:")
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="page-line"):
            if workspace.is_demo:
                st.caption(organization_name(workspace), width="content")
            for draw in HEADLINES:
                draw(workspace)
        for draw in REMINDERS:
            draw(workspace)


@st.fragment(run_every=20)
def _watch() -> None:
    """Show that the embedded service restarts, even if the user selects nothing."""
    embedded = server().embedded
    if embedded is not None and embedded.condition.phase == "restarting":
        st.warning("Muster’s own service stopped and is restarting.", icon=":material/restart_alt:")
