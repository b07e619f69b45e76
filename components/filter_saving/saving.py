"""Saving a draft once, without taking away what somebody else did meanwhile, and finding out where an answer was lost.

Nothing here draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from client import Duplicate, Invalid, NotFound, Rejected, ServiceError
from client.models.contact_filters import ContactFilter
from client.vocabulary.contact_filters import NAME_LENGTH
from components.change.kept_drafts import Fate
from components.change.recorded import outcome_of
from components.contact_filters import changes, draft_store
from components.contact_filters.comparison import compared, meanwhile, name_of, same_filter
from components.contact_filters.draft import FilterDraft
from components.contact_filters.listing import called
from components.contact_filters.wire import base_filter, from_filter, to_filter
from components.shell.problems import NotSentError

if TYPE_CHECKING:
    from components.contact_filters.comparison import Comparison
    from components.shell.workspace import Workspace

NAME_FIELD: Final = "name"
TAKEN: Final = "Another filter of the organization has this name. Give this one another, or change that one."
_COPY: Final = "Copy of "


class OvertakenError(NotSentError):
    """Somebody else changed the filter since it was opened; `stored` is what they made of it."""

    def __init__(self, stored: ContactFilter) -> None:
        super().__init__("The filter was changed by somebody else meanwhile.")
        self.stored = stored


class NameTakenError(NotSentError):
    """Another filter has the name; `other` is that one."""

    def __init__(self, other: ContactFilter) -> None:
        super().__init__(TAKEN)
        self.other = other


@dataclass(frozen=True)
class Review:
    """A look at a draft before it is saved: `stored` is what it would replace, as just read; None for a new one.

    `error` is what kept that from being read. `side_by_side` shows theirs and ours beside each other; `over` is set
    once the person chose to replace what somebody else did.
    """

    uid: str
    stored: ContactFilter | None = None
    error: Exception | None = None
    side_by_side: bool = False
    over: bool = False


@dataclass(frozen=True)
class Candidate:
    """A stored filter that may be what became of a draft whose answer was lost.

    `holds_it` where it says exactly what was sent; `is_as_before` where it says what it said before.
    """

    stored: ContactFilter
    holds_it: bool
    is_as_before: bool


def stored_now(workspace: Workspace, draft: FilterDraft) -> ContactFilter:
    """The filter that a change replaces, as the service has it at this moment. Raises `ServiceError`."""
    if draft.filter_id is None:
        raise NotFound("A new filter is not stored yet.")
    return workspace.client.contact_filters.retrieve(draft.filter_id)


def save(workspace: Workspace, draft: FilterDraft) -> int | None:
    """Save the draft, once; return the filter's id, or None where its sending was begun before, here or in another tab.

    A change is read again first: raises `OvertakenError` where it is no longer what the draft was made from. Raises
    `NameTakenError`, and `ServiceError`: what was refused or never left can be mended and sent again; after any other
    error the draft stays taken, since the service may have carried it out.
    """
    if not _may_be_sent(workspace, draft):
        return None
    base = base_filter(draft)
    if draft.filter_id is not None:
        stored = stored_now(workspace, draft)
        if meanwhile(base, stored) == "changed":
            raise OvertakenError(stored)
    if draft.filter_id is None or base is None or draft.name.strip() != name_of(base):
        _require_free_name(workspace, draft)
    # All that only reads is done: from the claim on, the entry in the journal follows at once.
    draft_store.save(workspace, draft)
    if not draft_store.claim(workspace, draft):
        return None
    try:
        return _send(workspace, draft, base)
    except Exception as error:
        if outcome_of(error) in {"refused", "not sent"}:
            draft_store.release(workspace, draft.uid)
        raise


def carry_out(workspace: Workspace, draft: FilterDraft) -> int | None:
    """Save the draft, and keep with it what it is refused for; as `save`."""
    try:
        return save(workspace, draft)
    except (NameTakenError, ServiceError) as error:
        draft_store.save(workspace, refused(draft, error))
        raise


def what_changes(draft: FilterDraft, against: ContactFilter | None = None) -> Comparison:
    """What was (`against`, or the filter as it was opened) and what will be."""
    was = against or base_filter(draft) or ContactFilter(name="")
    return compared(was, to_filter(draft), muted=[rule.wire for rule in draft.rules if rule.muted])


def refused(draft: FilterDraft, error: Exception) -> FilterDraft:
    """The draft with what it was refused for, by field, so that it stands there until the draft changes."""
    return draft.model_copy(update={"refused": refusals(error), "checked": True})


def refusals(error: Exception) -> list[tuple[str, str]]:
    """What a refusal says, as (field of the interface, words); empty where it names no field."""
    if isinstance(error, NameTakenError | Duplicate):
        return [(NAME_FIELD, TAKEN)]
    return [(each.field, each.message) for each in error.field_errors] if isinstance(error, Invalid) else []


def over_theirs(draft: FilterDraft, theirs: ContactFilter) -> FilterDraft:
    """The draft, made from now on against their version: saving it replaces that one, knowingly."""
    rebased = from_filter(theirs, filter_id=draft.filter_id)
    return draft.model_copy(update={"base": rebased.base, "refused": []})


def theirs_instead(draft: FilterDraft, theirs: ContactFilter) -> FilterDraft:
    """Their version to go on from, kept in the place of the draft."""
    return from_filter(theirs, filter_id=draft.filter_id).model_copy(update={"uid": draft.uid})


def as_new(draft: FilterDraft, *, uid: str) -> FilterDraft:
    """The same rules as a new filter: its own name, and nothing that is replaced."""
    rules = [
        rule.model_copy(update={"stored": None, "wire": {k: v for k, v in rule.wire.items() if k != "id"}}, deep=True)
        for rule in draft.rules
    ]
    fresh = {"uid": uid, "filter_id": None, "base": None, "refused": [], "checked": False, "rules": rules}
    return draft.model_copy(update={**fresh, "name": copy_name(draft.name)})


def copy_of(stored: ContactFilter) -> FilterDraft:
    """A new draft with the rules of a stored filter."""
    draft = from_filter(stored)
    return as_new(draft, uid=draft.uid)


def copy_name(name: str) -> str:
    """What a copy is called, within what the interface allows."""
    return f"{_COPY}{name.strip()}"[:NAME_LENGTH].strip() if name.strip() else ""


def look(workspace: Workspace, draft: FilterDraft) -> list[Candidate]:
    """Ask the service what it holds under the draft's id or name now, after an answer was lost; reads only."""
    api = workspace.client.contact_filters
    if draft.filter_id is not None:
        found: Sequence[ContactFilter] = [api.retrieve(draft.filter_id)]
    else:
        # The list is read, and not the one filter of that name: were there two, both have to be seen.
        found = [api.retrieve(each.id) if each.id else each for each in called(api.list(), draft.name)]
    sent, base = to_filter(draft), base_filter(draft)
    return [Candidate(each, same_filter(sent, each), base is not None and same_filter(base, each)) for each in found]


