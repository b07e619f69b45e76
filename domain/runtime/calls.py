"""Calls that change something, each in a thread of its own: no second click, refresh, closed tab or sign-out ends one.

The registry of one process. What a call gave or raised is told to whoever pressed for it, in a run of theirs; where
none of their tabs is open any more, to the next run of the same person. No Streamlit here, and none in what is called.
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

AT_ONCE: Final = 64
"""How many calls run at the same time; the next one waits for its turn."""
KEPT_SECONDS: Final = 3600.0
"""How long an end that nobody took is kept."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class End:
    """What a call gave, or the error it ended with; `is_here` where it is told on the page it was begun on."""

    value: Any
    error: Exception | None
    is_here: bool


@dataclass(eq=False)
class Call:
    """A call of a person: of what kind, about what, and who is still to be told of its end.

    `label` names the record in messages. `then` takes its end in a run of the person. A run can be cut off in the
    middle of that, and is then followed by another that does it again: `then` must be able to run twice.
    """

    owner: Actor
    kind: str
    subject: str
    label: str
    page: str
    then: Callable[[End], None]
    future: Future[Any]
    waiting: set[str] = field(default_factory=set)
    told: dict[str, float] = field(default_factory=dict)
    ended_at: float = math.inf


class Calls:
    """The calls that run, and those whose end is not told to everybody yet. Thread-safe."""

    patience: float = 0.5
    """How many seconds the run that starts a call waits for its end, so that most changes show no waiting."""
    same_press: float = 1.0
    """A press that comes within so many seconds after the end was drawn is the second click of two."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._calls: list[Call] = []
        self._workers = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="change")

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
        """Begin the work, unless it is under way or its end is only just told; wait a moment for its end."""
        with self._lock:
            self._let_go()
            call = next((each for each in self._of(owner, kind, subject) if self._takes_in(each, tab)), None)
            if call is None:
                call = Call(owner, kind, subject, label, page, then, self._workers.submit(_carry_out, kind, work))
                call.future.add_done_callback(partial(self._ended, call))
                self._calls.append(call)
            if tab not in call.told:
                call.waiting.add(tab)
        wait([call.future], self.patience)
        return call

    def is_same_press(self, owner: Actor, kind: str, subject: str | None, *, tab: str) -> bool:
        """Whether a press in this tab is the second click of one that runs, or whose end was only just drawn."""
        with self._lock:
            return any(tab in each.waiting or self._was_just_told(each, tab) for each in self._of(owner, kind, subject))

    def under_way(self, owner: Actor, kind: str | None = None, subject: str | None = None) -> list[Call]:
        """The person's calls that have not ended: all, those of a kind, or the one about a subject."""
        with self._lock:
            return [call for call in self._of(owner, kind, subject) if not call.future.done()]

    def to_tell(self, owner: Actor, tab: str, is_open: Callable[[str], bool]) -> Iterator[tuple[Call, End]]:
        """Yield what has ended and is to be told in this tab; what was yielded is told once the next is asked for."""
        with self._lock:
            ended = [
                call
                for call in self._of(owner)
                if call.future.done()
                and (tab in call.waiting or not (call.told or any(is_open(each) for each in call.waiting)))
            ]
        for call in ended:
            error = call.future.exception()
            if error is not None and not isinstance(error, Exception):
                error = RuntimeError(repr(error))
            yield call, End(None if error else call.future.result(), error, False)
            with self._lock:
                call.waiting.discard(tab)
                call.told[tab] = math.inf

    def drawn(self, tab: str) -> None:
        """Note that what was told in this tab has been drawn: a press soon after is still the second click of two."""
        with self._lock:
            for call in self._calls:
                if call.told.get(tab) == math.inf:
                    call.told[tab] = self._clock()

    def settle(self) -> None:
        """Wait for the end of all that runs."""
        with self._lock:
            running = [call.future for call in self._calls]
        wait(running)

    def _of(self, owner: Actor, kind: str | None = None, subject: str | None = None) -> list[Call]:
        return [
            call
            for call in self._calls
            if call.owner == owner and kind in (None, call.kind) and subject in (None, call.subject)
        ]

    def _takes_in(self, call: Call, tab: str) -> bool:
        return not call.future.done() or not call.told or tab in call.waiting or self._was_just_told(call, tab)

    def _was_just_told(self, call: Call, tab: str) -> bool:
        return self._clock() - call.told.get(tab, -math.inf) < self.same_press

    def _ended(self, call: Call, _: Future[Any]) -> None:
        call.ended_at = self._clock()

    def _let_go(self) -> None:
        now = self._clock()
        self._calls = [
            call
            for call in self._calls
            if now - call.ended_at <= KEPT_SECONDS
            and (call.waiting or not call.told or any(self._was_just_told(call, tab) for tab in call.told))
        ]


def _carry_out(kind: str, work: Callable[[], Any]) -> Any:
    try:
        return work()
    except (ServiceError, JournalError, NotSentError):
        raise
    except Exception:
        _log.exception("The call %s ended with an error that nobody expected.", kind)
        raise
