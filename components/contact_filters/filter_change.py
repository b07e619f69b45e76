"""What a contact filter's change is: how it is saved, looked for after a lost answer, and deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from client import Duplicate, NotFound, Rejected
from client.models.contact_filters import ContactFilter
from components.change import kept_drafts
from components.change.declaration import (
    Candidate,
    Change,
    ExistsError,
    OvertakenError,
    Words,
    field_refusals,
    likeness,
)
from components.change.kept_drafts import Kept
from components.change.removing import Outcome, Removal, Target
from components.contact_filters.comparison import changed_at, meanwhile, name_of, same_filter
from components.contact_filters.filter_draft import FilterDraft
from components.contact_filters.filter_frame import BY_NAME, called, changed_by, last_change, rule_count
from components.contact_filters.filter_problems import FILTER_FORM, problems_of
from components.contact_filters.wire import base_filter, to_filter
from components.shell.screens import CONTACT_FILTER
from components.shell.server import server
from components.shell.state import StateKey
from components.widgets.markdown_text import plain
from components.widgets.number_text import count, names
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from client import ModificationResult
    from components.shell.workspace import Workspace

KIND: Final = "contact_filter"
DRAFT: Final = StateKey[FilterDraft | None]("contact_filters.draft", lambda: None)
"""The filter in hand."""
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
    return [(NAME_FIELD, TAKEN)] if isinstance(error, ExistsError | Duplicate) else field_refusals(error)


def _check(workspace: Workspace, draft: FilterDraft) -> None:
    """Raise `OvertakenError` where it is no longer what the draft was made from, `ExistsError`, `ServiceError`."""
    base = base_filter(draft)
    if draft.filter_id is not None:
        stored = stored_now(workspace, draft)
        if meanwhile(base, stored) == "changed":
            raise OvertakenError(stored, "The filter was changed by somebody else meanwhile.")
    if draft.filter_id is not None and base is not None and draft.name.strip() == name_of(base):
        return
    try:
        other = workspace.client.contact_filters.retrieve_by_name(draft.name.strip())
    except Rejected:
        # Where nobody can say whether the name is taken, the service itself is to judge.
        return
    if name_of(other) == draft.name.strip() and other.id != draft.filter_id:
        raise ExistsError(other, TAKEN)


def _call(workspace: Workspace, draft: FilterDraft, contact_filter: ContactFilter) -> ModificationResult:
    filters = workspace.client.contact_filters
    if draft.filter_id is None:
        return filters.create(contact_filter)
    # Rules that stand in the stored one go back as they came.
    return filters.update(draft.filter_id, contact_filter, stored=base_filter(draft))


def _look(workspace: Workspace, kept: Kept[FilterDraft]) -> list[Candidate]:
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
        told = likeness(holds_it, base is not None and same_filter(base, each))
        query = {"id": each.id or None, "name": None if each.id else each.name}
        title = f"{each.name or draft.title} · id {each.id or 'not told'}"
        candidates.append(Candidate(each.id or None, title, f"{last_change(each)}. {told}", holds_it, query))
    return sorted(candidates, key=lambda each: not each.looks_like_it)


def _did(draft: FilterDraft) -> str:
    return "changed" if draft.is_change else "saved"


def _nothing_found(draft: FilterDraft) -> str:
    if draft.is_change:
        return "The service no longer has this filter."
    return f"No filter is called {draft.title}: it was not saved, or not yet."


FILTER: Final = Change[FilterDraft](
    kind=KIND,
    kept_as=KIND,
    key="contact_filters",
    model=FilterDraft,
    words=Words(
        noun="contact filter",
        doing=lambda draft: f"{'changing' if draft.is_change else 'saving'} the contact filter {draft.title}",
        did=_did,
        nothing_found=_nothing_found,
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


def _begun(workspace: Workspace, targets: Sequence[Target]) -> list[Kept[FilterDraft]]:
    ids = {each.subject_id for each in targets if each.subject_id is not None}
    return [kept for kept in kept_drafts.unfinished(workspace, FILTER) if kept.draft.filter_id in ids]


def _lines(workspace: Workspace, targets: Sequence[Target]) -> list[str]:
    gone = "It is" if len(targets) == 1 else "They are"
    said = [
        f"{gone} deleted at the service, for everybody in the organization. The contacts themselves stay.",
        "This cannot be undone.",
    ]
    if begun := _begun(workspace, targets):
        titles = names([kept.draft.title for kept in begun])
        said.append(f"What you began to change and did not save goes with it: {plain(titles)}.")
    return said


def _discard_changes(workspace: Workspace, target: Target) -> None:
    for kept in _begun(workspace, [target]):
        kept_drafts.discard(workspace, FILTER, kept.draft.uid)


def _forget(outcomes: Sequence[Outcome[Target]]) -> None:
    server().reads.outdate(LIST_KEY)
    held = DRAFT.get()
    gone = {each.target.subject_id for each in outcomes if each.is_gone} - {None}
    if held is not None and held.filter_id in gone:
        DRAFT.clear()


FILTER_REMOVAL: Final = Removal[Target](
    kind=KIND,
    key="contact-filters-delete",
    noun=("contact filter", "contact filters"),
    action=f"{KIND}.delete",
    find=_find,
    call=_delete,
    request=lambda target: {"id": str(target.subject_id)} if target.subject_id else {"name": target.title},
    lines=_lines,
    after=_discard_changes,
    forget=_forget,
    again="Look whether it is still in the list before you delete it again.",
    address="id",
    picked=lambda target: {str(target.subject_id), f"{BY_NAME}{target.title}"},
)
