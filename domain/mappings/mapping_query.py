"""Search, simulate, and compare lookup mappings.

# ASSUMPTION A370: the interface does not say how a mapping is applied. As its search does (A135): values of one name
# are alternatives, whether in one element or in several of it; every name must be met; texts match to the letter.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias
from urllib.parse import unquote

from client.models.lookup_mappings import LookupMapping, LookupMappingRequest
from client.vocabulary.limits import LOOKUP_MAPPING_PAGE_SIZE
from client.vocabulary.lookup_mappings import NEWEST_FIRST, OLDEST_FIRST, SEARCH_PARAMETERS
from domain.mappings.mapping_text import Attributes, attributes_of
from domain.runtime.server import server
from domain.tables.loaded_records import MAX_AGE
from domain.text.plain_text import count, id_in, names

if TYPE_CHECKING:
    from domain.runtime.background import BackgroundRead
    from domain.runtime.workspace import Workspace
    from domain.tables.loaded_records import ReportProgress

Values: TypeAlias = Mapping[str, frozenset[str]]
"""The values that a mapping accepts, by attribute name."""
AcceptingMapping: TypeAlias = tuple[LookupMapping, Values]
"""A mapping with the values it accepts."""
Kind: TypeAlias = Literal["contradicts", "names a group differently", "overlaps", "never matches"]

MOST_LISTED: Final = 200
"""How many matching mappings are listed. All are counted."""
MOST_OVERLAPS: Final = 2_000
"""How many overlaps are searched for. Thousands of similar mappings overlap in millions of pairs."""


@dataclass(frozen=True)
class Simulation:
    """What attribute values lead to: the matching mappings in their order, and all of their groups without duplicates.

    `almost` are the mappings that fail for only one attribute, with its name.
    """

    matching: tuple[LookupMapping, ...]
    groups: tuple[tuple[int, str], ...]
    almost: tuple[tuple[LookupMapping, str], ...]


@dataclass(frozen=True)
class Finding:
    """A problem with one mapping or two."""

    kind: Kind
    words: str
    mappings: tuple[LookupMapping, ...]


def accepted_values(mapping: LookupMapping | LookupMappingRequest) -> Values:
    """Return the values that a mapping accepts, by attribute name. A name without values never matches."""
    found: dict[str, set[str]] = {}
    for name, values in attributes_of(mapping):
        found.setdefault(name, set()).update(values)
    return {name: frozenset(values) for name, values in found.items()}


def has_same_attributes(one: LookupMapping | LookupMappingRequest, other: LookupMapping | LookupMappingRequest) -> bool:
    """Return whether the service would treat them as duplicates: equal attributes in any order."""
    return attribute_key(one) == attribute_key(other)


def attribute_key(mapping: LookupMapping | LookupMappingRequest) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the attributes in a fixed order without duplicate values. They identify a mapping for the service."""
    # ASSUMPTION A132
    return tuple(sorted((name, tuple(sorted(set(values)))) for name, values in attributes_of(mapping)))


def has_same_groups(one: LookupMapping | LookupMappingRequest, other: LookupMapping | LookupMappingRequest) -> bool:
    """Return whether both lead to the same groups by ID, with the same names where both have one."""
    named, others = ({group.id: group.name or "" for group in mapping.target_groups} for mapping in (one, other))
    return named.keys() == others.keys() and all(others[each] in ("", name) or not name for each, name in named.items())


def simulate(mappings: Iterable[LookupMapping], person_values: Mapping[str, Iterable[str]]) -> Simulation:
    """Find the mappings that match these attribute values, and the groups they lead to."""
    has = {name: frozenset(values) for name, values in person_values.items()}
    matching: list[LookupMapping] = []
    almost: list[tuple[LookupMapping, str]] = []
    groups: dict[int, str] = {}
    for mapping in mappings:
        wanted = accepted_values(mapping)
        unmet = [name for name, values in wanted.items() if not values & has.get(name, frozenset())]
        if wanted and not unmet:
            matching.append(mapping)
            for group in mapping.target_groups:
                if group.id is not None:
                    groups[group.id] = groups.get(group.id) or group.name or ""
        elif len(unmet) == 1 and len(wanted) > 1:
            almost.append((mapping, unmet[0]))
    return Simulation(tuple(matching), tuple(sorted(groups.items())), tuple(almost))


