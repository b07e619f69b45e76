"""The first screen without a browser (which alone sees its map): signed out, empty, filled, filtered and failing."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from bench.many_people import CHOICES
from client.errors import NotAllowed
from client.models.itineraries import Address, Itinerary, Passenger, Segment
from client.resources.itineraries import Itineraries
from components.expected_locations import load_status
from components.trips.trip_import.canceling import CANCELING
from domain.edits.recorded import recorded
from domain.expected_locations.roster_load import RosterLoad
from domain.file_import.checking import Check
from domain.file_import.job import JOBS
from domain.runtime import screens
from domain.runtime.server import server
from journal import Roster, RosterEntry, Traveller
from tests.app.tables import press_rows, tables
from tests.running_service import RunningService

NOW = datetime.now(UTC).replace(second=0, microsecond=0)
HOTEL = "lion hotel@1.300,103.800"
PEOPLE = {"E1": ("Ana", "Silva"), "E2": ("Ben", "Müller"), "E3": ("Cai", "Ito"), "E4": ("Dee", "Roy")}


def passenger(employee_id: str) -> Passenger:
    first, last = PEOPLE[employee_id]
    return Passenger(employee_id=employee_id, first_name=first, last_name=last)


def utc(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def stay(locator: str, *people: str, begins: datetime, nights: int) -> Itinerary:
    address = Address(location_name="Lion Hotel", city="Singapore", country="SG", latitude=1.3, longitude=103.8)
    return Itinerary(
        pnr=locator,
        segments=[
            Segment(
                type="Hotel",
                from_address=address,
                from_time_zone="Asia/Singapore",
                to_time_zone="Asia/Singapore",
                from_date_time=utc(begins),
                to_date_time=utc(begins + timedelta(days=nights)),
            )
        ],
        passengers=[passenger(each) for each in people],
    )


def flight(locator: str, person: str, *leaves: datetime) -> Itinerary:
    return Itinerary(
        pnr=locator,
        segments=[
            Segment(
                type="Air",
                from_iata_code="CDG",
                to_iata_code="JFK",
                from_address=Address(location_name="Paris Charles de Gaulle", country="FR"),
                to_address=Address(location_name="New York Kennedy", country="US"),
                from_date_time=utc(at),
                to_date_time=utc(at + timedelta(hours=9)),
            )
            for at in leaves
        ],
        passengers=[passenger(person)],
    )


@pytest.fixture
def filled(service: RunningService, signed_in: Any) -> Callable[..., AppTest]:
    """The screen of a roster of four trips and a record locator nobody knows; with a query."""

    def open_screen(**query: str | list[str]) -> AppTest:
        app = signed_in(service, **query)
        with service.client() as client:
            client.itineraries.create(stay("STAY01", "E1", "E2", begins=NOW - timedelta(days=1), nights=5))
            client.itineraries.create(flight("FLY001", "E3", NOW + timedelta(hours=3)))
            client.itineraries.create(flight("FLY002", "E1", NOW + timedelta(days=30)))
            client.itineraries.create(flight("GAP001", "E4", *(NOW + timedelta(days=days) for days in (1.5, 6))))
        workspace = signed_in.workspace
        locators = ["STAY01", "FLY001", "FLY002", "GAP001", "NOBODY"]
        workspace.journal.rosters.create(workspace.actor, "Fair", [RosterEntry(each) for each in locators])
        workspace.journal.travellers.learn(
            workspace.actor.service,
            workspace.actor.organization_id,
            [Traveller(external_id, *names) for external_id, names in PEOPLE.items()],
        )
        return loaded(app.run(), signed_in)

    return open_screen


def roster_of(signed_in: Any) -> Roster:
    workspace = signed_in.workspace
    (roster,) = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
    return roster


def load_of(signed_in: Any, chosen: str | None = None) -> RosterLoad:
    workspace = signed_in.workspace
    return server().reads.keep(
        workspace,
        ("roster", chosen or str(roster_of(signed_in).id)),
        lambda: pytest.fail("the screen opened no load"),
        with_token=False,
    )


def loaded(app: AppTest, signed_in: Any) -> AppTest:
    """The screen once its load has ended."""
    assert load_of(signed_in).wait(30)
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception, app.exception
    return app


def text_of(app: AppTest) -> str:
    elements = [*app.title, *app.markdown, *app.caption, *app.info, *app.warning, *app.error, *app.subheader]
    return "\n".join(each.value for each in elements)


def asked(app: AppTest) -> dict[str, list[str]]:
    """The query of the address."""
    return {name: [value] if isinstance(value, str) else list(value) for name, value in app.query_params.items()}


def unfolded(app: AppTest, *keys: str) -> AppTest:
    """The screen once what is folded away was opened."""
    for key in keys:
        app.session_state[key] = True
    return checked(app.run())


def ringed(app: AppTest) -> list[list[float]]:
    """Where the map draws rings: longitude and latitude of each."""
    (drawn,) = app.get("deck_gl_json_chart")
    (rings,) = (layer for layer in json.loads(drawn.proto.json)["layers"] if layer["id"] == "rings")
    return [[each["x"], each["y"]] for each in rings["data"]]


def names_shown(app: AppTest) -> list[str]:
    return list(tables(app)[-1]["name"])


def test_without_a_roster_it_says_how_to_make_one(service: RunningService, signed_in: Any) -> None:
    app = checked(signed_in(service).run())
    assert "There is no roster yet" in text_of(app)


def test_it_loads_by_itself_and_answers_in_one_line(filled: Callable[..., AppTest]) -> None:
    app = filled()
    line = "**3 people** at 2 places · 3 locations · 0 in transit · 0 not covered, of 3 travelers · now, "
    assert line in text_of(app)
    assert names_shown(app) == ["Ito, Cai", "Müller, Ben", "Silva, Ana"]
    assert "as of " in text_of(app)
    fields = {each.label for kind in ("text_input", "multiselect", "button_group") for each in app.get(kind)}
    assert {name for name, _ in CHOICES["map"]} <= fields, "for the benchmark"


def test_a_record_locator_the_service_does_not_know_is_told(filled: Callable[..., AppTest]) -> None:
    app = unfolded(filled(), "expected-failure-words")
    assert [each["Record locator"].tolist() for each in tables(app) if "Why" in each] == [["NOBODY"]]


def test_a_place_in_the_list_shows_its_people(filled: Callable[..., AppTest]) -> None:
    app = filled()
    picker = app.multiselect(key="expected_place")
    assert picker.options == ["Lion Hotel, Singapore", "Paris Charles de Gaulle (CDG)"]
    checked(picker.select(HOTEL).run())
    assert asked(app)["expected_place"] == [HOTEL]
    assert names_shown(app) == ["Müller, Ben", "Silva, Ana"]
    assert "2 people at 1 selected place" in text_of(app)


@pytest.mark.parametrize(
    ("query", "people"),
    [
        ({"expected_kind": ["Air"]}, ["Ito, Cai"]),
        ({"expected_country": ["Singapore"]}, ["Müller, Ben", "Silva, Ana"]),
        ({"expected_country": ["sg", "Atlantis"]}, ["Müller, Ben", "Silva, Ana"]),
        ({"expected_find": "muller"}, ["Müller, Ben"]),
        ({"expected_find": "Singapur"}, ["Müller, Ben", "Silva, Ana"]),
        ({"expected_place": ["CDG"]}, ["Ito, Cai"]),
        (
            {"expected_time": "Day", "expected_day": f"{NOW + timedelta(days=30):%Y-%m-%d}"},
            ["Silva, Ana"],
        ),
        (
            {"expected_time": "Moment", "expected_at": f"{NOW + timedelta(days=30, minutes=-30):%Y-%m-%dT%H:%M}"},
            ["Silva, Ana"],
        ),
    ],
)
def test_the_address_says_what_is_shown(
    filled: Callable[..., AppTest], query: dict[str, Any], people: list[str]
) -> None:
    assert sorted(set(names_shown(filled(**query)))) == people


def test_the_same_wall_clock_differs_from_utc(filled: Callable[..., AppTest]) -> None:
    """Check-out in Singapore lies 8 hours earlier on the place's own clock than the same reading in UTC."""
    ends = NOW - timedelta(days=1) + timedelta(days=5)
    app = filled(expected_time="Moment", expected_at=f"{ends - timedelta(hours=1):%Y-%m-%dT%H:%M}")
    assert "**2 people**" in text_of(app)
    local = ends + timedelta(hours=7)
    app.datetime_input(key="expected_at").set_value(local.replace(tzinfo=None)).run()
    assert "**0 people**" in text_of(app)
    checked(app.button_group(key="expected_clock").set_value("Place-local").run())
    assert "**2 people**" in text_of(app)
    assert "by the clock at each place" in text_of(app)


