"""Compare two versions of a contact filter: added, removed, changed, and moved rules, and the name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any, Final, Literal

from client.models.contact_filters import ContactFilter
from domain.filters.filter_draft import FilterDraft, base_filter, content_of, has_same_rules, to_filter
from domain.filters.values import editable_text
from domain.text.plain_text import count

RuleJson = dict[str, Any]
Kind = Literal["same", "added", "removed", "changed"]

_FIELD_WORDS: Final = {
    "contactFieldId": "Contact field ID",
    "columnName": "Column",
    "columnValue": "Value",
    "attributeId": "Attribute ID",
    "attributeValues": "Values",
    "type": "Column type",
    "dataType": "Data type",
    "operator": "Comparison",
    "contactFilterOption": "Option",
    "embeddedColumnName": "Embedded object",
}


@dataclass(frozen=True)
class RuleChange:
    """The change of one rule. `old` is None for an added rule, `new` for a removed one. Numbers count from 1."""

    kind: Kind
    old: RuleJson | None
    new: RuleJson | None
    old_number: int | None = None
    new_number: int | None = None
    is_moved: bool = False
    """Whether its position among the remaining rules has changed. It may have changed in other ways too."""


@dataclass(frozen=True)
class Comparison:
    """The differences between two versions of a filter."""

    old_name: str
    new_name: str
    rules: tuple[RuleChange, ...]
    """All rules in the new order."""
    muted: tuple[RuleJson, ...] = ()
    """The rules that the later version leaves out."""

    @property
    def has_new_name(self) -> bool:
        """Whether the filter is renamed."""
        return self.old_name != self.new_name

    @property
    def is_same(self) -> bool:
        """Whether nothing is different."""
        return not self.has_new_name and all(rule.kind == "same" and not rule.is_moved for rule in self.rules)


def compare_filters(old: ContactFilter, new: ContactFilter, *, muted: Sequence[RuleJson] = ()) -> Comparison:
    """Compare two versions. `muted` are rules that the later one leaves out."""
    rules = compare_rules(rules_of(old), rules_of(new))
    return Comparison(name_of(old), name_of(new), tuple(rules), tuple(muted))


def compare_with_stored(draft: FilterDraft, stored: ContactFilter | None = None) -> Comparison:
    """Compare the draft with `stored`, or by default with the filter as it was opened."""
    old = stored or base_filter(draft) or ContactFilter(name="")
    return compare_filters(old, to_filter(draft), muted=[rule.payload for rule in draft.rules if rule.muted])


def compare_rules(old: Sequence[RuleJson], new: Sequence[RuleJson]) -> list[RuleChange]:
    """Pair the rules of two versions and describe the change of each, in the new order.

    Rules are paired by their contents, then by ID, then by column. Removed rules come where they were.
    """
    pairs = _pairs(old, new)
    moved = _moved(pairs)
    changes: list[tuple[float, RuleChange]] = []
    for position, rule in enumerate(new):
        before = pairs.get(position)
        if before is None:
            change = RuleChange("added", None, rule, None, position + 1)
        else:
            kind: Kind = "same" if content_of(old[before]) == content_of(rule) else "changed"
            change = RuleChange(kind, old[before], rule, before + 1, position + 1, position in moved)
        changes.append((position, change))
    place = {before: position for position, before in pairs.items()}
    for before, rule in enumerate(old):
        if before not in place:
            follows = max((place[other] for other in place if other < before and place[other] not in moved), default=-1)
            changes.append((follows + 0.5, RuleChange("removed", rule, None, before + 1, None)))
    return [change for _, change in sorted(changes, key=lambda each: each[0])]


def summarize(comparison: Comparison) -> str:
    """Summarize the differences in one line."""
    if comparison.is_same:
        return "No changes."
    number: Counter[str] = Counter(
        change.kind for change in comparison.rules if change.kind != "same" or not change.is_moved
    )
    number["moved"] = sum(change.is_moved for change in comparison.rules)
    parts = ["new name"] if comparison.has_new_name else []
    for kind in ("added", "removed", "changed", "moved"):
        parts += [count(number[kind], f"rule {kind}", f"rules {kind}")] if number[kind] else []
    parts += [count(number["same"], "rule unchanged", "rules unchanged")] if number["same"] else []
    return " · ".join(parts)


def field_changes(old: RuleJson, new: RuleJson) -> dict[str, tuple[str, str]]:
    """Return the differences between two versions of a rule, as (before, after) by label."""
    one, other = content_of(old), content_of(new)
    return {
        _FIELD_WORDS.get(name, name): (
            editable_text(one.get(name)) or "nothing",
            editable_text(other.get(name)) or "nothing",
        )
        for name in {**one, **other}
        if one.get(name) != other.get(name)
    }


def is_same_filter(one: ContactFilter, other: ContactFilter) -> bool:
    """Return whether two filters have the same name and the same rules in the same order."""
    return name_of(one) == name_of(other) and has_same_rules(rules_of(one), rules_of(other))


def name_of(contact_filter: ContactFilter) -> str:
    """Return the name without spaces around it, as it is sent."""
    return (contact_filter.name or "").strip()


def rules_of(contact_filter: ContactFilter) -> list[RuleJson]:
    """Return the rules as JSON."""
    return [rule.to_wire() for rule in contact_filter.rules]


def changed_at(contact_filter: ContactFilter) -> datetime | None:
    """Return the time of the last change; None if it is unknown."""
    # ASSUMPTION A82: a record tells the time of its last change as `lastModifiedDate` or as `lastModifiedTime`.
    return contact_filter.last_modified_date or contact_filter.last_modified_time


StoredChange = Literal["nothing", "saved again", "changed"]


def find_stored_change(base: ContactFilter | None, stored: ContactFilter) -> StoredChange:
    """Return what happened to the stored filter since it was opened.

    "saved again" means another time of the last change but the same contents, so that overwriting loses nothing.
    """
    if base is None or not is_same_filter(base, stored):
        return "changed"
    before, after = changed_at(base), changed_at(stored)
    return "saved again" if before is not None and after is not None and before != after else "nothing"


def _pairs(was: Sequence[RuleJson], now: Sequence[RuleJson]) -> dict[int, int]:
    """Return for each position in `now` the position in `was` that it comes from. A rule is paired once at most."""
    pairs: dict[int, int] = {}
    free = list(range(len(was)))

    def pair(alike: Callable[[RuleJson, RuleJson], bool]) -> None:
        for position, rule in enumerate(now):
            if position in pairs:
                continue
            found = next((before for before in free if alike(was[before], rule)), None)
            if found is not None:
                pairs[position] = found
                free.remove(found)

    pair(lambda one, other: content_of(one) == content_of(other) and one.get("id") == other.get("id"))
    pair(lambda one, other: content_of(one) == content_of(other))
    pair(lambda one, other: one.get("id") is not None and one.get("id") == other.get("id"))
    pair(lambda one, other: _subject(one) == _subject(other))
    return pairs


def _subject(rule: RuleJson) -> tuple[Any, ...]:
    """Return what a rule is about, without its operator and value."""
    return tuple(rule.get(name) or None for name in ("type", "columnName", "embeddedColumnName", "attributeId"))


def _moved(pairs: Mapping[int, int]) -> set[int]:
    """Return the positions in the later version that are not part of the longest run in the old order."""
    now = sorted(pairs)
    blocks = SequenceMatcher(None, sorted(pairs.values()), [pairs[each] for each in now], autojunk=False)
    in_order = {now[at] for block in blocks.get_matching_blocks() for at in range(block.b, block.b + block.size)}
    return set(pairs) - in_order
