"""The expected locations screen in AppTest, without its drawn map: empty, loaded, filtered, and failing."""

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
from components.expected_locations import controls, load_status
from domain.edits.journaled_calls import call_with_journal
from domain.expected_locations.roster_load import RosterLoad
from domain.file_import.checking import Check
from domain.file_import.job import JOBS
from domain.runtime import screens
from domain.runtime.server import server
from domain.trips.trip_import.canceling import CANCELING
from journal import Roster, RosterEntry, Traveler
from tests.app.tables import EVENT_TIMES, select_rows, send_events, tables
from tests.running_service import RunningService

NOW = datetime.now(UTC).replace(second=0, microsecond=0)
HOTEL = "lion hotel@1.300,103.800"
PEOPLE = {"E1": ("Ana", "Silva"), "E2": ("Ben", "Müller"), "E3": ("Cai", "Ito"), "E4": ("Dee", "Roy")}


def passenger(employee_id: str) -> Passenger:
    first, last = PEOPLE[employee_id]
    return Passenger(employee_id=employee_id, first_name=first, last_name=last)


def utc(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def stay(locator: str, *people: str, start: datetime, nights: int) -> Itinerary:
    address = Address(location_name="Lion Hotel", city="Singapore", country="SG", latitude=1.3, longitude=103.8)
    return Itinerary(
        pnr=locator,
        segments=[
            Segment(
                type="Hotel",
                from_address=address,
                from_time_zone="Asia/Singapore",
                to_time_zone="Asia/Singapore",
                from_date_time=utc(start),
                to_date_time=utc(start + timedelta(days=nights)),
            )
        ],
        passengers=[passenger(each) for each in people],
    )


def flight(locator: str, person: str, *departures: datetime) -> Itinerary:
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
            for at in departures
        ],
        passengers=[passenger(person)],
    )


@pytest.fixture
def open_screen(service: RunningService, signed_in: Any) -> Callable[..., AppTest]:
    """Open the screen with a query and a roster of four trips and an unknown record locator."""

    def open_page(**query: str | list[str]) -> AppTest:
        app = signed_in(service, **query)
        for name in ("expected-filters", "expected-options"):
            app.session_state[name] = True  # open
        with service.client() as client:
            client.itineraries.create(stay("STAY01", "E1", "E2", start=NOW - timedelta(days=1), nights=5))
            client.itineraries.create(flight("FLY001", "E3", NOW + timedelta(hours=3)))
            client.itineraries.create(flight("FLY002", "E1", NOW + timedelta(days=30)))
            client.itineraries.create(flight("GAP001", "E4", *(NOW + timedelta(days=days) for days in (1.5, 6))))
        workspace = signed_in.workspace
        locators = ["STAY01", "FLY001", "FLY002", "GAP001", "NOBODY"]
        workspace.journal.rosters.create(workspace.actor, "Fair", [RosterEntry(each) for each in locators])
        workspace.journal.travelers.learn(
            workspace.actor.service,
            workspace.actor.organization_id,
            [Traveler(external_id, *names) for external_id, names in PEOPLE.items()],
        )
        return wait_for_load(app.run(), signed_in)

    return open_page


def find_roster(signed_in: Any) -> Roster:
    workspace = signed_in.workspace
    (roster,) = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
    return roster


def find_load(signed_in: Any, roster_ids: str | None = None) -> RosterLoad:
    workspace = signed_in.workspace
    return server().reads.get_or_create(
        workspace,
        ("roster", roster_ids or str(find_roster(signed_in).id)),
        lambda: pytest.fail("the screen opened no load"),
        of_organization=True,
    )


def wait_for_load(app: AppTest, signed_in: Any) -> AppTest:
    """Return the screen after its load has ended."""
    assert find_load(signed_in).wait(30)
    return check(app.run())


def check(app: AppTest) -> AppTest:
    assert not app.exception, app.exception
    return app


def page_text(app: AppTest) -> str:
    elements = [*app.title, *app.markdown, *app.caption, *app.info, *app.warning, *app.error, *app.header]
    return "\n".join(each.value for each in elements)


def read_query(app: AppTest) -> dict[str, list[str]]:
    """Return the query of the URL."""
    return {name: [value] if isinstance(value, str) else list(value) for name, value in app.query_params.items()}


