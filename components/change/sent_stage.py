"""Drawing where a draft stands once its sending began: under way, sent, or unknown with a way to find out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from components.change import kept_drafts
from components.change.declaration import D
from components.change.drafting import FROM_THERE, Editor
from components.change.kept_drafts import Fate, Kept, why_unknown
from components.framework.own_scripts import new_stage
from components.shell.changing import follow, is_under_way
from components.shell.navigation import go_to, link_to
from components.shell.notices import done, show_problem
from components.shell.screens import JOURNAL
from components.widgets.confirm import confirm_dialog
from components.widgets.markdown_text import plain
from components.widgets.number_text import count
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


def draft_on_screen(workspace: Workspace, editor: Editor[D]) -> D | None:
    """Give the draft that is being typed, kept as it is now; or draw where it stands since its sending began."""
    draft = editor.current()
    if draft is None:
        return None
    change = editor.change
    if is_under_way(workspace, change.kind, draft.uid):
        new_stage(draft.uid, Fate.SENDING)
        _sending(editor, draft)
        return None
    kept = kept_drafts.load(workspace, change, draft.uid)
    if kept is None or kept.fate is Fate.UNSENT:
        return editor.keep(workspace, draft, kept)
    new_stage(draft.uid, kept.fate)
    if kept.fate is Fate.SENT:
        _sent(editor, kept)
    elif kept.fate is Fate.SENDING:
        _sending(editor, draft)
        follow(lambda: not kept_drafts.is_being_sent(workspace, change, draft.uid))
    else:
        _unknown(workspace, editor, kept)
    return None


def draw_note(editor: Editor[D]) -> None:
    """Say where the draft comes from, and what another tab made of it, with the way to take that instead."""
    if not editor.note.get():
        return
    st.info(plain(editor.note.get()), icon=":material/edit_note:")
    steps = editor.steps.get()
    if steps and steps[-1][0] == FROM_THERE:
        st.button(
            "Take what the other tab has",
            key=f"{editor.change.key}.theirs",
            icon=":material/sync:",
            on_click=editor.undo,
        )


def draw_error(editor: Editor[D], draft: D) -> None:
    """Say why the draft could not be sent, or settled, last."""
    error = editor.error_of(draft)
    if error is not None:
        show_problem(error, doing=editor.change.words.doing(draft), key=f"{editor.change.key}-error")


def draw_unfinished(workspace: Workspace, editor: Editor[D], *, but: str = "", expanded: bool = False) -> None:
    """Draw what the person began and did not finish, with a way on and a way to let go of each."""
    change, noun = editor.change, editor.change.words.noun
    found = [kept for kept in kept_drafts.unfinished(workspace, change) if kept.draft.uid != but]
    if not found:
        return
    unknown = sum(kept.fate is Fate.UNKNOWN for kept in found)
    label = count(len(found), f"unfinished {noun}", f"unfinished {noun}s")
    with st.expander(
        f"{label} · {unknown:,} with an unknown outcome" if unknown else label,
        icon=":material/edit_note:",
        expanded=expanded and bool(unknown),
    ):
        st.caption("Kept for you alone, and not at the service until you send them.")
        for kept in found:
            _draw_unfinished(workspace, editor, kept)


def ask_to_discard(workspace: Workspace, editor: Editor[D], draft: D) -> None:
    """Ask before what was typed is let go of; call it in the run in which the button was pressed."""
    noun, what = editor.change.words.noun, "change" if draft.is_change else "draft"
    confirm_dialog(
        f"Discard this {what}?",
        [
            f"**{plain(draft.title)}**, as you typed it, is forgotten.",
            f"The {noun} at the service stays as it is." if draft.is_change else "Nothing of it was ever sent.",
        ],
        "Discard the change" if draft.is_change else f"Discard {draft.title}",
        partial(_discard, workspace, editor, draft),
        key=f"{editor.change.key}.discard_dialog",
        keep_label="Keep it",
        icon=":material/delete_sweep:",
    )


def _discard(workspace: Workspace, editor: Editor[D], draft: D) -> None:
    kept_drafts.discard(workspace, editor.change, draft.uid)
    held = editor.draft.get()
    if held is not None and held.uid == draft.uid:
        editor.draft.clear()
        st.query_params.pop("draft", None)
    done(f"The {'change of' if draft.is_change else 'draft'} {draft.title} is discarded.")


def _draw_unfinished(workspace: Workspace, editor: Editor[D], kept: Kept[D]) -> None:
    draft, change = kept.draft, editor.change
    kind = {
        Fate.UNKNOWN: "outcome unknown",
        Fate.SENDING: f"being {change.words.sent}",
    }.get(kept.fate, "a change" if draft.is_change else "new")
    number = f" · id {draft.subject_id}" if draft.is_change else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        link_to(
            change.screen,
            f"{plain(draft.title)} ({kind}{number}, {moment(kept.version)})",
            icon=":material/edit:",
            **change.query(draft),
        )
        if kept.fate is Fate.UNSENT and st.button(
            "Discard",
            key=f"{change.key}.discard/{draft.uid}",
            icon=":material/delete_sweep:",
            type="tertiary",
            help=f"Discard {plain(draft.title)}",
        ):
            ask_to_discard(workspace, editor, draft)


def _titled(editor: Editor[D], draft: D) -> str:
    return f"{editor.change.words.noun.capitalize()} {plain(draft.title)}"


def _sending(editor: Editor[D], draft: D) -> None:
    sent = editor.change.words.sent
    st.title(f"{_titled(editor, draft)} is being {sent}", anchor=False)
    st.info(
        f"You can go on elsewhere, or close this tab: it is {sent} once, and you are told what became of it.",
        icon=":material/hourglass_top:",
    )


def _sent(editor: Editor[D], kept: Kept[D]) -> None:
    draft, sent = kept.draft, editor.change.words.sent
    screen, query = editor.change.landing(kept)
    if editor.just_sent.get() == draft.uid:
        editor.just_sent.clear()
        editor.draft.clear()
        go_to(screen, **query)
    st.title(f"{_titled(editor, draft)} has been {sent}", anchor=False)
    when = f", {moment(kept.entry.at)}" if kept.entry is not None else ""
    st.success(f"It was {sent} once{when}. It is not {sent} again.", icon=":material/check_circle:")
    link_to(screen, f"Open {plain(draft.title)}", **query)
    link_to(editor.change.screen, f"Begin another {editor.change.words.noun}")


def _unknown(workspace: Workspace, editor: Editor[D], kept: Kept[D]) -> None:
    draft, words, key = kept.draft, editor.change.words, editor.change.key
    st.title(f"{_titled(editor, draft)}: unknown", anchor=False)
    st.warning(
        f"**It is not known whether the service {words.did(draft)} this {words.noun}.** {why_unknown(kept.entry)} "
        "Nothing is sent again by itself: look first, then decide.",
        icon=":material/help:",
    )
    draw_error(editor, draft)
    found = editor.found_for(draft)
    if is_under_way(workspace, editor.deciding, draft.uid):
        st.info("What you decided is being written down.", icon=":material/hourglass_top:")
        return
    if is_under_way(workspace, editor.looking, draft.uid):
        st.info(
            "Muster looks what the service holds. You can go on elsewhere: looking changes nothing, and what it finds "
            "stands here.",
            icon=":material/hourglass_top:",
        )
    else:
        st.button(
            "Look at the service" if found is None else "Look again",
            key=f"{key}.look",
            type="primary" if found is None else "secondary",
            icon=":material/search:",
            on_click=editor.look,
            args=(workspace, kept),
        )
    if isinstance(found, Exception):
        show_problem(found, doing=f"looking for {words.noun} {draft.title}", key=f"{key}-look")
    elif found is not None:
        _found(workspace, editor, kept)
    link_to(JOURNAL, "See it in the journal", entry=kept.entry.id if kept.entry is not None else None)


def _found(workspace: Workspace, editor: Editor[D], kept: Kept[D]) -> None:
    draft, words, key = kept.draft, editor.change.words, editor.change.key
    found = editor.found_for(draft)
    assert isinstance(found, list)  # noqa: S101 — asked by the caller
    st.subheader("What the service holds now", anchor=False)
    if before := words.before(kept):
        st.caption(plain(before))
    if not found:
        st.info(plain(words.nothing_found(draft)), icon=":material/search_off:")
    screen, _ = editor.change.landing(kept)
    for number, candidate in enumerate(found):
        with st.container(border=True):
            st.markdown(f"**{plain(candidate.title)}**")
            st.caption(plain(candidate.told))
            with st.container(horizontal=True, vertical_alignment="center"):
                link_to(screen, "Open it", **candidate.query)
                st.button(
                    "This is it: mark as done",
                    key=f"{key}.settle/{candidate.subject_id or number}",
                    icon=":material/check:",
                    type="primary" if candidate.looks_like_it and number == 0 else "secondary",
                    on_click=editor.settle,
                    args=(workspace, kept, candidate),
                )
    st.button(
        words.not_done,
        key=f"{key}.again",
        icon=":material/replay:",
        on_click=editor.give_back,
        args=(workspace, kept),
    )
