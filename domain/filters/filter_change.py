"""The stored contact filters: read, found by id or name, changed, looked for after a lost answer, and deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from client import Duplicate, NotFound, Rejected, ServiceError, UndecodableAnswer
from client.models.contact_filters import ContactFilter
from domain.edits.edit import (
    Change,
    DuplicateRecordError,
    EditConflictError,
    ReconcileCandidate,
    Words,
    describe_match,
    field_refusals,
)
from domain.edits.removals import Target, removal_of
from domain.edits.stored_drafts import StoredDraft
from domain.filters.comparison import changed_at, meanwhile, name_of, same_filter
from domain.filters.filter_draft import FilterDraft, base_filter, to_filter
from domain.filters.filter_form import FILTER_FORM
from domain.filters.filter_problems import problems_of
from domain.runtime.screens import CONTACT_FILTER
from domain.runtime.server import server
from domain.tables.listed import Listed
from domain.text.plain_text import count, id_in
from domain.text.time_text import moment

if TYPE_CHECKING:
    from client import ModificationResult, ServiceClient
    from domain.runtime.workspace import Workspace
    from domain.tables.listed import Tell

NOT_TOLD: Final = "not told"
BY_NAME: Final = "name:"
_BY_PLACE: Final = "row:"
_SUGGESTED: Final = 5


@dataclass(frozen=True)
class ListedFilter:
    """A filter, and what it is known by: its id, else its name, else only its place in the list."""

    key: str
    stored: ContactFilter

    @property
    def name(self) -> str:
        """What it is called."""
        return name_of(self.stored) or "A filter without a name"


def key_of(contact_filter: ContactFilter, position: int = 0) -> str:
    """What a filter of the list is known by."""
    if contact_filter.id:
        return str(contact_filter.id)
    name = name_of(contact_filter)
    return f"{BY_NAME}{name}" if name else f"{_BY_PLACE}{position}"


def by_name(filters: Iterable[ContactFilter]) -> list[ListedFilter]:
    """The filters of the list in the order of their names, those without one last; of two alike the first."""
    known: dict[str, ContactFilter] = {}
    for position, each in enumerate(filters):
        known.setdefault(key_of(each, position), each)
    listed = [ListedFilter(key, stored) for key, stored in known.items()]
    return sorted(listed, key=lambda each: (not name_of(each.stored), (name_of(each.stored) or "").casefold()))


def key_called(listed: Iterable[ListedFilter], name: str) -> str:
    """What an address means by a name: the one filter that has it, if it is one."""
    named = [each.key for each in listed if name_of(each.stored) == name.strip()]
    return named[0] if len(named) == 1 else f"{BY_NAME}{name.strip()}"


def rule_count(contact_filter: ContactFilter) -> int | None:
    """How many rules it has; None where the record does not tell."""
    # ASSUMPTION A83: a filter has at least one rule, so a record of the list with none of them leaves them out.
    return len(contact_filter.rules) or None


def changed_by(contact_filter: ContactFilter) -> str | None:
    """Who changed it last; the number of the user where only that is told."""
    if contact_filter.last_modified_name:
        return contact_filter.last_modified_name
    return f"user {contact_filter.last_modified_id}" if contact_filter.last_modified_id else None


def last_change(stored: ContactFilter, now: datetime | None = None) -> str:
    """Say who changed a filter last and when, as far as it is told."""
    at, by = changed_at(stored), changed_by(stored)
    if at is None and by is None:
        return f"who changed it last, and when, is {NOT_TOLD}"
    when = f" on {moment(at, now=now)}" if at is not None else f", when is {NOT_TOLD}"
    return f"last changed by {by or 'somebody'}{when}"


def answer(listed: Iterable[ListedFilter], now: datetime) -> str:
    """Say in one line how many there are, and what was changed last."""
    filters = [each.stored for each in listed]
    said = count(len(filters), "filter", "filters")
    dated = [(at, each) for each in filters if (at := changed_at(each)) is not None]
    if not dated:
        return said
    at, latest = max(dated, key=lambda each: each[0])
    by = f" by {changed_by(latest)}" if changed_by(latest) else ""
    called = f" “{name_of(latest)}”" if name_of(latest) else ""
    return f"{said} · the latest change:{called}{by}, {moment(at, now=now)}"


def read_filters(client: ServiceClient, tell: Tell) -> Listed[ListedFilter]:
    """Read every page, saying how far it is.

    What was read before a page failed is kept, with the error. Raises `ServiceError` where nothing was.
    """
    filters: list[ContactFilter] = []
    try:
        for page in client.contact_filters.list().pages():
            filters.extend(page.items)
            tell(len(filters), page.total_count)
    except ServiceError as error:
        if not filters:
            raise
        return Listed(by_name(filters), error=error)
    return Listed(by_name(filters))


def find_one(client: ServiceClient, text: str) -> ContactFilter:
    """Read the filter that a text stands for: a number is tried as an id first, anything as a name.

    Raises `NotFound` where neither is there, and `ServiceError`.
    """
    number = id_in(text)
    if number is not None:
        try:
            return client.contact_filters.retrieve(number)
        except NotFound:
            # A filter may be called by a number.
            return client.contact_filters.retrieve_by_name(text.strip())
    return client.contact_filters.retrieve_by_name(text.strip())


def alike(filters: Iterable[ContactFilter], text: str) -> list[str]:
    """Names that hold the text, or are nearly spelled like it, without regard to case: what may have been meant."""
    wanted = text.strip().casefold()
    names = [name for each in filters if (name := name_of(each))]
    meant = [name for name in names if wanted in name.casefold()]
    if not meant:
        near = get_close_matches(wanted, {name.casefold() for name in names}, _SUGGESTED)
        meant = [name for name in names if name.casefold() in near]
    return meant[:_SUGGESTED]


def called(filters: Iterable[ContactFilter], name: str) -> list[ContactFilter]:
    """The filters of exactly this name."""
    return [each for each in filters if name_of(each) == name.strip()]


KIND: Final = "contact_filter"
LIST_KEY: Final = "contact-filters"
"""Under what the list of them is read and shown."""
NAME_FIELD: Final = "name"
TAKEN: Final = "Another filter of the organization has this name. Give this one another, or change that one."


def stored_now(workspace: Workspace, draft: FilterDraft) -> ContactFilter:
    """The filter that a change replaces, as the service has it at this moment. Raises `ServiceError`."""
    if draft.filter_id is None:
        raise NotFound("A new filter is not stored yet.")
    return workspace.client.contact_filters.retrieve(draft.filter_id)


def refusals(error: Exception) -> list[tuple[str, str]]:
    """What a refusal says, as (field of the interface, words); empty where it names no field."""
    return [(NAME_FIELD, TAKEN)] if isinstance(error, DuplicateRecordError | Duplicate) else field_refusals(error)


def _check(workspace: Workspace, draft: FilterDraft) -> None:
    """Raise `EditConflictError` if the record has changed, `DuplicateRecordError`, `ServiceError`."""
    base = base_filter(draft)
    if draft.filter_id is not None:
        stored = stored_now(workspace, draft)
        if meanwhile(base, stored) == "changed":
            raise EditConflictError(stored, "The filter was changed by somebody else meanwhile.")
    if draft.filter_id is not None and base is not None and draft.name.strip() == name_of(base):
        return
    try:
        other = workspace.client.contact_filters.retrieve_by_name(draft.name.strip())
    except (Rejected, UndecodableAnswer):
        # Where nobody can say whether the name is taken, the service itself is to judge.
        return
    if name_of(other) == draft.name.strip() and other.id != draft.filter_id:
        raise DuplicateRecordError(other, TAKEN)


def _call(workspace: Workspace, draft: FilterDraft, contact_filter: ContactFilter) -> ModificationResult:
    filters = workspace.client.contact_filters
    if draft.filter_id is None:
        return filters.create(contact_filter)
    # Rules that stand in the stored one go back as they came.
    return filters.update(draft.filter_id, contact_filter, stored=base_filter(draft))


def _look(workspace: Workspace, kept: StoredDraft[FilterDraft]) -> list[ReconcileCandidate]:
    draft, filters = kept.draft, workspace.client.contact_filters
    if draft.filter_id is not None:
        try:
            found: Sequence[ContactFilter] = [filters.retrieve(draft.filter_id)]
        except NotFound:
            found = []
    else:
        # The list is read, and not the one filter of that name: were there two, both have to be seen.
        found = [filters.retrieve(each.id) if each.id else each for each in called(filters.list(), draft.name)]
    sent, base = to_filter(draft), base_filter(draft)
    candidates = []
    for each in found:
        holds_it = same_filter(sent, each)
        told = describe_match(holds_it, base is not None and same_filter(base, each))
        query = {"id": each.id or None, "name": None if each.id else each.name}
        title = f"{each.name or draft.title} · id {each.id or 'not told'}"
        candidates.append(ReconcileCandidate(each.id or None, title, f"{last_change(each)}. {told}", holds_it, query))
    return sorted(candidates, key=lambda each: not each.looks_like_it)


def _did(draft: FilterDraft) -> str:
    return "changed" if draft.is_change else "saved"


FILTER: Final = Change[FilterDraft](
    kind=KIND,
    kept_as=KIND,
    key="contact_filters",
    model=FilterDraft,
    words=Words(
        noun="contact filter",
        did=_did,
        nothing_found=lambda draft: (
            "The service no longer has this filter."
            if draft.is_change
            else f"No filter is called {draft.title}: it was not saved, or not yet."
        ),
        sent="saved",
        not_done="It was not saved: back to the rules",
    ),
    action=lambda draft: f"{KIND}.{'update' if draft.is_change else 'create'}",
    wire=to_filter,
    request=lambda _, contact_filter: {"contactFilter": contact_filter.to_wire()},
    before=_check,
    call=_call,
    look=_look,
    problems=lambda draft: FILTER_FORM.listed(draft, problems_of(draft)),
    refusals=refusals,
    screen=CONTACT_FILTER,
    landing=lambda kept: (
        CONTACT_FILTER,
        {"id": kept.sent_id, "name": None if kept.sent_id else kept.draft.name.strip()},
    ),
    follow_up=lambda _, draft, __: [f"The contact filter {draft.title} is {_did(draft)}."],
    forget=lambda: server().reads.outdate(LIST_KEY),
    whole=frozenset({"rules", "base"}),
    together=(("filter_id", "base"),),
)


def target_of(contact_filter: ContactFilter) -> Target:
    """What is to be deleted."""
    told = []
    rules = rule_count(contact_filter)
    if rules:
        told.append(count(rules, "rule", "rules"))
    at, by = changed_at(contact_filter), changed_by(contact_filter)
    if at or by:
        told.append("changed" + (f" by {by}" if by else "") + (f" on {moment(at)}" if at else ""))
    name = name_of(contact_filter)
    title = name or (f"filter {contact_filter.id}" if contact_filter.id else "a filter without a name")
    return Target(contact_filter.id or None, title, ", ".join(told))


def still_there(filters: Sequence[ContactFilter]) -> Callable[[Target], bool]:
    """Whether the list that was read still has a filter."""
    ids, titles = {each.id for each in filters if each.id}, {name_of(each) for each in filters}
    return lambda target: target.subject_id in ids if target.subject_id is not None and ids else target.title in titles


def _find(workspace: Workspace, target: Target) -> Target:
    if target.subject_id is not None:
        return target
    found = workspace.client.contact_filters.retrieve_by_name(target.title).id
    return Target(found or None, target.title, target.told)


def _delete(workspace: Workspace, target: Target) -> Any:
    filters = workspace.client.contact_filters
    return filters.delete(int(target.subject_id)) if target.subject_id else filters.delete_by_name(target.title)


FILTER_REMOVAL: Final = removal_of(
    FILTER,
    key="contact-filters-delete",
    noun=("contact filter", "contact filters"),
    stays="The contacts themselves stay.",
    find=_find,
    call=_delete,
    request=lambda target: {"id": str(target.subject_id)} if target.subject_id else {"name": target.title},
    address="id",
    picked=lambda target: {str(target.subject_id), f"{BY_NAME}{target.title}"},
)
