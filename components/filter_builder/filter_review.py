"""Drawing the look at a draft before it is saved: what was and what will be, and what somebody else did meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from client import NotFound
from client.models.contact_filters import ContactFilter
from components.contact_filters.comparison import (
    Comparison,
    RuleChange,
    compared,
    field_changes,
    meanwhile,
    name_of,
    same_filter,
    summary,
    what_changes,
)
from components.contact_filters.filter_change import FILTER, changed_by, last_change
from components.contact_filters.filter_draft import (
    FilterDraft,
    as_json,
    base_filter,
    over_theirs,
    theirs_instead,
    to_filter,
)
from components.contact_filters.sentence import rule_words, sentence
from components.filter_builder.filter_page import SEEN, Seen, as_new_button, draw_save_error, look_at_change, not_read
from components.filter_builder.rule_actions import EDITOR, viewers_zone
from components.framework.own_scripts import new_stage
from components.shell.notices import done
from components.widgets.markdown_text import plain
from components.widgets.number_text import count

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

_MARKS: Final = {
    "added": ":green-badge[:material/add: added]",
    "removed": ":red-badge[:material/remove: removed]",
    "changed": ":orange-badge[:material/edit: changed]",
}
_MOVED: Final = ":blue-badge[:material/swap_vert: moved]"


def draw_review(workspace: Workspace, draft: FilterDraft) -> bool:
    """Draw the look at the draft where one was asked for; tell whether it was."""
    if draft.stage != "review":
        return False
    seen, base = SEEN.get(), base_filter(draft)
    if seen.error is not None:
        new_stage(draft.uid, "unreadable")
        st.title(f"Contact filter {plain(draft.title)}", anchor=False)
        _draw_unreadable(workspace, draft, seen.error)
    elif seen.stored is not None and seen.is_overtaken(draft):
        new_stage(draft.uid, "conflict")
        was = name_of(base) if base is not None else ""
        st.title(f"Somebody else changed {plain(was or draft.title)}", anchor=False)
        _draw_conflict(workspace, draft, seen.stored)
    else:
        new_stage(draft.uid, "review")
        verb = "Save the change of" if draft.is_change else "Save"
        st.title(f"{verb} {plain(draft.title)}?", anchor=False)
        _draw_compared(workspace, draft, seen)
    return True


def _draw_compared(workspace: Workspace, draft: FilterDraft, seen: Seen) -> None:
    stored, zone = seen.stored, viewers_zone()
    if stored is not None and seen.over:
        st.warning(
            f"What you save **replaces the version of {plain(_somebody(stored))}** ({plain(last_change(stored))}).",
            icon=":material/group:",
        )
    elif stored is not None and meanwhile(base_filter(draft), stored) == "saved again":
        st.info(
            f"It was saved again since you opened it, with nothing different: {plain(last_change(stored))}.",
            icon=":material/info:",
        )
    comparison = what_changes(draft, stored)
    st.markdown(f":material/format_quote: {plain(sentence(draft, zone))}")
    if draft.is_change:
        st.caption("Held against the filter as the service has it now: what was, and what will be.")
        st.markdown(summary(comparison))
        if comparison.name_changes:
            was = plain(comparison.name_was) or "nothing"
            st.markdown(
                f"{_MARKS['changed']} **Name**  \nwas: {was}  \nwill be: **{plain(comparison.name_now)}**",
            )
        _draw_rules(comparison, zone, "will be")
    else:
        st.markdown("\n".join(f"1. {plain(rule_words(change.now or {}, zone))}" for change in comparison.rules))
    if comparison.muted:
        said = "\n".join(f"- {plain(rule_words(rule, zone))}" for rule in comparison.muted)
        number = count(len(comparison.muted), "muted rule is", "muted rules are")
        st.warning(f"**{number} left out** and let go of once it is saved:\n{said}", icon=":material/volume_off:")
    with st.expander("Show the request", icon=":material/code:"):
        st.code(as_json(draft), language="json")
    draw_save_error(draft)
    with st.container(horizontal=True):
        _draw_back()
        st.button(
            "Save the change" if draft.is_change else "Save the filter",
            key="contact-filter-save-now",
            type="primary",
            icon=":material/save:",
            disabled=draft.is_change and comparison.is_same,
            on_click=EDITOR.send,
            args=(workspace,),
        )


def _draw_conflict(workspace: Workspace, draft: FilterDraft, theirs: ContactFilter) -> None:
    ours = to_filter(draft)
    is_same = same_filter(ours, theirs)
    if is_same:
        st.success(
            f"The stored filter already says exactly what yours says: {plain(last_change(theirs))}. "
            "There is nothing left to save.",
            icon=":material/check_circle:",
        )
    else:
        st.warning(
            f"**{plain(_somebody(theirs))} has changed this filter since you opened it** "
            f"({plain(last_change(theirs))}). Nothing of yours is saved, and nothing of theirs is replaced, until you "
            "choose.",
            icon=":material/group:",
        )
    with st.container(horizontal=True):
        st.button(
            "Take theirs",
            key="contact-filter-take-theirs",
            icon=":material/download_done:",
            help="Go on from their version. Undo brings back yours.",
            on_click=_take_theirs,
            args=(theirs,),
        )
        if not is_same:
            st.button(
                "Keep mine, replace theirs",
                key="contact-filter-keep-ours",
                icon=":material/published_with_changes:",
                help="Shows what that does to their version before it is saved.",
                on_click=_keep_ours,
                args=(theirs,),
            )
            as_new_button(workspace, keep_name=False)
        _draw_back()
    if is_same:
        return
    st.caption("Marked against the filter as it was when you opened it.")
    base, zone = base_filter(draft) or ContactFilter(name=""), viewers_zone()
    for column, whose, said, version in zip(
        st.columns(2, gap="medium"),
        ("Theirs", "Yours"),
        (plain(last_change(theirs)), "not saved yet"),
        (theirs, ours),
        strict=True,
    ):
        with column, st.container(border=True):
            comparison = compared(base, version)
            st.subheader(whose, anchor=False)
            st.caption(said)
            name = f"**{plain(comparison.name_now)}**"
            st.markdown(f"{_MARKS['changed']} {name}" if comparison.name_changes else name)
            _draw_rules(comparison, zone, "now")


def _draw_unreadable(workspace: Workspace, draft: FilterDraft, error: Exception) -> None:
    not_read(workspace, error, f"reading the stored filter before {FILTER.words.doing(draft)}")
    if not isinstance(error, NotFound):
        st.button(
            "Try again",
            key="contact-filter-review-again",
            type="primary",
            icon=":material/refresh:",
            on_click=look_at_change,
            args=(workspace,),
        )
    _draw_back()


def _draw_back() -> None:
    st.button("Back to the rules", key="contact-filter-back", icon=":material/arrow_back:", on_click=_back_to_rules)


def _back_to_rules() -> None:
    EDITOR.set_stage(review=False)
    EDITOR.forget_error()


def _take_theirs(theirs: ContactFilter) -> None:
    """Go on from their version; undo brings back one's own."""
    EDITOR.do("take their version", lambda draft: theirs_instead(draft, theirs))
    SEEN.set(Seen(theirs))
    EDITOR.forget_error()
    done("This is their version now. Undo brings back yours.")


