"""What became of something whose sending began: told by its journal entry, and by when it was taken for sending."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from journal import Entry

GRACE: Final = timedelta(seconds=30)
"""How long whoever took a draft has to write the entry, before it counts as never begun."""


class Fate(StrEnum):
    """What became of a draft."""

    UNSENT = "unsent"
    SENDING = "sending"
    SENT = "sent"
    UNKNOWN = "unknown"


def fate_of(entry: Entry | None, claimed_at: datetime) -> Fate:
    """The fate of a draft that was taken for sending; without an entry it is given back after a while."""
    if entry is None:
        return Fate.UNSENT if datetime.now(UTC) - claimed_at > GRACE else Fate.SENDING
    match entry.state:
        case "started":
            return Fate.SENDING
        case "succeeded":
            return Fate.SENT
        case "unknown":
            return Fate.UNKNOWN
        case _:
            return Fate.UNSENT


def why_unknown(entry: Entry | None) -> str:
    """Say in a sentence how a call ended that may have been carried out: without an answer, or with a fault."""
    status = ((entry.answer or {}).get("status") if entry is not None else None) or 0
    if status < 500:
        return "The request was sent and no answer came back."
    return f"The service answered with a fault of its own ({status}), and it may have done it all the same."
