"""Contact filters: the six operations, the field table, and every rule over the column table of the document."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contract.covering import covers
from tests.running_service import RunningService
from tests.service.filters import (
    ALL_OPERATORS,
    LATER,
    NEEDS_FIELD_ID,
    VALUES,
    assert_field_refused,
    body,
    create_filter,
    custom,
    first_name,
    read,
    rule_for,
    send,
    value_for,
)
from tests.service.interface_document import Column, columns, exact_words, fields

RULE = "contactFilterRules[0]"
WRONG_VALUES: dict[str, Any] = {"STRING": True, "NUMBER": "7", "DATE": "2026-01-01", "BOOLEAN": "yes"}
few_examples = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.fixture(scope="module")
def service() -> Iterator[RunningService]:
    """One service for all tests of this module. Each test creates filters with new names."""
    with RunningService() as service:
        yield service


def find_column(name: str) -> Column:
    return next(column for column in columns() if column.name == name)


# Endpoints, Contact filters


def test_create_returns_a_modification_result(service: RunningService) -> None:
    """POST `/contactFilters/{organizationId}`: modification result (Modification result)."""
    answer = service.http.post("/contactFilters/8800", json=body()).json()
    base = f"{service.url}/rest/contactFilters/8800/"
    assert answer == {
        "message": "OK",
        "id": answer["id"],
        "baseUri": base,
        "instanceUri": f"{base}{answer['id']}",
    }
    assert service.http.get(answer["instanceUri"]).json()["id"] == answer["id"]


def test_a_record_has_exactly_the_fields_of_the_table(service: RunningService) -> None:
    """Contact filter: field table; the service fills read-only fields."""
    found = read(service, create_filter(service))
    assert set(found) == set(fields("Contact filter"))
    assert found["contactFilterType"] == "ContactRule"
    assert found["status"] == "A"
    assert found["organizationId"] == 8800
    assert found["createdName"] == found["lastModifiedName"] == "Ana Silva"
    assert found["dirty"] is False
    times = ["createdDate", "lastModifiedDate", "lastModifiedTime", "lastSynchronizedTime"]
    assert all(len(str(found[name])) == 13 for name in times)
    longs = ["id", "createdId", "lastModifiedId", "accountId", "resourceBundleId", "organizationId", *times]
    assert all(type(found[name]) is int for name in longs)


def test_read_only_fields_are_ignored(service: RunningService) -> None:
    """Contact filter: `Read only` column; Contact filter rule: `id`."""
    claimed = {"id": 99, "status": "X", "createdName": "Somebody", "organizationId": 1, "dirty": True, "createdDate": 1}
    found = read(service, create_filter(service, first_name(id=77), **claimed))
    assert not claimed.items() & found.items()
    assert found["contactFilterRules"][0]["id"] != 77


def test_rules_are_returned_as_sent_and_in_order(service: RunningService) -> None:
    """Contact filter rule: fields, and the option filled from the operator."""
    rules = [first_name(), custom(), rule_for(find_column("shiftDate"), "BETWEEN", columnValue=["NOW", None, None])]
    found = read(service, create_filter(service, *rules))["contactFilterRules"]
    assert [{key: value for key, value in rule.items() if key != "id"} for rule in found] == [
        rule | {"contactFilterOption": rule["operator"]} for rule in rules
    ]
    assert len({rule["id"] for rule in found}) == 3


def test_filters_are_listed_in_pages_of_100(service: RunningService) -> None:
    """GET `/contactFilters/{organizationId}`: `pageNumber` default 1, the envelope, no next page on the last."""
    with RunningService() as other:
        ids = [create_filter(other) for _ in range(101)]
        first = other.http.get("/contactFilters/8800").json()
        last = other.http.get("/contactFilters/8800", params={"pageNumber": 2}).json()
        beyond = other.http.get("/contactFilters/8800?pageNumber=3").json()
        uri = f"{other.url}/rest/contactFilters/8800?pageNumber="
        assert other.http.get(first["nextPageUri"]).json() == last
    counts = {"totalCount": 101, "totalPageCount": 2, "pageSize": 100}
    assert set(first) == {"message", "firstPageUri", "nextPageUri", "lastPageUri", "page"}
    assert set(first["page"]) == {"pageSize", "start", "data", "totalCount", "totalPageCount", "currentPageNo"}
    assert (first["firstPageUri"], first["nextPageUri"], first["lastPageUri"]) == (f"{uri}1", f"{uri}2", f"{uri}2")
    assert counts.items() <= first["page"].items()
    assert (first["page"]["start"], last["page"]["start"]) == (0, 100)
    assert (first["page"]["currentPageNo"], last["page"]["currentPageNo"]) == (1, 2)
    assert "nextPageUri" not in last
    assert [item["id"] for item in first["page"]["data"] + last["page"]["data"]] == ids
    assert beyond["page"]["data"] == []


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", "99999999999999999999"])
def test_an_invalid_page_number_is_refused(service: RunningService, number: str) -> None:
    """GET list: `pageNumber` int."""
    assert service.http.get("/contactFilters/8800", params={"pageNumber": number}).status_code == 400


def test_listed_records_are_complete(service: RunningService) -> None:
    """GET list: `data` is an array of contact filter."""
    filter_id = create_filter(service)
    listed = service.http.get("/contactFilters/8800").json()["page"]["data"]
    assert next(item for item in listed if item["id"] == filter_id) == read(service, filter_id)


@pytest.mark.parametrize("name", ["Plain", "With / slash", "Ünïcode 東京 100%", "a?b#c&d=e", "4711", "  spaced  "])
def test_a_filter_is_retrieved_by_id_or_by_name(service: RunningService, name: str) -> None:
    """GET `/contactFilters/{organizationId}/{queryValue}`: `queryType` selects ID or name; the default is ID."""
    filter_id = create_filter(service, name=name)
    by_id = service.http.get(f"/contactFilters/8800/{filter_id}")
    assert by_id.json() == service.http.get(f"/contactFilters/8800/{filter_id}?queryType=id").json()
    for query_type in ("name", "contactFilter.Name", "NAME"):
        path = f"/contactFilters/8800/{quote(name, safe='')}"
        assert service.http.get(path, params={"queryType": query_type}).json() == by_id.json()
    assert by_id.json()["name"] == name.strip()


def test_the_query_type_decides_whether_a_number_is_an_id_or_a_name(service: RunningService) -> None:
    """GET one: a filter whose name is the ID of another filter."""
    first = create_filter(service)
    second = create_filter(service, name=str(first))
    assert service.http.get(f"/contactFilters/8800/{first}").json()["id"] == first
    assert service.http.get(f"/contactFilters/8800/{first}?queryType=name").json()["id"] == second


def test_an_unknown_query_type_is_refused(service: RunningService) -> None:
    """GET one: `queryType`."""
    answer = service.http.get(f"/contactFilters/8800/{create_filter(service)}?queryType=tag")
    assert (answer.status_code, answer.json()["status"]) == (400, 400)


def test_post_to_a_filter_reads_it(service: RunningService) -> None:
    """POST `/contactFilters/{organizationId}/{contactFilterId}` retrieves a filter, with or without a body."""
    filter_id = create_filter(service)
    whole = read(service, filter_id)
    assert service.http.post(f"/contactFilters/8800/{filter_id}").json() == whole
    assert service.http.post(f"/contactFilters/8800/{filter_id}", json={"name": "x"}).json() == whole
    assert read(service, filter_id) == whole


def test_put_replaces_name_and_rules(service: RunningService) -> None:
    """PUT `/contactFilters/{organizationId}/{contactFilterId}`: body as for create; modification result."""
    filter_id = create_filter(service, first_name(), custom())
    before = read(service, filter_id)
    change = body(rule_for(find_column("groups"), "IN"))
    answer = service.http.put(f"/contactFilters/8800/{filter_id}", json=change)
    assert (answer.status_code, answer.json()["id"], answer.json()["message"]) == (200, filter_id, "OK")
    after = read(service, filter_id)
    assert after["name"] == change["name"]
    assert [rule["columnName"] for rule in after["contactFilterRules"]] == ["groups"]
    assert after["createdDate"] == before["createdDate"]
    assert after["lastModifiedDate"] >= before["lastModifiedDate"]


def test_a_retrieved_record_can_be_written_back(service: RunningService) -> None:
    """PUT takes a complete record with its read-only fields and keeps its name."""
    filter_id = create_filter(service)
    whole = read(service, filter_id)
    assert service.http.put(f"/contactFilters/8800/{filter_id}", json=whole).status_code == 200
    assert read(service, filter_id)["name"] == whole["name"]


def test_a_refused_put_changes_nothing(service: RunningService) -> None:
    """PUT: the rules of create apply."""
    filter_id = create_filter(service)
    whole = read(service, filter_id)
    answer = service.http.put(f"/contactFilters/8800/{filter_id}", json=body(first_name(operator="IN")))
    assert_field_refused(answer, f"{RULE}.operator")
    assert read(service, filter_id) == whole


@pytest.mark.parametrize("by_name", [False, True])
def test_a_filter_is_deleted_by_id_or_name(service: RunningService, by_name: bool) -> None:
    """DELETE `/contactFilters/{organizationId}/{contactFilterId}` (id or name); deleted records are invisible."""
    name = f"To be deleted / {by_name}"
    filter_id = create_filter(service, name=name)
    path = f"/contactFilters/8800/{quote(name, safe='') if by_name else filter_id}"
    answer = service.http.delete(path)
    assert (answer.status_code, answer.json()["id"]) == (200, filter_id)
    assert service.http.get(f"/contactFilters/8800/{filter_id}").status_code == 404
    assert filter_id not in [item["id"] for item in service.http.get("/contactFilters/8800").json()["page"]["data"]]
    assert service.http.delete(path).status_code == 404
    assert create_filter(service, name=name) != filter_id


def test_deleting_an_id_twice_does_not_delete_a_filter_with_that_name(service: RunningService) -> None:
    """DELETE: a number is an ID even if a filter has it as its name."""
    deleted_id = create_filter(service)
    bystander = create_filter(service, name=str(deleted_id))
    assert service.http.delete(f"/contactFilters/8800/{deleted_id}").status_code == 200
    assert service.http.delete(f"/contactFilters/8800/{deleted_id}").status_code == 404
    assert read(service, bystander)["name"] == str(deleted_id)


@pytest.mark.parametrize("query_value", ["987654321", "nobody", "99999999999999999999", "%00", "a%2Fb"])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_a_missing_filter_is_404(service: RunningService, method: str, query_value: str) -> None:
    """Errors of contact filters are not shown: 404 in the general envelope."""
    answer = service.http.request(
        method, f"/contactFilters/8800/{query_value}", json=body() if method == "PUT" else None
    )
    assert answer.status_code == 404
    assert set(answer.json()) == {"status", "message"}


def test_filters_of_another_organization_are_not_accessible(service: RunningService) -> None:
    """Authentication, and the organization in every path."""
    answer = service.http.get("/contactFilters/9900")
    assert (answer.status_code, answer.json()["message"][:8]) == (401, "Org 9900")


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ""), ("POST", ""), ("GET", "/1"), ("POST", "/1"), ("PUT", "/1"), ("DELETE", "/1")],
)
def test_every_operation_requires_credentials(service: RunningService, method: str, path: str) -> None:
    """Authentication: Basic credentials."""
    answer = service.http.request(method, f"/contactFilters/8800{path}", json=body(), auth=("ana", "wrong"))
    assert (answer.status_code, answer.json()["message"]) == (401, "Invalid credentials: Get User failed")


# Contact filter: the field table


@pytest.mark.parametrize("name", [None, "", "   "])
def test_a_name_is_required(service: RunningService, name: str | None) -> None:
    """`name`: required."""
    assert_field_refused(send(service, name=name), "name")


@covers("Limits: Name of a contact filter")
def test_a_name_has_at_most_100_characters(service: RunningService) -> None:
    """`name`: string (100)."""
    name = "🧭" * 100
    assert read(service, create_filter(service, name=name))["name"] == name
    assert_field_refused(send(service, name=name + "x"), "name")


def test_a_name_is_unique(service: RunningService) -> None:
    """Names of active filters of an organization, case-sensitive; a PUT may keep its own."""
    first = create_filter(service, name="Unique")
    again = send(service, name="Unique")
    assert (again.status_code, "already exists" in again.json()["message"]) == (409, True)
    second = create_filter(service, name="unique")
    clash = service.http.put(f"/contactFilters/8800/{second}", json=body(name="Unique"))
    assert (clash.status_code, "already exists" in clash.json()["message"]) == (409, True)
    assert service.http.put(f"/contactFilters/8800/{first}", json=body(name="Unique")).status_code == 200


def test_concurrent_requests_create_a_name_once(service: RunningService) -> None:
    """Concurrent writers."""
    wrapper = body(name="Raced for")
    with ThreadPoolExecutor(8) as threads:
        answers = list(
            threads.map(lambda _: service.http.post("/contactFilters/8800", json=wrapper).status_code, range(16))
        )
    assert sorted(answers) == [200] + [409] * 15


@pytest.mark.parametrize("rules", [None, []])
def test_rules_are_required(service: RunningService, rules: Any) -> None:
    """`contactFilterRules`: required."""
    assert_field_refused(send(service, contactFilterRules=rules), "contactFilterRules")


def test_the_filter_type_is_constant(service: RunningService) -> None:
    """`contactFilterType`: constant `ContactRule`."""
    assert send(service, contactFilterType="ContactRule").status_code == 200
    assert_field_refused(send(service, contactFilterType="Group"), "contactFilterType")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": 7}, "name"),
        ({"name": "a\0b"}, "name"),
        ({"contactFilterRules": {}}, "contactFilterRules"),
        ({"contactFilterRules": ["x"]}, "contactFilterRules[0]"),
        (
            {"contactFilterRules": [first_name(), first_name(contactFieldId="214")]},
            "contactFilterRules[1].contactFieldId",
        ),
        ({"contactFilterRules": [first_name(contactFieldId=214.5)]}, f"{RULE}.contactFieldId"),
        ({"contactFilterRules": [first_name(contactFieldId=1e300)]}, f"{RULE}.contactFieldId"),
        ({"contactFilterRules": [first_name(contactFieldId=0)]}, f"{RULE}.contactFieldId"),
        ({"contactFilterRules": [first_name(contactFieldId=2**63)]}, f"{RULE}.contactFieldId"),
        ({"contactFilterRules": [custom(attributeId=True)]}, f"{RULE}.attributeId"),
        ({"contactFilterRules": [custom(attributeValues="Site B")]}, f"{RULE}.attributeValues"),
        ({"contactFilterRules": [first_name(operator=["E"])]}, f"{RULE}.operator"),
    ],
)
def test_values_of_the_wrong_type_are_refused(service: RunningService, changes: dict[str, Any], field: str) -> None:
    """Contact filter and contact filter rule: `Type` columns."""
    assert_field_refused(send(service, **changes), field)


def test_an_integer_may_have_a_decimal_point(service: RunningService) -> None:
    """7.0 is an integer in JSON and is stored as one."""
    rule = first_name(contactFieldId=214.0)
    assert type(read(service, create_filter(service, rule))["contactFilterRules"][0]["contactFieldId"]) is int
    assert send(service, rule_for(find_column("createdDate"), "LT", columnValue=5.0)).status_code == 200


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'"x"', b"null", b"\xff", b'{"name": "\\ud800"}'])
def test_a_body_that_is_not_a_filter_is_refused(service: RunningService, content: bytes) -> None:
    """POST create: a JSON object."""
    answer = service.http.post("/contactFilters/8800", content=content)
    assert (answer.status_code, set(answer.json())) == (400, {"status", "message"})


# Contact filter rule: the column table


def test_the_column_table_covers_every_rule_type() -> None:
    """The tests below cover every rule type except the custom attributes."""
    assert {column.rule_type for column in columns()} | {"CUSTOM", "CUSTOM_ARRAY"} == set(
        exact_words(fields("Contact filter rule")["type"][3])
    )


@pytest.mark.parametrize("column", columns(), ids=lambda column: f"{column.name}-{column.rule_type}-{column.embedded}")
def test_each_column_has_one_data_type_type_and_embedded_column(service: RunningService, column: Column) -> None:
    """Filter columns: dataType, type and embeddedColumnName, each tested with every other value."""
    operator = column.operators[0]
    rows = {(other.name, other.rule_type, other.embedded) for other in columns()}
    for data_type in ("STRING", "NUMBER", "DATE", "BOOLEAN", "TEXT"):
        answer = send(service, rule_for(column, operator, dataType=data_type))
        if data_type == column.data_type:
            assert answer.status_code == 200, answer.text
        else:
            assert_field_refused(answer, f"{RULE}.dataType")
    for rule_type in {other.rule_type for other in columns()}:
        if (column.name, rule_type, column.embedded) not in rows:
            answer = send(service, rule_for(column, operator, type=rule_type, contactFieldId=214))
            assert answer.status_code == 400
            assert answer.json()["message"].startswith((f"Field {RULE}.type is", f"Field {RULE}.embeddedColumnName is"))
    for embedded in (None, "paths", "address", "lastKnownLocation", "elsewhere"):
        if (column.name, column.rule_type, embedded) not in rows:
            assert_field_refused(
                send(service, rule_for(column, operator, embeddedColumnName=embedded)), f"{RULE}.embeddedColumnName"
            )


@pytest.mark.parametrize("column", columns(), ids=lambda column: f"{column.name}-{column.rule_type}-{column.embedded}")
def test_the_value_has_the_shape_that_the_operator_requires(service: RunningService, column: Column) -> None:
    """`columnValue`: an array when the operator is IN, NIN or BETWEEN; otherwise of the type given by `dataType`."""
    # The first column of a type gets every wrong value with every operator, the others get one per operator.
    is_first = next(other for other in columns() if other.data_type == column.data_type) == column
    for number, operator in enumerate(column.operators):
        value, wrong = value_for(column, operator), WRONG_VALUES[column.data_type]
        if operator in ("ISNULL", "NOTNULL"):
            bad = [wrong, [VALUES[column.data_type]]]
        elif column.name in ("expectedDate", "shiftDate"):
            bad = [None, [], VALUES["DATE"], ["NOW"], ["BETWEEN", wrong, LATER]]
        elif isinstance(value, list):
            bad = [None, [], value[0], [*value[:-1], wrong], [*value[:-1], [value[0]]], "a,b"]
        else:
            bad = [None, [value], wrong, {"a": 1}, ""]
        for refused in bad if is_first or "Date" in column.name else [bad[number % len(bad)]]:
            answer = send(service, rule_for(column, operator, columnValue=refused))
            assert answer.status_code == 400, (operator, refused)
            assert answer.json()["message"].startswith(f"Field {RULE}.columnValue"), answer.text


def test_an_unknown_column_or_type_is_refused(service: RunningService) -> None:
    """Filter columns: names are case-sensitive, and two have an irregular spelling."""
    for name in ("FirstName", "registeredEmail", "registeredDate", "gisLocation.lon", "group", "x" * 5000):
        assert_field_refused(send(service, first_name(columnName=name)), f"{RULE}.columnName")
    for kind in ("system", "SYSTEM_UNKNOWN"):
        assert_field_refused(send(service, first_name(type=kind)), f"{RULE}.type")


@pytest.mark.parametrize(
    "column", [find_column("expectedDate"), find_column("shiftDate")], ids=lambda column: column.name
)
def test_dates_use_the_three_element_pattern(service: RunningService, column: Column) -> None:
    """`expectedDate` and `shiftDate`: exactly three elements in one of two patterns."""
    now, later = VALUES["DATE"], LATER
    for value in (["NOW", None, None], ["BETWEEN", now, later], ["BETWEEN", now, now], ["BETWEEN", -5, 0]):
        assert send(service, rule_for(column, "BETWEEN", columnValue=value)).status_code == 200
    for value in (
        ["NOW", None],
        ["NOW", None, None, None],
        ["NOW", now, None],
        ["now", None, None],
        ["BETWEEN", now],
        ["BETWEEN", now, later, later],
        ["BETWEEN", now, None],
        ["BETWEEN", None, None],
        ["BETWEEN", str(now), str(later)],
        ["BETWEEN", now + 0.5, later],
        ["BETWEEN", True, later],
        ["BETWEEN", later, now],
        [now, later],
        [None, None, None],
        {"0": "NOW"},
        "NOW",
    ):
        answer = send(service, rule_for(column, "BETWEEN", columnValue=value))
        assert answer.status_code == 400, value
        assert f"{RULE}.columnValue" in answer.json()["message"]


@pytest.mark.parametrize("value", [[1], [1, 2, 3], [LATER, 1], ["NOW", None, None]])
def test_between_takes_two_times_in_order(service: RunningService, value: Any) -> None:
    """Date: BETWEEN."""
    assert send(service, rule_for(find_column("createdDate"), "BETWEEN", columnValue=value)).status_code == 400


@pytest.mark.parametrize("field", ["type", "dataType", "operator", "columnName", "columnValue"])
@pytest.mark.parametrize("name", ["firstName", "groups", "value", "shift", "iata"])
def test_each_field_of_a_column_rule_is_required(service: RunningService, name: str, field: str) -> None:
    """`columnName`, `columnValue`: required for SYSTEM, SYSTEM_OBJECT, SYSTEM_ARRAY, and for the other two here."""
    column = find_column(name)
    answer = send(service, rule_for(column, column.operators[0], **{field: None}))
    assert answer.json() == {"status": 400, "message": f"Field {RULE}.{field} is empty."}


@pytest.mark.parametrize("column", columns(), ids=lambda column: f"{column.name}-{column.rule_type}-{column.embedded}")
def test_some_types_require_the_contact_field(service: RunningService, column: Column) -> None:
    """`contactFieldId`: required when `type` is SYSTEM, SYSTEM_OBJECT or SYSTEM_ARRAY."""
    answer = send(service, rule_for(column, column.operators[0], contactFieldId=None))
    if column.rule_type in NEEDS_FIELD_ID:
        assert answer.json() == {"status": 400, "message": f"Field {RULE}.contactFieldId is empty."}
    else:
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("kind", ["CUSTOM", "CUSTOM_ARRAY"])
def test_custom_rules_require_their_fields(service: RunningService, kind: str) -> None:
    """`attributeId`, `attributeValues`: required for CUSTOM or CUSTOM_ARRAY; column fields are not."""
    assert send(service, custom(type=kind)).status_code == 200
    for field in ("attributeId", "attributeValues", "dataType", "operator"):
        assert_field_refused(send(service, custom(type=kind, **{field: None})), f"{RULE}.{field}")
    for values, path in (([], ""), ([True], "[0]"), (["a", ""], "[1]"), ([None], "[0]"), ([["a"]], "[0]")):
        assert_field_refused(send(service, custom(type=kind, attributeValues=values)), f"{RULE}.attributeValues{path}")


@pytest.mark.parametrize("kind", ["CUSTOM", "CUSTOM_ARRAY"])
@pytest.mark.parametrize(
    ("data_type", "allowed"),
    [
        ("STRING", "STARTWITH ENDWITH E NE LIKE NLIKE GT LT GTE LTE IN NIN"),
        ("NUMBER", "E NE GT LT GTE LTE IN NIN"),
        ("DATE", "E NE LT LTE GT GTE BETWEEN IN NIN"),
        ("BOOLEAN", ""),
    ],
)
def test_custom_attributes_have_the_operators_of_their_type(
    service: RunningService, kind: str, data_type: str, allowed: str
) -> None:
    """Filter operators: by data type, with those of single-select and multiple-choice lists."""
    for operator in ALL_OPERATORS:
        answer = send(service, custom(type=kind, dataType=data_type, operator=operator))
        assert (answer.status_code == 200) == (operator in allowed.split()), (operator, answer.text)


def test_the_option_equals_the_operator(service: RunningService) -> None:
    """`contactFilterOption`: same value as `operator`."""
    assert read(service, create_filter(service, first_name()))["contactFilterRules"][0]["contactFilterOption"] == "E"
    assert send(service, first_name(contactFilterOption="E")).status_code == 200
    assert_field_refused(send(service, first_name(contactFilterOption="NE")), f"{RULE}.contactFilterOption")


def test_an_error_names_the_invalid_rule(service: RunningService) -> None:
    """Errors name the rule and the field and give the valid values."""
    message = send(service, first_name(), custom(), first_name(operator="IN")).json()["message"]
    assert message == (
        "Field contactFilterRules[2].operator is invalid: "
        "firstName takes STARTWITH, ENDWITH, E, NE, LIKE or NLIKE, not IN."
    )


# Any filter that the column table allows is accepted, any that it forbids is refused

printable = st.characters(categories=("L", "M", "N", "P", "S"), include_characters=" ")
texts = st.text(printable, min_size=1, max_size=50).filter(str.strip)
moments = st.integers(-(2**53), 2**53)
ordered = st.tuples(moments, moments).map(sorted)
ids = st.integers(1, 2**63 - 1)
BY_TYPE: dict[str, st.SearchStrategy[Any]] = {
    "STRING": texts,
    "NUMBER": st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)),
    "DATE": moments,
    "BOOLEAN": st.booleans(),
}


def values(column: Column, operator: str) -> st.SearchStrategy[Any]:
    one = BY_TYPE[column.data_type]
    if operator in ("ISNULL", "NOTNULL"):
        return st.none() | one
    if column.name in ("expectedDate", "shiftDate"):
        return st.just(["NOW", None, None]) | ordered.map(lambda span: ["BETWEEN", *span])
    if operator == "BETWEEN":
        return ordered
    return st.lists(one, min_size=1, max_size=5) if operator in ("IN", "NIN") else one


@st.composite
def column_rules(draw: st.DrawFn) -> tuple[Column, dict[str, Any]]:
    column = draw(st.sampled_from(columns()))
    operator = draw(st.sampled_from(column.operators))
    rule = rule_for(
        column,
        operator,
        columnValue=draw(values(column, operator)),
        contactFieldId=draw(ids),
        contactFilterOption=draw(st.sampled_from([None, operator])),
        id=draw(st.sampled_from([None, 5])),
    )
    return column, rule


custom_rules = st.builds(
    lambda kind, type_and_operator, attribute, found: custom(
        type=kind,
        dataType=type_and_operator[0],
        operator=type_and_operator[1],
        attributeId=attribute,
        attributeValues=found,
    ),
    st.sampled_from(["CUSTOM", "CUSTOM_ARRAY"]),
    st.sampled_from([("STRING", "GT"), ("STRING", "LIKE"), ("NUMBER", "LTE"), ("DATE", "BETWEEN"), ("DATE", "NIN")]),
    ids,
    st.lists(texts, min_size=1, max_size=4),
)
allowed_rules = column_rules().map(lambda pair: pair[1]) | custom_rules


@given(st.lists(allowed_rules, min_size=1, max_size=6))
@few_examples
def test_a_filter_that_the_table_allows_is_accepted_and_stored(
    service: RunningService, rules: list[dict[str, Any]]
) -> None:
    """Whatever its rules, the service returns it as it was sent."""
    found = read(service, create_filter(service, *rules))["contactFilterRules"]
    returned_rules = [{key: rule[key] for key in sent} | {"id": 0} for sent, rule in zip(rules, found, strict=True)]
    assert returned_rules == [sent | {"id": 0} for sent in rules]


@st.composite
def forbidden_rules(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a rule with exactly one value that the table does not allow."""
    column, rule = draw(column_rules())
    rule.pop("contactFilterOption", None)
    operator = rule["operator"]
    others = [word for word in [*ALL_OPERATORS, "EQ", "e", ""] if word not in column.operators]
    types = [word for word in ("STRING", "NUMBER", "DATE", "BOOLEAN", "x", "") if word != column.data_type]
    rows = {(other.name, other.rule_type, other.embedded) for other in columns()}
    embedded = [
        word
        for word in (None, "paths", "address", "lastKnownLocation", "x")
        if (column.name, column.rule_type, word) not in rows
    ]
    wrong = WRONG_VALUES[column.data_type]
    change: dict[str, Any] = draw(
        st.sampled_from(
            [
                *({"operator": word} for word in others),
                *({"dataType": word} for word in types),
                *({"embeddedColumnName": word} for word in embedded),
                {"columnName": column.name + "x"},
                {"type": "CUSTOM"},
                {"type": None},
                {"contactFilterOption": next(word for word in ALL_OPERATORS if word != operator)},
                {"columnValue": wrong},
                {"columnValue": {"value": 1}},
                {"contactFieldId": -1},
                {"contactFieldId": "7"},
            ]
        )
    )
    return {key: value for key, value in (rule | change).items() if value is not None}