def check_mappings(mappings: Sequence[LookupMapping]) -> list[Finding]:
    """Find the mappings that contradict each other, overlap, or never match, the most serious first.

    Only mappings with the same attribute names are compared, because others are meant to be combined. All
    contradictions are found, and the first `MOST_OVERLAPS` overlaps. The time is quadratic in the number of mappings
    that share a value.
    """
    never = [
        Finding("never matches", f"The mapping requires {_name(name)} but has no value for it.", (mapping,))
        for mapping in mappings
        for name, values in accepted_values(mapping).items()
        if not any(value.strip() for value in values) or not name.strip()
    ]
    never += [
        Finding("never matches", "The mapping has no attributes, so it never matches.", (mapping,))
        for mapping in mappings
        if not mapping.attributes
    ]
    by_names: defaultdict[frozenset[str], list[AcceptingMapping]] = defaultdict(list)
    for mapping in mappings:
        wanted = accepted_values(mapping)
        by_names[frozenset(wanted)].append((mapping, wanted))
    overlapping = (
        _describe_overlap(first, second)
        for attribute_names, members in by_names.items()
        for first, second in _overlapping_pairs(attribute_names, members)
        if not _contradict(first, second)
    )
    return [
        *_find_contradictions(by_names),
        *_find_different_names(mappings),
        *islice(overlapping, MOST_OVERLAPS),
        *never,
    ]


def count_group_names(mappings: Iterable[LookupMapping]) -> dict[int, Counter[str]]:
    """Count how many mappings give each group which name, by the group's ID."""
    found: dict[int, Counter[str]] = {}
    for mapping in mappings:
        for group in mapping.target_groups:
            if group.id:
                found.setdefault(group.id, Counter()).update([group.name] if group.name else [])
    return found


def _find_different_names(mappings: Sequence[LookupMapping]) -> Iterator[Finding]:
    """Find groups with different names, and the mappings that differ from the most common name."""
    counts = {number: counted for number, counted in count_group_names(mappings).items() if len(counted) > 1}
    usual = {number: counted.most_common(1)[0][0] for number, counted in counts.items()}
    others: defaultdict[int, list[LookupMapping]] = defaultdict(list)
    for mapping in mappings:
        for each in mapping.target_groups:
            if each.name and each.id in usual and each.name != usual[each.id]:
                others[each.id].append(mapping)
    for number, counted in counts.items():
        different = names([f"“{name}” ({count(many, 'mapping', 'mappings')})" for name, many in counted.most_common()])
        yield Finding(
            "names a group differently", f"Group {number} has different names: {different}.", tuple(others[number])
        )


def count_compared(mappings: Sequence[LookupMapping]) -> int:
    """Return how many mappings `check_mappings` compares with another: those with the same attribute names."""
    alike = Counter(frozenset(accepted_values(mapping)) for mapping in mappings)
    return sum(number for attribute_names, number in alike.items() if attribute_names and number > 1)


def _find_contradictions(by_names: Mapping[frozenset[str], Sequence[AcceptingMapping]]) -> Iterator[Finding]:
    """Find mappings that accept exactly the same values but add people to different groups."""
    for members in by_names.values():
        alike: defaultdict[frozenset[tuple[str, frozenset[str]]], list[AcceptingMapping]] = defaultdict(list)
        for each in members:
            if each[1] and all(each[1].values()):
                alike[frozenset(each[1].items())].append(each)
        for first, second in chain.from_iterable(combinations(each, 2) for each in alike.values()):
            if _contradict(first, second):
                where = _shared_values(first, second)
                words = f"Both mappings match {where} but add people to different groups."
                yield Finding("contradicts", words, (first[0], second[0]))


