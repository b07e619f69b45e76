"""The first box of the composer: event, levels, end, notification event, and notification category."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import streamlit as st

from components.alerts.alert_session import EVENT_NOTE
from components.alerts.composer import actions
from components.forms.form_view import FormView
from components.widgets.browser_zone import browser_zone
from domain.alerts.alert_events import meaning_of, suggestion_words
from domain.alerts.alert_form import categories_of
from domain.alerts.draft import AlertDraft
from domain.alerts.expiry import ends_at
from domain.alerts.filing_names import CATEGORIES as FILED_CATEGORIES
from domain.alerts.filing_names import EVENTS as FILED_EVENTS
from domain.alerts.filing_names import FilingNames, Names
from domain.alerts.levels import eligibility_hint, meaning
from domain.runtime.background import BackgroundRead
from domain.runtime.problems import explain
from domain.runtime.workspace import Workspace
from domain.text.place_clock import on_clocks
from domain.text.plain_text import count, names, plain

WAIT_SECONDS: Final = 0.5


def what_happens(workspace: Workspace, fields: FormView[AlertDraft], *, zone: str | None, now: datetime) -> None:
    """Draw category, event, the three levels, and the end."""
    draft = fields.draft
    st.header("Event and levels", anchor=False)
    fields.draw("category", on_change=actions.choose_category)
    if category := meaning("category", draft.category):
        st.caption(plain(category))
    fields.draw("event", on_change=actions.choose_event, args=(workspace,))
    note = EVENT_NOTE.get()
    if note is not None and note[0] == draft.category and not draft.event:
        listed = names(categories_of(note[1]))
        words = f"“{note[1]}” isn’t in the category {note[0]}, but in {listed}. Select another event."
        st.markdown(f":small[:orange[:material/info: {plain(words)}]]")
    if len(categories := categories_of(draft.event)) > 1:
        st.caption(
            f"This event exists in several categories: {plain(names(categories))}. Select the category you mean."
        )
    if event := meaning_of(draft.event):
        st.caption(plain(event))
    if usual := suggestion_words(draft):
        st.caption(f":material/auto_awesome: {plain(usual)}")
    for name, asks in (
        ("urgency", "How soon people should act"),
        ("severity", "Threat to life and property"),
        ("certainty", "How likely the event is"),
    ):
        fields.draw(name)
        # The line exists before a choice too, so that the next field does not move.
        st.caption(plain(meaning(name, getattr(draft, name)) or asks))
    hint = eligibility_hint(draft)
    if hint:
        st.caption(f":material/info: {plain(hint)}")
    fields.draw("hours")
    _ending(draft, zone, now)
    fields.draw("goes_on")


def filed_under(fields: FormView[AlertDraft], filing: FilingNames) -> None:
    """Draw the notification event and the notification category. A list that failed to load is reported at its
    field.
    """
    # ASSUMPTION A91: whether a notification needs an event or a category is not shown: both may be left out.
    st.markdown("**Filed under**")
    for name, label, unknown in (
        (FILED_EVENTS, "Notification event", "Event"),
        (FILED_CATEGORIES, "Notification category", "Category"),
    ):
        known, names_by_id = filing.lists[name], filing.names(name)
        hint = "Loading" if known.value is None and known.now.is_running else "None"
        selected = getattr(fields.draft, name)
        is_named = selected in names_by_id or selected is None
        named = names_by_id if is_named else {**names_by_id, selected: f"{unknown} {selected}"}
        fields.draw(name, options=list(names_by_id), labels=named, placeholder=hint, empty_label=hint)
        if known.value is None and known.now.error is not None:
            _lookup_failed(name, label, known)


def _ending(draft: AlertDraft, zone: str | None, now: datetime) -> None:
    ending = ends_at(draft.hours, now, zone)
    if ending is None:
        return
    in_user_zone = plain(ending.in_user_zone(browser_zone()))
    in_user_zone = f" {in_user_zone}" if in_user_zone else ""
    st.markdown(f":material/schedule: Ends **{plain(ending.words)}**{in_user_zone} if sent now.")
    if ending.note:
        st.caption(plain(ending.note))
    if draft.extends_until is not None:
        st.caption(plain(extension_note(draft.extends_until, ending.utc, zone, now)))


def extension_note(old_end: datetime, new_end: datetime, zone: str | None, now: datetime) -> str:
    """Say by how long a draft extends the alert that it follows."""
    minutes = int((new_end - old_end).total_seconds() // 60)
    hours, rest = divmod(abs(minutes), 60)
    parts = (count(hours, "hour", "hours") if hours else "", count(rest, "minute", "minutes") if rest else "")
    length = " ".join(part for part in parts if part)
    when = on_clocks(old_end, zone, now=now)
    first_end = f"The first alert ended {when}." if old_end <= now else f"The first alert ends {when}."
    if minutes < 0:
        return f"{first_end} This extension ends {length} earlier."
    return f"{first_end} This extension adds {length or 'no time'}."


def _lookup_failed(name: str, label: str, read: BackgroundRead[Names]) -> None:
    headline = plain(explain(read.now.error or RuntimeError()).headline)
    text = f"{headline} You can send the alert without a {label.lower()}."
    st.markdown(f":small[:orange[:material/cloud_off: {text}]]")
    st.button(
        "Retry",
        key=f"public_alert.look_again/{name}",
        icon=":material/refresh:",
        type="tertiary",
        on_click=read.restart,
        args=(WAIT_SECONDS,),
    )
