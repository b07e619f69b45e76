"""The countdown before a live alert leaves, in a part of the page that is drawn by itself every second."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Final

import streamlit as st

from components.alert_sending import countdown, send_actions
from components.alert_sending.countdown import Countdown
from components.alert_sending.sending_session import COUNTDOWN
from components.alert_sending.whom import told_at
from components.public_alerts.draft import AlertDraft
from components.shell.session import session_lives
from components.shell.workspace import Workspace
from components.widgets.markdown_text import plain

EVERY_SECONDS: Final = 1.0
clock = time.monotonic


def counting_down(workspace: Workspace, draft: AlertDraft, place: str) -> bool:
    """Draw the countdown of this draft, which sends it at zero; False where none is running.

    The page as a whole is drawn once while it runs. Drawn anew, something else was pressed, or the person left and came
    back: then the countdown is over, and nothing is sent.
    """
    counting = COUNTDOWN.get()
    if counting is None or counting.ready.draft.uid != draft.uid:
        return False
    if counting.seen is not None:
        COUNTDOWN.clear()
        return False
    # Always in sight, however far down the button was that began it.
    with st.bottom:
        _tick(workspace, place)
    return True


def left_note(workspace: Workspace, draft: AlertDraft) -> None:
    """Say that a countdown was begun and came to no end."""
    begun = countdown.left_at(workspace, draft.uid)
    if begun is None:
        return
    if countdown.may_run_elsewhere(begun, datetime.now(UTC)):
        _watch_other_tab(begun, told_at(workspace, draft, begun))
        return
    told = plain(told_at(workspace, draft, begun))
    st.warning(
        f"**Not sent.** The countdown begun {told} did not come to its end: the page was left, refreshed or "
        "asleep, or its session ended. Nothing has left; press again to send it.",
        icon=":material/timer_off:",
    )


@st.fragment(run_every=EVERY_SECONDS)
def _tick(workspace: Workspace, place: str) -> None:
    counting = COUNTDOWN.get()
    now = clock()
    if counting is None:
        st.rerun()
    step = counting.step(now)
    # Signed out in another tab means stopped here: this part of the page is drawn without the frame's guard.
    if step == "left" or not session_lives():
        COUNTDOWN.clear()
        st.rerun()
    if not countdown.still_counts(workspace, counting):
        send_actions.stopped_elsewhere()
        st.rerun()
    if step == "zero":
        # In the place of the countdown: while the call lasts, nothing may offer to stop it.
        st.empty()
        st.info(f"**Sending now** to **{plain(place)}**. It can no longer be stopped.", icon=":material/send:")
        send_actions.send_counted(workspace, counting)
        st.rerun()
    COUNTDOWN.set(counting.looked(now))
    with st.container():
        _counting(workspace, counting, now, place)


def _counting(workspace: Workspace, counting: Countdown, now: float, place: str) -> None:
    st.subheader(f":red[:material/campaign: Going out in {counting.shown(now)} s]", anchor=False)
    st.error(f"To **{plain(place)}**. Leaving this page stops it.")
    st.progress(min(max(counting.left(now) / counting.seconds, 0.0), 1.0))
    st.button(
        "Stop: do not send",
        key="public_alert.stop",
        type="primary",
        icon=":material/front_hand:",
        width="stretch",
        on_click=send_actions.stop_countdown,
        args=(workspace,),
    )


@st.fragment(run_every=EVERY_SECONDS)
def _watch_other_tab(begun: datetime, told: str) -> None:
    if not countdown.may_run_elsewhere(begun, datetime.now(UTC)):
        st.rerun()
    st.info(
        f"**A countdown was begun {plain(told)}.** Where its page was refreshed or left, it is over and nothing was "
        "sent. In another tab that is still open, it goes on.",
        icon=":material/timer:",
    )
