"""What changes a contact filter at the service, each written to the journal before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from client.models.contact_filters import ContactFilter
from components.change.recorded import recorded
from components.contact_filters.comparison import name_of

if TYPE_CHECKING:
    from client import CreationResult, ModificationResult
    from components.shell.workspace import Workspace

CREATE: Final = "contact_filter.create"
UPDATE: Final = "contact_filter.update"
DELETE: Final = "contact_filter.delete"
SUBJECT: Final = "contact_filter"
DRAFT_NAME: Final = "draft"
"""Under what name the journal keeps which draft was sent."""


def request_of(contact_filter: ContactFilter, draft_uid: str) -> dict[str, Any]:
    """What the journal keeps of a sending."""
    return {"contactFilter": contact_filter.to_wire(), DRAFT_NAME: draft_uid}


def create(workspace: Workspace, contact_filter: ContactFilter, *, draft_uid: str) -> ModificationResult:
    """Save a new filter. Never repeated by machine: a lost answer raises `OutcomeUnknown`."""
    return recorded(
        workspace,
        CREATE,
        subject_kind=SUBJECT,
        subject_id=None,
        subject_name=name_of(contact_filter),
        request=request_of(contact_filter, draft_uid),
        call=lambda: workspace.client.contact_filters.create(contact_filter),
    )


def update(
    workspace: Workspace, filter_id: int, contact_filter: ContactFilter, *, stored: ContactFilter | None, draft_uid: str
) -> ModificationResult:
    """Replace a filter; rules that stand in `stored` go back as they came."""
    return recorded(
        workspace,
        UPDATE,
        subject_kind=SUBJECT,
        subject_id=str(filter_id),
        subject_name=name_of(contact_filter),
        request=request_of(contact_filter, draft_uid),
        call=lambda: workspace.client.contact_filters.update(filter_id, contact_filter, stored=stored),
    )


def delete(workspace: Workspace, filter_id: int, *, name: str | None) -> ModificationResult:
    """Delete a filter by its id."""
    return recorded(
        workspace,
        DELETE,
        subject_kind=SUBJECT,
        subject_id=str(filter_id),
        subject_name=name,
        request={"id": str(filter_id)},
        call=lambda: workspace.client.contact_filters.delete(filter_id),
    )


def delete_by_name(workspace: Workspace, name: str) -> CreationResult:
    """Delete a filter by its name, for one whose id no record tells."""
    return recorded(
        workspace,
        DELETE,
        subject_kind=SUBJECT,
        subject_id=None,
        subject_name=name,
        request={"name": name},
        call=lambda: workspace.client.contact_filters.delete_by_name(name),
    )
