"""The life cycle of the embedded service, simulated by small programs."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import jwt
import pytest

from domain.runtime.embedded_service import Condition, EmbeddedService, environment, serve_command
from domain.runtime.server import Server
from domain.runtime.settings import PROJECT, Settings
from tests.running_service import USERNAME, prepared_database

SERVES = """
import sys, signal
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
port = sys.argv[1] if sys.argv[1] != "0" else "4321"
print("some line before")
print(f"ready http://127.0.0.1:{port}")
signal.pause()
"""
ENDS_AT_ONCE = "raise SystemExit(3)"
IGNORES_STOP = """
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready http://127.0.0.1:4321", flush=True)
signal.pause()
"""

SECONDS = 60


def wait_until(service: EmbeddedService, holds: Callable[[Condition], bool]) -> bool:
    """Wait until the condition of the service holds. Return False if that takes too long."""
    deadline = time.monotonic() + SECONDS
    while not holds(service.condition) and time.monotonic() < deadline:
        threading.Event().wait(0.005)
    return holds(service.condition)


def child_pid(service: EmbeddedService) -> int | None:
    """Return the ID of the child process, or None between two of them."""
    return service._child.pid if service._child is not None else None


@pytest.fixture
def start_service(tmp_path: Path) -> Iterator[Callable[..., EmbeddedService]]:
    running: list[EmbeddedService] = []

    def start(program: str = SERVES, **options: object) -> EmbeddedService:
        service = EmbeddedService(
            Settings(data_dir=tmp_path / "data"),
            command=lambda port: [sys.executable, "-c", program, str(port)],
            first_pause=0.01,
            **options,
        )
        running.append(service)
        service.start()
        return service

    yield start
    for service in running:
        service.stop()


def test_the_service_is_ready_when_its_process_reports_it(start_service: Callable[..., EmbeddedService]):
    service = start_service()
    assert wait_until(service, lambda condition: condition.phase == "ready")
    assert service.condition.url == "http://127.0.0.1:4321"
    assert service.condition.restarts == 0


def test_a_service_process_that_dies_is_restarted_on_the_same_port(start_service: Callable[..., EmbeddedService]):
    service = start_service()
    assert wait_until(service, lambda condition: condition.phase == "ready")
    assert child_pid(service) is not None
    os.kill(child_pid(service), signal.SIGKILL)
    assert wait_until(service, lambda condition: condition.phase == "ready" and condition.restarts == 1)
    assert service.condition.url == "http://127.0.0.1:4321"


def test_a_service_process_that_never_gets_ready_is_retried_and_reported_as_down(
    start_service: Callable[..., EmbeddedService],
):
    service = start_service(ENDS_AT_ONCE)
    assert wait_until(service, lambda condition: condition.restarts >= 3)
    assert service.condition.phase == "restarting"
    assert service.condition.url is None


def test_the_startup_callback_runs_once_and_its_failure_is_harmless(start_service: Callable[..., EmbeddedService]):
    calls: list[int] = []
    was_called = threading.Event()

    def fail() -> None:
        calls.append(1)
        was_called.set()
        raise RuntimeError("no roster")

    service = start_service(when_ready=fail)
    assert was_called.wait(SECONDS)
    assert child_pid(service) is not None
    os.kill(child_pid(service), signal.SIGKILL)
    assert wait_until(service, lambda condition: condition.phase == "ready" and condition.restarts == 1)
    assert calls == [1]


def test_stopping_ends_the_service_process_without_a_restart(start_service: Callable[..., EmbeddedService]):
    service = start_service()
    assert wait_until(service, lambda condition: condition.phase == "ready")
    child = child_pid(service)
    assert child is not None
    service.stop()
    assert service.condition.phase == "stopped"
    assert child_pid(service) is None
    assert not Path(f"/proc/{child}").exists()


def test_a_service_process_that_ignores_the_stop_signal_is_killed(
    start_service: Callable[..., EmbeddedService], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("domain.runtime.embedded_service._STOP_SECONDS", 0.2)
    service = start_service(IGNORES_STOP)
    assert wait_until(service, lambda condition: condition.phase == "ready")
    service.stop()
    assert child_pid(service) is None


def test_the_database_is_in_the_data_directory_unless_another_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("MUSTER_SERVICE_DATABASE_URL", raising=False)
    settings = Settings(data_dir=tmp_path)
    assert environment(settings)["MUSTER_SERVICE_DATABASE_URL"] == f"sqlite:///{tmp_path / 'service.sqlite'}"
    monkeypatch.setenv("MUSTER_SERVICE_DATABASE_URL", "sqlite:///elsewhere")
    assert environment(settings)["MUSTER_SERVICE_DATABASE_URL"] == "sqlite:///elsewhere"


def test_no_password_is_an_argument():
    assert not any("password" in argument for argument in serve_command(0))
    assert serve_command(8123)[-5:] == ["service", "serve", "--port", "8123", "--demo"]


def test_a_service_process_ends_when_its_parent_process_ends(tmp_path: Path):
    (tmp_path / "waits_for_ever.py").write_text("import signal\nprint('waiting', flush=True)\nsignal.pause()\n")
    child = subprocess.Popen(
        [sys.executable, "-m", "domain.runtime.ends_with_parent", "waits_for_ever"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"waiting\n"
        assert child.stdin is not None
        child.stdin.close()  # as the system does when a parent is killed
        assert child.wait(SECONDS) == -signal.SIGTERM


def test_every_user_of_the_demo_gets_a_separate_access_token(tmp_path: Path):
    shutil.copyfile(prepared_database(), tmp_path / "service.sqlite")
    server = Server(Settings(data_dir=tmp_path))
    token = server.demo_token(USERNAME) or ""
    assert jwt.decode(token, options={"verify_signature": False})["sub"] == USERNAME
    assert server.demo_token(USERNAME) == token
    assert server.demo_token("nobody") is None
