"""Drawing one sent notification: what it said, whom it was for, and what can be made of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from client.models.notifications import Notification, SentPublicAlert
from components.alert_reach.reach_card import reach_card
from components.alert_reach.region_catalog import region_lookups
from components.alert_sending.afterwards import chain_lines, follow_up_buttons
from components.alert_sending.alert_chain import chains
from components.alert_sending.alert_change import open_new
from components.alert_sending.cap_view import cap_expander
from components.alert_sending.whom import told_at
from components.notifications.sent_frame import (
    NOT_TOLD,
    end_words,
    event_words,
    names_a_reach,
    state_words,
    type_words,
)
from components.public_alerts.filing_names import CATEGORIES, EVENTS, FilingNames
from components.public_alerts.from_sent import draft_from_sent
from components.shell.workspace import Workspace
from components.widgets.markdown_text import plain
from components.widgets.payload_view import request_expander


def sent_detail(workspace: Workspace, notification: Notification, names: FilingNames) -> None:
    """Draw a notification below its title."""
    now, alert, known = datetime.now(UTC), notification.public_alert, chains(workspace)
    draft = known.told(notification.id, draft_from_sent(notification))
    told = partial(told_at, workspace, draft)
    sent_at = told(notification.created_date) if notification.created_date else NOT_TOLD.lower()
    by = plain(notification.created_name or NOT_TOLD.lower())
    st.caption(f"{plain(state_words(notification, now, told))} · sent {plain(sent_at)} · by {by}")
    if notification.message is not None and notification.message.text_message:
        st.text(notification.message.text_message)
    if alert is not None:
        _alert(alert, end_words(notification, now, told))
        if names_a_reach(alert):
            has_names = bool(draft.regions or draft.groups)
            reach_card(draft, region_lookups(workspace), key="notifications.reach", watch=has_names)
        else:
            st.caption("Whom it was for is not told.")
    _filed(notification, names.names(EVENTS), names.names(CATEGORIES))
    chain_lines(workspace, draft, known, notification.id)
    with st.container(horizontal=True):
        if st.button(
            "Duplicate as a new draft",
            key=f"notifications.duplicate/{notification.id}",
            icon=":material/content_copy:",
            help="Opens a new alert with the same words and the same reach. Nothing is sent before you review it.",
        ):
            open_new(workspace, draft.copied(written_at=notification.created_date))
        if alert is not None:
            follow_up_buttons(
                workspace,
                draft,
                known,
                follows=notification.id,
                at=notification.created_date,
                key=f"notifications/{notification.id}",
            )
    answer = notification.model_dump(mode="json", by_alias=True, exclude_none=True)
    request_expander("Show what the service tells", answer, key=f"notification-{notification.id}")
    if alert is not None:
        cap_expander(
            workspace,
            draft,
            notification=notification.id,
            at=notification.created_date,
            chains=known,
            key=f"notification-{notification.id}",
        )


def _alert(alert: SentPublicAlert, end: str) -> None:
    with st.container(border=True):
        st.markdown(f":material/campaign: **{plain(alert.event or 'Public alert')}** · {plain(alert.category or '')}")
        if alert.sms_message:
            st.text(alert.sms_message)
        else:
            st.caption("No text is told.")
        if alert.instructions:
            st.caption(":material/checklist: Instructions")
            st.text(alert.instructions)
        levels = " · ".join(plain(level) for level in (alert.urgency, alert.severity, alert.certainty) if level)
        st.caption(f"{plain(type_words(alert.type))} · {levels or 'no levels told'} · {plain(end)}")
        community = alert.community
        contact = (
            [community.contact_name, community.contact_division, community.contact_email, community.contact_phone]
            if community is not None
            else []
        )
        if any(contact):
            st.markdown(f":material/contact_phone: {plain(' · '.join(part for part in contact if part))}")


def _filed(notification: Notification, events: Mapping[int, str], categories: Mapping[int, str]) -> None:
    event = event_words(notification.notification_event_id, events)
    category = event_words(notification.category_id, categories)
    filed = [f"event {plain(event)}" if event else "", f"category {plain(category)}" if category else ""]
    told = " · ".join(part for part in filed if part)
    st.caption(f"Filed under {told}" if told else "Filed under no event and no category")
