"""Notifications: sending, the list, and every rule of the public alert's field table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, text

from service.accounts import provisioning
from service.accounts.passwords import hash_password
from service.database import Database
from tests.running_service import RunningService
from tests.service.alerts import ALERT, alert, notification, send, send_alert, send_and_read
from tests.service.filters import assert_field_refused
from tests.service.interface_document import events_by_category, exact_words, fields

URGENCIES = ("Expected", "Unknown", "Immediate", "Past", "Future")
SEVERITIES = ("Moderate", "Unknown", "Extreme", "Minor", "Severe")
CERTAINTIES = ("Unknown", "Possible", "Observed", "Unlikely", "Likely")
BOSTON = 2108
HOUR = 3_600_000
few_examples = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def service() -> Iterator[RunningService]:
    """One service for all tests of this module, with event groups, events, and categories."""
    with RunningService() as service:
        with closing(Database(service.database_url)) as database, database.transaction() as connection:
            for name in ("Schools", "Hospitals"):
                provisioning.add_event_group(connection, 8800, name)
            provisioning.add_event_group(connection, 9900, "Somebody else's")
        for name in ("Storm", "Fire"):
            assert service.http.post("/notificationEvents/8800", json={"name": name}).status_code == 200
            assert service.http.post("/notificationCategories/8800", json={"name": name}).status_code == 200
        yield service


@pytest.fixture(scope="module")
def group(service: RunningService) -> int:
    """The ID of an event group of the organization."""
    found: int = service.http.get("/publicEventGroups/8800").json()[0]["id"]
    return found


# Endpoints: POST and GET `/notifications`


def test_create_returns_a_modification_result(service: RunningService) -> None:
    """POST `/notifications`; Modification result: `baseUri` ends with the organization id and a slash."""
    answer = send_alert(service)
    base = f"{service.url}/rest/notifications/8800/"
    identity = answer.json()["id"]
    assert answer.status_code == 200
    assert answer.json() == {"message": "OK", "id": identity, "baseUri": base, "instanceUri": f"{base}{identity}"}


def test_the_list_returns_the_notification_as_sent(service: RunningService, group: int) -> None:
    """Public-alert message: the same shape is returned by GET and accepted by POST; all fields of the table."""
    whole = alert(
        instructions="Bring water.",
        applyZipCodeToEventGroups=True,
        community={
            "contactName": "Ana",
            "contactEmail": "ana@example.com",
            "contactDivision": "Water",
            "contactPhone": "6175550100",
            "jurisdictionType": "some",
            "regionIds": [BOSTON],
        },
        eventGroups=[group],
    )
    assert set(whole) == set(fields("Public-alert message"))
    found = send_and_read(service, {"publicMessages": {"publicAlertMessage": whole}})
    assert found["publicMessages"] == {"publicAlertMessage": whole}


def test_the_base_payload_is_stored(service: RunningService) -> None:
    """In addition to the public channel: message, type, launchtype, broadcast data, event, category, priority."""
    payload = {
        "message": {"title": "Drill", "textMessage": "  Only a drill.\n"},
        "type": "Polling",
        "launchtype": "SendNow",
        "broadcastContacts": {"contactIds": [1, 2**63], "filters": None},
        "broadcastSettings": {"confirm": True, "deep": {"list": [None, 1.5]}},
        "notificationEventId": service.http.get("/notificationEvents/8800").json()["page"]["data"][0]["id"],
        "categoryId": service.http.get("/notificationCategories/8800").json()["page"]["data"][0]["id"],
        "priority": "NonPriority",
    }
    found = send_and_read(service, payload)
    assert payload.items() <= found.items()
    assert found["createdName"] == "Ana Silva"
    assert (found["status"], found["organizationId"], found["notificationStatus"]) == ("A", 8800, "Inprogress")


def test_type_and_launch_type_have_defaults(service: RunningService) -> None:
    """`type` Standard, `launchtype` SendNow."""
    found = send_and_read(service, notification())
    assert (found["type"], found["launchtype"]) == ("Standard", "SendNow")
    assert found["publicMessages"]["publicAlertMessage"]["applyZipCodeToEventGroups"] is False


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"message": None, "publicMessages": None}, "message"),
        ({"message": {"title": " ", "textMessage": ""}, "publicMessages": {}}, "message"),
        ({"type": "Urgent"}, "type"),
        ({"type": "standard"}, "type"),
        ({"launchtype": "Later"}, "launchtype"),
        ({"notificationEventId": 987654321}, "notificationEventId"),
        ({"notificationEventId": "1"}, "notificationEventId"),
        ({"notificationEventId": -1}, "notificationEventId"),
        ({"categoryId": 987654321}, "categoryId"),
        ({"categoryId": 2**63}, "categoryId"),
        ({"broadcastContacts": [1]}, "broadcastContacts"),
        ({"broadcastSettings": "x"}, "broadcastSettings"),
        ({"message": {"title": 5}}, "message.title"),
        ({"priority": 1}, "priority"),
        ({"publicMessages": []}, "publicMessages"),
        ({"publicMessages": {"publicAlertMessage": "x"}}, ALERT),
    ],
)
def test_an_invalid_base_payload_is_refused(service: RunningService, changes: dict[str, Any], field: str) -> None:
    """400 `{status, message}`; nothing is sent."""
    payload = {"message": {"title": "Drill"}} | notification() | changes
    before = service.http.get("/notifications").json()["page"]["totalCount"]
    assert_field_refused(send(service, {key: value for key, value in payload.items() if value is not None}), field)
    assert service.http.get("/notifications").json()["page"]["totalCount"] == before


def test_a_message_alone_is_a_notification(service: RunningService) -> None:
    """The public channel is optional."""
    assert "publicMessages" not in send_and_read(service, {"message": {"textMessage": "Lunch is ready."}})


def test_a_repeated_notification_is_sent_twice(service: RunningService) -> None:
    """The interface has no idempotency key."""
    first, second = (send_alert(service, smsMessage="Twice").json()["id"] for _ in range(2))
    assert first != second


def test_notifications_are_listed_ten_per_page_newest_first() -> None:
    """GET `/notifications`: `pageNumber`, the envelope."""
    with RunningService() as other:
        ids = [send_alert(other).json()["id"] for _ in range(11)]
        first = other.http.get("/notifications").json()
        second = other.http.get(first["nextPageUri"]).json()
        uri = f"{other.url}/rest/notifications?pageNumber="
    assert set(first) == {"message", "firstPageUri", "nextPageUri", "lastPageUri", "page"}
    assert set(first["page"]) == {"pageSize", "start", "data", "totalCount", "totalPageCount", "currentPageNo"}
    assert (first["page"]["pageSize"], first["page"]["totalCount"], first["page"]["totalPageCount"]) == (10, 11, 2)
    assert (first["nextPageUri"], first["lastPageUri"]) == (f"{uri}2", f"{uri}2")
    assert "nextPageUri" not in second
    assert [item["id"] for item in first["page"]["data"] + second["page"]["data"]] == ids[::-1]


def test_the_list_can_be_filtered_by_event() -> None:
    """`notificationEventId` filters; -1 means all; links keep the filter."""
    with RunningService() as other:
        event = other.http.post("/notificationEvents/8800", json={"name": "Storm"}).json()["id"]
        of_event = [send(other, notification() | {"notificationEventId": event}).json()["id"] for _ in range(11)]
        other_id = send_alert(other).json()["id"]
        first = other.http.get("/notifications", params={"notificationEventId": event}).json()
        second = other.http.get(first["nextPageUri"]).json()
        every = other.http.get("/notifications?notificationEventId=-1").json()
        none = other.http.get("/notifications?notificationEventId=4711").json()
    assert sorted(item["id"] for item in first["page"]["data"] + second["page"]["data"]) == of_event
    assert (every["page"]["totalCount"], every["page"]["data"][0]["id"]) == (12, other_id)
    assert (none["page"]["data"], none["page"]["totalPageCount"]) == ([], 0)


def test_only_active_lists_notifications_in_progress() -> None:
    """`onlyActive`; `notificationStatus` is `Inprogress`, `Completed` or `Stopped`; an alert ends after its hours."""
    with RunningService() as other:
        ids = [send_alert(other, expire=hours).json()["id"] for hours in ("24", "2", "2")]
        ids.append(send(other, {"message": {"title": "No alert"}}).json()["id"])
        engine = create_engine(other.database_url)
        with engine.begin() as connection:
            # Let time pass: the alert ends after 2 hours, and the notification without an alert after 1.
            for ended_id, past in ((ids[1], 2 * HOUR), (ids[3], HOUR)):
                change = "UPDATE notifications SET ends_at = ends_at - :past WHERE id = :id"
                connection.execute(text(change), {"past": past, "id": ended_id})
            connection.execute(text("UPDATE notifications SET stopped = true WHERE id = :id"), {"id": ids[2]})
        engine.dispose()
        every = {item["id"]: item for item in other.http.get("/notifications").json()["page"]["data"]}
        active = other.http.get("/notifications?onlyActive=true").json()["page"]
        assert other.http.get("/notifications?onlyActive=false").json()["page"]["totalCount"] == 4
    statuses = [every[identity]["notificationStatus"] for identity in ids]
    assert statuses == ["Inprogress", "Completed", "Stopped", "Completed"]
    assert ([item["id"] for item in active["data"]], active["totalCount"]) == ([ids[0]], 1)


@pytest.mark.parametrize("query", ["pageNumber=0", "onlyActive=perhaps", "notificationEventId=x"])
def test_an_invalid_parameter_is_refused(service: RunningService, query: str) -> None:
    """400 names the parameter."""
    answer = service.http.get(f"/notifications?{query}")
    assert (answer.status_code, query.partition("=")[0] in answer.json()["message"]) == (400, True)


# Organization and permissions


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_notifications_require_credentials(service: RunningService, method: str) -> None:
    """Authentication."""
    answer = service.http.request(method, "/notifications", json=notification(), auth=("ana", "wrong"))
    assert (answer.status_code, answer.json()["message"]) == (401, "Invalid credentials: Get User failed")


@pytest.fixture(scope="module")
def auth_by_user(service: RunningService) -> dict[str, httpx.BasicAuth]:
    """Users with two organizations, with none, and without public alerts."""
    with closing(Database(service.database_url)) as database, database.transaction() as connection:
        provisioning.add_user(connection, "two", hash_password("secret"), [8800, 9900], display_name="Two")
        provisioning.add_user(connection, "none", hash_password("secret"), [], display_name="None")
        provisioning.add_user(connection, "without", hash_password("secret"), [8800], display_name="Without")
        provisioning.set_public_alerts(connection, "without", allowed=False)
    return {name: httpx.BasicAuth(name, "secret") for name in ("two", "none", "without")}


def test_a_user_of_several_organizations_must_name_one(service: RunningService, auth_by_user: dict[str, Any]) -> None:
    """The path names no organization, and the service does not guess one."""
    answer = send(service, notification(), auth=auth_by_user["two"])
    assert (answer.status_code, "X-SVC-Organization-Id" in answer.json()["message"]) == (400, True)
    headers = {"X-SVC-Organization-Id": "9900"}
    answer = send(service, notification(), auth=auth_by_user["two"], headers=headers)
    assert answer.json()["baseUri"].endswith("/9900/")
    records = service.http.get("/notifications", auth=auth_by_user["two"], headers=headers).json()["page"]["data"]
    assert [item["organizationId"] for item in records] == [9900]


def test_an_organization_without_access_is_refused(service: RunningService, auth_by_user: dict[str, Any]) -> None:
    """Authentication."""
    answer = send(service, notification(), headers={"X-SVC-Organization-Id": "9900"})
    assert answer.json() == {"status": 401, "message": "Org 9900 not accessible to this user, or does not exist."}
    assert send(service, notification(), auth=auth_by_user["none"]).status_code == 401


def test_a_public_alert_requires_the_feature(service: RunningService, auth_by_user: dict[str, Any]) -> None:
    """Public-alert lookup errors; notifications without a public message are not affected."""
    answer = send(service, notification(), auth=auth_by_user["without"])
    assert (answer.status_code, answer.json()) == (
        401,
        {"code": 401, "message": "User does not have API permissions for this method"},
    )
    assert send(service, {"message": {"title": "Drill"}}, auth=auth_by_user["without"]).status_code == 200


# Public-alert message: the field table


def test_categories_are_those_of_the_field_table(service: RunningService) -> None:
    """`category`: case-sensitive; one of twelve."""
    assert exact_words(fields("Public-alert message")["category"][3]) == sorted(events_by_category())
    for category in ("met", "MET", "Weather", "Met ", "Meteorology"):
        assert_field_refused(send_alert(service, category=category), f"{ALERT}.category")
    for event in ("flood warning", "Flood warning", "Flood", "Flood Warning "):
        assert_field_refused(send_alert(service, event=event), f"{ALERT}.event")


@pytest.mark.parametrize(
    ("field", "allowed"), [("urgency", URGENCIES), ("severity", SEVERITIES), ("certainty", CERTAINTIES)]
)
def test_severity_levels_are_those_of_the_field_table(
    service: RunningService, field: str, allowed: tuple[str, ...]
) -> None:
    """`urgency`, `severity`, `certainty`: case-sensitive; the values of the table."""
    assert exact_words(fields("Public-alert message")[field][3]) == list(allowed)
    for word in allowed:
        assert send_alert(service, **{field: word}).status_code == 200
        assert_field_refused(send_alert(service, **{field: word.lower()}), f"{ALERT}.{field}")
    others = {*URGENCIES, *SEVERITIES, *CERTAINTIES} - set(allowed)
    for word in (*sorted(others), "x"):
        assert_field_refused(send_alert(service, **{field: word}), f"{ALERT}.{field}")


def test_expire_is_hours_as_a_string(service: RunningService) -> None:
    """`expire`: hours as a string, `1` to `24`. Public-alert limits."""
    for hours in range(1, 25):
        found = send_and_read(service, notification(expire=str(hours)))
        assert found["publicMessages"]["publicAlertMessage"]["expire"] == str(hours)
    for wrong in ("0", "25", "-1", "1.5", "01", " 1", "1 ", "+1", "one", "", "١", 12, 12.0, True, ["1"]):
        assert_field_refused(send_alert(service, expire=wrong), f"{ALERT}.expire")


@pytest.mark.parametrize(
    "field", [name for name, row in fields("Public-alert message").items() if row[2] == "yes"], ids=str
)
def test_required_fields_are_checked(service: RunningService, field: str) -> None:
    """`Required` yes: category, event, urgency, severity, certainty, expire, smsMessage, action, type."""
    for absent in (None, "") if field != "type" else (None,):
        answer = send_alert(service, **{field: absent})
        assert answer.json() == {"status": 400, "message": f"Field {ALERT}.{field} is empty."}
    answer = send(service, {"publicMessages": {"publicAlertMessage": alert() | {field: None}}})
    assert answer.json() == {"status": 400, "message": f"Field {ALERT}.{field} is empty."}


def test_optional_fields_may_be_null(service: RunningService) -> None:
    """`Required` no."""
    optional = {name: None for name, row in fields("Public-alert message").items() if row[2] == "no"}
    assert set(optional) == {"instructions", "applyZipCodeToEventGroups", "community", "eventGroups"}
    answer = send(service, {"publicMessages": {"publicAlertMessage": alert() | optional}})
    assert answer.status_code == 200, answer.text


def test_the_message_is_sent_unchanged(service: RunningService) -> None:
    """`smsMessage`, `instructions`: text, stored exactly."""
    message = "  Höher gehen! 🌊\n\nNow.  "
    found = send_and_read(service, notification(smsMessage=message, instructions=message))["publicMessages"][
        "publicAlertMessage"
    ]
    assert (found["smsMessage"], found["instructions"]) == (message, message)
    for wrong in ("  ", "\n", 7, ["x"], "a\0b"):
        assert_field_refused(send_alert(service, smsMessage=wrong), f"{ALERT}.smsMessage")


@pytest.mark.parametrize("action", ["update", "cancel", "Create", "CREATE", "delete", 1])
def test_only_the_action_create_is_accepted(service: RunningService, action: Any) -> None:
    """`action`: only `create`; update and cancel are announced for a future release."""
    assert_field_refused(send_alert(service, action=action), f"{ALERT}.action")


def test_types_are_those_of_the_document(service: RunningService) -> None:
    """`type`: `2` (Alert), `3` (Advisory), `5` (Community)."""
    for number in (2, 3, 5):
        assert send_alert(service, type=number).status_code == 200
    for wrong in (0, 1, 4, 6, -2, "2", 2.5, True, [2], 2**70):
        assert_field_refused(send_alert(service, type=wrong), f"{ALERT}.type")


@pytest.mark.parametrize("with_community", [True, False])
@pytest.mark.parametrize("with_groups", [True, False])
def test_apply_zip_code_is_allowed_only_with_community_and_event_groups(
    service: RunningService, group: int, with_community: bool, with_groups: bool
) -> None:
    """`applyZipCodeToEventGroups`: true only when both `community` and `eventGroups` have values."""
    given_fields: dict[str, Any] = {
        "community": {"regionIds": [BOSTON]} if with_community else None,
        "eventGroups": [group] if with_groups else None,
    }
    answer = send_alert(service, applyZipCodeToEventGroups=True, **given_fields)
    if with_community and with_groups:
        assert answer.status_code == 200, answer.text
    else:
        assert_field_refused(answer, f"{ALERT}.applyZipCodeToEventGroups")
    for allowed in (False, None):
        found = send_and_read(service, notification(applyZipCodeToEventGroups=allowed, **given_fields))
        assert found["publicMessages"]["publicAlertMessage"]["applyZipCodeToEventGroups"] is False


def test_an_empty_community_or_list_is_not_a_value(service: RunningService, group: int) -> None:
    """`applyZipCodeToEventGroups`: an empty community and an empty list are not values."""
    empty: list[dict[str, Any]] = [{}, {"contactName": ""}, {"regionIds": []}, {"contactPhone": None}]
    for community in empty:
        answer = send_alert(service, applyZipCodeToEventGroups=True, community=community, eventGroups=[group])
        assert_field_refused(answer, f"{ALERT}.applyZipCodeToEventGroups")
    community = {"contactName": "Ana"}
    answer = send_alert(service, applyZipCodeToEventGroups=True, community=community, eventGroups=[])
    assert_field_refused(answer, f"{ALERT}.applyZipCodeToEventGroups")
    for wrong in ("true", 1):
        assert_field_refused(send_alert(service, applyZipCodeToEventGroups=wrong), f"{ALERT}.applyZipCodeToEventGroups")


def test_the_contact_phone_is_checked(service: RunningService) -> None:
    """`contactPhone`: numeric only; length 3 or 10. Public-alert limits."""
    for phone in ("311", "000", "6175550100"):
        assert send_alert(service, community={"contactPhone": phone}).status_code == 200
    for wrong in ("31", "3111", "617555010", "61755501000", "617-555-01", "+17555010", "abc", "31 ", "٣١١", 311, "½11"):
        assert_field_refused(send_alert(service, community={"contactPhone": wrong}), f"{ALERT}.community.contactPhone")


def test_the_jurisdiction_is_checked(service: RunningService) -> None:
    """`jurisdictionType`: case-sensitive `all` or `some`."""
    for word in ("all", "some"):
        assert send_alert(service, community={"jurisdictionType": word}).status_code == 200
    for wrong in ("All", "SOME", "none", "all ", 1):
        assert_field_refused(
            send_alert(service, community={"jurisdictionType": wrong}), f"{ALERT}.community.jurisdictionType"
        )


@pytest.mark.parametrize("field", ["contactName", "contactEmail", "contactDivision"])
def test_contact_fields_are_text(service: RunningService, field: str) -> None:
    """`contactName`, `contactEmail`, `contactDivision`: string, optional."""
    assert send_alert(service, community={field: "Ana"}).status_code == 200
    assert_field_refused(send_alert(service, community={field: 7}), f"{ALERT}.community.{field}")


def test_region_ids_must_be_in_the_lookup(service: RunningService) -> None:
    """`regionIds`: ids returned by the region lookup, of every kind."""
    regions = service.http.get("/publicRegionIds/8800").json()
    offered = [regions[kind][position]["id"] for kind in ("cities", "zipcodes", "counties") for position in (0, -1)]
    found = send_and_read(service, notification(community={"regionIds": offered}))
    assert found["publicMessages"]["publicAlertMessage"]["community"] == {"regionIds": offered}
    for wrong in (1, 99_999, 3_000_000_000, 0, -1, 2**63, "2108", 2108.5, True, None):
        answer = send_alert(service, community={"regionIds": [BOSTON, wrong]})
        assert_field_refused(answer, f"{ALERT}.community.regionIds[1]")
    assert_field_refused(send_alert(service, community={"regionIds": BOSTON}), f"{ALERT}.community.regionIds")


def test_event_groups_must_be_in_the_lookup(service: RunningService) -> None:
    """`eventGroups`: IDs returned by the event-group lookup; those of another organization are invalid."""
    own = [item["id"] for item in service.http.get("/publicEventGroups/8800").json()]
    found = send_and_read(service, notification(eventGroups=own))
    assert found["publicMessages"]["publicAlertMessage"]["eventGroups"] == own
    with closing(Database(service.database_url)) as database, database.transaction() as connection:
        [foreign] = connection.execute(text("SELECT id FROM event_groups WHERE organization_id = 9900")).scalars()
    for wrong in (foreign, 4711, 0, -1, "1", True):
        assert_field_refused(send_alert(service, eventGroups=[own[0], wrong]), f"{ALERT}.eventGroups[1]")


# Any alert that the table allows is accepted, any that it forbids is refused

texts = st.text(min_size=1, max_size=200).filter(lambda text: text.strip() and "\0" not in text and text.isprintable())
communities = st.fixed_dictionaries(
    {},
    optional={
        "contactName": texts,
        "contactEmail": texts,
        "contactDivision": texts,
        "contactPhone": st.from_regex(r"\A([0-9]{3}|[0-9]{10})\Z"),
        "jurisdictionType": st.sampled_from(["all", "some"]),
        "regionIds": st.lists(st.sampled_from([2108, 10001, 60601, 94103]), max_size=4),
    },
)


@st.composite
def allowed_alerts(draw: st.DrawFn) -> dict[str, Any]:
    category = draw(st.sampled_from(list(events_by_category())))
    found = alert(
        category=category,
        event=draw(st.sampled_from(events_by_category()[category])),
        urgency=draw(st.sampled_from(URGENCIES)),
        severity=draw(st.sampled_from(SEVERITIES)),
        certainty=draw(st.sampled_from(CERTAINTIES)),
        expire=str(draw(st.integers(1, 24))),
        smsMessage=draw(texts),
        instructions=draw(st.none() | texts),
        type=draw(st.sampled_from([2, 3, 5])),
        community=draw(st.none() | communities),
        eventGroups=draw(st.none() | st.lists(st.sampled_from([1, 2]), max_size=3)),
    )
    community = {key: value for key, value in found.get("community", {}).items() if value != []}
    may_apply = bool(community and found.get("eventGroups"))
    found["applyZipCodeToEventGroups"] = draw(st.booleans()) if may_apply else False
    return found


@given(allowed_alerts())
@few_examples
def test_an_alert_that_the_table_allows_is_accepted_and_stored(
    service: RunningService, alert_payload: dict[str, Any]
) -> None:
    """It is returned as sent, except for lists and objects without a value."""
    found = send_and_read(service, {"publicMessages": {"publicAlertMessage": alert_payload}})["publicMessages"][
        "publicAlertMessage"
    ]
    community = {key: value for key, value in alert_payload.pop("community", {}).items() if value != []}
    groups = alert_payload.pop("eventGroups", [])
    assert found.pop("community", {}) == community
    assert found.pop("eventGroups", []) == groups
    assert found == alert_payload


FORBIDDEN: dict[str, list[Any]] = {
    "category": ["fire", "Weather", 1, None],
    "event": ["Alien Landing", "", 5, None],
    "urgency": ["Likely", "past", None],
    "severity": ["Likely", "minor", None],
    "certainty": ["Past", "likely", None],
    "expire": ["0", "25", 5, None],
    "smsMessage": ["", "   ", 5, None],
    "action": ["update", "cancel", None],
    "type": [1, 4, "2", None],
    "community": [{"contactPhone": "12"}, {"jurisdictionType": "few"}, {"regionIds": [1]}, "x"],
    "eventGroups": [[0], [4711], ["1"], 1],
    "instructions": [5],
    "applyZipCodeToEventGroups": ["yes", 1],
}


@given(allowed_alerts(), st.sampled_from(sorted(FORBIDDEN)), st.data())
@few_examples
def test_an_alert_that_the_table_forbids_is_refused(
    service: RunningService, alert_payload: dict[str, Any], field: str, data: st.DataObject
) -> None:
    """One invalid field is enough, and the error names it."""
    wrong = data.draw(st.sampled_from(FORBIDDEN[field]))
    alert_payload["applyZipCodeToEventGroups"] = False
    answer = send(service, {"publicMessages": {"publicAlertMessage": alert_payload | {field: wrong}}})
    assert answer.status_code == 400
    assert answer.json()["message"].startswith(f"Field {ALERT}.{field}"), answer.text


# The demo organization


def test_the_demo_has_alerts_in_every_status(demo_service: RunningService) -> None:
    """Three pages of notifications; the lookups offer every ID in them."""
    pages = [demo_service.http.get(f"/notifications?pageNumber={number}").json()["page"] for number in (1, 2, 3)]
    found = [item for page in pages for item in page["data"]]
    assert {item["notificationStatus"] for item in found} == {"Inprogress", "Completed", "Stopped"}
    assert {item["type"] for item in found} == {"Standard", "Polling", "Conference"}
    alerts = [item["publicMessages"]["publicAlertMessage"] for item in found if "publicMessages" in item]
    assert {alert_payload["category"] for alert_payload in alerts} == set(events_by_category())
    groups = {item["id"] for item in demo_service.http.get("/publicEventGroups/8800001").json()}
    regions = {
        item["id"] for items in demo_service.http.get("/publicRegionIds/8800001").json().values() for item in items
    }
    assert {number for alert_payload in alerts for number in alert_payload.get("eventGroups", [])} <= groups
    assert {
        number for alert_payload in alerts for number in alert_payload.get("community", {}).get("regionIds", [])
    } <= regions
    assert any(alert_payload["applyZipCodeToEventGroups"] for alert_payload in alerts)
    for alert_payload in alerts:
        assert (
            send(demo_service, {"publicMessages": {"publicAlertMessage": alert_payload | {"action": "x"}}}).status_code
            == 400
        )
