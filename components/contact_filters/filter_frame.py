"""The organization's contact filters as a table: what the list tells of each, found by name, put in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import pandas as pd

from client.models.contact_filters import ContactFilter
from components.contact_filters.comparison import changed_at, name_of
from components.widgets.number_text import count
from components.widgets.paging import in_order
from components.widgets.time_text import moment

COLUMNS: Final = ("key", "name", "rules", "changed", "by", "id")
NOT_TOLD: Final = "not told"
BY_NAME: Final = "name:"
_BY_PLACE: Final = "row:"


def key_of(contact_filter: ContactFilter, position: int = 0) -> str:
    """What a filter of the list is known by: its id, else its name, else only its place in the list."""
    if contact_filter.id:
        return str(contact_filter.id)
    name = name_of(contact_filter)
    return f"{BY_NAME}{name}" if name else f"{_BY_PLACE}{position}"


def by_key(filters: Iterable[ContactFilter]) -> dict[str, ContactFilter]:
    """The filters of the list by what they are known by; of two alike the first."""
    found: dict[str, ContactFilter] = {}
    for position, each in enumerate(filters):
        found.setdefault(key_of(each, position), each)
    return found


def rule_count(contact_filter: ContactFilter) -> int | None:
    """How many rules it has; None where the record does not tell."""
    # ASSUMPTION A83: a filter has at least one rule, so a record of the list with none of them leaves them out.
    return len(contact_filter.rules) or None


def changed_by(contact_filter: ContactFilter) -> str | None:
    """Who changed it last; the number of the user where only that is told."""
    if contact_filter.last_modified_name:
        return contact_filter.last_modified_name
    return f"user {contact_filter.last_modified_id}" if contact_filter.last_modified_id else None


def last_change(stored: ContactFilter, now: datetime | None = None) -> str:
    """Say who changed a filter last and when, as far as it is told."""
    at, by = changed_at(stored), changed_by(stored)
    if at is None and by is None:
        return f"who changed it last, and when, is {NOT_TOLD}"
    when = f" on {moment(at, now=now)}" if at is not None else f", when is {NOT_TOLD}"
    return f"last changed by {by or 'somebody'}{when}"


def filter_frame(filters: Iterable[ContactFilter]) -> pd.DataFrame:
    """Make the table, by name: `key`, `name`, `rules` (a number), `changed` (aware UTC), `by`, `id` (text).

    What a record does not tell is missing in it, and never 0 or 1970.
    """
    rows = by_key(filters)
    table = pd.DataFrame(
        {
            "key": pd.Series(list(rows), dtype=object),
            "name": pd.Series([name_of(each) or None for each in rows.values()], dtype=object),
            "rules": pd.Series([rule_count(each) for each in rows.values()], dtype="Int64"),
            "changed": pd.to_datetime(pd.Series([changed_at(each) for each in rows.values()], dtype=object), utc=True),
            "by": pd.Series([changed_by(each) for each in rows.values()], dtype=object),
            "id": pd.Series([str(each.id) if each.id else None for each in rows.values()], dtype=object),
        },
        columns=list(COLUMNS),
    )
    return in_order(table, table["name"], False)


def answer(table: pd.DataFrame, now: datetime) -> str:
    """Say in one line how many there are, and what was changed last."""
    said = count(len(table), "filter", "filters")
    dated = table.dropna(subset=["changed"])
    if dated.empty:
        return said
    latest = dated.sort_values("changed").iloc[-1]
    by = f" by {latest['by']}" if isinstance(latest["by"], str) else ""
    called = f" “{latest['name']}”" if isinstance(latest["name"], str) else ""
    return f"{said} · the latest change:{called}{by}, {moment(latest['changed'].to_pydatetime(), now=now)}"


def found(table: pd.DataFrame, text: str) -> pd.DataFrame:
    """The rows whose name holds every word of the text, without regard to case; an id finds its filter too."""
    words = text.casefold().split()
    if not words:
        return table
    names = [str(name).casefold() if isinstance(name, str) else "" for name in table["name"]]
    ids = [identity if isinstance(identity, str) else "" for identity in table["id"]]
    holds = [
        all(word in name for word in words) or text.strip() == identity
        for name, identity in zip(names, ids, strict=True)
    ]
    return table[pd.Series(holds, index=table.index, dtype=bool)]


def picked_keys(query: Mapping[str, Sequence[str]], table: pd.DataFrame) -> list[str]:
    """Which filters the address names, by `id` and by `name`; a name that one filter has stands for that one."""
    keys = [identity.strip() for identity in query.get("id", ()) if identity.strip()]
    for name in query.get("name", ()):
        named = list(table.loc[table["name"] == name.strip(), "key"]) if name.strip() else []
        if name.strip():
            keys.append(named[0] if len(named) == 1 else f"{BY_NAME}{name.strip()}")
    return list(dict.fromkeys(keys))


def query_for(keys: Iterable[str]) -> dict[str, list[str]]:
    """What the address says of the picked filters."""
    query: dict[str, list[str]] = {"id": [], "name": []}
    for key in keys:
        if key.startswith(BY_NAME):
            query["name"].append(key.removeprefix(BY_NAME))
        elif not key.startswith(_BY_PLACE):
            query["id"].append(key)
    return query


def downloaded(table: pd.DataFrame) -> pd.DataFrame:
    """The table to take away."""
    renamed: dict[str, Any] = {
        "id": "Id",
        "name": "Name",
        "rules": "Rules",
        "changed": "Last changed (UTC)",
        "by": "Changed by",
    }
    return table[list(renamed)].rename(columns=renamed)
