"""Draw the differences between two versions of a filter, rule by rule."""

from __future__ import annotations

from typing import Final

import streamlit as st

from domain.filters.comparison import Comparison, RuleChange, field_changes
from domain.filters.names.id_names import IdNames
from domain.filters.sentence import describe_rule
from domain.text.plain_text import plain

MARKS: Final = {
    "added": ":green-badge[:material/add: Added]",
    "removed": ":red-badge[:material/remove: Removed]",
    "changed": ":orange-badge[:material/edit: Changed]",
}
_MOVED: Final = ":blue-badge[:material/swap_vert: Moved]"


def draw_new_name(comparison: Comparison) -> None:
    """Draw the old and the new name if the filter is renamed."""
    if comparison.has_new_name:
        was = plain(comparison.old_name) or "none"
        st.markdown(f"{MARKS['changed']} **Name**  \nBefore: {was}  \nAfter: **{plain(comparison.new_name)}**")


def draw_rules(comparison: Comparison, zone: str, names: IdNames) -> None:
    """Draw every rule of both versions with its change."""
    for each in comparison.rules:
        st.markdown(_change_text(each, zone, names))


def _change_text(rule: RuleChange, zone: str, names: IdNames) -> str:
    place = "" if rule.kind == "removed" else f"{rule.new_number}\\. "
    marks = place + " ".join(filter(None, (MARKS.get(rule.kind), _MOVED if rule.is_moved else "")))
    was, now = (plain(describe_rule(each or {}, zone, names)) for each in (rule.old, rule.new))
    match rule.kind:
        case "changed" if was == now:
            # The difference is not in the sentence: it may be the ID of the field.
            parts = [f"{what}: {a} → {b}" for what, (a, b) in field_changes(rule.old or {}, rule.new or {}).items()]
            return f"{marks} {now}  \n{'  '.join(map(plain, parts))}"
        case "changed":
            return f"{marks}  \nBefore: {was}  \nAfter: **{now}**"
        case "removed":
            return f"{marks} ~~{was}~~"
        case "added":
            return f"{marks} **{now}**"
    return f"{marks} {now} (was number {rule.old_number})" if rule.is_moved else f"{marks}{now}"
