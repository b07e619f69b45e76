"""A filter on its way to the service and back without loss: the draft as a contact filter, and as exact JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from client.models.contact_filters import ContactFilter
from client.vocabulary.contact_filters import FILTER_TYPE
from components.contact_filters.columns import needs_field_id
from components.contact_filters.filter_draft import FilterDraft, RuleDraft


def to_filter(draft: FilterDraft) -> ContactFilter:
    """The filter that would be sent: its name and the rules that are not muted, each as `wire` has it."""
    rules = [deepcopy(rule.wire) if draft.is_change else without_id(rule.wire) for rule in draft.live_rules]
    return ContactFilter.from_wire(
        {"name": draft.name.strip(), "contactFilterType": FILTER_TYPE, "contactFilterRules": rules}
    )


def from_filter(found: ContactFilter, filter_id: int | None = None) -> FilterDraft:
    """A draft of a filter that the service gave: with its id the change of it, without one a copy to be saved anew."""
    rules = [rule.to_wire() for rule in found.rules]
    if filter_id is None:
        return FilterDraft(name=found.name or "", rules=[RuleDraft(wire=without_id(wire)) for wire in rules])
    base = found.model_dump(by_alias=True, mode="json", exclude_none=True)
    return FilterDraft(
        filter_id=filter_id,
        name=found.name or "",
        rules=[RuleDraft(wire=wire, stored=deepcopy(wire)) for wire in rules],
        base={**base, "contactFilterRules": deepcopy(rules)},
    )


def base_filter(draft: FilterDraft) -> ContactFilter | None:
    """The stored filter that a change began with; None for a new one."""
    return ContactFilter.from_wire(draft.base) if draft.base is not None else None


def without_id(wire: Mapping[str, Any]) -> dict[str, Any]:
    """A rule without the id that it has in the stored filter it came from: ids are given by the service.

    Without a contact field 0 as well, where none is asked for: that is how others write that there is none, and the
    service takes it for an id.
    """
    left_out = {"id"}
    if wire.get("contactFieldId") == 0 and not needs_field_id(wire):
        left_out.add("contactFieldId")
    return {name: deepcopy(value) for name, value in wire.items() if name not in left_out}


def as_json(draft: FilterDraft) -> str:
    """The exact JSON that would be sent."""
    return json.dumps(to_filter(draft).to_wire(), ensure_ascii=False, indent=2)


def take_over(draft: FilterDraft, opened: FilterDraft) -> FilterDraft:
    """Put name and rules of an opened filter in place of a draft's own.

    A rule that is one of the stored filter's, but for its id, counts as that one and as untouched.
    """
    left = [dict(rule) for rule in (draft.base or {}).get("contactFilterRules", [])]
    rules: list[RuleDraft] = []
    for rule in opened.rules:
        found = next((one for one in left if _text(one) == _text(rule.wire)), None)
        if found is None:
            rules.append(rule)
        else:
            left.remove(found)
            rules.append(rule.model_copy(update={"wire": found, "stored": deepcopy(found)}))
    return draft.model_copy(update={"name": opened.name or draft.name, "rules": rules, "refused": []})


def _text(wire: Mapping[str, Any]) -> str:
    return json.dumps(without_id(wire), sort_keys=True)
