"""Muster's version, on the Connection screen and on the command line."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.runtime import version
from muster.commands import main


@pytest.fixture(autouse=True)
def project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A deployment of version 1.2.3 without .git, in a folder of another project's checkout."""
    commit(tmp_path)
    folder = tmp_path / "muster"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    monkeypatch.setattr(version, "PROJECT", folder)
    monkeypatch.delenv("MUSTER_COMMIT", raising=False)
    version.version.cache_clear()
    yield folder
    version.version.cache_clear()


def commit(folder: Path) -> str:
    """Commit nothing in a new checkout, and return the short hash."""
    git = ["git", "-C", str(folder), "-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "--message", "Begin"], check=True)
    return subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout


def test_a_deployment_without_git_shows_the_version_alone():
    assert version.version() == "1.2.3"


def test_a_deployment_without_git_shows_the_commit_of_the_setting(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MUSTER_COMMIT", "1a2b3c4")
    assert version.version() == "1.2.3 (commit 1a2b3c4)"


def test_the_command_line_shows_version_and_commit_of_a_checkout(project: Path, capsys: pytest.CaptureFixture[str]):
    short_hash = commit(project).strip()
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"Muster 1.2.3 (commit {short_hash})\n"
