"""How far a background job is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How much of a job is done, what it is doing in words, and whether it has ended (however it ended)."""

    total: int
    done: int
    words: str
    finished: bool

    @property
    def share(self) -> float:
        """Tell how much is done between 0 and 1; a job with nothing to do is done."""
        return 1.0 if self.total <= 0 else min(max(self.done / self.total, 0.0), 1.0)
