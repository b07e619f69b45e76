"""Which requests a fault applies to, and what a faults file may contain."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from service.faults import FaultInjection, FaultsFileError, Message, read_faults, read_faults_file


def collect_statuses(fault: dict[str, Any], *requests: tuple[str, str]) -> list[int]:
    """Return the status of the response to each request: 200 if no fault applies."""
    statuses: list[int] = []

    async def application(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def run() -> None:
        injection = FaultInjection(application, read_faults({"fault": [{"kind": "status", "status": 503} | fault]}))
        for method, path in requests:
            await injection({"type": "http", "method": method, "path": path}, receive, send)

    asyncio.run(run())
    return statuses


GET, POST = ("GET", "/itineraries/8800"), ("POST", "/itineraries/8800")


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ({}, [503, 503, 503]),
        ({"methods": ["POST"]}, [200, 503, 503]),
        ({"path": "/itineraries/*"}, [503, 503, 503]),
        ({"path": "/itineraries"}, [200, 200, 200]),
        ({"times": 1}, [503, 200, 200]),
        ({"skip": 1}, [200, 503, 503]),
        ({"skip": 1, "times": 1}, [200, 503, 200]),
        ({"methods": ["POST"], "skip": 1}, [200, 200, 503]),
        ({"rate": 0}, [200, 200, 200]),
    ],
)
def test_a_fault_selects_requests(fault: dict[str, Any], expected: list[int]) -> None:
    """By path, method, number, offset and rate."""
    assert collect_statuses(fault, GET, POST, POST) == expected


def test_a_fault_rate_is_deterministic() -> None:
    """Seeded: a test that fails, fails again."""
    first, second = (collect_statuses({"rate": 0.25}, *([GET] * 400)) for _run in range(2))
    assert first == second
    assert 70 <= first.count(503) <= 130


@pytest.mark.parametrize(
    "value",
    [
        {"faults": []},
        {"fault": [{"kind": "earthquake"}]},
        {"fault": [{"status": 500}]},
        {"fault": [{"kind": "latency"}]},
        {"fault": [{"kind": "latency", "milliseconds": -1}]},
        {"fault": [{"kind": "latency", "milliseconds": 1, "rate": 2}]},
        {"fault": [{"kind": "status", "status": 200}]},
        {"fault": [{"kind": "drop", "when": "sometimes"}]},
        {"fault": [{"kind": "drop", "paths": "/x"}]},
    ],
)
def test_invalid_faults_are_refused(value: dict[str, Any]) -> None:
    """A misspelled fault must not be ignored."""
    with pytest.raises(FaultsFileError):
        read_faults(value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("faults.toml", '[[fault]]\nkind = "latency"\nmilliseconds = 20\npath = "/a/*"\n'),
        ("faults.json", '{"fault": [{"kind": "latency", "milliseconds": 20, "path": "/a/*"}]}'),
    ],
)
def test_fault_files_are_toml_or_json(tmp_path: Path, name: str, text: str) -> None:
    """The file's extension decides."""
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    [fault] = read_faults_file(file)
    assert fault.model_dump() == {
        "kind": "latency",
        "milliseconds": 20,
        "path": "/a/*",
        "methods": (),
        "rate": 1,
        "times": None,
        "skip": 0,
    }


@pytest.mark.parametrize(("name", "text"), [("faults.toml", "]["), ("faults.json", "[]"), ("faults.json", "{")])
def test_unreadable_fault_files_are_reported(tmp_path: Path, name: str, text: str) -> None:
    """The error names the file."""
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FaultsFileError, match=name):
        read_faults_file(file)
    with pytest.raises(FaultsFileError, match="missing"):
        read_faults_file(tmp_path / "missing.toml")
