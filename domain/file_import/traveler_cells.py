"""Travelers in spreadsheets: the headings of their columns, and the names in a cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from domain.geography.folding import fold

EMPLOYEE_ID: Final = (
    *("employee", "employee number", "employee no", "emp id", "emp no", "emp nbr", "external id"),
    *("staff id", "staff number", "staff no", "traveller id", "traveler id", "person id", "personnel number"),
    *("contact external id", "passenger id", "personalnummer", "personalnr"),
)
WHOLE_NAME: Final = (
    *("traveller", "traveler", "travellers", "travelers", "traveller name", "traveler name", "passenger", "passengers"),
    *("lead passenger", "lead traveller", "prepared for"),
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

OPEN_TITLE: Final = (
    "Muster can’t tell whether a word is a name or a title. Put a slash between the last and first names."
)
SEPARATE_PEOPLE: Final = (
    "Put a semicolon between two people, and a slash between the last and first names of each person."
)
_IDS_APART: Final = re.compile(r"(?:(?<!\s)\s+)?(?:[;,|\n&+]|(?<=\s)(?:and|und|et|y|e)\s)\s*")
_FLOAT: Final = re.compile(r"(\+?\d+)\.0", re.ASCII)
_TITLE_WORD: Final = (
    r"(?:mr|mrs|ms|miss|mstr|dr|prof|hr|herrn?|fr|frau|mme|mlle|monsieur|madame|mademoiselle|señor(?:a|ita)?"
    r"|srta|sra?|dña|chd|inf|adt)\b\.?"
)
_CHILD: Final = (
    r"(?:kind|kleinkind|baby|enfant|b[ée]b[ée]|niñ[oa]|bambin[oa]|child|infant|adult|erwachsener?|adulte|adulto)\b\.?"
)
"""Words for travelers of an age that may also be last names."""
_LETTER_TITLE: Final = r"(?:[MD]\.?|Dª\.?)"
"""Titles that may also be an initial."""
_AND: Final = "and|et|und|&|\\+"
_NAMES_APART: Final = re.compile(
    rf"(?:(?<!\s)\s+)?(?:[;|\n]|\s(?:{_AND})\s|\s[ye]\s(?=(?:{_TITLE_WORD}|{_LETTER_TITLE})\s))\s*", re.IGNORECASE
)
_SPANISH_AND: Final = re.compile(r"\s[ye]\s", re.IGNORECASE)
_TITLE: Final = re.compile(rf"(?<![\s/])[\s/]+{_TITLE_WORD}$", re.IGNORECASE)
_TITLE_BEFORE: Final = re.compile(
    rf"^(?:{_TITLE_WORD}\s+|M\.\s*(?=[^\W\d_]{{2}})|(?:D\.|Dª\.?)\s*(?=\S+\s+\S)|M\s+(?=[^\W\d_]{{2}}))", re.IGNORECASE
)
_MONSIEUR: Final = re.compile(r"(?<=[^\W\d_]{2})\sM$")
"""The title in "VIDAL/ROMAIN M". In reservations of airlines, an initial stands before the name."""
_AFTER_TITLE: Final = re.compile(rf"([\s/]{_TITLE_WORD})(?P<mark>[\s/,]+)", re.IGNORECASE)
_TITLE_OF_FIRST: Final = re.compile(rf"^([^/]+/)\s*{_TITLE_WORD}\s+", re.IGNORECASE)
_FORM_OF_ADDRESS: Final = re.compile(
    r"(?<=\s)(?=(?:mr|mrs|ms|miss|mstr|herr|frau|mme|mlle|sra|srta|dña)\b)", re.IGNORECASE
)
_PASSENGER_TYPE: Final = re.compile(
    rf"(?:(?<!\s)\s+)?\((?:(?:adt|chd|cnn|inf|ins|yth|c[0-9]{{2}})\b|{_CHILD})(?:/[0-9A-Z]{{7}}|[,\s]*[0-9][^()/]*)?\)"
    r"|\*[^\s;|]*",
    re.IGNORECASE,
)
"""A passenger type in brackets, or a remark of a reservation system after an asterisk: "SMITH/JOHN MR*ADT"."""
_INFANT: Final = re.compile(r"(?<!\s)\s*\((?:INF|CHD)([^()/]*)/([^()/]+)(?:/[0-9A-Z]{7})?\)", re.IGNORECASE)
"""An infant without a seat, in the brackets after an adult: "DOE/JANE MRS(INFDOE/TOM)", "DOE/JANE MRS(INF/TOM)"."""
_NAME_WORD: Final = re.compile(
    r"(?P<F>vorname|prenom|first|given|forename|voorna|vor(?=\s))"
    r"|(?P<L>nachname|familienname|nom de famille|apellido|cognome|last|surname|family|achterna|nach(?=\s))"
    r"|(?P<N>nombre|nome|nom|name|naam)"
)
_CHILD_AFTER: Final = re.compile(rf"(?<=[/,])([^/,]*[^\s/,])[\s/,]+{_CHILD}$", re.IGNORECASE)
_CHILD_OF_FIRST: Final = re.compile(rf"(?<=[^\s/])[\s/]+{_CHILD}$|^{_CHILD}\s+(?=\S)", re.IGNORECASE)
_CHILD_BEFORE: Final = re.compile(rf"^{_CHILD}\s+(?=[^\s/,]+\s+[^\s/,])", re.IGNORECASE)
_ENDS_LIKE_CHILD: Final = re.compile(rf"[^\s/,]+\s[^/,]*\s{_CHILD}", re.IGNORECASE)
_NUMBER_BEFORE: Final = re.compile(r"(?:^|(?<=\s))[0-9]{1,2}\.[0-9]{0,2}\s?(?=[^\W\d_])")
"""The number of a traveler in a reservation: "1.SMITH/JOHN MR 2.DOE/JANE MS", "1.1SMITH/JOHN MR"."""
_ATTACHED_TITLE: Final = re.compile(
    r"(?<=[^\W\d_]{2})(?:MRS|MR|MSTR|MISS|MS|CHD|INF)$|(?<=[a-z]{2})(?:Mrs|Mr|Mstr|Miss|Ms)$"
)
_PARTICLES: Final = frozenset(
    (
        *("von", "van", "vom", "der", "den", "de", "del", "della", "dal", "di", "du", "da", "das", "do", "dos"),
        *("la", "le", "el", "al", "ben", "bin", "ibn", "zu", "zum", "zur", "ter", "ten", "saint"),
    )
)
"""Words in small letters that begin a last name."""
_NAMES_LIKE_TITLES: Final = frozenset(("adams", "williams", "abrams", "thoms", "samr", "aamr", "artemiss", "karims"))
"""First names that end like a title."""


def strip_decimal_zero(text: str) -> str:
    """Return an identifier without a trailing ".0"."""
    found = _FLOAT.fullmatch(text.strip())
    return found[1] if found else text.strip()


def split_ids(text: str, people: int) -> list[str]:
    """Return the employee IDs in a cell: "10234; 10877", "E1/E2". `people` is the number of names next to them.

    A slash or a space may belong to an ID. It separates IDs if they are as many as the names, or alike.
    """
    if text.isalnum():
        return [text]
    ids = [part for part in _IDS_APART.split(text) if part]
    if len(ids) < 2:
        ids = re.split(r"[/\s]+", text.strip("/ "))
        has_digits = all(any(map(str.isdigit, each)) for each in ids)
        are_alike = len({re.sub(r"\d", "0", each) for each in ids}) == 1
        if len(ids) < 2 or not has_digits or not (are_alike or len(ids) == people):
            return [text]
    return ids


class Name(NamedTuple):
    """A traveler's first and last name."""

    first: str
    last: str