IN_THE_AIR = {"expected_time": "Moment", "expected_at": f"{NOW + timedelta(hours=5):%Y-%m-%dT%H:%M}"}
NOT_COVERED = {"expected_time": "Moment", "expected_at": f"{NOW + timedelta(days=3.5):%Y-%m-%dT%H:%M}"}


def test_who_is_in_the_air_is_asked_by_status(filled: Callable[..., AppTest]) -> None:
    app = filled(**IN_THE_AIR)
    assert "**2 people** at 1 place · 2 locations · 1 in transit · 0 not covered, of 3 travelers" in text_of(app)
    checked(app.multiselect(key="expected_status").set_value(["in transit"]).run())
    assert asked(app)["expected_status"] == ["in transit"]
    (row,) = tables(app)[-1].to_dict("records")
    assert (row["name"], row["status"]) == ("Ito, Cai", "➤ In transit")
    assert row["place"] == "Paris (CDG) → New York (JFK)"
    assert "0 people" not in text_of(app)
    assert "1 person is in transit. The filters show no one at a place." in text_of(app)
    checked(app.button(key="expected-busiest-JFK").click().run())
    assert asked(app)["expected_place"] == ["JFK"]
    assert names_shown(app) == ["Ito, Cai"]
    assert "In transit from Paris Charles de Gaulle" in text_of(app)


