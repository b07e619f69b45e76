"""Read, create, change, and delete contact filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from client import Duplicate, NotFound, Rejected, ServiceError, UndecodableAnswer
from client.models.contact_filters import ContactFilter
from domain.edits.edit import (
    DuplicateRecordError,
    Edit,
    EditConflictError,
    ReconcileCandidate,
    Reconciliation,
    describe_match,
)
from domain.edits.edit_draft import StoredDraft
from domain.edits.removals import Removal, Target
from domain.filters.columns import column_name_for
from domain.filters.comparison import changed_at, find_stored_change, is_same_filter, name_of
from domain.filters.filter_draft import FilterDraft, base_filter, from_filter, to_filter
from domain.filters.filter_form import FILTER_FORM
from domain.filters.filter_problems import find_problems
from domain.filters.names.id_names import NO_NAMES, IdNames
from domain.filters.sentence import describe_filter
from domain.filters.values import editable_text, elements_of
from domain.runtime.screens import CONTACT_FILTER
from domain.runtime.server import server
from domain.tables.loaded_records import LoadedRecords
from domain.text.plain_text import count
from domain.text.time_text import moment

if TYPE_CHECKING:
    from client import ModificationResult, ServiceClient
    from domain.runtime.screens import Screen
    from domain.runtime.workspace import Workspace
    from domain.tables.loaded_records import ReportProgress
    from journal import Entry

UNKNOWN: Final = "unknown"
NAME_PREFIX: Final = "name:"
_POSITION_PREFIX: Final = "row:"


@dataclass(frozen=True)
class ListedFilter:
    """A filter with its key in the list: its ID, or else its name, or else its position."""

    key: str
    stored: ContactFilter
    names: IdNames = NO_NAMES

    @cached_property
    def rules_text(self) -> str:
        """What its rules say: the sentence, their columns, and their values as the service stores them."""
        draft = from_filter(self.stored)
        parts = [describe_filter(draft, names=self.names)]
        for rule in draft.rules:
            parts += [column_name_for(rule.payload), *map(editable_text, elements_of(rule.payload))]
        return " ".join(parts) if draft.rules else ""

    @property
    def name(self) -> str:
        """The name, or a text if there is none."""
        return name_of(self.stored) or "Filter without a name"


def key_of(contact_filter: ContactFilter, position: int = 0) -> str:
    """Return the key of a filter in the list."""
    if contact_filter.id:
        return str(contact_filter.id)
    name = name_of(contact_filter)
    return f"{NAME_PREFIX}{name}" if name else f"{_POSITION_PREFIX}{position}"


def sort_by_name(filters: Iterable[ContactFilter], names: IdNames = NO_NAMES) -> list[ListedFilter]:
    """Return the filters sorted by name, those without one last. Of filters with the same key, the first is used."""
    known: dict[str, ContactFilter] = {}
    for position, each in enumerate(filters):
        known.setdefault(key_of(each, position), each)
    listed = [ListedFilter(key, stored, names) for key, stored in known.items()]
    return sorted(listed, key=lambda each: (not name_of(each.stored), (name_of(each.stored) or "").casefold()))


def key_for_name(listed: Iterable[ListedFilter], name: str) -> str:
    """Return the key for a name in a URL: that of the only filter with this name, else the name itself."""
    named = [each.key for each in listed if name_of(each.stored) == name.strip()]
    return named[0] if len(named) == 1 else f"{NAME_PREFIX}{name.strip()}"


def rule_count(contact_filter: ContactFilter) -> int | None:
    """Return the number of rules; None if the record has none."""
    # ASSUMPTION A83: a filter has at least one rule, so a record of the list with none of them leaves them out.
    return len(contact_filter.rules) or None


def changed_by(contact_filter: ContactFilter) -> str | None:
    """Return who changed a filter last: the name, or else the ID of the user."""
    if contact_filter.last_modified_name:
        return contact_filter.last_modified_name
    return f"user {contact_filter.last_modified_id}" if contact_filter.last_modified_id else None


def describe_last_change(stored: ContactFilter, now: datetime | None = None) -> str:
    """Describe the last change: by whom and when, if known."""
    at, by = changed_at(stored), changed_by(stored)
    if at is None and by is None:
        return "Last change unknown"
    when = f" on {moment(at, now=now)}" if at is not None else ", time unknown"
    return f"Last changed by {by or 'someone'}{when}"


def summarize_list(listed: Iterable[ListedFilter], now: datetime) -> str:
    """Return the number of filters and the latest change, in one line."""
    filters = [each.stored for each in listed]
    summary = count(len(filters), "filter", "filters")
    dated = [(at, each) for each in filters if (at := changed_at(each)) is not None]
    if not dated:
        return summary
    at, latest = max(dated, key=lambda each: each[0])
    by = f" by {changed_by(latest)}" if changed_by(latest) else ""
    of_name = f" “{name_of(latest)}”" if name_of(latest) else ""
    return f"{summary} · latest change:{of_name}{by}, {moment(at, now=now)}"


def read_filters(client: ServiceClient, tell: ReportProgress, names: IdNames = NO_NAMES) -> LoadedRecords[ListedFilter]:
    """Read every page and report progress. `names` are those of IDs in rules, for the search.

    If a page fails, the filters before it are returned with the error. Raises `ServiceError` if there are none.
    """
    filters: list[ContactFilter] = []
    try:
        for page in client.contact_filters.list().pages():
            filters.extend(page.items)
            tell(len(filters), page.total_count)
    except ServiceError as error:
        if not filters:
            raise
        return LoadedRecords(sort_by_name(filters, names), error=error)
    return LoadedRecords(sort_by_name(filters, names))


def find_by_name(filters: Iterable[ContactFilter], name: str) -> list[ContactFilter]:
    """Return the filters with exactly this name."""
    return [each for each in filters if name_of(each) == name.strip()]


KIND: Final = "contact_filter"
LIST_KEY: Final = "contact-filters"
"""The key of the list, and of what is read for it."""
CONTENTS: Final = "contactFilter"
"""Where the request of a journal entry has the filter that was saved or deleted."""
REPLACED: Final = "replaced"
"""Where the request of a journal entry has the filter that a save replaced."""
NAME_FIELD: Final = "name"
NAME_TAKEN: Final = "Another filter in your organization has this name. Enter another name, or edit that filter."


def stored_now(workspace: Workspace, draft: FilterDraft) -> ContactFilter:
    """Return the current version of the filter that a change replaces. Raises `ServiceError`."""
    if draft.filter_id is None:
        raise NotFound("A new filter is not stored.")
    return workspace.client.contact_filters.retrieve(draft.filter_id)


class FilterEdit(Edit[FilterDraft, ContactFilter]):
    """Creating or changing a contact filter."""

    kind = KIND
    draft_kind = KIND
    key = "contact_filters"
    draft_model = FilterDraft
    noun = "contact filter"
    screen = CONTACT_FILTER
    resend_label = "Mark as not saved and edit the rules"

    def action(self, draft: FilterDraft) -> str:
        """Return the action of the journal entry."""
        return f"{KIND}.{'update' if draft.is_change else 'create'}"

    def problems(self, draft: FilterDraft) -> Sequence[str]:
        """Return the errors that prevent saving."""
        return FILTER_FORM.describe_problems(draft, find_problems(draft))

    def payload(self, draft: FilterDraft) -> ContactFilter:
        """Build the filter that is sent."""
        return to_filter(draft)

    def journal_payload(self, draft: FilterDraft, payload: ContactFilter) -> Mapping[str, Any]:
        """Return the filter as the journal stores it, and the one that it replaces."""
        replaced = {REPLACED: draft.base} if draft.base is not None else {}
        return {CONTENTS: payload.to_wire(), **replaced}

    def field_errors(self, error: Exception) -> list[tuple[str, str]]:
        """Return the errors of single fields; a duplicate is an error of the name."""
        if isinstance(error, DuplicateRecordError | Duplicate):
            return [(NAME_FIELD, NAME_TAKEN)]
        return super().field_errors(error)

    def check(self, workspace: Workspace, draft: FilterDraft) -> None:
        """Raise `EditConflictError` if the filter has changed, `DuplicateRecordError` if its name is taken."""
        base = base_filter(draft)
        if draft.filter_id is not None:
            stored = stored_now(workspace, draft)
            if find_stored_change(base, stored) == "changed":
                raise EditConflictError(stored, "This filter has changed since you opened it.")
        if draft.filter_id is not None and base is not None and draft.name.strip() == name_of(base):
            return
        try:
            other = workspace.client.contact_filters.retrieve_by_name(draft.name.strip())
        except (Rejected, UndecodableAnswer):
            # Nothing says that the name is taken: the service decides.
            return
        if name_of(other) == draft.name.strip() and other.id != draft.filter_id:
            raise DuplicateRecordError(other, NAME_TAKEN)

    def send(self, workspace: Workspace, draft: FilterDraft, payload: ContactFilter) -> ModificationResult:
        """Create or update the filter."""
        filters = workspace.client.contact_filters
        if draft.filter_id is None:
            return filters.create(payload)
        # Unchanged rules are sent back exactly as the service stored them.
        return filters.update(draft.filter_id, payload, stored=base_filter(draft))

    def reconcile(self, workspace: Workspace, stored: StoredDraft[FilterDraft]) -> Reconciliation:
        """Find the filter, or those with the name of a new one."""
        draft, filters = stored.draft, workspace.client.contact_filters
        if draft.filter_id is not None:
            try:
                found: Sequence[ContactFilter] = [filters.retrieve(draft.filter_id)]
            except NotFound:
                found = []
        else:
            # The whole list is read: if two filters have the name, the person must see both.
            found = [
                filters.retrieve(each.id) if each.id else each for each in find_by_name(filters.list(), draft.name)
            ]
        sent, base = to_filter(draft), base_filter(draft)
        candidates = []
        for each in found:
            is_sent = is_same_filter(sent, each)
            match = describe_match(is_sent, base is not None and is_same_filter(base, each))
            query = {"id": each.id or None, "name": None if each.id else each.name}
            title = f"{each.name or draft.title} · ID {each.id or 'unknown'}"
            description = f"{describe_last_change(each)}. {match}"
            candidates.append(ReconcileCandidate(each.id or None, title, description, is_sent, query))
        return Reconciliation(sorted(candidates, key=lambda each: not each.is_match))

    def nothing_found(self, draft: FilterDraft) -> str:
        """Say that there is no such filter."""
        if draft.is_change:
            return "The service no longer has this filter."
        return f"No filter is named {draft.title}. It was not saved, or it is not in the list yet."

    def redirect_target(self, stored: StoredDraft[FilterDraft]) -> tuple[Screen, Mapping[str, Any]]:
        """Return the page of the filter."""
        name = None if stored.sent_id else stored.draft.name.strip()
        return CONTACT_FILTER, {"id": stored.sent_id, "name": name}

    def finish(self, workspace: Workspace, draft: FilterDraft, subject_id: Any) -> list[str]:
        """Return the message about the saved filter."""
        del workspace, subject_id
        return [f"The contact filter {draft.title} is {'changed' if draft.is_change else 'saved'}."]

    def invalidate_reads(self) -> None:
        """Discard the list of filters that was read before."""
        server().reads.invalidate(LIST_KEY)


FILTER_EDIT: Final = FilterEdit()


@dataclass(frozen=True)
class FilterTarget(Target):
    """A contact filter to delete, and its `contents` as JSON."""

    contents: Mapping[str, Any] = field(default_factory=dict)


def target_of(contact_filter: ContactFilter) -> FilterTarget:
    """Return the filter as a target of the deletion."""
    notes = []
    rules = rule_count(contact_filter)
    if rules:
        notes.append(count(rules, "rule", "rules"))
    at, by = changed_at(contact_filter), changed_by(contact_filter)
    if at or by:
        notes.append("changed" + (f" by {by}" if by else "") + (f" on {moment(at)}" if at else ""))
    name = name_of(contact_filter)
    title = name or (f"filter {contact_filter.id}" if contact_filter.id else "a filter without a name")
    return FilterTarget(contact_filter.id or None, title, ", ".join(notes), contact_filter.to_wire())


def draft_of_deleted(entry: Entry) -> FilterDraft | None:
    """Return a new draft with the rules of the filter that this journal entry deleted; None for other entries.

    The uid of the draft is made from the entry, so that opening the entry again finds the draft.
    """
    contents = (entry.request or {}).get(CONTENTS) if entry.action == FilterRemoval.action else None
    if contents is None:
        return None
    return from_filter(ContactFilter.from_wire(contents)).model_copy(update={"uid": f"entry-{entry.id}"})


def listed_test(filters: Sequence[ContactFilter]) -> Callable[[Target], bool]:
    """Return a function that says whether the list still contains a filter."""
    ids, titles = {each.id for each in filters if each.id}, {name_of(each) for each in filters}
    return lambda target: target.subject_id in ids if target.subject_id is not None and ids else target.title in titles


class FilterRemoval(Removal[FilterTarget]):
    """Deleting contact filters."""

    kind = KIND
    key = "contact-filters-delete"
    noun = ("contact filter", "contact filters")
    action = f"{KIND}.delete"
    edit = FILTER_EDIT
    selection_parameter = "id"
    consequence = "The contacts are not deleted."

    def refresh(self, workspace: Workspace, target: FilterTarget) -> FilterTarget:
        """Read the filter again, by name if the list has no ID, because only the journal will keep its rules."""
        filters = workspace.client.contact_filters
        if target.subject_id is not None:
            return target_of(filters.retrieve(int(target.subject_id)))
        return target_of(filters.retrieve_by_name(target.title))

    def send(self, workspace: Workspace, target: FilterTarget) -> Any:
        """Delete the filter by its ID, else by its name."""
        filters = workspace.client.contact_filters
        return filters.delete(int(target.subject_id)) if target.subject_id else filters.delete_by_name(target.title)

    def journal_request(self, target: FilterTarget) -> Mapping[str, Any]:
        """Return what identifies the filter, and the contents, from which it can be created again."""
        identity = {"id": str(target.subject_id)} if target.subject_id else {"name": target.title}
        return {**identity, CONTENTS: target.contents}

    def selection_values(self, target: FilterTarget) -> set[str]:
        """Return its ID and its name: the URL may have either."""
        return {str(target.subject_id), f"{NAME_PREFIX}{target.title}"}


FILTER_REMOVAL: Final = FilterRemoval()
