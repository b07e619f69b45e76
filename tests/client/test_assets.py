"""Assets in batches: requests, splitting, refused rows, and the result of each row."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from client import Invalid, OutcomeUnknown, RetryPolicy, ServiceClient, TimedOut
from client.asset_batches import AssetTally, match_assets, read_asset_answer
from client.models.asset_rules import asset_problems
from client.models.assets import Asset, AssetAddress, AssetBatchOutcome, AssetProperty, parsed_geometry
from client.vocabulary.assets import LENGTHS
from client.vocabulary.limits import ASSET_BATCH
from tests.client.conftest import Clients, as_unread

POINT = '{"type": "Point", "coordinates": [47.97, 29.23]}'


def asset(number: int = 1, **changed: Any) -> Asset:
    return Asset(**({"asset_type_id": "T", "external_id": f"E-{number}", "name": "N"} | changed))


def answer(*responses: dict[str, Any], **changed: Any) -> dict[str, Any]:
    return {"status": 200, "message": "OK", "errors": [], "individualResponses": list(responses)} | changed


def refusal(field: str = "name") -> dict[str, Any]:
    return {"code": 1002, "field": field, "message": "is too long"}


def match_response(ids: list[str] | None, rows: int, body: Any) -> AssetBatchOutcome:
    tally = AssetTally()
    match_assets(tally, range(rows), read_asset_answer(json.dumps(body).encode()), ids)
    return tally.assets_outcome()


# What is sent


def test_an_asset_is_sent_with_all_fields(clients: Clients) -> None:
    client, exchange = clients(httpx.Response(200, json=answer({"id": "a", "errors": []})))
    whole = asset(
        category="C",
        icon_id="I",
        notes="",
        geometry=POINT,
        start_timestamp=1,
        end_timestamp=4_102_444_800_000,
        address=AssetAddress(city="Kuwait", street_address1="1", street_address2="2", postal_code="0"),
        properties=[
            AssetProperty(name="P", property_id="p", value={"a": ["", None]}),
            AssetProperty(name="empty", value=""),
            AssetProperty(name="null", value=None),
            AssetProperty(name="none"),
        ],
    )
    client.assets.create_batch([whole])
    assert exchange.body() == [
        {
            "name": "N",
            "assetTypeId": "T",
            "category": "C",
            "externalId": "E-1",
            "iconId": "I",
            "geometry": POINT,
            "startTimestamp": 1,
            "endTimestamp": 4_102_444_800_000,
            "address": {"city": "Kuwait", "streetAddress1": "1", "streetAddress2": "2", "postalCode": "0"},
            "properties": [
                {"name": "P", "propertyId": "p", "value": {"a": ["", None]}},
                {"name": "empty", "value": ""},
                {"name": "null", "value": None},
                {"name": "none"},
            ],
        }
    ]


def test_an_asset_is_serialized_once(clients: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = clients(httpx.Response(200, json=answer({"id": "a"}, {"id": "b"})))
    serialized_ids: list[str | None] = []
    to_wire = Asset.to_wire

    def record_and_serialize(one: Asset) -> dict[str, Any]:
        serialized_ids.append(one.external_id)
        return to_wire(one)

    monkeypatch.setattr(Asset, "to_wire", record_and_serialize)
    assert client.assets.create_batch([asset(1), asset(2)]).is_complete
    assert serialized_ids == ["E-1", "E-2"]


def test_a_serialized_asset_is_sent_unchanged(clients: Clients) -> None:
    client, exchange = clients(
        httpx.Response(200, json=answer({"id": "a"})), httpx.Response(200, json=answer({"id": "a"}))
    )
    payload = json.dumps(asset(1).to_wire() | {"id": "a"}, indent=1)
    assert client.assets.create_batch([payload, payload]).unknown == [0, 1]
    assert client.assets.update_batch([payload]).succeeded[0].id == "a"
    assert [request.content.decode() for request in exchange.requests] == [f"[{payload},{payload}]", f"[{payload}]"]


def test_each_operation_has_its_method(clients: Clients) -> None:
    client, exchange = clients(lambda request: httpx.Response(200, json=answer({"id": "a", "errors": []})))
    client.assets.create_batch([asset()])
    client.assets.update_batch([asset(id="a")])
    client.assets.delete_batch(["a"])
    assert [request.method for request in exchange.requests] == ["POST", "PUT", "DELETE"]
    assert {request.url.path for request in exchange.requests} == {"/rest/v2/asset-management/assets/batch"}
    assert exchange.body(1)[0]["id"] == "a"
    assert exchange.body(2) == ["a"]


def test_empty_batches_send_nothing(clients: Clients) -> None:
    client, exchange = clients()
    for outcome in (
        client.assets.create_batch([]),
        client.assets.update_batch([]),
        client.assets.delete_batch([]),
    ):
        assert outcome.total == 0
    assert exchange.requests == []


@given(st.lists(st.booleans(), max_size=3 * ASSET_BATCH // 2), st.sampled_from([1, 3, ASSET_BATCH]))
def test_splitting_into_batches_neither_loses_repeats_nor_reorders_rows(validity: list[bool], size: int) -> None:
    sent_ids: list[str] = []

    def serve(request: httpx.Request) -> httpx.Response:
        rows = [row["externalId"] for row in json.loads(request.content)]
        assert len(rows) <= ASSET_BATCH
        sent_ids.extend(rows)
        return as_unread(httpx.Response(200, json=answer(*({"id": f"id of {row}"} for row in rows))))

    rows = [asset(row, name="N" if is_valid else None) for row, is_valid in enumerate(validity)]
    with ServiceClient("http://x", 8800, "a", "b", transport=httpx.MockTransport(serve)) as client:
        outcome = client.assets.create_batch(rows)
    assert sent_ids == [f"E-{row}" for row, is_valid in enumerate(validity) if is_valid]
    assert [(success.row, success.id) for success in outcome.succeeded] == [
        (row, f"id of E-{row}") for row, is_valid in enumerate(validity) if is_valid
    ]
    assert [(failure.row, failure.sent) for failure in outcome.failed] == [
        (row, False) for row, is_valid in enumerate(validity) if not is_valid
    ]
    assert outcome.total == len(validity)


def test_a_lost_response_leaves_its_rows_unknown_and_the_rest_not_attempted(clients: Clients) -> None:
    first = [{"id": str(row)} for row in range(ASSET_BATCH)]
    client, exchange = clients(httpx.Response(200, json=answer(*first)), httpx.ReadTimeout("slow"))
    outcome = client.assets.create_batch([asset(row) for row in range(2 * ASSET_BATCH + 1)])
    assert len(exchange.requests) == 2
    assert len(outcome.succeeded) == ASSET_BATCH
    assert outcome.unknown == list(range(ASSET_BATCH, 2 * ASSET_BATCH))
    assert outcome.not_attempted == [2 * ASSET_BATCH]
    assert isinstance(outcome.stopped_by, OutcomeUnknown)
    assert not outcome.is_complete


def test_an_update_is_repeated_and_a_delete_is_not(clients: Clients) -> None:
    client, exchange = clients(lambda request: httpx.Response(503), retry=RetryPolicy(attempts=3, first_wait=0.0))
    assert client.assets.update_batch([asset(id="a")]).unknown == [0]
    assert len(exchange.requests) == 3
    assert client.assets.delete_batch(["a"]).unknown == [0]
    assert len(exchange.requests) == 4
    assert not isinstance(client.assets.delete_batch(["a"]).stopped_by, TimedOut)


def test_an_id_deleted_twice_is_sent_once_and_counted_twice(clients: Clients) -> None:
    client, exchange = clients(
        httpx.Response(200, json=answer({"id": "b", "errors": [refusal("id")]}, {"id": "a", "errors": []}))
    )
    outcome = client.assets.delete_batch(["a", "b", "a", "b"])
    assert exchange.body() == ["a", "b"]
    assert [(success.row, success.id) for success in outcome.succeeded] == [(0, "a"), (2, "a")]
    assert [(failure.row, failure.field_errors[0].field) for failure in outcome.failed] == [(1, "id"), (3, "id")]


def test_invalid_ids_are_refused(clients: Clients) -> None:
    client, exchange = clients()
    for call in (
        lambda: client.assets.delete_batch(["a", " "]),
        lambda: client.assets.delete_batch(["a", 5]),  # type: ignore[list-item]
        lambda: client.assets.update_batch([asset(id="a"), asset(id="b"), asset(id="a")]),
    ):
        with pytest.raises(Invalid) as caught:
            call()
        assert caught.value.sent is False
    assert exchange.requests == []


# Responses


def test_rows_of_a_create_are_matched_by_position() -> None:
    outcome = match_response(
        None, 3, answer({"id": "x"}, {"id": None, "errors": [refusal()]}, {"id": "z", "errors": None})
    )
    assert [(success.row, success.id) for success in outcome.succeeded] == [(0, "x"), (2, "z")]
    (failure,) = outcome.failed
    assert (failure.row, failure.message, failure.sent) == (1, "name: is too long", True)
    assert [(error.field, error.message) for error in failure.field_errors] == [("name", "is too long")]


def test_rows_of_an_update_are_matched_by_id_in_any_order() -> None:
    outcome = match_response(["a", "b", "c"], 3, answer({"id": "c"}, {"id": "a", "errors": [refusal()]}, {"id": "b"}))
    assert [(success.row, success.id) for success in outcome.succeeded] == [(1, "b"), (2, "c")]
    assert [failure.row for failure in outcome.failed] == [0]


def test_ids_may_be_numbers() -> None:
    assert match_response(["1", "2"], 2, answer({"id": 2}, {"id": 1})).is_complete


@pytest.mark.parametrize(
    ("ids", "rows", "body"),
    [
        (None, 2, answer({"id": "x"})),
        (None, 1, answer({"id": "x"}, {"id": "y"})),
        (["a", "b"], 2, answer({"id": "x"}, {"id": "y"})),
        (["a", "b"], 2, answer({"id": "a"}, {"id": "a"})),
        (["a", "b"], 2, answer({"id": None}, {"id": "a"})),
        (["a", "b"], 2, answer({})),
        (None, 2, answer(errors=[refusal()])),
        (None, 2, answer(status=207, message="Partially succeeded")),
        (None, 2, {"individualResponses": []}),
    ],
    ids=str,
)
def test_rows_are_unknown_if_the_response_matches_none(ids: list[str] | None, rows: int, body: dict[str, Any]) -> None:
    assert match_response(ids, rows, body).unknown == list(range(rows))


@pytest.mark.parametrize("failing", [{"status": 400}, {"status": "500"}, {"errors": [refusal()]}], ids=str)
def test_rows_without_an_error_are_unknown_if_the_batch_has_an_error(failing: dict[str, Any]) -> None:
    body = answer({"id": "a", "errors": []}, {"id": "b", "errors": [refusal()]}, **failing)
    for ids in (None, ["a", "b"]):
        outcome = match_response(ids, 2, body)
        assert (outcome.unknown, [failure.row for failure in outcome.failed]) == ([0], [1])


def test_rows_missing_from_the_response_are_unknown() -> None:
    outcome = match_response(["a", "b", "c"], 3, answer({"id": "b", "errors": [refusal()]}))
    assert ([failure.row for failure in outcome.failed], outcome.unknown) == ([1], [0, 2])


@pytest.mark.parametrize("body", [answer(), {"status": 200, "message": "OK"}, {"message": "ok"}])
def test_a_successful_response_needs_no_rows(body: dict[str, Any]) -> None:
    outcome = match_response(["a", "b"], 2, body)
    assert [(success.row, success.id) for success in outcome.succeeded] == [(0, "a"), (1, "b")]
    assert [success.id for success in match_response(None, 2, body).succeeded] == [None, None]


def test_a_bare_array_of_responses_is_read() -> None:
    assert match_response(["a"], 1, [{"id": "a", "errors": []}]).is_complete


@pytest.mark.parametrize(
    "errors",
    ["no such asset", {"message": "no such asset"}, [{"code": 7, "message": "no such asset"}], ["no such asset"]],
)
def test_row_errors_have_several_shapes(errors: Any) -> None:
    outcome = match_response(["a"], 1, answer({"id": "a", "errors": errors}))
    assert [failure.message for failure in outcome.failed] == ["no such asset"]


@pytest.mark.parametrize("status", [200, 400])
def test_a_batch_that_is_refused_as_a_whole_is_an_error(clients: Clients, status: int) -> None:
    body = {"status": 400, "message": "Failed", "errors": [refusal("body")], "individualResponses": None}
    client, _ = clients(httpx.Response(status, json=body))
    with pytest.raises(Invalid) as caught:
        client.assets.create_batch([asset()])
    assert [error.field for error in caught.value.field_errors] == ["body"]


# The rules


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"name": " "}, "name"),
        ({"asset_type_id": None}, "assetTypeId"),
        ({"external_id": ""}, "externalId"),
        ({"id": "a"}, "id"),
        ({"start_timestamp": 2, "end_timestamp": 1}, "endTimestamp"),
        ({"start_timestamp": 2**63}, "startTimestamp"),
        ({"geometry": "POINT (1 2)"}, "geometry"),
        ({"geometry": "[1, 2]"}, "geometry"),
        ({"geometry": '{"type": "Feature"}'}, "geometry"),
        ({"geometry": '{"type": "Point", "coordinates": [29.23, 97.97]}'}, "geometry"),
        ({"geometry": '{"type": "Point", "coordinates": [NaN, 1]}'}, "geometry"),
        ({"geometry": '{"type": "Point", "coordinates": [[1, 2]]}'}, "geometry"),
        ({"geometry": '{"type": "Polygon", "coordinates": []}'}, "geometry"),
        ({"geometry": '{"type": "LineString", "coordinates": [[0, 0]]}'}, "geometry"),
        ({"geometry": '{"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [0, 0]]]}'}, "geometry"),
        ({"geometry": '{"type": "MultiPolygon", "coordinates": [[[[0, 0], [1, 0], [1, 1], [0, 1]]]]}'}, "geometry"),
        ({"geometry": '{"type": "GeometryCollection", "geometries": [{"type": "Box"}]}'}, "geometry"),
        ({"properties": [AssetProperty(value=1)]}, "properties[0]"),
    ],
)
def test_each_rule_of_an_asset_is_checked(changed: dict[str, Any], field: str) -> None:
    assert [problem.field for problem in asset_problems(asset(**changed))] == [field]


@pytest.mark.parametrize("path", LENGTHS)
def test_text_lengths_are_limited(path: str) -> None:
    def with_text(length: int) -> Asset:
        outer, _, inner = path.rpartition(".")
        payload = asset().to_wire()
        (payload.setdefault(outer, {}) if outer else payload)[inner] = "x" * length
        return Asset.model_validate(payload)

    assert asset_problems(with_text(LENGTHS[path])) == []
    assert [problem.field for problem in asset_problems(with_text(LENGTHS[path] + 1))] == [path]


def test_an_update_needs_an_id() -> None:
    assert [problem.field for problem in asset_problems(asset(), is_update=True)] == ["id"]
    assert asset_problems(asset(id="a"), is_update=True) == []


@pytest.mark.parametrize(
    "geometry",
    [
        POINT,
        '{"type":"LineString","coordinates":[[0,0],[180,90,5]]}',
        '{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}',
        '{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[0,0]}]}',
    ],
)
def test_valid_geometries_are_accepted(geometry: str) -> None:
    assert asset_problems(asset(geometry=geometry)) == []


def test_geometries_are_compared_after_parsing() -> None:
    assert parsed_geometry(POINT) == parsed_geometry('{"coordinates":[47.97,29.23],"type":"Point"}')
    assert parsed_geometry(None) is None
    assert parsed_geometry("POINT (1 2)") is None
