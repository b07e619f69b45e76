"""Batch assets over HTTP: the three endpoints, partial success with per-field errors, the header, the limits."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from sqlalchemy import create_engine, text

from tests.running_service import RunningService

Payload = dict[str, Any]
PATH = "/rest/v2/asset-management/assets/batch"


def asset(external_id: object = "A1", **changes: Any) -> Payload:
    """Return an asset with every field of the table. None removes a field."""
    payload = {
        "name": "Head office",
        "assetTypeId": "office",
        "category": "Site",
        "externalId": external_id,
        "iconId": "building",
        "notes": "Reception on the second floor",
        "geometry": '{"type":"Point","coordinates":[8.54,47.37]}',
        "startTimestamp": 1_790_000_000_000,
        "endTimestamp": 1_800_000_000_000,
        "address": {
            "city": "Zurich",
            "country": "CH",
            "postalCode": "8001",
            "state": "ZH",
            "streetAddress1": "1 Lake Street",
            "streetAddress2": "Rear building",
        },
        "properties": [{"name": "Floors", "propertyId": "floors", "value": [1, {"deep": None}]}],
    } | changes
    return {key: value for key, value in payload.items() if value is not None}


def send(service: RunningService, method: str, body: Any, path: str = PATH, **options: Any) -> httpx.Response:
    """Send one batch."""
    options = {"headers": {"X-SVC-Organization-Id": "8800"}} | options
    return service.http.request(method, path, json=body, **options)


def read_results(answer: httpx.Response) -> list[tuple[str, list[tuple[str, int]]]]:
    """Return by row the ID, and the field and code of each error."""
    assert answer.status_code == 200, answer.text
    return [
        (one["id"], [(error["field"], error["code"]) for error in one["errors"]])
        for one in answer.json()["individualResponses"]
    ]


def create_assets(service: RunningService, *assets: Payload) -> list[str]:
    """Create assets. Returns their IDs."""
    found = read_results(send(service, "POST", list(assets)))
    assert [errors for _id, errors in found] == [[]] * len(assets)
    return [identity for identity, _errors in found]


def read_assets(service: RunningService) -> dict[str, Payload]:
    """Return the documents of the active assets by ID. No endpoint reads assets."""
    engine = create_engine(service.database_url)
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT id, document FROM assets WHERE status = 'A'")).all()
    engine.dispose()
    return {row[0]: json.loads(row[1]) if isinstance(row[1], str) else row[1] for row in rows}


def list_errors(service: RunningService, **changes: Any) -> list[tuple[str, int]]:
    """Return the field and code of each error of one asset."""
    [(_id, errors)] = read_results(send(service, "POST", [asset(**changes)]))
    return errors


def test_assets_are_created_updated_and_deleted(any_service: RunningService) -> None:
    """POST without `id`, PUT with it, DELETE of string ids: 200, batch asset response."""
    answer = send(any_service, "POST", [asset("A1"), asset("A2")])
    body = answer.json()
    assert set(body) == {"status", "message", "errors", "individualResponses"}
    assert (body["status"], body["message"], body["errors"]) == (200, "OK", [])
    [(first, _), (second, _)] = read_results(answer)
    assert first
    assert second
    assert first != second
    assert read_assets(any_service)[first] == asset("A1")
    changed = send(any_service, "PUT", [asset("A1", id=first, name="Lake office", category=None)])
    assert read_results(changed) == [(first, [])]
    assert read_assets(any_service)[first] == asset("A1", name="Lake office", category=None)
    assert read_results(send(any_service, "DELETE", [first])) == [(first, [])]
    assert set(read_assets(any_service)) == {second}
    # A deleted asset is not found, and its external ID is free.
    assert read_results(send(any_service, "DELETE", [first])) == [(first, [("id", 1007)])]
    create_assets(any_service, asset("A1"))
    # The service assigns the ID of a new asset.
    [(assigned_id, errors)] = read_results(send(any_service, "POST", [asset("A3", id=second)]))
    assert (assigned_id == second, errors) == (False, [])
    assert {assigned_id, second} <= set(read_assets(any_service))


def test_each_row_of_a_batch_succeeds_or_fails_by_itself(any_service: RunningService) -> None:
    """The results have the order of the rows, with every error of a field."""
    body = [asset("A1"), asset("A2", name=" ", assetTypeId=None), "no object", asset("A3")]
    answer = send(any_service, "POST", body)
    found = read_results(answer)
    assert [errors for _id, errors in found] == [[], [("assetTypeId", 1001), ("name", 1001)], [("", 1003)], []]
    assert [bool(identity) for identity, _errors in found] == [True, False, False, True]
    assert (answer.json()["status"], answer.json()["message"]) == (207, "Partially succeeded")
    assert {document["externalId"] for document in read_assets(any_service).values()} == {"A1", "A3"}
    for error in answer.json()["individualResponses"][1]["errors"]:
        assert set(error) == {"code", "field", "message"}
        assert error["field"] in error["message"]


def test_a_batch_that_fails_entirely_returns_http_200(service: RunningService) -> None:
    """200, batch asset response: the status inside says that all rows failed."""
    answer = send(service, "DELETE", ["unknown", "a\0b"])
    assert (answer.status_code, answer.json()["status"]) == (200, 400)
    assert read_results(answer) == [("unknown", [("id", 1007)]), ("a\0b", [("id", 1007)])]


@pytest.mark.parametrize("field", ["assetTypeId", "externalId", "name"])
@pytest.mark.parametrize("value", [None, "", "  "])
def test_create_requires_its_fields(service: RunningService, field: str, value: str | None) -> None:
    """Create requires `assetTypeId`, `externalId`, `name`."""
    changes = {field: value} if field != "externalId" else {"external_id": value}
    assert list_errors(service, **changes) == [(field, 1001)]


def test_update_also_requires_the_id(service: RunningService) -> None:
    """Update adds `id`."""
    [(identity, errors)] = read_results(send(service, "PUT", [asset()]))
    assert (identity, errors) == ("", [("id", 1001)])
    assert read_results(send(service, "PUT", [asset(id="unknown")])) == [("unknown", [("id", 1007)])]


@pytest.mark.parametrize(
    ("field", "longest"),
    [
        *(("name", 200), ("category", 200), ("externalId", 200), ("notes", 2000), ("address.streetAddress1", 200)),
        *(("address.streetAddress2", 200), ("address.city", 100), ("address.state", 100), ("address.postalCode", 20)),
    ],
)
def test_lengths_are_limited(service: RunningService, field: str, longest: int) -> None:
    """Each limit is allowed, and one character more is not."""

    def with_text(value: str) -> Payload:
        parent, _, name = field.rpartition(".")
        payload = asset(f"A{len(value)}")
        (payload[parent] if parent else payload)[name] = value
        return payload

    answer = send(service, "POST", [with_text("é" * longest), with_text("é" * (longest + 1))])
    assert [errors for _id, errors in read_results(answer)] == [[], [(field, 1002)]]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("name", 1), ("category", []), ("iconId", {}), ("notes", True), ("geometry", {"type": "Point"})),
        *(("startTimestamp", "1790000000000"), ("endTimestamp", 1.5), ("startTimestamp", True)),
        *(("address", "Zurich"), ("properties", {}), ("notes", "a\0b")),
    ],
)
def test_values_of_the_wrong_type_are_refused(service: RunningService, field: str, value: object) -> None:
    """The error names the field."""
    assert list_errors(service, **{field: value}) == [(field, 1003)]


def test_nested_values_of_the_wrong_type_are_refused(service: RunningService) -> None:
    """The error gives the path of the nested field."""
    assert list_errors(service, address={"city": 1}) == [("address.city", 1003)]
    found = list_errors(service, properties=[{"name": 1}, "x", {"propertyId": 2}])
    assert found == [("properties[0].name", 1003), ("properties[1]", 1003), ("properties[2].propertyId", 1003)]


@pytest.mark.parametrize(
    "geometry",
    [
        {"type": "Point", "coordinates": [8.54, 47.37]},
        {"type": "Point", "coordinates": [8.54, 47.37, 400]},
        {"type": "MultiPoint", "coordinates": [[0, 0], [180, 90]]},
        {"type": "LineString", "coordinates": [[0, 0], [1, 1]]},
        {"type": "MultiLineString", "coordinates": [[[0, 0], [1, 1]]]},
        {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]},
        {"type": "MultiPolygon", "coordinates": [[[[0, 0], [1, 0], [1, 1], [0, 0]]]]},
        {"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 2]}]},
    ],
)
def test_valid_geometries_are_accepted(service: RunningService, geometry: Payload) -> None:
    """`geometry` is GeoJSON serialized into a string, lon before lat."""
    assert list_errors(service, geometry=json.dumps(geometry)) == []


@pytest.mark.parametrize(
    "geometry",
    [
        *("POINT(1 2)", "{}", "[]", "null", "1", "{", '{"type":"Point"}', '{"type":"Point","coordinates":[NaN,1]}'),
        *('{"type":["Point"]}', '{"type":"Circle","coordinates":[1,2]}', '{"type":"Feature","geometry":null}'),
        *('{"type":"Point","coordinates":[47.37]}', '{"type":"Point","coordinates":["8","47"]}'),
        *('{"type":"Point","coordinates":[8,147.37]}', '{"type":"Point","coordinates":[1e400,1]}'),
        *('{"type":"Point","coordinates":[[1,2]]}', '{"type":"LineString","coordinates":[[1,2]]}'),
        *('{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}', '{"type":"MultiPoint","coordinates":[]}'),
        *('{"type":"Polygon","coordinates":[[0,0],[1,0],[1,1],[0,0]]}', "[" * 100_000),
        '{"type":"GeometryCollection","geometries":[]}',
        '{"type":"Point","coordinates":[' + "9" * 5000 + ",1]}",
    ],
)
def test_invalid_geometries_are_refused(service: RunningService, geometry: str) -> None:
    """Every position is parsed and checked."""
    assert list_errors(service, geometry=geometry) == [("geometry", 1004)]


def test_timestamps_are_checked(service: RunningService) -> None:
    """Epoch milliseconds; the end is not before the start."""
    assert list_errors(service, endTimestamp=1_789_999_999_999) == [("endTimestamp", 1005)]
    assert list_errors(service, startTimestamp=2**63, endTimestamp=None) == [("startTimestamp", 1005)]
    assert list_errors(service, startTimestamp=1_800_000_000_000) == []


def test_external_ids_are_unique(any_service: RunningService) -> None:
    """In the organization and within a batch; an update may keep its own or use one that has become free."""
    first, second = create_assets(any_service, asset("A1"), asset("A2"))
    found = read_results(send(any_service, "POST", [asset("A1"), asset("A3"), asset("A3")]))
    assert [errors for _id, errors in found] == [[("externalId", 1006)], [], [("externalId", 1006)]]
    updates = [asset("A2", id=first), asset("A9", id=first), asset("A1", id=second), asset("A2", id=first)]
    found = read_results(send(any_service, "PUT", updates))
    assert found == [(first, [("externalId", 1006)]), (first, []), (second, []), (first, [])]
    documents = read_assets(any_service)
    assert (documents[first]["externalId"], documents[second]["externalId"]) == ("A2", "A1")


def test_concurrent_batches_lose_no_asset(any_service: RunningService) -> None:
    """Every batch is stored, and no external ID twice."""

    def batch(number: int) -> int:
        rows = [asset("shared"), *(asset(f"{number}-{row}") for row in range(20))]
        return sum(not errors for _id, errors in read_results(send(any_service, "POST", rows)))

    with ThreadPoolExecutor(6) as threads:
        assert sum(threads.map(batch, range(6))) == 6 * 20 + 1
    assert len(read_assets(any_service)) == 121


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_the_organization_header_is_required(service: RunningService, method: str) -> None:
    """All three operations require `X-SVC-Organization-Id` (string)."""
    missing = send(service, method, ["x"], headers={})
    assert (missing.status_code, missing.json()["status"]) == (400, 400)
    assert "X-SVC-Organization-Id" in missing.json()["message"]
    for organization in ("9900", "abc"):
        answer = send(service, method, ["x"], headers={"X-SVC-Organization-Id": organization})
        message = f"Org {organization} not accessible to this user, or does not exist."
        assert (answer.status_code, answer.json()) == (401, {"status": 401, "message": message})


def test_assets_need_credentials(service: RunningService) -> None:
    """Basic or Bearer, in addition to the organization header."""
    headers = {"X-SVC-Organization-Id": "8800"}
    token = headers | {"Authorization": f"Bearer {service.token()}"}
    assert send(service, "POST", [asset()], headers=token, auth=None).status_code == 200
    wrong = send(service, "POST", [asset()], headers=headers, auth=("ana", "wrong"))
    assert (wrong.status_code, wrong.json()["message"]) == (401, "Invalid credentials: Get User failed")
    forged = send(service, "POST", [asset()], headers=headers | {"Authorization": "Bearer x.y.z"}, auth=None)
    assert (forged.status_code, forged.json()) == (401, {"code": 401, "message": "Unauthorized"})
    # An unknown user does not learn which fields are missing.
    assert send(service, "POST", [], headers={}, auth=("ana", "wrong")).status_code == 401


NO_BATCHES = [
    *((method, body) for method in ("POST", "PUT", "DELETE") for body in ({}, [], "x", None, [asset()] * 1001)),
    ("DELETE", [1]),
]


@pytest.mark.parametrize(("method", "body"), NO_BATCHES)
def test_a_body_that_is_not_a_batch_is_refused(service: RunningService, method: str, body: Any) -> None:
    """400 in the shape of a batch asset response; nothing is stored."""
    answer = send(service, method, body)
    assert answer.status_code == 400
    assert set(answer.json()) == {"status", "message", "errors", "individualResponses"}
    assert answer.json()["individualResponses"] == []
    assert read_assets(service) == {}


def test_assets_work_with_and_without_rest(service: RunningService) -> None:
    """The documented paths contain the extra segment; the paths without it work too."""
    assert send(service, "POST", [asset("A1")], PATH.removeprefix("/rest")).status_code == 200
