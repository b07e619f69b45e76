"""Journal entries as tables: one to look at, one to take away."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import pandas as pd

from components.journal.words import OUTCOMES, action_words, outcome_chip, subject_words
from components.widgets.paging import Column
from components.widgets.time_text import moment
from journal import Actor, Entry, EntryFilters, Journal

COLUMNS: Final = {
    "outcome": Column("Outcome", colours={outcome_chip(state): outcome.colour for state, outcome in OUTCOMES.items()}),
    "when": Column("When"),
    "what": Column("What"),
    "subject": Column("Which"),
    "who": Column("Who"),
}
DOWNLOAD_LIMIT: Final = 20_000
SHOWN_LIMIT: Final = 60_000


def shown_frame(entries: Sequence[Entry], now: datetime) -> pd.DataFrame:
    """Make the table on the screen: `id` (text), `outcome` (a chip), `when`, `who`, `what`, `subject`."""
    rows = [
        {
            "id": str(entry.id),
            "outcome": outcome_chip(entry.state),
            "when": moment(entry.at, now=now),
            "who": entry.actor.username,
            "what": action_words(entry.action),
            "subject": subject_words(entry),
        }
        for entry in entries
    ]
    return pd.DataFrame(rows, columns=["id", "outcome", "when", "who", "what", "subject"])


def download_frame(entries: Sequence[Entry]) -> pd.DataFrame:
    """Make the table to take away: one row an entry, times as times in UTC, ids as text, payloads as JSON text."""
    columns: dict[str, list[Any]] = {
        "Entry id": [str(entry.id) for entry in entries],
        "At (UTC)": [entry.at for entry in entries],
        "Finished at (UTC)": [entry.finished_at for entry in entries],
        "Who": [entry.actor.username for entry in entries],
        "Organization id": [str(entry.actor.organization_id) for entry in entries],
        "Service": [entry.actor.service for entry in entries],
        "Action": [action_words(entry.action) for entry in entries],
        "Subject": [subject_words(entry) for entry in entries],
        "Subject id": [entry.subject_id for entry in entries],
        "Outcome": [OUTCOMES[entry.state].word for entry in entries],
        "Message": [entry.message for entry in entries],
        "Sent": [None if entry.request is None else json_text(entry.request, indent=None) for entry in entries],
        "Came back": [None if entry.answer is None else json_text(entry.answer, indent=None) for entry in entries],
    }
    return pd.DataFrame(columns, dtype=object)


def downloaded_entries(journal: Journal, actor: Actor, filters: EntryFilters) -> pd.DataFrame:
    """Read the newest entries of the actor's organization that the filters let through, as a table to take away."""
    scope = (actor.service, actor.organization_id)
    return download_frame(journal.audit.list(*scope, filters=filters, page_size=DOWNLOAD_LIMIT))


def json_text(payload: Mapping[str, Any], *, indent: int | None = 2) -> str:
    """Write a payload as JSON to read and to copy; letters stay letters wherever UTF-8 can carry them."""
    text = json.dumps(payload, ensure_ascii=False, indent=indent)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(payload, indent=indent)
    return text


def shown_json(payload: Mapping[str, Any]) -> tuple[str, bool]:
    """Write a payload for the screen, and tell whether its end had to be left out."""
    text = json_text(payload)
    return (text, False) if len(text) <= SHOWN_LIMIT else (f"{text[:SHOWN_LIMIT]}\n…", True)
