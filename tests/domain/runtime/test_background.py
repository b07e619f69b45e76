"""Background reads: made once, shown during a new read, retained after a failure, removed at the end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from client import ConnectionFailed
from domain.runtime import background
from domain.runtime.background import BackgroundRead, BackgroundReads
from domain.runtime.workspace import Workspace

LONG = timedelta(minutes=2)


def workspace(fingerprint: str = "one") -> Any:
    """As much of a workspace as is asked for."""
    nothing: Any = None
    connection: Any = SimpleNamespace(fingerprint=fingerprint, fingerprint_with_token=f"{fingerprint} with a token")
    return Workspace(nothing, connection, nothing, nothing, "", is_demo=False)


class Answers:
    """Reads that give these answers, one after the other, and count themselves."""

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)
        self.count = 0

    def __call__(self, _: Callable[[int, int | None], None]) -> Any:
        answer = self._answers[min(self.count, len(self._answers) - 1)]
        self.count += 1
        if isinstance(answer, Exception):
            raise answer
        return answer


def read(reads: BackgroundReads, here: Any, answers: Answers, *, max_age: timedelta = LONG) -> Any:
    held = reads.open(here, ("names", "events"), answers, max_age=max_age)
    assert held.wait(60)
    return held


def test_a_failed_read_is_logged_without_the_search_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    held = BackgroundReads().open(
        workspace(), ("asset-list", "Silva"), Answers(ConnectionFailed("Silva")), max_age=LONG
    )
    assert held.wait(60)
    assert "Reading asset-list failed: ConnectionFailed" in caplog.text
    assert "Silva" not in caplog.text + held._name


def test_a_value_is_used_until_it_is_too_old() -> None:
    reads, here, answers = BackgroundReads(), workspace(), Answers(1, 2)
    assert [read(reads, here, answers).value for _ in range(3)] == [1, 1, 1]
    assert read(reads, here, answers, max_age=LONG).value == 1
    young = reads.open(here, ("young",), answers, max_age=timedelta(0))
    assert young.wait(60)
    assert young.value == 2
    young.start()
    assert young.wait(60)
    assert answers.count == 3


def test_an_invalidated_value_stays_until_the_next_request_reads_it_again() -> None:
    reads, here, answers = BackgroundReads(), workspace(), Answers(1, 2)
    held = read(reads, here, answers)
    reads.invalidate("names")
    assert (held.value, answers.count) == (1, 1)
    assert read(reads, here, answers).value == 2
    reads.invalidate("others")
    assert read(reads, here, answers).value == 2


def test_a_read_that_began_before_a_change_is_repeated() -> None:
    """The service may have answered before the change."""
    goes_on = threading.Event()
    found: list[int] = []

    def slowly(_: Any) -> int:
        assert goes_on.wait(60)
        found.append(len(found) + 1)
        return found[-1]

    reads, here = BackgroundReads(), workspace()
    held = reads.open(here, ("names",), slowly, max_age=LONG)
    assert not held.wait(0)
    reads.invalidate("names")
    goes_on.set()
    assert held.wait(60)
    held = reads.open(here, ("names",), slowly, max_age=LONG)
    assert held.wait(60)
    assert held.value == 2


def test_a_failed_read_keeps_the_last_value_and_its_error_until_the_next_read() -> None:
    gone = OSError("gone")
    reads, here, answers = BackgroundReads(), workspace(), Answers(1, gone, 3)
    read(reads, here, answers)
    reads.invalidate("names")
    held = read(reads, here, answers)
    assert (held.value, held.now.error) == (1, gone)
    assert read(reads, here, answers).now.error is gone
    held.restart(10)
    assert (held.value, held.now.error) == (3, None)


def test_simultaneous_requests_share_one_read_with_its_progress() -> None:
    goes_on, told = threading.Event(), threading.Event()
    count = []

    def slowly(tell: Callable[[int, int | None], None]) -> str:
        count.append(1)
        tell(100, 1200)
        told.set()
        assert goes_on.wait(60)
        return "all"

    reads, here = BackgroundReads(), workspace()
    for _ in range(3):
        held = reads.open(here, ("list",), slowly, max_age=LONG)
    assert told.wait(60)
    assert (held.now.done, held.now.total, held.now.is_running) == (100, 1200, True)
    goes_on.set()
    assert held.wait(60)
    assert (held.value, len(count)) == ("all", 1)


def test_connections_share_no_data_and_removing_one_removes_its_data() -> None:
    reads, here, there = BackgroundReads(), workspace("one"), workspace("two")
    assert read(reads, here, Answers("mine")).value == "mine"
    assert read(reads, there, Answers("theirs")).value == "theirs"
    assert reads.find(there, "names", "events").value == "theirs"  # type: ignore[union-attr]
    reads.remove_connection("two")
    assert reads.find(there, "names", "events") is None
    assert len(reads) == 1


def test_unused_data_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The most recently used data stays."""
    monkeypatch.setattr(background, "MAX_STORED", 2)
    reads, here = BackgroundReads(), workspace()
    for name in ("a", "b", "a", "c"):
        assert reads.open(here, (name,), Answers(name), max_age=LONG).wait(60)
    assert [reads.find(here, name) is not None for name in "abc"] == [True, False, True]


