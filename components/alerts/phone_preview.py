"""The preview of an alert on a phone."""

from __future__ import annotations

from typing import Final, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from domain.alerts.alert_events import placeholders_in
from domain.alerts.draft import AlertDraft
from domain.text.plain_text import plain

WIDTH: Final = 340
_SHOWN: Final = 320
"""The number of characters above which the end of a text is folded in the composer: about two message parts."""


class Phone(NamedTuple):
    """The containers of a phone: its screen, and the message on it."""

    screen: DeltaGenerator
    message: DeltaGenerator


def phone_preview(draft: AlertDraft, clock: str) -> None:
    """Draw a phone that shows this time of day and the text message as it was typed."""
    show_on(phone(clock), draft)


def phone(clock: str, *, key: str = "public_alert-phone") -> Phone:
    """Draw a phone that shows this time of day, with an empty screen."""
    screen = st.container(horizontal_alignment="center").container(border=True, width=WIDTH, gap="xsmall", key=key)
    screen.caption(f"{clock} :material/signal_cellular_alt: :material/battery_full:", text_alignment="right")
    message = screen.container(border=True, gap="xsmall")
    message.caption(":material/sms: Text message")
    return Phone(screen, message)


def show_on(drawn: Phone, draft: AlertDraft, *, folded: bool = False) -> None:
    """Draw the alert's texts on a phone. With `folded`, the end of a long text is hidden, so that its field stays
    near.
    """
    if draft.sms.strip():
        _text(drawn.message, draft.sms, folded=folded)
    else:
        drawn.message.caption("The text appears in this preview as people will read it.")
    # ASSUMPTION A92: how instructions reach the public is not shown; they stand beside the message, not in it.
    if draft.instructions.strip():
        with drawn.screen, st.container(border=True, gap="xsmall"):
            st.caption(":material/checklist: Instructions")
            _text(st.container(gap="xsmall"), draft.instructions, folded=folded)


def _text(place: DeltaGenerator, text: str, *, folded: bool) -> None:
    if not folded or len(text) <= _SHOWN:
        _with_marks(place, text)
        return
    start = max(text.rfind(" ", 0, _SHOWN), text.rfind("\n", 0, _SHOWN)) + 1 or _SHOWN
    _with_marks(place, text[:start])
    _with_marks(place.expander(f"{len(text) - start:,} more characters", type="compact"), text[start:])


def _with_marks(place: DeltaGenerator, text: str) -> None:
    """Draw a text as it is, or as Markdown with highlighted placeholders."""
    blanks = placeholders_in(text)
    if not blanks:
        place.text(text)
        return
    marked = "  \n".join(map(plain, text.splitlines()))
    for blank in blanks:
        marked = marked.replace(plain(blank), f":orange-background[{plain(blank)}]")
    place.markdown(marked)
