"""Who is signed in, in this browser: the guard every page starts with, and the frame's ways in and out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from types import MappingProxyType
from typing import Any, Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.shell.state import StateKey
from domain.runtime.server import server
from domain.runtime.session_store import COOKIE, Ending
from domain.runtime.workspace import Workspace

TOKEN: Final = StateKey[str | None]("shell.token", lambda: None)
TICKET: Final = StateKey[str | None]("shell.ticket", lambda: None)
ENDING: Final = StateKey[Ending | None]("shell.ending", lambda: None)
OWNER: Final = StateKey[tuple[str, int, str] | None]("shell.owner", lambda: None)


def require_workspace() -> Workspace:
    """Return the signed-in person's workspace; end the run where nobody is signed in (the frame shows the sign-in)."""
    workspace = server().sessions.peek(TOKEN.get())
    if workspace is None:
        st.stop()
    return workspace


def current_workspace() -> Workspace | None:
    """Return the workspace of this browser's session and count this run as use of it; None where there is none."""
    sessions = server().sessions
    known, context = TOKEN.get(), get_script_run_ctx()
    brought = server().tabs.take_token(context.session_id) if context is not None else None
    # What the framework tells of cookies is of when the tab was connected.
    token = known or brought or st.context.cookies.get(COOKIE)
    workspace = sessions.resume(token)
    if workspace is not None:
        TOKEN.set(token)
        _own(workspace)
    elif known is not None or (token is not None and ENDING.get() is None):
        # The cookie may be of a session before the one that ended here, and its reason another.
        ENDING.set(sessions.ending(token) or "lost")
        TOKEN.clear()
        # Once only: this tab's cookie stays the old one, and what is typed into the sign-in is not to be forgotten.
        if known is not None and ENDING.get() == "signed out":
            _forget_everything_but(ENDING)
    if context is not None:
        server().tabs.draw_for(context.session_id, None if workspace is None else token)
    return workspace


def sign_in(workspace: Workspace) -> None:
    """Start a session for the workspace, and let this browser turn it into a cookie at the next run."""
    sessions = server().sessions
    token = sessions.open(workspace)
    _own(workspace)
    TOKEN.set(token)
    TICKET.set(sessions.issue_ticket(token, bound_to=browser()))
    ENDING.clear()


def work_with(workspace: Workspace) -> None:
    """Go on in this session, in every tab of it, with another workspace of the same person."""
    server().sessions.replace(TOKEN.get(), workspace)


def sign_out() -> None:
    """End the session for every tab that has it, and forget what this tab held."""
    server().sessions.end(TOKEN.get())


def pending_ticket() -> str | None:
    """Return the ticket this browser still has to turn into a cookie, or None."""
    ticket = TICKET.get()
    if ticket is not None and not server().sessions.is_pending(ticket):
        TICKET.clear()
        return None
    return ticket


def session_lives() -> bool:
    """Whether this tab's session still lives, without counting the question as use."""
    return server().sessions.peek(TOKEN.get()) is not None


def while_signed_in(press: Callable[[], None]) -> Callable[[], None]:
    """What a press does, but nothing once the session has ended, as in another tab: the frame shows the sign-in then.

    Callbacks run before the frame looks whether somebody is signed in.
    """
    return lambda: press() if session_lives() else None


def browser() -> str:
    """Return what a ticket is bound to: the browser's own name for itself."""
    return st.context.headers.get("User-Agent") or ""


def browser_path(path: str) -> str:
    """Return the path as a browser asks for it, under the base path Muster is served from."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}{path}" if base else path


def address() -> str:
    """Return the address the browser calls from."""
    return st.context.ip_address or "this computer"


def _own(workspace: Workspace) -> None:
    # After an idle end the same person finds their work again; anybody else starts with nothing.
    actor = workspace.actor
    owner = (actor.service, actor.organization_id, actor.username)
    if OWNER.get() not in {None, owner}:
        _forget_everything_but(TOKEN)
    OWNER.set(owner)


def _forget_everything_but(*kept: StateKey[Any]) -> None:
    names = {key.name for key in kept}
    for name in list(st.session_state):
        if name not in names:
            del st.session_state[name]


def draw_session_script(*, signed_in: bool) -> None:
    """Draw the script while there is something for it to do: a ticket not yet redeemed, a cookie to let go of, or a
    sign-in in another tab of this browser to wait for.

    After a sign-in nothing more is drawn before the browser has its cookie: whoever sees a page can reload it.
    """
    data = {"session": browser_path("/session")}
    if not signed_in:
        context = get_script_run_ctx()
        tab_id = context.session_id if context is not None else ""
        lets_go = "yes" if ENDING.get() in {"idle", "signed out"} else ""  # one that was lost tells each tab why
        _draw_script("/session/script.js", {**data, "tab": tab_id, "ended": lets_go})
    elif ticket := pending_ticket():
        _draw_script("/session/script.js", {**data, "ticket": ticket})
        server().sessions.wait_until_spent(ticket)


def draw_static_script(name: str, data: Mapping[str, str] = MappingProxyType({})) -> None:
    """Draw a script of the folder static/: a file of our own, for what the framework's elements cannot do.

    `data` is what it finds in its `dataset`; where that changes it runs again.
    """
    _draw_script(f"/app/static/{name}", data)


def _draw_script(path: str, data: Mapping[str, str]) -> None:
    given = "".join(f' data-{key}="{escape(value)}"' for key, value in data.items())
    st.html(f'<script src="{escape(browser_path(path))}"{given}></script>', unsafe_allow_javascript=True)
