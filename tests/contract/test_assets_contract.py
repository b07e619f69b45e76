"""The three asset endpoints, client and service over real HTTP: partial success by row."""

from __future__ import annotations

from typing import Any

import pytest

from client import NotAllowed, NotAuthenticated, ServiceClient
from client.models.asset_rules import asset_problems
from client.models.assets import Asset, AssetAddress, AssetProperty
from client.vocabulary.assets import LENGTHS
from client.vocabulary.limits import ASSET_BATCH
from tests.contract.covering import covers
from tests.running_service import OTHER_ORGANIZATION_ID, RunningService

POINT = '{"type": "Point", "coordinates": [47.97, 29.23]}'
PATH = "/rest/v2/asset-management/assets/batch"


def asset(number: int = 1, **changed: Any) -> Asset:
    return Asset(**({"asset_type_id": "T", "external_id": f"E-{number}", "name": f"Depot {number}"} | changed))


WHOLE = asset(
    category="C",
    icon_id="I",
    notes="N",
    geometry=POINT,
    start_timestamp=1,
    end_timestamp=2,
    address=AssetAddress(city="Kuwait", country="KW", postal_code="0", state="S", street_address1="1"),
    properties=[AssetProperty(name="P", property_id="p", value={"a": [1, None]})],
)


@covers("Endpoints: POST /rest/v2/asset-management/assets/batch")
def test_assets_are_created_by_row(client: ServiceClient) -> None:
    outcome = client.assets.create_batch([WHOLE, asset(2, name=None), asset(3), asset(1)])
    assert [success.row for success in outcome.succeeded] == [0, 2]
    assert all(success.id for success in outcome.succeeded)
    assert [(failure.row, failure.sent) for failure in outcome.failed] == [(1, False), (3, True)]
    assert [error.field for error in outcome.failed[1].field_errors] == ["externalId"]
    assert outcome.total == 4


@covers(
    "Endpoints: PUT /rest/v2/asset-management/assets/batch",
    "Endpoints: DELETE /rest/v2/asset-management/assets/batch",
)
def test_assets_are_updated_and_deleted_by_row(client: ServiceClient) -> None:
    created = client.assets.create_batch([asset(1), asset(2)])
    first, second = (success.id or "" for success in created.succeeded)
    changed = client.assets.update_batch(
        [asset(1, id=first, name="Renamed"), asset(9, id="no-such-id"), asset(2, id=second)]
    )
    assert [(success.row, success.id) for success in changed.succeeded] == [(0, first), (2, second)]
    assert [failure.row for failure in changed.failed] == [1]
    deleted = client.assets.delete_batch([second, "no-such-id", first, second])
    assert [(success.row, success.id) for success in deleted.succeeded] == [(0, second), (2, first), (3, second)]
    assert [failure.row for failure in deleted.failed] == [1]
    assert [failure.row for failure in client.assets.delete_batch([first]).failed] == [0]


def test_a_batch_larger_than_one_call_keeps_its_row_numbers(client: ServiceClient) -> None:
    rows = [asset(number, name=None if number % 50 == 7 else "N") for number in range(ASSET_BATCH + 20)]
    outcome = client.assets.create_batch(rows)
    invalid_rows = [number for number in range(len(rows)) if number % 50 == 7]
    assert [failure.row for failure in outcome.failed] == invalid_rows
    assert [success.row for success in outcome.succeeded] == [
        row for row in range(len(rows)) if row not in invalid_rows
    ]
    assert len({success.id for success in outcome.succeeded}) == len(outcome.succeeded)


@pytest.mark.parametrize(
    "changed",
    [
        {"name": None},
        {"asset_type_id": None},
        {"external_id": None},
        {"start_timestamp": 2, "end_timestamp": 1},
        {"start_timestamp": 10**18},
        {"geometry": "POINT (1 2)"},
        {"geometry": '{"type": "Point", "coordinates": [29.23, 97.97]}'},
        {"geometry": '{"type": "Circle", "coordinates": [1, 2]}'},
        {"geometry": '{"type": "Polygon", "coordinates": []}'},
        *({path.rpartition(".")[2]: path} for path in LENGTHS),
    ],
    ids=str,
)
def test_client_and_service_refuse_the_same_assets_at_the_same_field(
    service: RunningService, changed: dict[str, Any]
) -> None:
    payload = asset().to_wire()
    value = next(iter(changed.values()))
    if value in LENGTHS:
        outer, _, inner = value.rpartition(".")
        (payload.setdefault(outer, {}) if outer else payload)[inner] = "x" * (LENGTHS[value] + 1)
    else:
        payload = asset(**changed).to_wire()
    fields = [problem.field for problem in asset_problems(Asset.model_validate(payload))]
    assert len(fields) == 1
    answer = service.http.post(PATH, json=[payload], headers={"X-SVC-Organization-Id": "8800"}).json()
    (response,) = answer["individualResponses"]
    assert [error["field"] for error in response["errors"]] == fields


def test_client_and_service_accept_the_same_assets(client: ServiceClient) -> None:
    geometries = [
        '{"type":"LineString","coordinates":[[0,0],[180,90]]}',
        '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}',
        '{"type":"MultiPoint","coordinates":[[0,0],[1,1]]}',
        '{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}',
        '{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[0,0]}]}',
    ]
    outcome = client.assets.create_batch([asset(row, geometry=one) for row, one in enumerate(geometries)])
    assert outcome.is_complete, outcome.failed


def test_assets_take_a_user_or_a_token(service: RunningService) -> None:
    with service.client(token=service.token(), assets_by_token=True) as by_token:
        assert by_token.assets.create_batch([asset()]).is_complete
    with ServiceClient(service.url, service.organization_id, "", "", token=service.token()) as token_only:
        assert token_only.assets.create_batch([asset(2)]).is_complete
    with service.client(token="eyJ.not.real", assets_by_token=True) as wrong, pytest.raises(NotAuthenticated):
        wrong.assets.create_batch([asset(3)])
    with (
        ServiceClient(service.url, OTHER_ORGANIZATION_ID, "ana", "correct horse") as other_organization,
        pytest.raises(NotAllowed),
    ):
        other_organization.assets.create_batch([asset(4)])
