"""Whom a filter would reach now, above its rules."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from client.models.itineraries import Address, Itinerary, Passenger, Segment
from domain.filters.reach.loaded_people import find_load, rosters_on_map
from domain.runtime import screens
from domain.trips.rosters.changes import create as create_roster
from journal import RosterEntry, Traveler
from tests.app.presses import run
from tests.app.test_filter_builder import COUNTRY, EXPECTED, find_key, new_filter, open_filter, page_text, press
from tests.running_service import RunningService


def stay(locator: str, employee_id: str, country: str, begins: datetime) -> Itinerary:
    """Return a trip with one hotel stay of two days."""
    begin, end = (f"{begins + timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}" for days in (0, 2))
    address = Address(location_name="Lion Hotel", city="City", country=country, latitude=1.3, longitude=103.8)
    hotel = Segment(
        type="Hotel",
        from_address=address,
        from_time_zone="UTC",
        to_time_zone="UTC",
        from_date_time=begin,
        to_date_time=end,
    )
    return Itinerary(
        pnr=locator,
        segments=[hotel],
        passengers=[Passenger(employee_id=employee_id, first_name="Ana", last_name="Silva")],
    )


def test_people_are_counted_on_request_and_the_rules_that_are_not_counted_are_named(
    signed_in: Any, service: RunningService
) -> None:
    """Ana is in France now, Ben later; the trips say nothing about a suffix."""
    now = datetime.now(UTC)
    app = run(signed_in(service, screens.CONTACT_FILTER.page))
    workspace = signed_in.workspace
    with service.client() as client:
        client.itineraries.create(stay("NOW001", "E1", "FR", now - timedelta(days=1)))
        client.itineraries.create(stay("NEXT01", "E2", "FR", now + timedelta(days=5)))
    entries = [
        RosterEntry("NOW001", [Traveler("E1", "Ana", "Silva")]),
        RosterEntry("NEXT01", [Traveler("E2", "Ben", "Okoro")]),
    ]
    create_roster(workspace, "Team", entries)
    open_filter(app, new_filter((COUNTRY, "E"), ("suffix|SYSTEM|", "E"), (EXPECTED, "BETWEEN")))
    app.selectbox(key=find_key(app, 1, "value/country")).set_value("FR")
    app.selectbox(key=find_key(app, 3, "value/pattern")).set_value("NOW")
    run(app)
    assert "Ana" not in page_text(app), "nothing is loaded until someone asks"
    press(app, "Load trips and count")
    choice = rosters_on_map(workspace)
    assert choice is not None
    load = find_load(workspace, choice)
    assert load is not None
    assert load.wait(30)
    run(app)
    assert "**1** of 2 people on the roster “Team” matches now: Ana Silva." in page_text(app)
    assert "Rule 2 (Suffix is …) is not counted, because the loaded trips do not have this data." in page_text(app)
    press(app, "Remove rule 3, Expected date")
    assert "**2** of 2 people on the roster “Team” match now: Ben Okoro and Ana Silva." in page_text(app)
