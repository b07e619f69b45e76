"""Events and categories as a table and in sentences."""

from __future__ import annotations

from datetime import datetime

import pandas as pd

from components.notifications.named_records import Filing, NamedRecords
from components.widgets.number_text import count
from components.widgets.time_text import moment

NAMELESS = "Without a name"
NOT_TOLD = "Not told"
COLUMNS = ["id", "name", "uses", "created", "by", "created_at"]


def named_record_frame(known: NamedRecords, now: datetime, *, search: str = "") -> pd.DataFrame:
    """Make the list: `id` (text), `name`, `uses` (None where not known), `created`, `by`; by name, nameless last.

    `created_at` is the time that `created` says.
    """
    wanted = search.strip().casefold()
    rows = [
        {
            "id": "" if record.id is None else str(record.id),
            "name": record.name or NAMELESS,
            "uses": known.uses.of(record.id),
            "created": moment(record.created_date, now=now) if record.created_date else NOT_TOLD,
            "by": record.created_name or NOT_TOLD,
            "created_at": record.created_date,
        }
        for record in sorted(known.records, key=lambda each: (each.name is None, (each.name or "").casefold()))
        if wanted in (record.name or "").casefold() or (wanted and wanted == str(record.id))
    ]
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.astype({"uses": "Int64"})


def answer_words(known: NamedRecords, filing: Filing) -> str:
    """Say how many there are, and how much is filed under them."""
    parts = [count(len(known.records), filing.noun, filing.nouns)]
    if known.untold:
        parts.append(f"{known.untold:,} more that the service does not show")
    if known.uses.error is None:
        filed = sum(known.uses.counts.values())
        of_newest = known.uses.of_newest
        newest = f" of the newest {of_newest:,}" if of_newest is not None else ""
        parts.append(f"{count(filed, 'notification', 'notifications')}{newest} filed under them")
    return " · ".join(parts)


def uses_words(known: NamedRecords, record_id: int | None) -> str:
    """Say how many notifications are filed under one."""
    uses = known.uses.of(record_id)
    if uses is None:
        return "How many notifications are filed under it is not known."
    newest = f" of the newest {known.uses.of_newest:,}" if known.uses.of_newest is not None else ""
    if not uses:
        return f"No notification{newest} is filed under it."
    return f"{count(uses, 'notification', 'notifications')}{newest} {'is' if uses == 1 else 'are'} filed under it."
