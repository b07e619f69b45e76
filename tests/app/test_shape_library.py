"""The shape library: preview, repair, fit, name, and send a shape; list the sent regions; delete them."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from streamlit.testing.v1 import AppTest

from client import OutcomeUnknown, ServiceFailed
from client.resources.shape_library import ShapeLibrary
from domain.preparedness.shape_library.sent_regions import DELETE, UPLOAD
from domain.runtime.screens import CONNECTION, JOURNAL, SHAPE_LIBRARY
from domain.tables.loaded_records import NEW
from journal import EntryFilters
from shapes import preparing
from shapes.prepare_folder import prepare_folder
from tests.app.following import follow
from tests.app.presses import run
from tests.app.tables import tables
from tests.generated_shapes import geojson_of, in_system, kml_of, neighbors, shapefile_of
from tests.running_service import RunningService
from tests.service.shape_files import kml, placemark

CASES = Path(__file__).parents[1] / "cases"
OpenScreen = Callable[..., AppTest]
BOWTIE = ((10, 50), (11, 51), (11, 50), (10, 51), (10, 50))


@pytest.fixture(autouse=True)
def prepare_in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read shapes without a separate process. Other tests cover its limits."""
    monkeypatch.setattr(preparing, "run_confined", lambda _, place, *, seconds: prepare_folder(place))


@pytest.fixture
def open_screen(signed_in: Any, service: RunningService) -> OpenScreen:
    """Open the screen with its list or a new shape."""

    def open_page(**query: str) -> AppTest:
        first = not hasattr(signed_in, "workspace")
        page = SHAPE_LIBRARY.page
        return run(signed_in(service, page, **query) if first else signed_in.open_tab(page, **query))

    return open_page


def page_text(app: AppTest) -> str:
    parts: list[Any] = [app.title, app.markdown, app.caption, app.error, app.warning, app.info, app.success, app.toast]
    return "\n".join(str(element.value) for kind in parts for element in kind).replace("\\", "").replace("**", "")


def press(app: AppTest, label: str) -> AppTest:
    next(each for each in app.button if label in each.label.replace("\\", "")).click()
    return run(app)


def list_labels(app: AppTest) -> list[str]:
    return [each.label.replace("\\", "") for each in app.button]


