"""The texts of journal entries on screens: actions, subjects, and outcomes."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from domain.tables import status
from domain.tables.status import Status
from domain.text.place_clock import on_clocks
from domain.text.plain_text import names
from domain.text.time_text import moment, span
from journal import Entry, EntryState

ACTIONS: Final[dict[str, str]] = {
    "itinerary.create": "Add a trip",
    "itinerary.update": "Edit a trip",
    "itinerary.cancel": "Cancel a trip",
    "itinerary.delete": "Delete a trip",
    "trip.import": "Import trips",
    "trip_cancel.import": "Cancel trips",
    "contact_filter.create": "Save a contact filter",
    "contact_filter.update": "Edit a contact filter",
    "contact_filter.delete": "Delete a contact filter",
    "dynamic_location.import": "Upload locations",
    "asset_add.import": "Add assets",
    "asset_change.import": "Edit assets",
    "asset_delete.import": "Delete assets",
    "lookup_mapping.create": "Create a lookup mapping",
    "lookup_mapping.update": "Edit a lookup mapping",
    "lookup_mapping.delete": "Delete a lookup mapping",
    "lookup_mapping_file.import": "Import lookup mappings",
    "lookup_mapping_undo.import": "Undo a mapping import",
    "roster.create": "Create a roster",
    "roster.rename": "Rename a roster",
    "roster.replace": "Replace a roster’s trips",
    "roster.extend": "Add trips to a roster",
    "roster.make_default": "Change the default roster",
    "roster.delete": "Delete a roster",
    "notification_event.create": "Create a notification event",
    "notification_category.create": "Create a notification category",
    "shape_library.upload": "Add a shape",
    "shape_library.delete": "Delete shapes",
    "task_list_template.set_up": "Set up the service’s task list template",
    "public_alert.send": "Send a public alert",
    "public_alert.request_approval": "Request approval of a public alert",
    "public_alert.approve": "Approve a public alert",
    "public_alert.decline": "Reject a public alert",
    "data.remove": "Remove old data",
}

ALERT: Final = "public_alert"
MOST_PLACES: Final = 12

SUBJECTS: Final[dict[str, str]] = {
    "itinerary": "trip",
    "trip": "file of trips",
    "trip_cancel": "list of trips to cancel",
    "contact_filter": "contact filter",
    "roster": "roster",
    "dynamic_location": "file of locations",
    "asset_add": "file of assets",
    "asset_change": "file of assets",
    "asset_delete": "file of assets",
    "lookup_mapping": "lookup mapping",
    "lookup_mapping_file": "file of lookup mappings",
    "lookup_mapping_undo": "undo of a mapping import",
    ALERT: "public alert",
    "shape_region": "region of the shape library",
    "task_list_template": "task list template",
    "notification_event": "notification event",
    "notification_category": "notification category",
    "retention": "data older than the retention period",
}


STATUSES: Final[dict[EntryState, Status]] = {
    "succeeded": status.SENT,
    "partly done": status.PARTLY_SENT,
    "refused": status.FAILED,
    "not sent": status.NOT_SENT,
    "unknown": status.UNKNOWN,
    "started": status.SENDING,
}
"""The status of a journal entry, by the state that the journal stores."""
MEANINGS: Final[dict[Status, str]] = {
    status.SENT: "The service accepted the change.",
    status.SAVED: "Muster saved the change.",
    status.PARTLY_SENT: "The service accepted some rows and rejected others. See each row.",
    status.FAILED: "The service rejected the change. Nothing was changed. Fix the cause and try again.",
    status.NOT_SENT: "The change did not reach the service. Nothing was changed. You can try again.",
    status.UNKNOWN: "The change may or may not have been made. Check before you try again.",
    status.SENDING: "Muster is waiting for the service’s response.",
    status.RESOLVED: "The status was Unknown. A later entry has the result.",
}
_IN_MUSTER: Final = "roster"
"""The kind of subject that is stored in Muster and not in the service."""


def describe_action(action: str) -> str:
    """Describe an action, such as "Add a trip". An action this version does not know is spelled out."""
    known = ACTIONS.get(action)
    if known is not None:
        return known
    words = action.replace(".", ": ").replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:] or "Unnamed action"


def describe_subject(entry: Entry) -> str:
    """Return the name of the subject of an entry, else its kind and ID."""
    if entry.subject_name:
        return entry.subject_name
    kind = SUBJECTS.get(entry.subject_kind, entry.subject_kind)
    return f"{kind} {entry.subject_id}" if entry.subject_id else f"a {kind}"


def format_entry_time(entry: Entry, user_zone: str | None, *, now: datetime | None = None) -> str:
    """Return when the change started: for an alert in the local time of its places, otherwise in UTC."""
    if entry.subject_kind != ALERT:
        return moment(entry.at, now=now)
    return on_clocks(entry.at, (entry.request or {}).get("clock"), user_zone=user_zone, now=now)


def list_places(entry: Entry) -> str:
    """Return the places of an alert as the entry names them; empty if it names none."""
    places = (entry.request or {}).get("places")
    return names([str(each) for each in places], at_most=MOST_PLACES) if isinstance(places, list) else ""


def entry_status(entry: Entry) -> Status:
    """Return the status of an entry; one that was unknown and has been checked is resolved."""
    if entry.state == "unknown" and entry.is_resolved:
        return status.RESOLVED
    if entry.state == "succeeded" and entry.subject_kind == _IN_MUSTER:
        return status.SAVED
    return STATUSES[entry.state]


def describe_duration(entry: Entry) -> str:
    """Say how long it took until the outcome."""
    if entry.finished_at is None:
        return "No end recorded"
    milliseconds = round((entry.finished_at - entry.at).total_seconds() * 1000)
    length = f"{milliseconds:,} ms" if milliseconds < 1000 else span(entry.finished_at - entry.at)
    return f"{'Stopped' if entry.state in {'unknown', 'not sent'} else 'Response'} after {length}"
