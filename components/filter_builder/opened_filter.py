"""The filter on the screen and its way to the service: opened, copied, held against theirs; nothing here draws."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

import streamlit as st

from client import NotFound, ServiceError
from client.models.contact_filters import ContactFilter
from client.vocabulary.contact_filters import NAME_LENGTH
from components.change import kept_drafts
from components.change.declaration import OvertakenError
from components.change.drafting import BEGUN
from components.change.kept_drafts import Fate
from components.contact_filters.comparison import Comparison, compared, meanwhile
from components.contact_filters.filter_change import FILTER, stored_now
from components.contact_filters.filter_draft import FilterDraft, base_filter, from_filter, to_filter
from components.filter_builder.editing import new_filter
from components.filter_builder.rule_actions import EDITOR
from components.forms.form import new_uid
from components.shell.changing import is_same_press
from components.shell.notices import done
from components.shell.state import StateKey

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


@dataclass(frozen=True)
class Opened:
    """A draft as it was opened, with `seen`, the stored filter as the service had it last, or what kept it from it.

    `version` is that of the kept draft. Without a draft there is nothing to show but the error, or `note`. `over` is
    set once the person chose to replace what somebody else did.
    """

    draft: FilterDraft | None
    note: str = ""
    seen: ContactFilter | None = None
    error: Exception | None = None
    doing: str = ""
    version: datetime | None = None
    over: bool = False


OPENED: Final[StateKey[Opened | None]] = StateKey("contact_filters.opened", lambda: None)


def open_filter(workspace: Workspace, number: int | None = None, *, name: str = "", uid: str = "") -> Opened:
    """Open the draft of this uid, or a change of the stored filter of this id or name; else begin a new one.

    A change that the person began is gone on with. What was typed is shown also where the filter is gone, or the
    service away.
    """
    stored: ContactFilter | None = None
    try:
        if name:
            stored = workspace.client.contact_filters.retrieve_by_name(name)
            if not stored.id:
                raise NotFound("The service tells no id of this filter, so it cannot be changed.")
            number = stored.id
    except ServiceError as error:
        return Opened(None, error=error, doing=f"opening the contact filter “{name}”")
    kept, _ = EDITOR.kept_for(workspace, uid, number)
    draft = kept.draft if kept is not None else None
    version = kept.version if kept is not None else None
    if draft is not None and kept is not None and (kept.fate is not Fate.UNSENT or not draft.is_change):
        return Opened(draft, version=version)
    number = draft.filter_id if draft is not None else number
    if number is None:
        return Opened(new_filter().model_copy(update={"uid": uid or new_uid()}))
    try:
        stored = stored or workspace.client.contact_filters.retrieve(number)
    except ServiceError as error:
        doing = f"opening contact filter {number}" if draft is None else f"reading contact filter {number} again"
        return Opened(draft, error=error, doing=doing, version=version)
    if draft is not None and not draft.is_untouched:
        return Opened(draft, BEGUN, seen=stored, version=version)
    fresh = from_filter(stored, filter_id=number)
    if draft is not None:
        fresh = fresh.model_copy(update={"uid": draft.uid})
    return Opened(fresh, seen=stored, version=version)


def show(opened: Opened) -> None:
    """Put a draft on the screen, with nothing left of the one before it; none where there is none to build on."""
    OPENED.set(opened)
    if opened.draft is None:
        EDITOR.draft.clear()
    else:
        EDITOR.show(opened.draft, opened.note, version=opened.version)


def opened_now(draft: FilterDraft) -> Opened:
    """How the draft on the screen was opened."""
    return OPENED.get() or Opened(draft)


def is_overtaken(opened: Opened, draft: FilterDraft) -> bool:
    """Whether somebody else had changed the filter when it was read last."""
    return opened.seen is not None and draft.is_change and meanwhile(base_filter(draft), opened.seen) == "changed"


def heed_error(draft: FilterDraft) -> FilterDraft:
    """Where the stored filter was changed or deleted meanwhile, show that instead of an error."""
    error = EDITOR.error_of(draft)
    if isinstance(error, OvertakenError):
        OPENED.set(replace(opened_now(draft), seen=error.stored, error=None))
    elif draft.is_change and isinstance(error, NotFound):
        OPENED.set(replace(opened_now(draft), error=error))
    else:
        return draft
    EDITOR.forget_error()
    draft = draft.model_copy(update={"stage": "review"})
    EDITOR.draft.set(draft)
    return draft


def ask_save(workspace: Workspace) -> None:
    """Go on towards saving where nothing has to be mended; otherwise point out everything that has.

    A change is looked at first; so is a new filter with muted rules, since they are let go of with the draft.
    """
    draft = EDITOR.current()
    # A second click may meet the filter as it was saved, with nothing changed.
    if draft is None or is_same_press(workspace, FILTER.kind, draft.uid) or (draft.is_change and draft.is_untouched):
        return
    if not draft.is_change and not any(rule.muted for rule in draft.rules):
        EDITOR.send(workspace)
        return
    EDITOR.set_stage(review=True)
    asked = EDITOR.draft.get()
    if asked is not None and asked.is_change and asked.stage == "review":
        look_at_change(workspace)


def look_at_change(workspace: Workspace) -> None:
    """Read the stored filter again and show what the change does to it."""
    draft = EDITOR.current()
    if draft is None:
        return
    EDITOR.draft.set(draft.model_copy(update={"stage": "review"}))
    EDITOR.forget_error()
    try:
        with st.spinner("Reading the filter as the service has it now …", show_time=True):
            OPENED.set(replace(opened_now(draft), seen=stored_now(workspace, draft), error=None))
    except ServiceError as error:
        OPENED.set(replace(opened_now(draft), error=error))


def back_to_rules() -> None:
    """Leave the look at the change for the builder."""
    EDITOR.set_stage(review=False)
    EDITOR.forget_error()


def what_changes(draft: FilterDraft, against: ContactFilter | None = None) -> Comparison:
    """What was (`against`, or the filter as it was opened) and what will be."""
    was = against or base_filter(draft) or ContactFilter(name="")
    return compared(was, to_filter(draft), muted=[rule.wire for rule in draft.rules if rule.muted])


def take_theirs(theirs: ContactFilter) -> None:
    """Go on from their version; undo brings back one's own."""
    EDITOR.do("take their version", lambda draft: theirs_instead(draft, theirs))
    OPENED.set(Opened(EDITOR.draft.get(), seen=theirs))
    EDITOR.forget_error()
    done("This is their version now. Undo brings back yours.")