def count_leading_last_names(heading: str) -> int:
    """Return the usual number of last names before a first name: 1 under "Nom et prénom", 2 under "Apellidos y nombre".

    Return 0 if the heading does not put the last name first.
    """
    marks = "".join(found.lastgroup or "" for found in _NAME_WORD.finditer(fold(heading)))
    if "F" in marks and "L" in marks:
        is_first = marks.index("L") < marks.index("F")
    elif "F" in marks:
        # "Nom" next to "prénom" is a last name, and "nombre" next to "apellidos" a first name.
        is_first = 0 <= marks.rfind("N") < marks.index("F")
    else:
        is_first = 0 <= marks.find("L") < marks.rfind("N")
    return is_first + (is_first and "apellidos" in fold(heading))


def name_parser_under(heading: str) -> Callable[[str], list[Name]]:
    """Return the function that reads the names under a heading."""
    return partial(parse_names, last_names=count_leading_last_names(heading))


def may_split_elsewhere(text: str, last_names: int) -> bool:
    """Return whether nothing but a heading shows where the last name ends, as in "DUPONT JEAN PIERRE"."""
    if not last_names:
        return False
    plain = _without_title(_PASSENGER_TYPE.sub("", text.strip()))
    words = plain.split()
    has_marks = "/" in plain or "," in plain or len({word.isupper() for word in words}) > 1
    return not has_marks and len(words) > _end_of_last_names(words, 1) + 1


