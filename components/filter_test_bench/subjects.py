"""What the rules of a filter look at: each thing once, and the columns that a file of contacts may have for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from client.vocabulary.contact_filters import COLUMNS, CUSTOM_RULE_TYPES, PATTERN_COLUMNS, FilterColumn
from components.contact_filters.columns import words_of
from components.contact_filters.filter_draft import FilterDraft
from components.intake.checking import Intake
from components.intake.column_matching import Column, match_columns, squash

UNTIL: Final = "#until"
"""Ends the name of the second column that a span of time may have: where it ends."""

LIST_SEPARATORS: Final = ";|"
_PARTED: Final = {
    ";|": "several values in a cell are parted by ; or |",
    "|": "several values in a cell are parted by |",
}
_SPAN_HELP: Final = "a day, a moment, or two moments with a slash between them"

_EXPECTED: Final = next(column.rule_type for column in COLUMNS if column.name == "expectedDate")
_ARRAYS: Final = frozenset(column.rule_type for column in COLUMNS if column.name == "groups") | {"CUSTOM_ARRAY"}
_LISTS: Final = frozenset({"groups", "topics", "value", "systemRequirement", "pathId", "calendar", "shift"})
"""Columns a person may have several values of, which a cell then parts by a semicolon or a bar."""

# What exports of contacts are seen to call these columns, reduced to letters and digits.
ALIASES: Final[Mapping[str, tuple[str, ...]]] = {
    "firstName": ("givenname", "forename", "first"),
    "lastName": ("surname", "familyname", "last"),
    "middleInitial": ("middlename", "initial"),
    "externalId": ("employeeid", "employeenumber", "staffid", "contactexternalid", "personnelnumber"),
    "recordTypeId": ("recordtype", "contacttype"),
    "registedEmail": ("registrationemail", "loginemail"),
    "registedDate": ("registrationdate", "registeredon"),
    "createdDate": ("createdon", "created"),
    "lastModifiedDate": ("lastmodified", "modifieddate", "modifiedon", "updatedon"),
    "lastModifiedName": ("lastmodifiedby", "modifiedby"),
    "ssoIdentity": ("ssoid", "ssouserid", "sso"),
    "groups": ("group", "groupid", "groupids"),
    "topics": ("topic", "topicid", "topicids", "subscriptions"),
    "value": ("path", "paths", "deliverypath", "deliverypaths", "pathvalue"),
    "pathId": ("pathids", "deliverypathid"),
    "locationName": ("location", "place", "building", "site"),
    "streetAddress": ("street", "addressline"),
    "city": ("town",),
    "state": ("province",),
    "postalCode": ("zip", "zipcode", "postcode"),
    "country": ("countrycode",),
    "floorNo": ("floor", "floornumber"),
    "gisLocation.lat": ("latitude", "lat"),
    "gislocation.lon": ("longitude", "lon", "lng"),
    "address.gisLocation.lon": ("longitude", "lon", "lng"),
    "iata": ("airport", "airportcode", "iatacode"),
    "calendar": ("calendarid",),
    "shift": ("shiftid",),
    "expectedDate": ("expectedfrom", "expecteddatefrom", "expectedat", "arrivedate", "expecteddatetime"),
    "shiftDate": ("shiftfrom", "shiftstart", "shiftdatefrom", "shiftbegin"),
}
ENDS_CALLED: Final[Mapping[str, tuple[str, ...]]] = {
    "expectedDate": ("expecteduntil", "expecteddateuntil", "expectedto", "expecteddateto", "expiredate", "expectedend"),
    "shiftDate": ("shiftuntil", "shiftend", "shiftdateuntil", "shiftto"),
}
_WHO: Final = ("firstName", "lastName", "externalId")
CONTAINED: Final[Mapping[str, tuple[str, ...]]] = {
    "value": ("email", "phone", "mobile", "sms", "pager"),
    "registedEmail": ("email",),
    "streetAddress": ("address",),
}
"""Words that let a heading resemble a column, for a person to look at."""


@dataclass(frozen=True)
class Subject:
    """One thing that rules look at, by the columns of a file that may stand for it: its own, and where a span ends.

    `separators` part the values of one cell; "" where a cell holds one value.
    """

    key: str
    label: str
    columns: tuple[Column, ...] = field(compare=False)
    separators: str = ""

    @property
    def is_span(self) -> bool:
        """Whether it is a stretch of time, whose end may stand in a column of its own."""
        return len(self.columns) > 1


def subject_of(wire: Mapping[str, Any]) -> Subject | None:
    """What a rule looks at; None where the rule does not say."""
    rule_type, attribute_id = str(wire.get("type") or ""), wire.get("attributeId")
    if rule_type in CUSTOM_RULE_TYPES:
        number = "" if attribute_id is None else str(attribute_id).strip()
        return _attribute(rule_type, number) if number else None
    name = str(wire.get("columnName") or "").strip()
    return _of_column(name, rule_type, str(wire.get("embeddedColumnName") or "")) if name else None


def subject_of_column(column: FilterColumn) -> Subject:
    """A column of the interface's table as something that rules look at."""
    return _of_column(column.name, column.rule_type, column.embedded or "")


