"""Whom a filter would reach now, above its rules."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from streamlit.testing.v1 import AppTest

from client.models.contact_filters import ContactFilter
from client.models.itineraries import Address, Itinerary, Passenger, Segment
from client.models.lookup_mappings import LookupMappingRequest, MappingAttribute, TargetGroup
from domain.filters.names.stored_names import change_names
from domain.filters.reach.loaded_people import find_load, rosters_on_map
from domain.mappings.mapping_query import read_all_mappings
from domain.runtime import screens
from domain.trips.rosters.changes import create as create_roster
from journal import RosterEntry, Traveler
from tests.app.presses import run
from tests.app.test_filter_builder import (
    CITY,
    COUNTRY,
    EXPECTED,
    draft_of,
    find_key,
    new_filter,
    open_filter,
    page_text,
    press,
)
from tests.running_service import RunningService


def stay(locator: str, employee_id: str, country: str, begins: datetime, *, latitude: float = 1.3) -> Itinerary:
    """Return a trip with one hotel stay of two days. Stays at the same latitude are in the same hotel."""
    begin, end = (f"{begins + timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}" for days in (0, 2))
    address = Address(location_name="Lion Hotel", city="City", country=country, latitude=latitude, longitude=103.8)
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


def test_values_of_filters_trips_and_mappings_are_suggested_where_they_are_entered(
    signed_in: Any, service: RunningService
) -> None:
    """Only in the rule that was changed last, and until the value is one of them."""
    with service.client() as client:
        rule = {"type": "SYSTEM_EXPECTED_OBJECT", "columnName": "city", "embeddedColumnName": "address"}
        rule |= {"dataType": "STRING", "operator": "E", "contactFilterOption": "E", "columnValue": "New York"}
        client.contact_filters.create(ContactFilter.from_wire({"name": "A", "contactFilterRules": [rule]}))
        client.itineraries.create(stay("NOW001", "E1", "FR", datetime.now(UTC)))
    app = run(signed_in(service, screens.CONTACT_FILTER.page, token=service.token()))
    workspace = signed_in.workspace
    create_roster(workspace, "Team", [RosterEntry("NOW001", [Traveler("E1", "Ana", "Silva")])])
    change_names(workspace, {"custom attribute": {4001: "Department"}})
    known = workspace.client.lookup_mappings.create(
        LookupMappingRequest(
            attributes=[MappingAttribute(name="department", values=["Sales"])], target_groups=[TargetGroup(id=1)]
        )
    )
    assert known.id
    assert read_all_mappings(workspace).wait(30)
    open_filter(app, new_filter((CITY, "E"), (CITY, "NE"), ("custom", "IN")))
    press(app, "Load trips and count")
    choice = rosters_on_map(workspace)
    load = find_load(workspace, choice) if choice is not None else None
    assert load is not None
    assert load.wait(30)
    app.text_input(key=find_key(app, 1, "value/text")).set_value("c")
    run(app)
    assert suggestions(app) == ["City"]
    app.text_input(key=find_key(app, 1, "value/text")).set_value("york")
    run(app)
    assert suggestions(app) == ["New York"]
    press(app, "New York")
    assert draft_of(app).rules[0].payload["columnValue"] == "New York"
    assert suggestions(app) == []
    app.text_input(key=find_key(app, 3, "attribute_id/text")).set_value("4001")
    run(app)
    assert app.multiselect(key=find_key(app, 3, "values/chips")).options == ["Sales"]


def suggestions(app: AppTest) -> list[str]:
    return [each.label for each in app.button if "/suggestion/" in str(each.key)]
