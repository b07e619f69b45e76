"""The state of the access token, the field for a new one, and the guard of screens that need one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import streamlit as st

from components.shell.notices import field_problem, show_success
from components.shell.page_header import draw_page_header
from components.shell.session import replace_workspace
from components.shell.state import StateKey
from domain.runtime import access_token
from domain.runtime.access_token import TokenState
from domain.runtime.server import server
from domain.runtime.sign_in_check import token_refused
from domain.runtime.workspace import Workspace
from domain.text.plain_text import plain
from domain.text.text_limits import MAX_TOKEN

REFUSED: Final = StateKey[str]("access_token.refused", str)
ROUND: Final = StateKey[int]("access_token.round", int)


def require_token(workspace: Workspace, *, purpose: str) -> None:
    """Warn before the access token expires, and end the run with a field for a new token if there is no valid one.

    `purpose` needs the token, such as "Lookup mappings". The token of the demo organization is loaded automatically.
    """
    now = datetime.now(UTC)
    state = access_token.token_state(workspace.connection.token, now)
    if state is not TokenState.GOOD and workspace.is_demo:
        _take_the_demos(workspace)
    if state is TokenState.GOOD:
        return
    message = plain(access_token.describe_token(workspace.connection.token, now))
    if state is not TokenState.ENDS_SOON:
        draw_page_header()
    if state is TokenState.ENDS_SOON:
        with st.expander(f"**{message}**", icon=":material/timer:"):
            token_form(workspace)
        return
    if state is TokenState.EXPIRED:
        st.warning(
            f"**{message}** {purpose} cannot be loaded or edited until you enter a new one.", icon=":material/timer:"
        )
    else:
        st.info(
            f"{purpose} need an access token (JWT). Ask the administrator of the service for one.",
            icon=":material/key:",
        )
    token_form(workspace)
    st.stop()


def token_form(workspace: Workspace) -> None:
    """Draw the field for an access token, with the reason why the last one was refused."""
    field = f"access_token.text.{ROUND.get()}"
    with st.form("access_token", border=False):
        st.text_input("Access token (JWT)", type="password", key=field, max_chars=MAX_TOKEN, autocomplete="off")
        field_problem(REFUSED.get())
        st.form_submit_button(
            "Use this token",
            icon=":material/key:",
            key="access_token.use",
            on_click=_use,
            args=(workspace, field),
        )


def _use(workspace: Workspace, field: str) -> None:
    text = str(st.session_state.get(field) or "")
    REFUSED.set(access_token.problem(text, datetime.now(UTC)) or "")
    if REFUSED.get():
        return
    renewed = server().with_token(workspace, access_token.strip_bearer(text))
    REFUSED.set(token_refused(renewed.client) or "")
    ROUND.set(ROUND.get() + 1)
    if REFUSED.get():
        renewed.client.close()
        return
    replace_workspace(renewed)
    show_success("Saved the access token.")


def _take_the_demos(workspace: Workspace) -> None:
    """Store the demo user's access token in the session and start the run again. Without a token the field is drawn."""
    with st.spinner("Loading the demo organization’s access token…"):
        token = server().demo_token(workspace.connection.username)
    if token is not None:
        replace_workspace(server().with_token(workspace, token))
        st.rerun()
