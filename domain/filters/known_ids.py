"""The IDs that a rule needs and that no list of the service gives: known ones, guesses, and their names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from client.models.contact_filters import ContactFilter
from client.vocabulary.contact_filters import COLUMN_RULE_TYPES, COLUMNS
from client.vocabulary.limits import LONG_MAX
from domain.filters import columns
from domain.filters.columns import column_key, column_label
from domain.filters.names.id_names import NO_NAMES, IdKind, IdNames, merge_names
from domain.filters.names.stored_names import read_names
from domain.filters.suggestions import KnownValues, ValuesByColumn, by_column, count_values
from domain.geography.country_order import order_countries
from domain.mappings.mapping_query import mappings_so_far
from domain.runtime.background import BackgroundRead
from domain.runtime.server import server
from domain.tables.loaded_records import MAX_AGE
from domain.text.plain_text import id_in

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace

FILTERS_READ: Final = 500
"""How many of the organization's filters are read to learn IDs."""
READ_KEY: Final = "field ids"

KIND_OF_VALUES: Final[Mapping[str, IdKind]] = {
    "groups|SYSTEM_ARRAY|": "group",
    "topics|SYSTEM|": "topic",
    "pathId|SYSTEM_OBJECT|paths": "delivery path",
    "recordTypeId|SYSTEM|": "record type",
    "calendar|SYSTEM_SCHEDULING|": "calendar",
    "shift|SYSTEM_SCHEDULING|": "shift",
}
"""What the values of a column are the IDs of, by the key of the column."""


@dataclass(frozen=True)
class AttributeUse:
    """How filters use a custom attribute."""

    rule_type: str
    data_type: str


@dataclass(frozen=True)
class LearnedIds:
    """The IDs in the organization's filters: contact fields by column, and custom attributes; and their values."""

    field_ids: Mapping[str, int] = field(default_factory=dict)
    attributes: Mapping[int, AttributeUse] = field(default_factory=dict)
    values: ValuesByColumn = field(default_factory=dict)


@dataclass(frozen=True)
class KnownIds:
    """All IDs that Muster knows, with their names."""

    field_ids: Mapping[str, int] = field(default_factory=dict)
    attributes: Mapping[int, AttributeUse] = field(default_factory=dict)
    names: IdNames = NO_NAMES
    countries: Sequence[str] = field(default_factory=order_countries)
    """The codes of all countries, those where people are first."""
    values: KnownValues = field(default_factory=KnownValues)
    """The values that rules may compare with."""

    def can_use(self, key: str) -> bool:
        """Return whether a rule over this column needs no ID that has to be typed."""
        return not needs_field_id(key) or key in self.field_ids


NOTHING_KNOWN: Final = KnownIds()


@dataclass(frozen=True)
class Guess:
    """An ID that a column may have, because the other known columns of its kind all share it."""

    field_id: int
    columns: tuple[str, ...]
    """The keys of the columns that share it."""

    @property
    def reason(self) -> str:
        """Say why it is likely."""
        shown = [f"“{column_label(key)}”" for key in self.columns[:2]]
        return f"{' and '.join(shown)} {'share' if len(self.columns) > 1 else 'has'} this ID."


def needs_field_id(key: str) -> bool:
    """Return whether rules over this column need the ID of the contact field."""
    column = columns.find_column(key)
    return column is not None and column.rule_type in COLUMN_RULE_TYPES


def guess_field_id(key: str, field_ids: Mapping[str, int]) -> Guess | None:
    """Return the ID that at least two other columns of the same object share, if the column has no known ID."""
    column = columns.find_column(key)
    if column is None or not column.embedded or not needs_field_id(key) or key in field_ids:
        return None
    siblings = [
        column_key(each)
        for each in COLUMNS
        if (each.rule_type, each.embedded) == (column.rule_type, column.embedded) and column_key(each) in field_ids
    ]
    shared = {field_ids[each] for each in siblings}
    return Guess(shared.pop(), tuple(siblings)) if len(siblings) > 1 and len(shared) == 1 else None


def learn_ids(filters: Iterable[ContactFilter]) -> LearnedIds:
    """Return the IDs that these filters use most, by column, and the attributes they use.

    List records contain 0 for a missing ID.
    """
    filters = list(filters)
    counted: defaultdict[str, Counter[int]] = defaultdict(Counter)
    attributes: defaultdict[int, Counter[AttributeUse]] = defaultdict(Counter)
    for contact_filter in filters:
        for rule in contact_filter.rules:
            payload = rule.to_wire()
            key, field_id = columns.key_of_rule(payload), rule.contact_field_id
            if key is None:
                continue
            if columns.needs_field_id(payload) and field_id is not None and 0 < field_id <= LONG_MAX:
                counted[key][field_id] += 1
            if columns.is_custom(payload) and (number := id_in(str(payload.get("attributeId") or ""))) is not None:
                use = AttributeUse(str(payload.get("type")), columns.text_of(payload, "dataType") or "STRING")
                attributes[number][use] += 1
    return LearnedIds(
        {key: ids.most_common(1)[0][0] for key, ids in counted.items()},
        {number: uses.most_common(1)[0][0] for number, uses in attributes.items()},
        count_values(rule.to_wire() for contact_filter in filters for rule in contact_filter.rules),
    )


def read_learned_ids(workspace: Workspace, list_key: str) -> BackgroundRead[LearnedIds]:
    """Return the background read of the IDs in the organization's filters. `list_key` invalidates it with the list."""

    # ASSUMPTION A80
    return server().reads.open(
        workspace,
        (list_key, READ_KEY),
        lambda _: learn_ids(islice(workspace.client.contact_filters.list(), FILTERS_READ)),
        max_age=MAX_AGE,
    )


def known_names(workspace: Workspace, *, with_groups: bool = True) -> IdNames:
    """Return the names that the organization has stored, and those that its mappings have for groups."""
    groups = mappings_so_far(workspace).groups if with_groups else {}
    return merge_names(read_names(workspace), {"group": groups})


def field_ids_named(names: IdNames) -> dict[str, int]:
    """Return the contact field IDs whose name is that of a single column, by column."""
    found: dict[str, int] = {}
    for number, name in names.of_kind("contact field").items():
        keys = columns.columns_named(name)
        if len(keys) == 1:
            found.setdefault(keys[0], number)
    return found


def combine_ids(learned: LearnedIds, names: IdNames) -> KnownIds:
    """Return what is known together. A stored name counts more than the use in filters."""
    values = KnownValues([by_column(learned.values)])
    return KnownIds({**learned.field_ids, **field_ids_named(names)}, learned.attributes, names, values=values)


def value_kind(payload: Mapping[str, Any]) -> IdKind | None:
    """Return what the values of a rule are the IDs of; None if they are not IDs with names."""
    return KIND_OF_VALUES.get(columns.key_of_rule(payload) or "")


def replace_names(payload: Mapping[str, Any], items: Sequence[str], names: IdNames) -> list[str]:
    """Return the items of a list with known names replaced by their IDs."""
    kind = value_kind(payload)
    if kind is None:
        return list(items)
    ids = [None if item.strip().isdecimal() else names.id_named(kind, item) for item in items]
    return [item if number is None else str(number) for item, number in zip(items, ids, strict=True)]
