"""A look at a filter before it is saved, the choice between theirs and ours, and copies. Nothing here draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from client.models.contact_filters import ContactFilter
from client.vocabulary.contact_filters import NAME_LENGTH
from components.contact_filters.comparison import compared
from components.contact_filters.draft import FilterDraft
from components.contact_filters.wire import base_filter, from_filter, to_filter

if TYPE_CHECKING:
    from components.contact_filters.comparison import Comparison

_COPY: Final = "Copy of "


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


def what_changes(draft: FilterDraft, against: ContactFilter | None = None) -> Comparison:
    """What was (`against`, or the filter as it was opened) and what will be."""
    was = against or base_filter(draft) or ContactFilter(name="")
    return compared(was, to_filter(draft), muted=[rule.wire for rule in draft.rules if rule.muted])


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