def columns_of_draft(draft: FilterDraft) -> list[Column]:
    """The columns that may stand for what the filter looks at; its muted rules count, for they can be switched on."""
    found = dict.fromkeys(subject_of(rule.wire) for rule in draft.rules)
    return [column for subject in found if subject is not None for column in subject.columns]


def person_columns(headers: Sequence[str]) -> tuple[str, ...]:
    """The columns that tell who somebody is: names and external id where the file has them, else the first two."""
    who = [subject_of_column(column) for column in COLUMNS if column.name in _WHO]
    matches = match_columns(headers, [column for subject in who for column in subject.columns])
    found = tuple(header for match in matches.values() if match.is_sure for header in match.headers)
    return found or tuple(headers[:2])


@cache
def _of_column(name: str, rule_type: str, embedded: str) -> Subject:
    """A column of the table, or one that stands in no table.

    A bare "country" is the person's own country; where the rules ask only for the address's, it is offered as unsure.
    """
    key = f"{name}|{rule_type}|{embedded}"
    words = words_of(key)
    is_span = words is not None and name in PATTERN_COLUMNS
    listed = words is not None and (rule_type in _ARRAYS or name in _LISTS)
    several = listed or not (is_span or words is None or words.single)
    separators = LIST_SEPARATORS if listed else "|" if several or is_span else ""
    alone = (name, name.replace("registed", "registered"), *ALIASES.get(name, ()))
    sure = alone if name in _named_once() else () if embedded else alone[:2]
    # What may stand before a column's name in a heading, to say which of several it is.
    holders = [embedded, squash(embedded).removesuffix("s")] if embedded else []
    if rule_type == _EXPECTED:
        holders = ["expected", "expected location", "expected address"]
    own = Column(
        key,
        words.label if words is not None else f"{name} · {embedded}" if embedded else name,
        aliases=(*sure, *(f"{holder} {each}" for holder in holders for each in alone)),
        required=True,
        several=several,
        alike=alone,
        hints=CONTAINED.get(name, ()),
        help=_SPAN_HELP if is_span else _PARTED.get(separators, ""),
    )
    end = Column(key + UNTIL, f"{own.label} until", aliases=ENDS_CALLED.get(name, ()), nothing="In the same column")
    return Subject(key, own.label, (own, end) if is_span else (own,), separators)


@cache
def _attribute(rule_type: str, number: str) -> Subject:
    separators = LIST_SEPARATORS if rule_type in _ARRAYS else ""
    prefixes = ("", "custom ", "attribute ", "custom attribute ", "attribute id ")
    column = Column(
        f"{rule_type}|{number}",
        f"Custom attribute {number}",
        aliases=[prefix + number for prefix in prefixes],
        required=True,
        several=bool(separators),
        help=_PARTED.get(separators, ""),
    )
    return Subject(column.name, column.label, (column,), separators)


@cache
def _named_once() -> frozenset[str]:
    """The column names that stand for one column of the table alone."""
    return frozenset(name for name, number in Counter(column.name for column in COLUMNS).items() if number == 1)


CONTACTS: Final = Intake(
    kind="contacts",
    noun=("contact", "contacts"),
    columns=[column for each in COLUMNS for column in subject_of_column(each).columns],
    most_rows=250_000,
    help="A row a contact under a row of headings.",
    placeholder="Rows copied from a spreadsheet, with their headings",
)
"""What may be read of a file; which of it matters, the rules say."""
