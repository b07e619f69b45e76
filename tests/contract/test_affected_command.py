"""`python -m muster affected` over a real service: the listed people, the output, and the exit code."""

from __future__ import annotations

import csv
import io
import json
import logging
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client.redaction import redact
from domain.runtime.settings import Settings
from journal import Actor, Journal, RosterEntry
from muster.commands import main
from tests.running_service import PASSWORD, RunningService
from tests.service import trips

KEYS = ["locator", "externalId", "name", "section", "status", "place", "distanceKm", "from", "until", "why"]
KATHMANDU = "circle:27.7172,85.3240,40km"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def service() -> Iterator[RunningService]:
    with RunningService() as service:
        stay = {"fromDateTimeLocal": "2015-04-20T17:45:00", "toDateTimeLocal": "2015-04-28T09:45:00"}
        zones = {"fromTimeZone": "Asia/Kathmandu", "toTimeZone": "Asia/Kathmandu"}
        for locator, place in (
            (
                "KTM111",
                {"locationName": "Hotel Thamel", "city": "Kathmandu", "latitude": 27.715, "longitude": 85.312},
            ),
            ("PKR111", {"locationName": "Lakeside", "city": "Pokhara", "latitude": 28.209, "longitude": 83.959}),
            ("KTM222", {"locationName": "Guest house", "city": "Bhaktapur"}),
            ("KTM333", {"locationName": "Ridge", "city": "Dhulikhel", "latitude": 27.622, "longitude": 85.740}),
        ):
            hotel = trips.hotel(**stay, **zones, fromAddress={"country": "NP", **place})
            person = trips.passenger(f"E-{locator}", firstName="Ana", lastName=locator)
            trips.add(service, trips.trip(locator, segments=[hotel], passengers=[person]))
        yield service


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, service: RunningService) -> Iterator[None]:
    for name in list(os.environ):
        if name.startswith("MUSTER_"):
            monkeypatch.delenv(name)
    monkeypatch.setattr(Settings, "secrets_file", tmp_path / "no-secrets.toml")
    monkeypatch.setenv("MUSTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("MUSTER_USERNAME", "ana")
    monkeypatch.setenv("MUSTER_PASSWORD", PASSWORD)
    monkeypatch.setenv("MUSTER_SERVICE_URL", service.url)
    original, level = signal.getsignal(signal.SIGTERM), logging.getLogger("client").level
    yield
    logging.getLogger("client").setLevel(level)
    signal.signal(signal.SIGTERM, original)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_command(*arguments: object) -> tuple[int, str, str]:
        code = main(["affected", "--organization", "8800", *map(str, arguments)])
        return int(code), *capsys.readouterr()

    return run_command


@pytest.fixture
def locators(tmp_path: Path) -> Path:
    path = tmp_path / "locators.txt"
    path.write_text("KTM111\nPKR111\n\nktm222\nKTM333\nZZZ999\n")
    return path


def test_people_are_listed_by_section_and_missing_data_is_reported(run: Run, locators: Path) -> None:
    when = ("--from", "2015-04-25T06:11:00Z", "--until", "2015-04-26T06:11:00Z")
    code, out, _ = run("--locators", locators, "--area", KATHMANDU, *when)
    answer = json.loads(out)
    assert code == 7
    assert list(answer) == ["generatedAt", "area", "notCovered", "people"]
    assert answer["area"]["features"][0]["properties"]["radiusKm"] == 40
    assert answer["notCovered"] == [
        "The service did not find 1 trip: ZZZ999.",
        "1 person can’t be placed because the records have no coordinates.",
    ]
    assert all(list(person) == KEYS for person in answer["people"])
    assert [(each["locator"], each["section"], each["status"], each["distanceKm"]) for each in answer["people"]] == [
        ("KTM111", "affected", "there", 0.0),
        ("KTM333", "nearby", "there", 2.4),
        ("ktm222", "notPlaced", "there", None),  # as the file writes it
    ]
    [first, *_] = answer["people"]
    assert (first["externalId"], first["from"], first["until"]) == (
        "E-KTM111",
        "2015-04-20T12:00:00Z",
        "2015-04-28T04:00:00Z",
    )
    assert first["why"].startswith("The traveler is expected at Hotel Thamel, Kathmandu, inside the area, until ")


def test_a_roster_and_an_ongoing_incident_are_exported_as_csv(
    run: Run, service: RunningService, tmp_path: Path
) -> None:
    with Journal.open(f"sqlite:///{tmp_path / 'data' / 'journal.sqlite'}", redact) as journal:
        entries = [RosterEntry(each) for each in ("KTM111", "PKR111")]
        journal.rosters.create(Actor(service.url, 8800, "ana"), "Nepal", entries)
    area = ("--area", "country:NP", "--from", "2015-04-25")
    code, out, err = run("--roster", "nepal", *area, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert (code, [row["locator"] for row in rows], list(rows[0])) == (0, ["KTM111", "PKR111"], KEYS)
    assert {row["section"] for row in rows} == {"affected"}
    assert "muster:" not in err


def test_record_locators_that_do_not_exist_are_no_all_clear(run: Run, locators: Path) -> None:
    locators.write_text("ZZZ998\nZZZ999\n")
    code, out, _ = run("--locators", locators, "--area", KATHMANDU, "--from", "2015-04-25", "--format", "csv")
    [row] = csv.DictReader(io.StringIO(out))
    assert (code, row["section"]) == (7, "notCovered")
    assert row["why"] == "The service did not find 2 trips: ZZZ998 and ZZZ999."


def test_a_list_without_people_says_so_in_csv(run: Run, locators: Path) -> None:
    locators.write_text("PKR111\n")
    arguments = ("--area", "country:BT", "--from", "2015-04-25", "--format", "csv")
    code, out, _ = run("--locators", locators, *arguments)
    [row] = csv.DictReader(io.StringIO(out))
    assert (code, row["section"], row["locator"]) == (0, "none", "")


@pytest.fixture
def cases() -> Path:
    return Path(__file__).parents[1] / "cases"


def test_all_parts_of_a_file_count_unless_some_are_named(run: Run, locators: Path, cases: Path) -> None:
    file = cases / "storm-zones-and-cone.geojson"
    ask = ("--locators", locators, "--area", file, "--from", "2015-04-25")
    left_out = "1 feature of “storm-zones-and-cone.geojson” has only points and is skipped: Centroid (Point_Centroid)."
    parts = "parts of “storm-zones-and-cone.geojson”"
    red, cone = "120 km/h (Poly_Red)", "Uncertainty Cones (Poly_Cones)"
    assert json.loads(run(*ask)[1])["notCovered"][-2:] == [left_out, f"Both {parts} count: {red} and {cone}."]
    for name in ("Poly_Red", "120 KM/H", red):
        answer = json.loads(run(*ask, "--part", name)[1])
        assert answer["notCovered"][-3:] == [left_out, f"1 of 2 {parts} counts: {red}.", f"Not counted: {cone}."]
        assert [each["properties"]["label"] for each in answer["area"]["features"]] == ["120 km/h"]
    code, _, err = run(*ask, "--part", "Poly_Blue")
    assert (code, err) == (2, f"muster: There is no part “Poly_Blue”. The parts are “{red}” and “{cone}”.\n")


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("cap-cancel-as-area.xml", "This CAP alert cancels an earlier one."),
        ("cap-ended-and-active.xml", "This CAP alert expired 2026-11-26 20:00 UTC."),
        ("cap-new-county-codes.xml", ""),
        ("kml-link-and-area.kml", "1 link to another file is not followed: “Updates”."),
        ("hole-outside-its-shell.geojson", "Removed a hole outside its area: “Zone”"),
        ("warnings-without-geometry.geojson", "2 features of “warnings-without-geometry.geojson” have no geometry."),
    ],
)
def test_findings_about_the_area_are_not_covered(
    run: Run, locators: Path, cases: Path, case: str, sentence: str
) -> None:
    _, out, _ = run("--locators", locators, "--area", cases / case, "--from", "2015-04-25")
    answer = json.loads(out)
    assert any(sentence in each for each in answer["notCovered"])
    assert answer["area"]["features"]
    assert "cannot place" not in out


