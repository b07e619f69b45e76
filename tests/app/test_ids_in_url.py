"""A URL parameter that is not a valid ID has a message on every screen."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from client.models.contact_filters import ContactFilter
from domain.runtime import screens
from journal import RosterEntry
from tests.app.test_contact_filters import RULE
from tests.running_service import RunningService

ADDRESSES = [
    (screens.TRIP, "id"),
    (screens.TRIP_EDITOR, "id"),
    (screens.CONTACT_FILTER, "id"),
    (screens.CONTACT_FILTERS, "id"),
    (screens.NOTIFICATIONS, "notification"),
    (screens.NOTIFICATIONS, "event"),
    (screens.NOTIFICATION_EVENTS, "record"),
    (screens.NOTIFICATION_CATEGORIES, "record"),
    (screens.ROSTERS, "roster"),
    (screens.EXPECTED_LOCATIONS, "roster"),
    (screens.JOURNAL, "entry"),
]


@pytest.mark.parametrize(("screen", "name"), ADDRESSES, ids=[f"{screen.page}-{name}" for screen, name in ADDRESSES])
def test_an_invalid_id_in_the_url_is_reported_and_shortened(
    signed_in: Any, demo_service: RunningService, screen: screens.Screen, name: str
) -> None:
    app = signed_in(demo_service, screen.page, **{name: "9" * 5_000})
    workspace = signed_in.workspace
    workspace.journal.rosters.create(workspace.actor, "Fair", [RosterEntry("WSVM7K")])
    workspace.journal.audit.begin(workspace.actor, "itinerary.create", subject_kind="itinerary")
    workspace.client.contact_filters.create(
        ContactFilter.from_wire({"name": uuid4().hex, "contactFilterRules": [RULE]})
    )
    app.run()
    assert not app.exception
    texts = [str(each.value) for each in (*app.info, *app.warning, *app.error) if "999" in str(each.value)]
    assert len(texts) == 1
    assert len(texts[0]) < 300
