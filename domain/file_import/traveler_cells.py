"""Travelers in spreadsheets: the headings of their columns, and the names in a cell."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

EMPLOYEE_ID: Final = (
    *("employee", "employee number", "employee no", "emp id", "emp no", "external id", "contact external id"),
    *("staff id", "staff number", "staff no", "traveller id", "traveler id", "person id", "personnel number"),
    *("passenger id", "personalnummer", "personalnr"),
)
WHOLE_NAME: Final = (
    *("traveller", "traveler", "travellers", "travelers", "traveller name", "traveler name", "passenger", "passengers"),
    *("passenger name", "passenger names", "pax", "pax name", "name", "names", "full name", "guest", "guest name"),
    *("reisender", "voyageur", "pasajero", "gast", "huésped", "renter", "driver"),
)
FIRST_NAME: Final = ("given name", "forename", "first", "vorname", "prénom", "nombre")
LAST_NAME: Final = ("surname", "family name", "last", "nachname", "nom", "apellido", "apellidos")
EMAIL: Final = ("email address", "email addresses", "mail", "courriel")
PHONE: Final = (
    *("phone number", "phone numbers", "mobile", "mobile number", "mobile phone", "cell", "cell phone"),
    *("mobile phone number", "mobile no", "phone no", "contact number", "telephone", "tel", "telefon"),
)
TRAVELER_WORDS: Final = (
    "traveler",
    "traveller",
    "passenger",
    "pax",
    "guest",
    *("travellers", "travelers", "passengers", "guests"),
)
"""What may precede a heading besides "traveler", including plurals for "Passenger's"."""

SEPARATE_PEOPLE: Final = "Put a semicolon between two people, and a slash between the last and first names of one."
_FLOAT: Final = re.compile(r"(\+?\d+)\.0", re.ASCII)
_NAMES_APART: Final = re.compile(r"\s*(?:[;|\n]|\s&\s|\s\+\s|\sand\s)\s*", re.IGNORECASE)
_TITLE: Final = re.compile(
    r"[\s/]+(?:mr|mrs|ms|miss|mstr|dr|prof|herr|frau|m|mme|sr|sra|chd|inf|adt)\.?$", re.IGNORECASE
)
_TITLE_BEFORE: Final = re.compile(r"^(?:mr|mrs|ms|miss|dr|prof|herr|frau|mme|sr|sra)\.?\s+", re.IGNORECASE)


def strip_decimal_zero(text: str) -> str:
    """Return an identifier without a trailing ".0"."""
    found = _FLOAT.fullmatch(text.strip())
    return found[1] if found else text.strip()


class Name(NamedTuple):
    """A traveler's first and last name."""

    first: str
    last: str


def parse_names(text: str) -> list[Name]:
    """Return the people in a cell: "SILVA/ANA MRS", "Silva, Ana", "Ana Silva", separated by semicolons."""
    return [_parse_name(part) for part in _NAMES_APART.split(text) if part.strip()]


def may_name_several(text: str) -> bool:
    """Return whether commas in a cell may separate people, as in "Ana Silva, John Doe"."""
    for part in _NAMES_APART.split(text):
        parts = [_without_title(each) for each in part.split(",")]
        if "/" not in part and (len(parts) > 2 or (len(parts) == 2 and all(" " in each for each in parts))):
            return True
    return False


def _parse_name(text: str) -> Name:
    plain = _without_title(text)
    for mark in ("/", ","):
        last, found, first = plain.partition(mark)
        if found and first.strip():
            return Name(_fix_capitals(first), _fix_capitals(last))
    first, _, last = plain.rpartition(" ")
    return Name(_fix_capitals(first), _fix_capitals(last))


def _without_title(text: str) -> str:
    return _TITLE.sub("", _TITLE_BEFORE.sub("", text.strip()))


def _fix_capitals(text: str) -> str:
    """Write names in capitals in title case. Other names stay as they are."""
    plain = " ".join(text.split())
    return plain.title() if plain.isupper() and len(plain) > 1 else plain
