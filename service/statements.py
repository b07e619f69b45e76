"""SELECTs that are compiled once for a kind of database, and put to its driver without the engine.

The engine takes longer to put a read and to wrap its rows than SQLite takes to answer it. What is read, and in which
transaction, is the same; and where the driver finds the database busy or gone, that is raised as the engine raises it.
"""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from pydantic_core import from_json
from sqlalchemy import JSON, Column, ColumnElement, Connection, Dialect, Select, bindparam, func, null
from sqlalchemy.exc import OperationalError
from sqlalchemy.sql.compiler import SQLCompiler

Row: TypeAlias = Any
"""A row: a named tuple of its columns."""
_Reader: TypeAlias = Callable[[Sequence[Any]], Sequence[Any]]
"""Makes the values of a column out of what is stored in it, for all rows at once."""


class PreparedSelect:
    """A SELECT whose values are given by name, each time it is read."""

    def __init__(self, statement: Select[Any]) -> None:
        self._statement = statement
        self._as_row = _row_type(statement)
        self._compiled: dict[str, _Compiled] = {}

    def all(self, connection: Connection, values: Mapping[str, object]) -> list[Row]:
        """Every row."""
        dialect = connection.dialect
        compiled = self._compiled.get(dialect.name)
        if compiled is None:
            compiled = self._compiled[dialect.name] = _Compiled(self._statement, dialect)
        return [*map(self._as_row, compiled.rows(connection.connection.driver_connection, values))]

    def first(self, connection: Connection, values: Mapping[str, object]) -> Row | None:
        """The first row, None where there is none; for statements that have no more than one."""
        rows = self.all(connection, values)
        return rows[0] if rows else None

    def scalar(self, connection: Connection, values: Mapping[str, object]) -> Any:
        """The first column of the first row, None where there is none."""
        row = self.first(connection, values)
        return row[0] if row is not None else None


class PreparedPage:
    """A list cut into pages; `statement` says what is in it and in which order."""

    def __init__(self, statement: Select[Any]) -> None:
        self._rows = PreparedSelect(statement.limit(bindparam("page_size")).offset(bindparam("page_start")))
        counted = statement.order_by(None).with_only_columns(func.count(), maintain_column_froms=True)
        self._count = PreparedSelect(counted)

    def read(
        self, connection: Connection, values: Mapping[str, object], *, start: int, size: int
    ) -> tuple[list[Row], int]:
        """`size` rows from the position `start`, and how many there are in all."""
        rows = self._rows.all(connection, {**values, "page_start": start, "page_size": size})
        if len(rows) < size and (rows or start == 0):
            return rows, start + len(rows)
        return rows, int(self._count.scalar(connection, values))


def one_of(column: Column[Any], name: str, count: int) -> ColumnElement[bool]:
    """Whether a column has one of `count` values, which are given as `numbered(name, values)`."""
    if count == 0:
        return column.in_([null()])
    return column.in_([bindparam(f"{name}_{number}", type_=column.type) for number in range(count)])


def numbered(name: str, values: Iterable[object]) -> dict[str, object]:
    """Values for `one_of`, in the order given."""
    return {f"{name}_{number}": value for number, value in enumerate(values)}


class _Compiled:
    """A SELECT as a driver takes it."""

    def __init__(self, statement: Select[Any], dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        if not isinstance(compiled, SQLCompiler) or compiled.post_compile_params:
            raise TypeError("Only a SELECT whose text does not depend on its values can be prepared.")
        for bind in compiled.binds.values():
            if bind.type.dialect_impl(dialect).bind_processor(dialect) is not None:
                raise TypeError(f"The value {bind.key} is of a type that the driver does not take as it is.")
        self._text = compiled.string
        # None where the driver takes values by name.
        self._order = compiled.positiontup
        self._constants = {name: bind.value for name, bind in compiled.binds.items() if not bind.required}
        self._types = [column.type.dialect_impl(dialect) for column in statement.selected_columns]
        self._readers: list[tuple[int, _Reader]] | None = None
        self._dialect = dialect
        self._error = dialect.loaded_dbapi.OperationalError

    def rows(self, driver: Any, values: Mapping[str, object]) -> Iterable[Sequence[Any]]:
        """Every row, with its columns in order."""
        given = {**self._constants, **values}
        parameters = given if self._order is None else [given[name] for name in self._order]
        try:
            cursor = driver.execute(self._text, parameters)
            rows: Sequence[Sequence[Any]] = cursor.fetchall()
        except self._error as error:
            raise OperationalError(self._text, None, error) from error
        if self._readers is None:
            self._readers = self._readers_of(cursor)
        if not self._readers or not rows:
            return rows
        # By columns: three calls for each of them, where by rows it would be three for each value.
        columns: list[Sequence[Any]] = [*zip(*rows, strict=True)]
        for position, read in self._readers:
            columns[position] = read(columns[position])
        return zip(*columns, strict=True)

    def _readers_of(self, cursor: Any) -> list[tuple[int, _Reader]]:
        """What makes values out of the columns that the driver does not give as such: JSON and booleans of SQLite."""
        readers: list[tuple[int, _Reader]] = []
        for position, (kind, described) in enumerate(zip(self._types, cursor.description, strict=True)):
            read = kind.result_processor(self._dialect, described[1])
            if read is not None:
                readers.append((position, _json_column if isinstance(kind, JSON) else partial(_each, read)))
        return readers


def _row_type(statement: Select[Any]) -> Callable[[Iterable[Any]], Row]:
    row: Any = namedtuple("Row", statement.selected_columns.keys(), rename=True)  # type: ignore[misc]
    make: Callable[[Iterable[Any]], Row] = row._make
    return make


def _each(read: Callable[[Any], Any], stored: Sequence[Any]) -> Sequence[Any]:
    return [*map(read, stored)]


def _json_column(stored: Sequence[Any]) -> Sequence[Any]:
    try:
        return [*map(from_json, stored)]
    except (TypeError, ValueError):
        # SQLite takes a number in a column of JSON for what it is.
        return [stored_json(value) if isinstance(value, str) else value for value in stored]


def stored_json(text: str | bytes) -> Any:
    """What a JSON column holds, read by pydantic's parser: a third of the time of the standard one."""
    try:
        return from_json(text)
    except ValueError:
        # Half of a surrogate pair, which it takes for no text.
        return json.loads(text)
