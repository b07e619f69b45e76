"""Match travelers to contacts by contact ID, or else by employee ID with the email case rule; create contacts on
request.

A traveler without an employee ID matches no one and gets a new contact. Later the same email address or name finds that
contact.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from service.accounts.models import Caller
from service.contacts import repository
from service.contacts.repository import ContactRecord
from service.epoch import now_ms
from service.schema import ACTIVE, KEY_LENGTH

# ASSUMPTION A5: the record type of contacts created without a contactRecordTypeId.
DEFAULT_RECORD_TYPE_ID = 1

_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+\Z")


@dataclass(frozen=True)
class Traveler:
    """The fields of a passenger that matching uses."""

    contact_id: int | None = None
    employee_id: str | None = None
    first_name: str | None = None
    middle_name: str | None = None
    last_name: str | None = None
    email_addresses: tuple[str, ...] = ()
    phone_numbers: tuple[tuple[str | None, str | None], ...] = ()

    shared_addresses: frozenset[str] = frozenset()
    """Email addresses, in lower case, that travelers with other names on the trip also have, such as an office
    address.
    """

    @property
    def can_become_contact(self) -> bool:
        """Return whether the traveler has a name, which a contact needs."""
        # ASSUMPTION A6: without a name, "contact creation failed".
        return bool(self.first_name or self.last_name)

    @property
    def full_name(self) -> str:
        """First, middle, and last name."""
        return " ".join(name for name in (self.first_name, self.middle_name, self.last_name) if name)

    @property
    def external_id(self) -> str:
        """The external ID of a contact for this traveler: the employee ID, or else an address, or else the name."""
        return self.employee_id or next(iter(self._own_addresses()), self.full_name)[:KEY_LENGTH]

    @property
    def identity_keys(self) -> list[str]:
        """The keys that find the contact of a traveler without an employee ID: the addresses, or, without any, the
        name.
        """
        # ASSUMPTION A6: email addresses of travelers without an employee ID are compared without regard to case.
        return [_key("e-mail", address) for address in self._own_addresses()] or self.name_keys

    @property
    def name_keys(self) -> list[str]:
        """The name as a key, if there is one."""
        name = " ".join(unicodedata.normalize("NFC", self.full_name).split())
        return [_key("name", name)] if name else []

    def _own_addresses(self) -> list[str]:
        return [address for address in self.email_addresses if fold(address) not in self.shared_addresses]


def shared_addresses(travelers: Sequence[Traveler]) -> frozenset[str]:
    """Return the email addresses, in lower case, that travelers with different names share."""
    owners: dict[str, set[str]] = defaultdict(set)
    for traveler in travelers:
        for address in traveler.email_addresses if traveler.full_name else ():
            owners[fold(address)].add(fold(traveler.full_name))
    return frozenset(address for address, names in owners.items() if len(names) > 1)


def _key(kind: str, text: str) -> str:
    # A fixed length, whatever the length of the text.
    return hashlib.sha256(f"{kind} {fold(text)}".encode()).hexdigest()


def is_email_address(text: str) -> bool:
    """Return whether an employee ID is an email address. The case rule applies only to these."""
    return bool(_EMAIL.match(text))


def fold(text: str) -> str:
    """Return a text without its case."""
    return text.casefold()


@dataclass
class ContactBook:
    """The contacts loaded for one request, with the matching rule."""

    email_case_sensitive: bool = True
    by_id: dict[int, ContactRecord] = field(default_factory=dict)
    by_external_id: dict[str, ContactRecord] = field(default_factory=dict)
    by_folded_external_id: dict[str, ContactRecord] = field(default_factory=dict)
    by_key: dict[str, ContactRecord] = field(default_factory=dict)

    def add(self, contact: ContactRecord) -> None:
        """Add a contact. Of several that differ only in case, the oldest is found first."""
        self.by_id[contact.id] = contact
        self.by_external_id[contact.external_id] = contact
        self.by_folded_external_id.setdefault(fold(contact.external_id), contact)

    def find(self, traveler: Traveler) -> ContactRecord | None:
        """Return the contact of a traveler, if any."""
        # ASSUMPTION A7: a contactId that exists takes precedence. Otherwise employeeId decides.
        if traveler.contact_id is not None and traveler.contact_id in self.by_id:
            return self.by_id[traveler.contact_id]
        if not traveler.employee_id:
            known = next((self.by_key[key] for key in traveler.identity_keys if key in self.by_key), None)
            # An employee ID may be an address of the same person.
            return known or self.by_folded_external_id.get(fold(traveler.external_id))
        exact = self.by_external_id.get(traveler.employee_id)
        if exact is None and self._ignores_case(traveler.employee_id):
            return self.by_folded_external_id.get(fold(traveler.employee_id))
        return exact

    def marks(self, traveler: Traveler) -> tuple[list[Hashable], list[Hashable]]:
        """Return the keys that identify an unmatched traveler within one call, and the keys to store for them."""
        exact, folded = ("exact", traveler.external_id), ("folded", fold(traveler.external_id))
        if traveler.employee_id:
            return [folded if self._ignores_case(traveler.employee_id) else exact], [exact, folded]
        return [*traveler.identity_keys, folded], [*traveler.identity_keys, *traveler.name_keys, exact, folded]

    def _ignores_case(self, employee_id: str) -> bool:
        return not self.email_case_sensitive and is_email_address(employee_id)


def open_book(
    connection: Connection, organization_id: int, travelers: Iterable[Traveler], *, email_case_sensitive: bool
) -> ContactBook:
    """Load every contact that these travelers could be, in a few statements."""
    travelers = list(travelers)
    book = ContactBook(email_case_sensitive)
    ids = {traveler.contact_id for traveler in travelers if traveler.contact_id is not None}
    external_ids = {traveler.employee_id for traveler in travelers if traveler.employee_id}
    unnumbered = [traveler for traveler in travelers if not traveler.employee_id]
    book.by_key |= repository.find_by_key(
        connection, organization_id, {key for traveler in unnumbered for key in traveler.identity_keys}
    )
    found = repository.find_by_id(connection, organization_id, ids)
    found += repository.find_by_external_id(connection, organization_id, external_ids)
    folded = {fold(traveler.external_id) for traveler in unnumbered if traveler.external_id}
    if not email_case_sensitive:
        folded |= {fold(external_id) for external_id in external_ids if is_email_address(external_id)}
    found += repository.find_by_folded_external_id(connection, organization_id, folded)
    for contact in sorted(found, key=lambda contact: contact.id):
        book.add(contact)
    return book


def create_missing(
    connection: Connection,
    caller: Caller,
    book: ContactBook,
    travelers: Iterable[Traveler],
    *,
    record_type_id: int | None,
) -> None:
    """Create one contact for each unmatched traveler with a name, and add them to the book."""
    missing: list[Traveler] = []
    seen: dict[Hashable, int] = {}
    for traveler in travelers:
        if not traveler.can_become_contact or book.find(traveler) is not None:
            continue
        recognized_by, known_by = book.marks(traveler)
        number = next((seen[mark] for mark in recognized_by if mark in seen), len(missing))
        if number == len(missing):
            missing.append(traveler)
        for mark in known_by:
            seen.setdefault(mark, number)
    rows = [_contact_row(caller, traveler, record_type_id) for traveler in missing]
    made = repository.add_contacts(connection, rows)
    for contact in made:
        book.add(contact)
    # Texts are stored as keys; external IDs are found by their own columns.
    keys = {mark: made[number] for mark, number in seen.items() if isinstance(mark, str)}
    repository.add_keys(connection, caller.organization_id, keys)
    book.by_key = keys | book.by_key


def _contact_row(caller: Caller, traveler: Traveler, record_type_id: int | None) -> dict[str, Any]:
    return {
        "organization_id": caller.organization_id,
        "external_id": traveler.external_id,
        "external_id_folded": fold(traveler.external_id),
        "record_type_id": DEFAULT_RECORD_TYPE_ID if record_type_id is None else record_type_id,
        "first_name": traveler.first_name or "",
        "middle_name": traveler.middle_name,
        "last_name": traveler.last_name or "",
        "email_addresses": list(traveler.email_addresses),
        "phone_numbers": [
            {"phoneNumber": number, "countryName": country} for number, country in traveler.phone_numbers
        ],
        "status": ACTIVE,
        "created_at": now_ms(),
        "created_by": caller.user_id,
    }
