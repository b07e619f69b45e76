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


def build_workspace(fingerprint: str = "one") -> Any:
    """Return the parts of a workspace that the reads use."""
    nothing: Any = None
    connection: Any = SimpleNamespace(
        fingerprint=fingerprint,
        fingerprint_with_token=f"{fingerprint} with a token",
        organization_fingerprint="everyone",
    )
    return Workspace(nothing, connection, nothing, nothing, "", is_demo=False)


class Answers:
    """A read that returns these answers in order and counts its calls."""

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)
        self.count = 0

    def __call__(self, _: Callable[[int, int | None], None]) -> Any:
        answer = self._answers[min(self.count, len(self._answers) - 1)]
        self.count += 1
        if isinstance(answer, Exception):
            raise answer
        return answer


def read_names(reads: BackgroundReads, workspace: Any, answers: Answers, *, max_age: timedelta = LONG) -> Any:
    result = reads.open(workspace, ("names", "events"), answers, max_age=max_age)
    assert result.wait(60)
    return result


def test_a_failed_read_is_logged_without_the_search_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    result = BackgroundReads().open(
        build_workspace(), ("asset-list", "Silva"), Answers(ConnectionFailed("Silva")), max_age=LONG
    )
    assert result.wait(60)
    assert "Reading asset-list failed: ConnectionFailed" in caplog.text
    assert "Silva" not in caplog.text + result._name


def test_a_value_is_used_until_it_is_too_old() -> None:
    reads, workspace, answers = BackgroundReads(), build_workspace(), Answers(1, 2)
    assert [read_names(reads, workspace, answers).value for _ in range(3)] == [1, 1, 1]
    assert read_names(reads, workspace, answers, max_age=LONG).value == 1
    young = reads.open(workspace, ("young",), answers, max_age=timedelta(0))
    assert young.wait(60)
    assert young.value == 2
    young.start()
    assert young.wait(60)
    assert answers.count == 3


def test_an_invalidated_value_stays_until_the_next_request_reads_it_again() -> None:
    reads, workspace, answers = BackgroundReads(), build_workspace(), Answers(1, 2)
    result = read_names(reads, workspace, answers)
    reads.invalidate("names")
    assert (result.value, answers.count) == (1, 1)
    assert read_names(reads, workspace, answers).value == 2
    reads.invalidate("others")
    assert read_names(reads, workspace, answers).value == 2


def test_a_read_that_began_before_a_change_is_repeated() -> None:
    """The service may have answered before the change."""
    may_finish = threading.Event()
    values: list[int] = []

    def read_slowly(_: Any) -> int:
        assert may_finish.wait(60)
        values.append(len(values) + 1)
        return values[-1]

    reads, workspace = BackgroundReads(), build_workspace()
    result = reads.open(workspace, ("names",), read_slowly, max_age=LONG)
    assert not result.wait(0)
    reads.invalidate("names")
    may_finish.set()
    assert result.wait(60)
    result = reads.open(workspace, ("names",), read_slowly, max_age=LONG)
    assert result.wait(60)
    assert result.value == 2


def test_a_failed_read_keeps_the_last_value_and_its_error_until_the_next_read() -> None:
    gone = OSError("gone")
    reads, workspace, answers = BackgroundReads(), build_workspace(), Answers(1, gone, 3)
    read_names(reads, workspace, answers)
    reads.invalidate("names")
    result = read_names(reads, workspace, answers)
    assert (result.value, result.now.error) == (1, gone)
    assert read_names(reads, workspace, answers).now.error is gone
    result.restart(10)
    assert (result.value, result.now.error) == (3, None)


def test_simultaneous_requests_share_one_read_with_its_progress() -> None:
    may_finish, has_reported = threading.Event(), threading.Event()
    count = []

    def read_slowly(tell: Callable[[int, int | None], None]) -> str:
        count.append(1)
        tell(100, 1200)
        has_reported.set()
        assert may_finish.wait(60)
        return "all"

    reads, workspace = BackgroundReads(), build_workspace()
    for _ in range(3):
        result = reads.open(workspace, ("list",), read_slowly, max_age=LONG)
    assert has_reported.wait(60)
    assert (result.now.done, result.now.total, result.now.is_running) == (100, 1200, True)
    may_finish.set()
    assert result.wait(60)
    assert (result.value, len(count)) == ("all", 1)


