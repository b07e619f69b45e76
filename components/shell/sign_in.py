"""The sign-in form with its errors, and the button that opens the demo organization."""

from __future__ import annotations

from itertools import count
from typing import Final

import streamlit as st

from components.shell.background_changes import redraw_when
from components.shell.notices import field_problem
from components.shell.session import ENDING, address, sign_in
from components.shell.state import StateKey
from domain.runtime.embedded_service import EmbeddedService, Phase
from domain.runtime.server import server
from domain.runtime.sign_in_check import Refusal, check_sign_in, open_demo
from domain.runtime.workspace import Workspace
from domain.text.text_limits import MAX_LINE, MAX_TOKEN

ORGANIZATION: Final = StateKey[str]("sign_in.organization", str)
USERNAME: Final = StateKey[str]("sign_in.username", str)
REFUSAL: Final = StateKey[Refusal]("sign_in.refusal", lambda: Refusal({}))
ROUND: Final = StateKey[int]("sign_in.round", int)
TOKEN_ROUND: Final = StateKey[int]("sign_in.token_round", int)
"""Counts accepted and refused tokens, so that the field is emptied after them. Other errors leave the token there."""
DRAWN_AGAIN: Final = StateKey[int | None]("sign_in.drawn_again", lambda: None)

_ENDINGS: Final = {
    "idle": "You were signed out after {minutes} minutes without activity. Sign in to continue.",
    "too long": "You were signed out, because a session lasts at most {hours} hours. Sign in to continue.",
    "signed out": "You are signed out in all tabs.",
    "lost": "Sign in again. Muster restarted. Sent changes are in the Journal. Saved drafts are still there.",
}

_ENDING_ICONS: Final = {
    "idle": ":material/lock_clock:",
    "too long": ":material/lock_clock:",
    "signed out": ":material/logout:",
    "lost": ":material/restart_alt:",
}


def draw_sign_in() -> None:
    """Draw the sign-in and handle it. After a successful one the run starts again, on the requested page."""
    with st.container(horizontal_alignment="center"), st.container(width=440, key="sign-in"):
        st.title("Sign in", anchor=False)
        st.caption(f"Service: {server().service_name}")
        _say_why_here()
        refusal = REFUSAL.get()
        if away := refusal.words.get("service"):
            st.error(away, icon=":material/cloud_off:")
        if (embedded := server().embedded) is not None and server().settings.demo_sign_in:
            _draw_demo(embedded)
        _draw_form(refusal)
    if ENDING.get() and DRAWN_AGAIN.get() != ROUND.get():
        # The framework takes the menu away at the end of the second run that draws none, where it lay over this form.
        DRAWN_AGAIN.set(ROUND.get())
        looks = count()
        redraw_when(lambda: next(looks) > 0, every=0.3)


def _say_why_here() -> None:
    if ending := ENDING.get():
        minutes, hours = server().settings.session_idle_minutes, server().settings.session_max_hours
        st.info(_ENDINGS[ending].format(minutes=minutes, hours=hours), icon=_ENDING_ICONS[ending])


def _draw_demo(embedded: EmbeddedService) -> None:
    if _demo_phase(embedded) == "ready":
        st.button(
            "Open the demo organization",
            icon=":material/travel_explore:",
            type="primary",
            width="stretch",
            on_click=_open_demo,
            key="sign_in.demo",
        )
        st.caption("2,000 invented travelers. Nothing is sent to a real service.")
    else:
        _draw_waiting(embedded)


def _demo_phase(embedded: EmbeddedService) -> Phase:
    """Return the phase of the demo's service, which is starting until the demo's data is complete."""
    phase = embedded.condition.phase
    return "starting" if phase == "ready" and server().demo == "waiting" else phase


@st.fragment(run_every=1.0)
def _draw_waiting(embedded: EmbeddedService) -> None:
    phase = _demo_phase(embedded)
    if phase == "ready":
        st.rerun()
    elif phase == "starting":
        st.info("Muster is starting its own service. The first start takes a few seconds.", icon=":material/hourglass:")
    else:
        st.warning(
            "Muster’s own service stopped and is restarting. If this continues, check Muster’s log.",
            icon=":material/restart_alt:",
        )


def _draw_form(refusal: Refusal) -> None:
    with st.form("sign_in", enter_to_submit=True):
        typed_organization = st.text_input(
            "Organization",
            placeholder="8800",
            autocomplete="organization",
            key=ORGANIZATION.widget_key,
            max_chars=MAX_LINE,
        )
        field_problem(refusal.words.get("organization"))
        typed_username = st.text_input("User", autocomplete="username", key=USERNAME.widget_key, max_chars=MAX_LINE)
        field_problem(refusal.words.get("username"))
        typed_password = st.text_input(
            "Password",
            type="password",
            autocomplete="current-password",
            key=f"sign_in.password.{ROUND.get()}",
            max_chars=MAX_LINE,
        )
        field_problem(refusal.words.get("password"))
        with st.expander("Access token", expanded="token" in refusal.words, type="compact"):
            typed_token = st.text_input(
                "Access token (JWT)",
                type="password",
                key=f"sign_in.token.{TOKEN_ROUND.get()}",
                max_chars=MAX_TOKEN,
                help="Only lookup mappings need an access token. You can also enter it later on the Connection screen.",
            )
            field_problem(refusal.words.get("token"))
        pressed = st.form_submit_button(
            "Sign in",
            type="secondary" if server().embedded is not None else "primary",
            icon=":material/login:",
            width="stretch",
        )
    if pressed:
        with st.spinner("Checking with the service…"):
            result = check_sign_in(
                server(),
                organization=typed_organization or "",
                username=typed_username or "",
                password=typed_password or "",
                address=address(),
                token=typed_token or "",
            )
        _handle_result(result)
        st.rerun()


def _open_demo() -> None:
    _handle_result(open_demo(server()))


def _handle_result(result: Workspace | Refusal) -> None:
    ROUND.set(ROUND.get() + 1)
    if not isinstance(result, Refusal) or "token" in result.words:
        TOKEN_ROUND.set(TOKEN_ROUND.get() + 1)
    if isinstance(result, Refusal):
        REFUSAL.set(result)
    else:
        REFUSAL.clear()
        sign_in(result)
