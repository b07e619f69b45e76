"""What a load is and how far it is, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

LoadState = Literal["running", "done", "stopped", "failed"]
Reason = Literal["not found", "failed", "not asked"]


@dataclass(frozen=True)
class LoadKey:
    """Whose load of which roster: the fingerprint is the connection's, and tells users apart."""

    fingerprint: str
    roster_id: int


@dataclass(frozen=True)
class Failure:
    """A record locator nothing was read for, and why in words."""

    locator: str
    reason: Reason
    words: str


@dataclass(frozen=True)
class LoadProgress:
    """How far a load is: of `total` record locators, those found, not known to the service, and failed."""

    total: int
    started_at: datetime
    state: LoadState = "running"
    found: int = 0
    not_found: int = 0
    failed: int = 0
    finished_at: datetime | None = None
    message: str | None = None

    @property
    def done(self) -> int:
        """How many have had their answer, whatever it was."""
        return self.found + self.not_found + self.failed
