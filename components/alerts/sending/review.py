"""The review of an alert: three boxes to read, warnings, and one button to send.

A live alert is sent after a countdown, which a fragment draws every second.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import streamlit as st

from components.alerts.sending import send_actions
from components.alerts.sending.alert_editor import ALERT_EDITOR
from components.alerts.sending.alert_times import format_alert_time
from components.alerts.sending.approval_view import approval_status
from components.alerts.sending.boxes import (
    age_note,
    boxes,
    draw_warnings,
    kind_banner,
    loading_names_note,
    remaining_alerts,
    template_note,
)
from components.alerts.sending.cap_view import cap_expander
from components.alerts.sending.send_actions import COUNTDOWN, UNCONFIRMED, typed_confirmation
from components.alerts.sending.similar_alerts import similar_alerts
from components.alerts.sending.text_changes import changes_from_sent
from components.edits.send_status_view import draw_error, draw_note
from components.shell.background_changes import pause_redraws, redraw_when, redraw_while_loading
from components.shell.session import is_signed_in
from components.streamlit_workarounds.own_scripts import focus_field, new_stage, report_open_page
from components.widgets.downloads import request_expander
from domain.alerts.alert_problems import alert_problems
from domain.alerts.alert_templates import saved_test_texts
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.request import request_json
from domain.alerts.sending import countdown
from domain.alerts.sending.countdown import SECONDS, Countdown
from domain.alerts.sending.facts import (
    confirmation_reason,
    look_of,
    matches_place,
    questions_before_sending,
    title_of,
)
from domain.alerts.sending.known_recipients import KnownReach, known_reach
from domain.runtime.workspace import Workspace
from domain.text.plain_text import plain
from domain.text.text_limits import MAX_LINE

_PLACE_KEY: Final = "public_alert-place"
EVERY_SECONDS: Final = 1.0


def review(workspace: Workspace, draft: AlertDraft) -> None:
    """Draw the review of an alert that has not been sent, or its countdown, which nothing may draw anew."""
    if draw_countdown(workspace, draft):
        new_stage(draft.uid, "countdown")
        boxes(workspace, draft, quiet=True)
        return
    with redraw_while_loading(region_lookups(workspace)):
        _review(workspace, draft)


def _review(workspace: Workspace, draft: AlertDraft) -> None:
    known = known_reach(workspace, draft)
    new_stage(draft.uid, "review", *(["note"] if ALERT_EDITOR.note.get() else []))
    kind_banner(workspace, draft, known.reach)
    age_note(workspace, draft)
    template_note(draft)
    draw_note(ALERT_EDITOR)
    unfinished_countdown_note(workspace, draft, is_watched=True)
    # Before other alerts, which are long: several would move the warnings out of sight.
    warnings = draw_warnings(workspace, draft, send_actions.apply_fix)
    # The places give the time zone, and some of the warnings.
    if not (known.names_loading or region_lookups(workspace).is_reading):
        send_actions.keep_first_warnings(draft, warnings)
    similar_alerts(workspace, draft)
    changes_from_sent(draft)
    boxes(workspace, draft)
    request_expander("Show request", request_json(draft), key=f"public-alert-{draft.uid}")
    cap_expander(workspace, draft, key=f"public-alert-{draft.uid}")
    with st.container():
        draw_error(ALERT_EDITOR, draft)
        if problems := [f"- {plain(words)}" for _, words in alert_problems(draft).of(draft.uid)]:
            st.error("\n".join(["**Fix these errors before you send**", *problems]), icon=":material/error:")
        elif approval_status(workspace, draft):
            # Always visible, like the Review button of the composer.
            with st.bottom, st.container(key="review-bar"):
                _send(workspace, draft, known)
    st.button(
        "Edit alert",
        key="public_alert.back",
        icon=":material/arrow_back:",
        on_click=send_actions.back_to_composer,
        args=(workspace, draft),
    )


def _send(workspace: Workspace, draft: AlertDraft, known: KnownReach) -> None:
    if known.names_loading:
        # The confirmation to type would change meanwhile.
        loading_names_note()
        return
    care = confirmation_reason(draft, known.reach, saved_test_texts(workspace, draft.event)) if draft.is_test else ""
    question, way = st.columns([3, 2], vertical_alignment="bottom", gap="small")
    questions = questions_before_sending(draft, region_lookups(workspace).regions.value)
    questions += remaining_alerts(workspace, draft)
    if draft.is_test and not care and not questions:
        question.markdown("The routine test is sent immediately, without a countdown.")
        way.button(
            "Send routine test",
            key="public_alert.send",
            type="primary",
            icon=":material/science:",
            width="stretch",
            on_click=ALERT_EDITOR.send,
            args=(workspace,),
        )
        return
    place = known.reach.place_to_type
    kind = look_of(draft).words.lower()
    with question:
        if draft.is_test and care:
            st.markdown(f"This test needs the same confirmation as a live alert because {plain(care)}.")
        if questions:
            st.markdown(f":red[:material/help: **{plain(' '.join(questions))}**]")
            st.checkbox(
                "I checked this. Send the alert as it is.",
                key=send_actions.second_confirmation(draft.uid).widget_key,
            )
        line = st.container()
        with st.container(key=_PLACE_KEY, gap=None):
            typed = st.text_input(
                "Recipients",
                key=typed_confirmation(draft.uid).widget_key,
                max_chars=MAX_LINE,
                live=True,
                placeholder=place,
                label_visibility="collapsed",
            )
            focus_field(_PLACE_KEY, draft.uid, next_key="public_alert-send")
        right = matches_place(typed or "", place)
        is_unticked = bool(questions) and not send_actions.second_confirmation(draft.uid).get()
        # A container of its own keeps the field in place while the line changes, and the focus in it.
        with line:
            if UNCONFIRMED.get() == draft.uid and not right:
                st.markdown(f":red[:material/error: Nothing was sent. To send this {kind}, enter **{plain(place)}**.]")
            elif UNCONFIRMED.get() == draft.uid and is_unticked:
                st.markdown(
                    f":red[:material/error: Nothing was sent. To send this {kind}, select the check box above.]"
                )
            elif typed and not right:
                st.markdown(f"The text does not match **{plain(place)}** yet.")
            else:
                stop = f"You then have {SECONDS:.0f} seconds to stop it."
                st.markdown(f"To send this {kind}, enter **{plain(place)}**. {stop}")
    way.button(
        f"Send this {kind} to {plain(known.reach.whom)}",
        key="public_alert.send",
        # Never disabled: Tab out of the field would skip it while the typed text is sent to the server. Always of one
        # type: Streamlit replaces a button whose type changes, and the keyboard focus would be lost.
        type="primary",
        icon=":material/campaign:",
        width="stretch",
        on_click=send_actions.start_countdown,
        args=(workspace, place),
        kwargs={"needs_tick": bool(questions)},
    )


def draw_countdown(workspace: Workspace, draft: AlertDraft) -> bool:
    """Draw the countdown of this draft, which sends it at zero. Return False if none is running.

    The whole page is drawn once during a countdown. If it is drawn again, the user selected something else, or left and
    came back. Then the countdown ends, and nothing is sent.
    """
    counting = COUNTDOWN.get()
    if counting is None or counting.ready.draft.uid != draft.uid:
        return False
    if counting.state != "not started":
        send_actions.leave_countdown()
        return False
    counting.start()
    report_open_page(counting.id, stop_key="public_alert-stop")
    # A change that ends meanwhile, in this tab or another one, would redraw the page.
    pause_redraws()
    # Always visible, wherever the Send button was.
    with st.bottom:
        _tick(workspace, f"**{plain(title_of(draft))}** to **{plain(known_reach(workspace, draft).reach.whom)}**")
    return True


def unfinished_countdown_note(workspace: Workspace, draft: AlertDraft, *, is_watched: bool = False) -> None:
    """Draw a warning about a countdown that started and did not finish.

    With `is_watched`, the page is also redrawn when a countdown starts in another tab.
    """
    started_at, may_run = _find_unfinished(workspace, draft)
    if may_run or is_watched:
        redraw_when(lambda: _find_unfinished(workspace, draft) != (started_at, may_run), every=EVERY_SECONDS)
    if started_at is None:
        return
    when = plain(format_alert_time(workspace, draft, started_at))
    if may_run:
        st.warning(
            f"**A countdown started {when}.** Unless its tab was closed or refreshed, the alert will be sent. Select "
            "**Stop alert** to prevent that.",
            icon=":material/timer:",
        )
        _stop_button(workspace, draft)
        return
    st.warning(
        f"**Not sent.** The countdown started {when} and did not finish. The page was closed or refreshed, the "
        f"computer went to sleep, or "
        "the session ended. To send the alert, select **Send** again.",
        icon=":material/timer_off:",
    )


@st.fragment(run_every=EVERY_SECONDS)
def _tick(workspace: Workspace, what: str) -> None:
    counting = COUNTDOWN.get()
    if counting is None:
        st.rerun()
    state = counting.state
    if state == "stopped":
        send_actions.stop_countdown(workspace, counting.ready.draft)
        st.rerun()
    if state == "sent":
        # Replaces the countdown: while the alert is being sent, it cannot be stopped.
        st.empty()
        st.info(f"**Sending**: {what}. You can no longer stop this alert.", icon=":material/send:")
    # A sign-out in another tab stops the alert: the frame's check does not run in this fragment.
    if state in {"sent", "left"} or not is_signed_in():
        send_actions.leave_countdown()
        st.rerun()
    if not countdown.is_current(workspace, counting.ready):
        send_actions.end_stopped_countdown(workspace, counting.ready)
        st.rerun()
    with st.container():
        _counting(workspace, counting, what)


def _counting(workspace: Workspace, counting: Countdown, what: str) -> None:
    # Before the Stop button, so that Tab leads from the heading to it.
    st.header(f":red[Sending in {counting.shown_seconds} s]", anchor=False)
    _stop_button(workspace, counting.ready.draft)
    # Where the Send button was: the second click of a double click would stop the alert.
    st.progress(min(max(counting.seconds_left / counting.seconds, 0.0), 1.0), text="Not sent yet")
    st.error(f"{what}. Leaving this page stops the alert.")


def _stop_button(workspace: Workspace, draft: AlertDraft) -> None:
    st.button(
        "Stop alert",
        key="public_alert.stop",
        type="primary",
        icon=":material/front_hand:",
        width="stretch",
        shortcut="Esc",
        on_click=send_actions.stop_countdown,
        args=(workspace, draft),
    )


def _find_unfinished(workspace: Workspace, draft: AlertDraft) -> tuple[datetime | None, bool]:
    """Return when a countdown started that has no end yet, and whether it may still run in another tab."""
    started_at = countdown.unfinished_since(workspace, draft.uid)
    return started_at, started_at is not None and countdown.may_run_in_other_tab(started_at, datetime.now(UTC))
