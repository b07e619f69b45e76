"""Which draft is on the screen: the one of this address, kept from before, made from a stored filter, or a new one.

Nothing here draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from client import NotFound, ServiceError
from client.models.contact_filters import ContactFilter
from components.change import kept_drafts
from components.change.drafting import BEGUN
from components.change.kept_drafts import Fate, Kept
from components.contact_filters.comparison import meanwhile
from components.contact_filters.draft import FilterDraft
from components.contact_filters.filter_change import FILTER
from components.contact_filters.wire import base_filter, from_filter
from components.filter_builder.editing import new_filter
from components.forms.form import new_uid
from components.widgets.ids import NOT_AN_ID, id_in, quoted_id

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


@dataclass(frozen=True)
class Address:
    """What the address asks for; `problem` says why it asks for nothing that can be shown."""

    filter_id: int | None = None
    name: str = ""
    draft: str = ""
    problem: str = ""


@dataclass(frozen=True)
class Opened:
    """A draft as it was opened, what should be said about where it comes from, and what went wrong.

    `version` is that of the kept draft, `seen` the stored filter as the service had it then. Without a draft there is
    nothing to show but the error; `by_name` tells that a name was looked for, and not an id.
    """

    draft: FilterDraft | None
    note: str = ""
    seen: ContactFilter | None = None
    error: Exception | None = None
    doing: str = ""
    by_name: bool = False
    version: datetime | None = None


def address_of(query: Mapping[str, str]) -> Address:
    """Read what the address asks for: `id`, `name`, `draft`, or nothing for a new filter."""
    given, draft = query.get("id", "").strip(), query.get("draft", "").strip()
    if given:
        number = id_in(given)
        if number is None:
            return Address(problem=f"{quoted_id(given)} is not the id of a contact filter. {NOT_AN_ID}")
        return Address(number, draft=draft)
    return Address(name=query.get("name", "").strip(), draft=draft)


def open_new(workspace: Workspace, uid: str) -> Opened:
    """Open the draft of this name, or begin a new filter under it."""
    kept = kept_drafts.load(workspace, FILTER, uid) if uid else None
    if kept is None:
        return Opened(new_filter().model_copy(update={"uid": uid or new_uid()}))
    if kept.fate is Fate.UNSENT and kept.draft.filter_id is not None:
        return _begun(workspace, kept)
    return Opened(kept.draft, version=kept.version)


def open_change(workspace: Workspace, number: int, uid: str = "") -> Opened:
    """Open a change of a stored filter: the person's own unsent one, else the filter as the service has it now."""
    kept = kept_drafts.load(workspace, FILTER, uid) if uid else None
    if kept is not None and kept.draft.filter_id == number and kept.fate is not Fate.UNSENT:
        return Opened(kept.draft, version=kept.version)
    if kept is None or kept.draft.filter_id != number:
        kept = next(iter(kept_drafts.unfinished_about(workspace, FILTER, number)), None)
    return _begun(workspace, kept) if kept is not None else fresh_change(workspace, number)


def fresh_change(workspace: Workspace, number: int) -> Opened:
    """Open a stored filter as the service has it now."""
    try:
        stored = workspace.client.contact_filters.retrieve(number)
    except ServiceError as error:
        return Opened(None, error=error, doing=f"opening contact filter {number}")
    return opened_from(stored, number)


def open_named(workspace: Workspace, name: str) -> Opened:
    """Open the stored filter of a name, also where that is a number."""
    try:
        stored = workspace.client.contact_filters.retrieve_by_name(name)
        if not stored.id:
            raise NotFound("The service tells no id of this filter, so it cannot be changed.")
    except ServiceError as error:
        return Opened(None, error=error, doing=f"opening the contact filter “{name}”", by_name=True)
    begun = next(iter(kept_drafts.unfinished_about(workspace, FILTER, stored.id)), None)
    return _held_against(begun, stored) if begun is not None else opened_from(stored, stored.id)


def opened_from(stored: ContactFilter, number: int) -> Opened:
    """A draft that changes a stored filter, with nothing changed yet."""
    return Opened(from_filter(stored, filter_id=number), seen=stored)


def is_overtaken(opened: Opened, draft: FilterDraft) -> bool:
    """Whether the filter was already changed by somebody else when the draft was opened (again)."""
    return opened.seen is not None and draft.is_change and meanwhile(base_filter(draft), opened.seen) == "changed"


def _begun(workspace: Workspace, kept: Kept[FilterDraft]) -> Opened:
    number = kept.draft.filter_id or 0
    if kept.fate is not Fate.UNSENT:
        return Opened(kept.draft, version=kept.version)
    try:
        stored = workspace.client.contact_filters.retrieve(number)
    except ServiceError as error:
        # What was typed is shown all the same: it is not lost because the filter is gone or the service away.
        doing = f"reading contact filter {number} again"
        return Opened(kept.draft, error=error, doing=doing, version=kept.version)
    return _held_against(kept, stored)


def _held_against(kept: Kept[FilterDraft], stored: ContactFilter) -> Opened:
    if kept.fate is Fate.UNSENT and kept.draft.is_untouched and kept.draft.filter_id is not None:
        fresh = from_filter(stored, filter_id=kept.draft.filter_id).model_copy(update={"uid": kept.draft.uid})
        return Opened(fresh, seen=stored, version=kept.version)
    return Opened(kept.draft, BEGUN, seen=stored, version=kept.version)
