"""Drawing where a draft stands once its sending began: under way, sent, or unknown with a way to find out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from client import OutcomeUnknown, ServiceError
from components.edits.draft_editor import KEPT_HERE, QUERY, Editor
from components.shell.address import go_to, link_to
from components.shell.changing import follow, is_under_way
from components.shell.confirm import confirm_dialog
from components.shell.notices import done, failed, show_problem
from components.shell.page_header import draw_page_header
from components.streamlit_workarounds.own_scripts import new_stage
from domain.edits import stored_drafts
from domain.edits.edit import D, ReconcileCandidate, Reconciliation
from domain.edits.stored_drafts import SendStatus, StoredDraft, why_unknown
from domain.runtime.screens import JOURNAL
from domain.text.plain_text import count, in_short, plain

if TYPE_CHECKING:
    from domain.edits.edit import SubjectId
    from domain.runtime.workspace import Workspace

SLOW: Final = timedelta(seconds=15)
"""After which what is being sent by something that may have stopped can be looked for."""


def draft_on_screen(
    workspace: Workspace, editor: Editor[D], told: Callable[[Workspace, StoredDraft[D]], None] | None = None
) -> D | None:
    """Give the draft that is being typed, kept as it is now; or draw where it stands since its sending began.

    `told` draws what else there is to tell, and to do, of one that was sent, or whose outcome is unknown; the page then
    stays where it is.
    """
    draft = editor.current()
    if draft is None:
        return None
    change = editor.change
    if is_under_way(workspace, change.kind, draft.uid):
        new_stage(draft.uid, SendStatus.SENDING)
        _sending(editor, draft)
        return None
    # Named by the address: it may be a colleague's, or discarded since it was sent.
    find = stored_drafts.find_draft if st.query_params.get(QUERY) == draft.uid else stored_drafts.load
    kept = find(workspace, change, draft.uid)
    if kept is None or kept.status is SendStatus.DRAFT:
        if kept is not None and kept.cut_off is not None:
            editor.note.set(editor.cut_off(workspace, kept))
        draft = editor.keep(workspace, draft, kept)
        if not draft.is_change and editor.is_kept(draft):
            # So that a refresh finds it again.
            st.query_params[QUERY] = draft.uid
        return draft
    new_stage(draft.uid, kept.status)
    if kept.status is SendStatus.SENT:
        _sent(workspace, editor, kept, told, None if told is not None else editor.unsent(draft, kept))
    elif kept.status is SendStatus.SENDING:
        _sending(editor, draft)
        was_slow = _is_slow(kept)
        if was_slow:
            st.markdown(
                "No word yet. If what sent it has stopped, Muster knows after two minutes at most; you can look at the "
                "service already."
            )
            _looking(workspace, editor, kept)
        follow(
            lambda: not stored_drafts.is_being_sent(workspace, change, draft.uid) or _is_slow(kept) is not was_slow,
        )
    else:
        _unknown(workspace, editor, kept, told)
    return None


def _is_slow(kept: StoredDraft[D]) -> bool:
    # Either way: a clock that was set back must not hide the way to look.
    return kept.begun_at is not None and abs(datetime.now(UTC) - kept.begun_at) > SLOW


def draw_note(editor: Editor[D]) -> None:
    """Say where the draft comes from, and what another tab made of it, with the way to take that instead."""
    if not editor.note.get():
        return
    st.info(plain(editor.note.get()), icon=":material/edit_note:")
    steps = editor.steps.get()
    if steps and steps[-1].what == KEPT_HERE:
        st.button(
            "Take what the other tab has",
            key=f"{editor.change.key}.theirs",
            icon=":material/sync:",
            on_click=editor.undo,
        )


def draw_undo(editor: Editor[D]) -> None:
    """Draw the way back from the last step, where there is one."""
    steps = editor.steps.get()
    if steps:
        st.button(
            f"Undo: {plain(steps[-1].what)}",
            key=f"{editor.change.key}.undo",
            icon=":material/undo:",
            type="tertiary",
            on_click=editor.undo,
        )


def draw_overtaken(
    editor: Editor[D], stored: Any, *, take: Callable[[Any], None], keep: Callable[[Any], None] | None
) -> None:
    """Draw the ways on where somebody else made `stored` of the record meanwhile: theirs, or one's own over it."""
    for name, label, icon, told, act in (
        ("take_theirs", "Take theirs", "download_done", "Go on from their version. Undo brings back yours.", take),
        ("keep_mine", "Keep mine, replace theirs", "published_with_changes", "Theirs stays until you save.", keep),
    ):
        if act is not None:
            key = f"{editor.change.key}.{name}"
            st.button(label, key=key, icon=f":material/{icon}:", help=told, on_click=act, args=(stored,))


