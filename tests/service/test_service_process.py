"""The service as a process: commands, the ready line, and the end."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from service.command_line import main

ROOT = Path(__file__).parents[2]

FailingCommand = Callable[..., str]


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Return the environment of a command with this data folder."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("MUSTER_")}
    return clean | {"MUSTER_DATA_DIR": str(folder)} | more


@pytest.fixture
def run_failing_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> FailingCommand:
    """A function that runs a failing command in this process, and returns its error output."""
    monkeypatch.setenv("MUSTER_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("service.command_line.stop_cleanly_on_sigterm", lambda: None)

    def run(*arguments: str) -> str:
        try:
            code = main(arguments)
        except SystemExit as end:  # an invalid command line
            code = end.code
        assert code == 2
        return capsys.readouterr().err

    return run


@contextmanager
def start_service(folder: Path, *arguments: str, **more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a service process. Yields it with its URL, and kills it at the end if it still runs."""
    command = [sys.executable, "-m", "service", "serve", "--port", "0", *arguments]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment(folder, **more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("ready http://127.0.0.1:"), line
        yield process, line.split()[1]
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def query_trips(url: str, organization: int, user: str, password: str) -> httpx.Response:
    """Send one cheap request."""
    criteria = {"fieldName": "pnr", "fieldValues": ["WSVM7K"]}
    address = f"{url}/itineraries/query/{organization}"
    return httpx.post(address, json=criteria, auth=(user, password), trust_env=False, timeout=30)


def test_a_new_service_starts_serves_and_stops_cleanly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Organization, user, serve, ready line, requests, SIGTERM."""
    monkeypatch.setenv("MUSTER_SERVICE_PASSWORD", "secret word")
    monkeypatch.setenv("MUSTER_DATA_DIR", str(tmp_path))
    assert main(("organization", "add", "8800", "Test")) == 0
    capsys.readouterr()
    assert main(("user", "add", "ana", "--organization", "8800")) == 0
    assert capsys.readouterr().out == "User ana added.\n"
    with start_service(tmp_path) as (process, url):
        assert httpx.get(f"{url}/healthz", trust_env=False).text == "ok"
        assert query_trips(url, 8800, "ana", "secret word").status_code == 200
        assert query_trips(url, 8800, "ana", "wrong").status_code == 401
        # SIGTERM ends it without output.
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (0, "", "")


def test_the_demo_roster_is_printed_without_a_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MUSTER_DATA_DIR", str(tmp_path / "nowhere"))
    assert main(("demo-roster",)) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows[0] == {
        "record_locator": "WSVM7K",
        "employee_id": "E09001",
        "first_name": "Ana",
        "last_name": "Silva",
    }
    assert len({row["record_locator"] for row in rows}) >= 1500
    assert not (tmp_path / "nowhere").exists()


def test_the_demo_assets_are_printed_with_their_ids(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("demo-assets",)) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len({row["Asset id"] for row in rows}) == len(rows) >= 15
    plant = next(row for row in rows if row["External id"] == "PLANT-FRA")
    assert (plant["Name"], plant["City"], plant["Country"]) == ("Frankfurt am Main plant", "Frankfurt am Main", "DE")
    assert json.loads(plant["Geometry (GeoJSON)"])["type"] == "Polygon"
    assert json.loads(plant["Properties"])[0]["value"] == "FRA"


def test_the_demo_shapes_and_locations_are_printed_unchanged(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(("demo-shapes",)) == 0
    shapes = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["folder"] for row in shapes} == {"", "Campuses", "Watch areas"}
    assert main(("demo-locations",)) == 0
    locations = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    refused_ids = {row["externalId"]: row["Refused"] for row in locations if row["Refused"]}
    assert refused_ids["E99999"] == "EXTERNAL_ID_NOT_EXIST"
    assert len(locations) - len(refused_ids) == 240
    assert main(("demo-desk",)) == 0
    printed = json.loads(capsys.readouterr().out)
    assert list(csv.DictReader(io.StringIO(printed["demo-shapes"]))) == shapes
    assert list(csv.DictReader(io.StringIO(printed["demo-locations"]))) == locations
    assert {"demo-roster", "demo-assets"} < set(printed)


def test_a_newer_schema_is_refused_with_a_message(tmp_path: Path, run_failing_command: FailingCommand) -> None:
    """The service does not change a database of a later version."""
    database = f"sqlite:///{tmp_path / 'service.sqlite'}"
    assert main(("organization", "add", "8800", "Test", "--database-url", database)) == 0
    with closing(sqlite3.connect(tmp_path / "service.sqlite")) as connection, connection:
        connection.execute("UPDATE service_version SET version_num = 'v99'")
    assert "version v99" in run_failing_command("serve", "--port", "0")


def test_a_used_port_is_refused_with_a_message(run_failing_command: FailingCommand) -> None:
    """The port is checked first."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        output = run_failing_command("serve", "--port", str(other.getsockname()[1]))
    assert output.startswith("service: Cannot listen on 127.0.0.1 port")


def test_an_invalid_faults_file_is_refused_with_a_message(tmp_path: Path, run_failing_command: FailingCommand) -> None:
    """Before the service starts."""
    file = tmp_path / "faults.toml"
    file.write_text('[[fault]]\nkind = "earthquake"\n', encoding="utf-8")
    assert "earthquake" in run_failing_command("serve", "--port", "0", "--faults", str(file))


def test_faults_are_injected_only_on_this_machine(tmp_path: Path, run_failing_command: FailingCommand) -> None:
    message = run_failing_command("serve", "--host", "0.0.0.0", "--faults", str(tmp_path))
    assert "Faults can be injected only on this machine" in message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("organization", "add", "8800", "Again"), "Organization 8800 already exists."),
        (("organization", "add", "0", "Zero"), "An organization ID is a whole number"),
        (("organization", "add", "5", " "), "An organization needs a name."),
        (("user", "add", "ana", "--organization", "8800"), "User ana already exists"),
        (("user", "add", "a:b", "--organization", "8800"), "without colons"),
        (("user", "add", "bob", "--organization", "1"), "There is no organization 1"),
        (("user", "allow", "bob", "--organization", "8800"), "There is no user bob."),
        (("user", "password", "bob"), "There is no user bob."),
    ],
)
def test_commands_that_fail_report_the_reason(
    prepared_data: Path,
    arguments: tuple[str, ...],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Exit code 2, one line, no traceback."""
    monkeypatch.setenv("MUSTER_SERVICE_PASSWORD", "x")
    monkeypatch.setenv("MUSTER_SERVICE_DATABASE_URL", f"sqlite:///{prepared_data / 'service.sqlite'}")
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert message in output.err
    assert len(output.err.splitlines()) == 1


def test_a_user_is_not_created_without_a_password(
    prepared_data: Path, run_failing_command: FailingCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a variable and a terminal, no user is created."""
    monkeypatch.setenv("MUSTER_SERVICE_DATABASE_URL", f"sqlite:///{prepared_data / 'service.sqlite'}")
    monkeypatch.delenv("MUSTER_SERVICE_PASSWORD", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO("typed"))
    assert "MUSTER_SERVICE_PASSWORD" in run_failing_command("user", "add", "bob", "--organization", "8800")


def test_access_and_password_can_be_changed_while_serving(
    prepared_data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`organization add` and `list`, `user allow` and `user password`; all take effect at once."""
    monkeypatch.setenv("MUSTER_SERVICE_PASSWORD", "new")
    monkeypatch.setenv("MUSTER_SERVICE_DATABASE_URL", f"sqlite:///{prepared_data / 'service.sqlite'}")
    with start_service(prepared_data) as (_process, url):
        assert query_trips(url, 9900, "ana", "x").status_code == 401
        assert main(("organization", "add", "9900", "Other")) == 0
        assert main(("user", "allow", "ana", "--organization", "9900")) == 0
        assert query_trips(url, 9900, "ana", "x").status_code == 200
        assert main(("user", "password", "ana")) == 0
        assert query_trips(url, 9900, "ana", "x").status_code == 401
        assert query_trips(url, 9900, "ana", "new").status_code == 200
    capsys.readouterr()
    assert main(("organization", "list")) == 0
    assert capsys.readouterr().out == "8800\tTest\n9900\tOther\n"


@pytest.fixture(scope="module")
def prepared_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the organization 8800 and the user ana."""
    folder = tmp_path_factory.mktemp("prepared")
    database = f"sqlite:///{folder / 'service.sqlite'}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MUSTER_SERVICE_PASSWORD", "x")
        assert main(("organization", "add", "8800", "Test", "--database-url", database)) == 0
        assert main(("user", "add", "ana", "--organization", "8800", "--database-url", database)) == 0
    return folder


ALLOWED, OTHER = "https://desk.example.org", "https://else.example.org"


@pytest.fixture(scope="module")
def with_options(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a service that was started with all options."""
    folder = tmp_path_factory.mktemp("options")
    faults = folder / "faults.json"
    faults.write_text('{"fault": [{"kind": "status", "status": 503, "path": "/itineraries/query/8800"}]}', "utf-8")
    options = ("--demo", "--faults", str(faults), "--allow-origin", ALLOWED)
    with start_service(folder, *options, MUSTER_SERVICE_DEMO_PASSWORD="another") as (_, url):
        yield url


def test_demo_creates_its_organization_and_user(with_options: str) -> None:
    """--demo: 8800001 with its user demo and the given password."""
    assert query_trips(with_options, 8800001, "demo", "another").json()["page"]["data"] == [{"id": 1}]


def test_faults_are_read_from_a_file(with_options: str) -> None:
    """--faults FILE."""
    assert query_trips(with_options, 8800, "ana", "x").status_code == 503
    assert httpx.get(f"{with_options}/healthz", trust_env=False).status_code == 200


def test_allowed_origins_can_call_the_service(with_options: str) -> None:
    """`serve --allow-origin`: only the listed origins, with credentials, error responses included."""
    asks = {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization,content-type"}
    path = f"{with_options}/itineraries/8800/1"
    with httpx.Client(trust_env=False) as http:
        preflight = http.options(path, headers={"Origin": ALLOWED, **asks})
        response = http.put(path, headers={"Origin": ALLOWED})
        strangers = [
            http.options(path, headers={"Origin": OTHER, **asks}),
            http.put(path, headers={"Origin": OTHER}),
        ]
    assert (preflight.status_code, response.status_code) == (200, 404)
    for answer in (preflight, response):
        assert answer.headers["access-control-allow-origin"] == ALLOWED
    assert "authorization" in preflight.headers["access-control-allow-headers"].lower()
    assert [answer for answer in strangers if "access-control-allow-origin" in answer.headers] == []


@pytest.mark.parametrize("origin", ["*", "desk.example.org", "https://desk.example.org/", "ftp://desk.example.org"])
def test_an_origin_needs_its_scheme_and_host(run_failing_command: FailingCommand, origin: str) -> None:
    """The error appears at the start."""
    assert "is not an origin" in run_failing_command("serve", "--port", "0", "--allow-origin", origin)
