"""The page of one contact filter: opening it, its header, saving it, and the review before a change is saved."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, NoReturn

import streamlit as st

from client import NotFound, ServiceError
from client.models.contact_filters import ContactFilter
from components.edits.draft_session import QUERY
from components.edits.removal_view import ask_to_remove, draw_removed, leave_if_removed
from components.edits.send_status_view import (
    ask_to_discard,
    draft_on_screen,
    draw_edit_conflict,
    draw_note,
    draw_unfinished,
)
from components.filters.builder.comparison_view import MARKS, draw_new_name, draw_rules
from components.filters.builder.rule_actions import EDITOR, viewers_zone
from components.filters.builder.versions_view import draw_versions_button
from components.shell.address import go_to, link_to
from components.shell.background_changes import is_under_way, redraw_when, start_change
from components.shell.notices import draw_problem, error_list, show_problem, show_success
from components.shell.page_header import draw_page_header
from components.shell.state import StateKey
from components.streamlit_workarounds.own_scripts import new_stage
from domain.edits import stored_drafts
from domain.edits.edit import DuplicateRecordError, EditConflictError
from domain.filters.comparison import (
    compare_filters,
    compare_with_stored,
    find_stored_change,
    is_same_filter,
    name_of,
    summarize,
)
from domain.filters.filter_change import (
    FILTER_EDIT,
    FILTER_REMOVAL,
    changed_by,
    describe_last_change,
    draft_of_deleted,
    stored_now,
    target_of,
)
from domain.filters.filter_draft import (
    FilterDraft,
    base_filter,
    copy_as_new,
    from_filter,
    overwrite_stored_version,
    to_filter,
    to_json,
    use_stored_version,
)
from domain.filters.filter_form import FILTER_FORM
from domain.filters.filter_problems import find_problems
from domain.filters.known_ids import known_names
from domain.filters.rule_steps import new_filter
from domain.filters.sentence import describe_filter, describe_rule
from domain.runtime.problems import NotSentError, explain
from domain.runtime.screens import CONTACT_FILTER, CONTACT_FILTERS
from domain.text.plain_text import NOT_AN_ID, count, id_in, plain, quoted_id
from journal import EntryNotFound

if TYPE_CHECKING:
    from domain.runtime.calls import End
    from domain.runtime.workspace import Workspace


@dataclass(frozen=True)
class StoredVersion:
    """The stored filter as it was read last, or the error of reading it."""

    stored: ContactFilter | None = None
    error: Exception | None = None
    is_overwrite: bool = False
    """Whether the person has decided to replace the stored filter."""

    def has_conflict(self, draft: FilterDraft) -> bool:
        """Return whether someone has changed the filter since the draft was made from it."""
        return (
            self.stored is not None
            and draft.is_change
            and find_stored_change(base_filter(draft), self.stored) == "changed"
        )


STORED: Final = StateKey[StoredVersion]("contact_filters.stored", StoredVersion)
READING: Final = f"{FILTER_EDIT.kind}.read"
_OPENING: Final = "Opening the contact filter"


def filter_on_screen(workspace: Workspace) -> FilterDraft:
    """Return the draft for this URL, and save it. Stop the run if there is none or if it was sent."""
    leave_if_removed(FILTER_REMOVAL, CONTACT_FILTERS)
    _open_address(workspace)
    draft = draft_on_screen(workspace, EDITOR)
    if draft is None:
        st.stop()
    error = EDITOR.error_of(draft)
    if isinstance(error, EditConflictError):
        STORED.set(replace(STORED.get(), stored=error.stored, error=None))
    elif draft.is_change and isinstance(error, NotFound):
        STORED.set(replace(STORED.get(), error=error))
    else:
        return draft
    # The review shows that the filter was changed or deleted, instead of an error.
    return _in_review(draft)


def _in_review(draft: FilterDraft) -> FilterDraft:
    EDITOR.clear_error()
    draft = draft.model_copy(update={"stage": "review"})
    EDITOR.draft.set(draft)
    return draft


def _open_address(workspace: Workspace) -> None:
    """Open the draft for this URL. The URL then contains the ID of the filter."""
    if (entry_id := id_in(st.query_params.get("entry", ""))) is not None:
        _open_deleted(workspace, entry_id)
    id_text, name, uid = (st.query_params.get(each, "").strip() for each in ("id", "name", QUERY))
    number, draft_before = id_in(id_text), EDITOR.draft.get()
    if id_text and number is None:
        _stop(f"{quoted_id(id_text)} is not the ID of a contact filter. {NOT_AN_ID}")
    name = "" if id_text else name
    try:
        _open(workspace, number, name)
    except NotSentError as error:
        _stop(str(error))
    except ServiceError as error:
        _stop(error)
    draft = EDITOR.draft.get()
    if draft is not None and draft.is_change and draft is not draft_before:
        st.query_params.from_dict({"id": str(draft.filter_id)} | ({QUERY: uid} if uid == draft.uid else {}))


def _open_deleted(workspace: Workspace, entry_id: int) -> NoReturn:
    """Open a new draft with the rules of a deleted filter, from its journal entry."""
    draft = None
    with suppress(EntryNotFound):
        draft = draft_of_deleted(workspace.journal.audit.retrieve(entry_id, actor=workspace.actor))
    if draft is None:
        _stop(f"Journal entry {entry_id} has no deleted contact filter.")
    stored_drafts.begin(workspace, FILTER_EDIT, draft)
    go_to(CONTACT_FILTER, draft=draft.uid)


def _open(workspace: Workspace, number: int | None, name: str = "") -> None:
    """Open the draft in the URL, or a change of the stored filter with this ID or name.

    An unfinished change is opened even if the filter was deleted or the service does not respond. Raises `ServiceError`
    if there is nothing to show, and `NotSentError` if the filter has no ID and cannot be changed.
    """
    filters, draft_before, stored = workspace.client.contact_filters, EDITOR.draft.get(), None
    if name:
        with st.spinner(_OPENING):
            stored = filters.retrieve_by_name(name)
        number = stored.id or None
        if number is None:
            raise NotSentError("This filter has no ID from the service and cannot be edited.")

    def begin() -> FilterDraft:
        if number is None:
            return new_filter()
        with st.spinner(_OPENING):
            return from_filter(stored or filters.retrieve(number), filter_id=number)

    EDITOR.open(workspace, number, begin)
    draft = EDITOR.draft.get()
    if draft is None or draft is draft_before:
        return
    STORED.clear()
    if draft.is_change and not draft.is_untouched:
        try:
            with st.spinner(_OPENING):
                STORED.set(StoredVersion(stored_now(workspace, draft)))
        except ServiceError as error:
            STORED.set(StoredVersion(error=error))


def _stop(why: str | ServiceError) -> NoReturn:
    """Draw why no filter can be opened, and stop the run."""
    EDITOR.draft.clear()
    draw_page_header()
    if isinstance(why, NotFound):
        st.info(
            "The service does not have this contact filter. It may have been deleted, the link may be incomplete, or "
            "the name may be spelled differently. Names are case-sensitive.",
            icon=":material/search_off:",
        )
    elif isinstance(why, ServiceError):
        show_problem(why, key="contact-filter-open", is_read=True)
        st.button("Retry", key="contact-filter-open-again", icon=":material/refresh:", type="primary")
    else:
        st.error(plain(why), icon=":material/error:")
    link_to(CONTACT_FILTERS, "All contact filters")
    st.stop()


def draw_head(workspace: Workspace, draft: FilterDraft) -> None:
    """Draw the name of the filter, who changed it last, and the actions on the whole filter."""
    new_stage(draft.uid, "edit")
    base, seen = base_filter(draft), STORED.get()
    header = draw_page_header(draft.title)
    if base is not None:
        with header.actions:
            if st.button(
                "Copy filter",
                key="contact-filter-copy",
                icon=":material/content_copy:",
                help="Create a filter from the rules on this page. This filter does not change.",
            ):
                open_copy(workspace, draft)
            draw_versions_button(draft)
            if st.button(":red[Delete filter]", key="contact-filter-delete", icon=":material/delete:"):
                ask_to_remove(workspace, FILTER_REMOVAL, [target_of(seen.stored or base)], leave=True)
    if not draft.is_untouched:
        with header.actions:
            if st.button(
                "Discard change" if draft.is_change else "Discard draft",
                key="contact-filter-discard",
                icon=":material/delete_sweep:",
            ):
                ask_to_discard(workspace, EDITOR, draft)
    if base is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("ID", width="content")
            st.code(str(draft.filter_id), language=None, width="content")
            st.caption(plain(describe_last_change(base)), width="content")
    else:
        st.caption("Muster keeps a draft as you type. Nothing is sent until you save the filter.")
    draw_removed(workspace, FILTER_REMOVAL)
    draw_note(EDITOR)
    if draft.is_change and draft.is_untouched:
        draw_unfinished(workspace, EDITOR, subject_id=draft.filter_id, but=draft.uid)
    if seen.error is not None:
        not_read(workspace, seen.error)
    elif seen.stored is not None and seen.has_conflict(draft):
        st.warning(
            f"**This filter has changed since you opened it.** {plain(describe_last_change(seen.stored))}.",
            icon=":material/group:",
        )
        st.button(
            "Compare versions",
            key="contact-filter-show-other-version",
            icon=":material/compare:",
            on_click=review_change,
            args=(workspace,),
        )


def draw_errors(draft: FilterDraft) -> None:
    """Draw what prevented saving, below the rules: the problems, or the error of the service."""
    if draft.checked and not (draft.refused and EDITOR.error_of(draft) is not None):
        error_list(FILTER_FORM.describe_problems(draft, find_problems(draft)))
    draw_save_error(draft)


def draw_save_error(draft: FilterDraft) -> None:
    """Draw the error of the last attempt to save the draft."""
    error = EDITOR.error_of(draft)
    if error is None:
        return
    if isinstance(error, DuplicateRecordError):
        st.error(
            f"**A contact filter with the name “{plain(draft.title)}” already exists.** Your filter was not saved. "
            "Enter another name, or edit the existing filter.",
            icon=":material/error:",
        )
        link_to(CONTACT_FILTER, "Open existing filter", id=error.other.id or None, name=error.other.name)
    elif draft.refused:
        # The problems by rule, instead of the text of the service, which does not name the rule.
        lines = FILTER_FORM.describe_problems(draft, find_problems(draft))
        problem = replace(explain(error), advice="  \n".join(f"• {line}" for line in lines))
        draw_problem(problem, key="contact-filter-save")
    else:
        show_problem(error, key="contact-filter-save")


def not_read(workspace: Workspace, error: Exception) -> None:
    """Draw why the stored filter could not be read. If it was deleted, offer to save the draft as a new filter."""
    if isinstance(error, NotFound):
        st.warning(
            "**This filter was deleted from the service.** Your change was not saved. You can save it as a new filter.",
            icon=":material/delete:",
        )
        as_new_button(workspace, keep_name=True)
    else:
        show_problem(error, key="contact-filter-reread")


def as_new_button(workspace: Workspace, *, keep_name: bool) -> None:
    """Draw the button that turns the change into a new filter."""

    def press() -> None:
        draft = EDITOR.draft.get()
        if draft is None:
            return
        fresh = copy_as_new(draft)
        if keep_name:
            fresh = fresh.model_copy(update={"name": draft.name})
        STORED.set(StoredVersion())
        EDITOR.replace_with(workspace, fresh, "This is now a new filter. Check its name before you save it.")

    st.button(
        "Save mine as a new filter",
        key="contact-filter-as-new",
        type="primary" if keep_name else "secondary",
        icon=":material/add:",
        on_click=press,
    )


def ask_save(workspace: Workspace) -> None:
    """Save a new filter, or open the review of a change. Problems are shown instead if there are any.

    A new filter with muted rules is reviewed too, because saving removes them.
    """
    draft = EDITOR.current()
    # The second click of a double click may find the saved filter, with nothing changed.
    if draft is None or (draft.is_change and draft.is_untouched):
        return
    if not draft.is_change and not any(rule.muted for rule in draft.rules):
        EDITOR.send(workspace)
        return
    EDITOR.set_stage(review=True)
    reviewed = EDITOR.draft.get()
    if reviewed is not None and reviewed.is_change and reviewed.stage == "review":
        review_change(workspace)


def review_change(workspace: Workspace) -> None:
    """Open the review, and read the stored filter again in a worker. Call it in a callback."""
    draft = EDITOR.current()
    if draft is not None:
        _in_review(draft)
        read = partial(stored_now, workspace, draft)
        start_change(workspace, READING, draft.uid, read, label=f"Contact filter {draft.title}", then=_note_stored)


def _note_stored(end: End) -> None:
    version = STORED.get()
    STORED.set(replace(version, stored=version.stored if end.error else end.value, error=end.error))


def close_unchanged() -> None:
    """Close a filter that was not changed, so that it is read again when it is opened the next time."""
    draft = EDITOR.draft.get()
    if draft is not None and draft.is_untouched:
        EDITOR.draft.clear()


def open_copy(workspace: Workspace, of: FilterDraft) -> NoReturn:
    """Save a copy of a filter as a draft of its own, and open it in the builder."""
    copy = copy_as_new(of)
    stored_drafts.begin(workspace, FILTER_EDIT, copy)
    go_to(CONTACT_FILTER, draft=copy.uid)


def draw_review(workspace: Workspace, draft: FilterDraft) -> bool:
    """Draw the review of the draft if it is open, and return whether it is."""
    if draft.stage != "review":
        return False
    seen, base = STORED.get(), base_filter(draft)
    if is_under_way(workspace, READING, draft.uid):
        new_stage(draft.uid, "reading")
        draw_page_header(draft.title)
        st.info("Muster is loading the current version of the filter …", icon=":material/hourglass_top:")
        redraw_when(lambda: not is_under_way(workspace, READING, draft.uid))
        _draw_back()
    elif seen.error is not None:
        new_stage(draft.uid, "unreadable")
        draw_page_header(draft.title)
        _draw_unreadable(workspace, seen.error)
    elif seen.stored is not None and seen.has_conflict(draft):
        new_stage(draft.uid, "conflict")
        was = name_of(base) if base is not None else ""
        draw_page_header(f"{was or draft.title} has changed", name=was or draft.title)
        _draw_conflict(workspace, draft, seen.stored)
    else:
        new_stage(draft.uid, "review")
        verb = "Save the change to" if draft.is_change else "Save"
        draw_page_header(f"{verb} {draft.title}?", name=draft.title)
        draw_note(EDITOR)
        _draw_compared(workspace, draft, seen)
    return True


def _draw_compared(workspace: Workspace, draft: FilterDraft, seen: StoredVersion) -> None:
    stored, zone, names = seen.stored, viewers_zone(), known_names(workspace)
    if stored is not None and seen.is_overwrite:
        st.warning(
            f"Saving **replaces {plain(_author(stored))}’s version**. {plain(describe_last_change(stored))}.",
            icon=":material/group:",
        )
    elif stored is not None and find_stored_change(base_filter(draft), stored) == "saved again":
        st.info(
            "The filter has been saved again since you opened it, without changes. "
            f"{plain(describe_last_change(stored))}.",
            icon=":material/info:",
        )
    comparison = compare_with_stored(draft, stored)
    st.markdown(f":material/format_quote: {plain(describe_filter(draft, zone, names))}")
    if draft.is_change:
        st.caption("Compared with the current version of the filter.")
        st.markdown(summarize(comparison))
        draw_new_name(comparison)
        draw_rules(comparison, zone, names)
    else:
        st.markdown("\n".join(f"1. {plain(describe_rule(each.new or {}, zone, names))}" for each in comparison.rules))
    if comparison.muted:
        lines = "\n".join(f"- {plain(describe_rule(rule, zone, names))}" for rule in comparison.muted)
        number = count(len(comparison.muted), "muted rule", "muted rules")
        st.warning(f"**Saving removes {number}:**\n{lines}", icon=":material/volume_off:")
    with st.expander("Show request", icon=":material/code:"):
        st.code(to_json(draft), language="json")
    draw_save_error(draft)
    with st.container(horizontal=True):
        _draw_back()
        st.button(
            "Save change" if draft.is_change else "Save filter",
            key="contact-filter-save-now",
            type="primary",
            icon=":material/save:",
            disabled=draft.is_change and comparison.is_same,
            on_click=EDITOR.send,
            args=(workspace,),
        )


def _draw_conflict(workspace: Workspace, draft: FilterDraft, theirs: ContactFilter) -> None:
    ours = to_filter(draft)
    is_same = is_same_filter(ours, theirs)
    if is_same:
        st.success(
            f"The stored filter is already the same as yours. {plain(describe_last_change(theirs))}. "
            "There is nothing to save.",
            icon=":material/check_circle:",
        )
    else:
        st.warning(
            f"**{plain(_author(theirs))} has changed this filter since you opened it.** "
            f"{plain(describe_last_change(theirs))}. "
            "Nothing is saved or replaced until you choose a version. **Overwrite** saves yours.",
            icon=":material/group:",
        )
    with st.container(horizontal=True):
        overwrite = None if is_same else partial(_overwrite, workspace)
        draw_edit_conflict(EDITOR, theirs, reload=_take_theirs, overwrite=overwrite, is_saved_at_once=True)
        if not is_same:
            as_new_button(workspace, keep_name=False)
        _draw_back()
    if is_same:
        return
    st.caption("Both versions are compared with the filter as it was when you opened it.")
    base, zone, names = base_filter(draft) or ContactFilter(name=""), viewers_zone(), known_names(workspace)
    for column, heading, note, version in zip(
        st.columns(2, gap="medium"),
        ("Theirs", "Yours"),
        (plain(describe_last_change(theirs)), "Not saved yet"),
        (theirs, ours),
        strict=True,
    ):
        with column, st.container(border=True):
            comparison = compare_filters(base, version)
            st.header(heading, anchor=False)
            st.caption(note)
            name = f"**{plain(comparison.new_name)}**"
            st.markdown(f"{MARKS['changed']} {name}" if comparison.has_new_name else name)
            draw_rules(comparison, zone, names)


def _draw_unreadable(workspace: Workspace, error: Exception) -> None:
    not_read(workspace, error)
    if not isinstance(error, NotFound):
        st.button(
            "Retry",
            key="contact-filter-review-again",
            type="primary",
            icon=":material/refresh:",
            on_click=review_change,
            args=(workspace,),
        )
    _draw_back()


def _draw_back() -> None:
    st.button(
        "Back to the rules",
        key="contact-filter-back",
        icon=":material/arrow_back:",
        on_click=EDITOR.set_stage,
        kwargs={"review": False},
    )


def _take_theirs(theirs: ContactFilter) -> None:
    """Continue with their version. *Undo* brings back the person's own, as a change of theirs."""
    _keep_ours(theirs)
    EDITOR.do("use their version", lambda draft: use_stored_version(draft, theirs))
    STORED.set(StoredVersion(theirs))
    EDITOR.clear_error()
    show_success("This is now their version. Undo brings back yours.")


def _overwrite(workspace: Workspace, theirs: ContactFilter) -> None:
    """Save the draft over their version, whose differences are on the screen."""
    _keep_ours(theirs)
    EDITOR.send(workspace)


def _keep_ours(theirs: ContactFilter) -> None:
    """Make the draft a change of their version, which saving it will replace."""
    draft = EDITOR.draft.get()
    if draft is not None:
        EDITOR.draft.set(overwrite_stored_version(draft, theirs))
        STORED.set(StoredVersion(theirs, is_overwrite=True))


def _author(stored: ContactFilter) -> str:
    return changed_by(stored) or "Someone else"
