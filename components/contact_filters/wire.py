"""A filter on its way to the service and back: the draft as a contact filter, as exact JSON, and from either."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from components.contact_filters.conversion import base_filter, from_filter, to_filter, without_id
from components.contact_filters.departures import marks
from components.contact_filters.draft import FilterDraft, RuleDraft
from components.contact_filters.opened_json import OpenedJson, from_json

__all__ = [
    "OpenedJson",
    "as_json",
    "base_filter",
    "from_filter",
    "from_json",
    "marks",
    "same_content",
    "take_over",
    "to_filter",
]


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


def same_content(one: FilterDraft, other: FilterDraft) -> bool:
    """Whether both would send the same name and rules, and hold the same texts that cannot be read yet."""
    return _content(one) == _content(other)


def _content(draft: FilterDraft) -> str:
    rules = [[without_id(rule.wire), rule.typed] for rule in draft.live_rules]
    return json.dumps([draft.name.strip(), rules], sort_keys=True)


def _text(wire: Mapping[str, Any]) -> str:
    return json.dumps(without_id(wire), sort_keys=True)