def test_who_lands_at_a_place_within_the_next_hours(filled: Callable[..., AppTest]) -> None:
    query = {"expected_status": ["arriving"], "expected_place": ["JFK"]}
    app = filled(expected_time="Next hours", expected_hours="24", **query)
    assert names_shown(app) == ["Ito, Cai"]
    assert "in the 24 hours from " in text_of(app)
    checked(app.button_group(key="expected_hours").set_value("6").run())
    assert "1 person at" not in text_of(app)


def test_people_on_a_trip_of_whom_nothing_is_known_are_not_covered_and_listed(filled: Callable[..., AppTest]) -> None:
    app = filled(**NOT_COVERED)
    assert "1 not covered, of 3 travelers" in text_of(app)
    table = next(each for each in tables(unfolded(app, "expected-not-covered")) if "last_place" in each)
    assert table[["name", "locator"]].to_numpy().tolist() == [["Roy, Dee", "GAP001"]]
    checked(app.multiselect(key="expected_country").set_value(["Singapore"]).run())
    assert "0 not covered, of 2 travelers in Singapore" in text_of(app)


def test_what_is_folded_away_is_not_made(filled: Callable[..., AppTest]) -> None:
    """Two tables less in every run: only the one of the people is always in sight."""
    app = filled(**NOT_COVERED, expected_find="roy")
    assert "1 not covered" in text_of(app)
    assert tables(app) == []
    checked(app.text_input(key="expected_find").set_value("").run())
    assert len(tables(app)) == 1
    assert len(tables(unfolded(app, "expected-not-covered", "expected-failure-words"))) == 3


def test_what_was_unfolded_stays_so_while_its_number_changes(
    filled: Callable[..., AppTest], service: RunningService, signed_in: Any
) -> None:
    app = filled(**NOT_COVERED)
    unfolded(app, "expected-not-covered")
    with service.client() as client:
        client.itineraries.create(flight("GAP002", "E3", *(NOW + timedelta(days=days) for days in (1.6, 6.1))))
    workspace = signed_in.workspace
    workspace.journal.rosters.replace_entries(
        roster_of(signed_in).id,
        [RosterEntry(each) for each in ("STAY01", "GAP001", "GAP002")],
        within=workspace.actor,
    )
    app.run()
    loaded(app, signed_in)
    assert "2 not covered" in text_of(app)
    assert any("last_place" in each for each in tables(app))