def read_map(app: AppTest) -> dict[str, Any]:
    """Return what the page passes to the map: hour, selected places, area, and limit."""
    parts = [json.loads(each.proto.json or "{}") for each in app.get("bidi_component")]
    (map_data,) = (each for each in parts if "hour" in each)
    return map_data


def use_map(app: AppTest, kind: str, value: Any) -> AppTest:
    """Select places ("select"), a time ("hour"), or an area ("view") on the map."""
    return check(send_events(app, "expected-map", [next(EVENT_TIMES), kind, value]))


def read_figures(app: AppTest) -> str:
    """Return the figures in one line."""
    return " · ".join(app.button_group(key="expected_show").options)


def select_figure(app: AppTest, figure: str | None) -> AppTest:
    return check(app.button_group(key="expected_show").set_value(figure).run())


def list_names(app: AppTest) -> list[str]:
    return list(tables(app)[-1]["name"])


def test_without_a_roster_the_screen_explains_how_to_create_one(service: RunningService, signed_in: Any) -> None:
    app = check(signed_in(service).run())
    assert "A roster is a named list of trips" in page_text(app)


def test_the_roster_loads_automatically_and_figures_sum_it_up(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen()
    assert read_figures(app) == (
        "**3** people at places · **2** places · **0** not covered · **1** trip not found · 0 in transit · What changed"
    )
    assert "3 travelers · 3 expected locations · now, " in page_text(app)
    assert list_names(app) == ["Ito, Cai", "Müller, Ben", "Silva, Ana"]
    assert "as of " in page_text(app)
    fields = {each.label for kind in ("text_input", "multiselect", "button_group") for each in app.get(kind)}
    assert {name for name, _ in CHOICES["map"]} <= fields, "for the benchmark"


def test_a_record_locator_unknown_to_the_service_is_listed(open_screen: Callable[..., AppTest]) -> None:
    app = select_figure(open_screen(), "not-found")
    assert read_query(app)["expected_show"] == ["not-found"]
    assert [each["locator"].tolist() for each in tables(app)] == [["NOBODY"]]


def test_a_place_in_the_list_shows_its_people(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen()
    picker = app.multiselect(key="expected_place")
    assert picker.options == ["Lion Hotel, Singapore", "Paris Charles de Gaulle (CDG)"]
    check(picker.select(HOTEL).run())
    assert read_query(app)["expected_place"] == [HOTEL]
    assert list_names(app) == ["Müller, Ben", "Silva, Ana"]
    assert "2 people at 1 selected place" in page_text(app)


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
def test_url_parameters_select_the_people_shown(
    open_screen: Callable[..., AppTest], query: dict[str, Any], people: list[str]
) -> None:
    assert sorted(set(list_names(open_screen(**query)))) == people


def test_times_are_shown_in_utc_or_in_the_time_zone_of_the_browser(
    open_screen: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(controls, "browser_zone", lambda: "Asia/Singapore")
    app = open_screen(expected_time="Moment", expected_at="2026-11-20T23:30")
    assert "Nov 20, 23:30 UTC" in page_text(app)
    check(app.button_group(key="expected_clock").set_value("Local").run())
    assert "Nov 21, 07:30 browser time" in page_text(app)
    assert read_map(app)["clock"] == "local"


IN_THE_AIR = {"expected_time": "Moment", "expected_at": f"{NOW + timedelta(hours=5):%Y-%m-%dT%H:%M}"}
NOT_COVERED = {"expected_time": "Moment", "expected_at": f"{NOW + timedelta(days=3.5):%Y-%m-%dT%H:%M}"}


def test_people_in_transit_are_listed_by_figure_or_by_status(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen(**IN_THE_AIR)
    assert read_figures(app).startswith("**2** people at places · **1** place · ")
    assert "1 in transit" in read_figures(app)
    assert list_names(select_figure(app, "transit")) == ["Ito, Cai"]
    assert list_names(select_figure(app, "people")) == ["Müller, Ben", "Silva, Ana"]
    assert list(tables(select_figure(app, "places"))[-1]["label"]) == ["Lion Hotel, Singapore"]
    select_figure(app, None)
    check(app.multiselect(key="expected_status").set_value(["in transit"]).run())
    assert read_query(app)["expected_status"] == ["in transit"]
    (row,) = tables(app)[-1].to_dict("records")
    assert (row["name"], row["status"]) == ("Ito, Cai", "➤ In transit")
    assert row["place"] == "Paris (CDG) → New York (JFK)"


def test_a_place_lists_who_arrives_or_leaves_within_the_next_hours(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen(expected_place=["JFK"], expected_due="Arriving", expected_within="24 h")
    (row,) = tables(app)[-1].to_dict("records")
    assert (row["name"], row["state"], row["other_place"]) == (
        "Ito, Cai",
        "◷ Not departed",
        "Paris Charles de Gaulle (CDG)",
    )
    assert "1 person arriving within 24 hours" in page_text(app)
    check(app.button_group(key="expected_within").set_value("6 h").run())
    assert "0 people arriving within 6 hours" in page_text(app)
    app.multiselect(key="expected_place").set_value(["CDG"])
    check(app.button_group(key="expected_due").set_value("Leaving").run())
    assert list_names(app) == ["Ito, Cai"]
    assert (read_query(app)["expected_due"], read_query(app).get("expected_within")) == (["Leaving"], None)


def test_travelers_without_an_expected_location_are_counted_and_listed(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen(**NOT_COVERED)
    assert ":orange[**1** :material/warning: not covered]" in read_figures(app)
    assert "3 travelers" in page_text(app)
    (table,) = tables(select_figure(app, "not-covered"))
    assert table[["name", "locator"]].to_numpy().tolist() == [["Roy, Dee", "GAP001"]]
    check(app.multiselect(key="expected_country").set_value(["Singapore"]).run())
    assert "**0** not covered" in read_figures(app)
    assert "2 travelers in Singapore" in page_text(app)


def test_a_selected_figure_stays_selected_while_its_number_changes(
    open_screen: Callable[..., AppTest], service: RunningService, signed_in: Any
) -> None:
    app = select_figure(open_screen(**NOT_COVERED), "not-covered")
    with service.client() as client:
        client.itineraries.create(flight("GAP002", "E3", *(NOW + timedelta(days=days) for days in (1.6, 6.1))))
    workspace = signed_in.workspace
    workspace.journal.rosters.replace_entries(
        find_roster(signed_in).id,
        [RosterEntry(each) for each in ("STAY01", "GAP001", "GAP002")],
        actor=workspace.actor,
    )
    app.run()
    wait_for_load(app, signed_in)
    assert "**2** :material/warning: not covered" in read_figures(app)
    assert any("last_place" in each for each in tables(app))


def test_a_time_without_people_shows_when_people_are_expected_and_keeps_the_scrubber(
    open_screen: Callable[..., AppTest],
) -> None:
    app = open_screen(expected_time="Moment", expected_at=f"{NOW - timedelta(days=300):%Y-%m-%dT%H:%M}")
    assert "No one on the selected rosters is expected anywhere" in page_text(app)
    assert "Expected locations run from" in page_text(app)
    assert read_map(app)["hour"] == 7 * 24 + (NOW - timedelta(days=300)).hour


def test_filters_that_leave_no_one_can_be_cleared(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen(expected_find="nobody at all", expected_kind=["Air"])
    assert "No one matches the filters" in page_text(app)
    check(app.button(key="expected-clear").click().run())
    assert len(list_names(app)) == 3


def test_countries_show_their_number_of_people_and_are_in_the_url_by_name(
    open_screen: Callable[..., AppTest],
) -> None:
    app = open_screen()
    countries = app.multiselect(key="expected_country")
    assert countries.options == ["SG · Singapore · 2", "FR · France · 1"]
    check(countries.set_value(["Singapore"]).run())
    assert read_query(app)["expected_country"] == ["Singapore"]


def test_refresh_is_enabled_after_a_load_ends_while_the_page_is_drawn(
    open_screen: Callable[..., AppTest], signed_in: Any, monkeypatch: pytest.MonkeyPatch, refresh_at_once: Any
) -> None:
    app = open_screen()
    load, go, draw = find_load(signed_in), threading.Event(), load_status.draw_freshness
    read = Itineraries.search

    def wait_and_read(*arguments: Any, **options: Any) -> Any:
        assert go.wait(30)
        return read(*arguments, **options)

    def draw_then_end_load(*arguments: Any, **options: Any) -> None:
        draw(*arguments, **options)
        go.set()
        assert load.wait(30)

    monkeypatch.setattr(Itineraries, "search", wait_and_read)
    monkeypatch.setattr(load_status, "draw_freshness", draw_then_end_load)
    refresh_at_once()
    load.load()
    check(app.run())
    assert go.is_set()
    assert not app.button(key="expected-refresh").disabled


def test_a_load_started_by_another_tab_while_the_page_is_drawn_is_not_awaited(
    open_screen: Callable[..., AppTest], signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page follows only loads that ran when it was drawn."""
    app = open_screen(expected_find="nobody at all")
    load, go, draw = find_load(signed_in), threading.Event(), load_status.draw_freshness
    read = Itineraries.search

    def wait_and_read(*arguments: Any, **options: Any) -> Any:
        assert go.wait(30)
        return read(*arguments, **options)

    def draw_then_start_load(*arguments: Any, **options: Any) -> None:
        draw(*arguments, **options)
        assert load.load()

    monkeypatch.setattr(Itineraries, "list_expected_locations", wait_and_read)
    monkeypatch.setattr(Itineraries, "search", wait_and_read)
    monkeypatch.setattr(load_status, "draw_freshness", draw_then_start_load)
    check(app.run())
    go.set()
    assert load.wait(30)
    assert app.button(key="expected-clear-empty")


def test_a_refresh_reloads_the_trips_and_keeps_the_filters(
    open_screen: Callable[..., AppTest], service: RunningService, signed_in: Any
) -> None:
    app = open_screen(expected_find="silva")
    with service.client() as client:
        (reference,) = client.itineraries.search(field_name="pnr", values=["STAY01"])
        client.itineraries.delete(reference.id)
    app.button(key="expected-refresh").click().run()
    wait_for_load(app, signed_in)
    assert read_figures(app).startswith("**0** people")
    assert app.text_input(key="expected_find").value == "silva"


def test_loaded_trips_stay_and_a_retry_is_offered_if_the_service_becomes_unreachable(
    open_screen: Callable[..., AppTest], service: RunningService, signed_in: Any
) -> None:
    app = open_screen()
    load = find_load(signed_in)
    load.use(service.client(retry=None, timeout=2).itineraries)
    service.stop()
    try:
        app.button(key="expected-refresh").click().run()
        load.stop()
        wait_for_load(app, signed_in)
        assert len(list_names(app)) == 3
        assert any(button.key == "expected-retry" for button in app.button)
    finally:
        service.start()


def test_messages_without_people_mention_trips_that_were_not_read(
    open_screen: Callable[..., AppTest], signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise NotAllowed("The service does not let you.")

    app = open_screen(expected_place=["JFK"])
    assert "No one is expected at this place at that time." in page_text(app)
    monkeypatch.setattr(Itineraries, "list_expected_locations", fail)
    find_load(signed_in).load()
    app = wait_for_load(app, signed_in)
    assert "trips not loaded**" in page_text(app)
    assert "No one on the loaded trips is expected at this place at that time." in page_text(app)
    check(app.text_input(key="expected_find").set_value("nobody at all").run())
    assert "No one on the loaded trips matches the filters" in page_text(app)


def test_a_running_load_explains_the_stop_button(
    open_screen: Callable[..., AppTest], signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_screen()
    go, original = threading.Event(), Itineraries.list_expected_locations

    def wait_and_read(*arguments: Any, **options: Any) -> Any:
        assert go.wait(60)
        return original(*arguments, **options)

    monkeypatch.setattr(Itineraries, "list_expected_locations", wait_and_read)
    app.button(key="expected-refresh").click().run()
    assert "If you stop, Muster keeps the trips loaded so far" in page_text(app).replace("\\", "")
    go.set()
    wait_for_load(app, signed_in)
    assert "If you stop, Muster keeps" not in page_text(app)


@pytest.mark.parametrize(("mode", "seconds_later", "runs"), [("Now", 29, 1), ("Now", 30, 2), ("Moment", 30, 1)])
def test_the_screen_is_redrawn_each_minute_for_now_and_not_for_a_selected_moment(
    open_screen: Callable[..., AppTest],
    monkeypatch: pytest.MonkeyPatch,
    mode: str,
    seconds_later: int,
    runs: int,
    refresh_at_once: Any,
) -> None:
    """A fragment checks the clock twice per minute and redraws the screen if the minute has changed."""
    app = open_screen(expected_time=mode)
    shown_at = datetime(2026, 11, 20, 12, 5, 30, tzinfo=UTC)
    times = iter([shown_at])
    opened_loads, intervals = [], []

    class Clock:
        @staticmethod
        def now(_: object) -> datetime:
            return next(times, shown_at + timedelta(seconds=seconds_later))

    def count_load(*arguments: Any) -> RosterLoad:
        opened_loads.append(arguments)
        return open_load(*arguments)

    def record_fragment(*arguments: Any, **options: Any) -> Any:
        intervals.extend(options.values())
        return fragment(*arguments, **options)

    open_load, fragment = load_status.open_load, st.fragment
    monkeypatch.setattr(load_status, "datetime", Clock)
    monkeypatch.setattr(load_status, "open_load", count_load)
    monkeypatch.setattr(st, "fragment", record_fragment)
    refresh_at_once()
    check(app.run())
    assert len(opened_loads) == runs
    assert intervals == [30] * runs


def test_refresh_works_when_the_minute_changes_in_the_same_run(
    open_screen: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch, refresh_at_once: Any
) -> None:
    """The button is in the fragment that checks the clock, so selecting it runs only the fragment."""
    app = open_screen()
    loaded_again: list[bool] = []
    monkeypatch.setattr(RosterLoad, "load", lambda *_, **__: loaded_again.append(True))
    minutes = iter([6, 5])
    monkeypatch.setattr(load_status, "to_the_minute", lambda _: next(minutes, 6))
    refresh_at_once()
    check(app.button(key="expected-refresh").click().run())
    assert loaded_again == [True]


def test_a_moment_starts_at_the_next_full_hour_and_is_in_the_url(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen()
    check(app.button_group(key="expected_time").set_value("Moment").run())
    at = app.datetime_input(key="expected_at").value
    assert at is not None
    assert at.minute == 0
    assert read_query(app)["expected_at"] == [f"{at:%Y-%m-%dT%H:%M}"]
    assert f"{at:%H:%M} UTC" in page_text(app)


def test_a_link_to_a_day_opens_its_noon(open_screen: Callable[..., AppTest], signed_in: Any) -> None:
    day = NOW + timedelta(days=30)
    app = open_screen(expected_time="Day", expected_day=f"{day:%Y-%m-%d}", expected_clock="Place-local")
    assert read_query(app) == {
        "roster": [str(find_roster(signed_in).id)],
        "expected_time": ["Moment"],
        "expected_at": [f"{day:%Y-%m-%d}T12:00"],
    }


def test_the_time_on_the_map_applies_to_lists_and_links(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen()
    hour = read_map(app)["hour"]
    use_map(app, "hour", hour + 5)
    assert read_query(app)["expected_time"] == ["Moment"]
    first = datetime.now(UTC).replace(hour=0, minute=0) - timedelta(days=7)
    assert read_query(app)["expected_at"] == [f"{first + timedelta(hours=hour + 5):%Y-%m-%dT%H:%M}"]
    assert read_map(app)["hour"] == hour + 5
    assert list_names(select_figure(app, "transit")) == ["Ito, Cai"]
    check(app.button_group(key="expected_time").set_value("Now").run())
    assert read_map(app)["hour"] in (hour, hour + 1)


def test_a_place_selected_on_the_map_is_selected_in_the_list_the_url_and_the_table(
    open_screen: Callable[..., AppTest],
) -> None:
    app = use_map(open_screen(), "select", [HOTEL])
    assert app.multiselect(key="expected_place").value == [HOTEL]
    assert read_query(app)["expected_place"] == [HOTEL]
    assert read_map(app)["selected"] == [HOTEL]
    assert list_names(app) == ["Müller, Ben", "Silva, Ana"]
    check(app.multiselect(key="expected_place").unselect(HOTEL).run())
    assert read_map(app)["selected"] == []


def test_the_url_has_the_id_of_the_roster(open_screen: Callable[..., AppTest], signed_in: Any) -> None:
    """A link opens the same roster after it is renamed or another roster takes its name."""
    app = open_screen()
    workspace = signed_in.workspace
    (fair,) = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
    assert read_query(app)["roster"] == [str(fair.id)]
    workspace.journal.rosters.rename(fair.id, "Spring fair", actor=workspace.actor)
    workspace.journal.rosters.create(workspace.actor, "Fair", [RosterEntry("OTHER1")])
    check(app.run())
    assert app.multiselect(key="roster").value == [str(fair.id)]
    assert read_query(app)["roster"] == [str(fair.id)]
    assert len(list_names(app)) == 3


def test_a_missing_roster_is_reported_and_no_other_roster_is_shown(
    open_screen: Callable[..., AppTest], signed_in: Any
) -> None:
    app = open_screen()
    app.query_params["roster"] = "4711"
    check(app.run())
    assert "There is no roster “4711”" in page_text(app)
    assert not app.dataframe
    check(app.run())
    assert "There is no roster “4711”" in page_text(app)
    fair = find_roster(signed_in).id
    check(app.multiselect(key="roster").set_value([str(fair)]).run())
    assert len(list_names(app)) == 3


def test_a_link_to_all_rosters_opens_the_only_roster(open_screen: Callable[..., AppTest], signed_in: Any) -> None:
    app = open_screen(roster=["all"])
    assert read_query(app)["roster"] == [str(find_roster(signed_in).id)]
    assert len(list_names(app)) == 3


def test_the_map_opens_on_the_last_selection_including_all_rosters(
    open_screen: Callable[..., AppTest], service: RunningService, signed_in: Any
) -> None:
    app = open_screen()
    assert app.multiselect(key="roster").options == ["Fair"]
    journal, actor, fair = signed_in.workspace.journal, signed_in.workspace.actor, find_roster(signed_in)
    journal.rosters.create(actor, "Alpha", [RosterEntry("stay01"), RosterEntry("FLY002")])
    again = signed_in(service, screens.EXPECTED_LOCATIONS.page)
    again.session_state["expected-filters"] = True
    check(again.run())
    assert again.multiselect(key="roster").value == read_query(again)["roster"] == [str(fair.id)]
    assert again.multiselect(key="roster").options == ["All rosters", "Alpha", "Fair"]
    check(again.multiselect(key="roster").select("all").run())
    assert find_load(signed_in, "all").wait(30)
    check(again.run())
    assert read_figures(again).startswith("**3** people")
    assert read_query(again)["roster"] == ["all"]
    assert read_query(check(signed_in(service, screens.EXPECTED_LOCATIONS.page).run()))["roster"] == ["all"]


def test_an_unknown_place_in_the_url_is_reported_and_can_be_removed(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen(expected_place=["CDG", "NRT"])
    assert "No one on the selected rosters is ever expected at NRT" in page_text(app)
    assert list_names(app) == ["Ito, Cai"]
    check(app.button(key="expected-clear-unknown").click().run())
    assert read_query(app)["expected_place"] == ["CDG"]
    assert "NRT" not in page_text(app)


def test_a_link_with_other_spellings_of_country_and_state_opens_the_place(
    service: RunningService, signed_in: Any
) -> None:
    linked_place = "guest house@springfield,illinois,USA"
    app = signed_in(service, expected_place=[linked_place])
    trip = stay("STAY01", "E1", start=NOW - timedelta(days=1), nights=5)
    inn = Address(location_name="Guest House", city="Springfield", state="IL", country="US")
    with service.client() as client:
        segment = trip.segments[0].model_copy(update={"from_address": inn})
        client.itineraries.create(trip.model_copy(update={"segments": [segment]}))
    workspace = signed_in.workspace
    workspace.journal.rosters.create(workspace.actor, "Fair", [RosterEntry("STAY01")])
    app = wait_for_load(app.run(), signed_in)
    assert "1 person at 1 selected place" in page_text(app)
    check(app.run())
    assert read_query(app)["expected_place"] == ["guest house@springfield,il,US"]


def test_a_link_ignores_the_earlier_selection(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen(expected_kind=["Hotel"], expected_find="silva")
    app.query_params.clear()
    app.query_params["expected_place"] = ["CDG"]
    check(app.run())
    assert list_names(app) == ["Ito, Cai"]
    assert app.text_input(key="expected_find").value == ""


def test_the_menu_restores_the_last_selection(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen()
    check(app.text_input(key="expected_find").set_value("silva").run())
    query = read_query(app)
    app.switch_page(screens.ROSTERS.page)
    app.query_params.clear()
    check(app.run())
    assert app.title[0].value == "Rosters"
    app.switch_page(screens.EXPECTED_LOCATIONS.page)
    app.query_params.clear()
    check(app.run())
    assert app.text_input(key="expected_find").value == "silva"
    assert read_query(app) == query
    assert set(list_names(app)) == {"Silva, Ana"}


def test_the_trip_of_a_traveler_who_is_not_covered_can_be_opened(open_screen: Callable[..., AppTest]) -> None:
    app = select_figure(open_screen(**NOT_COVERED), "not-covered")
    check(select_rows(app, "expected-not-covered-people", "E4\x1fRoy, Dee\x1fGAP001"))
    (link,) = (each.proto for each in app.get("page_link") if "the trip of" in each.proto.label)
    assert link.page == screens.TRIP.url_path
    assert "locator=GAP001&id=" in link.query_string


def test_a_trip_deleted_in_muster_is_removed_from_the_map(
    open_screen: Callable[..., AppTest], service: RunningService, signed_in: Any
) -> None:
    app = open_screen()
    workspace = signed_in.workspace
    (reference,) = workspace.client.itineraries.search(field_name="pnr", values=["STAY01"])
    call_with_journal(
        workspace,
        "itinerary.delete",
        subject_kind="itinerary",
        subject_id=str(reference.id),
        subject_name="STAY01",
        request=None,
        call=lambda: workspace.client.itineraries.delete(reference.id),
    )
    app.run()
    assert set(list_names(wait_for_load(app, signed_in))) == {"Ito, Cai"}
    began_at = find_load(signed_in).now.began_at
    check(app.run())
    assert find_load(signed_in).now.began_at == began_at


@pytest.mark.parametrize("locator", ["STAY01", ""])
def test_a_trip_canceled_by_a_job_is_removed_from_the_map(
    open_screen: Callable[..., AppTest], service: RunningService, signed_in: Any, locator: str
) -> None:
    """Even if the row has only the ID of the trip."""
    app = open_screen()
    workspace = signed_in.workspace
    (reference,) = workspace.client.itineraries.search(field_name="pnr", values=["STAY01"])
    row = {"id": str(reference.id), "locator": locator, "who": ""}
    JOBS.wait(JOBS.begin(workspace, Check.of_rows(CANCELING, "trips", [row])))
    app.run()
    assert set(list_names(wait_for_load(app, signed_in))) == {"Ito, Cai"}
    began_at = find_load(signed_in).now.began_at
    check(app.run())
    assert find_load(signed_in).now.began_at == began_at


def test_several_rosters_are_shown_together_and_named_in_the_url(
    open_screen: Callable[..., AppTest], signed_in: Any
) -> None:
    app = open_screen()
    workspace, fair = signed_in.workspace, find_roster(signed_in)
    other = workspace.journal.rosters.create(workspace.actor, "Other", [RosterEntry("FLY001")])
    workspace.journal.rosters.replace_entries(fair.id, [RosterEntry("STAY01")], actor=workspace.actor)
    both = [str(fair.id), str(other.id)]
    check(app.run())
    check(app.multiselect(key="roster").set_value(both).run())
    assert find_load(signed_in, ",".join(both)).wait(30)
    check(app.run())
    assert read_query(app)["roster"] == both
    assert list_names(app) == ["Ito, Cai", "Müller, Ben", "Silva, Ana"]
    assert "Fair and Other · as of" in page_text(app)


def test_a_person_is_shown_with_their_place_companions_calendar_and_trips(open_screen: Callable[..., AppTest]) -> None:
    app = check(open_screen(expected_place=[HOTEL]))
    (silva,) = (each for each in app.button if each.label.startswith("Silva"))
    check(silva.click().run())
    assert read_query(app)["expected_person"] == ["E1"]
    text = page_text(app)
    assert "Lion Hotel, Singapore, until" in text.replace("\\", "")
    assert "Also at this place:  \nMüller, Ben" in text
    assert "**Next** · Paris Charles de Gaulle" in text
    assert ":blue-background[" in text
    trips = [each.proto.label for each in app.get("page_link") if each.proto.page == screens.TRIP.url_path]
    assert [label.split(" · ")[0] for label in trips] == ["STAY01", "FLY002"]
    check(app.button(key="expected-close-person").click().run())
    assert "expected_person" not in read_query(app)


def test_a_person_in_the_url_who_is_not_in_the_rosters_is_reported(open_screen: Callable[..., AppTest]) -> None:
    assert "E99 is not on the selected rosters." in page_text(open_screen(expected_person="E99"))


def test_a_place_over_the_organizations_limit_is_marked_on_the_map_and_in_the_list(
    open_screen: Callable[..., AppTest],
) -> None:
    app = open_screen()
    check(app.selectbox(key="expected.grouping").set_value("Hotel").run())
    (hotel,) = (each for each in app.button if "Lion Hotel" in each.label)
    assert hotel.label == "**2** Lion Hotel, Singapore"
    assert hotel.help == ""
    app.number_input(key="expected.limit").set_value(1)
    check(app.button(key="expected-save-limit").click().run())
    assert read_map(app)["limit"] == 1
    (hotel,) = (each for each in app.button if "Lion Hotel" in each.label)
    assert hotel.help == "Over the limit of 1"
    check(hotel.click().run())
    assert read_query(app)["expected_place"] == [HOTEL]


def test_selecting_a_country_filters_by_it_and_lists_its_cities(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen()
    (country,) = (each for each in app.button if each.label == "**2** Singapore")
    check(country.click().run())
    assert read_query(app)["expected_country"] == ["Singapore"]
    assert app.selectbox(key="expected.grouping").value == "City"


def test_a_saved_view_restores_rosters_filters_and_the_map_area(
    open_screen: Callable[..., AppTest], signed_in: Any
) -> None:
    app = open_screen(expected_country=["Singapore"])
    use_map(app, "view", [100, 0, 110, 10])
    app.text_input(key="expected-save-view-name").set_value("Asia").run()
    check(app.button(key="expected-save-view").click().run())
    check(app.button(key="expected-clear").click().run())
    assert read_map(app)["bounds"] is None
    check(app.button(key="expected-view-Asia").click().run())
    assert read_query(app) == {"roster": [str(find_roster(signed_in).id)], "expected_country": ["Singapore"]}
    assert read_map(app)["bounds"] == [100, 0, 110, 10]
    use_map(app, "view", [100, 0, 110, 10])
    assert read_map(app)["bounds"] is None, "opening the view a second time moves the map again"


def test_changes_since_the_last_visit_are_listed_until_they_are_marked_as_seen(
    open_screen: Callable[..., AppTest], signed_in: Any
) -> None:
    app = select_figure(open_screen(), "changes")
    assert "no changes" in page_text(app)
    workspace = signed_in.workspace
    workspace.journal.rosters.replace_entries(
        find_roster(signed_in).id, [RosterEntry(each) for each in ("STAY01", "FLY002")], actor=workspace.actor
    )
    app.run()
    wait_for_load(app, signed_in)
    assert "**2** canceled trip" in page_text(app)
    (table,) = tables(app)
    assert table[["change", "locator"]].to_numpy().tolist() == [
        ["Canceled trip", "FLY001"],
        ["Canceled trip", "GAP001"],
    ]
    check(app.button(key="expected-mark-seen").click().run())
    assert "no changes" in page_text(app)


@pytest.mark.parametrize(
    ("minutes", "refresh", "is_reloaded"), [(4, "true", False), (5, "true", True), (12, "false", False)]
)
def test_trips_are_reloaded_every_five_minutes_unless_the_url_disables_it(
    open_screen: Callable[..., AppTest],
    signed_in: Any,
    monkeypatch: pytest.MonkeyPatch,
    minutes: int,
    refresh: str,
    is_reloaded: bool,
) -> None:
    app = open_screen(expected_refresh=refresh)
    load = find_load(signed_in)
    assert load.now.began_at is not None
    later = load.now.began_at + timedelta(minutes=minutes)
    reads: list[bool] = []
    monkeypatch.setattr(RosterLoad, "load", lambda *_, **__: bool(reads.append(True)))
    monkeypatch.setattr(load_status, "datetime", type("Clock", (), {"now": staticmethod(lambda _: later)}))
    check(app.run())
    assert reads == [True] * is_reloaded
    # Data of "now" that is old stands out.
    assert any(":orange[:material/warning: **as of" in str(each.value) for each in app.markdown) is (minutes >= 10)


def test_a_roster_without_any_found_trip_is_reported_and_lists_its_trips(
    service: RunningService, signed_in: Any
) -> None:
    app = signed_in(service)
    workspace = signed_in.workspace
    workspace.journal.rosters.create(workspace.actor, "Fair", [RosterEntry("NOBODY")])
    app = wait_for_load(app.run(), signed_in)
    assert "**1** trip not found" in read_figures(app)
    assert "None of the loaded trips has an expected location." in page_text(app)
    assert tables(app) == []
    (table,) = tables(select_figure(app, "not-found"))
    assert table["locator"].tolist() == ["NOBODY"]
