"""The session of this browser: the guard at the start of every page, signing in, and signing out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from types import MappingProxyType
from typing import Any, Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.shell.page_redraw import take_activity
from components.shell.state import StateKey
from domain.runtime.server import server
from domain.runtime.session_store import COOKIE, Ending
from domain.runtime.workspace import Workspace

TOKEN: Final = StateKey[str | None]("shell.token", lambda: None)
TICKET: Final = StateKey[str | None]("shell.ticket", lambda: None)
ENDING: Final = StateKey[Ending | None]("shell.ending", lambda: None)
OWNER: Final = StateKey[tuple[str, int, str] | None]("shell.owner", lambda: None)


def require_workspace() -> Workspace:
    """Return the workspace of the signed-in user, or end the run (the frame then shows the sign-in)."""
    workspace = server().sessions.peek(TOKEN.get())
    if workspace is None:
        st.stop()
    return workspace


def current_workspace() -> Workspace | None:
    """Return the workspace of this browser's session, or None, and count this run as activity if a person caused it."""
    sessions = server().sessions
    own_token, context = TOKEN.get(), get_script_run_ctx()
    offered_token = server().tabs.take_token(context.session_id) if context is not None else None
    # Streamlit's cookies are those from when the tab connected.
    token = own_token or offered_token or st.context.cookies.get(COOKIE)
    workspace = sessions.peek(token, use=take_activity())
    if workspace is not None:
        TOKEN.set(token)
        _set_owner(workspace)
    elif own_token is not None or (token is not None and ENDING.get() is None):
        # The cookie may belong to an earlier session, which ended for another reason.
        ENDING.set(sessions.ending(token) or "lost")
        TOKEN.clear()
        # Only once: this tab keeps the old cookie, and text that is typed into the sign-in must stay.
        if own_token is not None and ENDING.get() == "signed out":
            _clear_state_except(ENDING)
    if context is not None:
        server().tabs.set_session(context.session_id, None if workspace is None else token)
    return workspace


def sign_in(workspace: Workspace) -> None:
    """Start a session for the workspace, which the browser turns into a cookie in the next run."""
    sessions = server().sessions
    token = sessions.open(workspace)
    _set_owner(workspace)
    TOKEN.set(token)
    TICKET.set(sessions.issue_ticket(token, bound_to=browser()))
    ENDING.clear()


def replace_workspace(workspace: Workspace) -> None:
    """Replace the workspace of this session, in all its tabs, with another one of the same user."""
    server().sessions.replace(TOKEN.get(), workspace)


def sign_out() -> None:
    """End the session in all its tabs, and clear the state of this tab."""
    server().sessions.end(TOKEN.get())


def pending_ticket() -> str | None:
    """Return the ticket that the browser has not turned into a cookie yet, or None."""
    ticket = TICKET.get()
    if ticket is not None and not server().sessions.is_pending(ticket):
        TICKET.clear()
        return None
    return ticket


def is_signed_in() -> bool:
    """Return whether this tab's session has not ended, without counting as activity."""
    return server().sessions.peek(TOKEN.get()) is not None


def while_signed_in(press: Callable[[], None]) -> Callable[[], None]:
    """Return a callback that does nothing once the session has ended, as in another tab. The frame shows the sign-in.

    Callbacks run before the frame checks the session.
    """
    return lambda: press() if is_signed_in() else None


def browser() -> str:
    """Return the user agent of the browser, to which a ticket is bound."""
    return st.context.headers.get("User-Agent") or ""


def browser_path(path: str) -> str:
    """Return the path that the browser requests, under the base path of Muster."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}{path}" if base else path


def address() -> str:
    """Return the IP address of the browser."""
    return st.context.ip_address or "this computer"


def _set_owner(workspace: Workspace) -> None:
    # After an idle session, the same user finds their work again. Another user starts without data.
    actor = workspace.actor
    owner = (actor.service, actor.organization_id, actor.username)
    if OWNER.get() not in {None, owner}:
        _clear_state_except(TOKEN)
    OWNER.set(owner)


def _clear_state_except(*exceptions: StateKey[Any]) -> None:
    names = {key.name for key in exceptions}
    for name in list(st.session_state):
        if name not in names:
            del st.session_state[name]


def draw_session_script(*, signed_in: bool) -> None:
    """Draw the session script if it must redeem a ticket, delete a cookie, or wait for a sign-in in another tab.

    After a sign-in the run waits here until the browser has its cookie, so that a page on the screen can be reloaded.
    """
    data = {"session": browser_path("/session")}
    if not signed_in:
        context = get_script_run_ctx()
        tab_id = context.session_id if context is not None else ""
        # The cookie of a lost session stays, so that each tab learns the reason.
        has_ended = "yes" if ENDING.get() in {"idle", "too long", "signed out"} else ""
        _draw_script("/session/script.js", {**data, "tab": tab_id, "ended": has_ended})
    elif ticket := pending_ticket():
        _draw_script("/session/script.js", {**data, "ticket": ticket})
        server().sessions.wait_until_spent(ticket)


def draw_static_script(name: str, data: Mapping[str, str] = MappingProxyType({})) -> None:
    """Draw a script from the folder static/, for what Streamlit's elements cannot do.

    `data` becomes the `dataset` of the script, which runs again when `data` changes.
    """
    _draw_script(f"/app/static/{name}", data)


def _draw_script(path: str, data: Mapping[str, str]) -> None:
    attributes = "".join(f' data-{key}="{escape(value)}"' for key, value in data.items())
    st.html(f'<script src="{escape(browser_path(path))}"{attributes}></script>', unsafe_allow_javascript=True)
