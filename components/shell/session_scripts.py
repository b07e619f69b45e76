"""Draws scripts, the only place that does: the session's cookie made of its ticket or let go of, and static files."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import MappingProxyType

import streamlit as st

from components.shell.session import ENDING, browser_path, pending_ticket


def draw_session_script(*, signed_in: bool) -> None:
    """Draw the script while there is something for it to do: a ticket not yet redeemed, or a cookie to let go of."""
    if signed_in and (ticket := pending_ticket()):
        _draw(browser_path("/session"), f'data-ticket="{escape(ticket)}"')
    elif not signed_in and ENDING.get() in {"idle", "signed out"}:  # one that was lost tells each tab why
        _draw(browser_path("/session/end"), "")


def draw_static_script(name: str, data: Mapping[str, str] = MappingProxyType({})) -> None:
    """Draw a script of the folder static/: a file of our own, for what the framework's elements cannot do.

    `data` is what it finds in its `dataset`; where that changes it runs again.
    """
    source = browser_path(f"/app/static/{name}")
    given = "".join(f' data-{key}="{escape(value)}"' for key, value in data.items())
    st.html(f'<script src="{escape(source)}"{given}></script>', unsafe_allow_javascript=True)


def _draw(endpoint: str, attributes: str) -> None:
    source = browser_path("/session/script.js")
    st.html(f'<script src="{source}" data-endpoint="{endpoint}" {attributes}></script>', unsafe_allow_javascript=True)
