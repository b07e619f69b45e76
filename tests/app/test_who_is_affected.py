"""The screen of an incident without a browser: area and time in the address, sections, files, next steps, and marks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from client.models.itineraries import Address, Itinerary, Passenger, Segment
from domain.runtime import screens
from domain.runtime.server import server
from journal import RosterEntry, Traveller
from tests.app.presses import press, run, said
from tests.app.tables import tables
from tests.running_service import RunningService

NOW = datetime.now(UTC).replace(second=0, microsecond=0)
HOTELS = {
    "KATH01": ("Ana", "Silva", "Yak Hotel", "Kathmandu", 27.71, 85.32),
    "POKH01": ("Ben", "Roy", "Lake Hotel", "Pokhara", 28.21, 83.99),
    "NEAR01": ("Cai", "Ito", "Hill Hotel", "Dhulikhel", 27.62, 85.55),
    "LOST01": ("Dee", "Lam", "Some Hotel", "Nowhere", None, None),
}


def stay(locator: str, begins: datetime) -> Itinerary:
    first, last, hotel, city, latitude, longitude = HOTELS[locator]
    address = Address(location_name=hotel, city=city, country="NP", latitude=latitude, longitude=longitude)
    return Itinerary(
        pnr=locator,
        segments=[
            Segment(
                type="Hotel",
                from_address=address,
                from_time_zone="Asia/Kathmandu",
                to_time_zone="Asia/Kathmandu",
                from_date_time=begins.strftime("%Y-%m-%dT%H:%M:%SZ"),
                to_date_time=(begins + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            )
        ],
        passengers=[Passenger(employee_id=f"E-{locator}", first_name=first, last_name=last)],
    )


@pytest.fixture
def opened(service: RunningService, signed_in: Any) -> Callable[..., AppTest]:
    """The screen of a roster of four hotel stays in Nepal, once it is read; with a query."""

    def open_screen(**query: str | list[str]) -> AppTest:
        app = signed_in(service, screens.WHO_IS_AFFECTED.page, **query)
        workspace = signed_in.workspace
        if not workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id):
            with service.client() as client:
                for locator in HOTELS:
                    client.itineraries.create(stay(locator, NOW - timedelta(days=1)))
            workspace.journal.rosters.create(workspace.actor, "Trek", [RosterEntry(each) for each in HOTELS])
            workspace.journal.travellers.learn(
                workspace.actor.service,
                workspace.actor.organization_id,
                [Traveller(f"E-{locator}", first, last) for locator, (first, last, *_) in HOTELS.items()],
            )
        run(app)
        (roster,) = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
        load = server().reads.keep(
            workspace, ("roster", str(roster.id)), lambda: pytest.fail("the screen opened no load"), with_token=False
        )
        assert load.wait(30)
        return run(app)

    return open_screen


def address(app: AppTest) -> dict[str, list[str]]:
    return {name: [value] if isinstance(value, str) else list(value) for name, value in app.query_params.items()}


def names(app: AppTest) -> list[str]:
    return list(tables(app)[-1]["name"])


def test_a_typed_area_lists_people_by_section_and_stands_in_the_address(opened: Callable[..., AppTest]) -> None:
    app = opened()
    app.text_input(key="incidents.area_text").set_value("10 km around 27.7, 85.3")
    app = press(app, "incident-add-area")
    assert address(app)["area"] == ["10 km around 27.7, 85.3"]
    assert "**1 person affected** · **0** possibly affected · **1** nearby · **1** can't be placed" in said(app)
    assert "The list does not cover people outside Trek. 1 person cannot be placed" in said(app)
    assert names(app) == ["Silva, Ana"]
    app.button_group(key="section").set_value("nearby").run()
    assert names(app) == ["Ito, Cai"]
    assert names(opened(**address(app))) == ["Ito, Cai"]
