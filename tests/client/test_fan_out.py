"""Fan-out: limited width, lazy, complete, and ended when its consumer stops."""

import gc
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client import fan_out
from client.clock import SystemClock


def fan_out_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("fan-out")]


@given(items=st.lists(st.integers(), max_size=60), width=st.integers(1, 20))
def test_every_item_is_returned_once(items: list[int], width: int) -> None:
    outcomes = list(fan_out(lambda item: item * 2, items, width=width))
    assert sorted(outcome.item for outcome in outcomes) == sorted(items)
    assert all(outcome.result() == outcome.item * 2 for outcome in outcomes)
    assert not fan_out_threads()


def test_no_more_items_than_the_width_run_at_a_time() -> None:
    running = 0
    most = 0
    lock = threading.Lock()
    barrier = threading.Barrier(4)

    def call(item: int) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        barrier.wait(60)
        with lock:
            running -= 1

    assert len(list(fan_out(call, iter(range(40)), width=4))) == 40
    assert most == 4


def test_results_are_yielded_as_they_complete() -> None:
    first_may_end = threading.Event()

    def call(item: int) -> int:
        if item == 0:
            assert first_may_end.wait(60)
        return item

    results = []
    for outcome in fan_out(call, range(5), width=2):
        results.append(outcome.item)
        if len(results) == 4:
            first_may_end.set()
    assert results[-1] == 0
    assert sorted(results) == [0, 1, 2, 3, 4]


def test_an_error_belongs_to_its_item_only() -> None:
    def call(item: int) -> int:
        if item == 3:
            raise LookupError("three")
        return item

    outcomes = {outcome.item: outcome for outcome in fan_out(call, range(6))}
    assert isinstance(outcomes[3].error, LookupError)
    assert not outcomes[3].succeeded
    with pytest.raises(LookupError):
        outcomes[3].result()
    assert [outcomes[item].value for item in (0, 1, 2, 4, 5)] == [0, 1, 2, 4, 5]


def test_items_are_consumed_as_needed_and_not_after_the_consumer_stops() -> None:
    consumed = []

    def endless() -> Iterator[int]:
        number = 0
        while True:
            consumed.append(number)
            yield number
            number += 1

    outcomes = fan_out(lambda item: item, endless(), width=3)
    for _ in range(10):
        next(outcomes)
    outcomes.close()  # type: ignore[attr-defined]
    consumed_at_the_end = len(consumed)
    assert consumed_at_the_end <= 10 + 3 * 4 + 3
    assert not fan_out_threads()
    assert len(consumed) == consumed_at_the_end


def test_no_item_starts_before_a_result_is_requested() -> None:
    calls = []
    outcomes = fan_out(calls.append, [1, 2, 3])
    assert not calls
    assert not fan_out_threads()
    del outcomes
    gc.collect()
    assert not calls


def test_a_consumer_that_raises_leaves_no_thread_running() -> None:
    def consume() -> None:
        for _ in fan_out(lambda item: item, range(100), width=8):
            raise KeyError("stop")

    with pytest.raises(KeyError):
        consume()
    gc.collect()
    assert not fan_out_threads()


def test_waits_end_when_the_consumer_stops() -> None:
    clock = SystemClock()
    waiting = threading.Event()

    def call(item: int) -> int:
        if item:
            waiting.set()
            clock.sleep(600)
        return item

    outcomes = fan_out(call, range(5), width=2)
    next(outcomes)
    assert waiting.wait(60)
    began = time.monotonic()
    outcomes.close()  # type: ignore[attr-defined]
    assert time.monotonic() - began < 60
    assert not fan_out_threads()


def test_an_error_of_the_items_is_raised() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise OSError("unreadable")

    results = []
    with pytest.raises(OSError, match="unreadable"):
        results.extend(fan_out(lambda item: item, items(), width=2))
    assert not fan_out_threads()


def test_a_width_below_one_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="width"):
        fan_out(print, [1], width=0)


def test_an_empty_fan_out_needs_no_threads() -> None:
    assert list(fan_out(print, [])) == []