def draw_error(editor: Editor[D], draft: D) -> None:
    """Say why the draft could not be sent, or settled, last."""
    error = editor.error_of(draft)
    if error is not None:
        show_problem(error, key=f"{editor.change.key}-error")


def draw_unfinished(
    workspace: Workspace,
    editor: Editor[D],
    *,
    about: SubjectId | None = None,
    but: str = "",
    are_unknown_listed: bool = False,
    in_popover: bool = False,
) -> None:
    """Draw what the person began and did not finish, with a way on and a way to let go of each, or of several.

    With `about`, only changes of that. With `are_unknown_listed`, the page itself lists what has status Unknown.
    """
    change, noun = editor.change, editor.change.words.noun
    if about is None:
        found = stored_drafts.unfinished(workspace, change)
    else:
        found = stored_drafts.unfinished_about(workspace, change, about)
    found = [kept for kept in found if kept.draft.uid != but]
    if are_unknown_listed:
        found = [
            kept
            for kept in found
            if kept.status is not SendStatus.UNKNOWN or kept.entry is None or kept.entry.is_settled
        ]
    if not found:
        return
    unknown = sum(kept.status is SendStatus.UNKNOWN for kept in found)
    label, icon = count(len(found), f"unfinished {noun}", f"unfinished {noun}s"), ":material/edit_note:"
    if unknown:
        # Told before anybody opens the list: what may have been done must not be forgotten.
        label, icon = f":orange[{label} · {unknown:,} with an unknown outcome]", ":material/help:"
    key = f"{change.key}.others"
    with st.popover(label, icon=icon, key=key) if in_popover else st.expander(label, icon=icon):
        unsent = [kept for kept in found if kept.status is SendStatus.DRAFT]
        tidied = " Tick those to be discarded." if len(unsent) > 1 else ""
        st.caption(f"Kept for you alone, and not at the service until you send them.{tidied}")
        picked = [kept for kept in found if _draw_unfinished(workspace, editor, kept, can_be_picked=len(unsent) > 1)]
        if picked and st.button(
            f"Discard {count(len(picked), 'draft', 'drafts')}",
            key=f"{change.key}.discard_picked",
            icon=":material/delete_sweep:",
        ):
            ask_to_discard(workspace, editor, *(kept.draft for kept in picked))


def ask_to_discard(workspace: Workspace, editor: Editor[D], *drafts: D) -> None:
    """Ask before what was typed is let go of; call it in the run in which the button was pressed."""
    noun, called = editor.change.words.noun, editor.change.called
    first, is_one, is_change = drafts[0], len(drafts) == 1, any(draft.is_change for draft in drafts)
    what = count(len(drafts), "draft", "drafts")
    lines = [f"**{plain(called(draft))}**, as you typed it, is forgotten." for draft in drafts]
    confirm_dialog(
        f"Discard this {'change' if is_change else 'draft'}?" if is_one else f"Discard {what}?",
        [*lines, f"The {noun} at the service stays as it is." if is_change else "Nothing of it was ever sent."],
        ("Discard the change" if is_change else f"Discard {called(first)}") if is_one else f"Discard {what}",
        partial(_discard, workspace, editor, drafts),
        key=f"{editor.change.key}.discard_dialog",
        keep_label="Keep it" if is_one else "Keep them",
        icon=":material/delete_sweep:",
    )


def _discard(workspace: Workspace, editor: Editor[D], drafts: Sequence[D]) -> None:
    held, called, gone = editor.draft.get(), editor.change.called, []
    for draft in drafts:
        kept = stored_drafts.load(workspace, editor.change, draft.uid)
        if kept is not None and kept.status is SendStatus.DRAFT and kept.draft.has_same_payload(draft):
            stored_drafts.discard(workspace, editor.change, draft.uid, if_unsent=True)
            kept = stored_drafts.load(workspace, editor.change, draft.uid)
        if kept is not None:
            what = "change of" if draft.is_change else "draft"
            why = "it was changed since" if kept.status is SendStatus.DRAFT else "its sending was begun"
            failed(f"The {what} {called(draft)} is not discarded: {why}. See where it stands.")
            continue
        gone.append(draft)
        if held is not None and held.uid == draft.uid:
            editor.draft.clear()
            st.query_params.pop(QUERY, None)
    if len(gone) > 1:
        done(f"{count(len(gone), 'draft is', 'drafts are')} discarded.")
    elif gone:
        done(f"The {'change of' if gone[0].is_change else 'draft'} {called(gone[0])} is discarded.")


