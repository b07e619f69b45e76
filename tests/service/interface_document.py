"""The tables of docs/interface.md, read out of the page itself, so that tests hold the service against its words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "interface.md"

Row = tuple[str, ...]


@lru_cache(maxsize=1)
def tables() -> dict[Row, list[Row]]:
    """Rows of every table by its head; of several with one head, all rows together."""
    found: dict[Row, list[Row]] = {}
    head: Row | None = None
    for line in _PAGE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            head = None
            continue
        cells = tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
        if head is None:
            head = cells
        elif not set("".join(cells)) <= set("-: "):
            found.setdefault(head, []).append(cells + ("",) * (len(head) - len(cells)))
    return found


@dataclass(frozen=True)
class Column:
    """One column of "Columns available"."""

    name: str
    data_type: str
    rule_type: str
    operators: tuple[str, ...]
    embedded: str | None


@lru_cache(maxsize=1)
def columns() -> tuple[Column, ...]:
    """Every column a rule may name."""
    rows = tables()[("columnName", "dataType", "type", "operators", "embeddedColumnName")]
    return tuple(
        Column(name, row[1], row[2], tuple(row[3].split(", ")), row[4] or None)
        for row in rows
        for name in row[0].split(", ")
    )


@lru_cache(maxsize=1)
def events_by_category() -> dict[str, tuple[str, ...]]:
    """ "Events per category"."""
    return {row[0]: tuple(row[1].split("; ")) for row in tables()[("Category", "Events")]}


def fields(*, of: str) -> dict[str, Row]:
    """Rows of the field table that has a field of this name in its first column, by field."""
    for head, rows in tables().items():
        if head[0] == "Field" and any(row[0] == of for row in rows):
            return {name: row for row in rows for name in row[0].split(", ")}
    raise LookupError(of)
