"""Drawing the list of sent notifications: what it is narrowed to, a page of it, and which one is picked."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import streamlit as st

from client import ServiceError
from client.models.notifications import Notification
from client.vocabulary.notifications import ALL_EVENTS
from components.notifications import sent
from components.notifications.sent import SentPage, Wanted
from components.notifications.sent_frame import answer_words, sent_frame
from components.notifications.state import ACTIVE_IN_URL, ELSEWHERE, EVENT_IN_URL, NOTIFICATION_IN_URL, PAGE, SENT
from components.shell.address import in_address
from components.shell.navigation import link_to
from components.shell.notices import show_problem
from components.shell.screens import PUBLIC_ALERT
from components.shell.workspace import Workspace
from components.widgets.ids import NOT_AN_ID, id_in, quoted_id
from components.widgets.markdown_text import plain
from components.widgets.record_table import record_table
from components.widgets.time_text import moment


def sent_filters(events: Mapping[int, str]) -> Wanted:
    """Draw the service's own filters, which stand in the URL; give back what is wanted."""
    given = st.query_params.get(EVENT_IN_URL, "")
    in_url = id_in(given)
    if given and in_url is None:
        st.warning(f"{plain(quoted_id(given))} is not the id of an event. {NOT_AN_ID}", icon=":material/help:")
    options = [ALL_EVENTS, *events, *([in_url] if in_url is not None and in_url not in events else [])]
    with in_address(PAGE), st.container(horizontal=True, vertical_alignment="bottom"):
        event_id = st.selectbox(
            "Filed under the event",
            options,
            index=options.index(ALL_EVENTS if in_url is None else in_url),
            format_func=lambda number: "All events" if number == ALL_EVENTS else events.get(number, f"Event {number}"),
            key="notifications.event",
            width=280,
            filter_mode="contains",
            on_change=_first_page,
        )
        only_active = st.toggle(
            "Being sent now",
            value=st.query_params.get(ACTIVE_IN_URL) == "1",
            key="notifications.active",
            on_change=_first_page,
        )
        st.button("Read again", key="notifications.read_again", icon=":material/refresh:", on_click=SENT.clear)
    chosen = None if event_id == ALL_EVENTS else event_id
    _in_url(EVENT_IN_URL, None if chosen is None else str(chosen))
    _in_url(ACTIVE_IN_URL, "1" if only_active else None)
    return Wanted(chosen, only_active, PAGE.get())


def sent_page(workspace: Workspace, wanted: Wanted) -> SentPage | None:
    """Read the page that is wanted, unless that was done just now; None, and an error drawn, where it cannot be."""
    held = SENT.get()
    if held is not None and held.answers(wanted, datetime.now(UTC)):
        return held
    try:
        with st.spinner("Reading the notifications …"):
            found = sent.read_page(workspace.client, wanted)
    except ServiceError as error:
        show_problem(error, doing="reading the notifications", key="notifications-read")
        st.button("Try again", key="notifications.try_again", icon=":material/refresh:")
        return None
    SENT.set(found)
    return found


def sent_answer(found: SentPage, events: Mapping[int, str], now: datetime) -> None:
    """Say how many there are."""
    event = events.get(found.wanted.event_id, str(found.wanted.event_id)) if found.wanted.event_id is not None else None
    words = answer_words(found.total, event, only_active=found.wanted.only_active)
    st.markdown(f"{words}  \n:small[As of {moment(found.read_at, now=now)}, the newest first.]")


def sent_list(workspace: Workspace, found: SentPage, events: Mapping[int, str], now: datetime) -> str | None:
    """Draw the page and give back the id of the notification that is shown beside it."""
    if not found.page.items:
        _nothing(found.wanted)
        return st.query_params.get(NOTIFICATION_IN_URL)
    picked = record_table(
        sent_frame(found.page.items, events, now),
        {"sent": "When", "status": "Status", "title": "Title", "alert": "Public alert", "event": "Event", "by": "By"},
        key="notifications",
        id_column="id",
        picked_in=NOTIFICATION_IN_URL,
        noun=("notification", "notifications"),
        total=found.total,
        page_size=found.page_size,
        file=lambda _: sent_frame(sent.newest(workspace.client, found.wanted), events, now),
        stem="notifications",
    )
    if found.total > sent.MOST_IN_A_FILE:
        st.caption(f"A file holds the newest {sent.MOST_IN_A_FILE:,} of these.")
    return picked.one


def picked_notification(workspace: Workspace, found: SentPage, shown: str) -> Notification | None:
    """The notification to be shown: from the page, else looked for among the newest. Raises `ServiceError`."""
    on_page = next((each for each in found.page.items if str(each.id) == shown), None)
    number = id_in(shown)
    if on_page is not None or number is None:
        return on_page
    held = ELSEWHERE.get()
    if held is not None and held.number == number and held.is_fresh(datetime.now(UTC)):
        return held.notification
    with st.spinner("Looking for it among the newest notifications …"):
        looked = sent.find(workspace.client, number)
    ELSEWHERE.set(looked)
    return looked.notification


def _nothing(wanted: Wanted) -> None:
    if wanted.page_number > 1:
        st.info("The list does not go so far.", icon=":material/last_page:")
        st.button("Go to the first page", key="notifications.first_page", on_click=_first_page)
    elif wanted.only_active or wanted.event_id is not None:
        st.info("No notification matches these filters.", icon=":material/filter_alt_off:")
    else:
        st.info(
            "Nothing has been sent yet. A public alert that is sent, from here or elsewhere, shows up in this list.",
            icon=":material/outbox:",
        )
        link_to(PUBLIC_ALERT, "Write a public alert")


def _first_page() -> None:
    PAGE.set(1)


def _in_url(name: str, value: str | None) -> None:
    if value is None:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != value:
        st.query_params[name] = value
