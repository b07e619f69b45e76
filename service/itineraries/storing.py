"""Store itineraries, one transaction per call (interface: What itinerary calls do)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from client.vocabulary.limits import BATCH_ADD_WITH_CONTACTS
from service.accounts.models import Caller
from service.accounts.repository import lock_organization
from service.contacts.matching import ContactBook, Traveler, create_missing, open_book
from service.contacts.repository import ContactRecord
from service.epoch import now_ms
from service.field_types import as_long
from service.itineraries import repository
from service.itineraries.expected_locations import Margins, expected_places, is_international, is_local
from service.itineraries.models import TripItinerary
from service.itineraries.rules import NO_MATCH, AcceptedItinerary, Spelling, accept
from service.refusals import RefusalError, invalid
from service.schema import ACTIVE, DELETED

NOT_FOUND_ON_CHANGE = 401
# ASSUMPTION A20: only update and delete swap their statuses; a read of an unknown itinerary is a plain 404.
NOT_FOUND_ON_READ = 404


@dataclass(frozen=True)
class MatchingOptions:
    """How travelers become contacts (interface: Itinerary parameters)."""

    auto_create_contact: bool = True
    contact_record_type_id: int | None = None
    email_case_sensitive: bool = True


@dataclass
class _Plan:
    """One itinerary to store. `id` is set after it is stored, or if it removed an earlier one."""

    accepted: AcceptedItinerary
    contacts: list[ContactRecord]
    status: str
    id: int | None = None
    removes: _Plan | None = field(default=None, repr=False)


def add_all(
    connection: Connection,
    caller: Caller,
    accepted: Sequence[AcceptedItinerary],
    options: MatchingOptions,
    margins: Margins,
    *,
    generated: bool = False,
    contact_creation_limit: int | None = BATCH_ADD_WITH_CONTACTS,
) -> list[int | None]:
    """Add itineraries one after the other. Returns their IDs; None if no traveler matches a contact.

    A canceled itinerary removes the existing one with its record locator and has its ID. More than
    `contact_creation_limit` itineraries are refused as a whole if contacts must be created.
    """
    lock_organization(connection, caller.organization_id)
    trips = [item for item in accepted if not item.is_canceled]
    book = open_book(
        connection,
        caller.organization_id,
        (traveler for trip in trips for traveler in trip.travelers),
        email_case_sensitive=options.email_case_sensitive,
    )
    _create_contacts(connection, caller, book, trips, options, len(accepted), contact_creation_limit)
    plans, replaced = _plan(connection, caller, accepted, book)
    repository.remove(connection, caller.user_id, replaced)
    new = [plan for plan in plans if plan is not None and plan.id is None and plan.removes is None]
    rows = [_itinerary_row(caller, plan, generated=generated) for plan in new]
    for plan, itinerary_id in zip(new, repository.add(connection, rows), strict=True):
        plan.id = itinerary_id
    locations = [row for plan in new for row in _location_rows(caller, plan, margins)]
    repository.add_expected_locations(connection, locations)
    return [_id_of(plan) for plan in plans]


def add_one(
    connection: Connection, caller: Caller, accepted: AcceptedItinerary, options: MatchingOptions, margins: Margins
) -> int:
    """Add an itinerary. Returns the ID."""
    [itinerary_id] = add_all(connection, caller, [accepted], options, margins)
    if itinerary_id is None:
        raise invalid(NO_MATCH)
    return itinerary_id


def update_one(
    connection: Connection,
    caller: Caller,
    id_text: str,
    itinerary: TripItinerary,
    options: MatchingOptions,
    margins: Margins,
) -> int:
    """Replace the itinerary with an ID, and regenerate its expected locations. A canceled one is removed. Returns
    the ID.
    """
    itinerary_id = require_for_change(connection, caller, id_text)
    accepted = accept(itinerary, Spelling.UPDATE)
    if accepted.is_canceled:
        repository.remove(connection, caller.user_id, [itinerary_id])
        return itinerary_id
    found = repository.find_by_pnr(connection, caller.organization_id, [accepted.pnr])
    if any(other != itinerary_id for ids in found.values() for other in ids):
        # ASSUMPTION A16: an update may not take the record locator of another itinerary.
        raise invalid(f"The PNR {accepted.pnr} belongs to another itinerary of the organization.")
    sensitive = options.email_case_sensitive
    book = open_book(connection, caller.organization_id, accepted.travelers, email_case_sensitive=sensitive)
    _create_contacts(connection, caller, book, [accepted], options, 1, None)
    matched = _matches(book, accepted.travelers)
    if not matched:
        raise invalid(NO_MATCH)
    plan = _Plan(accepted, matched, ACTIVE, id=itinerary_id)
    row = _itinerary_row(caller, plan, generated=False)
    fixed_columns = ("organization_id", "created_at", "created_by")
    repository.change(connection, itinerary_id, {key: value for key, value in row.items() if key not in fixed_columns})
    repository.remove_expected_locations(connection, [itinerary_id])
    repository.add_expected_locations(connection, _location_rows(caller, plan, margins))
    return itinerary_id


def overwrite_generated(
    connection: Connection,
    caller: Caller,
    accepted: Sequence[tuple[int, AcceptedItinerary]],
    options: MatchingOptions,
    margins: Margins,
) -> None:
    """Replace itineraries of the demo generator with later dates, at once. They still count as generated."""
    travelers = [traveler for _id, trip in accepted for traveler in trip.travelers]
    book = open_book(connection, caller.organization_id, travelers, email_case_sensitive=True)
    create_missing(connection, caller, book, travelers, record_type_id=options.contact_record_type_id)
    plans = [_Plan(trip, _matches(book, trip.travelers), ACTIVE, id=itinerary_id) for itinerary_id, trip in accepted]
    repository.redate(connection, {plan.id: plan.accepted.itinerary.to_document() for plan in plans if plan.id})
    repository.remove_expected_locations(connection, [itinerary_id for itinerary_id, _trip in accepted])
    repository.add_expected_locations(
        connection, [row for plan in plans for row in _location_rows(caller, plan, margins)]
    )


def remove_one(connection: Connection, caller: Caller, id_text: str) -> int:
    """Mark an itinerary as deleted, and delete its expected locations. Returns its ID."""
    found = require_for_change(connection, caller, id_text)
    repository.remove(connection, caller.user_id, [found])
    return found


def remove_all(connection: Connection, caller: Caller, itinerary_ids: Collection[int]) -> set[int]:
    """Mark existing itineraries as deleted, and delete their expected locations. Returns their IDs."""
    lock_organization(connection, caller.organization_id)
    found = repository.find_active(connection, caller.organization_id, itinerary_ids)
    repository.remove(connection, caller.user_id, found)
    return found


def require_for_change(connection: Connection, caller: Caller, id_text: str) -> int:
    """Return the ID of an itinerary that no one else can change or remove until this transaction ends."""
    # Lock first, then read: a record read before the lock may be gone.
    lock_organization(connection, caller.organization_id)
    return require(connection, caller, id_text, status=NOT_FOUND_ON_CHANGE)


def require(connection: Connection, caller: Caller, id_text: str, *, status: int = NOT_FOUND_ON_READ) -> int:
    """Return the ID of an itinerary of the caller's organization. Otherwise raise the interface's refusal with this
    status.
    """
    itinerary_id = as_long(id_text)
    if itinerary_id is not None and repository.is_active(connection, caller.organization_id, itinerary_id):
        return itinerary_id
    where = f"within the organization {caller.organization_id}."
    raise RefusalError(status, f"Can not find the trip itinerary with ID. {id_text} {where}")


def _create_contacts(
    connection: Connection,
    caller: Caller,
    book: ContactBook,
    trips: Sequence[AcceptedItinerary],
    options: MatchingOptions,
    call_size: int,
    limit: int | None,
) -> None:
    if not options.auto_create_contact:
        return
    travelers = [traveler for trip in trips for traveler in trip.travelers]
    needed = any(traveler.can_become_contact and book.find(traveler) is None for traveler in travelers)
    if needed and limit is not None and call_size > limit:
        # ASSUMPTION A17: the limit applies to the itineraries of the call as soon as one of them needs a contact.
        raise invalid(f"A call that needs contacts to be created can hold at most {limit} itineraries.")
    create_missing(connection, caller, book, travelers, record_type_id=options.contact_record_type_id)


def _plan(
    connection: Connection, caller: Caller, accepted: Sequence[AcceptedItinerary], book: ContactBook
) -> tuple[list[_Plan | None], set[int]]:
    # ASSUMPTION A18: the existing itinerary is the active one of the organization with the same pnr, in any case. A
    # canceled itinerary removes it; any other replaces it under a new ID. Within one call, the last one wins.
    # ASSUMPTION A19: canceling a trip that does not exist stores a removed itinerary, so that the response has an ID.
    stored = repository.find_by_pnr(connection, caller.organization_id, {item.pnr for item in accepted})
    earlier: dict[str, _Plan] = {}
    replaced: set[int] = set()
    plans: list[_Plan | None] = []
    for item in accepted:
        matched = [] if item.is_canceled else _matches(book, item.travelers)
        if not item.is_canceled and not matched:
            plans.append(None)
            continue
        plan = _Plan(item, matched, DELETED if item.is_canceled else ACTIVE)
        key = repository.pnr_key(item.pnr)
        predecessor = earlier.pop(key, None)
        existing = stored.pop(key, [])
        if predecessor is not None:
            predecessor.status = DELETED
        replaced.update(existing)
        if item.is_canceled:
            plan.id, plan.removes = next(reversed(existing), None), predecessor
        else:
            earlier[key] = plan
        plans.append(plan)
    return plans, replaced


def _id_of(plan: _Plan | None) -> int | None:
    if plan is None:
        return None
    return plan.removes.id if plan.removes is not None else plan.id


def _matches(book: ContactBook, travelers: Sequence[Traveler]) -> list[ContactRecord]:
    found = {contact.id: contact for contact in map(book.find, travelers) if contact is not None}
    return list(found.values())


def _itinerary_row(caller: Caller, plan: _Plan, *, generated: bool) -> dict[str, Any]:
    now = now_ms()
    return {
        "organization_id": caller.organization_id,
        "pnr": plan.accepted.pnr,
        "pnr_key": repository.pnr_key(plan.accepted.pnr),
        "external_itinerary_id": plan.accepted.itinerary.external_itinerary_id,
        "document": plan.accepted.itinerary.to_document(),
        "status": plan.status,
        "generated": generated,
        "created_at": now,
        "created_by": caller.user_id,
        "modified_at": now,
        "modified_by": caller.user_id,
    }


def _location_rows(caller: Caller, plan: _Plan, margins: Margins) -> list[dict[str, Any]]:
    if plan.status != ACTIVE:
        return []
    now = now_ms()
    places = expected_places(plan.accepted.segments, margins)
    international, local = is_international(places), is_local(places)
    return [
        {
            "organization_id": caller.organization_id,
            "itinerary_id": plan.id,
            "contact_id": contact.id,
            "contact_external_id": contact.external_id,
            "travel_category": expected.travel_category,
            "travel_type": expected.travel_type,
            "is_international_travel": international,
            "is_local_travel": local,
            "arrive_at": expected.arrive_at,
            "expire_at": expected.expire_at,
            **vars(expected.place),
            "created_at": now,
            "created_by": caller.user_id,
            "created_name": caller.display_name,
            "modified_at": now,
            "modified_by": caller.user_id,
            "modified_name": caller.display_name,
        }
        for expected in places
        for contact in plan.contacts
    ]
