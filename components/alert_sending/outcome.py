"""What became of an alert whose sending began: sent, under way, or unknown, with a way to find out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from components.alert_sending import fate, send_actions
from components.alert_sending.afterwards import chain_lines, follow_up_buttons, open_new
from components.alert_sending.alert_chain import chains
from components.alert_sending.facts import name_of
from components.alert_sending.fate import Standing
from components.alert_sending.lost_answer_view import looking
from components.alert_sending.state import CHANGED
from components.change.kept_drafts import Fate
from components.framework.own_scripts import new_stage
from components.public_alerts.draft import AlertDraft, new_uid
from components.shell.changing import is_under_way
from components.shell.navigation import link_to
from components.shell.screens import JOURNAL, NOTIFICATIONS, PUBLIC_ALERT
from components.widgets.markdown_text import plain
from components.widgets.payload_view import request_expander
from components.widgets.time_text import ago, moment

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

EVERY_SECONDS: Final = 2.0
SLOW_SECONDS: Final = 15


def outcome(workspace: Workspace, draft: AlertDraft) -> bool:
    """Draw what became of a draft whose sending began; False, and nothing drawn, for one that may be written on."""
    if is_under_way(workspace, send_actions.sending_of(draft)):
        new_stage(draft.uid, "being sent")
        st.title(f"{plain(name_of(draft))}: being sent", anchor=False)
        st.info(
            "**It is being sent, once**, and can no longer be stopped. You are told what became of it, here or on "
            "another screen, also where this tab is closed.",
            icon=":material/hourglass_top:",
        )
        return True
    standing = send_actions.where_it_stands(workspace, draft, asked_for=st.query_params.get("draft") == draft.uid)
    if standing is None or standing.fate is Fate.UNSENT:
        return False
    said = standing.sent_draft
    became = {Fate.SENT: "sent", Fate.SENDING: "being sent"}.get(standing.fate, "unknown")
    new_stage(draft.uid, became)
    st.title(f"{plain(name_of(said))}: {became}", anchor=False)
    changed = CHANGED.get()
    if changed is not None and changed[0] == draft.uid:
        st.warning(changed[1], icon=":material/sync_problem:")
    if standing.fate is Fate.SENT:
        _sent(workspace, standing, said)
    elif standing.fate is Fate.SENDING:
        _sending(workspace, standing)
    else:
        _unknown(workspace, standing, said)
    return True


def _sent(workspace: Workspace, standing: Standing, draft: AlertDraft) -> None:
    when = f", {moment(standing.begun_at)}" if standing.begun_at is not None else ""
    what = "The routine test was sent" if draft.is_test else "The alert was sent"
    st.success(f"**{what} once**{when}. It is not sent again.", icon=":material/check_circle:")
    facts = [f"Notification id **{standing.notification_id}**"] if standing.notification_id is not None else []
    words = {"written": "written by", "approved": "approved by", "sent": "sent by"}
    facts += [f"{words[part]} **{plain(person)}**" for part, person in standing.people.items()]
    st.markdown(" · ".join(facts))
    _text(draft)
    _next(workspace, standing, draft)
    _links(standing)
    _payloads(standing)


def _text(draft: AlertDraft) -> None:
    if draft.sms.strip():
        with st.container(border=True, gap="xsmall"):
            st.caption(":material/sms: Text message")
            st.text(draft.sms)


def _next(workspace: Workspace, standing: Standing, draft: AlertDraft) -> None:
    with st.container(horizontal=True):
        known = chains(workspace)
        follow_up_buttons(
            workspace, draft, known, follows=standing.notification_id, at=standing.begun_at, key="public_alert"
        )
        if st.button("Make a copy", key="public_alert.copy", icon=":material/content_copy:"):
            open_new(workspace, draft.model_copy(update=_as_new()), written_at=standing.begun_at)
    chain_lines(known, standing.notification_id)
    st.caption(
        "A sent alert cannot be changed or recalled. What follows it is a new alert to the same people, begun in words "
        "that say so; a copy is the same alert as a new draft. Neither leaves before you have reviewed it."
    )


def _sending(workspace: Workspace, standing: Standing) -> None:
    began = standing.begun_at or datetime.now(UTC)
    st.info(
        f"**Its sending began {moment(began)}**, here or in another tab. It is not sent a second time. This page shows "
        "how it ends.",
        icon=":material/hourglass_top:",
    )
    slow = _is_slow(began)
    _watch(workspace, standing, slow)
    if slow:
        st.markdown(
            "No word yet. If what sent it has stopped, Muster knows after two minutes at most; you can look at the "
            "service already."
        )
        looking(workspace, standing)
    _links(standing)


@st.fragment(run_every=EVERY_SECONDS)
def _watch(workspace: Workspace, standing: Standing, was_slow: bool) -> None:
    now = fate.standing_of(workspace, standing.uid)
    began = now.begun_at or datetime.now(UTC)
    if now.fate is not standing.fate or _is_slow(began) is not was_slow:
        st.rerun()
    st.caption(f"Begun {ago(began, datetime.now(UTC))}.")


def _is_slow(began: datetime) -> bool:
    # Either way: a clock that was set back must not hide the way to look.
    return abs((datetime.now(UTC) - began).total_seconds()) > SLOW_SECONDS


def _unknown(workspace: Workspace, standing: Standing, draft: AlertDraft) -> None:
    when = f" {moment(standing.begun_at)}" if standing.begun_at is not None else ""
    st.warning(
        f"**It is not known whether this {'routine test' if draft.is_test else 'alert'} went out.** Its sending "
        f"began{when}, and no answer told how it ended. Nothing is sent again by itself: look first, then decide.",
        icon=":material/help:",
    )
    if standing.entry is not None and standing.entry.message:
        st.caption(plain(standing.entry.message))
    _text(draft)
    looking(workspace, standing)
    _links(standing)
    _payloads(standing)


def _links(standing: Standing) -> None:
    with st.container(horizontal=True):
        if standing.fate is Fate.SENT:
            link_to(NOTIFICATIONS, "See it among the sent notifications", notification=standing.notification_id)
        if standing.entry is not None:
            link_to(JOURNAL, "See it in the journal", entry=standing.entry.id)
        link_to(PUBLIC_ALERT, "Write another alert")


def _payloads(standing: Standing) -> None:
    request_expander("What was sent", standing.body, key=f"public-alert-{standing.uid}-sent")
    answer = standing.entry.answer if standing.entry is not None else None
    if answer is not None:
        request_expander("What came back", answer, key=f"public-alert-{standing.uid}-answer")


def _as_new() -> dict[str, Any]:
    return {"uid": new_uid(), "stage": "edit", "checked": False, "refused": [], "follows": None, "follow_up": ""}
