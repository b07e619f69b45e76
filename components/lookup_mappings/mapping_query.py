"""What mappings are looked for: in the address, as a sentence, and as parameters; and all of them, read at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from client.vocabulary.limits import LOOKUP_MAPPING_PAGE_SIZE
from client.vocabulary.lookup_mappings import NEWEST_FIRST, OLDEST_FIRST, SEARCH_PARAMETERS
from components.lookup_mappings.mapping_text import attributes_of
from components.lookup_mappings.tryout import Finding, findings
from components.records.declared import SHOWN_FOR
from components.shell.server import server
from components.widgets.ids import id_in
from components.widgets.number_text import names

if TYPE_CHECKING:
    from client.models.lookup_mappings import LookupMapping
    from components.records.declared import Tell
    from components.shell.background import BackgroundRead
    from components.shell.workspace import Workspace

LIST_KEY: Final = "lookup-mappings"
"""How what is read of the mappings is called, the list and all that is worked out from it."""
READ_AT_MOST: Final = 20_000
"""How many mappings are held against one another, in what is worked out here."""
_PAGE: Final = 500

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


def attributes_from_address(given: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Read values by name, a text a value (`department=Sales`); what cannot be looked for is left out."""
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


@dataclass(frozen=True)
class Known:
    """Mappings that were read, and what is worked out from all of them: when it is first asked for, and once."""

    mappings: Sequence[LookupMapping] = ()

    @cached_property
    def values(self) -> dict[str, list[str]]:
        """The attribute names that occur, each with its values, each once and in order."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for mapping in self.mappings:
            for name, values in attributes_of(mapping):
                found[name].update(values)
        return {name: sorted(found[name]) for name in sorted(found)}

    @cached_property
    def groups(self) -> dict[int, str]:
        """The names of the groups that they lead to, by id, in order."""
        named = {group.id: group.name or "" for each in self.mappings for group in each.target_groups if group.id}
        return {number: named[number] for number in sorted(named)}

    @cached_property
    def findings(self) -> list[Finding]:
        """What in them contradicts, overlaps or never matches."""
        return findings(self.mappings)


def every_mapping(workspace: Workspace) -> BackgroundRead[Known]:
    """The reading of all mappings in the background, for what is worked out here; as many as are held."""

    def read(tell: Tell) -> Known:
        found: list[LookupMapping] = []
        for page in islice(workspace.client.lookup_mappings.search(page_size=_PAGE).pages(), READ_AT_MOST // _PAGE):
            found += page.items
            tell(len(found), page.total_count)
        return Known(found)

    return server().reads.open(workspace, (LIST_KEY, "every"), read, good_for=SHOWN_FOR)


def known_now(workspace: Workspace) -> Known:
    """What is read so far, without waiting for it."""
    return every_mapping(workspace).value or Known()
