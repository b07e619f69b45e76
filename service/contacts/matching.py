"""Travellers to contacts: by contact id, else by employee id with the e-mail case rule; created where asked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from service.accounts.authentication import Caller
from service.clock import now_ms
from service.contacts import repository
from service.contacts.repository import ContactRecord
from service.schema import ACTIVE

# ASSUMPTION A5: the record type of contacts created without a contactRecordTypeId.
DEFAULT_RECORD_TYPE_ID = 1

_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+\Z")


@dataclass(frozen=True)
class Traveller:
    """One passenger as far as matching is concerned."""

    contact_id: int | None = None
    employee_id: str | None = None
    first_name: str | None = None
    middle_name: str | None = None
    last_name: str | None = None
    email_addresses: tuple[str, ...] = ()
    phone_numbers: tuple[tuple[str | None, str | None], ...] = ()

    @property
    def can_become_contact(self) -> bool:
        """A contact needs an external id and both names."""
        # ASSUMPTION A6: this is when "contact creation failed".
        return bool(self.employee_id and self.first_name and self.last_name)


def is_email_address(text: str) -> bool:
    """Whether an employee id is an e-mail address, for which alone the case rule holds."""
    return bool(_EMAIL.match(text))


def fold(text: str) -> str:
    """A text with its case set aside."""
    return text.casefold()


@dataclass
class ContactBook:
    """The contacts known so far in one request, and the rule that travellers are matched by."""

    email_case_sensitive: bool = True
    by_id: dict[int, ContactRecord] = field(default_factory=dict)
    by_external_id: dict[str, ContactRecord] = field(default_factory=dict)
    by_folded_external_id: dict[str, ContactRecord] = field(default_factory=dict)

    def add(self, contact: ContactRecord) -> None:
        """Take in a contact; of several that differ only in case, the oldest is found first."""
        self.by_id[contact.id] = contact
        self.by_external_id[contact.external_id] = contact
        self.by_folded_external_id.setdefault(fold(contact.external_id), contact)

    def find(self, traveller: Traveller) -> ContactRecord | None:
        """The contact a traveller is, if any."""
        # ASSUMPTION A7: a contactId that exists is taken first; one that does not falls back to employeeId.
        if traveller.contact_id is not None and traveller.contact_id in self.by_id:
            return self.by_id[traveller.contact_id]
        if not traveller.employee_id:
            return None
        exact = self.by_external_id.get(traveller.employee_id)
        if exact is None and self._ignores_case(traveller.employee_id):
            return self.by_folded_external_id.get(fold(traveller.employee_id))
        return exact

    def same_person_key(self, traveller: Traveller) -> str:
        """What two unmatched travellers share when they are one person, for creating one contact for both."""
        employee_id = traveller.employee_id or ""
        return fold(employee_id) if self._ignores_case(employee_id) else employee_id

    def _ignores_case(self, employee_id: str) -> bool:
        return not self.email_case_sensitive and is_email_address(employee_id)


def open_book(
    connection: Connection, organization_id: int, travellers: Iterable[Traveller], *, email_case_sensitive: bool
) -> ContactBook:
    """Every contact these travellers could be, read in a handful of statements."""
    travellers = list(travellers)
    book = ContactBook(email_case_sensitive)
    ids = {traveller.contact_id for traveller in travellers if traveller.contact_id is not None}
    external_ids = {traveller.employee_id for traveller in travellers if traveller.employee_id}
    found = repository.find_by_id(connection, organization_id, ids)
    found += repository.find_by_external_id(connection, organization_id, external_ids)
    if not email_case_sensitive:
        folded = {fold(external_id) for external_id in external_ids if is_email_address(external_id)}
        found += repository.find_by_folded_external_id(connection, organization_id, folded)
    for contact in sorted(found, key=lambda contact: contact.id):
        book.add(contact)
    return book


def create_missing(
    connection: Connection,
    caller: Caller,
    book: ContactBook,
    travellers: Iterable[Traveller],
    *,
    record_type_id: int | None,
) -> None:
    """Create one contact for each unmatched traveller who can become one, and add them to the book."""
    missing: dict[str, Traveller] = {}
    for traveller in travellers:
        if traveller.can_become_contact and book.find(traveller) is None:
            missing.setdefault(book.same_person_key(traveller), traveller)
    rows = [_contact_row(caller, traveller, record_type_id) for traveller in missing.values()]
    for contact in repository.add_contacts(connection, rows):
        book.add(contact)


def _contact_row(caller: Caller, traveller: Traveller, record_type_id: int | None) -> dict[str, Any]:
    external_id = traveller.employee_id or ""
    return {
        "organization_id": caller.organization_id,
        "external_id": external_id,
        "external_id_folded": fold(external_id),
        "record_type_id": DEFAULT_RECORD_TYPE_ID if record_type_id is None else record_type_id,
        "first_name": traveller.first_name or "",
        "middle_name": traveller.middle_name,
        "last_name": traveller.last_name or "",
        "email_addresses": list(traveller.email_addresses),
        "phone_numbers": [
            {"phoneNumber": number, "countryName": country} for number, country in traveller.phone_numbers
        ],
        "status": ACTIVE,
        "created_at": now_ms(),
        "created_by": caller.user_id,
    }
