"""What the buttons around saving do to the draft in the session: ask, look, save, choose between theirs and ours."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from client import NotFound, ServiceError
from components.contact_filters import draft_store
from components.contact_filters.comparison import is_untouched
from components.contact_filters.draft import FilterDraft, new_uid
from components.contact_filters.filter_problems import problems_of
from components.contact_filters.state import DRAFT, LISTING
from components.filter_builder import actions
from components.filter_builder.state import REDO, UNDO
from components.filter_saving import saving
from components.filter_saving.opening import Opened
from components.filter_saving.saving import Candidate, OvertakenError, Review
from components.filter_saving.state import JUST_SAVED, LOOKED, OPENED, REVIEW, SAVE_ERROR, SAVED
from components.shell.changing import change, is_same_press
from components.shell.notices import done

if TYPE_CHECKING:
    from client.models.contact_filters import ContactFilter
    from components.shell.calls import End
    from components.shell.workspace import Workspace

SAVING: Final = "contact filter"
"""What the saving of a draft is called among the changes under way; its subject is the draft's uid."""


def show(opened: Opened) -> None:
    """Put a draft on the screen, with nothing left of the one before it."""
    OPENED.set(opened)
    DRAFT.set(opened.draft)
    SAVED.set(opened.draft)
    for key in (UNDO, REDO, REVIEW, SAVE_ERROR, LOOKED):
        key.clear()


def ask_save(workspace: Workspace) -> None:
    """Go on towards saving where nothing has to be mended; otherwise point out everything that has.

    A change is looked at first; so is a new filter with muted rules, since they are let go of with the draft.
    """
    draft = actions.current()
    # A second click may meet the filter as it was saved, with nothing changed.
    if draft is None or is_same_press(workspace, SAVING, draft.uid) or (draft.is_change and is_untouched(draft)):
        return
    SAVE_ERROR.clear()
    draft = draft.model_copy(update={"checked": True, "refused": []})
    DRAFT.set(draft)
    if problems_of(draft):
        return
    if draft.is_change:
        look_at_change(workspace)
    elif any(rule.muted for rule in draft.rules):
        REVIEW.set(Review(draft.uid))
    else:
        save_now(workspace)


def look_at_change(workspace: Workspace) -> None:
    """Read the stored filter again and show what the change does to it."""
    draft = actions.current()
    if draft is None:
        return
    SAVE_ERROR.clear()
    held = REVIEW.get()
    try:
        with st.spinner("Reading the filter as the service has it now …", show_time=True):
            stored = saving.stored_now(workspace, draft)
    except ServiceError as error:
        REVIEW.set(Review(draft.uid, error=error))
    else:
        REVIEW.set(Review(draft.uid, stored, over=held is not None and held.over))


def back_to_rules() -> None:
    """Leave the look at the change for the builder."""
    REVIEW.clear()
    SAVE_ERROR.clear()


def save_now(workspace: Workspace) -> None:
    """Save the draft that is on the screen; how it ends is kept for the page to show."""
    draft = actions.current()
    if draft is not None:
        change(
            workspace,
            SAVING,
            draft.uid,
            partial(saving.carry_out, workspace, draft),
            doing=f"{'changing' if draft.is_change else 'saving'} the contact filter {draft.title}",
            then=partial(_ended, draft),
        )


def take_theirs(theirs: ContactFilter) -> None:
    """Go on from their version; undo brings back one's own."""
    actions.change("take their version", lambda draft: saving.theirs_instead(draft, theirs))
    OPENED.set(Opened(DRAFT.get(), seen=theirs))
    back_to_rules()
    done("This is their version now. Undo brings back yours.")


def keep_ours(theirs: ContactFilter) -> None:
    """Make the draft a change of their version: saving it replaces theirs, which is shown first."""
    draft = DRAFT.get()
    if draft is None:
        return
    DRAFT.set(saving.over_theirs(draft, theirs))
    OPENED.set(Opened(DRAFT.get(), seen=theirs))
    REVIEW.set(Review(draft.uid, theirs, over=True))


def look_at_both(shown: bool) -> None:
    """Show or hide their version beside one's own."""
    review = REVIEW.get()
    if review is not None:
        REVIEW.set(replace(review, side_by_side=shown))


def as_new_filter(workspace: Workspace, *, keep_name: bool) -> None:
    """Go on with the rules as a new filter, under a draft of its own; the change is let go of."""
    draft = DRAFT.get()
    if draft is None:
        return
    fresh = saving.as_new(draft, uid=new_uid())
    if keep_name:
        fresh = fresh.model_copy(update={"name": draft.name})
    draft_store.save(workspace, fresh)
    draft_store.discard(workspace, draft.uid)
    show(Opened(fresh, "This is a new filter now. Look at its name before you save it."))
    st.query_params.from_dict({"draft": fresh.uid})


def look_what_became(workspace: Workspace, draft: FilterDraft) -> None:
    """Ask the service what became of a draft whose answer was lost."""
    try:
        with st.spinner("Looking what the service holds …", show_time=True):
            LOOKED.set((draft.uid, saving.look(workspace, draft)))
    except NotFound:
        LOOKED.set((draft.uid, []))
    except ServiceError as error:
        LOOKED.set((draft.uid, error))


def saved_words(draft: FilterDraft) -> str:
    """What is said of a draft that was saved."""
    return f"The contact filter {draft.title} is {'changed' if draft.is_change else 'saved'}."


def settle(workspace: Workspace, draft: FilterDraft, candidate: Candidate) -> None:
    """Take the filter that was found for what the draft became."""
    saving.settle_as_done(workspace, draft, candidate.stored)
    LOOKED.clear()
    _saved(draft)


def save_again(workspace: Workspace, draft: FilterDraft) -> None:
    """Take the draft for not saved, and go back to it; it is sent again only by a press of its own."""
    draft_store.release(workspace, draft.uid)
    show(Opened(draft, "It counts as not saved. Save it again when you are ready."))


def _ended(draft: FilterDraft, end: End) -> None:
    held = DRAFT.get()
    is_on_screen = end.is_here and (held is None or held.uid == draft.uid)
    if end.error is not None:
        _failed(draft, end.error)
    elif end.value is not None and is_on_screen:
        _saved(draft)
    elif end.value is not None:
        LISTING.clear()
        done(saved_words(draft))


def _saved(draft: FilterDraft) -> None:
    LISTING.clear()
    REVIEW.clear()
    SAVE_ERROR.clear()
    JUST_SAVED.set(draft.uid)


def _failed(draft: FilterDraft, error: Exception) -> None:
    SAVE_ERROR.clear()
    if isinstance(error, OvertakenError):
        REVIEW.set(Review(draft.uid, error.stored))
        return
    if draft.is_change and isinstance(error, NotFound):
        REVIEW.set(Review(draft.uid, error=error))
        return
    SAVE_ERROR.set((draft.uid, error))
    named = saving.refused(draft, error)
    held = DRAFT.get()
    if held is not None and held.uid == draft.uid:
        DRAFT.set(named)
    if named.refused:
        REVIEW.clear()
