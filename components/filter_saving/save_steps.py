"""What the buttons around saving do to the draft in the session: ask, look, choose between theirs and ours."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from client import NotFound, ServiceError
from components.change import kept_drafts
from components.change.kept_drafts import Fate
from components.contact_filters.draft import FilterDraft
from components.contact_filters.filter_change import FILTER, OvertakenError, stored_now
from components.contact_filters.filter_problems import problems_of
from components.filter_builder.actions import EDITOR
from components.filter_saving import saving
from components.filter_saving.opening import Opened
from components.filter_saving.saving import Review
from components.filter_saving.state import OPENED, REVIEW
from components.forms.form import new_uid
from components.shell.changing import is_same_press
from components.shell.notices import done

if TYPE_CHECKING:
    from client.models.contact_filters import ContactFilter
    from components.shell.workspace import Workspace


def show(opened: Opened) -> None:
    """Put a draft on the screen, with nothing left of the one before it; none where there is none to build on."""
    OPENED.set(opened)
    REVIEW.clear()
    if opened.draft is None:
        EDITOR.draft.clear()
    else:
        EDITOR.show(opened.draft, opened.note, version=opened.version)


def heed_error(draft: FilterDraft) -> None:
    """Where the stored filter was changed or deleted meanwhile, show that instead of an error."""
    error = EDITOR.error_of(draft)
    if isinstance(error, OvertakenError):
        REVIEW.set(Review(draft.uid, error.stored))
    elif draft.is_change and isinstance(error, NotFound):
        REVIEW.set(Review(draft.uid, error=error))
    elif error is None or not draft.refused:
        return
    else:
        REVIEW.clear()
        return
    EDITOR.forget_error()


def ask_save(workspace: Workspace) -> None:
    """Go on towards saving where nothing has to be mended; otherwise point out everything that has.

    A change is looked at first; so is a new filter with muted rules, since they are let go of with the draft.
    """
    draft = EDITOR.current()
    # A second click may meet the filter as it was saved, with nothing changed.
    if draft is None or is_same_press(workspace, FILTER.kind, draft.uid) or (draft.is_change and draft.is_untouched):
        return
    kept = kept_drafts.load(workspace, FILTER, draft.uid)
    if kept is not None and kept.fate is not Fate.UNSENT:
        return
    EDITOR.forget_error()
    draft = draft.model_copy(update={"checked": True, "refused": []})
    EDITOR.draft.set(draft)
    if problems_of(draft):
        return
    if draft.is_change:
        look_at_change(workspace)
    elif any(rule.muted for rule in draft.rules):
        REVIEW.set(Review(draft.uid))
    else:
        EDITOR.send(workspace)


def look_at_change(workspace: Workspace) -> None:
    """Read the stored filter again and show what the change does to it."""
    draft = EDITOR.current()
    if draft is None:
        return
    EDITOR.forget_error()
    held = REVIEW.get()
    try:
        with st.spinner("Reading the filter as the service has it now …", show_time=True):
            stored = stored_now(workspace, draft)
    except ServiceError as error:
        REVIEW.set(Review(draft.uid, error=error))
    else:
        REVIEW.set(Review(draft.uid, stored, over=held is not None and held.over))


def back_to_rules() -> None:
    """Leave the look at the change for the builder."""
    REVIEW.clear()
    EDITOR.forget_error()


def take_theirs(theirs: ContactFilter) -> None:
    """Go on from their version; undo brings back one's own."""
    EDITOR.do("take their version", lambda draft: saving.theirs_instead(draft, theirs))
    OPENED.set(Opened(EDITOR.draft.get(), seen=theirs))
    back_to_rules()
    done("This is their version now. Undo brings back yours.")


def keep_ours(theirs: ContactFilter) -> None:
    """Make the draft a change of their version: saving it replaces theirs, which is shown first."""
    draft = EDITOR.draft.get()
    if draft is None:
        return
    EDITOR.draft.set(saving.over_theirs(draft, theirs))
    OPENED.set(Opened(EDITOR.draft.get(), seen=theirs))
    REVIEW.set(Review(draft.uid, theirs, over=True))


def look_at_both(shown: bool) -> None:
    """Show or hide their version beside one's own."""
    review = REVIEW.get()
    if review is not None:
        REVIEW.set(replace(review, side_by_side=shown))


def as_new_filter(workspace: Workspace, *, keep_name: bool) -> None:
    """Go on with the rules as a new filter, under a draft of its own; the change is let go of."""
    draft = EDITOR.draft.get()
    if draft is None:
        return
    fresh = saving.as_new(draft, uid=new_uid())
    if keep_name:
        fresh = fresh.model_copy(update={"name": draft.name})
    version = kept_drafts.save(workspace, FILTER, fresh, seen=None)
    kept_drafts.discard(workspace, FILTER, draft.uid)
    show(Opened(fresh, "This is a new filter now. Look at its name before you save it.", version=version))
    st.query_params.from_dict({"draft": fresh.uid})
