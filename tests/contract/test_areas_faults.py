"""Areas beside itineraries on a faulty network: reads survive, a create is sent once, a lost answer is unknown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from client import ConnectionFailed, OutcomeUnknown, ServiceClient, ServiceError, ServiceFailed, TooManyRequests
from client.models.assets import Asset
from client.models.contact_filters import ContactFilter, ContactFilterRule
from client.models.lookup_mappings import LookupMappingRequest, MappingAttribute, TargetGroup
from client.models.notifications import NotificationMessage, NotificationRequest
from client.vocabulary.contact_filters import COLUMNS
from tests.contract.conftest import QUICKLY
from tests.running_service import RunningService

RULE = ContactFilterRule.for_column(COLUMNS[0], "E", "Ana", contact_field_id=1)
FILTER = ContactFilter(name="Anas", contact_filter_rules=[RULE])
MAPPING = LookupMappingRequest(
    target_groups=[TargetGroup(id=1)], attributes=[MappingAttribute(name="site", values=["A"])]
)
NOTIFICATION = NotificationRequest(message=NotificationMessage(title="T"))

# What creates one record, and what counts how many there are.
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


def faulty(*faults: dict[str, Any]) -> RunningService:
    return RunningService(faults={"fault": list(faults)})


@pytest.mark.parametrize(
    ("fault", "done"),
    [
        ({"kind": "drop", "when": "after"}, 1),
        ({"kind": "drop", "when": "before"}, 0),
        ({"kind": "truncate", "bytes": 5}, 1),
        ({"kind": "status", "status": 503}, 0),
    ],
    ids=str,
)
@pytest.mark.parametrize("area", CREATES)
def test_a_create_whose_answer_is_lost_is_unknown_and_not_repeated(area: str, fault: dict[str, Any], done: int) -> None:
    create, count = CREATES[area]
    with (
        faulty({**fault, "times": 1, "methods": ["POST"]}) as service,
        service.client(retry=QUICKLY, token=service.token()) as client,
    ):
        with pytest.raises(OutcomeUnknown) as caught:
            create(client)
        assert caught.value.request is not None
        # The way a person finds out: look before sending again.
        assert count(client) == done


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "status", "status": 429},
        {"kind": "status", "status": 503},
        {"kind": "drop", "when": "after"},
        {"kind": "truncate", "bytes": 5},
    ],
    ids=str,
)
@pytest.mark.parametrize("area", CREATES)
def test_a_read_survives_a_passing_fault(area: str, fault: dict[str, Any]) -> None:
    _, count = CREATES[area]
    with (
        faulty({**fault, "times": 2}) as service,
        service.client(retry=QUICKLY, token=service.token()) as client,
    ):
        assert count(client) == 0


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"kind": "status", "status": 429}, TooManyRequests),
        ({"kind": "status", "status": 503}, ServiceFailed),
        ({"kind": "drop", "when": "before"}, ConnectionFailed),
    ],
    ids=str,
)
@pytest.mark.parametrize("area", CREATES)
def test_a_lasting_fault_has_its_name(area: str, fault: dict[str, Any], error: type[ServiceError]) -> None:
    _, count = CREATES[area]
    with (
        faulty(fault) as service,
        service.client(retry=QUICKLY, token=service.token()) as client,
        pytest.raises(error),
    ):
        count(client)


def test_a_batch_of_assets_whose_answer_is_lost_is_unknown_by_row() -> None:
    fault = {"kind": "drop", "when": "after", "times": 1, "methods": ["POST"]}
    with faulty(fault) as service, service.client(retry=QUICKLY) as client:
        rows = [Asset(asset_type_id="T", external_id=f"E-{row}", name="N") for row in range(3)]
        outcome = client.assets.create_batch(rows)
        assert outcome.unknown == [0, 1, 2]
        assert isinstance(outcome.stopped_by, OutcomeUnknown)
        # They were done, in truth: unknown means what it says.
        assert [failure.row for failure in client.assets.create_batch(rows).failed] == [0, 1, 2]


def test_an_upload_whose_answer_is_lost_is_unknown() -> None:
    fault = {"kind": "drop", "when": "after", "times": 1, "methods": ["POST"]}
    with faulty(fault) as service, service.client(retry=QUICKLY) as client:
        with pytest.raises(OutcomeUnknown) as caught:
            client.dynamic_locations.upload(b"externalId\nE-1\n", file_name="people.csv")
        assert caught.value.request is not None
        assert caught.value.request.body == {"file": {"fileName": "people.csv", "bytes": 15}}