def test_a_time_with_nobody_says_when_there_is_somebody(filled: Callable[..., AppTest]) -> None:
    app = filled(expected_time="Moment", expected_at=f"{NOW - timedelta(days=300):%Y-%m-%dT%H:%M}")
    assert "No one in this roster is expected anywhere" in text_of(app)
    assert "Its locations run from" in text_of(app)


def test_filters_that_leave_nobody_can_be_cleared(filled: Callable[..., AppTest]) -> None:
    app = filled(expected_find="nobody at all", expected_kind=["Air"])
    assert "No one matches the filters" in text_of(app)
    checked(app.button(key="expected-clear").click().run())
    assert len(names_shown(app)) == 3


def test_a_country_is_offered_by_its_code_too_and_stands_in_the_address_by_its_name(
    filled: Callable[..., AppTest],
) -> None:
    app = filled()
    countries = app.multiselect(key="expected_country")
    assert "SG · Singapore" in countries.options
    checked(countries.set_value(["Singapore"]).run())
    assert asked(app)["expected_country"] == ["Singapore"]


def test_refresh_can_be_pressed_once_a_reading_ended_while_the_page_was_drawn(
    filled: Callable[..., AppTest], signed_in: Any, monkeypatch: pytest.MonkeyPatch, looking_at_once: Any
) -> None:
    app = filled()
    load, go, draw = load_of(signed_in), threading.Event(), load_status.draw_freshness
    read = Itineraries.search

    def late(*given: Any, **said: Any) -> Any:
        assert go.wait(30)
        return read(*given, **said)

    def ends_under_it(*given: Any, **said: Any) -> None:
        draw(*given, **said)
        go.set()
        assert load.wait(30)

    monkeypatch.setattr(Itineraries, "search", late)
    monkeypatch.setattr(load_status, "draw_freshness", ends_under_it)
    looking_at_once()
    load.load()
    checked(app.run())
    assert go.is_set()
    assert not app.button(key="expected-refresh").disabled


