"""The screen of an incident under AppTest: area and time in the URL, sections, files, next steps, and marks."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from shapely import Polygon
from streamlit.testing.v1 import AppTest

from client.models.itineraries import Address, Itinerary, Passenger, Segment
from components.incidents import next_steps
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.edits import stored_drafts
from domain.filters.filter_change import FILTER_EDIT
from domain.incidents.affected_texts import URGENCY
from domain.incidents.area import circle
from domain.incidents.stored_areas import load_area
from domain.preparedness.shape_library.sent_regions import RegionFile, send_files
from domain.runtime import screens
from domain.runtime.server import server
from journal import RosterEntry, Traveler
from journal.incidents import IncidentContent
from tests.app.presses import page_text, press, press_twice, run, toasts
from tests.app.tables import EVENT_TIMES, select_rows, send_events, tables
from tests.generated_shapes import kml_of
from tests.running_service import RunningService

NOW = datetime.now(UTC).replace(second=0, microsecond=0)
HOTELS = {
    "KATH01": ("Ana", "Silva", "Yak Hotel", "Kathmandu", 27.71, 85.32),
    "POKH01": ("Ben", "Roy", "Lake Hotel", "Pokhara", 28.21, 83.99),
    "NEAR01": ("Cai", "Ito", "Hill Hotel", "Dhulikhel", 27.62, 85.55),
    "LOST01": ("Dee", "Lam", "Some Hotel", "Nowhere", None, None),
}


def stay(locator: str, start: datetime) -> Itinerary:
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
                from_date_time=start.strftime("%Y-%m-%dT%H:%M:%SZ"),
                to_date_time=(start + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            )
        ],
        passengers=[Passenger(employee_id=f"E-{locator}", first_name=first, last_name=last)],
    )


@pytest.fixture
def open_screen(service: RunningService, signed_in: Any) -> Callable[..., AppTest]:
    """Open the screen for a loaded roster of four hotel stays in Nepal, with URL parameters."""

    def open_page(**query: str | list[str]) -> AppTest:
        app = signed_in(service, screens.WHO_IS_AFFECTED.page, **query)
        workspace = signed_in.workspace
        if not workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id):
            with service.client() as client:
                for locator in HOTELS:
                    client.itineraries.create(stay(locator, NOW - timedelta(days=1)))
            workspace.journal.rosters.create(workspace.actor, "Trek", [RosterEntry(each) for each in HOTELS])
            workspace.journal.travelers.learn(
                workspace.actor.service,
                workspace.actor.organization_id,
                [Traveler(f"E-{locator}", first, last) for locator, (first, last, *_) in HOTELS.items()],
            )
        run(app)
        (roster,) = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
        load = server().reads.get_or_create(
            workspace,
            ("roster", str(roster.id)),
            lambda: pytest.fail("the screen opened no load"),
            of_organization=True,
        )
        assert load.wait(30)
        return run(app)

    return open_page


def read_query(app: AppTest) -> dict[str, list[str]]:
    return {name: [value] if isinstance(value, str) else list(value) for name, value in app.query_params.items()}


def list_names(app: AppTest) -> list[str]:
    return [name.split(" · ")[0] for name in tables(app)[-1]["name"]]


def read_pills(app: AppTest) -> dict[str, str]:
    """Return the texts of the marks above the list."""
    options = app.button_group(key="mark").options
    return dict(zip(URGENCY, options, strict=True))


def test_a_typed_area_lists_people_by_section_and_is_in_the_url(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen()
    app.text_input(key="incidents.area_text").set_value("10 km around 27.7, 85.3")
    app = press(app, "incident-add-area")
    assert read_query(app)["area"] == ["10 km around 27.7, 85.3"]
    assert "**1 person affected** · **0** possibly affected · **0** departed · **1** nearby" in page_text(app)
    assert (
        "The list covers only the roster “Trek”. 1 person can’t be placed because the records have no coordinates."
        in page_text(app)
    )
    assert list_names(app) == ["Silva, Ana"]
    app.button_group(key="section").set_value("nearby").run()
    assert list_names(app) == ["Ito, Cai"]
    assert list_names(open_screen(**read_query(app))) == ["Ito, Cai"]


def test_a_link_with_the_former_name_of_a_time_opens(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen(area="country:NP", when="From, until")
    assert read_query(app)["when"] == ["Between two times"]
    assert app.selectbox(key="when").value == "Between two times"


def test_a_saved_incident_keeps_marks_that_another_session_sees(
    open_screen: Callable[..., AppTest], signed_in: Any
) -> None:
    app = open_screen(area="10 km around 27.7, 85.3", when="Next 24 h")
    app.text_input(key="incident-save-name").set_value("Earthquake")
    app = press(app, "incident-save")
    query = read_query(app)
    assert query["incident"] == ["1"]
    assert query["when"] == ["Between two times"]
    assert read_pills(app)["unanswered"] == "○ Unanswered · 1"
    other = run(signed_in.open_tab(screens.WHO_IS_AFFECTED.page, incident="1"))
    app = run(select_rows(app, "affected", "E-KATH01"))
    app.text_input(key="incidents.mark_note").set_value("At the hotel")
    app = press(app, "incident-mark-safe")
    assert "1 person is marked as safe." in toasts(app)
    assert read_pills(app) == {
        "needs help": "▲ Needs help · 0",
        "unanswered": "○ Unanswered · 0",
        "contacted": "◐ Contacted · 0",
        "safe": "● Safe · 1",
    }
    assert tables(run(other))[-1]["mark"]["E-KATH01"] == "● Safe: At the hotel"
    again = run(signed_in.open_tab(screens.WHO_IS_AFFECTED.page, **query))
    # The other two are nearby, and have no coordinates.
    assert list_names(again) == ["Lam, Dee", "Ito, Cai", "Silva, Ana"]
    assert (
        "No one has arrived, left, or been added, and no trip has been canceled since you last opened the incident"
        in page_text(again)
    )


def test_a_saved_incident_lists_the_most_urgent_people_first_and_filters_by_mark(
    open_screen: Callable[..., AppTest], signed_in: Any
) -> None:
    app = open_screen(area="country:NP", when="Next 24 h")
    names = list_names(app)
    app.text_input(key="incident-save-name").set_value("Earthquake")
    app = press(app, "incident-save")
    assert list_names(app) == names
    actor, incidents = signed_in.workspace.actor, signed_in.workspace.journal.incidents
    incidents.mark(actor, 1, "E-NEAR01", "safe")
    incidents.mark(actor, 1, "E-POKH01", "needs help")
    app = run(app)
    listed = list_names(app)
    assert (listed[0], listed[-1]) == ("Roy, Ben", "Ito, Cai")
    assert len(listed) == len(names)
    app.button_group(key="mark").set_value("needs help")
    app = run(app)
    assert list_names(app) == ["Roy, Ben"]
    app.button_group(key="mark").set_value("contacted")
    app = run(app)
    assert "No one on the list matches" in page_text(app)
    app.button_group(key="mark").set_value(None)
    app = run(send_events(run(app), "affected", [next(EVENT_TIMES), "act", ["E-KATH01", "contacted"]]))
    assert incidents.marks(actor, 1)["E-KATH01"].status == "contacted"


def test_people_are_assigned_to_colleagues_and_filtered(open_screen: Callable[..., AppTest], signed_in: Any) -> None:
    app = open_screen(area="country:NP", when="Next 24 h")
    app.text_input(key="incident-save-name").set_value("Earthquake")
    app = run(select_rows(press(app, "incident-save"), "affected", "E-POKH01", "E-NEAR01"))
    app.selectbox(key="incidents.assignee").set_value("ana")
    app = run(app)
    marks = signed_in.workspace.journal.incidents.marks(signed_in.workspace.actor, 1)
    assert {person: mark.assigned_to for person, mark in marks.items()} == {"E-POKH01": "ana", "E-NEAR01": "ana"}
    assert read_pills(app)["unanswered"] == "○ Unanswered · 4"
    app.toggle(key="mine").set_value(True)
    app = run(app)
    assert sorted(list_names(app)) == ["Ito, Cai", "Roy, Ben"]
    assert list(tables(app)[-1]["assigned"]) == ["ana", "ana"]


def test_someone_who_needs_help_and_left_the_list_is_named(open_screen: Callable[..., AppTest], signed_in: Any) -> None:
    app = open_screen(area="10 km around 27.7, 85.3", when="Next 24 h")
    app.text_input(key="incident-save-name").set_value("Earthquake")
    app = press(app, "incident-save")
    signed_in.workspace.journal.incidents.mark(signed_in.workspace.actor, 1, "E-POKH01", "needs help")
    app = run(app)
    assert "**Marked as needing help, but no longer on the list:** Roy, Ben." in page_text(app)
    assert read_pills(app)["needs help"] == "▲ Needs help · 1"


def test_the_second_of_two_simultaneous_marks_is_rejected(open_screen: Callable[..., AppTest], signed_in: Any) -> None:
    app = open_screen(area="10 km around 27.7, 85.3")
    app.text_input(key="incident-save-name").set_value("Earthquake")
    app = run(select_rows(press(app, "incident-save"), "affected", "E-KATH01"))
    signed_in.workspace.journal.incidents.mark(signed_in.workspace.actor, 1, "E-KATH01", "needs help")
    app = press(app, "incident-mark-safe")
    assert "Someone else has just changed Silva, Ana. Check the change, then try again." in page_text(app)
    assert read_pills(app)["needs help"] == "▲ Needs help · 1"


def test_a_part_that_cannot_be_read_is_left_out_and_named(open_screen: Callable[..., AppTest]) -> None:
    app = open_screen(area=["10 km around 27.7, 85.3", "no area"])
    assert "**The area is not complete.** Muster skipped no area." in page_text(app)
    assert list_names(app) == ["Silva, Ana"]


def test_the_list_becomes_a_draft_contact_filter(open_screen: Callable[..., AppTest], signed_in: Any) -> None:
    app = open_screen(area="10 km around 27.7, 85.3", when="Next 6 h")
    app.session_state["incident-filter"] = True
    app = run(app)
    assert "This filter reaches exactly the people on the list." in page_text(app)
    app = press(app, "incident-filter-city-0")
    (draft,) = [each.draft for each in stored_drafts.list_unfinished(signed_in.workspace, FILTER_EDIT)]
    assert draft.name.endswith(": Kathmandu")


BOX = [(85.0, 27.5), (85.4, 27.5), (85.4, 27.9), (85.0, 27.9), (85.0, 27.5)]
CAP = (
    '<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>1</identifier><sender>a@b.c</sender>'
    "<sent>2026-11-20T00:00:00-00:00</sent><status>Actual</status><msgType>Alert</msgType><scope>Public</scope><info>"
    "<category>Met</category><event>Flood</event><urgency>Immediate</urgency><severity>Severe</severity>"
    "<certainty>Observed</certainty>"
    "<area><areaDesc>Valley</areaDesc><circle>27.7,85.3 10</circle></area></info></alert>"
)


def select_source(app: AppTest, source: str) -> AppTest:
    """Open the section for other areas with a source."""
    app.session_state["incident-sources"] = True
    run(app).button_group(key="incidents.area_source").set_value(source)
    return run(app)


def read_sections(app: AppTest) -> str:
    return next(line for line in page_text(app).splitlines() if "affected** · " in line)


def test_an_area_from_a_file_is_in_the_link_for_a_colleague_too(
    open_screen: Callable[..., AppTest], signed_in: Any
) -> None:
    app = select_source(open_screen(), "File")
    content = json.dumps({"type": "Polygon", "coordinates": [BOX]}).encode()
    app.file_uploader[0].set_value(("flood.geojson", content, "application/json"))
    app = run(app)
    assert list_names(app) == ["Silva, Ana"]
    (part,) = read_query(app)["area"]
    signed_in.workspace.unsaved_work.clear()
    colleague = run(signed_in.open_tab(screens.WHO_IS_AFFECTED.page, area=part))
    assert "flood" in page_text(colleague)
    assert read_sections(colleague) == read_sections(app)


def test_the_parts_of_a_file_are_chosen_and_the_findings_stand_beside_the_answer(
    open_screen: Callable[..., AppTest],
) -> None:
    app = select_source(open_screen(), "File")
    file = Path(__file__).parents[1] / "cases" / "storm-zones-and-cone.geojson"
    app.file_uploader[0].set_value((file.name, file.read_bytes(), "application/json"))
    app = run(app)
    assert [each.label for each in app.checkbox[:2]] == [
        "120 km/h · Poly\\_Red · 11,900 km²",
        "Uncertainty Cones · Poly\\_Cones · 688,977 km²",
    ]
    assert [each.value for each in app.checkbox[:2]] == [False, False]
    assert "There is no list yet. The parts are of different kinds. Select those to include." in page_text(app)
    (whole,) = read_query(app)["area"]
    app.checkbox[0].check()
    app = run(app)
    assert any("has only points and is skipped" in each.value for each in app.warning)
    assert read_query(app)["area"] == [f"{whole}:1"]
    assert any("Not counted\\: Uncertainty Cones" in each.value for each in app.warning)


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("warnings-without-geometry.geojson", "Muster uses the counties of the codes"),
        ("cap-new-county-codes.xml", ""),
        ("cap-cancel-as-area.xml", "This CAP alert cancels an earlier one"),
        ("kml-link-and-area.kml", "1 link to another file is not followed"),
        ("cap-ended-and-active.xml", "Not counted\\: Davidson County"),
        ("hole-outside-its-shell.geojson", "Removed a hole outside its area"),
    ],
)
def test_findings_about_a_file_stand_beside_the_answer(
    open_screen: Callable[..., AppTest], case: str, said: str
) -> None:
    app = select_source(open_screen(), "File")
    content = (Path(__file__).parents[1] / "cases" / case).read_bytes()
    app.file_uploader[0].set_value((case, content, "application/octet-stream"))
    app = run(app)
    assert "affected** · " in read_sections(app)
    findings = "".join(each.value for each in app.warning)
    assert said in findings if said else not findings


def test_a_hole_outside_its_shell_leaves_the_area_as_it_is(open_screen: Callable[..., AppTest], signed_in: Any) -> None:
    app = select_source(open_screen(), "File")
    file = Path(__file__).parents[1] / "cases" / "hole-outside-its-shell.geojson"
    app.file_uploader[0].set_value((file.name, file.read_bytes(), "application/json"))
    (part,) = read_query(run(app))["area"]
    stored = load_area(signed_in.workspace, part)
    assert stored is not None
    assert stored.select().geometry.area == pytest.approx(4)


def test_coordinates_that_look_swapped_are_swapped_on_request(open_screen: Callable[..., AppTest]) -> None:
    app = select_source(open_screen(), "File")
    content = json.dumps({"type": "Polygon", "coordinates": [[at[::-1] for at in BOX]]}).encode()
    app.file_uploader[0].set_value(("flood.geojson", content, "application/json"))
    app = run(app)
    assert "**0 people affected**" in page_text(app)
    app = press(app, "incident-swap-0")
    assert list_names(app) == ["Silva, Ana"]
    assert any("Latitude and longitude are swapped in flood" in each.value for each in app.warning)


def test_a_broken_file_says_why_and_changes_nothing(open_screen: Callable[..., AppTest]) -> None:
    app = select_source(open_screen(area="10 km around 27.7, 85.3"), "File")
    app.file_uploader[0].set_value(("flood.geojson", b"{", "application/json"))
    app = run(app)
    assert "“flood.geojson” cannot be read." in page_text(app)
    assert read_query(app)["area"] == ["10 km around 27.7, 85.3"]


def test_a_pasted_cap_alert_is_an_area(open_screen: Callable[..., AppTest]) -> None:
    app = select_source(open_screen(), "CAP text")
    app.text_area(key="incidents.cap_text").set_value(CAP)
    app = press(app, "incident-add-cap")
    assert list_names(app) == ["Silva, Ana"]
    assert "Valley" in page_text(app)
    app = press(app, "incident-alert-time")
    assert (read_query(app)["when"], read_query(app)["since"]) == (["Since"], ["2026-11-20T00:00"])
    assert not any(button.key == "incident-alert-time" for button in app.button)


def test_a_shape_that_muster_sent_to_the_library_is_an_area(
    open_screen: Callable[..., AppTest], signed_in: Any
) -> None:
    app = open_screen()
    shape = kml_of([Polygon(BOX)])
    sent = send_files(signed_in.workspace, [RegionFile("Valley", "Watch areas", "valley.kml", shape, 1)])
    assert [each.status for each in sent] == ["sent"]
    app = select_source(app, "Shape library")
    app.selectbox(key="incidents.library_shape").set_value("Valley")
    app = press(app, "incident-add-shape")
    assert ":material/location_on: Valley" in page_text(app)
    assert list_names(app) == ["Silva, Ana"]


def save_incident(app: AppTest) -> AppTest:
    app.text_input(key="incident-save-name").set_value("Earthquake")
    return press(app, "incident-save")


def test_the_last_part_of_a_saved_area_stays_removed_until_the_changes_are_discarded(
    open_screen: Callable[..., AppTest], signed_in: Any
) -> None:
    app = press(save_incident(open_screen(area="10 km around 27.7, 85.3")), "incident-remove-0")
    assert "The incident has no area. Add one, or discard the changes." in page_text(run(app))
    again = run(signed_in.open_tab(screens.WHO_IS_AFFECTED.page, **read_query(app)))
    assert "The incident has no area." in page_text(again)
    app = press(app, "incident-reload")
    assert read_query(app)["area"] == ["10 km around 27.7, 85.3"]
    assert list_names(app) == ["Silva, Ana", "Lam, Dee", "Ito, Cai"]


def test_an_incident_is_closed_and_reopened_with_its_notes_in_the_history(open_screen: Callable[..., AppTest]) -> None:
    app = press(save_incident(open_screen(area="10 km around 27.7, 85.3")), "incident-close")
    assert ":gray-badge[Closed]" in page_text(app)
    app = press(app, "incident-reopen")
    assert ":red-badge[Open]" in page_text(app)
    app.session_state["incident-history"] = True
    run(app).text_area(key="incidents.note").set_value("The embassy is informed.")
    history = page_text(press(app, "incident-add-note"))
    assert "**ana** added a note: The embassy is informed." in history
    assert "**ana** closed the incident" in history
    assert "**ana** reopened the incident" in history


def test_the_xlsx_file_has_every_section_and_the_marks(
    open_screen: Callable[..., AppTest], signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    files: dict[str, Callable[[], bytes]] = {}
    monkeypatch.setattr(next_steps, "download", lambda label, make, *_, **__: files.update({label: make}))
    app = save_incident(open_screen(area="10 km around 27.7, 85.3"))
    signed_in.workspace.journal.incidents.mark(signed_in.workspace.actor, 1, "E-KATH01", "safe", "At the hotel")
    run(app)
    sheet = pd.read_excel(BytesIO(files["XLSX"]()), engine="calamine")
    assert dict(zip(sheet["Person"], sheet["Section"], strict=True)) == {
        "Silva, Ana": "Affected",
        "Ito, Cai": "Nearby",
        "Lam, Dee": "Can’t be placed",
    }
    assert sheet.loc[0, ["Mark", "Note"]].tolist() == ["safe", "At the hotel"]


def test_a_draft_alert_of_a_longer_incident_expires_after_24_hours(
    open_screen: Callable[..., AppTest], signed_in: Any
) -> None:
    press(open_screen(area="10 km around 27.7, 85.3", when="Next 72 h"), "incident-alert")
    (draft,) = [each.draft for each in stored_drafts.list_unfinished(signed_in.workspace, ALERT_EDIT)]
    assert draft.hours == 24


def test_double_clicks_save_mark_and_close_once(open_screen: Callable[..., AppTest], signed_in: Any) -> None:
    app = open_screen(area="10 km around 27.7, 85.3")
    app.text_input(key="incident-save-name").set_value("Earthquake")
    app = press_twice(app, app.button(key="incident-save"))
    app = run(select_rows(app, "affected", "E-KATH01"))
    app.text_input(key="incidents.mark_note").set_value("At the hotel")
    app = press_twice(app, app.button(key="incident-mark-safe"))
    app = press_twice(app, app.button(key="incident-close"))
    assert "Someone else" not in page_text(app)
    (incident,) = signed_in.workspace.journal.incidents.list(signed_in.workspace.actor)
    assert incident.state == "closed"
    events = signed_in.workspace.journal.incidents.events(signed_in.workspace.actor, incident.id)
    assert [(event.action, event.note) for event in reversed(events)] == [
        ("created", "Earthquake"),
        ("marked", "safe: At the hotel"),
        ("closed", ""),
    ]


def test_an_incident_that_was_not_saved_on_the_screen_opens_with_its_area(
    open_screen: Callable[..., AppTest], signed_in: Any
) -> None:
    open_screen()
    workspace = signed_in.workspace
    content = IncidentContent("Quake", circle(27.7, 85.3, 10).to_geojson(), NOW, None, 25.0, [1])
    incident = workspace.journal.incidents.create(workspace.actor, content)
    app = run(signed_in.open_tab(screens.WHO_IS_AFFECTED.page, incident=str(incident.id)))
    assert list_names(app) == ["Silva, Ana", "Lam, Dee", "Ito, Cai"]
    assert "10 km around 27.7, 85.3" in page_text(app)
    assert "Save changes" not in [button.label for button in app.button]
