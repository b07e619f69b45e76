"""Making a call that changes something, with an entry in the journal before it and its outcome after."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final, Protocol, TypeVar

from pydantic import BaseModel

from client import ConnectionFailed, Rejected, ServiceError
from journal import Actor, Entry, EntryState, Journal, JournalError, JournalUnavailable

T = TypeVar("T")

SETTLES: Final = "settles"
"""Under what name the entry of a decision has the id of the one it decides on."""

_log = logging.getLogger(__name__)


class Desk(Protocol):
    """The part of a workspace that is needed here."""

    @property
    def journal(self) -> Journal:
        """The journal to write to."""

    @property
    def actor(self) -> Actor:
        """Who acts."""


def recorded(
    workspace: Desk,
    action: str,
    *,
    subject_kind: str,
    subject_id: str | None,
    subject_name: str | None,
    request: Mapping[str, Any] | None,
    call: Callable[[], T],
    begun: Callable[[int], None] | None = None,
) -> T:
    """Write an entry, make the call, write its outcome, and give back what the call gave or raise what it raised.

    Where the entry cannot be written, or `begun`, which is told its id, raises, the call is not made. Where only the
    outcome cannot be written, the call's own result stands, and the entry reads "unknown" in time.
    """
    audit = workspace.journal.audit
    entry_id = audit.begin(
        workspace.actor,
        action,
        subject_kind=subject_kind,
        subject_id=subject_id,
        subject_name=subject_name,
        request=request,
    )
    if begun is not None:
        try:
            begun(entry_id)
        except BaseException as error:
            _finish(workspace, entry_id, state="not sent", message=message_of(error))
            raise
    try:
        result = call()
    except BaseException as error:
        _finish(workspace, entry_id, state=outcome_of(error), answer=answer_of(error), message=message_of(error))
        raise
    created = getattr(result, "id", None)
    _finish(
        workspace,
        entry_id,
        state="succeeded",
        answer=answer_of(result),
        subject_id=str(created) if subject_id is None and created is not None else None,
    )
    return result


def decided(
    workspace: Desk,
    action: str,
    *,
    settles: int | None,
    state: EntryState,
    message: str | None = None,
    subject_kind: str,
    subject_id: str | None,
    subject_name: str | None,
    request: Mapping[str, Any] | None,
    begun: Callable[[int], None] = lambda _: None,
) -> None:
    """Write down what is known by now of the entry that this `settles`, by an entry of its own; nothing is sent.

    `begun` is told the id of that entry before its end is written.
    """
    audit = workspace.journal.audit
    decision = audit.begin(
        workspace.actor,
        action,
        subject_kind=subject_kind,
        subject_id=subject_id,
        subject_name=subject_name,
        request={
            **(request or {}),
            SETTLES: settles,
            "decided_by": workspace.actor.username,
            "settled": "Somebody looked at the service; nothing was sent.",
        },
    )
    begun(decision)
    if message is None:
        found = "found it done" if state == "succeeded" else "decided that it was not done"
        message = f"The answer had been lost; a person looked and {found}."
    audit.finish(decision, state=state, message=message)


def settle(
    workspace: Desk, entry: Entry, state: EntryState, *, subject_id: str | None = None, message: str | None = None
) -> None:
    """Write down that what an entry was about was done, or was not; `subject_id` is what it became."""
    decided(
        workspace,
        entry.action,
        settles=entry.id,
        state=state,
        message=message,
        subject_kind=entry.subject_kind,
        subject_id=subject_id or entry.subject_id,
        subject_name=entry.subject_name,
        request=entry.request,
    )


def outcome_of(error: BaseException) -> EntryState:
    """Tell what an error means for what was to be changed: refused, not sent, or unknown.

    Unknown is everything that does not say otherwise: an answer that was lost may stand for a change that was made.
    """
    if isinstance(error, ConnectionFailed):
        return "not sent"
    if isinstance(error, ServiceError) and error.sent is False:
        return "not sent"
    if isinstance(error, JournalUnavailable):
        return "unknown"
    return "refused" if isinstance(error, Rejected | JournalError) else "unknown"


def message_of(error: BaseException) -> str:
    """Say in words what went wrong."""
    if isinstance(error, ServiceError):
        return error.message
    if isinstance(error, JournalError):
        return str(error)
    return f"The call was cut off inside Muster ({type(error).__name__}): {error}".rstrip(": ")


def answer_of(result: object) -> dict[str, Any] | None:
    """Turn what a call gave or raised into what the journal keeps of the answer."""
    if isinstance(result, ServiceError):
        kept = {"status": result.status, "text": result.answer_text}
        return kept if any(value is not None for value in kept.values()) else None
    if isinstance(result, BaseException) or result is None:
        return None
    if isinstance(result, BaseModel):
        return result.model_dump(mode="json", by_alias=True, exclude_none=True)
    if is_dataclass(result) and not isinstance(result, type):
        return {part.name: getattr(result, part.name) for part in fields(result) if part.repr}
    if isinstance(result, Mapping):
        return dict(result)
    return {"result": result}


def _finish(workspace: Desk, entry_id: int, **outcome: Any) -> None:
    try:
        workspace.journal.audit.finish(entry_id, **outcome)
    except Exception:  # noqa: BLE001 — whatever fails here must not turn a change that was made into an error
        _log.exception("The outcome of journal entry %s could not be written.", entry_id)
