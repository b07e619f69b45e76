"""The tables of docs/interface.md, read from the page, so that tests compare the service with its text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "interface.md"

Row = tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """The text under one heading. Its area is the heading of the second level above it."""

    name: str
    level: int
    area: str
    text: str

    def tables(self) -> list[tuple[Row, list[Row]]]:
        """Return the heading and the rows of each table."""
        found: list[tuple[Row, list[Row]]] = []
        for block in re.findall(r"(?:^\|.*\n?)+", self.text, re.MULTILINE):
            head, _, *rows = (tuple(cell.strip() for cell in line.strip("|").split("|")) for line in block.splitlines())
            found.append((head, rows))
        return found


@cache
def sections() -> dict[str, Section]:
    """Return every section by name, in the order of the page."""
    found: list[Section] = []
    area = ""
    for marks, name, text in re.findall(
        r"^(#+) (.+)\n((?:(?!#).*(?:\n|\Z))*)", _PAGE.read_text(encoding="utf-8"), re.MULTILINE
    ):
        area = name if len(marks) <= 2 else area
        found.append(Section(name, len(marks), area, text))
    assert len({section.name for section in found}) == len(found), "a section name is repeated"
    return {section.name: section for section in found}


def exact_words(cell: str) -> list[str]:
    """Return the literal values in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def fields(section: str) -> dict[str, Row]:
    """Return the rows of a section's field tables, by field."""
    return {
        name: row
        for head, rows in sections()[section].tables()
        if head[0] == "Field"
        for row in rows
        for name in exact_words(row[0])
    }


def _rows_by_area(*head: str) -> list[tuple[str, Row]]:
    return [
        (section.area, row)
        for section in sections().values()
        for found, rows in section.tables()
        if found[: len(head)] == head
        for row in rows
    ]


def endpoints() -> list[tuple[str, str]]:
    """Return area and `METHOD /path` of every endpoint."""
    return [(area, exact_words(row[0])[0]) for area, row in _rows_by_area("Endpoint", "Purpose")]


def errors() -> list[tuple[str, str, str]]:
    """Return area, status, and message of every error. For a body without a message, its fields, with commas."""
    return [(area, row[0], row[1].replace("`", "")) for area, row in _rows_by_area("Status", "Message")]


def limits() -> list[tuple[str, str]]:
    """Return name and value of every limit."""
    return [(row[0].replace("`", ""), row[1]) for _, row in _rows_by_area("Limit")]


@dataclass(frozen=True)
class Column:
    """One column in the rules of contact filters."""

    name: str
    data_type: str
    rule_type: str
    operators: tuple[str, ...]
    embedded: str | None


@cache
def columns() -> tuple[Column, ...]:
    """Return every column that a rule may name."""
    (_, rows), *_ = sections()["Filter columns"].tables()
    return tuple(
        Column(name, data_type, rule_type, tuple(exact_words(operators)), embedded.strip("`") or None)
        for names, of_type, of_rule, embedded, operators in rows
        for name in exact_words(names)
        for data_type, rule_type in [(of_type.strip("`"), of_rule.strip("`"))]
    )


@cache
def events_by_category() -> dict[str, tuple[str, ...]]:
    """Return the events of each category of public alerts."""
    ((_, rows),) = sections()["Events by category"].tables()
    return {exact_words(category)[0]: tuple(exact_words(events)) for category, events in rows}