def test_unreadable_trips_are_named_and_change_the_exit_code(run: Run, service: RunningService, locators: Path) -> None:
    fault = {"kind": "status", "status": 500, "path": "/itineraries/expectedLocations/*/2"}
    with service.failing(fault):
        code, out, _ = run("--locators", locators, "--area", KATHMANDU, "--from", "2015-04-25")
    assert (code, json.loads(out)["notCovered"][0]) == (6, "1 trip could not be loaded: PKR111.")


def test_a_file_without_locators_has_an_empty_result(run: Run, locators: Path) -> None:
    locators.write_text("\n")
    code, out, _ = run("--locators", locators, "--area", KATHMANDU, "--from", "2015-04-25")
    assert (code, json.loads(out)["people"]) == (3, [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--area", "somewhere"], "“somewhere” isn’t an area."),
        (["--area", "missing.kml"], "missing.kml does not exist."),
        (["--area", KATHMANDU, "--until", "2015-04-20"], "--until is before --from."),
        (["--area", KATHMANDU, "--margin", "far"], "“far” isn’t a distance."),
        (["--area", KATHMANDU, "--from", "yesterday"], "--from: “yesterday” isn’t an ISO 8601 time."),
        (["--area", KATHMANDU], "There is no roster “Nowhere”. Rosters of this organization: none."),
    ],
)
def test_a_command_that_cannot_start_reports_the_reason(run: Run, arguments: list[str], message: str) -> None:
    code, out, err = run("--roster", "Nowhere", "--from", "2015-04-25", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"muster: {message}")
