"""Calls that change something start once for any number of clicks and report once to each tab."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from client import NotFound
from domain.runtime.calls import UNDELIVERED_SECONDS, Calls
from journal import Actor

ANA = Actor("a service", 8800, "ana")
BEN = Actor("a service", 8800, "ben")


class Clock:
    """A clock that is put forward by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


class CallRunner:
    """Runs calls of one kind and counts them. Each call waits for the event `may_finish`."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.calls = Calls(clock=self.clock)
        self.may_finish = threading.Event()
        self.count = 0
        self.open_tabs = {"a tab", "another tab"}
        self.error: Exception | None = None

    def work(self) -> str:
        """Wait for the event, then return a value or raise the error."""
        assert self.may_finish.wait(30)
        self.count += 1
        if self.error is not None:
            raise self.error
        return f"made {self.count}"

    def press(self, tab: str = "a tab", owner: Actor = ANA, subject: str = "trip 1") -> None:
        """Select the button in a tab."""
        self.calls.start(owner, "send", subject, self.work, label="sending", then=lambda end: None, tab=tab)

    def deliver(self, tab: str, owner: Actor = ANA) -> list[Any]:
        """Return the results that this tab gets in a completed run."""
        results = [end.error or end.value for _, end in self.calls.deliver(owner, tab, self.open_tabs.__contains__)]
        self.calls.mark_drawn(tab)
        return results


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> Iterator[CallRunner]:
    """Calls whose runs do not wait for a result."""
    monkeypatch.setattr(Calls, "patience", 0.0)
    runner = CallRunner()
    yield runner
    runner.may_finish.set()
    runner.calls.wait_for_all()


@pytest.fixture
def finish(runner: CallRunner) -> Callable[[], None]:
    """Let the calls finish."""

    def finish_calls() -> None:
        runner.may_finish.set()
        runner.calls.wait_for_all()

    return finish_calls


def test_the_run_that_starts_a_call_waits_briefly_for_its_result(
    runner: CallRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Calls, "patience", 30.0)
    runner.may_finish.set()
    runner.press()
    assert runner.deliver("a tab") == ["made 1"]


def test_a_second_click_during_a_call_starts_no_second_call(runner: CallRunner, finish: Callable[[], None]) -> None:
    runner.press()
    runner.press()
    assert runner.calls.running(ANA, "send", "trip 1")
    assert runner.deliver("a tab") == []
    finish()
    assert runner.deliver("a tab") == ["made 1"]
    assert runner.deliver("a tab") == []
    assert runner.calls.running(ANA) == []


def test_a_double_click_shortly_after_the_result_starts_no_second_call(
    runner: CallRunner, finish: Callable[[], None]
) -> None:
    runner.press()
    finish()
    assert runner.deliver("a tab") == ["made 1"]
    runner.clock.now += runner.calls.repeat_seconds / 2
    assert runner.calls.is_pending(ANA, "send", "trip 1", tab="a tab")
    runner.press()
    assert runner.deliver("a tab") == []
    runner.clock.now += runner.calls.repeat_seconds
    assert not runner.calls.is_pending(ANA, "send", "trip 1", tab="a tab")
    runner.press()
    finish()
    assert runner.deliver("a tab") == ["made 2"]


def test_clicks_before_the_result_is_drawn_start_no_second_call(runner: CallRunner, finish: Callable[[], None]) -> None:
    runner.press()
    finish()
    assert [result.value for _, result in runner.calls.deliver(ANA, "a tab", bool)] == ["made 1"]
    runner.clock.now += 60
    runner.press()
    assert runner.deliver("a tab") == []
    assert runner.count == 1


def test_a_result_is_reported_again_if_the_run_that_reported_it_was_interrupted(
    runner: CallRunner, finish: Callable[[], None]
) -> None:
    runner.press()
    finish()

    delivery = runner.calls.deliver(ANA, "a tab", runner.open_tabs.__contains__)
    assert [next(delivery)[1].value] == ["made 1"]
    delivery.close()
    assert runner.deliver("a tab") == ["made 1"]


def test_each_tab_that_started_a_call_gets_its_result_once_and_no_other_tab_does(
    runner: CallRunner, finish: Callable[[], None]
) -> None:
    runner.open_tabs.add("a third tab")
    runner.press("a tab")
    runner.press("another tab")
    finish()
    assert runner.deliver("a third tab") == []
    assert [runner.deliver("a tab"), runner.deliver("another tab"), runner.deliver("a third tab")] == [
        ["made 1"],
        ["made 1"],
        [],
    ]


def test_another_tab_of_the_person_gets_the_result_of_a_closed_tab(
    runner: CallRunner, finish: Callable[[], None]
) -> None:
    runner.press("a tab")
    finish()
    runner.open_tabs.remove("a tab")
    assert runner.deliver("another tab", BEN) == []
    assert runner.deliver("another tab") == ["made 1"]
    assert runner.deliver("another tab") == []


def test_a_result_delivered_for_a_closed_tab_does_not_block_a_later_call(
    runner: CallRunner, finish: Callable[[], None]
) -> None:
    runner.press("a tab")
    finish()
    runner.open_tabs.remove("a tab")
    assert runner.deliver("another tab") == ["made 1"]
    runner.press("a third tab")
    finish()
    assert runner.deliver("a third tab") == ["made 2"]


def test_an_error_of_a_call_is_reported_unchanged(runner: CallRunner, finish: Callable[[], None]) -> None:
    runner.error = NotFound("It is gone.", status=404)
    runner.press()
    finish()
    assert runner.deliver("a tab") == [runner.error]


def test_calls_for_other_subjects_or_other_people_run_in_parallel(
    runner: CallRunner, finish: Callable[[], None]
) -> None:
    runner.press()
    runner.press(subject="trip 2")
    runner.press(owner=BEN)
    finish()
    assert runner.count == 3
    assert sorted(runner.deliver("a tab")) != runner.deliver("a tab", BEN)


def test_an_unexpected_error_is_reported_and_logged(
    runner: CallRunner, finish: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    runner.error = ValueError("what is this")
    runner.press()
    finish()
    assert runner.deliver("a tab") == [runner.error]
    assert "unexpected error" in caplog.text


def test_an_undelivered_result_is_removed_after_a_while(runner: CallRunner, finish: Callable[[], None]) -> None:
    runner.press()
    finish()
    runner.clock.now += UNDELIVERED_SECONDS + 1
    runner.press(subject="trip 2")
    runner.calls.wait_for_all()
    assert runner.deliver("a tab") == ["made 2"]
