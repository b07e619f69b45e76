"""What the buttons of the composer do to the draft in the session; what they write over can be brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from components.alert_composer.opening import problems_now, with_other_tab
from components.alert_reach import region_steps
from components.alert_wording.skeleton import skeleton_text
from components.alert_wording.straighten import straighten
from components.forms.on_screen import take_up
from components.public_alerts import draft_store, wordings
from components.public_alerts.alert_form import ALERT_FORM
from components.public_alerts.draft import AlertDraft, Stage
from components.public_alerts.state import DRAFT, EVENT_NOTE, NOTE, REVIEW_ASKED, SAVED, STEPS, WORDING_ERROR
from journal import JournalError

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

STEPS_KEPT: Final = 20
NAME_KEY: Final = f"{ALERT_FORM.name}.wording_name"


def current() -> AlertDraft | None:
    """The draft with everything that stands in the fields at this moment."""
    # A place that was chosen while the page was being drawn must be in whatever is done with the draft.
    region_steps.carry_out()
    return take_up(ALERT_FORM, DRAFT)


def put(what: str, fields: dict[str, Any]) -> None:
    """Write into fields of the draft and of the screen, keeping what stood there under `what` was done."""
    draft = current()
    if draft is None:
        return
    before = {name: getattr(draft, name) for name in fields if getattr(draft, name) != fields[name]}
    if before:
        STEPS.set([*STEPS.get(), (draft.uid, what, before)][-STEPS_KEPT:])
        DRAFT.set(draft.model_copy(update=fields))


def undo() -> None:
    """Bring back what the last button wrote over; whatever else was typed since stays."""
    draft = current()
    if draft is None or not STEPS.get():
        return
    *rest, (uid, _, before) = STEPS.get()
    STEPS.set(rest)
    if uid == draft.uid:
        DRAFT.set(draft.model_copy(update=before))


def choose_category() -> None:
    """Take the category that was chosen, and say so where the event could not be kept."""
    before, draft = DRAFT.get(), current()
    if before is None or draft is None:
        return
    if before.event and not draft.event:
        EVENT_NOTE.set((draft.category, before.event))
    else:
        EVENT_NOTE.clear()


def choose_event() -> None:
    """Forget what was said about the event before."""
    EVENT_NOTE.clear()


def straighten_text(name: str) -> None:
    """Put plain characters where costly ones stand and nothing is lost by it."""
    draft = current()
    if draft is not None:
        put("straighten the text", {name: straighten(getattr(draft, name))})


def insert_skeleton(place: str, until: str) -> None:
    """Begin the text with what a warning has to say; what is written already follows it."""
    draft = current()
    if draft is None:
        return
    written = draft.sms.strip()
    text = skeleton_text(draft, place, until)
    put("insert the skeleton", {"sms": f"{text}\n{written}" if written else text})


def fill_around() -> None:
    """Write title and text of the notification from the alert."""
    draft = current()
    if draft is not None:
        put("fill in title and text", wordings.around(draft))


def use_wording(name: str, payload: dict[str, Any]) -> None:
    """Write a kept wording into the draft."""
    put(f"use the wording “{name}”", wordings.fields_of(payload))


def save_wording(workspace: Workspace) -> None:
    """Keep the texts of the draft under the name that was typed."""
    draft = current()
    if draft is None:
        return
    WORDING_ERROR.clear()
    name = str(st.session_state.get(NAME_KEY) or "").strip()
    if not wordings.has_text(draft):
        WORDING_ERROR.set((draft.uid, JournalError("There is no text yet to keep.")))
        return
    try:
        workspace.journal.wordings.save(workspace.actor, draft.event, name, wordings.payload_of(draft))
    except JournalError as error:
        WORDING_ERROR.set((draft.uid, error))
        return
    st.session_state[NAME_KEY] = ""


def delete_wording(workspace: Workspace, wording_id: int) -> None:
    """Forget a kept wording."""
    WORDING_ERROR.clear()
    try:
        workspace.journal.wordings.delete(workspace.actor, wording_id)
    except JournalError as error:
        WORDING_ERROR.set(((DRAFT.get() or AlertDraft()).uid, error))


def review_if_asked(workspace: Workspace) -> None:
    """Do what the review button asked for.

    The button only writes its draft's name into a list: a callback that touches the session may be cut short by the
    next run that the browser asks for, such as that of a key pressed just before, and the press would be lost.
    """
    draft, asked = DRAFT.get(), REVIEW_ASKED.get()
    if draft is not None and draft.uid in asked:
        ask_review(workspace)
    asked.clear()


def ask_review(workspace: Workspace) -> None:
    """Go on to the review where nothing has to be mended; otherwise point out everything that has.

    Nor does it go on where another tab changed something: that has to be seen first.
    """
    draft = current()
    if draft is None:
        return
    NOTE.clear()
    both = with_other_tab(workspace, draft)
    is_new_here = not ALERT_FORM.same_content(both, draft)
    asked = both.model_copy(update={"checked": True, "refused": []})
    stage: Stage = "edit" if is_new_here or problems_now(workspace, asked) else "review"
    asked.stage = stage
    DRAFT.set(asked)
    draft_store.save(workspace, asked)
    SAVED.set(asked)


def back_to_edit() -> None:
    """Leave the review for the form."""
    draft = current()
    if draft is not None:
        DRAFT.set(draft.model_copy(update={"stage": "edit"}))
