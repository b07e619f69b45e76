"""Judge what a CAP alert is: a live public alert in force, or a cancellation, a test, a restricted or an expired one.

Every place that uses a CAP alert judges it with these functions.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple, TypeAlias

from domain.alerts.draft import CapSource
from domain.alerts.levels import PAST

StateCode: TypeAlias = Literal["cancel", "status", "draft", "scope", "reply", "expired", "ended"]
ALL_CLEAR: Final = "AllClear"
_STATUSES: Final = {
    "exercise": "This CAP alert is an exercise.",
    "test": "This CAP alert is a test.",
    "system": "This CAP alert is a system message.",
}
_REPLIES: Final = {
    "ack": "This CAP alert only acknowledges an earlier one.",
    "error": "This CAP alert reports an error in an earlier one.",
}
_SHOWN: Final = 60


class AlertState(NamedTuple):
    """One way in which a CAP alert is not a live public alert in force."""

    code: StateCode
    message: str


def judge_message(status: str, message_type: str, scope: str) -> list[AlertState]:
    """Judge the fields of a CAP message. An empty field counts as the usual one."""
    found: list[AlertState] = []
    status, message_type, scope = status.strip(), message_type.strip(), scope.strip()
    if message_type.casefold() == "cancel":
        found.append(AlertState("cancel", "This CAP alert cancels an earlier one."))
    elif message := _REPLIES.get(message_type.casefold()):
        found.append(AlertState("reply", message))
    if status.casefold() == "draft":
        found.append(AlertState("draft", "This CAP alert is a draft."))
    elif status.casefold() not in ("", "actual"):
        other = f"This CAP alert has the status “{_short(status)}”."
        found.append(AlertState("status", _STATUSES.get(status.casefold(), other)))
    if scope.casefold() not in ("", "public"):
        found.append(AlertState("scope", f"This CAP alert is not public. Its scope is “{_short(scope)}”."))
    return found


def not_live_reasons(source: CapSource) -> list[str]:
    """Return why the CAP alert of a draft was not a live one: its status, and a note that calls it a test."""
    status = [f"has the status “{source.status}”"] if source.status else []
    return [*status, *([f"says “{source.note}” in its note"] if source.note else [])]


def judge_time(urgency: str, responses: list[str], expires: datetime | None, now: datetime) -> list[AlertState]:
    """Judge the end of one part of a CAP alert."""
    found: list[AlertState] = []
    if expires is not None and expires <= now:
        found.append(AlertState("expired", f"This CAP alert expired {format_moment(expires)}."))
    if urgency == PAST or ALL_CLEAR in responses:
        found.append(AlertState("ended", "This CAP alert says that the danger has ended."))
    return found


def read_moment(text: str, sent: datetime | None = None) -> datetime | None:
    """Return the time that a CAP text gives, in UTC. A time without an offset has that of `sent`, or is in UTC."""
    moment = parse_moment(text)
    if moment is None:
        return None
    zone = moment.tzinfo or (sent.tzinfo if sent is not None else None) or UTC
    try:
        return moment.replace(tzinfo=zone).astimezone(UTC)
    except OverflowError:
        return None


def parse_moment(text: str) -> datetime | None:
    """Return the time that a CAP text gives, with its offset if there is one, or None if it cannot be read."""
    try:
        moment = datetime.fromisoformat(text)
        moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment


def format_moment(at: datetime) -> str:
    """Return a time for a sentence about a CAP alert."""
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
