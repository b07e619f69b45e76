"""A city, ZIP code, or county that the service offers for public alerts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

RegionKind = Literal["city", "zip", "county"]

KINDS: Final[tuple[RegionKind, ...]] = get_args(RegionKind)
KIND_WORDS: Final[Mapping[RegionKind, tuple[str, str]]] = {
    "city": ("city", "cities"),
    "zip": ("ZIP code", "ZIP codes"),
    "county": ("county", "counties"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """A city, ZIP code, or county in the lookup. `state` is as in the lookup, or ""."""

    id: int
    name: str
    state: str
    kind: RegionKind

    @property
    def label(self) -> str:
        """The name and state: "Boulder, CO"."""
        return f"{self.name}, {self.state}" if self.state else self.name

    @property
    def words(self) -> str:
        """The name, state, and kind: "Boulder, CO · city"."""
        return f"{self.label} · {KIND_WORDS[self.kind][0]}"
