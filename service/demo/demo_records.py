"""The records of the demo organization besides trips. They are created once, so that deleted records stay deleted."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Connection

from service import named_values
from service.accounts.models import Caller
from service.demo import contact_filters, generator, mappings, messages, sites, task_lists, whereabouts

_Step = Callable[[Connection, Caller, date], None]

# The functions that create an area's records, and that move their dates to another day.
_AREAS: dict[str, tuple[_Step, _Step | None]] = {
    "contact filters": (contact_filters.ensure, None),
    "messages": (messages.ensure, messages.redate),
    "lookup mappings": (mappings.ensure, None),
    "sites": (sites.ensure, None),
    "crisis task lists": (task_lists.ensure, None),
    # After the sites, which it refers to.
    "whereabouts": (whereabouts.ensure, whereabouts.ensure),
}


PRINTED: dict[str, tuple[str, Callable[[], Sequence[Mapping[str, Any]]]]] = {
    "demo-roster": ("trips and travelers", generator.roster),
    "demo-assets": ("assets", sites.asset_rows),
    "demo-shapes": ("shape library", sites.region_rows),
    "demo-locations": ("locations for today", lambda: whereabouts.location_rows(datetime.now(UTC).date())),
}
"""What commands print, by name: a description and the rows."""


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as CSV, with the keys of the first row as header."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def desk_as_json() -> str:
    """Return the output of all commands as one JSON object: one CSV text per command."""
    return json.dumps({name: as_csv(rows()) for name, (_, rows) in PRINTED.items()})


def ensure_areas(connection: Connection, caller: Caller, today: date) -> None:
    """Create each area's records on the first day, and move their dates on later days."""
    for area, (make, redate) in _AREAS.items():
        name = f"demo {area}"
        done = named_values.read(connection, name)
        if done == str(today):
            continue
        if done is None:
            make(connection, caller, today)
        elif redate is not None:
            redate(connection, caller, today)
        named_values.store(connection, name, str(today))