def _keep_ours(theirs: ContactFilter) -> None:
    """Make the draft a change of their version: saving it replaces theirs, which is shown first."""
    draft = EDITOR.draft.get()
    if draft is not None:
        EDITOR.draft.set(over_theirs(draft, theirs))
        SEEN.set(Seen(theirs, over=True))


def _somebody(stored: ContactFilter) -> str:
    return changed_by(stored) or "Somebody else"


def _draw_rules(comparison: Comparison, zone: str, then: str) -> None:
    for change in comparison.rules:
        st.markdown(_change_words(change, zone, then))


def _change_words(change: RuleChange, zone: str, then: str) -> str:
    place = "" if change.kind == "removed" else f"{change.now_number}\\. "
    marks = place + " ".join(filter(None, (_MARKS.get(change.kind), _MOVED if change.moved else "")))
    was, now = (plain(rule_words(rule or {}, zone)) for rule in (change.was, change.now))
    match change.kind:
        case "changed" if was == now:
            # What is different does not show in the words: an id of the field, say.
            parts = [f"{what}: {a} → {b}" for what, (a, b) in field_changes(change.was or {}, change.now or {}).items()]
            return f"{marks} {now}  \n{'  '.join(map(plain, parts))}"
        case "changed":
            return f"{marks}  \nwas: {was}  \n{then}: **{now}**"
        case "removed":
            return f"{marks} ~~{was}~~"
        case "added":
            return f"{marks} **{now}**"
    return f"{marks} {now} (it was number {change.was_number})" if change.moved else f"{marks}{now}"
