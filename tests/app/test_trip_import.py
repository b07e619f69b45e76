"""The import of trips under AppTest: upload, check, preview, and send a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.trips.trip_import import import_screen
from domain.file_import.job import JOBS
from domain.runtime.screens import TRIP_IMPORT
from domain.trips.trip_import.dry_run import DryRun, dry_run
from domain.trips.trip_import.trip_sending import CONTACTS, PLAIN, REMOVED
from journal import ItemStatus, NewItem
from tests.app.presses import press, run
from tests.app.tables import tables
from tests.running_service import RunningService

HEADINGS = "PNR,Employee id,Traveller,Mobile,Flight,From,To,Departure,Arrival,Status"


@pytest.fixture
def app(signed_in: Any, service: RunningService) -> Iterator[AppTest]:
    return run(signed_in(service, TRIP_IMPORT.page))


def page_text(app: AppTest) -> str:
    parts: list[Any] = [app.title, app.header, app.markdown, app.caption, app.error, app.warning, app.info]
    texts = [str(element.value) for kind in parts for element in kind] + [each.label for each in app.expander]
    return "\n".join(texts).replace("\\", "")


def row(number: int, **changed: str) -> str:
    cells = {
        "pnr": f"IMP{number:03}",
        "employee_id": f"IMP-E{number}",
        "traveler": "SILVA/ANA MRS",
        "mobile": "+351912345678",
        "flight": "TP942",
        "from_": "LIS",
        "to": "GVA",
        "departure": "2027-05-11 07:20",
        "arrival": "2027-05-11 11:00",
        "status": "Active",
    }
    return ",".join((cells | changed).values())


def with_file(app: AppTest, *rows: str) -> AppTest:
    app.file_uploader[0].set_value(("trips.csv", "\n".join((HEADINGS, *rows)).encode(), "text/csv"))
    return run(app)


def test_the_preview_shows_the_effects_before_anything_is_sent(app: AppTest, signed_in: Any):
    app = with_file(app, row(1), row(1, flight="TP941", from_="GVA", to="LIS", departure="2027-05-14 18:30",
                                     arrival="2027-05-14 20:10"), row(2), row(3, status="canceled"))  # fmt: skip
    text = page_text(app)
    assert "3 trips · 2 new · 1 to cancel" in text
    assert (
        "Up to 2 contacts will be created, in 1 batch of up to 50 trips. Muster will send the other trips in 1 batch"
        in text
    )
    assert "6 expected locations on the map" in text
    assert app.button(key="trip-import-send").label == "Import 2, cancel 1 trip"
    table = tables(app)[-1]
    assert table.set_index("locator")["effect"].to_dict() == {"IMP001": "new", "IMP002": "new", "IMP003": "canceled"}
    assert table.set_index("locator")["locations"].to_dict() == {"IMP001": "4", "IMP002": "2", "IMP003": "0"}
    assert not signed_in.workspace.journal.ledger.jobs(signed_in.workspace.actor, "trip")


def test_a_workbook_in_another_format_is_refused_with_what_to_do(app: AppTest):
    app.file_uploader[0].set_value(("trips.xls", b"\xd0\xcf\x11\xe0" + bytes(512), ""))
    assert "Save the workbook as XLSX or CSV" in page_text(run(app))


@pytest.mark.parametrize(
    ("headings", "segment_type"),
    [
        (f"{HEADINGS},From zone,To zone", "flights"),
        (f"{HEADINGS.replace('Flight', 'Train')},From zone,To zone", "trains"),
        (f"{HEADINGS},From zone,To zone,Kind", None),
    ],
)
def test_the_preview_names_the_assumed_segment_types(app: AppTest, headings: str, segment_type: str | None):
    content = f"{headings}\n{row(1)},Europe/Lisbon,Europe/Zurich{'' if segment_type else ',Air'}"
    app.file_uploader[0].set_value(("trips.csv", content.encode(), "text/csv"))
    captions = [each.value for each in run(app).caption if "Muster treats" in each.value]
    assert [segment_type in each for each in captions] == ([True] if segment_type else [])


def test_canceled_trips_do_not_count_as_added(app: AppTest, signed_in: Any):
    app = press(with_file(app, row(31), row(32)), "trip-import-send")
    app = press(with_file(app, row(33), row(31, status="canceled")), "trip-import-send")
    assert "Sent] · 1 added · 1 canceled" in page_text(app)
    app = with_file(app, row(32, status="canceled"))
    assert app.button(key="trip-import-send").label == "Cancel 1 trip"
    assert "Sent] · 1 canceled" in page_text(press(app, "trip-import-send"))


@pytest.mark.parametrize(
    ("done", "words"), [((0, 2), "1 added · 1 canceled"), ((0, 1), "2 added"), ((2,), "1 canceled")]
)
def test_a_partial_import_reports_added_and_canceled_trips(
    app: AppTest, signed_in: Any, done: tuple[int, ...], words: str
):
    ledger, actor = signed_in.workspace.journal.ledger, signed_in.workspace.actor
    groups = [PLAIN, CONTACTS, REMOVED, PLAIN]
    job = ledger.begin(actor, "trip", "half.csv", [NewItem({}, label=group, batch_group=group) for group in groups])
    while items := ledger.claim(job, lambda _: 9):
        ledger.write(job, {each.position: ItemStatus("done" if each.position in done else "failed") for each in items})
    ledger.end(job)
    assert f"Partly sent] · {words} · {4 - len(done)} failed" in page_text(run(app))


def test_the_rows_of_a_person_in_two_places_are_one_press_away(app: AppTest):
    elsewhere = row(2, employee_id="IMP-E1", flight="LH400", from_="FRA", to="JFK", arrival="2027-05-11 17:00")
    app = with_file(app, row(1), elsewhere, row(3))
    assert "1 person is in two places at the same time: Ana Silva." in page_text(app)
    press(app, "trip-import-remark-0")
    assert tables(app)[0]["pnr"].tolist() == ["IMP001", "IMP002"]
    press(app, "trip-import-focus-clear")
    assert len(tables(app)[0]) == 3


def test_several_travelers_in_one_cell_are_named_in_the_preview_and_one_press_away(app: AppTest):
    app = with_file(app, row(1), row(2, traveler="LEE/KIM MS/ LEE/SU MISS(CHD)", employee_id="", mobile=""))
    assert "Row 3: 2 travelers in one cell: Kim Lee, Su Lee." in page_text(app)
    assert "2 rows are ready**" in page_text(app)
    press(app, "trip-import-notes")
    assert tables(app)[0]["pnr"].tolist() == ["IMP002"]


def test_all_trips_are_checked_once_on_request(app: AppTest, monkeypatch: pytest.MonkeyPatch):
    limits: list[int] = []

    def record_and_run(items: Any, memory: Any, *, at_most: int = 2) -> DryRun:
        limits.append(at_most)
        return dry_run(items, memory, at_most=at_most)

    monkeypatch.setattr(import_screen, "dry_run", record_and_run)
    app = with_file(app, row(71), row(72), row(73))
    assert "Muster checked a sample of 2 of 3 trips." in page_text(app)
    app = press(app, "trip-import-whole")
    assert "a sample of" not in page_text(app)
    run(app)
    assert limits == [2, 3]


def test_trips_are_sent_and_recorded_in_the_history(app: AppTest):
    app = press(with_file(app, row(11), row(12)), "trip-import-send")
    assert "2 added" in page_text(app)
    app = with_file(app, row(11), row(13, employee_id="IMP-E11"))
    text = page_text(app)
    assert "2 trips · 1 new · 1 will replace earlier trips" in text
    assert "No contacts will be created. Muster will send the trips in 1 batch of up to 1,000." in text


def test_a_completely_sent_file_leaves_no_rows_after_an_interruption(app: AppTest, signed_in: Any):
    """Such as a double click, at any time after the import started."""
    app = with_file(app, row(21), row(22))
    JOBS.begin(signed_in.workspace, signed_in.workspace.unsaved_work["file-import.trip-import"])
    text = page_text(run(app))
    assert "2 added" in text
    assert "Unsent rows" not in text
    assert "ready" not in text


def test_fixing_a_cell_makes_its_trip_ready_to_send(app: AppTest):
    app = with_file(app, row(21, departure="2027-02-31 07:20"), row(22))
    assert "1 row is ready · 1 with errors" in page_text(app)
    app.session_state["file-import.current"]["trip-import"].fix_cell(0, "fromDate", "2027-05-11 07:20")
    assert "2 rows are ready" in page_text(run(app))
    assert "Import 2 trips" in app.button(key="trip-import-send").label


def test_matched_columns_are_listed_and_can_be_changed_on_request(app: AppTest):
    app = with_file(app, row(31))

    def list_labels() -> set[str]:
        return {each.label.replace("\\", "") for each in app.selectbox}

    assert "Flight or train number" not in list_labels()
    table = app.table[0].value
    assert dict(zip(table["Field"], table["Column in the file"], strict=True))["Flight or train number"] == "Flight"
    app.multiselect(key="trip-import-by-hand").set_value(["checkIn", "airRailNumber"])
    app = run(app)
    assert {"Check-in", "Flight or train number"} <= list_labels()
    assert "Flight or train number" not in set(app.table[0].value["Field"])


def test_an_uncertain_column_match_is_shown_expanded(app: AppTest):
    headings = HEADINGS.replace("Flight", "Xy")
    content = "\n".join((headings, *(row(number, flight="TP942" if number else "?") for number in range(9))))
    app.file_uploader[0].set_value(("trips.csv", content.encode(), "text/csv"))
    app = run(app)
    [flight] = [each for each in app.selectbox if each.label == "Flight or train number"]
    assert flight.value == "Xy"
    assert "Matched by name or content. Check that it’s the right column. 1 cell does not match." in page_text(app)


def test_the_question_about_the_country_of_phone_numbers_blocks_no_row(app: AppTest):
    app = with_file(app, row(41, mobile="912 345 678"), row(42, mobile="ask Ana"))
    assert "1 row is ready · 1 with errors" in page_text(app)
    assert "1 row has a phone number without a country code. Muster sends these numbers as written." in page_text(app)
    app.selectbox(key="trip-import-country").set_value("PT")
    app = run(app)
    assert "has a phone number" not in page_text(app)
    assert app.selectbox(key="trip-import-country").value == "PT"
    app.number_input(key="trip-import-repeats-segment").set_value(2)
    app = run(app)
    app.multiselect(key="trip-import-by-hand").set_value(["fromPlace.2"])
    assert "Segment 2 · From" in {each.label for each in run(app).selectbox}


def test_a_file_without_travelers_is_reported_once(app: AppTest):
    content = "PNR,Flight,From,To,Departs,Arrives\nIMP061,TP942,LIS,GVA,2027-05-11 07:20,2027-05-11 11:00\n"
    app.file_uploader[0].set_value(("log.csv", content.encode(), "text/csv"))
    app = run(app)
    assert "0 rows are ready · 1 with errors" in page_text(app)
    app.text_input(key="trip-import-same-travelerName").set_value("SILVA/ANA")
    assert "1 row is ready" in page_text(run(app))


def test_unlabeled_employee_ids_are_one_question_for_the_file(app: AppTest):
    app = with_file(app, row(71, traveler=""), row(72, traveler=""))
    assert "2 rows have employee IDs without a name." in page_text(app)
    app.checkbox(key="trip-import-are-contacts").check()
    app = run(app)
    assert "2 rows are ready" in page_text(app)
    assert app.checkbox(key="trip-import-are-contacts").value is True


def test_the_order_of_day_and_month_is_a_question_above_the_rows(app: AppTest):
    app = with_file(app, row(51, departure="03/04/2027 07:20", arrival="03/04/2027 11:00"))
    assert "1 row has a date such as 03/04/2026. Muster cannot tell the day from the month." in page_text(app)
    app = press(app, "trip-import-order-month first")
    assert "1 row is ready" in page_text(app)
    assert "cannot tell the day" not in page_text(app)


def test_problems_can_be_filtered_by_type(app: AppTest):
    back = {"flight": "TP941", "from_": "GVA", "to": "LIS", "departure": "2027-05-14 18:30"}
    there_and_back = [row(61), row(61, **back, arrival="2027-05-14 20:10")]
    app = with_file(app, *there_and_back, row(62, flight="TP1", from_="LIS", to="LIS"))
    assert "Trips · 2 with problems" in page_text(app)
    kinds = app.get("button_group")[-1]
    assert [option.content for option in kinds.proto.options] == [
        "Same start and end · 1",
        "Night without a hotel · 1",
    ]
    app.session_state["trip-import-kind"] = "no-hotel"
    assert tables(run(app))[-1]["locator"].tolist() == ["IMP061"]


def test_json_that_is_not_an_itinerary_stays_in_the_text_field(app: AppTest):
    text = '{"bookings": {"ref": "X1", "legs": [1]}}'
    app.file_uploader[0].set_value(("trips.json", text.encode(), "application/json"))
    app = run(app)
    assert (
        "Muster can’t read “trips.json”. The JSON isn’t a list of itineraries. Record 1 has only “bookings”."
        in page_text(app)
    )
    assert app.text_area[0].value == text
    app.text_area[0].set_value("[]")
    app = run(app)
    assert "Muster can’t read the pasted text. The JSON has no trips." in page_text(app)
    assert app.text_area[0].value == "[]"
    app.text_area[0].set_value('{"pnr": "K7QWZP", "itineraryStatus": "canceled"}')
    assert "1 row is ready" in page_text(run(app))


def test_a_long_file_is_checked_in_the_background_before_its_steps_are_drawn(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("components.file_import.steps.LONG_FILE", 1)
    app = with_file(app, row(1), row(2))
    assert app.button(key="trip-import-send").label == "Import 2 trips"