def _contradict(first: AcceptingMapping, second: AcceptingMapping) -> bool:
    return first[1] == second[1] and _groups(first[0]) != _groups(second[0])


def _describe_overlap(first: AcceptingMapping, second: AcceptingMapping) -> Finding:
    where, groups, others = _shared_values(first, second), _groups(first[0]), _groups(second[0])
    if groups == others:
        words = f"Both mappings add people to the same groups for {where}. One of them is enough."
    elif groups & others:
        words = f"Both mappings match {where} and share groups. People are added to the groups of both."
    else:
        words = f"Both mappings match {where}. People are added to the groups of both."
    return Finding("overlaps", words, (first[0], second[0]))


def _shared_values(first: AcceptingMapping, second: AcceptingMapping) -> str:
    shared = {name: values & second[1][name] for name, values in first[1].items()}
    return " and ".join(f"{_name(name)} {names(sorted(values), last='or')}" for name, values in shared.items())


def _overlapping_pairs(
    attribute_names: frozenset[str], members: Sequence[AcceptingMapping]
) -> Iterator[tuple[AcceptingMapping, AcceptingMapping]]:
    """Yield each pair that a person can match at once. Pairs are found by the attribute with the most different
    values.
    """
    if not attribute_names or len(members) < 2:
        return
    most_distinct = max(
        attribute_names, key=lambda name: len({value for _, wanted in members for value in wanted[name]})
    )
    by_value: defaultdict[str, list[int]] = defaultdict(list)
    for number, (_, wanted) in enumerate(members):
        for value in wanted[most_distinct]:
            by_value[value].append(number)
    for value, numbers in by_value.items():
        for first, second in combinations([members[number] for number in numbers], 2):
            shared = first[1][most_distinct] & second[1][most_distinct]
            # Two mappings may share several values: the pair is found only at the first.
            if value == min(shared) and all(values & second[1][name] for name, values in first[1].items()):
                yield first, second


def _groups(mapping: LookupMapping) -> frozenset[int | None]:
    return frozenset(group.id for group in mapping.target_groups)


def _name(name: str) -> str:
    return name or "an attribute without a name"


LIST_KEY: Final = "lookup-mappings"
"""The key of what is read of the mappings: the list, and all results computed from it."""
MOST_READ: Final = 20_000
"""How many mappings are read for the comparison."""
_PAGE: Final = 500

PAGE_SIZES: Final = (LOOKUP_MAPPING_PAGE_SIZE, 50, 100)


@dataclass(frozen=True)
class MappingQuery:
    """A search: values by attribute name, each name once, groups by ID, and the order by last change."""

    attributes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    groups: tuple[int, ...] = ()
    newest_first: bool = True

    @property
    def is_everything(self) -> bool:
        """Whether the query selects all mappings."""
        return not self.attributes and not self.groups

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the client's search (interface: Lookup mappings)."""
        return {
            "attributes": {name: list(values) for name, values in self.attributes},
            "groups": list(self.groups),
            "sort": NEWEST_FIRST if self.newest_first else OLDEST_FIRST,
        }

    def sentence(self) -> str:
        """Describe the query: "Mappings whose department is Sales or Legal, latest change first"."""
        conditions = [f"{name} is {names(list(values), last='or')}" for name, values in self.attributes]
        parts = [f"whose {' and '.join(conditions)}"] if conditions else []
        if self.groups:
            parts.append(f"that add people to group {names([str(each) for each in self.groups], last='or')}")
        order = "latest change first" if self.newest_first else "earliest change first"
        return f"{'Mappings ' + ' and '.join(parts) if parts else 'All mappings'}, {order}."


