"""Run one call over many items at once, with bounded width."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sized
from contextvars import copy_context
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Generic, TypeVar, cast

from .clock import Interrupted, interrupted_by

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 4
"""The number of outcomes that a thread may be ahead of the consumer."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T, R]):
    """The result of one item: a value, or the error that its call raised."""

    item: T
    value: R | None = None
    error: Exception | None = None

    @property
    def succeeded(self) -> bool:
        """Return whether the call returned a value."""
        return self.error is None

    def result(self) -> R:
        """Return the value, or raise the error."""
        if self.error is not None:
            raise self.error
        return cast(R, self.value)


def fan_out(call: Callable[[T], R], items: Iterable[T], *, width: int = 16) -> Iterator[Outcome[T, R]]:
    """Call for every item, at most `width` at a time, and yield each outcome as it completes.

    Items are read as they are needed, so they may come from a generator. Nothing starts before the first outcome is
    requested. When the consumer stops (break, close, or an exception), no further item starts, waits for a retry or a
    rate limit end at once, and requests in flight are finished: no thread stays behind. An error of a call is an
    outcome. An error of `items` itself is raised after the outcomes before it.
    """
    if width < 1:
        raise ValueError("the width of a fan-out is at least 1")
    if isinstance(items, Sized):
        if not items:
            return iter(())
        width = min(width, len(items))
    return _run(call, items, width)


@dataclass(frozen=True, slots=True)
class _Broken:
    """The items could not be read, or a call raised an error that is not an outcome."""

    error: BaseException


class _Finished:
    """A thread has no more items."""


def _run(call: Callable[[T], R], items: Iterable[T], width: int) -> Iterator[Outcome[T, R]]:
    stop = threading.Event()
    room = threading.Semaphore(width * _AHEAD)
    results: SimpleQueue[Outcome[T, R] | _Broken | _Finished] = SimpleQueue()
    source = iter(items)
    source_lock = threading.Lock()

    def work() -> None:
        with interrupted_by(stop):
            try:
                while not stop.is_set():
                    room.acquire()
                    with source_lock:
                        if stop.is_set():
                            return
                        item = next(source)
                    results.put(_attempt(call, item))
            except StopIteration:
                return
            except BaseException as error:  # noqa: BLE001 - handed to the consumer, who raises it
                results.put(_Broken(error))
            finally:
                results.put(_Finished())

    threads = [
        threading.Thread(target=copy_context().run, args=(work,), name=f"fan-out-{number}", daemon=True)
        for number in range(width)
    ]
    try:
        for thread in threads:
            thread.start()
        running = width
        broken: BaseException | None = None
        while running:
            result = results.get()
            if isinstance(result, _Finished):
                running -= 1
                # Wake other waiting threads, so they see that the items are exhausted.
                room.release()
            elif isinstance(result, _Broken):
                broken = broken or result.error
                stop.set()
                room.release(width)
            else:
                if not isinstance(result.error, Interrupted):
                    yield result
                room.release()
        if broken is not None:
            raise broken
    finally:
        stop.set()
        room.release(width)
        for thread in threads:
            if thread.ident is not None:
                thread.join()


def _attempt(call: Callable[[T], R], item: T) -> Outcome[T, R]:
    try:
        return Outcome(item, value=call(item))
    except Exception as error:  # noqa: BLE001 - an outcome, judged by whoever asked
        return Outcome(item, error=error)
