"""The last look before an alert leaves: the three boxes to be read, what contradicts, and one way to send it."""

from __future__ import annotations

from typing import Final

import streamlit as st

from components.alert_sending import send_actions
from components.alert_sending.alert_change import ALERT_EDITOR
from components.alert_sending.boxes import age_note, boxes, kind_band, names_note, second_looks
from components.alert_sending.cap_view import cap_expander
from components.alert_sending.countdown import SECONDS
from components.alert_sending.countdown_view import counting_down, left_note
from components.alert_sending.facts import care_words, typed_right
from components.alert_sending.handing_over import second_pair_of_eyes
from components.alert_sending.whom import KnownReach, known_reach
from components.change.sent_stage import draw_error, draw_note
from components.framework.own_scripts import new_stage
from components.public_alerts.alert_problems import alert_problems
from components.public_alerts.draft import AlertDraft
from components.public_alerts.request import request_json
from components.shell.workspace import Workspace
from components.widgets.markdown_text import plain
from components.widgets.payload_view import request_expander

TYPED_KEY: Final = "public_alert.typed"


def review(workspace: Workspace, draft: AlertDraft) -> None:
    """Draw the review of an alert that has not been sent, or its countdown."""
    known = known_reach(workspace, draft)
    if counting_down(workspace, draft, known.reach.whom):
        new_stage(draft.uid, "countdown")
        boxes(workspace, draft, quiet=True)
        return
    new_stage(draft.uid, "review", *(["told"] if ALERT_EDITOR.note.get() else []))
    age_note(workspace, draft)
    kind_band(draft, known.reach)
    draw_note(ALERT_EDITOR)
    left_note(workspace, draft)
    second_looks(workspace, draft, send_actions.take_advice)
    boxes(workspace, draft)
    request_expander("Show the request", request_json(draft), key=f"public-alert-{draft.uid}")
    cap_expander(workspace, draft, key=f"public-alert-{draft.uid}")
    with st.container(border=True):
        draw_error(ALERT_EDITOR, draft)
        problems = [words for _, words in alert_problems(draft).of(draft.uid)]
        if problems:
            _to_mend(problems)
        elif second_pair_of_eyes(workspace, draft):
            _send(workspace, draft, known)
    st.button(
        "Back to the composer",
        key="public_alert.back",
        icon=":material/arrow_back:",
        on_click=send_actions.back_to_composer,
        args=(workspace, draft),
    )


def _send(workspace: Workspace, draft: AlertDraft, known: KnownReach) -> None:
    if known.names_follow:
        # What is asked for would change under the hand.
        names_note()
        return
    care = care_words(draft, known.reach)
    if draft.is_test and not care:
        st.markdown("A routine test goes out at once, as a test.")
        st.button(
            "Send the routine test",
            key="public_alert.send",
            type="primary",
            icon=":material/science:",
            on_click=send_actions.send,
            args=(workspace,),
        )
        return
    place = known.reach.place_to_type
    kind = "routine test" if draft.is_test else "live alert"
    if draft.is_test:
        st.markdown(f"It is sent with the same care as a live alert: {plain(care)}.")
    st.markdown(f"To send this {kind}, type **{plain(place)}**:")
    typed = st.text_input(
        "Whom it goes to",
        key=f"{TYPED_KEY}/{draft.uid}",
        live=True,
        placeholder=place,
    )
    right = typed_right(typed or "", place)
    if typed and not right:
        st.caption(f"That is not {plain(place)} yet.")
    st.button(
        f"Send this {kind} to {plain(known.reach.whom)}",
        key="public_alert.send",
        # What cannot be pressed yet is grey, and what can be is what one sees first.
        type="primary" if right else "secondary",
        icon=":material/campaign:",
        disabled=not right,
        on_click=send_actions.begin_countdown,
        args=(workspace,),
    )
    st.caption(f"After the press you have {SECONDS:.0f} seconds to stop it. Then it cannot be changed or recalled.")


def _to_mend(problems: list[str]) -> None:
    shown = "\n".join(f"- {plain(words)}" for words in problems)
    st.error(f"**It cannot be sent like this**\n{shown}", icon=":material/error:")
