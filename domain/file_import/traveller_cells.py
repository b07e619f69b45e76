"""How spreadsheets tell of travellers, wherever rows of them are taken in: what columns are called, names in a cell."""

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
WHO: Final = ("traveler", "passenger", "pax", "guest", *("travellers", "travelers", "passengers", "guests"))
"""What may stand before a heading beside "traveller"; the last ones with the s of "Passenger's"."""

MAY_BE_TWO: Final = "Put a semicolon between two people, and a slash between the last and first names of one."
_FLOAT: Final = re.compile(r"(\+?\d+)\.0", re.ASCII)
_NAMES_APART: Final = re.compile(r"\s*(?:[;|\n]|\s&\s|\s\+\s|\sand\s)\s*", re.IGNORECASE)
_TITLE: Final = re.compile(
    r"[\s/]+(?:mr|mrs|ms|miss|mstr|dr|prof|herr|frau|m|mme|sr|sra|chd|inf|adt)\.?$", re.IGNORECASE
)
_TITLE_BEFORE: Final = re.compile(r"^(?:mr|mrs|ms|miss|dr|prof|herr|frau|mme|sr|sra)\.?\s+", re.IGNORECASE)


def digits_of(text: str) -> str:
    """An identifier without the ".0" of a program that took it for a number to reckon with."""
    found = _FLOAT.fullmatch(text.strip())
    return found[1] if found else text.strip()


class Name(NamedTuple):
    """A traveller's name as far as a cell tells it apart."""

    first: str
    last: str


def names_in(text: str) -> list[Name]:
    """The people that a cell names: "SILVA/ANA MRS", "Silva, Ana", "Ana Silva", several with semicolons between."""
    return [_name(part) for part in _NAMES_APART.split(text) if part.strip()]


def may_name_more(text: str) -> bool:
    """Whether commas in a cell may stand between people as well: "Ana Silva, John Doe", where "Silva, Ana" is one."""
    for part in _NAMES_APART.split(text):
        told = [_without_title(each) for each in part.split(",")]
        if "/" not in part and (len(told) > 2 or (len(told) == 2 and all(" " in each for each in told))):
            return True
    return False


def _name(text: str) -> Name:
    plain = _without_title(text)
    for mark in ("/", ","):
        last, found, first = plain.partition(mark)
        if found and first.strip():
            return Name(_cased(first), _cased(last))
    first, _, last = plain.rpartition(" ")
    return Name(_cased(first), _cased(last))


def _without_title(text: str) -> str:
    return _TITLE.sub("", _TITLE_BEFORE.sub("", text.strip()))


def _cased(text: str) -> str:
    """Names in capital letters as people write them; others as they stand."""
    plain = " ".join(text.split())
    return plain.title() if plain.isupper() and len(plain) > 1 else plain
