"""What journal entries are called on screens: actions and outcomes in plain words."""

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
    "roster.create": "Make a roster",
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
    "public_alert.hand_over": "Hand over a public alert",
    "public_alert.approve": "Approve a public alert",
    "public_alert.decline": "Turn down a public alert",
}

ALERT: Final = "public_alert"
PLACES_NAMED: Final = 12

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
    """How an outcome is shown; `mark` stands where icons cannot, `colour` is one of Streamlit's names."""

    word: str
    icon: str
    mark: str
    colour: str
    meaning: str


OUTCOMES: Final[dict[EntryState, Outcome]] = {
    "succeeded": Outcome("Succeeded", ":material/check_circle:", "✓", "green", "It was done."),
    "partly done": Outcome(
        "Partly done", ":material/rule:", "◐", "yellow", "Some rows were done and others were not. See each row."
    ),
    "refused": Outcome(
        "Refused",
        ":material/block:",
        "✕",
        "red",
        "It was refused, and nothing was changed. Mend the cause and try again.",
    ),
    "not sent": Outcome(
        "Not sent",
        ":material/cloud_off:",
        "○",
        "gray",
        "It never reached the service. Nothing was changed; it is safe to try again.",
    ),
    "unknown": Outcome(
        "Unknown",
        ":material/help:",
        "?",
        "orange",
        "Nobody knows whether the service did it. Look before doing it again: doing it twice may leave two.",
    ),
    "started": Outcome(
        "Under way", ":material/pending:", "…", "blue", "Muster is waiting for the service's answer at this moment."
    ),
}


RESOLVED: Final = Outcome(
    "Resolved", ":material/fact_check:", "✓", "gray", "The status was unknown. A later entry has the result."
)


def action_words(action: str) -> str:
    """Say what was to be done, as "Add a trip"; an action this version does not know is spelled out."""
    known = ACTIONS.get(action)
    if known is not None:
        return known
    words = action.replace(".", ": ").replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:] or "Something"


def subject_words(entry: Entry) -> str:
    """Name what an entry is about: its name, else its kind and id."""
    if entry.subject_name:
        return entry.subject_name
    kind = SUBJECTS.get(entry.subject_kind, entry.subject_kind)
    return f"{kind} {entry.subject_id}" if entry.subject_id else f"a {kind}"


def when_words(entry: Entry, user_zone: str | None, *, now: datetime | None = None) -> str:
    """Return when the change started: for an alert in the local time of its places, otherwise in UTC."""
    if entry.subject_kind != ALERT:
        return moment(entry.at, now=now)
    return on_clocks(entry.at, (entry.request or {}).get("clock"), user_zone=user_zone, now=now)


def places_words(entry: Entry) -> str:
    """The places an alert goes to, as they were called when it was written down; "" where they are not told."""
    places = (entry.request or {}).get("places")
    return names([str(each) for each in places], at_most=PLACES_NAMED) if isinstance(places, list) else ""


def outcome_of(entry: Entry) -> Outcome:
    """How an entry's outcome is shown: one that was unknown and is known by now is resolved."""
    return RESOLVED if entry.state == "unknown" and entry.is_settled else OUTCOMES[entry.state]


def outcome_chip(outcome: Outcome) -> str:
    """Write an outcome with its mark, for places that hold text only: "✓ Succeeded"."""
    return f"{outcome.mark} {outcome.word}"


def ended_words(entry: Entry) -> str:
    """Say how long it took to come to the outcome."""
    if entry.finished_at is None:
        return "No end was written down"
    milliseconds = round((entry.finished_at - entry.at).total_seconds() * 1000)
    length = f"{milliseconds:,} ms" if milliseconds < 1000 else span(entry.finished_at - entry.at)
    return f"{'Given up' if entry.state in {'unknown', 'not sent'} else 'Answered'} after {length}"