def drop(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    uploads = [(name, content, "application/octet-stream") for name, content in files]
    app.file_uploader[0].set_value(uploads)
    return run(app)


def find_field(app: AppTest, label: str) -> Any:
    return next(each for each in app.text_input if each.label.partition(" for all ")[0] == label)


def send(app: AppTest, name: str, folder: str = "") -> AppTest:
    find_field(app, "Region name").set_value(name)
    find_field(app, "Folder").set_value(folder)
    return press(app, "to the library")


def test_a_shape_is_previewed_repaired_and_sent_once(open_screen: OpenScreen, signed_in: Any) -> None:
    app = drop(open_screen(region=NEW), ("zones.kml", kml(placemark("One"), placemark("Two", BOWTIE))))
    assert "zones.kml · KML · 2 areas · 10 vertices · EPSG:4326 → Will be sent unchanged" in page_text(app)
    assert "1 feature is not valid: crosses itself. See feature 2." in page_text(app)
    assert list(tables(app)[0]["vertices"]) == ["5", "5"]
    app = press(app, "Repair")
    assert "Will be sent as KML in WGS 84" in page_text(app)
    assert "Leave as it is" in list_labels(app)
    app = send(app, "Zones", "Europe/West")
    assert app.query_params["region"] in ("Zones", ["Zones"])
    assert "1 region sent from Muster · 1 folder." in page_text(app)
    entries = signed_in.workspace.journal.audit.list(signed_in.workspace.actor.service, 8800)
    assert [(entry.action, entry.state, entry.subject_name) for entry in entries] == [(UPLOAD, "succeeded", "Zones")]
    assert entries[0].request["folder"] == "Europe/West"


@pytest.mark.parametrize("file", sorted((CASES / "shapefile-encodings").glob("*.zip")), ids=lambda file: file.stem)
def test_names_are_shown_correctly_whatever_encoding_a_shapefile_declares(open_screen: OpenScreen, file: Path) -> None:
    app = drop(open_screen(region=NEW), (file.name, file.read_bytes()))
    is_greek = file.stem.startswith("cp1253")
    names = ["Αθήνα"] if is_greek else ["Valle del Árrago", "Embalse de Tentudía", "Táliga"]
    assert names in tables(app)[0].T.to_numpy().tolist()
    is_declared = file.stem.partition("_")[2] in ("cpg_ANSI_1252", "cpg=ISO-8859-1n", "cpg=UTF-8", "greek_cpg_1253")
    assert ("The text is read as" in page_text(app)) != is_declared


def choose(app: AppTest, label: str, choice: str) -> AppTest:
    next(each for each in app.radio if each.label == label).set_value(choice)
    return run(app)


def tick(app: AppTest, label: str) -> AppTest:
    next(each for each in app.checkbox if each.label == label).check()
    return run(app)


def test_a_hole_outside_its_area_is_kept_as_an_area_or_removed_with_a_tick(open_screen: OpenScreen) -> None:
    name = "hole-outside-its-shell.geojson"
    app = drop(open_screen(region=NEW), (name, (CASES / name).read_bytes()), ("one.kml", kml(placemark("One"))))
    assert "Keep as a separate area, or remove it." in page_text(app)
    assert not any("Repair" in label for label in list_labels(app)), "no repair of all files decides about territory"
    app = choose(app, "Holes outside their area", "holes")
    assert "Area: 43,125.3 km² before, 34,438.8 km² after." in page_text(app)
    assert "Repairs remove area from 1 feature: 8,686.5 km² (20.1%) of “Zone”." in page_text(app)
    assert "Nothing can be sent yet" in page_text(app)
    app = tick(app, "Accept the loss of area")
    assert "Will be sent as a zipped shapefile" in page_text(app)
    app = choose(app, "Holes outside their area", "hole_areas")
    assert "Kept as a separate area: “Zone”, 8,686.5 km² at 45.500° N, 25.500° E." in page_text(app)
    assert "Area: 43,125.3 km² before, 43,125.3 km² after." in page_text(app)
    assert "Will be sent as a zipped shapefile" in page_text(app)
    app = choose(app, "Holes outside their area", "holes")
    assert "Nothing can be sent yet" in page_text(app), "a consent ends with the repair that it was given to"
    assert "Keep as a separate area, or remove it." in page_text(press(app, "Leave as it is"))


def test_a_region_named_new_opens_instead_of_the_upload_form(open_screen: OpenScreen) -> None:
    app = send(drop(open_screen(region=NEW), ("zones.kml", kml(placemark("One")))), NEW)
    assert app.title[0].value == "Shapes"
    assert "Sent by ana" in page_text(app)
    assert ":red[Delete region]" in list_labels(app)
    assert app.query_params["region"] not in (NEW, [NEW])


def test_a_used_name_is_reported_before_sending_or_at_the_field_after_a_rejection(
    open_screen: OpenScreen, signed_in: Any
) -> None:
    app = drop(open_screen(region=NEW), ("zones.kml", kml(placemark("One"))))
    signed_in.workspace.client.shape_library.upload(kml(placemark("x")), region_name="Theirs", file_name="x.kml")
    assert "Enter a name that no other region has" in page_text(send(app, " "))
    app = send(app, "Theirs")
    assert "“Region name: Theirs already exists”" in page_text(app)
    send(app, "Ours")
    app = drop(open_screen(region=NEW), ("zones.kml", kml(placemark("One"))))
    app = send(app, "Ours")
    assert "ana sent a region with this name" in page_text(app)
    audit = signed_in.workspace.journal.audit
    assert [entry.state for entry in audit.list(signed_in.workspace.actor.service, 8800)] == ["succeeded", "refused"]


def test_a_new_file_replaces_the_current_file(open_screen: OpenScreen) -> None:
    app = drop(open_screen(region=NEW), ("one.kml", kml(placemark("One"))))
    app = drop(app, ("two.kml", kml(placemark("Two"))))
    assert "two.kml · KML" in page_text(app)
    assert find_field(app, "Region name").value == "two"


def test_a_projected_shape_that_is_too_large_is_fitted_or_split(open_screen: OpenScreen) -> None:
    large = shapefile_of(in_system(neighbors(4, 4, 1600), "EPSG:25832"), "EPSG:25832")
    app = drop(open_screen(region=NEW), ("land.zip", large))
    assert "The limit is 1.00 MB." in page_text(app)
    assert "The coordinates are in EPSG:25832" in page_text(app)
    assert next(each for each in app.button if "Send" in each.label).disabled
    fitted = press(app, "Fit to the limit")
    assert "MB of 1.00 MB allowed" in page_text(fitted)
    assert " vertices · moved at most" in page_text(fitted)
    assert "will be sent in WGS 84" in page_text(fitted)
    split = press(fitted, "Split into several regions")
    assert "Will be sent as 2 regions" in page_text(split)
    app = send(split, "Land")
    assert {"Land 1", "Land 2"} <= {str(each) for each in tables(app)[0].index}


def test_errors_that_block_sending_are_reported_and_can_be_fixed(open_screen: OpenScreen) -> None:
    metres = shapefile_of(in_system(np.array([shapely.box(10, 50, 11, 51)]), "EPSG:25832"), None, left_out=(".prj",))
    app = drop(open_screen(region=NEW), ("zones.zip", metres))
    assert "The .prj is missing. Enter the coordinate system." in page_text(app)
    assert "Nothing can be sent yet" in page_text(app)
    find_field(app, "Coordinate system").set_value("ETRS89 / UTM zone 32N")
    app = run(app)
    assert "From 50.000° N, 10.000° E to 51.000° N, 11.000° E" in page_text(app)
    assert not next(each for each in app.button if "Send" in each.label).disabled


def test_an_invalid_file_is_rejected_with_a_message_and_can_be_replaced(open_screen: OpenScreen) -> None:
    app = drop(open_screen(region=NEW), ("zones.zip", b"nonsense"))
    assert "not a readable zip archive. Nothing was sent." in page_text(app)
    app = drop(app, ("zones.kml", b"<html/>"))
    assert "zones.kml cannot be read. The file is not valid KML." in page_text(app)
    app = drop(app, ("zones.kml", kml(placemark("One"))))
    assert "Will be sent unchanged" in page_text(app)


def test_several_files_are_sent_in_sequence_and_survive_a_refresh(open_screen: OpenScreen, signed_in: Any) -> None:
    app = drop(open_screen(region=NEW), ("one.kml", kml(placemark("One"))), ("two.kml", kml_of(neighbors(1, 1, 3))))
    assert [each.label for each in app.selectbox] == ["One of 2 files"]
    refreshed = open_screen(region=NEW)
    assert "one.kml · KML" in page_text(refreshed)
    app = send(refreshed, "One")
    assert "two.kml · KML" in page_text(app)
    assert "In the library: One." in page_text(app)


def test_settings_of_one_file_do_not_apply_to_the_next_and_unreadable_files_are_named(open_screen: OpenScreen) -> None:
    metres = shapefile_of(in_system(np.array([shapely.box(10, 50, 11, 51)]), "EPSG:25832"), None, left_out=(".prj",))
    app = drop(open_screen(region=NEW), ("a.zip", metres), ("b.zip", metres), ("c.kmz", b"PK"), ("d.kml", b"<html/>"))
    assert "“c.kmz” cannot be read." in page_text(app)
    assert "d.kml The file is not valid KML." in page_text(app), "errors of other files are shown"
    find_field(app, "Coordinate system").set_value("25832")
    app = run(app)
    next(each for each in app.get("button_group") if "Send as" in str(each.proto.label)).set_value(".kml")
    app = send(run(app), "One")
    assert "In the library: One." in page_text(app)
    assert "b.zip · shapefile" in page_text(app)
    assert find_field(app, "Coordinate system").value == ""
    assert find_field(app, "Region name").value == "b"
    assert "Nothing can be sent yet" in page_text(app)


def test_files_that_the_browser_reports_twice_are_added_once(open_screen: OpenScreen) -> None:
    """A fragment that runs during a long check sends the previous values of the fields."""
    app = open_screen(region=NEW)
    app.file_uploader[0].set_value([("one.kml", kml(placemark("One")), "application/octet-stream")])
    stale = app._tree
    work = run(app).session_state["shape-library.work"]
    app._tree = stale
    assert run(app).session_state["shape-library.work"] is work


def test_all_files_are_repaired_with_one_click_and_sent_with_another(open_screen: OpenScreen, signed_in: Any) -> None:
    crossed = kml(placemark("Two", BOWTIE))
    app = drop(open_screen(region=NEW), ("one.kml", crossed), ("two.kml", crossed), ("three.kml", b"<html/>"))
    app = press(app, "Repair 2 files")
    assert "Repair 2 files" not in list_labels(app)
    app = press(app, "Send 2 ready files")
    assert "three.kml cannot be read." in page_text(app)
    entries = signed_in.workspace.journal.audit.list(signed_in.workspace.actor.service, 8800)
    assert {(entry.state, entry.subject_name) for entry in entries} == {("succeeded", "one"), ("succeeded", "two")}


def test_several_projected_files_reach_the_service_in_degrees(open_screen: OpenScreen, service: RunningService) -> None:
    box = np.array([shapely.box(7, 46, 8, 47)])
    systems = {"swiss": "EPSG:2056", "web": "EPSG:3857", "mercator": "EPSG:3857"}
    files = [(f"{name}.zip", shapefile_of(in_system(box, crs), crs)) for name, crs in systems.items()]
    app = drop(open_screen(region=NEW), *files)
    converted = "swiss.zip (EPSG:2056), web.zip (EPSG:3857), and mercator.zip (EPSG:3857)."
    assert f"3 files are converted to WGS 84: {converted}" in page_text(app)
    with service.recording(f"/shapeLibrary/{service.organization_id}") as bodies:
        press(app, "Send 3 ready files")
    assert len(bodies) == 3
    for body in bodies:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            parts = {Path(name).suffix: archive.read(name) for name in archive.namelist()}
        # The extent is in the header of the file.
        assert struct.unpack("<4d", parts[".shp"][36:68]) == pytest.approx((7, 46, 8, 47), abs=1e-4)
        assert b"GCS_WGS_1984" in parts[".prj"]
        assert b"PROJCS" not in parts[".prj"]


def test_a_coordinate_system_that_contradicts_the_coordinates_is_chosen(open_screen: OpenScreen) -> None:
    box = np.array([shapely.box(7, 46, 8, 47)])
    app = drop(open_screen(region=NEW), ("zones.zip", shapefile_of(box, "EPSG:25832")))
    assert "its coordinates look like degrees. Select the coordinate system" in page_text(app)
    assert "Nothing can be sent yet" in page_text(app)
    app.radio[0].set_value("EPSG:4326")
    app = run(app)
    assert "The coordinates are read as EPSG:4326 (WGS 84)." in page_text(app)
    find_field(app, "Another coordinate system").set_value("EPSG:nonsense")
    app = run(app)
    assert "“EPSG:nonsense” isn’t known either." in page_text(app)
    app.radio[0].set_value("EPSG:4326")
    app = run(app)
    assert find_field(app, "Another coordinate system").value == ""
    assert not next(each for each in app.button if "Send" in each.label).disabled


def test_shapes_at_sea_or_larger_than_before_are_sent_only_with_a_tick(open_screen: OpenScreen) -> None:
    ring = [(-40, 30), (-36, 30), (-36, 34), (-38, 34), (-38, 29), (-37, 29), (-37, 32), (-40, 32)]
    shape = np.array([shapely.Polygon(ring)])
    content = geojson_of(shape).replace(b'"name"', b'"country": "Switzerland", "name"')
    app = drop(open_screen(region=NEW), ("zones.geojson", content))
    assert "1 feature is at sea." in page_text(app)
    app = press(app, "Repair")
    assert "Repairs make 1 feature larger: “Region 0” by" in page_text(app)
    for label in ("Accept the increase in area", "Accept this location"):
        assert "Nothing can be sent yet" in page_text(app)
        next(each for each in app.checkbox if each.label == label).check()
        app = run(app)
    assert "Will be sent as a zipped shapefile in WGS 84" in page_text(app)


def test_the_feature_selected_in_the_table_is_highlighted_on_the_map(open_screen: OpenScreen) -> None:
    app = drop(open_screen(region=NEW), ("land.kml", kml_of(neighbors(2, 1, 3))))
    app.session_state[f"shape-library.feature-{app.session_state['shape-library.work'].current.serial}"] = ["2"]
    [chart] = run(app).get("deck_gl_json_chart")
    layers = {layer["id"]: layer for layer in json.loads(chart.proto.json)["layers"]}
    [feature] = layers["shapes-warning/2"]["data"]["features"]
    assert feature["properties"]["d"] == "Feature 2"


def test_two_files_with_the_same_name_are_not_both_sent_under_that_name(
    open_screen: OpenScreen, signed_in: Any
) -> None:
    app = drop(open_screen(region=NEW), ("a.kml", kml(placemark("One"))), ("a.geojson", geojson_of(neighbors(1, 1, 3))))
    app = press(app, "Send 2 ready files")
    assert "Another file is named “a”." in page_text(app)
    entries = signed_in.workspace.journal.audit.list(signed_in.workspace.actor.service, 8800)
    assert [entry.subject_name for entry in entries] == ["a"]


def test_settings_of_each_file_survive_a_refresh_until_the_file_is_removed(
    open_screen: OpenScreen, signed_in: Any
) -> None:
    app = drop(open_screen(region=NEW), ("one.kml", kml(placemark("One"))), ("two.kml", kml(placemark("Two"))))
    find_field(app, "Region name").set_value("Flood")
    find_field(app, "Folder").set_value("Europe")
    run(app)
    app = open_screen(region=NEW)
    assert [find_field(app, label).value for label in ("Region name", "Folder")] == ["Flood", "Europe"]
    app.selectbox[0].set_value(1)
    run(app)
    assert find_field(app, "Region name").value == "two"
    app.selectbox[0].set_value(0)
    run(app)
    assert find_field(app, "Region name").value == "Flood"
    app = press(app, "Remove file")
    assert "two.kml · KML" in page_text(app)
    app = press(app, "Remove file")
    assert "Drop a shape file" in page_text(app)
    assert "Drop a shape file" in page_text(open_screen(region=NEW))
    assert not signed_in.workspace.journal.audit.list(signed_in.workspace.actor.service, 8800)


def test_a_lost_response_is_reported_and_the_shape_can_be_resent_safely(
    open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch, signed_in: Any
) -> None:
    app = drop(open_screen(region=NEW), ("zones.kml", kml(placemark("One"))))
    upload = ShapeLibrary.upload

    def lose_response(self: ShapeLibrary, *arguments: Any, **options: Any) -> Any:
        upload(self, *arguments, **options)
        raise OutcomeUnknown("The answer was lost.")

    monkeypatch.setattr(ShapeLibrary, "upload", lose_response)
    app = send(app, "Zones")
    assert "Sending the shape again is safe" in page_text(app)
    assert [str(each) for each in tables(open_screen())[0]["state"]] == ["Unknown"]
    monkeypatch.setattr(ShapeLibrary, "upload", upload)
    app = press(app, "Send")
    assert "In the library: Zones." in page_text(app)
    assert [str(each) for each in tables(open_screen())[0]["state"]] == ["Sent"]
    entries = signed_in.workspace.journal.audit.list(signed_in.workspace.actor.service, 8800)
    assert [entry.is_resolved for entry in entries if entry.state == "unknown"] == [True]


def test_sending_stops_after_a_lost_response_and_another_click_sends_all_files(
    open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch, signed_in: Any
) -> None:
    files = [(f"{name}.kml", kml(placemark(name))) for name in ("one", "two", "three", "four")]
    upload, sent = ShapeLibrary.upload, []

    def lose_response(self: ShapeLibrary, *arguments: Any, region_name: str, **options: Any) -> Any:
        sent.append(region_name)
        answer = upload(self, *arguments, region_name=region_name, **options)
        if sent == ["one", "two"]:
            raise OutcomeUnknown("The answer was lost.")
        return answer

    monkeypatch.setattr(ShapeLibrary, "upload", lose_response)
    app = press(drop(open_screen(region=NEW), *files), "Send 4 ready files")
    assert "Status Unknown: two.kml. Sending again is safe" in page_text(app)
    assert "Not sent: 2 files." in page_text(app)
    app = press(app, "Send 3 ready files")
    assert sent == ["one", "two", "two", "three", "four"]
    assert [str(each) for each in tables(app)[0]["state"]] == ["Sent"] * 4


@pytest.mark.parametrize("is_lost", [False, True])
def test_another_click_sends_the_parts_of_a_shape_that_were_not_sent(
    open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch, signed_in: Any, is_lost: bool
) -> None:
    large = shapefile_of(in_system(neighbors(4, 4, 1600), "EPSG:25832"), "EPSG:25832")
    app = press(drop(open_screen(region=NEW), ("land.zip", large)), "Split into several regions")
    upload, names = ShapeLibrary.upload, []

    def fail(self: ShapeLibrary, *arguments: Any, region_name: str, **options: Any) -> Any:
        names.append(region_name)
        if names == ["Land 1", "Land 2"]:
            raise OutcomeUnknown("The answer was lost.") if is_lost else ServiceFailed("Not now.", sent=True)
        return upload(self, *arguments, region_name=region_name, **options)

    monkeypatch.setattr(ShapeLibrary, "upload", fail)
    app = press(send(app, "Land"), "Send")
    assert names == ["Land 1", "Land 2", "Land 2"]
    assert "sent a region with this name" not in page_text(app)
    assert [str(each) for each in tables(app)[0]["state"]] == ["Sent", "Sent"]
    assert app.title[0].value == "Shapes"
    again = drop(open_screen(region=NEW), ("land.zip", large))
    again = send(press(again, "Split into several regions"), "Land")
    assert "sent a region with this name" in page_text(again), "once all parts are sent, the name is in use"


def test_a_rejection_is_reported_on_another_screen(open_screen: OpenScreen, hold_calls: Any, signed_in: Any) -> None:
    send(drop(open_screen(region=NEW), ("zones.kml", kml(placemark("One")))), "Zones")
    signed_in.workspace.journal.audit.list = lambda *_, **__: []  # as if another installation had used the name
    app = drop(open_screen(region=NEW), ("zones.kml", kml(placemark("One"))))
    uploading = hold_calls(ShapeLibrary, "upload")
    assert "Sending to the library" in page_text(send(app, "Zones"))
    uploading.finish()
    other_screen = page_text(run(signed_in.open_tab(CONNECTION.page)))
    assert "Zones: " in other_screen
    assert "Zones already exists" in other_screen


def test_a_refresh_during_sending_ends_at_the_sent_region(open_screen: OpenScreen, hold_calls: Any) -> None:
    app = drop(open_screen(region=NEW), ("zones.kml", kml(placemark("One"))))
    uploading = hold_calls(ShapeLibrary, "upload")
    send(app, "Zones")
    uploading.finish()
    tab = open_screen(region=NEW)
    assert "In the library: Zones." in page_text(tab)
    assert tab.query_params["region"] == "Zones"


def test_a_folder_is_deleted_with_its_known_regions_and_a_missing_folder_is_reported(
    open_screen: OpenScreen, signed_in: Any
) -> None:
    app = open_screen(region=NEW)
    for name in ("North", "South"):
        app = send(drop(open_screen(region=NEW), ("zones.kml", kml(placemark("One")))), name, "Zones")
    app = open_screen()
    find_field(app, "Region or folder").set_value("Zones")
    app = press(app, "Delete")
    assert "folder with 2 regions sent from Muster: South and North" in page_text(app)
    app = press(app, "Delete Zones")
    assert {str(each) for each in tables(app)[0]["state"]} == {"Deleted"}
    find_field(app, "Region or folder").set_value("Nowhere")
    app = press(press(app, "Delete"), "Delete Nowhere")
    assert "Region name: Nowhere is not found" in page_text(app)
    entries = signed_in.workspace.journal.audit.list(signed_in.workspace.actor.service, 8800)
    assert [entry.state for entry in entries if entry.action == DELETE] == ["refused", "succeeded"]


def test_a_deleted_region_is_sent_again_with_the_same_file_name_and_folder(
    open_screen: OpenScreen, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Journal leads to it. A region that was not sent from Muster cannot be restored, and the dialog says so."""
    uploads: list[tuple[bytes, dict[str, Any]]] = []
    upload = ShapeLibrary.upload

    def note_upload(self: ShapeLibrary, content: bytes, **options: Any) -> Any:
        uploads.append((content, options))
        return upload(self, content, **options)

    monkeypatch.setattr(ShapeLibrary, "upload", note_upload)
    send(drop(open_screen(region=NEW), ("zones.kml", kml(placemark("One")))), "Zones", "Floods")
    app = press(open_screen(region="Zones"), "Delete region")
    assert "Shapes that were sent from Muster can be sent again." in page_text(app)
    assert "cannot be undone" not in page_text(app)
    press(app, "Delete Zones")
    audit, actor = signed_in.workspace.journal.audit, signed_in.workspace.actor
    (deletion,) = audit.list(actor.service, actor.organization_id, filters=EntryFilters(action=DELETE))
    journal = run(signed_in.open_tab(JOURNAL.page, entry=str(deletion.id)))
    app = press(follow(journal, "Show the shape to send it again"), "Send again")
    app = press(app, "Send to the library")
    assert "In the library, in the folder Floods: Zones." in page_text(app)
    first, again = uploads
    assert first == again
    app = open_screen()
    find_field(app, "Region or folder").set_value("Nowhere")
    assert "Muster did not send this region and cannot restore it." in page_text(press(app, "Delete by name"))


def test_a_region_deleted_outside_muster_is_reported_and_marked_as_deleted(
    open_screen: OpenScreen, signed_in: Any
) -> None:
    send(drop(open_screen(region=NEW), ("zones.kml", kml(placemark("One")))), "Zones")
    signed_in.workspace.client.shape_library.delete(region_name="Zones")
    app = open_screen()
    find_field(app, "Region or folder").set_value("Zones")
    app = press(press(app, "Delete"), "Delete Zones")
    assert "Already gone: Zones." in page_text(app)
    assert [str(each) for each in tables(app)[0]["state"]] == ["Deleted"]


def test_the_list_links_to_a_new_shape_and_back(open_screen: OpenScreen) -> None:
    app = press(open_screen(), "Add a shape")
    assert app.title[0].value == "Add a shape"
    app = send(drop(app, ("zones.kml", kml(placemark("One")))), "Zones")
    app = press(app, "Add a shape")
    assert app.title[0].value == "Add a shape"
    assert press(app, "Back to the list").title[0].value == "Shapes"
