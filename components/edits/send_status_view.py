"""Drawing the status of a draft: notes, a conflict with another tab, sending, sent, or Unknown with candidates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from client import OutcomeUnknown, ServiceError
from components.edits.draft_editor import Editor
from components.edits.draft_session import QUERY
from components.shell.address import go_to, link_to
from components.shell.background_changes import is_under_way, redraw_when
from components.shell.confirm import confirm_dialog
from components.shell.notices import show_failure, show_problem, show_success
from components.shell.page_header import draw_page_header
from components.streamlit_workarounds.own_scripts import new_stage
from components.widgets.browser_zone import browser_zone
from components.widgets.status_badge import status_markdown
from domain.edits import stored_drafts
from domain.edits.edit import ReconcileCandidate, Reconciliation
from domain.edits.edit_draft import D, SendStatus, StoredDraft
from domain.runtime.screens import JOURNAL
from domain.tables.status import DRAFT, SENDING, UNKNOWN
from domain.text.plain_text import count, plain

if TYPE_CHECKING:
    from domain.edits.edit_draft import SubjectId
    from domain.runtime.workspace import Workspace

SLOW: Final = timedelta(seconds=15)
"""After this, the person can check the service for a draft whose sender may have stopped."""


def draft_on_screen(
    workspace: Workspace, editor: Editor[D], outcome: Callable[[Workspace, StoredDraft[D]], None] | None = None
) -> D | None:
    """Return the draft on the screen, stored as it is now; or draw its status and return None once sending started.

    `outcome` draws the details of a draft that is sent or Unknown. The page then does not redirect to the record.
    """
    draft = editor.current()
    if draft is None:
        return None
    edit = editor.edit
    if is_under_way(workspace, edit.kind, draft.uid):
        new_stage(draft.uid, SendStatus.SENDING)
        _draw_sending(editor, draft)
        return None
    # A draft that the URL names may be a colleague's, or discarded after it was sent.
    find = stored_drafts.find_draft if st.query_params.get(QUERY) == draft.uid else stored_drafts.load
    stored = find(workspace, edit, draft.uid)
    if stored is None or stored.status is SendStatus.DRAFT:
        if stored is not None and stored.interrupted_at is not None:
            editor.note.set(editor.interrupted_note(workspace, stored))
        draft = editor.store(workspace, draft, stored)
        if not draft.is_change and editor.is_stored(draft):
            # A refreshed page finds the draft again.
            st.query_params[QUERY] = draft.uid
        return draft
    new_stage(draft.uid, stored.status)
    if stored.status is SendStatus.SENT:
        _draw_sent(workspace, editor, stored, outcome, None if outcome is not None else editor.unsent(draft, stored))
    elif stored.status is SendStatus.SENDING:
        _draw_sending(editor, draft)
        was_slow = _is_slow(stored)
        if was_slow:
            st.markdown(
                "No response yet. If the tab that is sending the change was closed, the status becomes Unknown within "
                "2 minutes. You can check the service now."
            )
            _draw_reconciliation(workspace, editor, stored)
        redraw_when(
            lambda: not stored_drafts.is_being_sent(workspace, edit, draft.uid) or _is_slow(stored) is not was_slow,
        )
    else:
        _draw_unknown(workspace, editor, stored, outcome)
    return None


def _is_slow(stored: StoredDraft[D]) -> bool:
    # In both directions: a clock that was set back must not hide the check.
    return stored.begun_at is not None and abs(datetime.now(UTC) - stored.begun_at) > SLOW


def draw_note(editor: Editor[D]) -> None:
    """Draw the note about the draft, and the conflict with another tab with its two ways out."""
    if editor.conflict.get() is not None:
        st.warning(
            "**This draft has changed in another tab.** What you typed in this tab is not saved. Reload the draft to "
            "use the other version, or overwrite it with yours.",
            icon=":material/tab:",
        )
        with st.container(horizontal=True):
            _draw_conflict_button(editor, "reload", "Reload", "sync", "Use the other tab’s version.", editor.reload)
            label = "Use this tab’s version."
            _draw_conflict_button(editor, "overwrite", "Overwrite", "published_with_changes", label, editor.overwrite)
    elif editor.note.get():
        st.info(plain(editor.note.get()), icon=":material/edit_note:")


def draw_edit_conflict(
    editor: Editor[D],
    stored: Any,
    *,
    reload: Callable[[Any], None],
    overwrite: Callable[[Any], None] | None,
    is_saved_at_once: bool = False,
) -> None:
    """Draw the two ways out after someone else changed the record to `stored`: their version, or this draft over it.

    `is_saved_at_once` if the screen shows the differences and `overwrite` saves.
    """
    label = "Use their version. You can undo this."
    _draw_conflict_button(editor, "take_theirs", "Reload", "sync", label, partial(reload, stored))
    if overwrite is not None:
        label = (
            "Save your version over theirs." if is_saved_at_once else "Use your version. Theirs stays until you save."
        )
        act = partial(overwrite, stored)
        _draw_conflict_button(editor, "keep_mine", "Overwrite", "published_with_changes", label, act)


def _draw_conflict_button(
    editor: Editor[D], name: str, label: str, icon: str, explanation: str, act: Callable[[], None]
) -> None:
    key = f"{editor.edit.key}.{name}"
    st.button(label, key=key, icon=f":material/{icon}:", help=explanation, on_click=act)


def draw_undo(editor: Editor[D]) -> None:
    """Draw the button that undoes the last step, if there is one."""
    steps = editor.steps.get()
    if steps:
        st.button(
            f"Undo: {plain(steps[-1].label)}",
            key=f"{editor.edit.key}.undo",
            icon=":material/undo:",
            type="tertiary",
            on_click=editor.undo,
        )


def draw_error(editor: Editor[D], draft: D) -> None:
    """Draw the error of the last attempt to send or resolve the draft."""
    error = editor.error_of(draft)
    if error is not None:
        show_problem(error, key=f"{editor.edit.key}-error")


def draw_unfinished(
    workspace: Workspace,
    editor: Editor[D],
    *,
    subject_id: SubjectId | None = None,
    but: str = "",
    are_unknown_listed: bool = False,
    in_popover: bool = False,
) -> None:
    """Draw the unfinished drafts, each with a link to continue, and buttons to discard one or several.

    With `subject_id`, only changes of that record. With `are_unknown_listed`, the page itself lists those that are
    Unknown.
    """
    edit, noun = editor.edit, editor.edit.noun
    if subject_id is None:
        found = stored_drafts.list_unfinished(workspace, edit)
    else:
        found = stored_drafts.list_unfinished_changes(workspace, edit, subject_id)
    found = [each for each in found if each.draft.uid != but]
    if are_unknown_listed:
        found = [
            each
            for each in found
            if each.status is not SendStatus.UNKNOWN or each.entry is None or each.entry.is_resolved
        ]
    if not found:
        return
    unknown = sum(each.status is SendStatus.UNKNOWN for each in found)
    label, icon = count(len(found), f"unfinished {noun}", f"unfinished {noun}s"), ":material/edit_note:"
    if unknown:
        # In sight before the list is opened: a change that may have been made must not be forgotten.
        label, icon = f":orange[{label} · {unknown:,} with status Unknown]", ":material/help:"
    key = f"{edit.key}.others"
    with st.popover(label, icon=icon, key=key) if in_popover else st.expander(label, icon=icon):
        drafts = [each for each in found if each.status is SendStatus.DRAFT]
        how = " Select the drafts to discard." if len(drafts) > 1 else ""
        st.caption(f"Only you can see your drafts. The service does not have them until you send them.{how}")
        picked = [each for each in found if _draw_unfinished(workspace, editor, each, can_be_picked=len(drafts) > 1)]
        if picked and st.button(
            f"Discard {count(len(picked), 'draft', 'drafts')}",
            key=f"{edit.key}.discard_picked",
            icon=":material/delete_sweep:",
        ):
            ask_to_discard(workspace, editor, *(each.draft for each in picked))


def ask_to_discard(workspace: Workspace, editor: Editor[D], *drafts: D) -> None:
    """Ask before drafts are discarded. Call it in the run in which the button was pressed."""
    noun, title = editor.edit.noun, editor.edit.title
    is_one, is_change = len(drafts) == 1, any(draft.is_change for draft in drafts)
    what = count(len(drafts), "draft", "drafts")
    lines = [f"Your draft **{plain(title(draft))}** will be lost." for draft in drafts]
    not_sent = "The draft was never sent." if is_one else "The drafts were never sent."
    confirm_dialog(
        f"Discard this {'change' if is_change else 'draft'}?" if is_one else f"Discard {what}?",
        [*lines, f"The {noun} in the service does not change." if is_change else not_sent],
        f"Discard {'change' if is_change else 'draft'}" if is_one else f"Discard {what}",
        partial(_discard, workspace, editor, drafts),
        key=f"{editor.edit.key}.discard_dialog",
        keep_label="Keep draft" if is_one else "Keep drafts",
        icon=":material/delete_sweep:",
    )


def _discard(workspace: Workspace, editor: Editor[D], drafts: Sequence[D]) -> None:
    shown, title, discarded = editor.draft.get(), editor.edit.title, []
    for draft in drafts:
        stored = stored_drafts.load(workspace, editor.edit, draft.uid)
        if stored is not None and stored.status is SendStatus.DRAFT and stored.draft.has_same_payload(draft):
            stored_drafts.discard(workspace, editor.edit, draft.uid, if_unsent=True)
            stored = stored_drafts.load(workspace, editor.edit, draft.uid)
        if stored is not None:
            is_draft = stored.status is SendStatus.DRAFT
            why = "The draft has changed." if is_draft else "Muster has started sending it."
            show_failure(f"The draft {title(draft)} was not discarded. {why}")
            continue
        discarded.append(draft)
        if shown is not None and shown.uid == draft.uid:
            editor.draft.clear()
            st.query_params.pop(QUERY, None)
    if len(discarded) > 1:
        show_success(f"Discarded {count(len(discarded), 'draft', 'drafts')}.")
    elif discarded:
        show_success(f"Discarded the draft {title(discarded[0])}.")


def _draw_unfinished(workspace: Workspace, editor: Editor[D], stored: StoredDraft[D], *, can_be_picked: bool) -> bool:
    """Draw one draft; return whether it is selected to be discarded with others."""
    draft, edit = stored.draft, editor.edit
    title, is_draft, is_picked = plain(edit.title(draft)), stored.status is SendStatus.DRAFT, False
    badge = {SendStatus.UNKNOWN: UNKNOWN, SendStatus.SENDING: SENDING}.get(stored.status, DRAFT)
    number = f"edit of {edit.noun} {draft.subject_id}" if draft.is_change else "new"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if is_draft and can_be_picked:
            key = f"{edit.key}.pick/{draft.uid}"
            is_picked = st.checkbox(f"Select {title}", key=key, label_visibility="collapsed", width="content")
        link_to(edit.screen, title, icon=":material/edit:", **edit.query(draft))
        if (
            is_draft
            and not can_be_picked
            and st.button(
                "Discard",
                key=f"{edit.key}.discard/{draft.uid}",
                icon=":material/delete_sweep:",
                type="tertiary",
                help=f"Discard {title}",
            )
        ):
            ask_to_discard(workspace, editor, draft)
    # Not in the link: a narrow link is cut off, and the end distinguishes two drafts.
    facts = (number, edit.format_time(workspace, draft, stored.version, browser_zone()), edit.excerpt(draft))
    st.caption(f"{status_markdown(badge)} {plain(' · '.join(fact for fact in facts if fact))}")
    return is_picked


def _draw_sending(editor: Editor[D], draft: D) -> None:
    draw_page_header(f"Sending: {editor.edit.heading(draft)}")
    st.info(
        "You can leave this page or close the tab. Muster sends the change once. The result will be in the Journal.",
        icon=":material/hourglass_top:",
    )


def _draw_sent(
    workspace: Workspace,
    editor: Editor[D],
    stored: StoredDraft[D],
    outcome: Callable[[Workspace, StoredDraft[D]], None] | None,
    unsent: D | None,
) -> None:
    draft, edit = stored.draft, editor.edit
    screen, query = edit.redirect_target(stored)
    if outcome is None and editor.redirects(draft.uid):
        editor.landed.set(stored.sent_id if screen == edit.screen else None)
        editor.draft.clear()
        go_to(screen, **query)
    draw_page_header(f"Sent: {edit.heading(draft)}")
    when = ""
    if stored.begun_at is not None:
        when = f" {plain(edit.format_time(workspace, draft, stored.begun_at, browser_zone()))}"
    by = f" by {plain(stored.entry.actor.username)}" if not stored.is_own and stored.entry is not None else ""
    st.success(f"Sent once{when}{by}. It will not be sent again.", icon=":material/check_circle:")
    if unsent is not None:
        _draw_unsent(workspace, editor, unsent)
    elif outcome is not None:
        draw_note(editor)
        outcome(workspace, stored)
    else:
        link_to(screen, f"Open {plain(edit.title(draft))}", **query)
        # A refresh shows this page again. Any other URL, that of the record too, opens the record.
        st.query_params[QUERY] = draft.uid
        editor.draft.clear()
    link_to(edit.screen, f"New {edit.noun}")


def _draw_unsent(workspace: Workspace, editor: Editor[D], unsent: D) -> None:
    """Draw the two ways out for what was typed in this tab when another tab sent the draft."""
    edit = editor.edit
    st.warning(
        f"**Another tab sent this {edit.noun} without your changes in this tab.** Your changes were not sent.",
        icon=":material/tab:",
    )
    with st.container(horizontal=True):
        note = "This draft has your changes from this tab. They were not sent."
        st.button(
            "Continue with your changes",
            key=f"{edit.key}.continue_unsent",
            type="primary",
            icon=":material/edit_note:",
            on_click=editor.replace_with,
            args=(workspace, unsent, note),
        )
        st.button(
            "Discard your changes",
            key=f"{edit.key}.discard_unsent",
            icon=":material/delete_sweep:",
            on_click=editor.draft.clear,
        )


def _draw_unknown(
    workspace: Workspace,
    editor: Editor[D],
    stored: StoredDraft[D],
    outcome: Callable[[Workspace, StoredDraft[D]], None] | None,
) -> None:
    draft, edit = stored.draft, editor.edit
    draw_page_header(f"{edit.heading(draft)} has status Unknown")
    st.warning(
        f"**The service may or may not have this {edit.noun}.** {stored_drafts.why_unknown(stored.entry)} "
        "Muster will not send it again until you check.",
        icon=":material/help:",
    )
    if not isinstance(editor.error_of(draft), OutcomeUnknown):
        draw_error(editor, draft)
    if is_under_way(workspace, editor.deciding, draft.uid):
        st.info("Saving the status.", icon=":material/hourglass_top:")
        return
    _draw_reconciliation(workspace, editor, stored)
    if outcome is not None:
        outcome(workspace, stored)
    link_to(JOURNAL, "Open in Journal", entry=stored.entry.id if stored.entry is not None else None)


def _draw_reconciliation(workspace: Workspace, editor: Editor[D], stored: StoredDraft[D]) -> None:
    """Check the service once automatically, and draw what was found and the decisions of the person."""
    draft, edit = stored.draft, editor.edit
    if editor.reconciliation_of(draft) is None and not is_under_way(workspace, editor.reconciling, draft.uid):
        editor.reconcile(workspace, stored)
    found = editor.reconciliation_of(draft)
    if is_under_way(workspace, editor.reconciling, draft.uid):
        st.info(
            "Muster is checking the service. This changes nothing. You can leave this page and come back.",
            icon=":material/hourglass_top:",
        )
        # The frame follows calls that ran when the page started to draw. This one may have started since.
        redraw_when(lambda: not is_under_way(workspace, editor.reconciling, draft.uid))
    else:
        st.button(
            "Check again",
            key=f"{edit.key}.look",
            icon=":material/search:",
            on_click=editor.reconcile,
            args=(workspace, stored),
        )
    if isinstance(found, Exception):
        show_problem(found, key=f"{edit.key}-look")
    elif found is not None:
        _draw_candidates(workspace, editor, stored, found)
    if stored.status is not SendStatus.UNKNOWN or not stored.is_own or (found is None and not edit.confirms_resend):
        return
    if not edit.confirms_resend:
        st.button(
            edit.resend_label,
            key=f"{edit.key}.again",
            icon=":material/replay:",
            on_click=editor.mark_as_not_done,
            args=(workspace, stored),
        )
    elif st.button(edit.resend_label, key=f"{edit.key}.again", icon=":material/replay:"):
        _ask_to_resend(workspace, editor, stored)


def _draw_candidates(workspace: Workspace, editor: Editor[D], stored: StoredDraft[D], found: Reconciliation) -> None:
    draft, edit = stored.draft, editor.edit
    st.header("Current version in the service", anchor=False)
    for line in (edit.describe_original(stored), found.note):
        if line:
            st.caption(plain(line))
    if not found.candidates:
        st.info(plain(edit.nothing_found(draft)), icon=":material/search_off:")
    screen, _ = edit.redirect_target(stored)
    matches = [candidate for candidate in found.candidates if candidate.is_match]
    for number, candidate in enumerate(found.candidates):
        about = candidate.subject_id or number
        with st.container(border=True):
            st.markdown(f"**{_candidate_title(workspace, editor, draft, candidate)}**")
            if candidate.text:
                st.text(candidate.text)
            st.caption(plain(candidate.description))
            with st.container(horizontal=True, vertical_alignment="center"):
                link_to(screen, "Open", **candidate.query)
                if candidate.is_match:
                    st.button(
                        "Mark as sent",
                        key=f"{edit.key}.resolve/{about}",
                        icon=":material/check:",
                        type="primary" if matches == [candidate] else "secondary",
                        on_click=editor.mark_as_done,
                        args=(workspace, stored, candidate),
                    )
                elif not candidate.is_other and st.button(
                    "Mark as sent anyway", key=f"{edit.key}.unlike/{about}", icon=":material/check:"
                ):
                    _ask_about_mismatch(workspace, editor, stored, candidate)


def _candidate_title(workspace: Workspace, editor: Editor[D], draft: D, candidate: ReconcileCandidate) -> str:
    when = ""
    if candidate.at is not None:
        when = f" · {editor.edit.format_time(workspace, draft, candidate.at, browser_zone())}"
    return plain(candidate.title + when)


def _ask_about_mismatch(
    workspace: Workspace, editor: Editor[D], stored: StoredDraft[D], candidate: ReconcileCandidate
) -> None:
    noun = editor.edit.noun
    confirm_dialog(
        f"Is this your {noun}?",
        [
            f"**{_candidate_title(workspace, editor, stored.draft, candidate)}**: {plain(candidate.description)}",
            f"If this is a different {noun}, yours was not sent. Muster would show yours as sent anyway.",
        ],
        "Mark as sent",
        partial(editor.mark_as_done, workspace, stored, candidate),
        key=f"{editor.edit.key}.unlike_dialog",
        icon=":material/check:",
        keep_label="Go back",
    )


def _ask_to_resend(workspace: Workspace, editor: Editor[D], stored: StoredDraft[D]) -> None:
    # What the page shows may be old: the question needs the present state of the service.
    try:
        result: Reconciliation | Exception = editor.edit.reconcile(workspace, stored)
    except ServiceError as error:
        result = error
    editor.set_reconciliation(stored.draft, result)
    confirm_dialog(
        "Send again?",
        [
            editor.edit.resend_risk(result),
            "Muster will show the review again. Nothing is sent until you select **Send** in the review.",
        ],
        editor.edit.resend_label,
        partial(editor.mark_as_not_done, workspace, stored),
        key=f"{editor.edit.key}.again_dialog",
        icon=":material/replay:",
        keep_label="Go back",
    )
