"""The notifications that were sent: narrowed by the service's own filters, a page at a time, one beside the list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Final

import streamlit as st

from client.paging import Page
from client.vocabulary.limits import NOTIFICATION_PAGE_SIZE
from components.notifications.sent_detail import sent_detail
from components.notifications.sent_frame import alert_words, answer_words, event_words, status_words, title_of
from components.public_alerts.filing_names import EVENTS, FilingNames, filing_names
from components.records.declared import Asked, ByPage, Found, New, Records, text, times
from components.records.narrowing import Choice, Switch
from components.shell.address import flag_field, optional_field
from components.shell.navigation import go_to
from components.shell.screens import PUBLIC_ALERT
from components.widgets.ids import NOT_AN_ID, id_in, quoted_id
from components.widgets.markdown_text import plain

if TYPE_CHECKING:
    from client.models.notifications import Notification
    from components.shell.workspace import Workspace

SHOWN_FOR: Final = timedelta(seconds=30)
"""How long a page is shown without asking again; what is being sent changes by itself."""
LOOKED_THROUGH: Final = 30
"""Pages that are gone through for one notification: the interface reads none by its id."""
MOST_IN_A_FILE: Final = 1_000
"""How many a file to take away holds: they are read ten at a time while somebody waits."""
PATIENCE: Final = 3.0
"""Seconds the list waits for the names of events and categories; after that, ids stand in their place."""

EVENT: Final = optional_field("event")
ACTIVE: Final = flag_field("active")


@dataclass(frozen=True)
class Sent:
    """A notification, and the names of what it is filed under as far as they are known."""

    notification: Notification
    names: FilingNames


def read_page(workspace: Workspace, asked: Asked) -> Page[Sent]:
    """Read a page. Raises `ServiceError`."""
    page = workspace.client.notifications.list(
        notification_event_id=id_in(asked[EVENT] or ""),
        only_active=True if asked[ACTIVE] else None,
        page_number=asked.number,
    )
    names = filing_names(workspace)
    items = [Sent(each, names) for each in page.items]
    return Page(items, page.number, page.page_size, page.total_count, page.total_pages, page.has_next)


def find(workspace: Workspace, notification_id: str) -> Sent | None:
    """Look for one among the newest. Raises `ServiceError`."""
    pages = workspace.client.notifications.list().pages()
    newest = (each for page in islice(pages, LOOKED_THROUGH) for each in page.items)
    found = next((each for each in newest if str(each.id) == notification_id), None)
    return None if found is None else Sent(found, filing_names(workspace))


def _answer(workspace: Workspace, found: Found[Sent]) -> str:
    event = id_in(found.asked[EVENT] or "")
    name = None if event is None else event_words(event, filing_names(workspace).names(EVENTS))
    return answer_words(found.total, name, only_active=found.asked[ACTIVE])


def _above(_: Workspace, found: Found[Sent]) -> None:
    given = found.asked[EVENT]
    if given is not None and id_in(given) is None:
        st.warning(f"{plain(quoted_id(given))} is not the id of an event. {NOT_AN_ID}", icon=":material/help:")


def _event_names(workspace: Workspace) -> dict[str, str]:
    names = filing_names(workspace, patience=PATIENCE).names(EVENTS)
    return {str(number): name for number, name in names.items()}


SENT: Final = Records(
    key="notifications",
    title="Sent notifications",
    noun=("notification", "notifications"),
    read=ByPage(read_page, sizes=(NOTIFICATION_PAGE_SIZE,), good_for=SHOWN_FOR, most_in_file=MOST_IN_A_FILE),
    identity=lambda sent: "" if sent.notification.id is None else str(sent.notification.id),
    name=lambda sent: title_of(sent.notification),
    columns={
        "sent": times("When", lambda sent: sent.notification.created_date),
        "status": text("Status", lambda sent: status_words(sent.notification)),
        "title": text("Title", lambda sent: title_of(sent.notification)),
        "alert": text("Public alert", lambda sent: alert_words(sent.notification.public_alert)),
        "event": text(
            "Event", lambda sent: event_words(sent.notification.notification_event_id, sent.names.names(EVENTS))
        ),
        "by": text("By", lambda sent: sent.notification.created_name),
        "id": text("Id", lambda sent: str(sent.notification.id or "")).in_files_only(),
    },
    placeholder="Not told",
    picked_in="notification",
    detail=lambda workspace, sent: sent_detail(workspace, sent.notification, sent.names),
    retrieve=find,
    missing="The service tells no notification {id} among its newest. It may be older, or of another organization.",
    pick="Pick a notification to read it, to send another like it, or to correct it.",
    filters=(
        Choice(EVENT, "Filed under the event", _event_names, when_none="All events", unknown="Event {}", width=280),
        Switch(ACTIVE, "Being sent now"),
    ),
    answer=_answer,
    above=_above,
    new=New("Write a public alert", open=lambda _: go_to(PUBLIC_ALERT), primary=False),
    empty="Nothing has been sent yet. A public alert that is sent, from here or elsewhere, shows up in this list.",
)
