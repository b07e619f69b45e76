"""The supervisor of several workers: when it says that the service is ready, and who asks the workers."""

from __future__ import annotations

import threading

import pytest
from uvicorn.supervisors.multiprocess import Process

from service.serving import AnnouncingSupervisor, configuration, listening_socket


class Worker(Process):
    """One that is alive, is ready once it is told so, and keeps which threads asked."""

    def __init__(self) -> None:
        self.started, self.asked_by = False, set[str]()

    def _healthcheck(self, timeout: float) -> bool | None:
        assert timeout > 0
        self.asked_by.add(threading.current_thread().name)
        return self.started

    def is_alive(self, timeout: float = 5) -> bool:
        return self.ping(timeout)


@pytest.fixture
def announced() -> list[str]:
    return []


@pytest.fixture
def supervisor(monkeypatch: pytest.MonkeyPatch, announced: list[str]) -> AnnouncingSupervisor:
    monkeypatch.setattr("signal.signal", lambda *_: None)
    with listening_socket("127.0.0.1", 0) as listener:
        supervisor = AnnouncingSupervisor(
            configuration("none:needed", workers=2), listener, lambda: announced.append("ready")
        )
    supervisor.processes = [Worker(), Worker()]
    return supervisor


def test_the_service_is_ready_once_all_workers_are_and_reports_it_once(
    supervisor: AnnouncingSupervisor, announced: list[str]
) -> None:
    first, second = supervisor.processes
    for ready, said in ([], []), ([first], []), ([first, second], ["ready"]), ([first, second], ["ready"]):
        for worker in ready:
            worker.started = True  # type: ignore[attr-defined]
        supervisor.keep_subprocess_alive()
        assert announced == said


def test_only_the_supervising_thread_queries_the_workers(
    supervisor: AnnouncingSupervisor, announced: list[str]
) -> None:
    """Two threads would read each other's replies, and the service would never become ready."""
    supervisor.init_processes = lambda: None  # type: ignore[method-assign]
    supervisor.terminate_all = supervisor.join_all = lambda: None  # type: ignore[method-assign]
    for worker in supervisor.processes:
        worker.started = True  # type: ignore[attr-defined]
    watching = threading.Thread(target=supervisor.run, name="watching")
    watching.start()
    while not announced:
        watching.join(0.01)
    supervisor.should_exit.set()
    watching.join()
    assert [worker.asked_by for worker in supervisor.processes] == [{"watching"}] * 2  # type: ignore[attr-defined]
