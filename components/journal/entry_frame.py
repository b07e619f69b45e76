"""Journal entries as tables: one to look at, one to take away."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import pandas as pd

from components.journal.words import OUTCOMES, action_words, outcome_chip, subject_words
from components.widgets.json_text import json_text
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
