"""Notifications with public alerts and the two lookups, client and service over real HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from client import Invalid, NotAllowed, NotAuthenticated, ServiceClient
from client.classify import classify
from client.models.notifications import Community, NotificationMessage, NotificationRequest, PublicAlert
from client.models.public_alert_rules import Offered, notification_problems
from client.vocabulary.limits import NOTIFICATION_PAGE_SIZE
from service.accounts.repository import find_user, set_public_alerts
from service.database import Database
from tests.alerts import allowed_alerts, forbidden_alerts
from tests.contract.covering import covers
from tests.running_service import RunningService

ALERT = PublicAlert(
    category="Met",
    event="Tornado Warning",
    urgency="Immediate",
    severity="Extreme",
    certainty="Observed",
    expire="4",
    sms_message="Take shelter now.",
    type=2,
)
MESSAGE = NotificationMessage(title="Tornado", text_message="Take shelter.")


@covers("Endpoints: POST /notifications", "Endpoints: GET /notifications")
def test_an_alert_is_sent_and_read_back_unchanged(demo_client: ServiceClient) -> None:
    groups = demo_client.public_lookups.list_event_groups()
    regions = demo_client.public_lookups.list_regions()
    offered = Offered({group.id for group in groups}, regions.ids)
    alert = ALERT.model_copy(
        update={
            "instructions": "Go to the lowest floor.",
            "event_groups": [groups[0].id],
            "apply_zip_code_to_event_groups": True,
            "community": Community(
                contact_name="Ana Silva",
                contact_email="ana@city.example",
                contact_division="Desk",
                contact_phone="911",
                jurisdiction_type="some",
                region_ids=[regions.cities[0].id, regions.zipcodes[0].id, regions.counties[0].id],
            ),
        }
    )
    sent = demo_client.notifications.create(
        NotificationRequest(
            message=MESSAGE,
            type="Standard",
            launchtype="SendNow",
            broadcast_contacts={"contactIds": [2**60]},
            broadcast_settings={"confirm": False},
            priority="Priority",
            public_alert=alert,
        ),
        offered=offered,
    )
    assert sent.message == "OK"
    found = next(found for found in demo_client.notifications.list() if found.id == sent.id)
    assert found.public_alert is not None
    assert found.public_alert.model_dump(by_alias=True, exclude_none=True) == alert.to_wire()
    assert found.message is not None
    assert (found.message.title, found.message.text_message) == ("Tornado", "Take shelter.")
    assert (found.type, found.launchtype, found.priority) == ("Standard", "SendNow", "Priority")
    assert (found.broadcast_contacts, found.broadcast_settings) == ({"contactIds": [2**60]}, {"confirm": False})
    assert found.is_running


def test_a_repeated_notification_is_sent_twice(client: ServiceClient) -> None:
    request = NotificationRequest(message=MESSAGE)
    ids = {client.notifications.create(request).id, client.notifications.create(request).id}
    assert {found.id for found in client.notifications.list()} == ids


def test_notifications_are_listed_ten_per_page_and_by_event(client: ServiceClient) -> None:
    event_id = client.notification_events.create(name="Storm").id
    for number in range(NOTIFICATION_PAGE_SIZE + 2):
        client.notifications.create(
            NotificationRequest(message=MESSAGE, notification_event_id=event_id if number < 3 else None)
        )
    first = client.notifications.list()
    assert (len(first.items), first.page_size, first.total_count, first.has_next) == (10, 10, 12, True)
    assert len(list(first)) == 12
    of_event = client.notifications.list(notification_event_id=event_id)
    assert len(of_event.items) == 3
    assert {found.notification_event_id for found in of_event} == {event_id}
    assert client.notifications.list(notification_event_id=-1).total_count == 12
    assert len(client.notifications.list(only_active=True).items) == 10


@covers("Endpoints: GET /publicEventGroups/{organizationId}", "Endpoints: GET /publicRegionIds/{organizationId}")
def test_the_lookups_offer_groups_and_real_regions(demo_client: ServiceClient) -> None:
    groups = demo_client.public_lookups.list_event_groups()
    assert groups
    assert all(group.id > 0 and group.group_name for group in groups)
    regions = demo_client.public_lookups.list_regions()
    for kind in (regions.cities, regions.zipcodes, regions.counties):
        assert kind
        assert all(region.name and region.state for region in kind)
    assert "73301" in {region.name for region in regions.zipcodes if region.state == "TX"}
    assert len(regions.ids) == len(regions.cities) + len(regions.zipcodes) + len(regions.counties)


def test_a_user_without_the_feature_gets_an_error(client: ServiceClient, service: RunningService) -> None:
    database = Database(service.database_url)
    with database.transaction() as connection:
        user = find_user(connection, service.username)
        assert user is not None
        set_public_alerts(connection, user.id, allowed=False)
    database.close()
    for call in (client.public_lookups.list_event_groups, client.public_lookups.list_regions):
        with pytest.raises(NotAllowed) as caught:
            call()
        assert caught.value.status == 401
        assert caught.value.service_message == "User does not have API permissions for this method"


def test_the_lookups_report_wrong_credentials(service: RunningService) -> None:
    with ServiceClient(service.url, service.organization_id, service.username, "guess") as client:
        for call in (client.public_lookups.list_event_groups, client.public_lookups.list_regions):
            with pytest.raises(NotAuthenticated) as caught:
                call()
            assert caught.value.service_message == "Invalid credentials: Get User failed"


def check_with_service(service: RunningService, alert: dict[str, Any]) -> Exception | None:
    answer = service.http.post("/notifications", json={"publicMessages": {"publicAlertMessage": alert}})
    return classify(answer.status_code, answer.content)


def problems(alert: dict[str, Any], offered: Offered) -> list[Any]:
    made = PublicAlert.model_validate({"action": None} | alert)
    return notification_problems(NotificationRequest(public_alert=made), offered=offered)


few_examples = settings(
    max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def offered(demo_client: ServiceClient) -> Offered:
    return demo_client.public_lookups.offered()


@few_examples
@given(data=st.data())
def test_client_and_service_accept_what_the_field_table_allows(
    demo_copy: RunningService, offered: Offered, data: Any
) -> None:
    groups, regions = tuple(sorted(offered.event_group_ids)), tuple(sorted(offered.region_ids)[:50])
    alert = data.draw(allowed_alerts(groups, regions))
    assert problems(alert, offered) == []
    assert check_with_service(demo_copy, alert) is None


@few_examples
@given(data=st.data())
def test_client_and_service_refuse_what_the_field_table_forbids(
    demo_copy: RunningService, offered: Offered, data: Any
) -> None:
    groups, regions = tuple(sorted(offered.event_group_ids)), tuple(sorted(offered.region_ids)[:50])
    alert = data.draw(forbidden_alerts(groups, regions))
    assert problems(alert, offered)
    assert isinstance(check_with_service(demo_copy, alert), Invalid)


def assert_both_refuse(service: RunningService, offered: Offered, changed: dict[str, Any], field: str) -> None:
    alert = ALERT.to_wire() | changed
    assert [problem.field for problem in problems(alert, offered)] == [f"publicMessages.publicAlertMessage.{field}"]
    error = check_with_service(service, alert)
    assert isinstance(error, Invalid)
    assert [entry.field for entry in error.field_errors] == [f"publicMessages.publicAlertMessage.{field}"]


@covers("Limits: expire of a public alert")
def test_an_alert_ends_after_1_to_24_hours(demo_copy: RunningService, offered: Offered) -> None:
    for hours in ("0", "25", "-1", "1.5", "01"):
        assert_both_refuse(demo_copy, offered, {"expire": hours}, "expire")
    for hours in ("1", "24"):
        assert problems(ALERT.to_wire() | {"expire": hours}, offered) == []
        assert check_with_service(demo_copy, ALERT.to_wire() | {"expire": hours}) is None


@covers("Limits: contactPhone of a public alert")
def test_a_contact_phone_has_3_or_10_digits(demo_copy: RunningService, offered: Offered) -> None:
    for phone in ("91", "9111", "555123456", "55512345678", "555-123456", "٩١١"):
        assert_both_refuse(demo_copy, offered, {"community": {"contactPhone": phone}}, "community.contactPhone")
    for phone in ("911", "5551234567"):
        assert check_with_service(demo_copy, ALERT.to_wire() | {"community": {"contactPhone": phone}}) is None