def theirs_instead(draft: FilterDraft, theirs: ContactFilter) -> FilterDraft:
    """Their version to go on from, kept in the place of the draft."""
    return from_filter(theirs, filter_id=draft.filter_id).model_copy(update={"uid": draft.uid})


def keep_ours(theirs: ContactFilter) -> None:
    """Make the draft a change of their version: saving it replaces theirs, which is shown first."""
    draft = EDITOR.draft.get()
    if draft is not None:
        EDITOR.draft.set(over_theirs(draft, theirs))
        OPENED.set(Opened(EDITOR.draft.get(), seen=theirs, over=True))


def over_theirs(draft: FilterDraft, theirs: ContactFilter) -> FilterDraft:
    """The draft, made from now on against their version: saving it replaces that one, knowingly."""
    rebased = from_filter(theirs, filter_id=draft.filter_id)
    return draft.model_copy(update={"base": rebased.base, "refused": []})


def as_new_filter(workspace: Workspace, *, keep_name: bool) -> None:
    """Go on with the rules as a new filter, under a draft of its own; the change is let go of."""
    draft = EDITOR.draft.get()
    if draft is None:
        return
    fresh = as_new(draft)
    if keep_name:
        fresh = fresh.model_copy(update={"name": draft.name})
    version = kept_drafts.save(workspace, FILTER, fresh, seen=None)
    kept_drafts.discard(workspace, FILTER, draft.uid)
    show(Opened(fresh, "This is a new filter now. Look at its name before you save it.", version=version))
    st.query_params.from_dict({"draft": fresh.uid})


def as_new(draft: FilterDraft) -> FilterDraft:
    """The same rules as a new filter: its own name, within what the interface allows, and nothing that is replaced."""
    rules = [
        rule.model_copy(update={"stored": None, "wire": {k: v for k, v in rule.wire.items() if k != "id"}}, deep=True)
        for rule in draft.rules
    ]
    name = f"Copy of {draft.name.strip()}"[:NAME_LENGTH].strip() if draft.name.strip() else ""
    return FilterDraft(name=name, rules=rules)