def parse_names(text: str, *, last_names: int = 0) -> list[Name]:
    """Return the people in a cell: "SILVA/ANA MRS", "Silva, Ana", "Ana Silva".

    A semicolon, a bar, "and", or a title ends a person. Raise ValueError if slashes or titles may separate more people.
    Names whose marks and capitals don't show the last name begin with `last_names` last names, or end with one if 0.
    """
    text = _INFANT.sub(_separate_infant, _PASSENGER_TYPE.sub("", text.strip()))
    parts = _NAMES_APART.split(_NUMBER_BEFORE.sub(";", text))
    parts = [each for part in parts for each in _split_spanish(part)]
    if any(part.strip() and not any(map(str.isalpha, part)) for part in parts):
        raise ValueError("A name must contain letters. If the column has employee IDs, match it as Employee ID.")
    return [name for part in parts if part.strip() for name in _parse_people(part.strip(), last_names)]


def _separate_infant(found: re.Match[str]) -> str:
    last, first = (each.strip() for each in found.groups())
    return f";{last}/{first}" if last else f"/{first}"


def _split_spanish(text: str) -> list[str]:
    """Split "SOTO/ELENA y RUIZ/ANA" and "Elena Soto y Ana Ruiz". "Pablo García y Vega" is one person.

    Raise ValueError if a text without slashes may be either.
    """
    parts = _SPANISH_AND.split(text)
    if len(parts) == 1 or all(part.count("/") == 1 for part in parts) or all("," in part for part in parts):
        return parts
    if any("/" in part or "," in part for part in parts) or " " not in _without_title(parts[-1]):
        return [text]
    raise ValueError(SEPARATE_PEOPLE)


def may_name_several(text: str) -> bool:
    """Return whether commas in a cell may separate people, as in "Ana Silva, John Doe"."""
    for part in _NAMES_APART.split(text):
        parts = [_without_title(each) for each in part.split(",")]
        has_titles = _FORM_OF_ADDRESS.search(_without_title(part))
        if (
            "/" not in part
            and not has_titles
            and (len(parts) > 2 or (len(parts) == 2 and all(" " in each for each in parts)))
        ):
            return True
    return False


def check_one_name(text: str) -> str:
    """Return a first or last name without its title. Raise ValueError if it may name several people."""
    plain = _without_title(_PASSENGER_TYPE.sub("", text))
    if "/" in plain or _FORM_OF_ADDRESS.search(plain):
        raise ValueError(SEPARATE_PEOPLE)
    return plain


def check_first_name(text: str) -> str:
    """Return a first name without its title: "Leo" of "Leo KIND". Raise ValueError if it may name several people."""
    return check_one_name(_CHILD_OF_FIRST.sub("", text.strip()))


def _parse_people(text: str, last_names: int) -> list[Name]:
    if "/" not in _without_title(text):
        return _parse_titled(text, last_names)
    pieces, marks, start = [], [""], 0
    text = _TITLE_OF_FIRST.sub(r"\1", text)
    for found in _AFTER_TITLE.finditer(text):
        pieces.append(text[start : found.end(1)])
        marks.append(found["mark"])
        start = found.end()
    pieces.append(text[start:])
    people: list[Name] = []
    for piece, mark in zip(pieces, marks, strict=True):
        parts = piece.split(",") if piece.count(",") == piece.count("/") - 1 else [piece]
        for part in map(_without_title, parts):
            slashes = part.count("/")
            if slashes == 1:
                people.append(_parse_name(part, last_names))
            elif people and not slashes and "/" in mark:
                # One last name for both: "SMITH/JOHN MR/JANE MRS".
                people.append(Name(_fix_capitals(part), people[-1].last))
            elif not re.fullmatch(rf"(?:\s*(?:{_TITLE_WORD}|{_CHILD}))*", part, re.IGNORECASE):
                raise ValueError(SEPARATE_PEOPLE)
    return people


