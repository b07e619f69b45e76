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


class Desk:
    """Calls of one kind, counted. Each waits for the event `goes`."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.calls = Calls(clock=self.clock)
        self.goes = threading.Event()
        self.made = 0
        self.open = {"a tab", "another tab"}
        self.error: Exception | None = None

    def work(self) -> str:
        """Wait for the event, then return a value or raise the error."""
        assert self.goes.wait(30)
        self.made += 1
        if self.error is not None:
            raise self.error
        return f"made {self.made}"

    def press(self, tab: str = "a tab", owner: Actor = ANA, subject: str = "trip 1") -> None:
        """Select the button in a tab."""
        self.calls.start(owner, "send", subject, self.work, label="sending", then=lambda end: None, tab=tab)

    def told(self, tab: str, owner: Actor = ANA) -> list[Any]:
        """The results that this tab gets in a completed run."""
        said = [end.error or end.value for _, end in self.calls.deliver(owner, tab, self.open.__contains__)]
        self.calls.mark_drawn(tab)
        return said


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """Calls whose runs do not wait for a result."""
    monkeypatch.setattr(Calls, "patience", 0.0)
    made = Desk()
    yield made
    made.goes.set()
    made.calls.wait_for_all()


@pytest.fixture
def end(desk: Desk) -> Callable[[], None]:
    """Let the calls finish."""

    def let_go() -> None:
        desk.goes.set()
        desk.calls.wait_for_all()

    return let_go


def test_the_run_that_starts_a_call_waits_briefly_for_its_result(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Calls, "patience", 30.0)
    desk.goes.set()
    desk.press()
    assert desk.told("a tab") == ["made 1"]


def test_a_second_click_during_a_call_starts_no_second_call(desk: Desk, end: Callable[[], None]) -> None:
    desk.press()
    desk.press()
    assert desk.calls.running(ANA, "send", "trip 1")
    assert desk.told("a tab") == []
    end()
    assert desk.told("a tab") == ["made 1"]
    assert desk.told("a tab") == []
    assert desk.calls.running(ANA) == []


def test_a_double_click_shortly_after_the_result_starts_no_second_call(desk: Desk, end: Callable[[], None]) -> None:
    desk.press()
    end()
    assert desk.told("a tab") == ["made 1"]
    desk.clock.now += desk.calls.repeat_seconds / 2
    assert desk.calls.is_pending(ANA, "send", "trip 1", tab="a tab")
    desk.press()
    assert desk.told("a tab") == []
    desk.clock.now += desk.calls.repeat_seconds
    assert not desk.calls.is_pending(ANA, "send", "trip 1", tab="a tab")
    desk.press()
    end()
    assert desk.told("a tab") == ["made 2"]


def test_clicks_before_the_result_is_drawn_start_no_second_call(desk: Desk, end: Callable[[], None]) -> None:
    desk.press()
    end()
    assert [told.value for _, told in desk.calls.deliver(ANA, "a tab", bool)] == ["made 1"]
    desk.clock.now += 60
    desk.press()
    assert desk.told("a tab") == []
    assert desk.made == 1


def test_a_result_is_reported_again_if_the_run_that_reported_it_was_interrupted(
    desk: Desk, end: Callable[[], None]
) -> None:
    desk.press()
    end()

    telling = desk.calls.deliver(ANA, "a tab", desk.open.__contains__)
    assert [next(telling)[1].value] == ["made 1"]
    telling.close()
    assert desk.told("a tab") == ["made 1"]


def test_each_tab_that_started_a_call_gets_its_result_once_and_no_other_tab_does(
    desk: Desk, end: Callable[[], None]
) -> None:
    desk.open.add("a third tab")
    desk.press("a tab")
    desk.press("another tab")
    end()
    assert desk.told("a third tab") == []
    assert [desk.told("a tab"), desk.told("another tab"), desk.told("a third tab")] == [["made 1"], ["made 1"], []]


def test_another_tab_of_the_person_gets_the_result_of_a_closed_tab(desk: Desk, end: Callable[[], None]) -> None:
    desk.press("a tab")
    end()
    desk.open.remove("a tab")
    assert desk.told("another tab", BEN) == []
    assert desk.told("another tab") == ["made 1"]
    assert desk.told("another tab") == []


def test_a_result_delivered_for_a_closed_tab_does_not_block_a_later_call(desk: Desk, end: Callable[[], None]) -> None:
    desk.press("a tab")
    end()
    desk.open.remove("a tab")
    assert desk.told("another tab") == ["made 1"]
    desk.press("a third tab")
    end()
    assert desk.told("a third tab") == ["made 2"]


def test_an_error_of_a_call_is_reported_unchanged(desk: Desk, end: Callable[[], None]) -> None:
    desk.error = NotFound("It is gone.", status=404)
    desk.press()
    end()
    assert desk.told("a tab") == [desk.error]


def test_calls_for_other_subjects_or_other_people_run_in_parallel(desk: Desk, end: Callable[[], None]) -> None:
    desk.press()
    desk.press(subject="trip 2")
    desk.press(owner=BEN)
    end()
    assert desk.made == 3
    assert sorted(desk.told("a tab")) != desk.told("a tab", BEN)


def test_an_unexpected_error_is_reported_and_logged(
    desk: Desk, end: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    desk.error = ValueError("what is this")
    desk.press()
    end()
    assert desk.told("a tab") == [desk.error]
    assert "unexpected error" in caplog.text


def test_an_undelivered_result_is_removed_after_a_while(desk: Desk, end: Callable[[], None]) -> None:
    desk.press()
    end()
    desk.clock.now += UNDELIVERED_SECONDS + 1
    desk.press(subject="trip 2")
    desk.calls.wait_for_all()
    assert desk.told("a tab") == ["made 2"]