def test_connections_share_no_data_and_removing_one_removes_its_data() -> None:
    reads, workspace, other = BackgroundReads(), build_workspace("one"), build_workspace("two")
    assert read_names(reads, workspace, Answers("mine")).value == "mine"
    assert read_names(reads, other, Answers("theirs")).value == "theirs"
    assert reads.find(other, "names", "events").value == "theirs"  # type: ignore[union-attr]
    reads.remove("two")
    assert reads.find(other, "names", "events") is None
    assert len(reads) == 1


def test_unused_data_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The most recently used data stays."""
    monkeypatch.setattr(background, "MAX_STORED", 2)
    reads, workspace = BackgroundReads(), build_workspace()
    for name in ("a", "b", "a", "c"):
        assert reads.open(workspace, (name,), Answers(name), max_age=LONG).wait(60)
    assert [reads.find(workspace, name) is not None for name in "abc"] == [True, False, True]


def test_a_read_has_its_time() -> None:
    before = datetime.now(UTC)
    result = read_names(BackgroundReads(), build_workspace(), Answers(1))
    assert before <= result.now.read_at <= datetime.now(UTC)


def test_a_clock_set_back_extends_neither_the_age_limit_nor_the_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_finish, waited = threading.Event(), []
    reads, workspace, answers = BackgroundReads(), build_workspace(), Answers(1, 2)
    result = read_names(reads, workspace, answers, max_age=timedelta(0))
    running = get_roster_read(reads, workspace, 1, lambda _: may_finish.wait(60))
    running.start()
    yesterday = datetime.now(UTC) - timedelta(days=1)
    monkeypatch.setattr(background, "datetime", SimpleNamespace(now=lambda _: yesterday))
    result.start()
    assert result.wait(60)
    assert result.value == 2
    with monkeypatch.context() as watched:
        watched.setattr(running, "_ended", SimpleNamespace(wait=waited.append))
        running.wait(3.0, since_it_began=True)
    assert waited[0] <= 3.0
    may_finish.set()
    assert running.wait(60)


def get_roster_read(reads: BackgroundReads, workspace: Any, roster_id: int, answers: Any = None) -> Any:
    """Return the stored data of a roster without starting a read."""
    name = ("roster", roster_id)
    return reads.get_or_create(
        workspace, name, lambda: BackgroundRead("", answers or Answers(1), LONG), of_organization=True, at_most=3
    )


def test_the_people_of_an_organization_share_a_roster_that_stays_until_the_last_of_them_signs_out() -> None:
    reads, people = BackgroundReads(), [build_workspace(f"person {number}") for number in range(50)]
    load = get_roster_read(reads, people[0], 1)
    assert all(get_roster_read(reads, person, 1) is load for person in people)
    stranger = build_workspace("stranger")
    stranger.connection.organization_fingerprint = "other organization"
    assert get_roster_read(reads, stranger, 1) is not load
    reads.remove("person 0")
    assert reads.find(people[1], "roster", 1, of_organization=True) is load
    reads.remove("everyone")
    assert load._stopped.is_set()
    assert len(reads) == 1


def test_the_least_recently_requested_data_is_removed_unless_it_is_being_read() -> None:
    reads, workspace, may_finish = BackgroundReads(), build_workspace(), threading.Event()
    running = get_roster_read(reads, workspace, 1, lambda _: may_finish.wait(60))
    running.start()
    rest = [get_roster_read(reads, workspace, number) for number in (2, 3, 4, 5)]
    assert len(reads) == 4
    assert get_roster_read(reads, workspace, 1) is running
    assert get_roster_read(reads, workspace, 3) is rest[1]
    assert get_roster_read(reads, workspace, 2) is not rest[0]
    may_finish.set()
    assert running.wait(60)


def test_reads_stop_when_their_connection_is_removed_and_survive_a_new_access_token() -> None:
    reads, workspace = BackgroundReads(), build_workspace()
    load = get_roster_read(reads, workspace, 1)
    read_names(reads, workspace, Answers(1))
    workspace.connection.fingerprint_with_token = "another token"
    assert get_roster_read(reads, workspace, 1) is load
    running = read_names(reads, workspace, Answers(1))
    reads.remove("one")
    assert running._stopped.is_set()
    assert not load._stopped.is_set()
