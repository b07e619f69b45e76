"""Names for the IDs of an organization, which the service has no list of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, TypeAlias

from domain.geography.folding import fold

IdKind: TypeAlias = Literal[
    "contact field", "group", "topic", "delivery path", "custom attribute", "record type", "calendar", "shift"
]

KIND_LABELS: Final[Mapping[IdKind, str]] = {
    "contact field": "Contact field",
    "group": "Group",
    "topic": "Topic",
    "delivery path": "Delivery path",
    "custom attribute": "Custom attribute",
    "record type": "Record type",
    "calendar": "Calendar",
    "shift": "Shift",
}
NamesByKind: TypeAlias = Mapping[IdKind, Mapping[int, str]]


@dataclass(frozen=True)
class IdNames:
    """The names of IDs by kind."""

    by_kind: NamesByKind = field(default_factory=dict)

    def of_kind(self, kind: IdKind) -> Mapping[int, str]:
        """Return the names of a kind by ID."""
        return self.by_kind.get(kind, {})

    def label(self, kind: IdKind, number: int) -> str:
        """Return the name with its ID, "Sales (310)", or the ID alone if it has no name."""
        name = self.of_kind(kind).get(number)
        return f"{name} ({number})" if name else str(number)

    def find(self, kind: IdKind, text: str) -> dict[int, str]:
        """Return the IDs of this kind whose name or ID contains every word, or all for an empty text."""
        words = fold(text).split()
        return {
            number: name
            for number, name in self.of_kind(kind).items()
            if all(f" {word}" in f" {fold(name)} {number}" for word in words)
        }

    def id_named(self, kind: IdKind, name: str) -> int | None:
        """Return the only ID with this name, or the only one whose name contains these words; None without one."""
        words = fold(name)
        found = self._ids_by_name[kind].get(words, []) if kind in self._ids_by_name else []
        if not found and words:
            found = list(self.find(kind, words))
        return found[0] if len(found) == 1 else None

    @cached_property
    def _ids_by_name(self) -> dict[IdKind, dict[str, list[int]]]:
        found: defaultdict[IdKind, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for kind, names in self.by_kind.items():
            for number, name in names.items():
                found[kind][fold(name)].append(number)
                # As in lists: "Sales (310)".
                found[kind][fold(f"{name} ({number})")].append(number)
        return {kind: dict(by_name) for kind, by_name in found.items()}


NO_NAMES: Final = IdNames()


def merge_names(*in_order: NamesByKind) -> IdNames:
    """Return the names of several sources. For an ID in several of them, the first with a name counts."""
    merged: defaultdict[IdKind, dict[int, str]] = defaultdict(dict)
    for by_kind in in_order:
        for kind, names in by_kind.items():
            for number, name in names.items():
                if name:
                    merged[kind].setdefault(number, name)
    return IdNames(dict(merged))
