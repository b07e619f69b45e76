"""The five lookup mapping endpoints and their error table, client and service over real HTTP."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from client import Duplicate, Invalid, NotAllowed, NotAuthenticated, NotFound, ServiceClient
from client.classify import classify
from client.models.lookup_mappings import LookupMappingRequest, MappingAttribute, TargetGroup
from client.vocabulary.lookup_mappings import NEWEST_FIRST, OLDEST_FIRST
from tests.contract.covering import covers
from tests.running_service import OTHER_ORGANIZATION_ID, RunningService


def mapping(site: str = "A", *others: str, group: int = 7) -> LookupMappingRequest:
    return LookupMappingRequest(
        target_groups=[TargetGroup(id=group, name=f"Group {group}")],
        attributes=[
            MappingAttribute(name="site", values=[site, *others]),
            MappingAttribute(name="floor", values=["1"]),
            MappingAttribute(name="floor", values=["2"]),
        ],
    )


@covers(
    "Endpoints: POST /lookup/{organizationId}/mappings",
    "Endpoints: GET /lookup/{organizationId}/mappings/{mappingId}",
)
def test_a_mapping_is_created_and_read(client: ServiceClient) -> None:
    created = client.lookup_mappings.create(mapping())
    assert created == client.lookup_mappings.retrieve(created.id)
    assert (created.organization_id, created.deleted, created.created_by) == (8800, False, "ana")
    assert [(group.id, group.name) for group in created.target_groups] == [(7, "Group 7")]
    assert [(one.name, one.values) for one in created.attributes] == [
        ("site", ["A"]),
        ("floor", ["1"]),
        ("floor", ["2"]),
    ]
    assert created.last_updated_on is not None
    assert abs((created.last_updated_on - datetime.now(UTC)).total_seconds()) < 60


@covers(
    "Endpoints: PUT /lookup/{organizationId}/mappings/{mappingId}",
    "Endpoints: DELETE /lookup/{organizationId}/mappings/{mappingId}",
)
def test_a_mapping_is_replaced_and_deleted(client: ServiceClient) -> None:
    created = client.lookup_mappings.create(mapping())
    changed = client.lookup_mappings.update(created.id, mapping("B", group=8))
    assert (changed.id, changed.attributes[0].values, changed.target_groups[0].id) == (created.id, ["B"], 8)
    assert client.lookup_mappings.retrieve(created.id) == changed
    assert "deleted successfully" in client.lookup_mappings.delete(created.id)
    assert client.lookup_mappings.search().items == []


@covers(
    "Endpoints: GET /lookup/{organizationId}/mappings/search",
    "Limits: Mappings on a page, unless pageSize is given",
)
def test_mappings_are_searched_by_group_and_attributes_in_both_orders_and_in_pages(client: ServiceClient) -> None:
    assert client.lookup_mappings.search().total_count == 0
    ids = [client.lookup_mappings.create(mapping(f"S{number}", group=number % 3 + 1)).id for number in range(23)]
    first = client.lookup_mappings.search()
    assert (len(first.items), first.page_size, first.total_count, first.total_pages, first.has_next) == (
        20,
        20,
        23,
        2,
        True,
    )
    assert [found.id for found in client.lookup_mappings.search(sort=OLDEST_FIRST)] == ids
    assert [found.id for found in client.lookup_mappings.search(sort=NEWEST_FIRST, page_size=7)] == ids[::-1]
    by_group = client.lookup_mappings.search(groups=[1, 2])
    assert [found.id for found in by_group] == [one for number, one in enumerate(ids) if number % 3 < 2]
    by_value = client.lookup_mappings.search(attributes={"site": ["S3", "S5", "none"], "floor": ["2"]})
    assert [found.id for found in by_value] == [ids[3], ids[5]]
    assert client.lookup_mappings.search(attributes={"floor": ["3"]}).items == []


@covers(
    "Errors: Lookup mappings 400 data.attributes NotEmpty",
    "Errors: Lookup mappings 400 data.targetGroups NotEmpty",
)
@pytest.mark.parametrize("field", ["attributes", "targetGroups"])
def test_empty_lists_are_refused_by_client_and_service(
    client: ServiceClient, service: RunningService, field: str
) -> None:
    payload = mapping().to_wire() | {field: []}
    with pytest.raises(Invalid) as caught:
        client.lookup_mappings.create(LookupMappingRequest.model_validate(payload))
    assert caught.value.sent is False
    assert [error.field for error in caught.value.field_errors] == [f"data.{field}"]
    # The service would return the same error.
    answer = service.http.post(
        "/lookup/8800/mappings",
        json={"data": payload},
        headers={"Authorization": f"Bearer {service.token()}"},
        auth=None,
    )
    (entry,) = answer.json()["errors"]
    assert (answer.status_code, entry["field"], entry["code"], entry["objectName"], entry["rejectedValue"]) == (
        400,
        f"data.{field}",
        "NotEmpty",
        "resourceObject",
        [],
    )
    assert {"codes", "arguments", "defaultMessage", "bindingFailure"} <= set(entry)
    error = classify(answer.status_code, answer.content)
    assert isinstance(error, Invalid)
    assert [found.field for found in error.field_errors] == [f"data.{field}"]


@covers(
    "Errors: Lookup mappings 401 Unauthorized",
    "Errors: Lookup mappings 401 Org <organizationId> not accessible to this user, or does not exist.",
)
def test_a_bad_token_is_distinguished_from_an_organization_without_access(service: RunningService) -> None:
    with service.client(token="eyJ.not.real") as stranger, pytest.raises(NotAuthenticated, match="token") as caught:
        stranger.lookup_mappings.search()
    assert (caught.value.status, caught.value.service_message) == (401, "Unauthorized")
    with (
        ServiceClient(
            service.url, OTHER_ORGANIZATION_ID, "ana", "correct horse", token=service.token()
        ) as other_organization,
        pytest.raises(NotAllowed) as not_allowed,
    ):
        other_organization.lookup_mappings.search()
    assert not_allowed.value.status == 401
    assert not_allowed.value.service_message == "Org 9900 not accessible to this user, or does not exist."


@covers("Errors: Lookup mappings 404 no body")
def test_an_unknown_mapping_is_not_found(client: ServiceClient) -> None:
    deleted = client.lookup_mappings.create(mapping())
    client.lookup_mappings.delete(deleted.id)
    for mapping_id in ("no such id", deleted.id):
        for call in (
            lambda one=mapping_id: client.lookup_mappings.retrieve(one),
            lambda one=mapping_id: client.lookup_mappings.update(one, mapping()),
            lambda one=mapping_id: client.lookup_mappings.delete(one),
        ):
            with pytest.raises(NotFound) as caught:
                call()
            assert (caught.value.status, caught.value.answer_text) == (404, "")


@covers("Errors: Lookup mappings 500 timestamp, status, error, exception, message, path")
def test_an_existing_mapping_is_a_duplicate_although_the_service_returns_500(client: ServiceClient) -> None:
    client.lookup_mappings.create(mapping())
    with pytest.raises(Duplicate) as caught:
        client.lookup_mappings.create(mapping())
    assert caught.value.status == 500
    assert caught.value.answer_text is not None
    assert all(
        f'"{key}"' in caught.value.answer_text
        for key in ("timestamp", "status", "error", "exception", "message", "path")
    )
    assert client.lookup_mappings.search().total_count == 1
