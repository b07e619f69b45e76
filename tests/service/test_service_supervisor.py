"""The supervisor of several workers: when it reports that the service is ready, and who checks the workers."""

from __future__ import annotations

import threading

import pytest
from uvicorn.supervisors.multiprocess import Process

from service.serving import AnnouncingSupervisor, configuration, listening_socket


class Worker(Process):
    """A worker that is alive, is ready once `started` is set, and records the threads that check it."""

    def __init__(self) -> None:
        self.started, self.checking_threads = False, set[str]()

    def _healthcheck(self, timeout: float) -> bool | None:
        assert timeout > 0
        self.checking_threads.add(threading.current_thread().name)
        return self.started

    def is_alive(self, timeout: float = 5) -> bool:
        return self.ping(timeout)


@pytest.fixture
def announcements() -> list[str]:
    return []


@pytest.fixture
def supervisor(monkeypatch: pytest.MonkeyPatch, announcements: list[str]) -> AnnouncingSupervisor:
    monkeypatch.setattr("signal.signal", lambda *_: None)
    with listening_socket("127.0.0.1", 0) as listener:
        supervisor = AnnouncingSupervisor(
            configuration("none:needed", workers=2), listener, lambda: announcements.append("ready")
        )
    supervisor.processes = [Worker(), Worker()]
    return supervisor


def test_the_service_is_ready_once_all_workers_are_and_reports_it_once(
    supervisor: AnnouncingSupervisor, announcements: list[str]
) -> None:
    first, second = supervisor.processes
    for ready, expected in ([], []), ([first], []), ([first, second], ["ready"]), ([first, second], ["ready"]):
        for worker in ready:
            worker.started = True  # type: ignore[attr-defined]
        supervisor.keep_subprocess_alive()
        assert announcements == expected


def test_only_the_supervising_thread_queries_the_workers(
    supervisor: AnnouncingSupervisor, announcements: list[str]
) -> None:
    """Two threads would read each other's replies, and the service would never become ready."""
    supervisor.init_processes = lambda: None  # type: ignore[method-assign]
    supervisor.terminate_all = supervisor.join_all = lambda: None  # type: ignore[method-assign]
    for worker in supervisor.processes:
        worker.started = True  # type: ignore[attr-defined]
    watching = threading.Thread(target=supervisor.run, name="watching")
    watching.start()
    while not announcements:
        watching.join(0.01)
    supervisor.should_exit.set()
    watching.join()
    assert [worker.checking_threads for worker in supervisor.processes] == [{"watching"}] * 2  # type: ignore[attr-defined]