def attribute_problem(name: str, values: Iterable[str]) -> str | None:
    """Return why an attribute cannot be searched for; None if it can."""
    if not name.strip():
        return "Enter the attribute to search for."
    if name in SEARCH_PARAMETERS:
        return f"The service cannot search for an attribute named {name}. The name has another meaning in a search."
    texts = list(values)
    if not texts or any(not value.strip() for value in texts):
        return f"Enter at least one value for {name}."
    if any("," in value for value in texts):
        # ASSUMPTION A164
        return "A search value cannot contain a comma. Add each value separately."
    return None


def attributes_from_url(texts: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Read values by name from URL texts such as `department=Sales`. Texts that cannot be searched for are ignored."""
    found: dict[str, dict[str, None]] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        name = unquote(name)
        if sign and attribute_problem(name, [value]) is None:
            found.setdefault(name, {})[value] = None
    return tuple((name, tuple(values)) for name, values in found.items())


def groups_from_url(texts: Iterable[str]) -> tuple[int, ...]:
    """Read group IDs. Texts that are not IDs are ignored."""
    return tuple(dict.fromkeys(number for text in texts if (number := id_in(text)) is not None))


@dataclass(frozen=True)
class MappingSnapshot:
    """The mappings that were read, all or the first, and results that are computed once, on first use."""

    mappings: Sequence[LookupMapping] = ()
    are_all: bool = True

    @cached_property
    def values(self) -> dict[str, list[str]]:
        """The attribute names, each with its values, both sorted and without duplicates."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for mapping in self.mappings:
            for name, values in attributes_of(mapping):
                found[name].update(values)
        return {name: sorted(found[name]) for name in sorted(found)}

    @cached_property
    def groups(self) -> dict[int, str]:
        """The most common name of each group, by ID, in order; "" if it has none."""
        counted = count_group_names(self.mappings)
        return {number: counted[number].most_common(1)[0][0] if counted[number] else "" for number in sorted(counted)}

    @cached_property
    def findings(self) -> list[Finding]:
        """The mappings that contradict each other, overlap, or never match."""
        return check_mappings(self.mappings)

    def find_case_variants(self, rows: Iterable[Attributes]) -> list[str]:
        """Return for each row what differs only in case from a mapping or a row before it, in sentences; "" for
        nothing.
        """
        # The names of attributes are under "", the values of each attribute under its name.
        known = {"": list(self.values), **self.values}
        usual = {name: {text.casefold(): text for text in reversed(texts)} for name, texts in known.items()}
        exact = {name: set(texts) for name, texts in known.items()}
        notes = []
        for attributes in rows:
            pairs = [("", name) for name, _ in attributes]
            pairs += [(name, value) for name, values in attributes for value in values]
            spellings = [(text, usual.setdefault(name, {}).setdefault(text.casefold(), text)) for name, text in pairs]
            different = [
                f"“{text}” differs from “{other}” only in case."
                for (name, text), (_, other) in zip(pairs, spellings, strict=True)
                if text != other and text not in exact.get(name, ())
            ]
            notes.append(" ".join(dict.fromkeys(different)))
        return notes


def read_all_mappings(workspace: Workspace) -> BackgroundRead[MappingSnapshot]:
    """Return the background read of all mappings, up to `MOST_READ`."""

    def read(tell: ReportProgress) -> MappingSnapshot:
        found: list[LookupMapping] = []
        goes_on = False
        for page in workspace.client.lookup_mappings.search(page_size=_PAGE).pages():
            found += page.items
            goes_on = page.has_next
            tell(len(found), page.total_count)
            # A service may return smaller pages than requested.
            if len(found) >= MOST_READ:
                break
        return MappingSnapshot(found, are_all=not goes_on)

    return server().reads.open(workspace, (LIST_KEY, "every"), read, max_age=MAX_AGE)


def mappings_so_far(workspace: Workspace) -> MappingSnapshot:
    """Return what has been read so far, without waiting."""
    return read_all_mappings(workspace).value or MappingSnapshot()
