"""Making a call that changes something, with an entry in the journal before it and its outcome after."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final, Protocol, TypeVar

from pydantic import BaseModel

from client import ConnectionFailed, Rejected, ServiceError
from journal import Actor, Entry, EntryState, Journal, JournalError, JournalUnavailable

T = TypeVar("T")

SETTLES: Final = "settles"
"""The key under which the entry of a decision stores the ID of the entry it resolves."""

_log = logging.getLogger(__name__)


class JournalContext(Protocol):
    """The part of a workspace that writes to the journal."""

    @property
    def journal(self) -> Journal:
        """The journal to write to."""

    @property
    def actor(self) -> Actor:
        """Who acts."""


@dataclass
class JournaledCall:
    """A call within `journaled`; set its `result`, which the journal entry stores as the response."""

    entry_id: int
    result: Any = None


@contextmanager
def journaled(
    context: JournalContext,
    action: str,
    *,
    subject_kind: str,
    subject_id: str | None,
    subject_name: str | None,
    request: Mapping[str, Any] | None,
    link: Callable[[int], None] | None = None,
) -> Iterator[JournaledCall]:
    """Write a journal entry, let the body make its call, and write how it ended.

    If the entry cannot be written, or `link`, which gets its ID, raises, the body does not run. If only the end cannot
    be written, the result of the call counts, and the entry becomes Unknown in time.
    """
    entry_id = context.journal.audit.begin(
        context.actor,
        action,
        subject_kind=subject_kind,
        subject_id=subject_id,
        subject_name=subject_name,
        request=request,
    )
    if link is not None:
        try:
            link(entry_id)
        except BaseException as error:
            _finish(context, entry_id, state="not sent", message=error_message(error))
            raise
    call = JournaledCall(entry_id)
    try:
        yield call
    except BaseException as error:
        _finish(
            context,
            entry_id,
            state=classify_outcome(error),
            answer=journal_response(error),
            message=error_message(error),
        )
        raise
    created = getattr(call.result, "id", None)
    _finish(
        context,
        entry_id,
        state="succeeded",
        answer=journal_response(call.result),
        subject_id=str(created) if subject_id is None and created is not None else None,
    )


def call_with_journal(context: JournalContext, action: str, *, call: Callable[[], T], **subject: Any) -> T:
    """Make a call within `journaled`, which takes `subject`, and return its result."""
    with journaled(context, action, **subject) as entry:
        entry.result = result = call()
    return result


def record_decision(
    context: JournalContext,
    action: str,
    *,
    settles: int | None,
    state: EntryState,
    message: str | None = None,
    subject_kind: str,
    subject_id: str | None,
    subject_name: str | None,
    request: Mapping[str, Any] | None,
    link: Callable[[int], None] = lambda _: None,
) -> None:
    """Record how the entry `settles` ended, in an entry of its own. Nothing is sent.

    `link` gets the ID of the new entry before its end is written.
    """
    audit = context.journal.audit
    decision = audit.begin(
        context.actor,
        action,
        subject_kind=subject_kind,
        subject_id=subject_id,
        subject_name=subject_name,
        request={
            **(request or {}),
            SETTLES: settles,
            "decided_by": context.actor.username,
            "settled": "Someone checked the service. Nothing was sent.",
        },
    )
    link(decision)
    if message is None:
        found = "found the record in the service" if state == "succeeded" else "confirmed that nothing was changed"
        message = f"The response was lost. {context.actor.username} {found}."
    audit.finish(decision, state=state, message=message)


def resolve_entry(
    context: JournalContext,
    entry: Entry,
    state: EntryState,
    *,
    subject_id: str | None = None,
    message: str | None = None,
) -> None:
    """Record whether the change of an entry was made; `subject_id` is the ID of the record."""
    record_decision(
        context,
        entry.action,
        settles=entry.id,
        state=state,
        message=message,
        subject_kind=entry.subject_kind,
        subject_id=subject_id or entry.subject_id,
        subject_name=entry.subject_name,
        request=entry.request,
    )


def classify_outcome(error: BaseException) -> EntryState:
    """Classify an error of a change as refused, not sent, or unknown.

    An error is unknown unless it proves otherwise: after a lost response the change may have been made.
    """
    if isinstance(error, ConnectionFailed):
        return "not sent"
    if isinstance(error, ServiceError) and error.sent is False:
        return "not sent"
    if isinstance(error, JournalUnavailable):
        return "unknown"
    return "refused" if isinstance(error, Rejected | JournalError) else "unknown"


def error_message(error: BaseException) -> str:
    """Return the message of an error."""
    if isinstance(error, ServiceError):
        return error.message
    if isinstance(error, JournalError):
        return str(error)
    return f"The call was interrupted in Muster ({type(error).__name__}): {error}".rstrip(": ")


def journal_response(result: object) -> dict[str, Any] | None:
    """Return the result or error of a call as the journal stores it."""
    if isinstance(result, ServiceError):
        response = {"status": result.status, "text": result.answer_text}
        return response if any(value is not None for value in response.values()) else None
    if isinstance(result, BaseException) or result is None:
        return None
    if isinstance(result, BaseModel):
        return result.model_dump(mode="json", by_alias=True, exclude_none=True)
    if is_dataclass(result) and not isinstance(result, type):
        return {part.name: getattr(result, part.name) for part in fields(result) if part.repr}
    if isinstance(result, Mapping):
        return dict(result)
    return {"result": result}


def _finish(context: JournalContext, entry_id: int, **outcome: Any) -> None:
    try:
        context.journal.audit.finish(entry_id, **outcome)
    except Exception:  # noqa: BLE001 — a failure here must not make a successful change an error
        _log.exception("The outcome of journal entry %s could not be written.", entry_id)