def _draw_unfinished(workspace: Workspace, editor: Editor[D], kept: StoredDraft[D], *, can_be_picked: bool) -> bool:
    """Draw one; tell whether it is picked, to be discarded with others."""
    draft, change = kept.draft, editor.change
    title, is_unsent, is_picked = plain(change.called(draft)), kept.status is SendStatus.DRAFT, False
    kind = {
        SendStatus.UNKNOWN: "outcome unknown",
        SendStatus.SENDING: f"being {change.words.sent}",
    }.get(kept.status, "a change" if draft.is_change else "new")
    number = f"id {draft.subject_id}" if draft.is_change else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if is_unsent and can_be_picked:
            key = f"{change.key}.pick/{draft.uid}"
            is_picked = st.checkbox(f"Pick {title}", key=key, label_visibility="collapsed", width="content")
        link_to(change.screen, title, icon=":material/edit:", **change.query(draft))
        if (
            is_unsent
            and not can_be_picked
            and st.button(
                "Discard",
                key=f"{change.key}.discard/{draft.uid}",
                icon=":material/delete_sweep:",
                type="tertiary",
                help=f"Discard {title}",
            )
        ):
            ask_to_discard(workspace, editor, draft)
    # Apart from the link: a narrow one is cut off, and it is the end that tells two drafts apart.
    told = (kind, number, change.told_at(workspace, draft, kept.version), change.excerpt(draft))
    st.caption(plain(" · ".join(part for part in told if part)))
    return is_picked


def _titled(editor: Editor[D], draft: D) -> str:
    words = editor.change.words
    if words.titled is not None:
        return words.titled(draft)
    return f"{words.noun.capitalize()} {in_short(editor.change.called(draft))}"


def _sending(editor: Editor[D], draft: D) -> None:
    sent = editor.change.words.sent
    draw_page_header(f"{_titled(editor, draft)} is being {sent}")
    st.info(
        f"You can go on elsewhere, or close this tab: it is {sent} once, and you are told what became of it.",
        icon=":material/hourglass_top:",
    )


def _sent(
    workspace: Workspace,
    editor: Editor[D],
    kept: StoredDraft[D],
    told: Callable[[Workspace, StoredDraft[D]], None] | None,
    unsent: D | None,
) -> None:
    draft, sent = kept.draft, editor.change.words.sent
    screen, query = editor.change.landing(kept)
    if told is None and editor.leads_on(draft.uid):
        editor.landed.set(kept.sent_id if screen == editor.change.screen else None)
        editor.draft.clear()
        go_to(screen, **query)
    draw_page_header(f"{_titled(editor, draft)} has been {sent}")
    when = f", {plain(editor.change.told_at(workspace, draft, kept.begun_at))}" if kept.begun_at is not None else ""
    by = f" by {plain(kept.entry.actor.username)}" if not kept.is_own and kept.entry is not None else ""
    st.success(f"It was {sent} once{by}{when}. It is not {sent} again.", icon=":material/check_circle:")
    if unsent is not None:
        _draw_unsent(workspace, editor, unsent)
    elif told is not None:
        draw_note(editor)
        told(workspace, kept)
    else:
        link_to(screen, f"Open {plain(editor.change.called(draft))}", **query)
        # The address names it for a refresh; any other address, that of its record included, opens afresh.
        st.query_params[QUERY] = draft.uid
        editor.draft.clear()
    link_to(editor.change.screen, f"Begin another {editor.change.words.noun}")


def _draw_unsent(workspace: Workspace, editor: Editor[D], unsent: D) -> None:
    """Draw the ways on with what was typed in this tab and is not in what another tab sent."""
    change = editor.change
    st.warning(
        f"**Another tab {change.words.sent} this {change.words.noun} without what you typed in this tab.** "
        f"Your text is not {change.words.sent}.",
        icon=":material/tab:",
    )
    with st.container(horizontal=True):
        note = f"This draft has what you typed, together with what another tab {change.words.sent}."
        st.button(
            "Continue with your text",
            key=f"{change.key}.continue_unsent",
            type="primary",
            icon=":material/edit_note:",
            on_click=editor.go_on_as,
            args=(workspace, unsent, note),
        )
        st.button(
            "Discard your text",
            key=f"{change.key}.discard_unsent",
            icon=":material/delete_sweep:",
            on_click=editor.draft.clear,
        )


def _unknown(
    workspace: Workspace,
    editor: Editor[D],
    kept: StoredDraft[D],
    told: Callable[[Workspace, StoredDraft[D]], None] | None,
) -> None:
    draft, words = kept.draft, editor.change.words
    draw_page_header(f"{_titled(editor, draft)} has status Unknown")
    st.warning(
        f"**It is not known whether the service {words.did(draft)} this {words.noun}.** {why_unknown(kept.entry)} "
        "Nothing is sent again by itself: look first, then decide.",
        icon=":material/help:",
    )
    if not isinstance(editor.error_of(draft), OutcomeUnknown):
        draw_error(editor, draft)
    if is_under_way(workspace, editor.deciding, draft.uid):
        st.info("What you decided is being written down.", icon=":material/hourglass_top:")
        return
    _looking(workspace, editor, kept)
    if told is not None:
        told(workspace, kept)
    link_to(JOURNAL, "See it in the journal", entry=kept.entry.id if kept.entry is not None else None)


