"""The second pair of eyes for who wrote the alert: handing it over, waiting, and what was decided, in its review."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

import streamlit as st

from components.alert_sending import approval, send_actions
from components.alert_sending.approval import Approval, approval_of
from components.alert_sending.boxes import LONG_AGO
from components.alert_sending.sending_session import DECISION
from components.alert_sending.whom import told_at
from components.public_alerts.draft import AlertDraft
from components.shell.notices import show_problem
from components.shell.screens import PUBLIC_ALERT_APPROVAL
from components.shell.session import browser_path
from components.shell.workspace import Workspace
from components.widgets.markdown_text import plain
from components.widgets.time_text import ago
from journal.handovers import Handover

EVERY_SECONDS: Final = 3.0


def second_pair_of_eyes(workspace: Workspace, draft: AlertDraft) -> bool:
    """Draw how far the author is with the approval; tell whether the draft may be sent."""
    if not approval.is_required():
        return True
    now = approval_of(workspace, draft)
    st.subheader("A second pair of eyes", anchor=False)
    failed = DECISION.get()
    if failed is not None and failed[0] == draft.uid:
        show_problem(failed[1], doing="handing the alert over", key="public_alert-handing-over")
    handover = now.handover
    if now.may_be_sent and handover is not None:
        _approved(workspace, draft, handover)
        return True
    if now.state == "waiting" and handover is not None:
        _waiting(workspace, draft, handover)
        return False
    _why_to_hand_over(workspace, draft, now)
    st.button(
        "Hand over for approval",
        key="public_alert.hand_over",
        type="primary",
        icon=":material/approval:",
        on_click=send_actions.hand_over,
        args=(workspace, draft),
    )
    return False


def address_of(handover: Handover) -> str:
    """The whole address under which somebody else finds what was handed over."""
    path = browser_path(f"/{PUBLIC_ALERT_APPROVAL.url_path}?id={handover.id}")
    here = urlsplit(st.context.url or "")
    return f"{here.scheme}://{here.netloc}{path}" if here.netloc else path


def _approved(workspace: Workspace, draft: AlertDraft, handover: Handover) -> None:
    now, at = datetime.now(UTC), handover.decided_at or handover.handed_at
    st.success(
        f"**Approved by {plain(handover.decided_by or '')}** {plain(told_at(workspace, draft, at))} ({ago(at, now)}): "
        "exactly this text. Any edit voids it.",
        icon=":material/approval:",
    )
    if now - at > LONG_AGO:
        st.warning(
            f"**It was approved {ago(at, now)}.** Read it once more: does it still fit what happens, and would it end "
            "at the right time?",
            icon=":material/schedule:",
        )


def _waiting(workspace: Workspace, draft: AlertDraft, handover: Handover) -> None:
    since = plain(told_at(workspace, draft, handover.handed_at))
    st.info(
        f"**Waiting for somebody else** since {since}. Give this address to another person of "
        "your organization; signed in here, they read exactly this text. Any edit voids it.",
        icon=":material/hourglass_top:",
    )
    st.code(address_of(handover), language=None, wrap_lines=True)
    st.button(
        "Take it back",
        key="public_alert.take_back",
        icon=":material/undo:",
        on_click=send_actions.take_back,
        args=(workspace, draft),
    )
    _watch(workspace, draft)


@st.fragment(run_every=EVERY_SECONDS)
def _watch(workspace: Workspace, draft: AlertDraft) -> None:
    if approval_of(workspace, draft).state != "waiting":
        st.rerun()
    st.caption("This page shows the decision as soon as it is made.")


def _why_to_hand_over(workspace: Workspace, draft: AlertDraft, now: Approval) -> None:
    handover = now.handover
    if now.state == "declined" and handover is not None:
        at = handover.decided_at or handover.handed_at
        st.error(
            f"**{plain(handover.decided_by or '')} turned it down** {plain(told_at(workspace, draft, at))} "
            f"({ago(at, datetime.now(UTC))}): {plain(handover.note or 'without a note')}",
            icon=":material/block:",
        )
    elif now.state == "changed":
        st.warning(
            "It was changed after it was handed over, so what was handed over, or approved, no longer counts.",
            icon=":material/edit:",
        )
    st.markdown("Another person has to approve exactly this text before it can be sent.")
