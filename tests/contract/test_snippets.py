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
PAGES = sorted([PROJECT / "README.md", *(PROJECT / "docs").rglob("*.md")])

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"(?:^(?:    .*)?\n)+", re.MULTILINE)
CONNECTING = re.compile(r"ServiceClient\(\s*\"[^\"]+\", (\d+), \"[^\"]+\", (?:\"[^\"]+\"|password)")
COMMAND = re.compile(r"^(?:MUSTER_\w+=\S+ )*(?:\.venv/bin/)?python -m service (.+)$")
TARGET = re.compile(r"^(?:MUSTER_\w+=\S+ )*make (\w+)")
DEMO = "8800001"


def snippets(page: Path, language: str) -> list[str]:
    return [text for name, text in FENCED.findall(page.read_text(encoding="utf-8")) if name == language]


def indented(page: Path) -> list[str]:
    prose = FENCED.sub("", page.read_text(encoding="utf-8"))
    return [textwrap.dedent(block).strip() for block in INDENTED.findall(prose) if block.strip()]


def lines() -> list[str]:
    return [line for page in PAGES for block in indented(page) for line in block.splitlines()]


COMMANDS = [match.group(1) for line in lines() if (match := COMMAND.match(line))]
TARGETS = {match.group(1) for line in lines() if (match := TARGET.match(line))}
FAULTS = [block for page in PAGES for block in indented(page) if "[[fault]]" in block]
WITH_PYTHON = [page for page in PAGES if snippets(page, "python")]


def test_every_kind_of_snippet_is_found():
    assert {page.name for page in WITH_PYTHON} >= {"README.md", "client.md"}
    assert len(COMMANDS) >= 4
    assert len(FAULTS) >= 2
    assert {"run", "test"} <= TARGETS


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.name)
def test_the_python_snippets_of_a_page_run_in_order(
    page: Path, service: RunningService, demo_service: RunningService
) -> None:
    def connect_to_test_service(match: re.Match[str]) -> str:
        running = demo_service if match.group(1) == DEMO else service
        account = (running.url, running.organization_id, running.username, running.password)
        return f"ServiceClient({', '.join(map(repr, account))}"

    names: dict[str, Any] = {"password": service.password}
    try:
        for number, snippet in enumerate(snippets(page, "python"), start=1):
            code, connections = CONNECTING.subn(connect_to_test_service, snippet)
            assert connections == snippet.count("ServiceClient("), "a connection is not replaced by the test service"
            exec(compile(code, f"{page.name}, snippet {number}", "exec"), names)
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
