"""Values that a rule may compare with, from other filters, the file of the filter test, trips, and mappings.

Each source has its values ready by column. Nothing is computed per keystroke.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final, TypeAlias

from client.vocabulary.contact_filters import LISTED
from domain.filters import columns
from domain.filters.names.id_names import IdNames
from domain.filters.values import editable_text, elements_of
from domain.geography.folding import fold

MOST_VALUES: Final = 1_000
"""The most values of a column that a source has."""
MOST_LISTED: Final = 50
"""The most values that a list offers. The browser gets them for every rule."""
MOST_SUGGESTED: Final = 6
_WHOLE_VALUES: Final = frozenset({"E", "NE", *LISTED})
"""The comparisons with whole values, unlike “starts with”."""

ValuesByColumn: TypeAlias = Mapping[str, Sequence[str]]
"""Values by column as `column_of` names it, the most frequent first."""
Source: TypeAlias = Callable[[Mapping[str, Any]], Sequence[str]]
"""Returns the values that a source has for a rule, the most frequent first."""


def column_of(payload: Mapping[str, Any]) -> str:
    """Return what identifies the column of a rule; a custom attribute is the same in both of its types."""
    if columns.is_custom(payload):
        return f"attribute {payload.get('attributeId')}"
    return columns.key_of_rule(payload) or ""


@dataclass(frozen=True)
class KnownValues:
    """The values of all sources."""

    sources: Sequence[Source] = ()

    def listed(self, payload: Mapping[str, Any]) -> list[str]:
        """Return the first values for a list that takes several."""
        return list(islice(self._of_rule(payload), MOST_LISTED))

    def matching(self, payload: Mapping[str, Any], typed: str) -> list[str]:
        """Return the first values that contain every typed word; none if the text is one of the values already."""
        known, words = list(self._of_rule(payload)), fold(typed).split()
        if typed.strip() in known:
            return []
        found = (value for value in known if all(f" {word}" in f" {fold(value)}" for word in words))
        return list(islice(found, MOST_SUGGESTED))

    def _of_rule(self, payload: Mapping[str, Any]) -> Iterator[str]:
        """Yield the values for the column of a rule, each once."""
        if columns.data_type_of(payload) not in ("STRING", "NUMBER"):
            return
        seen: set[str] = set()
        for value in chain.from_iterable(source(payload) for source in self.sources):
            if value not in seen:
                seen.add(value)
                yield value


def by_column(values: ValuesByColumn) -> Source:
    """Return the source of these values."""
    return lambda payload: values.get(column_of(payload), ())


def by_name(values: Mapping[str, Sequence[str]], names: IdNames) -> Source:
    """Return the source of values by the name of an attribute, as mappings have them, such as "department".

    A rule has the name of its custom attribute, or else of its column.
    """
    folded = {fold(name): each for name, each in values.items()}

    def find(payload: Mapping[str, Any]) -> Sequence[str]:
        if not columns.is_custom(payload):
            return folded.get(fold(columns.name_of(columns.key_of_rule(payload))), ())
        number = str(payload.get("attributeId") or "")
        name = names.of_kind("custom attribute").get(int(number), "") if number.isdecimal() else ""
        return folded.get(fold(name), ()) if name else ()

    return find


def count_values(payloads: Iterable[Mapping[str, Any]]) -> ValuesByColumn:
    """Return the values that rules compare with, the most used first. Parts of values and times do not count."""
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for payload in payloads:
        if columns.effective_operator(payload) in _WHOLE_VALUES and columns.data_type_of(payload) != "DATE":
            texts = (editable_text(each) for each in elements_of(payload) if isinstance(each, str | int))
            counted[column_of(payload)].update(text for text in texts if text.strip() == text != "")
    return {
        column: [text for text, _ in values.most_common(MOST_VALUES)] for column, values in counted.items() if column
    }
