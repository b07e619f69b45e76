"""Notification events, notification categories and crisis task list templates, client and service over real HTTP."""

from __future__ import annotations

import pytest

from client import Invalid, NotAllowed, NotAuthenticated, NotFound, ServiceClient
from client.vocabulary.limits import CATEGORY_PAGE_SIZE
from tests.contract.covering import covers
from tests.running_service import OTHER_ORGANIZATION_ID, RunningService


@covers(
    "Endpoints: POST /notificationEvents/{organizationId}",
    "Endpoints: GET /notificationEvents/{organizationId}/{notificationEventId}",
    "Endpoints: GET /notificationEvents/{organizationId}",
)
def test_events_are_created_read_and_listed(client: ServiceClient) -> None:
    assert client.notification_events.list().items == []
    ids = [client.notification_events.create(name=f"Event {number}").id for number in range(13)]
    assert None not in ids
    event = client.notification_events.retrieve(ids[0] or 0)
    assert (event.id, event.name, event.status, event.organization_id) == (ids[0], "Event 0", "A", 8800)
    assert event.created_date is not None
    assert event.created_name == "Ana Silva"
    events = client.notification_events.list()
    assert ([found.id for found in events], events.total_count, events.has_next) == (ids, 13, False)
    with pytest.raises(NotFound):
        client.notification_events.retrieve(999_999)


@covers(
    "Endpoints: POST /notificationCategories/{organizationId}",
    "Endpoints: GET /notificationCategories/{organizationId}/{categoryId}",
    "Endpoints: GET /notificationCategories/{organizationId}",
)
def test_categories_are_created_read_and_listed_ten_per_page(client: ServiceClient) -> None:
    for number in range(CATEGORY_PAGE_SIZE + 3):
        result = client.notification_categories.create(name=f"Category {number:02}")
        assert (result.message, result.id) == ("OK", None)
    first, second = client.notification_categories.list(), client.notification_categories.list(page_number=2)
    assert (len(first.items), first.page_size, first.total_count, first.has_next) == (10, 10, 13, True)
    assert (len(second.items), second.has_next) == (3, False)
    found = list(client.notification_categories.list())
    assert sorted(category.name or "" for category in found) == [f"Category {number:02}" for number in range(13)]
    one = client.notification_categories.retrieve(found[4].id or 0)
    assert one == found[4]
    with pytest.raises(NotFound):
        client.notification_categories.retrieve(999_999)


@pytest.mark.parametrize("area", ["notification_events", "notification_categories"])
def test_a_blank_name_is_refused_by_client_and_service(
    client: ServiceClient, service: RunningService, area: str
) -> None:
    with pytest.raises(Invalid) as caught:
        getattr(client, area).create(name=" ")
    assert caught.value.sent is False
    path = {"notification_events": "notificationEvents", "notification_categories": "notificationCategories"}[area]
    for body in ({"name": " "}, {}, {"name": None}):
        assert service.http.post(f"/{path}/8800", json=body).status_code == 400


@covers("Endpoints: GET /cm/v1/crisisTaskListTemplates", "Limits: Templates on a page, unless pageSize is given")
def test_templates_are_listed_all_at_once_or_in_pages(demo_client: ServiceClient) -> None:
    everything = demo_client.crisis_templates.list(contain_used=True)
    assert (everything.total_count, everything.has_next) == (len(everything.items), False)
    assert everything.items
    assert all(found.id and found.name and found.status == "A" for found in everything)
    in_pages = demo_client.crisis_templates.list(contain_used=True, page_size=1)
    assert [found.id for found in in_pages] == [found.id for found in everything]


def test_templates_are_filtered_and_sorted(demo_client: ServiceClient) -> None:
    everything = demo_client.crisis_templates.list(contain_used=True).items
    unused = demo_client.crisis_templates.list().items
    assert {found.id for found in unused} <= {found.id for found in everything}
    up = demo_client.crisis_templates.list(column_name="name", order_direction="ASC", contain_used=True).items
    down = demo_client.crisis_templates.list(column_name="name", order_direction="DESC", contain_used=True).items
    assert {found.id for found in up} == {found.id for found in down} == {found.id for found in everything}
    assert [found.name for found in up] == [found.name for found in down][::-1]
    part = (everything[0].name or "")[:4].upper()
    by_name = demo_client.crisis_templates.list(filtered=part, contain_used=True).items
    assert everything[0].id in {found.id for found in by_name}
    folder = everything[0].folder_id
    assert folder is not None
    in_folder = demo_client.crisis_templates.list(folder_ids=[folder, "no such folder"], contain_used=True).items
    assert {found.id for found in in_folder} == {found.id for found in everything if found.folder_id == folder}
    assert demo_client.crisis_templates.list(folder_ids=["no such folder"], contain_used=True).items == []


def test_the_system_template_is_created_only_on_request(client: ServiceClient) -> None:
    assert client.crisis_templates.list(need_init=False).items == []
    assert len(client.crisis_templates.list().items) == 1
    assert len(client.crisis_templates.list(need_init=False).items) == 1


def test_templates_require_a_user_and_organization(service: RunningService) -> None:
    with (
        ServiceClient(service.url, service.organization_id, "ana", "guess") as wrong,
        pytest.raises(NotAuthenticated),
    ):
        wrong.crisis_templates.list()
    with (
        ServiceClient(service.url, OTHER_ORGANIZATION_ID, "ana", "correct horse") as other_organization,
        pytest.raises(NotAllowed),
    ):
        other_organization.crisis_templates.list()
