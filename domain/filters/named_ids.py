"""All IDs with their names, as the screen lists them: stored names, and what mappings and filters tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from domain.filters.columns import column_label, columns_named
from domain.filters.known_ids import read_learned_ids, value_kind
from domain.filters.names.id_names import KIND_LABELS, IdKind
from domain.filters.names.stored_names import NameChanges, list_names
from domain.filters.sentence import join_items
from domain.filters.values import elements_of
from domain.mappings.mapping_query import mappings_so_far
from domain.runtime.background import BackgroundReads
from domain.tables.loaded_records import LoadedRecords
from domain.text.plain_text import count

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace


@dataclass(frozen=True)
class NamedId:
    """An ID with its name ("" if it has none) and where they are from."""

    kind: IdKind
    number: int
    name: str
    source: str
    is_stored: bool = False

    @property
    def slug(self) -> str:
        """The kind as in URLs."""
        return self.kind.replace(" ", "-")

    @property
    def key(self) -> str:
        """Identifies it in the list."""
        return f"{self.slug}:{self.number}"

    @property
    def kind_label(self) -> str:
        """The label of its kind."""
        return KIND_LABELS[self.kind]


def list_named_ids(workspace: Workspace, filter_list_key: str) -> LoadedRecords[NamedId]:
    """Return the stored names, then the IDs that only filters and mappings have. Raises JournalError."""
    learned = read_learned_ids(workspace, filter_list_key)
    learned.wait(BackgroundReads.patience_for_names, since_it_began=True)
    found: dict[tuple[IdKind, int], NamedId] = {}
    for kind, names in list_names(workspace).items():
        for number, name in names.items():
            found[kind, number] = NamedId(kind, number, name, "Entered in Muster", is_stored=True)
    for number, name in mappings_so_far(workspace).groups.items():
        found.setdefault(("group", number), NamedId("group", number, name, "Mappings"))
    if learned.value is not None:
        columns_by_id: dict[int, list[str]] = {}
        for key, number in learned.value.field_ids.items():
            columns_by_id.setdefault(number, []).append(column_label(key))
        for number, labels in columns_by_id.items():
            # An ID that several columns share has no name of its own.
            name = labels[0] if len(labels) == 1 else f"{labels[0]} and {count(len(labels) - 1, 'other', 'others')}"
            found.setdefault(("contact field", number), NamedId("contact field", number, name, "Filters"))
        for number in learned.value.attributes:
            found.setdefault(("custom attribute", number), NamedId("custom attribute", number, "", "Filters"))
    return LoadedRecords(list(found.values()))


def uses_id(payload: Mapping[str, Any], named_id: NamedId) -> bool:
    """Return whether a rule uses this ID: as its contact field, its attribute, or one of its values."""
    if named_id.kind == "contact field":
        return payload.get("contactFieldId") == named_id.number
    if named_id.kind == "custom attribute":
        return str(payload.get("attributeId") or "") == str(named_id.number)
    values = map(str, elements_of(payload))
    return value_kind(payload) == named_id.kind and str(named_id.number) in values


def changes_of(entries: Iterable[NamedId], name: str | None) -> NameChanges:
    """Return the changes that give these IDs a name, or that remove their names."""
    changes: dict[IdKind, dict[int, str | None]] = {}
    for each in entries:
        changes.setdefault(each.kind, {})[each.number] = name
    return changes


def describe_column(named_id: NamedId) -> str | None:
    """Say which column of rules a contact field is; None for other IDs."""
    if named_id.kind != "contact field" or not named_id.is_stored:
        return None
    labels = [f"“{column_label(key)}”" for key in columns_named(named_id.name)]
    if len(labels) == 1:
        return f"Rules for the column {labels[0]} use this ID."
    if not labels:
        return "No column in the rule builder has this name. Use one that does, such as “City · address”."
    return f"Several columns have this name. Use {join_items(labels, 'or')}."


def summarize_names(listed: Sequence[NamedId]) -> str:
    """Return the number of IDs by kind, and how many have no name."""
    by_kind = Counter(each.kind for each in listed)
    parts = [count(len(listed), "ID", "IDs")]
    parts += [
        f"{by_kind[kind]:,} {label.lower()}{'' if by_kind[kind] == 1 else 's'}"
        for kind, label in KIND_LABELS.items()
        if by_kind[kind]
    ]
    unnamed = sum(not each.name for each in listed)
    return " · ".join([*parts, *([f"{unnamed:,} without a name"] if unnamed else [])])
