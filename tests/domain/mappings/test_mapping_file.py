"""Mappings from a file: the reading of a row, and its effect."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from client import TimedOut, UndecodableAnswer
from client.models.lookup_mappings import LookupMapping
from domain.file_import.checking import Check
from domain.file_import.row_sending import Batch
from domain.mappings.mapping_file import MAPPING_FILE, Plan, plan_rows
from journal import Item, ItemStatus

SALES = {"name": "department", "values": ["Sales", "Legal"]}
BERLIN = {"id": 88011, "name": "Berlin"}


def check_of(*rows: tuple[str, str, str]) -> Check:
    return Check.of_rows(
        MAPPING_FILE, "mappings", [dict(zip(("id", "attributes", "groups"), row, strict=True)) for row in rows]
    )


def build_mapping(mapping_id: str, *names: str) -> LookupMapping:
    attributes = [{"name": name, "values": ["a"]} for name in names] or [SALES]
    return LookupMapping.from_wire({"id": mapping_id, "attributes": attributes, "targetGroups": [BERLIN]})


@pytest.mark.parametrize(
    ("row", "plan"),
    [
        (("", "site = BER", "88011"), "created"),
        (("", "department = Legal | Sales", "88011 = Berlin"), "unchanged"),
        (("", "department = Legal | Sales", "88012"), "changed"),
        (("m1", "department = Sales | Legal", "88011 = Berlin"), "unchanged"),
        (("m1", "department = Sales | Legal", "88011 = Other name"), "changed"),
        (("m1", "site = BER", "88011"), "changed"),
        (("m1", "role = a", "88011"), "rejected"),
        (("gone", "site = BER", "88011"), "rejected"),
        (("", "twice = a", "88011"), "rejected"),
    ],
    ids=str,
)
def test_a_row_creates_changes_or_leaves_a_mapping(row: tuple[str, str, str], plan: Plan) -> None:
    mappings = [
        build_mapping("m1"),
        build_mapping("m2", "role"),
        build_mapping("m3", "twice"),
        build_mapping("m4", "twice"),
    ]
    assert plan_rows(mappings, check_of(row).ready.records()) == [plan]


@pytest.mark.parametrize(
    ("row", "column", "words"),
    [
        (("", "department", "88011"), "attributes", "needs a name, an equals sign, and a value"),
        (("", 'department = ""', "88011"), "attributes", "Enter at least one value. Values cannot be blank"),
        (("", "department = Sales", "Berlin"), "groups", "not a group ID"),
        (("", "", "88011"), "attributes", "A value is required."),
        (("", "department = Sales", ""), "groups", "A value is required."),
    ],
    ids=str,
)
def test_an_error_of_a_row_is_at_its_cell(row: tuple[str, str, str], column: str, words: str) -> None:
    messages = check_of(row).cell_messages(0)
    assert list(messages) == [column]
    assert words in messages[column][0][0]


def test_two_rows_of_one_mapping_are_not_both_sent() -> None:
    check = check_of(
        ("", "a = 1; b = 2", "88011"),
        ("", "b = 2; a = 1", "88012"),
        ("m1", "c = 1", "88011"),
        ("m1", "d = 1", "88011"),
        ("", "e = 1", "88011"),
    )
    assert check.is_ready.tolist() == [True, False, True, False, True]
    [first], [second] = check.cell_messages(1)["attributes"], check.cell_messages(3)["id"]
    assert (first[0].split()[-1], second[0].split()[-1]) == ("1.", "3.")


@pytest.mark.parametrize("error", [TimedOut("No answer."), UndecodableAnswer("No JSON.")], ids=["late", "unreadable"])
@pytest.mark.parametrize("lookup", ["retrieve", "search"])
def test_a_row_waits_if_the_lookup_before_sending_fails(error: Exception, lookup: str) -> None:
    lookups = {"retrieve": Mock(return_value=build_mapping("m1")), "search": Mock(return_value=[])} | {
        lookup: Mock(side_effect=error)
    }
    client: Any = SimpleNamespace(lookup_mappings=SimpleNamespace(**lookups))
    [new] = check_of(("m1", "site = BER", "88011")).build_items()
    item = Item(0, "", new.label, json.dumps(new.payload), "[]", ItemStatus("waiting"))
    assert MAPPING_FILE.sending is not None
    assert MAPPING_FILE.sending.send(client, Batch([item])) == [ItemStatus("waiting")]


def test_rows_are_looked_up_together_and_each_new_mapping_is_one_call() -> None:
    created = build_mapping("new")
    api = Mock(search=Mock(return_value=[build_mapping("m1")]), create=Mock(return_value=created), update=Mock())
    rows = [("", f"department = D{number}", "88011 = Berlin") for number in range(20)]
    rows += [("", "department = Sales | Legal", "88011 = Berlin"), ("", "site = BER", "88011")]
    items = [
        Item(position, "", new.label, json.dumps(new.payload), "[]", ItemStatus("waiting"))
        for position, new in enumerate(check_of(*rows).build_items())
    ]
    client: Any = SimpleNamespace(lookup_mappings=api)
    assert MAPPING_FILE.sending is not None
    statuses = MAPPING_FILE.sending.send(client, Batch(items))
    assert [status.result_id for status in statuses] == [*["new"] * 20, "m1", "new"]
    departments = [*(f"D{number}" for number in range(20)), "Sales"]
    assert [call.kwargs["attributes"] for call in api.search.call_args_list] == [
        {"department": departments},
        {"site": ["BER"]},
    ]
    assert (api.create.call_count, api.update.call_count) == (21, 0)
