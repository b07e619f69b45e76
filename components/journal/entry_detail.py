"""Drawing one journal entry: what was done, how it ended, what was sent and what came back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import streamlit as st

from components.journal.words import ALERT, OUTCOMES, ended_words, places_words, when_words
from components.shell.navigation import link_to
from components.shell.screens import CONTACT_FILTERS, EXPECTED_LOCATIONS, NOTIFICATIONS, PUBLIC_ALERT, TRIP
from components.widgets.markdown_text import plain
from components.widgets.payload_view import payload_view
from components.widgets.place_clock import desk_zone
from components.widgets.time_text import ago
from journal import Entry


def entry_detail(entry: Entry, now: datetime) -> None:
    """Draw an entry below what was done, and to what."""
    outcome = OUTCOMES[entry.state]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(outcome.word, icon=outcome.icon, color=outcome.colour)  # type: ignore[arg-type]
        when = f"{when_words(entry, desk_zone(), now=now)} ({ago(entry.at, now)})"
        st.caption(f"by {plain(entry.actor.username)} · {plain(when)}")
    if places := places_words(entry):
        st.caption(f":material/location_on: {plain(places)}")
    if entry.state == "unknown":
        st.warning(outcome.meaning, icon=":material/warning:")
    else:
        st.caption(outcome.meaning)
    if entry.message:
        st.markdown(plain(entry.message))
    st.caption(f"{ended_words(entry)} · entry {entry.id}")
    _links(entry)
    sent, came_back = st.tabs(["What was sent", "What came back"])
    with sent:
        _payload(entry.request, f"entry-{entry.id}-sent", "Nothing but the address of the record was sent.")
    with came_back:
        _payload(entry.answer, f"entry-{entry.id}-answer", "No answer is written down.")


def _links(entry: Entry) -> None:
    if entry.subject_kind == "itinerary" and (entry.subject_id or entry.subject_name):
        link_to(TRIP, "Look at the trip", id=entry.subject_id, locator=entry.subject_name)
    elif entry.subject_kind == "roster" and entry.subject_id and entry.action != "roster.delete":
        link_to(EXPECTED_LOCATIONS, "Open the roster on the map", roster=entry.subject_id)
    elif entry.subject_kind == "contact_filter" and entry.action != "contact_filter.delete":
        link_to(
            CONTACT_FILTERS,
            "Look at the contact filter",
            id=entry.subject_id,
            name=None if entry.subject_id else entry.subject_name,
        )
    elif entry.subject_kind == ALERT:
        if entry.subject_id:
            link_to(NOTIFICATIONS, "Look at the sent notification", notification=entry.subject_id)
        if entry.action == "public_alert.send" and entry.request is not None and entry.request.get("draft"):
            link_to(PUBLIC_ALERT, "See where the alert stands", draft=str(entry.request["draft"]))


def _payload(payload: Mapping[str, Any] | None, key: str, when_none: str) -> None:
    if payload is None:
        st.caption(when_none)
    else:
        payload_view(payload, key=key)
