"""The text of an alert on a phone, as the public will see it."""

from __future__ import annotations

from typing import Final, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.public_alerts.draft import AlertDraft

WIDTH: Final = 340


class Phone(NamedTuple):
    """A phone that was drawn: its whole screen, and the message on it."""

    screen: DeltaGenerator
    message: DeltaGenerator


def phone_preview(draft: AlertDraft, clock: str) -> None:
    """Draw the text message on a phone that shows this time of day: every character as it was typed."""
    show_on(phone(clock), draft)


def phone(clock: str) -> Phone:
    """Draw a phone that shows this time of day, with nothing on it yet."""
    screen = st.container(horizontal_alignment="center").container(
        border=True, width=WIDTH, gap="xsmall", key="public_alert-phone"
    )
    screen.caption(f"{clock} :material/signal_cellular_alt: :material/battery_full:", text_alignment="right")
    message = screen.container(border=True, gap="xsmall")
    message.caption(":material/sms: Text message")
    return Phone(screen, message)


def show_on(drawn: Phone, draft: AlertDraft) -> None:
    """Draw the alert's texts on a phone."""
    if draft.sms.strip():
        drawn.message.text(draft.sms)
    else:
        drawn.message.caption("Here stands the text as people will read it.")
    # ASSUMPTION A92: how instructions reach the public is not shown; they stand beside the message, not in it.
    if draft.instructions.strip():
        with drawn.screen, st.container(border=True, gap="xsmall"):
            st.caption(":material/checklist: Instructions")
            st.text(draft.instructions)
