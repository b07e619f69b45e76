"""Drawing two versions of a contact filter against each other: in one list, or side by side."""

from __future__ import annotations

from typing import Final

import streamlit as st

from client.models.contact_filters import ContactFilter
from components.contact_filters.comparison import Comparison, RuleChange, compared, field_changes, summary
from components.contact_filters.filter_frame import last_change
from components.contact_filters.sentence import rule_words
from components.widgets.markdown_text import plain
from components.widgets.number_text import count

_MARKS: Final = {
    "added": ":green-badge[:material/add: added]",
    "removed": ":red-badge[:material/remove: removed]",
    "changed": ":orange-badge[:material/edit: changed]",
}
_MOVED: Final = ":blue-badge[:material/swap_vert: moved]"


def draw_comparison(comparison: Comparison, zone: str) -> None:
    """Draw what was and what will be, rule by rule, in the order they will have."""
    st.markdown(summary(comparison))
    if comparison.name_changes:
        st.markdown(
            f"{_MARKS['changed']} **Name**  \n"
            f"was: {plain(comparison.name_was) or 'nothing'}  \nwill be: **{plain(comparison.name_now)}**"
        )
    for change in comparison.rules:
        _draw_change(change, zone, "will be")
    _draw_left_out(comparison, zone)


def draw_new(comparison: Comparison, zone: str) -> None:
    """Draw the rules that a new filter will have: there is nothing that it changes."""
    st.markdown("\n".join(f"1. {plain(rule_words(change.now or {}, zone))}" for change in comparison.rules))
    _draw_left_out(comparison, zone)


def draw_side_by_side(base: ContactFilter | None, theirs: ContactFilter, ours: ContactFilter, zone: str) -> None:
    """Draw their version beside one's own, each with what became of the filter as it was opened."""
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, key="contact-filter-theirs"):
        st.subheader("Theirs", anchor=False)
        st.caption(plain(last_change(theirs)))
        _draw_version(compared(base or ContactFilter(name=""), theirs), zone)
    with right, st.container(border=True, key="contact-filter-ours"):
        st.subheader("Yours", anchor=False)
        st.caption("not saved yet")
        _draw_version(compared(base or ContactFilter(name=""), ours), zone)


def _draw_left_out(comparison: Comparison, zone: str) -> None:
    if not comparison.muted:
        return
    said = "\n".join(f"- {plain(rule_words(rule, zone))}" for rule in comparison.muted)
    number = count(len(comparison.muted), "muted rule is", "muted rules are")
    st.warning(f"**{number} left out** and let go of once it is saved:\n{said}", icon=":material/volume_off:")


def _draw_version(comparison: Comparison, zone: str) -> None:
    name = f"**{plain(comparison.name_now)}**"
    st.markdown(f"{_MARKS['changed']} {name}" if comparison.name_changes else name)
    for change in comparison.rules:
        _draw_change(change, zone, "now")


def _draw_change(change: RuleChange, zone: str, then: str) -> None:
    number = change.now_number or change.was_number or 0
    marks = " ".join(mark for mark in (_MARKS.get(change.kind, ""), _MOVED if change.moved else "") if mark)
    if change.kind == "changed" and change.was is not None and change.now is not None:
        was, now = rule_words(change.was, zone), rule_words(change.now, zone)
        if was == now:
            # What is different does not show in the words: an id of the field, say.
            parts = [f"{what}: {a} → {b}" for what, (a, b) in field_changes(change.was, change.now).items()]
            st.markdown(f"{number}\\. {marks} {plain(now)}  \n{'  '.join(map(plain, parts))}")
        else:
            st.markdown(f"{number}\\. {marks}  \nwas: {plain(was)}  \n{then}: **{plain(now)}**")
        return
    words = plain(rule_words(change.now or change.was or {}, zone))
    if change.kind == "removed":
        st.markdown(f"{marks} ~~{words}~~")
    elif change.moved:
        st.markdown(f"{number}\\. {marks} {words} (it was number {change.was_number})")
    elif change.kind == "added":
        st.markdown(f"{number}\\. {marks} **{words}**")
    else:
        st.markdown(f"{number}\\. {words}")
