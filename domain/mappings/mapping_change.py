"""Create, change, and delete a lookup mapping: the draft, its form, and what is sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from pydantic import Field

from client import Duplicate, FieldError, NotFound, OutcomeUnknown, ServiceError
from client.models.lookup_mappings import (
    LookupMapping,
    LookupMappingRequest,
    MappingAttribute,
    TargetGroup,
    lookup_mapping_problems,
)
from domain.edits.edit import (
    DuplicateRecordError,
    Edit,
    EditConflictError,
    ReconcileCandidate,
    Reconciliation,
    describe_match,
)
from domain.edits.edit_draft import Draft
from domain.edits.removals import Removal, Target
from domain.forms.form import Choices, Form, Part, Parts, Problems, Text
from domain.mappings.mapping_query import LIST_KEY, attribute_problem, has_same_attributes
from domain.mappings.mapping_text import attributes_of, attributes_text
from domain.runtime.screens import LOOKUP_MAPPING, LOOKUP_MAPPINGS
from domain.runtime.server import server
from domain.text.plain_text import id_in
from domain.text.time_text import moment

if TYPE_CHECKING:
    from client import ServiceClient
    from domain.edits.edit_draft import StoredDraft
    from domain.runtime.screens import Screen
    from domain.runtime.workspace import Workspace
    from journal import Entry

KIND: Final = "lookup_mapping"
_MOST_CHARACTERS: Final = 1_000
"""Characters of values in one search, because a search is sent as a URL."""


class AttributeDraft(Part):
    """One attribute: a name, and the values it may have."""

    name: str = ""
    values: list[str] = Field(default_factory=list)


class GroupDraft(Part):
    """A group that the mapping leads to: its ID as typed, and its name."""

    number: str = ""
    name: str = ""


class MappingDraft(Draft):
    """A mapping as typed. With `mapping_id`, the change of a mapping; `base` is the JSON that it was opened with."""

    mapping_id: str | None = None
    attributes: list[AttributeDraft] = Field(default_factory=lambda: [AttributeDraft()])
    groups: list[GroupDraft] = Field(default_factory=lambda: [GroupDraft()])
    base: dict[str, Any] | None = None

    @property
    def title(self) -> str:
        """Its attributes, as one line."""
        named = [(each.name.strip(), each.values) for each in self.attributes if each.name.strip() and each.values]
        return attributes_text(named) or "new mapping"

    @property
    def subject_id(self) -> str | None:
        """The ID of the mapping that is changed."""
        return self.mapping_id

    @property
    def is_untouched(self) -> bool:
        """Whether the mapping is new and nothing was typed."""
        texts = [*(each.name for each in self.attributes), *(each.number for each in self.groups)]
        texts += [value for each in self.attributes for value in each.values] + [each.name for each in self.groups]
        return not self.is_change and not any(text.strip() for text in texts)


def drop_empty_rows(draft: MappingDraft) -> MappingDraft:
    """Return the draft without empty rows."""
    return draft.model_copy(
        update={
            "attributes": [each for each in draft.attributes if each.name.strip() or each.values],
            "groups": [each for each in draft.groups if each.number.strip() or each.name.strip()],
        }
    )


def fill_in_names(draft: MappingDraft, names: Mapping[int, str]) -> MappingDraft:
    """Return the draft with missing group names filled in from `names`."""
    groups = [
        each if each.name.strip() else each.model_copy(update={"name": names.get(id_in(each.number) or 0, "")})
        for each in draft.groups
    ]
    return draft.model_copy(update={"groups": groups})


def draft_of(mapping: LookupMapping, *, as_copy: bool = False) -> MappingDraft:
    """Return a draft that changes a mapping, or a copy of it as a new one."""
    return MappingDraft(
        mapping_id=None if as_copy else mapping.id,
        attributes=[AttributeDraft(name=name, values=list(values)) for name, values in attributes_of(mapping)]
        or [AttributeDraft()],
        groups=[GroupDraft(number=str(each.id or ""), name=each.name or "") for each in mapping.target_groups]
        or [GroupDraft()],
        base=None if as_copy else mapping.as_request().to_wire(),
    )


def to_request(draft: MappingDraft) -> LookupMappingRequest:
    """Build the request. Empty rows are left out; spaces around a value are kept if the stored value has them."""
    sent, stored = drop_empty_rows(draft), (draft.base or {}).get("attributes", [])
    to_the_letter = {value for each in stored for value in each["values"]}
    return LookupMappingRequest(
        target_groups=[TargetGroup(id=id_in(each.number), name=each.name.strip() or None) for each in sent.groups],
        attributes=[
            MappingAttribute(
                name=each.name.strip(),
                values=[value if value in to_the_letter else value.strip() for value in each.values],
            )
            for each in sent.attributes
        ],
    )


def describe_changes(draft: MappingDraft, stored: Mapping[str, Any]) -> list[str]:
    """Describe what saving the draft changes in the stored mapping (JSON), a sentence for each change."""
    payload = to_request(draft).to_wire()
    (old_values, old_groups), (new_values, new_groups) = _contents(stored), _contents(payload)
    lines = [f"Adds {name} = {value}." for name, value in new_values if (name, value) not in old_values]
    lines += [f"Removes {name} = {value}." for name, value in old_values if (name, value) not in new_values]
    lines += [f"Adds {_group(number, name)}." for number, name in new_groups.items() if number not in old_groups]
    lines += [f"Removes {_group(number, name)}." for number, name in old_groups.items() if number not in new_groups]
    return lines + [
        f"Renames {_group(number, old_groups[number])} to “{name}”."
        for number, name in new_groups.items()
        if number in old_groups and old_groups[number] != name
    ]


def _contents(payload: Mapping[str, Any]) -> tuple[dict[tuple[str, str], None], dict[Any, str]]:
    """Return the pairs of attribute and value in a mapping, and the names of its groups by ID."""
    values = {(each["name"], value): None for each in payload.get("attributes", []) for value in each.get("values", [])}
    return values, {each.get("id"): each.get("name") or "" for each in payload.get("targetGroups", [])}


def _group(number: Any, name: str) -> str:
    return f"group {number} ({name})" if name else f"group {number}"


FORM: Final = Form[MappingDraft](
    "lookup_mapping",
    parts=(
        Parts(
            "attributes",
            "Attribute {}",
            (
                Text("name", "Attribute", payload_path="name", placeholder="department"),
                Choices("values", "Values (any of them)", payload_path="values", new=True, placeholder="Sales"),
            ),
            payload_path="attributes",
            is_sent=lambda part: bool(part.name.strip() or part.values),
        ),
        Parts(
            "groups",
            "Group {}",
            (
                Text("number", "Group ID", payload_path="id", placeholder="88011"),
                Text("name", "Name", payload_path="name", placeholder="Berlin office"),
            ),
            payload_path="targetGroups",
            is_sent=lambda part: bool(part.number.strip() or part.name.strip()),
        ),
    ),
)


def find_problems(draft: MappingDraft) -> Problems:
    """Return the errors that prevent saving, and those of the service, by field."""
    found = lookup_mapping_problems(to_request(draft))
    errors = [*found, *(FieldError(path, words) for path, words in draft.refused)]
    return FORM.place_errors(draft, [FieldError(each.field.removeprefix("data."), each.message) for each in errors])


def find_duplicates(client: ServiceClient, mapping: LookupMapping | LookupMappingRequest) -> list[LookupMapping]:
    """Return the mappings that are duplicates for the service: those with equal attributes. Only reads."""
    return [each for each in search_similar(client, [mapping]) if has_same_attributes(each, mapping)]


def search_similar(
    client: ServiceClient, mappings: Iterable[LookupMapping | LookupMappingRequest]
) -> list[LookupMapping]:
    """Find the mappings that may have the same attributes as one of these. One search covers many. Only reads."""
    searches: dict[frozenset[str], list[dict[str, list[str]]]] = {}
    for mapping in mappings:
        first = {
            name: value
            for name, values in attributes_of(mapping)
            for value in values[:1]
            if attribute_problem(name, [value]) is None
        }
        wanted = searches.setdefault(frozenset(first), [])
        if not wanted or sum(len(value) for values in wanted[-1].values() for value in values) > _MOST_CHARACTERS:
            wanted.append({name: [] for name in first})
        for name, value in first.items():
            if value not in wanted[-1][name]:
                wanted[-1][name].append(value)
    found = {
        each.id: each
        for wanted in searches.values()
        for attributes in wanted
        for each in client.lookup_mappings.search(attributes=attributes, page_size=100)
    }
    return list(found.values())


def _is_there(client: ServiceClient, request: LookupMappingRequest) -> bool:
    try:
        return bool(find_duplicates(client, request))
    except ServiceError:
        return False


def _candidate(draft: MappingDraft, sent: LookupMappingRequest, mapping: LookupMapping) -> ReconcileCandidate:
    says = mapping.as_request().to_wire()
    is_it = says == sent.to_wire()
    note = f"{describe_last_change(mapping)} {describe_match(is_it, says == draft.base)}".strip()
    return ReconcileCandidate(mapping.id, attributes_text(attributes_of(mapping)), note, is_it, {"mapping": mapping.id})


def describe_last_change(mapping: LookupMapping) -> str:
    """Return who changed a mapping last, and when; "" if both are unknown."""
    at, by = mapping.last_updated_on, mapping.last_updated_by or mapping.created_by
    parts = [f"by {by}" if by else "", moment(at) if at else ""]
    return f"Last changed {', '.join(part for part in parts if part)}." if any(parts) else ""


class MappingEdit(Edit[MappingDraft, LookupMappingRequest]):
    """Creating or changing a lookup mapping."""

    kind = KIND
    draft_kind = KIND
    key = "lookup_mapping"
    draft_model = MappingDraft
    noun = "mapping"
    screen = LOOKUP_MAPPING
    resend_label = "Mark as not saved and edit the mapping"

    def action(self, draft: MappingDraft) -> str:
        """Return the action of the journal entry."""
        return f"{KIND}.{'update' if draft.is_change else 'create'}"

    def problems(self, draft: MappingDraft) -> Sequence[str]:
        """Return the errors that prevent saving."""
        return FORM.describe_problems(draft, find_problems(draft))

    def payload(self, draft: MappingDraft) -> LookupMappingRequest:
        """Build the mapping that is sent."""
        return to_request(draft)

    def journal_payload(self, draft: MappingDraft, payload: LookupMappingRequest) -> Mapping[str, Any]:
        """Return the mapping as the journal stores it."""
        del draft
        return {"lookupMapping": payload.to_wire()}

    def check(self, workspace: Workspace, draft: MappingDraft) -> None:
        """Raise `EditConflictError` if the mapping has changed, `DuplicateRecordError` if there is another like it."""
        request = to_request(draft)
        if draft.mapping_id is not None:
            stored = workspace.client.lookup_mappings.retrieve(draft.mapping_id)
            if draft.base is not None and stored.as_request().to_wire() != draft.base:
                by = f" {stored.last_updated_by} changed it." if stored.last_updated_by else ""
                raise EditConflictError(stored, f"This mapping has changed since you opened it.{by}")
        other = next((each for each in find_duplicates(workspace.client, request) if each.id != draft.mapping_id), None)
        if other is not None:
            raise DuplicateRecordError(other, "A mapping with exactly these attributes already exists.")

    def send(self, workspace: Workspace, draft: MappingDraft, payload: LookupMappingRequest) -> LookupMapping:
        """Create or update the mapping."""
        mappings = workspace.client.lookup_mappings
        if draft.mapping_id is not None:
            return mappings.update(draft.mapping_id, payload)
        try:
            return mappings.create(payload)
        except Duplicate as error:
            # ASSUMPTION A165: a service that breaks down for another reason says the same; one that is there proves
            # it.
            if error.status != 500 or _is_there(workspace.client, payload):
                raise
            raise OutcomeUnknown(
                "The service failed. Your change may or may not have been made.",
                request=error.request,
                status=error.status,
                answer_text=error.answer_text,
                service_message=error.service_message,
                sent=True,
            ) from error

    def reconcile(self, workspace: Workspace, stored: StoredDraft[MappingDraft]) -> Reconciliation:
        """Find the mapping, or those with the attributes of a new one."""
        draft, sent = stored.draft, to_request(stored.draft)
        if draft.mapping_id is None:
            found = find_duplicates(workspace.client, sent)
        else:
            try:
                found = [workspace.client.lookup_mappings.retrieve(draft.mapping_id)]
            except NotFound:
                found = []
        return Reconciliation([_candidate(draft, sent, each) for each in found])

    def nothing_found(self, draft: MappingDraft) -> str:
        """Say that there is no such mapping."""
        if draft.is_change:
            return "The service no longer has this mapping."
        return "No mapping has exactly these attributes. It was not created, or it is not in the list yet."

    def redirect_target(self, stored: StoredDraft[MappingDraft]) -> tuple[Screen, Mapping[str, Any]]:
        """Return the list of mappings with this one selected."""
        return LOOKUP_MAPPINGS, {"mapping": stored.sent_id}

    def finish(self, workspace: Workspace, draft: MappingDraft, subject_id: Any) -> list[str]:
        """Return the message about the saved mapping."""
        del workspace, subject_id
        return [f"The mapping {draft.title} is {'changed' if draft.is_change else 'created'}."]

    def parse_id(self, text: str) -> str | None:
        """Read the ID, which is a string."""
        return text or None

    def invalidate_reads(self) -> None:
        """Discard the list of mappings that was read before."""
        server().reads.invalidate(LIST_KEY)


MAPPING_EDIT: Final = MappingEdit()


@dataclass(frozen=True)
class MappingTarget(Target):
    """A mapping to delete, and its `contents` as JSON."""

    contents: Mapping[str, Any] = field(default_factory=dict)


def target_of(mapping: LookupMapping) -> MappingTarget:
    """Return the mapping as a target of the deletion."""
    title = attributes_text(attributes_of(mapping)) or mapping.id
    return MappingTarget(mapping.id, title, describe_last_change(mapping), mapping.as_request().to_wire())


def draft_of_deleted(entry: Entry) -> MappingDraft | None:
    """Return a new draft with the contents of the mapping that this journal entry deleted; None for other entries.

    The uid of the draft is made from the entry, so that opening the entry again finds the draft.
    """
    contents = (entry.request or {}).get("lookupMapping") if entry.action == f"{KIND}.delete" else None
    if contents is None:
        return None
    copy = draft_of(LookupMapping.from_wire({"id": "", **contents}), as_copy=True)
    return copy.model_copy(update={"uid": f"entry-{entry.id}"})


class MappingRemoval(Removal[MappingTarget]):
    """Deleting lookup mappings."""

    kind = KIND
    key = "lookup-mappings-delete"
    noun = ("mapping", "mappings")
    action = f"{KIND}.delete"
    edit = MAPPING_EDIT
    selection_parameter = "mapping"
    consequence = "The groups are not deleted."

    def refresh(self, workspace: Workspace, target: MappingTarget) -> MappingTarget:
        """Read the mapping again, because only the journal will keep its contents."""
        return target_of(workspace.client.lookup_mappings.retrieve(str(target.subject_id)))

    def send(self, workspace: Workspace, target: MappingTarget) -> Any:
        """Delete the mapping."""
        return workspace.client.lookup_mappings.delete(str(target.subject_id))

    def journal_request(self, target: MappingTarget) -> Mapping[str, Any]:
        """Return the ID and the contents, from which the mapping can be created again."""
        return {"mappingId": target.subject_id, "lookupMapping": target.contents}


MAPPING_REMOVAL: Final = MappingRemoval()
