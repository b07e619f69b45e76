"""The texts of journal entries on screens: actions, subjects, and outcomes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from domain.text.place_clock import on_clocks
from domain.text.plain_text import names
from domain.text.time_text import moment, span
from journal import Entry, EntryState

ACTIONS: Final[dict[str, str]] = {
    "itinerary.create": "Add a trip",
    "itinerary.update": "Change a trip",
    "itinerary.cancel": "Cancel a trip",
    "itinerary.delete": "Delete a trip",
    "trip.import": "Import trips",
    "trip_cancel.import": "Cancel trips",
    "contact_filter.create": "Save a contact filter",
    "contact_filter.update": "Change a contact filter",
    "contact_filter.delete": "Delete a contact filter",
    "dynamic_location.import": "Upload locations",
    "asset_add.import": "Add assets",
    "asset_change.import": "Change assets",
    "asset_delete.import": "Delete assets",
    "lookup_mapping.create": "Create a lookup mapping",
    "lookup_mapping.update": "Change a lookup mapping",
    "lookup_mapping.delete": "Delete a lookup mapping",
    "lookup_mapping_file.import": "Save lookup mappings from a file",
    "lookup_mapping_undo.import": "Undo lookup mappings from a file",
    "roster.create": "Create a roster",
    "roster.rename": "Rename a roster",
    "roster.replace": "Replace a roster's trips",
    "roster.extend": "Add trips to a roster",
    "roster.make_default": "Change the default roster",
    "roster.delete": "Delete a roster",
    "notification_event.create": "Create a notification event",
    "notification_category.create": "Create a notification category",
    "shape_library.upload": "Add a shape",
    "shape_library.delete": "Delete shapes",
    "public_alert.send": "Send a public alert",
    "public_alert.hand_over": "Request approval of a public alert",
    "public_alert.approve": "Approve a public alert",
    "public_alert.decline": "Reject a public alert",
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
    "lookup_mapping_undo": "undo of lookup mappings from a file",
    ALERT: "public alert",
    "shape_region": "region of the shape library",
    "notification_event": "notification event",
    "notification_category": "notification category",
}


@dataclass(frozen=True)
class Outcome:
    """How an outcome is shown. `mark` is used in text without icons; `colour` is a color name of Streamlit."""

    word: str
    icon: str
    mark: str
    colour: str
    meaning: str


OUTCOMES: Final[dict[EntryState, Outcome]] = {
    "succeeded": Outcome("Succeeded", ":material/check_circle:", "✓", "green", "The change was made."),
    "partly done": Outcome(
        "Partly done", ":material/rule:", "◐", "yellow", "Some rows were done and others were not. See each row."
    ),
    "refused": Outcome(
        "Refused",
        ":material/block:",
        "✕",
        "red",
        "The change was refused. Nothing was changed. Correct the cause and try again.",
    ),
    "not sent": Outcome(
        "Not sent",
        ":material/cloud_off:",
        "○",
        "gray",
        "The request did not reach the service. Nothing was changed. It is safe to try again.",
    ),
    "unknown": Outcome(
        "Unknown",
        ":material/help:",
        "?",
        "orange",
        "The change may or may not have been made. Check the service before you try again.",
    ),
    "started": Outcome(
        "Under way", ":material/pending:", "…", "blue", "Muster is waiting for the response of the service."
    ),
}


RESOLVED: Final = Outcome(
    "Resolved", ":material/fact_check:", "✓", "gray", "The status was unknown. A later entry has the result."
)


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


def describe_outcome(entry: Entry) -> Outcome:
    """Return how the outcome of an entry is shown. An Unknown one that is settled is Resolved."""
    return RESOLVED if entry.state == "unknown" and entry.is_settled else OUTCOMES[entry.state]


def format_outcome(outcome: Outcome) -> str:
    """Write an outcome with its mark, where only text fits: "✓ Succeeded"."""
    return f"{outcome.mark} {outcome.word}"


def describe_duration(entry: Entry) -> str:
    """Say how long it took until the outcome."""
    if entry.finished_at is None:
        return "No end recorded"
    milliseconds = round((entry.finished_at - entry.at).total_seconds() * 1000)
    length = f"{milliseconds:,} ms" if milliseconds < 1000 else span(entry.finished_at - entry.at)
    return f"{'Stopped' if entry.state in {'unknown', 'not sent'} else 'Answered'} after {length}"