def _looking(workspace: Workspace, editor: Editor[D], kept: StoredDraft[D]) -> None:
    """Look once by itself, and draw what was found, with what a person decides by it once nobody sends it any more."""
    draft, words, key = kept.draft, editor.change.words, editor.change.key
    if editor.found_for(draft) is None and not is_under_way(workspace, editor.looking, draft.uid):
        editor.look(workspace, kept)
    found = editor.found_for(draft)
    if is_under_way(workspace, editor.looking, draft.uid):
        st.info(
            "Muster looks what the service holds. You can go on elsewhere: looking changes nothing, and what it finds "
            "stands here.",
            icon=":material/hourglass_top:",
        )
        # The frame follows what was under way when the page began to be drawn; this may have begun since.
        follow(lambda: not is_under_way(workspace, editor.looking, draft.uid))
    else:
        st.button(
            "Look again", key=f"{key}.look", icon=":material/search:", on_click=editor.look, args=(workspace, kept)
        )
    if isinstance(found, Exception):
        show_problem(found, key=f"{key}-look")
    elif found is not None:
        _found(workspace, editor, kept, found)
    if kept.status is not SendStatus.UNKNOWN or not kept.is_own or (found is None and words.risk is None):
        return
    if words.risk is None:
        st.button(
            words.not_done,
            key=f"{key}.again",
            icon=":material/replay:",
            on_click=editor.give_back,
            args=(workspace, kept),
        )
    elif st.button(words.not_done, key=f"{key}.again", icon=":material/replay:"):
        _ask_again(workspace, editor, kept, words.risk)


def _found(workspace: Workspace, editor: Editor[D], kept: StoredDraft[D], found: Reconciliation) -> None:
    draft, words, key = kept.draft, editor.change.words, editor.change.key
    st.header("What the service holds now", anchor=False)
    for told in (words.before(kept), found.told):
        if told:
            st.caption(plain(told))
    if not found.candidates:
        st.info(plain(words.nothing_found(draft)), icon=":material/search_off:")
    screen, _ = editor.change.landing(kept)
    likely = [candidate for candidate in found.candidates if candidate.looks_like_it]
    for number, candidate in enumerate(found.candidates):
        about = candidate.subject_id or number
        with st.container(border=True):
            st.markdown(f"**{_found_words(workspace, editor, draft, candidate)}**")
            if candidate.text:
                st.text(candidate.text)
            st.caption(plain(candidate.told))
            with st.container(horizontal=True, vertical_alignment="center"):
                link_to(screen, "Open it", **candidate.query)
                if candidate.looks_like_it:
                    st.button(
                        "This is it: mark as done",
                        key=f"{key}.settle/{about}",
                        icon=":material/check:",
                        type="primary" if likely == [candidate] else "secondary",
                        on_click=editor.settle,
                        args=(workspace, kept, candidate),
                    )
                elif not candidate.is_other and st.button(
                    "This is it all the same", key=f"{key}.unlike/{about}", icon=":material/check:"
                ):
                    _ask_unlike(workspace, editor, kept, candidate)


def _found_words(workspace: Workspace, editor: Editor[D], draft: D, candidate: ReconcileCandidate) -> str:
    when = "" if candidate.at is None else f" · {editor.change.told_at(workspace, draft, candidate.at)}"
    return plain(candidate.title + when)


def _ask_unlike(workspace: Workspace, editor: Editor[D], kept: StoredDraft[D], candidate: ReconcileCandidate) -> None:
    noun = editor.change.words.noun
    confirm_dialog(
        f"Is this what the {noun} became?",
        [
            f"**{_found_words(workspace, editor, kept.draft, candidate)}**: {plain(candidate.told)}",
            f"If it is another one, this {noun} was never {editor.change.words.sent}: it is written down as done.",
        ],
        "It is this one: mark as done",
        partial(editor.settle, workspace, kept, candidate),
        key=f"{editor.change.key}.unlike_dialog",
        icon=":material/check:",
        keep_label="Do nothing",
    )


def _ask_again(
    workspace: Workspace, editor: Editor[D], kept: StoredDraft[D], risk: Callable[[Reconciliation | Exception], str]
) -> None:
    # What stands on the page may have been found a while ago: nobody decides by that.
    try:
        looked: Reconciliation | Exception = editor.what_is_there(workspace, kept)
    except ServiceError as error:
        looked = error
    editor.found(kept.draft, looked)
    confirm_dialog(
        "Send it again?",
        [risk(looked), "You come back to its review. Nothing leaves before you send it there."],
        editor.change.words.not_done,
        partial(editor.give_back, workspace, kept),
        key=f"{editor.change.key}.again_dialog",
        icon=":material/replay:",
        keep_label="Do nothing",
    )
