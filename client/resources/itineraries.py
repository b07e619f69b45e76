"""The itinerary endpoints: add, update, delete, their batches, search, and expected locations."""

from collections.abc import Sequence
from functools import partial

from ..batches import Tally, match_created, match_deleted, read_batch_answer, send_in_chunks
from ..errors import FieldError
from ..models.itineraries import ExpectedLocation, Itinerary, ItineraryReference
from ..models.itinerary_rules import itinerary_problems
from ..models.results import BatchFailure, BatchOutcome, ModificationResult
from ..paging import Page, call_page
from ..retry import Effect, RetryPolicy
from ..transport import Call, Transport, as_json, json_list
from ..unwrapping import read_creation, read_modification
from ..vocabulary.itineraries import SEARCH_FIELDS
from ..vocabulary.limits import BATCH_ADD, BATCH_ADD_WITH_CONTACTS, BATCH_DELETE
from .checks import BATCH_READ_TIMEOUT, first_rows, flag, id_problems, join_messages, page_problems, refuse

_PROBE_RETRY = RetryPolicy(attempts=2, first_wait=0.25, total_wait=5.0)


class Itineraries:
    """Trips of one organization (interface: Itineraries)."""

    def __init__(self, transport: Transport, organization_id: int) -> None:
        self._transport = transport
        self._organization_id = organization_id

    def create(
        self,
        itinerary: Itinerary,
        *,
        auto_create_contact: bool = True,
        contact_record_type_id: int | None = None,
        email_case_sensitive: bool = True,
    ) -> ModificationResult:
        """Add a trip. A canceled trip removes the existing one.

        `auto_create_contact` creates contacts of the given record type for travelers who match none.
        `email_case_sensitive` says how employee IDs that are email addresses are matched. Raises `Invalid` before
        sending if a rule is broken. Never repeated: a lost answer raises `OutcomeUnknown`.
        """
        refuse(itinerary_problems(itinerary), "This trip cannot be sent yet.")
        call = Call(
            "POST",
            f"/itineraries/{self._organization_id}",
            Effect.CREATES,
            query=_contact_options(auto_create_contact, contact_record_type_id)
            | {"emailCaseSensitiveInExternalId": flag(email_case_sensitive)},
            body=itinerary.to_wire(),
        )
        return self._transport.call(call, read_creation)

    def create_batch(
        self,
        itineraries: Sequence[Itinerary | str],
        *,
        auto_create_contact: bool = True,
        contact_record_type_id: int | None = None,
        email_case_sensitive: bool = True,
    ) -> BatchOutcome:
        """Add trips, in calls of 50 trips with contact creation and 1,000 without.

        Rows that break a rule are not sent and count as failed. A text that is the JSON payload of a valid trip is sent
        unchanged. `BatchOutcome` describes the result of a call that fails midway. An error before anything was done is
        raised.
        """
        query = _contact_options(auto_create_contact, contact_record_type_id) | {
            "emailCaseSensitiveInExternalId": flag(email_case_sensitive)
        }
        tally = Tally()
        sent: list[int] = []
        for row, itinerary in enumerate(itineraries):
            problems = itinerary_problems(itinerary) if isinstance(itinerary, Itinerary) else []
            if problems:
                tally.failed.append(BatchFailure(row, join_messages(problems), sent=False))
            else:
                sent.append(row)
        send_in_chunks(
            sent,
            # ASSUMPTION A46
            BATCH_ADD_WITH_CONTACTS if auto_create_contact else BATCH_ADD,
            send=lambda rows: self._transport.call(
                Call(
                    "POST",
                    f"/itineraries/{self._organization_id}/batch",
                    Effect.CREATES,
                    query=query,
                    body=json_list(_payload_text(itineraries[row]) for row in rows),
                    read_timeout=BATCH_READ_TIMEOUT,
                ),
                read_batch_answer,
            ),
            match=match_created,
            tally=tally,
        )
        return tally.outcome()

    def update(
        self,
        itinerary_id: int,
        itinerary: Itinerary,
        *,
        auto_create_contact: bool = True,
        contact_record_type_id: int | None = None,
    ) -> ModificationResult:
        """Replace a trip. A canceled trip is removed with its expected locations.

        Raises `Invalid` before sending if a rule is broken. Repeated if that is safe; a cancellation only if the
        service certainly has not carried it out.
        """
        refuse([*id_problems("id", itinerary_id), *itinerary_problems(itinerary)], "This trip cannot be sent yet.")
        call = Call(
            "PUT",
            f"/itineraries/{self._organization_id}/{itinerary_id}",
            Effect.REMOVES if itinerary.is_canceled else Effect.REPLACES,
            query=_contact_options(auto_create_contact, contact_record_type_id),
            body=itinerary.to_wire(),
        )
        return self._transport.call(call, partial(read_modification, itinerary_id))

    def delete(self, itinerary_id: int) -> ModificationResult:
        """Cancel and delete a trip with its expected locations."""
        refuse(id_problems("id", itinerary_id), "The value is not the ID of a trip.")
        call = Call("DELETE", f"/itineraries/{self._organization_id}/{itinerary_id}", Effect.REMOVES)
        return self._transport.call(call, partial(read_modification, itinerary_id))

    def delete_batch(self, itinerary_ids: Sequence[int]) -> BatchOutcome:
        """Cancel and delete trips, at most 2,000 per call. A repeated ID is sent once and counts twice."""
        problems = [
            error for row, itinerary_id in enumerate(itinerary_ids) for error in id_problems(f"[{row}]", itinerary_id)
        ]
        refuse(problems, "Some of the values are not IDs of trips.")
        firsts = first_rows(itinerary_ids)
        tally = Tally()
        send_in_chunks(
            list(firsts.values()),
            BATCH_DELETE,
            send=lambda rows: self._transport.call(
                Call(
                    "DELETE",
                    f"/itineraries/{self._organization_id}/batch",
                    Effect.REMOVES,
                    body=[itinerary_ids[row] for row in rows],
                    read_timeout=BATCH_READ_TIMEOUT,
                ),
                read_batch_answer,
            ),
            match=partial(match_deleted, ids=itinerary_ids),
            tally=tally,
        )
        tally.repeat_for({row: firsts[itinerary_id] for row, itinerary_id in enumerate(itinerary_ids)})
        return tally.outcome()

    def search(self, *, field_name: str, values: Sequence[str], page_number: int = 1) -> Page[ItineraryReference]:
        """Return one page of the trips whose `pnr` or `externalItineraryId` is one of the values."""
        refuse(_search_problems(field_name, values, page_number), "The search cannot be made.")
        return self._search(field_name, values, page_number)

    def list_expected_locations(self, itinerary_id: int, *, page_number: int = 1) -> Page[ExpectedLocation]:
        """Return one page of the places where the travelers of a trip are expected."""
        refuse([*id_problems("id", itinerary_id), *page_problems(page_number)], "The search cannot be made.")
        call = Call("GET", f"/itineraries/expectedLocations/{self._organization_id}/{itinerary_id}", Effect.READS)
        return call_page(self._transport, call, ExpectedLocation, page_number)

    def probe(self) -> None:
        """Search for a record locator that no trip has. This is the cheapest read; it is repeated at most once."""
        self._search(SEARCH_FIELDS[0], ["-"], 1, retry=_PROBE_RETRY)

    def _search(
        self, field_name: str, values: Sequence[str], page_number: int, *, retry: RetryPolicy | None = None
    ) -> Page[ItineraryReference]:
        call = Call(
            "POST",
            f"/itineraries/query/{self._organization_id}",
            Effect.READS,
            body={"fieldName": field_name, "fieldValues": list(values)},
            retry=retry,
        )
        return call_page(self._transport, call, ItineraryReference, page_number)


def _payload_text(itinerary: Itinerary | str) -> str:
    return as_json(itinerary.to_wire()) if isinstance(itinerary, Itinerary) else itinerary


def _contact_options(auto_create_contact: bool, contact_record_type_id: int | None) -> dict[str, str]:
    options = {"autoCreateContact": flag(auto_create_contact)}
    if contact_record_type_id is not None:
        refuse(id_problems("contactRecordTypeId", contact_record_type_id), "The value is not the ID of a record type.")
        options["contactRecordTypeId"] = str(contact_record_type_id)
    return options


def _search_problems(field_name: str, values: Sequence[str], page_number: int) -> list[FieldError]:
    problems = page_problems(page_number)
    if field_name not in SEARCH_FIELDS:
        problems.append(FieldError("fieldName", "Trips can be searched by record locator or external trip ID only."))
    if isinstance(values, str) or not values:
        problems.append(FieldError("fieldValues", "Enter at least one value to search for."))
    elif any(not isinstance(value, str) or not value.strip() for value in values):
        problems.append(FieldError("fieldValues", "A value to search for is blank."))
    return problems
