"""What changes a trip at the service: create, update, cancel, delete, each written to the journal before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from client.models.itineraries import Itinerary
from client.vocabulary.itineraries import CANCELED
from components.journal.recorded import recorded

if TYPE_CHECKING:
    from client import ModificationResult
    from components.shell.workspace import Workspace

CREATE: Final = "itinerary.create"
UPDATE: Final = "itinerary.update"
CANCEL: Final = "itinerary.cancel"
DELETE: Final = "itinerary.delete"
_SUBJECT: Final = "itinerary"


@dataclass(frozen=True)
class ContactOptions:
    """How travellers are matched to contacts: whether missing ones are made, of which type, how e-mails match."""

    auto_create_contact: bool = True
    contact_record_type_id: int | None = None
    email_case_sensitive: bool = True

    def as_request(self, *, adding: bool) -> dict[str, Any]:
        """The options as the journal keeps them; the case of e-mails is only an option of adding."""
        request: dict[str, Any] = {"autoCreateContact": self.auto_create_contact}
        if self.contact_record_type_id is not None:
            request["contactRecordTypeId"] = self.contact_record_type_id
        if adding:
            request["emailCaseSensitiveInExternalId"] = self.email_case_sensitive
        return request


def create(workspace: Workspace, itinerary: Itinerary, options: ContactOptions) -> ModificationResult:
    """Add the trip. Never repeated by machine: a lost answer raises `OutcomeUnknown`."""
    return recorded(
        workspace,
        CREATE,
        subject_kind=_SUBJECT,
        subject_id=None,
        subject_name=itinerary.pnr,
        request={"itinerary": itinerary.to_wire(), "parameters": options.as_request(adding=True)},
        call=lambda: workspace.client.itineraries.create(
            itinerary,
            auto_create_contact=options.auto_create_contact,
            contact_record_type_id=options.contact_record_type_id,
            email_case_sensitive=options.email_case_sensitive,
        ),
    )


def update(
    workspace: Workspace, itinerary_id: int, itinerary: Itinerary, options: ContactOptions
) -> ModificationResult:
    """Replace the whole trip by this one; a canceled one removes it."""
    return recorded(
        workspace,
        CANCEL if itinerary.is_canceled else UPDATE,
        subject_kind=_SUBJECT,
        subject_id=str(itinerary_id),
        subject_name=itinerary.pnr,
        request={"itinerary": itinerary.to_wire(), "parameters": options.as_request(adding=False)},
        call=lambda: workspace.client.itineraries.update(
            itinerary_id,
            itinerary,
            auto_create_contact=options.auto_create_contact,
            contact_record_type_id=options.contact_record_type_id,
        ),
    )


def canceled(itinerary: Itinerary | None, *, record_locator: str) -> Itinerary:
    """The trip with the status that cancels it; of a trip made elsewhere, the least that says so."""
    if itinerary is None:
        return Itinerary(pnr=record_locator, itinerary_status=CANCELED)
    return itinerary.model_copy(update={"itinerary_status": CANCELED, "pnr": itinerary.pnr or record_locator})


def cancel(
    workspace: Workspace, itinerary_id: int, *, record_locator: str, last_sent: Itinerary | None
) -> ModificationResult:
    """Cancel the trip: an update that carries the status `canceled`. No contact is made for a canceled trip."""
    return update(
        workspace,
        itinerary_id,
        canceled(last_sent, record_locator=record_locator),
        ContactOptions(auto_create_contact=False),
    )


def delete(workspace: Workspace, itinerary_id: int, *, record_locator: str | None) -> ModificationResult:
    """Delete the trip by its id."""
    return recorded(
        workspace,
        DELETE,
        subject_kind=_SUBJECT,
        subject_id=str(itinerary_id),
        subject_name=record_locator,
        request={"itinerary_id": str(itinerary_id)},
        call=lambda: workspace.client.itineraries.delete(itinerary_id),
    )


def ids_with_locator(workspace: Workspace, record_locator: str) -> list[int]:
    """The ids of every trip the service holds under the record locator, lowest first; a read."""
    found = workspace.client.itineraries.search(field_name="pnr", values=[record_locator])
    return sorted({reference.id for reference in found})
