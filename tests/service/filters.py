"""Payloads of contact filters for tests of the service, with values by the column table, and functions to send them."""

from __future__ import annotations

from itertools import count
from typing import Any

import httpx

from tests.running_service import RunningService
from tests.service.interface_document import Column

Payload = dict[str, Any]

ALL_OPERATORS = [
    "STARTWITH",
    "ENDWITH",
    "E",
    "NE",
    "LIKE",
    "NLIKE",
    "GT",
    "LT",
    "GTE",
    "LTE",
    "BETWEEN",
    "IN",
    "NIN",
    "ISNULL",
    "NOTNULL",
]
VALUES: dict[str, Any] = {"STRING": "Ana", "NUMBER": 7, "DATE": 1_767_225_600_000, "BOOLEAN": True}
LATER = 1_767_312_000_000
NEEDS_FIELD_ID = ("SYSTEM", "SYSTEM_OBJECT", "SYSTEM_ARRAY")

_numbers = count(1)


def value_for(column: Column, operator: str) -> Any:
    """Return a value of the form that the operator requires."""
    one = VALUES[column.data_type]
    if operator in ("ISNULL", "NOTNULL"):
        return None
    if column.name in ("expectedDate", "shiftDate"):
        return ["BETWEEN", VALUES["DATE"], LATER]
    if operator == "BETWEEN":
        return [one, LATER]
    return [one] if operator in ("IN", "NIN") else one


def rule_for(column: Column, operator: str, /, **changes: Any) -> Payload:
    """Return a rule over a column. None removes a field."""
    rule = {
        "type": column.rule_type,
        "dataType": column.data_type,
        "columnName": column.name,
        "embeddedColumnName": column.embedded,
        "operator": operator,
        "columnValue": value_for(column, operator),
        "contactFieldId": 214 if column.rule_type in NEEDS_FIELD_ID else None,
    } | changes
    return {key: value for key, value in rule.items() if value is not None}


def first_name(**changes: Any) -> Payload:
    """Return a rule over the first name."""
    return rule_for(Column("firstName", "STRING", "SYSTEM", ("E",), None), "E", **changes)


def custom(**changes: Any) -> Payload:
    """Return a rule over a custom attribute."""
    rule = {
        "type": "CUSTOM",
        "dataType": "STRING",
        "attributeId": 4001,
        "attributeValues": ["Site B"],
        "operator": "E",
    } | changes
    return {key: value for key, value in rule.items() if value is not None}


def body(*rules: Payload, **changes: Any) -> Payload:
    """Return a filter with these rules and a unique name."""
    wrapper = {"name": f"Filter {next(_numbers)}", "contactFilterRules": list(rules or [first_name()])} | changes
    return {key: value for key, value in wrapper.items() if value is not None}


def send(service: RunningService, *rules: Payload, **changes: Any) -> httpx.Response:
    """Create a filter."""
    return service.http.post("/contactFilters/8800", json=body(*rules, **changes))


def create_filter(service: RunningService, *rules: Payload, **changes: Any) -> int:
    """Create a filter. Returns its ID."""
    answer = send(service, *rules, **changes)
    assert answer.status_code == 200, answer.text
    return int(answer.json()["id"])


def read(service: RunningService, filter_id: int) -> Payload:
    """Read one filter."""
    answer = service.http.get(f"/contactFilters/8800/{filter_id}")
    assert answer.status_code == 200, answer.text
    found: Payload = answer.json()
    return found


def assert_field_refused(answer: httpx.Response, field: str) -> None:
    """Assert a 400 in the envelope `{status, message}` whose message names the field."""
    assert answer.status_code == 400, answer.text
    assert set(answer.json()) == {"status", "message"}
    assert answer.json()["status"] == 400
    assert answer.json()["message"].startswith(f"Field {field} is "), answer.json()["message"]
