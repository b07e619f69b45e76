"""Every snippet of the docs works: Python runs against a service; commands and settings are parsed."""

from __future__ import annotations

import re
import shlex
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import pytest

from client import ServiceClient
from service.command_line import _parser as command_parser
from service.faults import read_faults
from tests.running_service import RunningService

PROJECT = Path(__file__).resolve().parents[2]
PAPERS = sorted([PROJECT / "README.md", *(PROJECT / "docs").rglob("*.md")])

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"(?:^(?:    .*)?\n)+", re.MULTILINE)
CONNECTING = re.compile(r"ServiceClient\(\s*\"[^\"]+\", (\d+), \"[^\"]+\", (?:\"[^\"]+\"|password)")
COMMAND = re.compile(r"^(?:MUSTER_\w+=\S+ )*(?:\.venv/bin/)?python -m service (.+)$")
TARGET = re.compile(r"^(?:MUSTER_\w+=\S+ )*make (\w+)")
DEMO = "8800001"


def snippets(paper: Path, language: str) -> list[str]:
    return [text for name, text in FENCED.findall(paper.read_text(encoding="utf-8")) if name == language]


def indented(paper: Path) -> list[str]:
    prose = FENCED.sub("", paper.read_text(encoding="utf-8"))
    return [textwrap.dedent(block).strip() for block in INDENTED.findall(prose) if block.strip()]


def lines() -> list[str]:
    return [line for paper in PAPERS for block in indented(paper) for line in block.splitlines()]


COMMANDS = [match.group(1) for line in lines() if (match := COMMAND.match(line))]
TARGETS = {match.group(1) for line in lines() if (match := TARGET.match(line))}
FAULTS = [block for paper in PAPERS for block in indented(paper) if "[[fault]]" in block]
WITH_PYTHON = [paper for paper in PAPERS if snippets(paper, "python")]


def test_every_kind_of_snippet_is_found():
    assert {paper.name for paper in WITH_PYTHON} >= {"README.md", "client.md"}
    assert len(COMMANDS) >= 4
    assert len(FAULTS) >= 2
    assert {"run", "test"} <= TARGETS


@pytest.mark.parametrize("paper", WITH_PYTHON, ids=lambda paper: paper.name)
def test_the_python_snippets_of_a_page_run_in_order(
    paper: Path, service: RunningService, demo_service: RunningService
) -> None:
    def connecting(match: re.Match[str]) -> str:
        running = demo_service if match.group(1) == DEMO else service
        account = (running.url, running.organization_id, running.username, running.password)
        return f"ServiceClient({', '.join(map(repr, account))}"

    names: dict[str, Any] = {"password": service.password}
    try:
        for number, snippet in enumerate(snippets(paper, "python"), start=1):
            code, connections = CONNECTING.subn(connecting, snippet)
            assert connections == snippet.count("ServiceClient("), "a connection that this test cannot lead elsewhere"
            exec(compile(code, f"{paper.name}, snippet {number}", "exec"), names)
    finally:
        for value in names.values():
            if isinstance(value, ServiceClient):
                value.close()


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_of_the_service_parse(command: str) -> None:
    assert callable(command_parser().parse_args(shlex.split(command, comments=True)).run)


@pytest.mark.parametrize("faults", FAULTS, ids=range(len(FAULTS)))
def test_fault_files_parse(faults: str) -> None:
    assert len(read_faults(tomllib.loads(faults))) == faults.count("[[fault]]")


def test_make_targets_exist() -> None:
    rules = re.findall(r"^(\w+):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(rules) >= TARGETS
