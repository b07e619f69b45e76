"""Matching travelers to contacts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.contacts.matching import ContactBook, Traveler, is_email_address
from service.contacts.repository import ContactRecord


def book(*external_ids: str, sensitive: bool = True) -> ContactBook:
    """Return contacts with IDs from 1."""
    contacts = ContactBook(sensitive)
    for number, external_id in enumerate(external_ids, 1):
        contacts.add(ContactRecord(number, external_id))
    return contacts


def match(contacts: ContactBook, employee_id: str | None = None, contact_id: int | None = None) -> int | None:
    """Return the ID of the contact that a traveler matches."""
    contact = contacts.find(Traveler(contact_id=contact_id, employee_id=employee_id))
    return contact.id if contact else None


@pytest.mark.parametrize(
    ("employee_id", "sensitive", "expected"),
    [
        ("a@b.com", True, 1),
        ("A@b.com", True, None),
        ("A@b.com", False, 1),
        ("E1", True, 3),
        ("e1", True, None),
        ("e1", False, None),
        (None, False, None),
        ("", False, None),
    ],
)
def test_travelers_match_by_employee_id(employee_id: str | None, sensitive: bool, expected: int | None) -> None:
    """The case rule applies to email addresses only."""
    assert match(book("a@b.com", "c@d.com", "E1", sensitive=sensitive), employee_id) == expected


def test_an_exact_match_wins_over_one_that_differs_in_case() -> None:
    """Of several that differ, the oldest wins."""
    contacts = book("A@b.com", "a@b.com", sensitive=False)
    assert match(contacts, "a@b.com") == 2
    assert match(contacts, "a@B.com") == 1


def test_the_contact_id_wins() -> None:
    """If it exists."""
    contacts = book("E1", "E2")
    assert match(contacts, "E1", contact_id=2) == 2
    assert match(contacts, "E1", contact_id=99) == 1
    assert match(contacts, None, contact_id=99) is None


@pytest.mark.parametrize("text", ["ana@example.com", "a.b+c@d-e.co.uk", "Ünï@bücher.example"])
def test_valid_email_addresses_are_recognized(text: str) -> None:
    """Valid addresses."""
    assert is_email_address(text)


@pytest.mark.parametrize(
    "text", ["", "ana", "ana@", "@example.com", "ana@example", "a b@example.com", "a@b@c.com", "a@b..com"]
)
def test_invalid_email_addresses_are_recognized(text: str) -> None:
    """Invalid addresses."""
    assert not is_email_address(text)


@given(st.emails())
def test_every_email_address_matches_in_any_case(address: str) -> None:
    """For letters whose uppercase and lowercase convert both ways."""
    if is_email_address(address):
        assert match(book(address, sensitive=False), address.swapcase()) == 1