def settle_as_done(workspace: Workspace, draft: FilterDraft, stored: ContactFilter) -> None:
    """Write into the journal that a person found the filter at the service: it is what the draft became."""
    audit = workspace.journal.audit
    entry = audit.begin(
        workspace.actor,
        changes.UPDATE if draft.is_change else changes.CREATE,
        subject_kind=changes.SUBJECT,
        subject_id=str(stored.id or draft.filter_id or "") or None,
        subject_name=name_of(to_filter(draft)),
        request={
            **changes.request_of(to_filter(draft), draft.uid),
            "settled": "found at the service, nothing was sent",
        },
    )
    audit.finish(entry, state="succeeded", message="The answer had been lost; a person looked and found it done.")


def _may_be_sent(workspace: Workspace, draft: FilterDraft) -> bool:
    kept = draft_store.load(workspace, draft.uid)
    return kept is None or kept.fate is Fate.UNSENT


def _require_free_name(workspace: Workspace, draft: FilterDraft) -> None:
    """Look whether another filter has the name; where that cannot be said, the service itself is to judge."""
    try:
        other = workspace.client.contact_filters.retrieve_by_name(draft.name.strip())
    except Rejected:
        return
    if name_of(other) == draft.name.strip() and other.id != draft.filter_id:
        raise NameTakenError(other)


def _send(workspace: Workspace, draft: FilterDraft, base: ContactFilter | None) -> int:
    contact_filter = to_filter(draft)
    if draft.filter_id is None:
        return changes.create(workspace, contact_filter, draft_uid=draft.uid).id
    changes.update(workspace, draft.filter_id, contact_filter, stored=base, draft_uid=draft.uid)
    return draft.filter_id
