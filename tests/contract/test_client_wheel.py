"""The client alone: built as a wheel, installed without this project, and used with the service."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import Any, Final

import pytest

from tests.running_service import RunningService

PROJECT: Final = Path(__file__).resolve().parents[2]
UV: Final = str(Path(sys.executable).parent / "uv")
USE: Final = """
import importlib.util, json, sys
from muster_client import NotAuthenticated, ServiceClient
from muster_client.models.itineraries import Itinerary, Passenger, Segment
url, wrong = sys.argv[1:]
stay = Segment(type="Hotel", from_date_time="2026-11-20T10:00:00Z", to_date_time="2026-11-23T07:00:00Z",
               from_address={"locationName": "Sheraton", "city": "Kuwait", "country": "KW"})
trip = Itinerary(pnr="WSVM7K", segments=[stay],
                 passengers=[Passenger(employee_id="E1", first_name="Ana", last_name="Silva")])
with ServiceClient(url, 8800, "ana", "correct horse") as client:
    created = client.itineraries.create(trip)
    found = [reference.id for reference in client.itineraries.search(field_name="pnr", values=["WSVM7K"])]
    places = [place.address.city for place in client.itineraries.list_expected_locations(created.id)]
try:
    ServiceClient(url, 8800, "ana", wrong).check_access()
except NotAuthenticated as error:
    refused = type(error).__module__
ours = [name for name in ("client", "components", "service") if importlib.util.find_spec(name)]
print(json.dumps({"id": created.id, "found": found, "places": places, "refused": refused, "ours": ours}))
"""


def run(*command: str | Path, cwd: Path) -> str:
    process = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, check=False, timeout=120)
    assert process.returncode == 0, process.stderr
    return process.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `make wheel` builds in a copy of the project."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("client", "wheel"):
        shutil.copytree(
            PROJECT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
        )
    recipe = (PROJECT / "Makefile").read_text(encoding="utf-8").partition("\nwheel:")[2].splitlines()[2]
    recipe = recipe.strip().replace("$(BIN)/uv", UV).replace("$(BIN)/python", sys.executable)
    run(*recipe.split(), cwd=folder)
    (built,) = (folder / "dist").glob("*.whl")
    return built


def test_the_wheel_contains_exactly_the_typed_client(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    source = PROJECT / "client"
    files = {path.relative_to(source) for kind in ("*.py", "*.csv", "py.typed") for path in source.rglob(kind)}
    assert names == {f"muster_client/{path}" for path in files}
    assert "muster_client/py.typed" in names


def test_the_wheel_has_the_requirements_of_the_project() -> None:
    def read(path: str) -> Any:
        return tomllib.loads((PROJECT / path).read_text(encoding="utf-8"))["project"]

    project, alone = read("pyproject.toml"), read("wheel/pyproject.toml")
    assert {*alone["dependencies"]} <= {*project["dependencies"]}
    assert (alone["version"], alone["requires-python"]) == (project["version"], project["requires-python"])


def test_the_wheel_works_without_the_project(wheel: Path, service: RunningService, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    run(UV, "pip", "install", "--offline", "--no-deps", "--python", python, wheel, cwd=tmp_path)
    # Dependencies are not installed, because there is no network: the installed ones are used.
    (site,) = (tmp_path / "venv" / "lib").glob("*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    result = json.loads(run(python, "-I", "-c", USE, service.url, "wrong", cwd=tmp_path))
    assert result["found"] == [result["id"]]
    assert result["places"] == ["Kuwait"]
    assert result["refused"] == "muster_client.errors"
    assert result["ours"] == []
