"""The commands of the Makefile that delete, and the port check before `make run`."""

import os
import socket
import subprocess
from pathlib import Path

import pytest

from scripts.check_port import describe_conflict, is_free
from scripts.print_coverage import summarize

MAKEFILE = Path(__file__).resolve().parents[1] / "Makefile"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal in the data folder of a project."""
    path = tmp_path / ".muster" / "journal.sqlite"
    path.parent.mkdir()
    path.touch()
    return path


def make(folder: Path, target: str, answer: str = "") -> str:
    command = ["make", "--no-print-directory", "--file", str(MAKEFILE), "--directory", str(folder), target]
    # An outer make would pass its variables, such as VENV.
    environment = {"PATH": os.environ["PATH"]}
    return subprocess.run(command, input=answer, env=environment, capture_output=True, text=True, check=True).stdout


def test_make_clean_deletes_the_environment_and_no_data(journal: Path, tmp_path: Path):
    (tmp_path / ".venv").mkdir()
    make(tmp_path, "clean")
    assert journal.exists()
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize("answer", ["", "\n", "y\n", "no\n", "yes please\n"])
def test_make_reset_data_deletes_nothing_without_an_explicit_yes(answer: str, journal: Path, tmp_path: Path):
    assert make(tmp_path, "reset-data", answer).endswith("Nothing was deleted.\n")
    assert journal.exists()


def test_make_reset_data_deletes_the_data_folder_after_a_yes(journal: Path, tmp_path: Path):
    assert make(tmp_path, "reset-data", "yes\n").endswith("The data was deleted.\n")
    assert not journal.parent.exists()


def test_a_port_in_use_is_reported_with_the_command_for_a_free_port():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        message = describe_conflict(port)
    assert message is not None
    assert f"port {port} is in use" in message
    suggested = message.rpartition("make run PORT=")[2]
    assert suggested != str(port)
    assert is_free(int(suggested))


def test_a_free_port_is_not_a_conflict():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    assert describe_conflict(port) is None


def test_coverage_is_printed_by_package_and_by_the_packages_of_components():
    files = {
        "client/retry.py": (10, 9),
        "client/models/trips.py": (10, 6),
        "components/maps/map.py": (4, 1),
        "domain/trips/checks.py": (16, 16),
    }
    summaries = {
        path: {"summary": {"num_statements": lines, "covered_lines": covered}}
        for path, (lines, covered) in files.items()
    }
    assert [line.split() for line in summarize({"files": summaries})] == [
        ["client", "20", "75.0%"],
        ["components/maps", "4", "25.0%"],
        ["domain/trips", "16", "100.0%"],
        ["total", "40", "80.0%"],
    ]
