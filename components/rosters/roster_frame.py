"""Rosters, and what is understood of a roster file, as tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import pandas as pd

from components.rosters.roster_file import RosterTrips
from components.widgets.number_text import count
from components.widgets.time_text import ago
from journal import LearntEntry, RosterLoad, Traveller

LOAD_STATES = {
    "running": "Loading now",
    "done": "Loaded",
    "stopped": "Stopped",
    "failed": "Failed",
    "interrupted": "Cut off",
}


def load_words(load: RosterLoad | None, now: datetime) -> str:
    """Say when a roster was last put on the map and how that went."""
    if load is None:
        return "Never"
    words = f"{LOAD_STATES[load.state]} {ago(load.finished_at or load.started_at, now)}"
    missing = [
        f"{load.not_found:,} not found" if load.not_found else "",
        f"{load.failed:,} failed" if load.failed else "",
    ]
    return " · ".join([words, *filter(None, missing)])


def trips_frame(entries: Sequence[LearntEntry]) -> pd.DataFrame:
    """Make the list of a stored roster's trips: `locator`, `travellers`, `known` (what the last look-up gave)."""
    rows = [
        {
            "locator": entry.record_locator,
            "travellers": "; ".join(traveller.name or traveller.external_id for traveller in entry.travellers),
            "known": _known_words(entry),
        }
        for entry in entries
    ]
    return pd.DataFrame(rows, columns=["locator", "travellers", "known"])


def roster_download(entries: Sequence[LearntEntry]) -> pd.DataFrame:
    """Make the table to take away: one row a traveller a trip, with the headings that reading a roster knows."""
    rows = [
        (entry.record_locator, traveller.external_id, traveller.first_name, traveller.last_name)
        for entry in entries
        for traveller in (entry.travellers or [Traveller("")])
    ]
    return pd.DataFrame(rows, columns=["record_locator", "employee_id", "first_name", "last_name"])


def trips_words(trips: RosterTrips) -> str:
    """Say what was understood in one line: "214 trips · 260 travellers · 3 repeats left out"."""
    parts = [count(len(trips.entries), "trip", "trips")]
    if trips.traveller_count:
        parts.append(count(trips.traveller_count, "traveller", "travellers"))
    if trips.repeats:
        parts.append(count(trips.repeats, "repeat left out", "repeats left out"))
    return " · ".join(parts)


def _known_words(entry: LearntEntry) -> str:
    if entry.looked_up_at is None:
        return "Not looked up yet"
    return ", ".join(map(str, entry.itinerary_ids)) if entry.itinerary_ids else "Not found at the service"