def test_a_read_has_its_time() -> None:
    before = datetime.now(UTC)
    held = read(BackgroundReads(), workspace(), Answers(1))
    assert before <= held.now.read_at <= datetime.now(UTC)


def test_a_clock_set_back_extends_neither_the_age_limit_nor_the_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    goes_on, waited = threading.Event(), []
    reads, here, answers = BackgroundReads(), workspace(), Answers(1, 2)
    held = read(reads, here, answers, max_age=timedelta(0))
    running = kept(reads, here, 1, lambda _: goes_on.wait(60))
    running.start()
    yesterday = datetime.now(UTC) - timedelta(days=1)
    monkeypatch.setattr(background, "datetime", SimpleNamespace(now=lambda _: yesterday))
    held.start()
    assert held.wait(60)
    assert held.value == 2
    with monkeypatch.context() as watched:
        watched.setattr(running, "_ended", SimpleNamespace(wait=waited.append))
        running.wait(3.0, since_it_began=True)
    assert waited[0] <= 3.0
    goes_on.set()
    assert running.wait(60)


def kept(reads: BackgroundReads, here: Any, roster_id: int, answers: Any = None) -> Any:
    """The stored data of a roster, without a requested read."""
    name = ("roster", roster_id)
    return reads.get_or_create(
        here, name, lambda: BackgroundRead("", answers or Answers(1), LONG), with_token=False, at_most=3
    )


def test_many_people_do_not_remove_the_data_of_each_other() -> None:
    reads, people = BackgroundReads(), [workspace(f"person {number}") for number in range(50)]
    made = [kept(reads, person, 1) for person in people]
    assert [kept(reads, person, 1) for person in people] == made
    assert len({id(each) for each in made}) == len(people)


def test_the_least_recently_requested_data_is_removed_unless_it_is_being_read() -> None:
    reads, here, goes_on = BackgroundReads(), workspace(), threading.Event()
    running = kept(reads, here, 1, lambda _: goes_on.wait(60))
    running.start()
    rest = [kept(reads, here, number) for number in (2, 3, 4, 5)]
    assert len(reads) == 4
    assert kept(reads, here, 1) is running
    assert kept(reads, here, 3) is rest[1]
    assert kept(reads, here, 2) is not rest[0]
    goes_on.set()
    assert running.wait(60)


def test_reads_stop_when_their_connection_is_removed_and_survive_a_new_access_token() -> None:
    reads, here = BackgroundReads(), workspace()
    load = kept(reads, here, 1)
    read(reads, here, Answers(1))
    here.connection.fingerprint_with_token = "another token"
    assert kept(reads, here, 1) is load
    reads.remove_connection("one")
    assert load._stopped.is_set()
    assert len(reads) == 0