def _parse_titled(text: str, last_names: int) -> list[Name]:
    """Return the people of a text without slashes: "Mr John Smith Mrs Jane Smith" are two."""
    if _ENDS_LIKE_CHILD.fullmatch(text) or (last_names and _CHILD_BEFORE.match(text)):
        raise ValueError(OPEN_TITLE)
    pieces = _FORM_OF_ADDRESS.split(text)
    inner = _FORM_OF_ADDRESS.search(_without_title(text))
    if inner is None:
        return [_parse_name(_without_title(text), last_names)]
    names = [_without_title(f"{piece.strip()} ").strip() for piece in pieces]
    if _TITLE_BEFORE.match(text) is None or not all(" " in name for name in names):
        raise ValueError(SEPARATE_PEOPLE)
    return [_parse_name(name, last_names) for name in names]


def _parse_name(plain: str, last_names: int) -> Name:
    for mark in ("/", ","):
        last, found, first = plain.partition(mark)
        if found and first.strip():
            return Name(_fix_capitals(_without_attached_title(first) if mark == "/" else first), _fix_capitals(last))
    words = plain.strip(" /,").split()
    is_capitals = [len(word) > 1 and word.isupper() for word in words]
    at = _last_name_at(words)
    first, last = " ".join(words[:at]), " ".join(words[at:])
    if is_capitals[:1] == [True] and not is_capitals[-1]:
        # "DUPONT Jean", as in French and Spanish lists.
        at = is_capitals.index(False)
        first, last = " ".join(words[at:]), " ".join(words[:at])
    elif last_names and len(set(map(str.isupper, words))) == 1:
        at = _end_of_last_names(words, last_names)
        first, last = " ".join(words[at:]), " ".join(words[:at])
    return Name(_fix_capitals(first), _fix_capitals(last))


def _end_of_last_names(words: Sequence[str], last_names: int) -> int:
    """Return where the first name begins after so many last names: after "DE LA CRUZ", after "García López"."""
    at = 0
    for _ in range(last_names):
        end = at
        while end < len(words) - 1 and words[end].casefold() in _PARTICLES:
            end += 1
        if end + 1 < len(words) or not at:
            at = min(end + 1, len(words))
    return at


def _last_name_at(words: Sequence[str]) -> int:
    """Return where the last name begins: at words in capitals, at "von", at "García y Vega", or at the last word."""
    at = max(len(words) - 1, 0)
    are_capitals = bool(words) and not words[0].isupper() and words[-1].isupper()
    while at > 1 and (
        words[at - 1] in _PARTICLES or (are_capitals and words[at - 1].isupper() and len(words[at - 1]) > 1)
    ):
        at -= 1
    if at > 2 and words[at - 1] in ("y", "e"):
        at -= 2
    return at


def _without_title(text: str) -> str:
    before = None
    while text != before:  # such as "Prof. Dr." and "DR MR"
        before, text = text, _TITLE.sub("", _TITLE_BEFORE.sub("", text.strip()))
        text = _CHILD_AFTER.sub(r"\1", _CHILD_BEFORE.sub("", text))
        if "/" in text:
            text = _MONSIEUR.sub("", text)
    return text


def _without_attached_title(first: str) -> str:
    """Return "JOHN" for "JOHNMR", as reservation systems write names."""
    words = first.split()
    is_title = bool(words) and words[-1].casefold() not in _NAMES_LIKE_TITLES
    return _ATTACHED_TITLE.sub("", first.strip()) if is_title else first


def _fix_capitals(text: str) -> str:
    """Write names in capitals in title case. Other names stay as they are."""
    plain = " ".join(text.split())
    return plain.title() if plain.isupper() and len(plain) > 1 else plain
