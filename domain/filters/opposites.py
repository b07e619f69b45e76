"""Rules inverted: the comparison becomes its opposite, where the interface has one for the column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from domain.filters import columns
from domain.filters.filter_draft import FilterDraft
from domain.filters.rule_steps import set_operator_and_option

_OPPOSITES: Final = {"E": "NE", "LIKE": "NLIKE", "IN": "NIN", "LT": "GTE", "GT": "LTE", "ISNULL": "NOTNULL"}
_BOTH_WAYS: Final = {**_OPPOSITES, **{opposite: operator for operator, opposite in _OPPOSITES.items()}}
_ORDERED: Final = ("LT", "LTE", "GT", "GTE")


def find_opposite(payload: Mapping[str, Any]) -> str | None:
    """Return the opposite of a rule's comparison; None if the column does not allow one."""
    opposite = _BOTH_WAYS.get(columns.effective_operator(payload) or "")
    return opposite if opposite in columns.operators_of(payload) else None


def opposite_label(payload: Mapping[str, Any]) -> str:
    """Return the label of the button that inverts the rule."""
    opposite = find_opposite(payload)
    return "Invert rule" if opposite is None else f"Invert to “{columns.operator_label(payload, opposite)}”"


def describe_opposite(payload: Mapping[str, Any]) -> str:
    """Say why a rule has no opposite, or who matches neither or both of two ordered comparisons; "" if not needed."""
    operator = columns.effective_operator(payload)
    if find_opposite(payload) is None:
        comparison = columns.operator_label(payload, operator)
        return f"The service has no opposite of “{comparison}” for “{columns.column_name_for(payload)}”."
    if operator not in _ORDERED:
        return ""
    words = columns.labels_of(columns.key_of_rule(payload) or "")
    # ASSUMPTION A86
    several = "" if words is None or words.is_single else " Someone with several values may match both."
    return f"Someone without a value matches neither comparison.{several}"


def invert(draft: FilterDraft, uid: str, zone: str = "UTC") -> FilterDraft:
    """Change the comparison of a rule to its opposite, if it has one, and keep the value."""
    payload = next((rule.payload for rule in draft.rules if rule.uid == uid), {})
    opposite = find_opposite(payload)
    return draft if opposite is None else set_operator_and_option(draft, uid, opposite, zone)
