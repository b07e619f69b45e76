"""The first box of the composer: what happens, how bad it is, until when, and what it is filed under."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import streamlit as st

from client.vocabulary.public_alerts import (
    CATEGORIES,
    CERTAINTIES,
    EVENTS_BY_CATEGORY,
    EXPIRE_HOURS,
    SEVERITIES,
    URGENCIES,
)
from components.alert_composer import actions
from components.public_alerts.alert_problems import AlertProblems
from components.public_alerts.draft import AlertDraft
from components.public_alerts.expiry import ends_at
from components.public_alerts.fields import choice_field, names_field
from components.public_alerts.filing_names import CATEGORIES as FILED_CATEGORIES
from components.public_alerts.filing_names import EVENTS as FILED_EVENTS
from components.public_alerts.filing_names import FilingNames
from components.public_alerts.form_values import categories_of
from components.public_alerts.levels import (
    CATEGORY,
    CERTAINTY,
    EVENT,
    IN_SHORT,
    SEVERITY,
    URGENCY,
    eligibility_hint,
)
from components.public_alerts.state import EVENT_NOTE
from components.shell.problems import explain
from components.widgets.markdown_text import plain
from components.widgets.number_text import count, names


def what_happens(draft: AlertDraft, found: AlertProblems, *, zone: str | None, now: datetime) -> None:
    """Draw category, event, the three levels and the hour it ends."""
    st.subheader("What happens", anchor=False)
    choice_field(
        draft,
        "category",
        "Category",
        CATEGORIES,
        found,
        words=_with_its_meaning("category"),
        placeholder="What kind of event",
        on_change=actions.choose_category,
    )
    if draft.category in CATEGORY:
        st.caption(plain(CATEGORY[draft.category]))
    _event(draft, found)
    for name, label, options, phrases, asks in (
        ("urgency", "Urgency", URGENCIES, URGENCY, "How soon people should act."),
        ("severity", "Severity", SEVERITIES, SEVERITY, "How bad it is for life and property."),
        ("certainty", "Certainty", CERTAINTIES, CERTAINTY, "How sure it is."),
    ):
        choice_field(
            draft, name, label, options, found, words=_with_its_meaning(name), placeholder=f"Choose the {name}"
        )
        # A line stands there before the choice too, so that the next field does not move away under the hand.
        st.caption(plain(phrases.get(getattr(draft, name), asks)))
    hint = eligibility_hint(draft)
    if hint:
        st.caption(f":material/info: {plain(hint)}")
    choice_field(
        draft,
        "hours",
        "Ends after",
        tuple(EXPIRE_HOURS),
        found,
        words=lambda hours: count(hours, "hour", "hours"),
        placeholder=f"{EXPIRE_HOURS[0]} to {EXPIRE_HOURS[-1]} hours",
    )
    _ending(draft, zone, now)


def filed_under(draft: AlertDraft, filing: FilingNames, found: AlertProblems) -> None:
    """Draw what the notification is filed under; a list that could not be read is told at its field."""
    # ASSUMPTION A91: whether a notification needs an event or a category is not shown: both may be left out.
    st.markdown("**Filed under**")
    for name, label, unknown in (
        (FILED_EVENTS, "Notification event", "Event"),
        (FILED_CATEGORIES, "Notification category", "Category"),
    ):
        known = filing.of(name)
        names_field(
            draft,
            name,
            label,
            known.names,
            found,
            several=False,
            unknown=unknown,
            placeholder="None" if known.state == "there" else "Being looked up" if known.state == "reading" else "None",
            help_text="Optional. It only sorts the notification among those that were sent.",
        )
        if known.error is not None:
            _lookup_failed(name, label, known.error)


def _event(draft: AlertDraft, found: AlertProblems) -> None:
    events = EVENTS_BY_CATEGORY.get(draft.category, ())
    choice_field(
        draft,
        "event",
        "Event",
        events,
        found,
        placeholder="Choose what happens" if events else "Choose a category first",
        on_change=actions.choose_event,
        disabled=not events and not draft.event,
    )
    note = EVENT_NOTE.get()
    if note is not None and note[0] == draft.category and not draft.event:
        listed = names(categories_of(note[1]))
        words = f"“{note[1]}” is listed under {listed} only: choose an event of {note[0]}."
        st.markdown(f":small[:orange[:material/info: {plain(words)}]]")
    if draft.event in EVENT:
        st.caption(plain(EVENT[draft.event]))


def _ending(draft: AlertDraft, zone: str | None, now: datetime) -> None:
    ending = ends_at(draft.hours, now, zone)
    if ending is None:
        return
    behind = f" · {ending.utc:%H:%M} UTC" if zone and zone != "UTC" else ""
    st.markdown(f":material/schedule: Ends **{plain(ending.words)}**{behind}, if it is sent now.")
    if ending.note:
        st.caption(plain(ending.note))


def _lookup_failed(name: str, label: str, error: Exception) -> None:
    problem = explain(error, f"looking up the {label.lower()} names")
    st.markdown(f":small[:orange[:material/cloud_off: {plain(problem.headline)} The alert can be sent without it.]]")
    st.button(
        "Look again",
        key=f"public_alert.look_again/{name}",
        icon=":material/refresh:",
        type="tertiary",
        on_click=actions.look_again,
        args=(name,),
    )


def _with_its_meaning(name: str) -> Callable[[str], str]:
    def words(option: str) -> str:
        phrase = IN_SHORT[name].get(option)
        return f"{option} · {phrase}" if phrase else option

    return words