def test_what_another_tab_begins_to_read_while_the_page_is_drawn_is_not_waited_for(
    filled: Callable[..., AppTest], signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page follows only what it saw to run."""
    app = filled(expected_find="nobody at all")
    load, go, draw = load_of(signed_in), threading.Event(), load_status.draw_freshness
    read = Itineraries.search

    def late(*given: Any, **said: Any) -> Any:
        assert go.wait(30)
        return read(*given, **said)

    def begins_under_it(*given: Any, **said: Any) -> None:
        draw(*given, **said)
        assert load.load()

    monkeypatch.setattr(Itineraries, "list_expected_locations", late)
    monkeypatch.setattr(Itineraries, "search", late)
    monkeypatch.setattr(load_status, "draw_freshness", begins_under_it)
    checked(app.run())
    go.set()
    assert load.wait(30)
    assert app.button(key="expected-clear-empty")


def test_a_refresh_reads_again_and_keeps_the_filters(
    filled: Callable[..., AppTest], service: RunningService, signed_in: Any
) -> None:
    app = filled(expected_find="silva")
    with service.client() as client:
        (reference,) = client.itineraries.search(field_name="pnr", values=["STAY01"])
        client.itineraries.delete(reference.id)
    app.button(key="expected-refresh").click().run()
    loaded(app, signed_in)
    assert "**0 people**" in text_of(app)
    assert app.text_input(key="expected_find").value == "silva"


def test_a_service_that_goes_away_leaves_what_was_read_and_offers_a_retry(
    filled: Callable[..., AppTest], service: RunningService, signed_in: Any
) -> None:
    app = filled()
    load = load_of(signed_in)
    load.use(service.client(retry=None, timeout=2).itineraries)
    service.stop()
    try:
        app.button(key="expected-refresh").click().run()
        load.stop()
        loaded(app, signed_in)
        assert len(names_shown(app)) == 3
        assert any(button.key == "expected-retry" for button in app.button)
    finally:
        service.start()


def test_where_trips_were_not_read_nobody_is_said_to_be_nowhere(
    filled: Callable[..., AppTest], signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any, **__: Any) -> Any:
        raise NotAllowed("The service does not let you.")

    app = filled(expected_place=["JFK"])
    assert "No one is expected at this place at that time." in text_of(app)
    monkeypatch.setattr(Itineraries, "list_expected_locations", failing)
    load_of(signed_in).load()
    app = loaded(app, signed_in)
    assert "trips not read**" in text_of(app)
    assert "No one in the trips that were read is expected at this place at that time." in text_of(app)
    checked(app.text_input(key="expected_find").set_value("nobody at all").run())
    assert "No one in the trips that were read matches the filters" in text_of(app)


def test_while_it_loads_it_says_what_stopping_and_leaving_mean(
    filled: Callable[..., AppTest], signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = filled()
    goes, really = threading.Event(), Itineraries.list_expected_locations

    def slowly(*arguments: Any, **options: Any) -> Any:
        assert goes.wait(60)
        return really(*arguments, **options)

    monkeypatch.setattr(Itineraries, "list_expected_locations", slowly)
    app.button(key="expected-refresh").click().run()
    assert "Stop asks for no further trip; what has arrived stays" in text_of(app).replace("\\", "")
    goes.set()
    loaded(app, signed_in)
    assert "Stop asks" not in text_of(app)


@pytest.mark.parametrize(
    ("mode", "seconds_later", "runs"), [("Now", 29, 1), ("Now", 30, 2), ("Day", 30, 1), ("Moment", 30, 1)]
)
def test_now_moves_on_with_the_minute_and_a_time_that_was_chosen_does_not(
    filled: Callable[..., AppTest],
    monkeypatch: pytest.MonkeyPatch,
    mode: str,
    seconds_later: int,
    runs: int,
    looking_at_once: Any,
) -> None:
    """The part that looks at the clock draws itself by itself, twice a minute."""
    app = filled(expected_time=mode)
    shown_at = datetime(2026, 11, 20, 12, 5, 30, tzinfo=UTC)
    times = iter([shown_at])
    run, looked = [], []

    class Clock:
        @staticmethod
        def now(_: object) -> datetime:
            return next(times, shown_at + timedelta(seconds=seconds_later))

    def opened(*given: Any) -> RosterLoad:
        run.append(given)
        return open_load(*given)

    def part(**given: Any) -> Any:
        looked.append(given["run_every"])
        return fragment(**given)

    open_load, fragment = load_status.open_load, st.fragment
    monkeypatch.setattr(load_status, "datetime", Clock)
    monkeypatch.setattr(load_status, "open_load", opened)
    monkeypatch.setattr(st, "fragment", part)
    looking_at_once()
    checked(app.run())
    assert len(run) == runs
    assert looked == [30] * runs


def test_refresh_is_taken_also_where_now_moves_on_in_the_same_run(
    filled: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch, looking_at_once: Any
) -> None:
    """The part that looks at the clock runs by itself where its button is pressed."""
    app = filled()
    loaded_again: list[bool] = []
    monkeypatch.setattr(RosterLoad, "load", lambda *_, **__: loaded_again.append(True))
    minutes = iter([6, 5])
    monkeypatch.setattr(load_status, "to_the_minute", lambda _: next(minutes, 6))
    looking_at_once()
    checked(app.button(key="expected-refresh").click().run())
    assert loaded_again == [True]


def test_a_moment_starts_at_the_next_full_hour_and_stands_in_the_address(filled: Callable[..., AppTest]) -> None:
    app = filled()
    checked(app.button_group(key="expected_time").set_value("Moment").run())
    at = app.datetime_input(key="expected_at").value
    assert at is not None
    assert at.minute == 0
    assert asked(app)["expected_at"] == [f"{at:%Y-%m-%dT%H:%M}"]
    assert f"on {at:%a, %b} {at.day}," in text_of(app)


def test_today_stands_in_the_address_as_a_day(filled: Callable[..., AppTest]) -> None:
    """Tomorrow, the link still means today."""
    app = filled()
    before = datetime.now(UTC)
    checked(app.button_group(key="expected_time").set_value("Day").run())
    [day] = asked(app)["expected_day"]
    assert f"{before:%Y-%m-%d}" <= day <= f"{datetime.now(UTC):%Y-%m-%d}"
    checked(app.button_group(key="expected_time").set_value("Now").run())
    assert set(asked(app)) == {"roster"}


def test_the_address_names_the_roster_by_its_id(filled: Callable[..., AppTest], signed_in: Any) -> None:
    """Another roster under the name, or before it in the list, changes nothing about what a link opens."""
    app = filled()
    workspace = signed_in.workspace
    (fair,) = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
    assert asked(app)["roster"] == [str(fair.id)]
    workspace.journal.rosters.rename(fair.id, "Spring fair", within=workspace.actor)
    workspace.journal.rosters.create(workspace.actor, "Fair", [RosterEntry("OTHER1")])
    checked(app.run())
    assert app.selectbox(key="roster").value == str(fair.id)
    assert asked(app)["roster"] == [str(fair.id)]
    assert len(names_shown(app)) == 3


def test_a_roster_that_is_not_here_is_told_and_no_other_takes_its_place(
    filled: Callable[..., AppTest], signed_in: Any
) -> None:
    app = filled()
    app.query_params["roster"] = "4711"
    checked(app.run())
    assert "There is no roster “4711”" in text_of(app)
    assert not app.dataframe
    checked(app.run())
    assert "There is no roster “4711”" in text_of(app)
    fair = roster_of(signed_in).id
    checked(app.selectbox(key="roster").set_value(str(fair)).run())
    assert len(names_shown(app)) == 3


def test_a_link_to_all_rosters_opens_the_one_that_is_left(filled: Callable[..., AppTest], signed_in: Any) -> None:
    app = filled(roster=["all"])
    assert asked(app)["roster"] == [str(roster_of(signed_in).id)]
    assert len(names_shown(app)) == 3


def test_the_map_opens_on_what_the_person_had_there_last_all_rosters_too(
    filled: Callable[..., AppTest], service: RunningService, signed_in: Any
) -> None:
    app = filled()
    assert app.selectbox(key="roster").options == ["Fair"]
    journal, actor, fair = signed_in.workspace.journal, signed_in.workspace.actor, roster_of(signed_in)
    journal.rosters.create(actor, "Alpha", [RosterEntry("stay01"), RosterEntry("FLY002")])
    again = checked(signed_in(service, screens.EXPECTED_LOCATIONS.page).run())
    assert (again.selectbox(key="roster").value, asked(again)["roster"]) == (str(fair.id), [str(fair.id)])
    assert again.selectbox(key="roster").options == ["All rosters", "Alpha", "Fair"]
    checked(again.selectbox(key="roster").set_value("all").run())
    assert load_of(signed_in, "all").wait(30)
    checked(again.run())
    assert "**3 people**" in text_of(again)
    assert asked(again)["roster"] == ["all"]
    assert checked(signed_in(service, screens.EXPECTED_LOCATIONS.page).run()).selectbox(key="roster").value == "all"


def test_a_place_that_is_not_here_is_told_and_can_be_let_go(filled: Callable[..., AppTest]) -> None:
    app = filled(expected_place=["CDG", "NRT"])
    assert "No one in this roster is ever expected at NRT" in text_of(app)
    assert names_shown(app) == ["Ito, Cai"]
    checked(app.button(key="expected-let-go").click().run())
    assert asked(app)["expected_place"] == ["CDG"]
    assert "NRT" not in text_of(app)


def test_a_link_that_names_country_and_state_otherwise_leads_to_the_place(
    service: RunningService, signed_in: Any
) -> None:
    saved = "guest house@springfield,illinois,USA"
    app = signed_in(service, expected_place=[saved])
    trip = stay("STAY01", "E1", begins=NOW - timedelta(days=1), nights=5)
    inn = Address(location_name="Guest House", city="Springfield", state="IL", country="US")
    with service.client() as client:
        segment = trip.segments[0].model_copy(update={"from_address": inn})
        client.itineraries.create(trip.model_copy(update={"segments": [segment]}))
    workspace = signed_in.workspace
    workspace.journal.rosters.create(workspace.actor, "Fair", [RosterEntry("STAY01")])
    app = loaded(app.run(), signed_in)
    assert "1 person at 1 selected place" in text_of(app)
    checked(app.run())
    assert asked(app)["expected_place"] == ["guest house@springfield,il,US"]


def test_a_link_shows_the_same_whatever_was_chosen_before(filled: Callable[..., AppTest]) -> None:
    app = filled(expected_kind=["Hotel"], expected_find="silva")
    app.query_params.clear()
    app.query_params["expected_place"] = ["CDG"]
    checked(app.run())
    assert names_shown(app) == ["Ito, Cai"]
    assert app.text_input(key="expected_find").value == ""


def test_the_menu_leads_back_to_what_was_chosen(filled: Callable[..., AppTest]) -> None:
    app = filled()
    checked(app.text_input(key="expected_find").set_value("silva").run())
    chosen = asked(app)
    app.switch_page(screens.ROSTERS.page)
    app.query_params.clear()
    checked(app.run())
    assert app.title[0].value == "Rosters"
    app.switch_page(screens.EXPECTED_LOCATIONS.page)
    app.query_params.clear()
    checked(app.run())
    assert app.text_input(key="expected_find").value == "silva"
    assert asked(app) == chosen
    assert set(names_shown(app)) == {"Silva, Ana"}


def test_what_is_picked_is_ringed_on_the_map_from_the_link_to_its_end(filled: Callable[..., AppTest]) -> None:
    app = filled(expected_place=[HOTEL])
    assert ringed(app) == [[103.8, 1.3]]
    checked(app.multiselect(key="expected_place").select("CDG").run())
    assert [103.8, 1.3] in ringed(app)
    assert len(ringed(app)) == 2
    checked(app.multiselect(key="expected_place").unselect(HOTEL).run())
    assert len(ringed(app)) == 1
    assert [103.8, 1.3] not in ringed(app)
    checked(app.multiselect(key="expected_place").unselect("CDG").run())
    assert ringed(app) == []


def test_a_pick_that_the_map_still_holds_is_ringed_no_longer_once_it_is_taken_back(
    filled: Callable[..., AppTest],
) -> None:
    """What was picked on the map stays picked there for ever: only a new map forgets it."""
    app = filled()
    app.session_state["expected-map-0"] = {
        "selection": {"objects": {"places": [{"id": HOTEL}]}, "indices": {"places": [0]}}
    }
    app.session_state["expected.picked_on_map"] = [HOTEL]
    app.session_state["expected_place"] = [HOTEL]
    checked(app.run())
    assert ringed(app) == [[103.8, 1.3]]
    checked(app.multiselect(key="expected_place").unselect(HOTEL).run())
    assert ringed(app) == []


def test_somebody_who_is_not_covered_can_be_opened(filled: Callable[..., AppTest]) -> None:
    app = filled(**NOT_COVERED)
    app.session_state["expected-not-covered"] = True
    checked(press_rows(checked(app.run()), "expected-not-covered-people", "E4\x1fRoy, Dee\x1fGAP001"))
    (link,) = (each.proto for each in app.get("page_link") if "the trip of" in each.proto.label)
    assert link.page == screens.TRIP.url_path
    assert "locator=GAP001&id=" in link.query_string


def test_what_this_desk_deletes_leaves_the_map_by_itself(
    filled: Callable[..., AppTest], service: RunningService, signed_in: Any
) -> None:
    app = filled()
    workspace = signed_in.workspace
    (reference,) = workspace.client.itineraries.search(field_name="pnr", values=["STAY01"])
    recorded(
        workspace,
        "itinerary.delete",
        subject_kind="itinerary",
        subject_id=str(reference.id),
        subject_name="STAY01",
        request=None,
        call=lambda: workspace.client.itineraries.delete(reference.id),
    )
    app.run()
    assert set(names_shown(loaded(app, signed_in))) == {"Ito, Cai"}
    begun = load_of(signed_in).now.began_at
    checked(app.run())
    assert load_of(signed_in).now.began_at == begun


@pytest.mark.parametrize("locator", ["STAY01", ""])
def test_what_this_desk_cancels_among_many_leaves_the_map_by_itself(
    filled: Callable[..., AppTest], service: RunningService, signed_in: Any, locator: str
) -> None:
    """Also where the trip was named by its id alone."""
    app = filled()
    workspace = signed_in.workspace
    (reference,) = workspace.client.itineraries.search(field_name="pnr", values=["STAY01"])
    row = {"id": str(reference.id), "locator": locator, "who": ""}
    JOBS.wait(JOBS.begin(workspace, Check.of_rows(CANCELING, "trips", [row])))
    app.run()
    assert set(names_shown(loaded(app, signed_in))) == {"Ito, Cai"}
    begun = load_of(signed_in).now.began_at
    checked(app.run())
    assert load_of(signed_in).now.began_at == begun
