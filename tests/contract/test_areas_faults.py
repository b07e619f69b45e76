"""Areas other than itineraries on a faulty network: reads are retried, and a create is sent once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from client import (
    ConnectionFailed,
    OutcomeUnknown,
    RetryPolicy,
    ServiceClient,
    ServiceError,
    ServiceFailed,
    TimedOut,
    Timeouts,
    TooManyRequests,
    UndecodableAnswer,
)
from client.models.assets import Asset
from client.models.contact_filters import ContactFilter, ContactFilterRule
from client.models.lookup_mappings import LookupMappingRequest, MappingAttribute, TargetGroup
from client.models.notifications import NotificationMessage, NotificationRequest
from client.vocabulary.contact_filters import COLUMNS
from tests.client.conftest import FakeClock
from tests.contract.conftest import FAST_RETRIES
from tests.contract.covering import covers
from tests.running_service import RunningService

RULE = ContactFilterRule.for_column(COLUMNS[0], "E", "Ana", contact_field_id=1)
FILTER = ContactFilter(name="Anas", contact_filter_rules=[RULE])
MAPPING = LookupMappingRequest(
    target_groups=[TargetGroup(id=1)], attributes=[MappingAttribute(name="site", values=["A"])]
)
NOTIFICATION = NotificationRequest(message=NotificationMessage(title="T"))

# By area: create one record, and count the records.
CREATES: dict[str, tuple[Callable[[ServiceClient], object], Callable[[ServiceClient], int | None]]] = {
    "contact_filters": (
        lambda client: client.contact_filters.create(FILTER),
        lambda client: client.contact_filters.list().total_count,
    ),
    "notifications": (
        lambda client: client.notifications.create(NOTIFICATION),
        lambda client: client.notifications.list().total_count,
    ),
    "lookup_mappings": (
        lambda client: client.lookup_mappings.create(MAPPING),
        lambda client: client.lookup_mappings.search().total_count,
    ),
    "notification_events": (
        lambda client: client.notification_events.create(name="N"),
        lambda client: client.notification_events.list().total_count,
    ),
    "notification_categories": (
        lambda client: client.notification_categories.create(name="N"),
        lambda client: client.notification_categories.list().total_count,
    ),
}


# By area: a path, and the call that reads it.
READS: dict[str, tuple[str, Callable[[ServiceClient], object]]] = {
    "itineraries": (
        "/itineraries/query/8800",
        lambda client: client.itineraries.search(field_name="pnr", values=["A"]),
    ),
    "contact_filters": ("/contactFilters/8800", lambda client: client.contact_filters.list()),
    "notifications": ("/notifications", lambda client: client.notifications.list()),
    "public_lookups": ("/publicEventGroups/8800", lambda client: client.public_lookups.list_event_groups()),
    "lookup_mappings": ("/lookup/8800/mappings/search", lambda client: client.lookup_mappings.search()),
    "notification_events": ("/notificationEvents/8800", lambda client: client.notification_events.list()),
    "notification_categories": ("/notificationCategories/8800", lambda client: client.notification_categories.list()),
    "crisis_templates": ("/cm/v1/crisisTaskListTemplates", lambda client: client.crisis_templates.list()),
}
PAGE = {"kind": "html", "status": 502}
PORTAL = {"kind": "html", "status": 200}
CUT = {"kind": "truncate", "bytes": 1, "close": False}
# Fewer bytes than any response has: a complete response would be accepted, and fail the next call instead.
TRUNCATED = {"kind": "truncate", "bytes": 1}
DROPPED_AFTER = {"kind": "drop", "when": "after"}
DROPPED_BEFORE = {"kind": "drop", "when": "before"}
BUSY = {"kind": "status", "status": 429}
FAILING = {"kind": "status", "status": 503}
SLOW = {"kind": "latency", "milliseconds": 2000}
SHORT_TIMEOUT = Timeouts(read=0.05)


def faulty(*faults: dict[str, Any]) -> RunningService:
    return RunningService(faults={"fault": list(faults)})


@pytest.mark.parametrize(
    "fault", [PAGE, {**PAGE, "status": 503, "retry_after": 0}, BUSY, FAILING, DROPPED_AFTER, TRUNCATED], ids=str
)
def test_every_area_is_read_despite_a_temporary_fault(fault: dict[str, Any]) -> None:
    faults = [{**fault, "path": path, "times": 2} for path, _ in READS.values()]
    # With a fake clock, because a client slows down after so many refusals.
    options = {"retry": FAST_RETRIES, "clock": FakeClock()}
    with faulty(*faults) as service, service.client(token=service.token(), **options) as client:
        for _, read in READS.values():
            read(client)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (PAGE, ServiceFailed),
        (FAILING, ServiceFailed),
        (BUSY, TooManyRequests),
        (DROPPED_BEFORE, ConnectionFailed),
        (PORTAL, UndecodableAnswer),
        (CUT, UndecodableAnswer),
        (SLOW, TimedOut),
    ],
    ids=str,
)
def test_every_area_reports_a_lasting_fault_in_plain_language(fault: dict[str, Any], error: type[ServiceError]) -> None:
    options = {
        "retry": RetryPolicy(attempts=1),
        "clock": FakeClock(),
        "timeout": SHORT_TIMEOUT if fault is SLOW else None,
    }
    with faulty(fault) as service, service.client(token=service.token(), **options) as client:
        for area, (_, read) in READS.items():
            with pytest.raises(error) as caught:
                read(client)
            assert caught.value.message.endswith("."), area
            assert "<" not in caught.value.message, area


@pytest.mark.parametrize(
    ("fault", "error", "created_count"),
    [
        ({**PAGE, "when": "after"}, OutcomeUnknown, 1),
        ({**PAGE, "when": "before"}, OutcomeUnknown, 0),
        ({**PORTAL, "when": "after"}, UndecodableAnswer, 1),
        ({**PORTAL, "when": "before"}, UndecodableAnswer, 0),
        (CUT, UndecodableAnswer, 1),
        (TRUNCATED, OutcomeUnknown, 1),
        (DROPPED_AFTER, OutcomeUnknown, 1),
        (DROPPED_BEFORE, OutcomeUnknown, 0),
        (FAILING, OutcomeUnknown, 0),
        (SLOW, OutcomeUnknown, None),
    ],
    ids=str,
)
def test_every_area_sends_a_create_once_whatever_the_response(
    fault: dict[str, Any], error: type[ServiceError], created_count: int | None
) -> None:
    # A second request would succeed.
    paths = [READS[area][0].removesuffix("/search") for area in CREATES]
    faults = [{**fault, "methods": ["POST"], "path": path, "times": 1} for path in paths]
    options = {"retry": FAST_RETRIES, "timeout": SHORT_TIMEOUT if fault is SLOW else None}
    with faulty(*faults) as service, service.client(token=service.token(), **options) as client:
        for area, (create, count) in CREATES.items():
            with pytest.raises(error) as caught:
                create(client)
            assert caught.value.sent is not False, area
            assert caught.value.request is not None, area
            if created_count is not None:
                assert count(client) == created_count, area


def test_a_lost_response_to_a_batch_of_assets_leaves_its_rows_unknown() -> None:
    fault = {"kind": "drop", "when": "after", "times": 1, "methods": ["POST"]}
    with faulty(fault) as service, service.client(retry=FAST_RETRIES) as client:
        rows = [Asset(asset_type_id="T", external_id=f"E-{row}", name="N") for row in range(3)]
        outcome = client.assets.create_batch(rows)
        assert outcome.unknown == [0, 1, 2]
        assert isinstance(outcome.stopped_by, OutcomeUnknown)
        # The changes were made: Unknown means "may or may not have been made".
        assert [failure.row for failure in client.assets.create_batch(rows).failed] == [0, 1, 2]


def test_an_upload_whose_response_is_lost_is_unknown() -> None:
    fault = {"kind": "drop", "when": "after", "times": 1, "methods": ["POST"]}
    with faulty(fault) as service, service.client(retry=FAST_RETRIES) as client:
        with pytest.raises(OutcomeUnknown) as caught:
            client.dynamic_locations.upload(b"externalId\nE-1\n", file_name="people.csv")
        assert caught.value.request is not None
        assert caught.value.request.body == {"file": {"fileName": "people.csv", "bytes": 15}}


@covers("Errors: Shape library 500 not specified")
def test_a_shape_upload_that_fails_with_500_is_unknown() -> None:
    with faulty({"kind": "status", "status": 500, "path": "/shapeLibrary/*"}) as service, service.client() as client:
        with pytest.raises(OutcomeUnknown) as caught:
            client.shape_library.upload(b"<kml/>", region_name="R", file_name="a.kml")
        assert caught.value.status == 500