@given(st.lists(allowed_rules, max_size=3), forbidden_rules(), st.lists(allowed_rules, max_size=2))
@few_examples
def test_a_filter_that_the_table_forbids_is_refused(
    service: RunningService, before: list[dict[str, Any]], wrong: dict[str, Any], after: list[dict[str, Any]]
) -> None:
    """One invalid rule refuses the whole filter, and the error names that rule."""
    answer = send(service, *before, wrong, *after)
    assert answer.status_code == 400
    assert answer.json()["message"].startswith(f"Field contactFilterRules[{len(before)}].")


# The demo organization


def test_the_demo_covers_every_rule_type_and_the_irregular_rules(demo_service: RunningService) -> None:
    """All seven types; rules without value, without operator, with another option, with numbers as attribute values."""
    found = demo_service.http.get("/contactFilters/8800001").json()["page"]["data"]
    rules = [rule for item in found for rule in item["contactFilterRules"]]
    kinds = set(exact_words(fields("Contact filter rule")["type"][3]))
    assert {rule["type"] for rule in rules} == kinds
    assert any(rule["operator"] == "NOTNULL" and "columnValue" not in rule for rule in rules if "operator" in rule)
    assert any("operator" not in rule for rule in rules)
    assert any(rule["operator"] != rule["contactFilterOption"] for rule in rules if "operator" in rule)
    assert any(isinstance(value, int) for rule in rules for value in rule.get("attributeValues", []))
