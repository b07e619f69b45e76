"""The records of a list as they were read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Generic, TypeAlias, TypeVar

R = TypeVar("R")

ReportProgress: TypeAlias = Callable[[int, int | None], None]
"""Reports how many records are read, and of how many; None if that is not known."""
NEW: Final = "new"
"""The value in the URL that stands for a new record in place of an ID."""
MAX_AGE: Final = timedelta(minutes=2)
"""How long records are shown before they are read again."""


@dataclass(frozen=True)
class LoadedRecords(Generic[R]):
    """Records as they were read."""

    records: Sequence[R]
    total: int | None = None
    """How many records the service has, if it does not return all of them."""
    error: Exception | None = None
    """Why the other records could not be read."""
