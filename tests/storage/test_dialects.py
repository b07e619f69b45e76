"""Statements that are the same on both databases."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, UniqueConstraint, select

from storage.dialects import (
    VALUES_PER_STATEMENT,
    chunks,
    insert_if_absent,
    insert_many,
    rows_as_table,
    rows_with,
    upsert,
)
from storage.engines import open_engine, writer

people = Table(
    "people",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("age", Integer),
    UniqueConstraint("name"),
)


@pytest.fixture
def connection(empty_database: str) -> Iterator[Connection]:
    engine = open_engine(empty_database, busy_seconds=15, connections=1)
    with writer(engine).begin() as transaction:
        people.create(transaction)
        transaction.execute(people.insert().values(id=1, name="Ana", age=40))
        yield transaction
    engine.dispose()


def list_people(connection: Connection) -> list[tuple[object, ...]]:
    return [tuple(row) for row in connection.execute(select(people).order_by(people.c.id))]


def test_an_upsert_overwrites_the_row_with_the_same_key(connection: Connection) -> None:
    upsert(connection, people, [{"id": 1, "name": "Anna", "age": 41}, {"id": 2, "name": "Ben", "age": None}])
    assert list_people(connection) == [(1, "Anna", 41), (2, "Ben", None)]
    upsert(connection, people, [{"name": "Ben", "age": 7}], key=["name"])
    assert list_people(connection) == [(1, "Anna", 41), (2, "Ben", 7)]
    upsert(connection, people, [])
    assert len(list_people(connection)) == 2


def test_many_rows_are_inserted_and_updated_from_a_table_of_values(connection: Connection) -> None:
    rows = [(number, f"“{number}” \\ %s ? Łódź") for number in range(2, VALUES_PER_STATEMENT * 3)]
    insert_many(connection, [people.c.id, people.c.name], rows)
    assert list_people(connection)[1:] == [(*row, None) for row in rows]
    odd_name = json.dumps({"": "é\x00\ud800"})
    table = rows_as_table(connection, [people.c.id, people.c.name, people.c.age], [(1, odd_name, 7), (3, "C", None)])
    update = people.update().where(people.c.id == table.c.id).values(name=table.c.name, age=table.c.age)
    assert connection.execute(update).rowcount == 2
    assert list_people(connection)[:3] == [(1, odd_name, 7), (*rows[0], None), (3, "C", None)]
    insert_many(connection, [people.c.id, people.c.name], [])


def test_an_insert_if_absent_keeps_the_existing_row(connection: Connection) -> None:
    insert_if_absent(
        connection, people, [{"id": 1, "name": "Other"}, {"id": 3, "name": "Ana"}, {"id": 4, "name": "Eve"}]
    )
    assert list_people(connection) == [(1, "Ana", 40), (4, "Eve", None)]
    insert_if_absent(connection, people, [])


def test_more_values_than_a_statement_can_have_are_looked_up_in_batches(connection: Connection) -> None:
    ids = range(VALUES_PER_STATEMENT * 70)
    pieces = [*chunks(ids)]
    assert [value for piece in pieces for value in piece] == [*ids]
    assert connection.execute(select(people.c.name).where(people.c.id.in_(pieces[0]))).scalars().all() == ["Ana"]
    assert [*chunks([])] == []
    assert [row.id for row in rows_with(connection, select(people), people.c.id, ids)] == [1]
    assert rows_with(connection, select(people), people.c.id, []) == []
