"""Draw the alerts in force for the people of a draft, so that they don't get two alerts about one emergency."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import streamlit as st

from components.alerts.sending.alert_editor import open_begun
from components.alerts.sending.alert_times import format_alert_time
from components.alerts.sending.sent_alert import begin_follow_up
from components.shell.address import link_to
from components.shell.state import StateKey
from domain.alerts.draft import ALL_CLEAR, EXTENSION, UPGRADE, AlertDraft, FollowUp
from domain.alerts.sending.alerts_in_force import AlertInForce, find_overlapping
from domain.alerts.sending.facts import name_of
from domain.alerts.sending.known_recipients import known_reach
from domain.alerts.wording.follow_ups import KINDS, follow_up_kinds
from domain.alerts.wording.orders_in_text import says_over
from domain.runtime.screens import NOTIFICATIONS, PUBLIC_ALERT
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, plain
from domain.text.time_text import ago

CONTINUED: Final = StateKey[str]("public_alert.continued", str)
"""The uid of the draft whose author continues although other alerts are in force."""
_SEEN: Final = StateKey[frozenset[tuple[str, bool, bool]]]("public_alert.seen_in_force", frozenset)
"""The steps of the alerts that the review has shown."""
_MOST: Final = 3
_LABELS: Final[dict[FollowUp, str]] = {
    EXTENSION: "Extend that alert instead",
    UPGRADE: "Upgrade that alert instead",
    ALL_CLEAR: "End that alert instead",
}


def similar_alerts(workspace: Workspace, draft: AlertDraft, *, can_continue: bool = True) -> None:
    """Draw the alerts in force for some of the same people, whatever their events, and what colleagues are writing.

    A user who approves (`can_continue` is False) gets no buttons.
    """
    now = datetime.now(UTC)
    found = find_overlapping(workspace, draft, now)
    if can_continue:
        _SEEN.set(frozenset(each.step for each in found))
    if not found:
        return
    others = f"{count(len(found), 'other alert', 'other alerts')} for some of the same people"
    if can_continue and CONTINUED.get() == draft.uid:
        st.caption(f":material/content_copy: {others}.")
        return
    with st.container(border=True, key="public_alert-in-force"):
        if len(found) > 1:
            # The last ones may be out of sight.
            st.markdown(f"**{others}**")
        for each in found[:_MOST]:
            _similar(workspace, draft, each, now)
            if can_continue:
                _ways_to_continue(workspace, draft, each)
        if can_continue:
            st.button(
                "Continue with a new alert",
                key="public_alert.continue",
                icon=":material/arrow_forward:",
                on_click=CONTINUED.set,
                args=(draft.uid,),
            )


def has_new_similar_alert(workspace: Workspace, draft: AlertDraft) -> bool:
    """Return whether a colleague has sent, or is about to send, an overlapping alert since the review was drawn."""
    found = find_overlapping(workspace, draft, datetime.now(UTC))
    new = {each.step for each in found if not each.is_draft or each.is_counting} - _SEEN.get()
    if new:
        CONTINUED.clear()
    return bool(new)


def _similar(workspace: Workspace, draft: AlertDraft, other: AlertInForce, now: datetime) -> None:
    by = f" by **{plain(other.sent_by)}**" if other.sent_by else ""
    whom = plain(known_reach(workspace, other.draft, patience=0).reach.whom)
    happened, ends = (
        ("saved", "") if other.is_draft else ("sent", f", ends {format_alert_time(workspace, other.draft, other.ends)}")
    )
    st.warning(
        f"**{_headline(draft, other)}** {plain(name_of(other.draft))} to {whom}, {happened} "
        f"{ago(other.sent_at, now)}{by}{plain(ends)}.",
        icon=":material/content_copy:",
    )
    st.text(other.draft.sms)


def _headline(draft: AlertDraft, other: AlertInForce) -> str:
    if other.is_counting:
        return "A colleague is about to send an alert to some of the same people."
    if other.is_draft:
        return "A colleague is writing an alert for some of the same people."
    if not other.is_similar(draft):
        which = "Another alert for some of the same people"
    else:
        which = "The same alert" if other.has_same_text(draft) else "A similar alert"
    return (
        f"{which} is already in force." if other.notification is not None else f"{which} has status Sending or Unknown."
    )


def _ways_to_continue(workspace: Workspace, draft: AlertDraft, other: AlertInForce) -> None:
    if other.is_draft:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if other.notification is None:
            link_to(PUBLIC_ALERT, "Open that alert", draft=other.uid)
            return
        link_to(NOTIFICATIONS, "Open that alert", notification=other.notification)
        for kind in _offered(draft, other.draft):
            key = f"public_alert.instead/{other.notification}.{kind}"
            if st.button(_LABELS[kind], key=key, icon=KINDS[kind].icon):
                begun = begin_follow_up(workspace, kind, other.draft, follows=other.notification, at=other.sent_at)
                open_begun(begun)


def _offered(draft: AlertDraft, sent: AlertDraft) -> Sequence[FollowUp]:
    """Return the follow-ups of a sent alert that fit a draft: if its text says that all is over, an all clear."""
    fitting = [ALL_CLEAR] if says_over(draft.sms) else [EXTENSION, UPGRADE]
    return [kind for kind in fitting if kind in follow_up_kinds(sent)]
