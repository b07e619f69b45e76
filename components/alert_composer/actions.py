"""What the buttons of the composer do to the draft in the session; what they write over can be brought back."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st

from components.alert_composer.opening import keep, problems_now, show_new
from components.alert_reach.saved_areas import with_latest_areas
from components.alert_sending.alert_change import ALERT_EDITOR
from components.alert_wording.sms import straighten
from components.public_alerts import wordings
from components.public_alerts.alert_events import PLACE, TIME, WHO, gaps, sender_of, skeleton_of
from components.public_alerts.alert_form import ALERT_FORM
from components.public_alerts.alert_session import (
    DRAFT,
    EVENT_NOTE,
    READY_ASKED,
    READY_ERROR,
    REVIEW_ASKED,
    STEPS,
    WORDING_ERROR,
)
from components.public_alerts.draft import AlertDraft
from components.public_alerts.expiry import Ending
from components.public_alerts.last_sender import remember_sender, with_sender
from components.public_alerts.ready_alerts import begun_with, filled, keep_ready, versions
from components.shell.notices import done
from components.shell.workspace import Workspace
from journal import JournalError

STEPS_KEPT: Final = 20
NAME_KEY: Final = f"{ALERT_FORM.name}.wording_name"
READY_NAME_KEY: Final = f"{ALERT_FORM.name}.ready_name"


def current() -> AlertDraft | None:
    """The draft with everything that stands in the fields at this moment."""
    return ALERT_EDITOR.current()


def with_known_words(draft: AlertDraft, place: str, ending: Ending | None) -> AlertDraft:
    """The draft with who speaks, the place and the end in the blanks that what it began with left for them."""
    if not draft.blanks:
        return draft
    known = {WHO: sender_of(draft), PLACE: place, TIME: ending.in_text if ending is not None else ""}
    with_words = filled(draft, known)
    if with_words is not draft:
        DRAFT.set(with_words)
    return with_words


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


def choose_event(workspace: Workspace) -> None:
    """Forget what was said about the event before; who spoke last speaks again, until somebody else is named."""
    EVENT_NOTE.clear()
    draft = current()
    if draft is not None and draft.event:
        DRAFT.set(with_sender(workspace, draft))


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
    text = skeleton_of(draft, place, until).sms
    put("insert the skeleton", {"sms": f"{text}\n{written}" if written else text, "blanks": gaps(text)})


def fill_around() -> None:
    """Write title and text of the notification from the alert."""
    draft = current()
    if draft is not None:
        put("fill in title and text", wordings.around(draft))


def use_wording(name: str, payload: dict[str, Any]) -> None:
    """Write a kept wording into the draft."""
    texts = wordings.fields_of(payload)
    put(f"use the wording “{name}”", {**texts, "blanks": gaps(*texts.values())})


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


def begin_if_asked(workspace: Workspace) -> None:
    """Begin with the ready alert that was asked for; what stood on the screen is kept."""
    asked = READY_ASKED.get()
    for name, version in asked:
        known = versions(workspace, name)
        wanted = next((each for each in known if each.version == version), None)
        if wanted is not None:
            begun = with_latest_areas(workspace, begun_with(wanted, version=known[0].version))
            show_new(workspace, with_sender(workspace, begun))
    asked.clear()


def keep_as_ready(workspace: Workspace) -> None:
    """Keep the draft as a ready alert under the name that was typed."""
    draft = current()
    if draft is None:
        return
    READY_ERROR.clear()
    typed = str(st.session_state.get(READY_NAME_KEY) or "").strip()
    name = typed or (draft.ready[0] if draft.ready is not None else "")
    try:
        version = keep_ready(workspace, draft, name)
    except JournalError as error:
        READY_ERROR.set((draft.uid, error))
        return
    DRAFT.set(draft.model_copy(update={"ready": (name, version)}))
    st.session_state[READY_NAME_KEY] = ""
    done(f"Kept as the ready alert “{name}”, version {version}.")


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
    ALERT_EDITOR.note.clear()
    both = keep(workspace, draft)
    is_new_here = not both.says_the_same(draft)
    asked = both.model_copy(update={"checked": True, "refused": []})
    stage = "edit" if is_new_here or problems_now(workspace, asked) else "review"
    if stage == "review":
        remember_sender(workspace, asked)
    DRAFT.set(asked.model_copy(update={"stage": stage}))
