"""What mappings are looked for: attribute values, groups, order; in the address, as a sentence, and as parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, unquote

from client.vocabulary.limits import LOOKUP_MAPPING_PAGE_SIZE
from client.vocabulary.lookup_mappings import NEWEST_FIRST, OLDEST_FIRST, SEARCH_PARAMETERS
from components.widgets.ids import id_in
from components.widgets.number_text import names

PAGE_SIZES: Final = (LOOKUP_MAPPING_PAGE_SIZE, 50, 100)


@dataclass(frozen=True)
class MappingQuery:
    """Values by attribute name, each name once; groups by id; which end of time comes first."""

    attributes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    groups: tuple[int, ...] = ()
    newest_first: bool = True

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return not self.attributes and not self.groups

    def parameters(self) -> dict[str, Any]:
        """What the client's search takes (interface: Lookup mappings)."""
        return {
            "attributes": {name: list(values) for name, values in self.attributes},
            "groups": list(self.groups),
            "sort": NEWEST_FIRST if self.newest_first else OLDEST_FIRST,
        }

    def sentence(self) -> str:
        """The query read aloud: "Mappings whose department is Sales or Legal, the latest change first"."""
        conditions = [f"{name} is {names(list(values), last='or')}" for name, values in self.attributes]
        parts = [f"whose {' and '.join(conditions)}"] if conditions else []
        if self.groups:
            parts.append(f"that lead to group {names([str(each) for each in self.groups], last='or')}")
        order = "the latest change first" if self.newest_first else "the earliest change first"
        return f"{'Mappings ' + ' and '.join(parts) if parts else 'All mappings'}, {order}."


def attribute_problem(name: str, values: Iterable[str]) -> str | None:
    """What keeps an attribute from being looked for; None where nothing does."""
    if not name.strip():
        return "Name the attribute to look for."
    if name in SEARCH_PARAMETERS:
        return f"The interface cannot look for an attribute called {name}: it means something else in a search."
    texts = list(values)
    if not texts or any(not value.strip() for value in texts):
        return f"Give at least one value for {name}."
    if any("," in value for value in texts):
        # ASSUMPTION A164
        return "The interface cannot look for a value that holds a comma."
    return None


def attributes_in_address(attributes: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """Write attribute values for the address, a text a value: `department=Sales`."""
    return [f"{quote(name, safe=' ')}={value}" for name, values in attributes for value in values]


def attributes_from_address(given: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Read what `attributes_in_address` writes; what cannot be looked for is left out."""
    found: dict[str, dict[str, None]] = {}
    for text in given:
        name, sign, value = text.partition("=")
        name = unquote(name)
        if sign and attribute_problem(name, [value]) is None:
            found.setdefault(name, {})[value] = None
    return tuple((name, tuple(values)) for name, values in found.items())


def groups_from_address(given: Iterable[str]) -> tuple[int, ...]:
    """Read ids of groups; what is none is left out."""
    return tuple(dict.fromkeys(number for text in given if (number := id_in(text)) is not None))


def told_values(answered: Iterable[Mapping[str, Sequence[str]]]) -> dict[str, list[str]]:
    """The names and values that occur, for fields to offer, each once and in order."""
    found: dict[str, set[str]] = {}
    for each in answered:
        for name, values in each.items():
            found.setdefault(name, set()).update(values)
    return {name: sorted(found[name]) for name in sorted(found)}
