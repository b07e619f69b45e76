"""Calls that change something, each in a worker thread: a second click, a refresh, or a closed tab does not end one.

One process has one registry. The end of a call is delivered to the tabs that started it. If they are all closed, it is
delivered to the next run of the same user. This module and the called functions know nothing of Streamlit.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from client import ServiceError
from domain.runtime.problems import NotSentError
from journal import Actor, JournalError

MAX_WORKERS: Final = 64
"""How many calls run at the same time. Others wait."""
UNDELIVERED_SECONDS: Final = 3600.0
"""How long the end of a call waits for a tab."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class End:
    """The result of a call, or the error it ended with."""

    value: Any
    error: Exception | None
    is_here: bool
    """Whether the end is delivered on the page that started the call."""


@dataclass(eq=False)
class Call:
    """A call that a user started, and the tabs that its end is delivered to."""

    owner: Actor
    kind: str
    subject: str
    label: str
    """The name of the record in messages."""
    page: str
    then: Callable[[End], None]
    """Handles the end in a run of the user. It must be able to run twice, since a run can be cut off."""
    future: Future[Any]
    waiting: set[str] = field(default_factory=set)
    """The tabs that the end is still to be delivered to."""
    shown_at: dict[str, float] = field(default_factory=dict)
    """When the end was drawn in each tab it was delivered to; infinity until it is drawn."""
    ended_at: float = math.inf


class Calls:
    """The calls that run, and those whose end is not delivered yet. Thread-safe."""

    patience: float = 0.5
    """How many seconds a run waits for the end of the call it started, so that most changes show no progress."""
    repeat_seconds: float = 1.0
    """How long after its end was drawn a press still counts as the second one of a double click."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._calls: list[Call] = []
        self._workers = ThreadPoolExecutor(MAX_WORKERS, thread_name_prefix="change")

    def start(
        self,
        owner: Actor,
        kind: str,
        subject: str,
        work: Callable[[], Any],
        *,
        label: str,
        then: Callable[[End], None],
        tab: str,
        page: str = "",
    ) -> Call:
        """Start the work and wait a moment for its end. A call that is pending for the same subject is joined."""
        with self._lock:
            self._drop_delivered()
            call = next((each for each in self._of(owner, kind, subject) if self._is_joined(each, tab)), None)
            if call is None:
                call = Call(owner, kind, subject, label, page, then, self._workers.submit(_carry_out, kind, work))
                call.future.add_done_callback(partial(self._note_end, call))
                self._calls.append(call)
            if tab not in call.shown_at:
                call.waiting.add(tab)
        wait([call.future], self.patience)
        return call

    def is_pending(self, owner: Actor, kind: str, subject: str | None, *, tab: str) -> bool:
        """Return whether the tab started such a call and has not drawn its end yet, or only just."""
        with self._lock:
            return any(tab in each.waiting or self._is_just_shown(each, tab) for each in self._of(owner, kind, subject))

    def running(self, owner: Actor, kind: str | None = None, subject: str | None = None) -> list[Call]:
        """Return the user's calls that have not ended, optionally only of a kind or about a subject."""
        with self._lock:
            return [call for call in self._of(owner, kind, subject) if not call.future.done()]

    def deliver(self, owner: Actor, tab: str, is_open: Callable[[str], bool]) -> Iterator[tuple[Call, End]]:
        """Yield the ends for this tab. An end is delivered when the next one is requested, so that none is lost."""
        with self._lock:
            ended = [
                call
                for call in self._of(owner)
                if call.future.done()
                and (tab in call.waiting or not (call.shown_at or any(is_open(each) for each in call.waiting)))
            ]
        for call in ended:
            error = call.future.exception()
            if error is not None and not isinstance(error, Exception):
                error = RuntimeError(repr(error))
            yield call, End(None if error else call.future.result(), error, False)
            with self._lock:
                call.waiting.discard(tab)
                call.shown_at[tab] = math.inf

    def mark_drawn(self, tab: str) -> None:
        """Note that what was delivered to this tab has been drawn."""
        with self._lock:
            for call in self._calls:
                if call.shown_at.get(tab) == math.inf:
                    call.shown_at[tab] = self._clock()

    def wait_for_all(self) -> None:
        """Wait until no call runs."""
        with self._lock:
            futures = [call.future for call in self._calls]
        wait(futures)

    def _of(self, owner: Actor, kind: str | None = None, subject: str | None = None) -> list[Call]:
        return [
            call
            for call in self._calls
            if call.owner == owner and kind in (None, call.kind) and subject in (None, call.subject)
        ]

    def _is_joined(self, call: Call, tab: str) -> bool:
        return not call.future.done() or not call.shown_at or tab in call.waiting or self._is_just_shown(call, tab)

    def _is_just_shown(self, call: Call, tab: str) -> bool:
        return self._clock() - call.shown_at.get(tab, -math.inf) < self.repeat_seconds

    def _note_end(self, call: Call, _: Future[Any]) -> None:
        call.ended_at = self._clock()

    def _drop_delivered(self) -> None:
        now = self._clock()
        self._calls = [
            call
            for call in self._calls
            if now - call.ended_at <= UNDELIVERED_SECONDS
            and (call.waiting or not call.shown_at or any(self._is_just_shown(call, tab) for tab in call.shown_at))
        ]


def _carry_out(kind: str, work: Callable[[], Any]) -> Any:
    try:
        return work()
    except (ServiceError, JournalError, NotSentError):
        raise
    except Exception:
        _log.exception("The call %s failed with an unexpected error.", kind)
        raise
