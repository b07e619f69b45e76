"""What the rules of a filter look at: each thing once, and the columns that a file of contacts may have for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from client.vocabulary.contact_filters import COLUMNS, CUSTOM_RULE_TYPES, PATTERN_COLUMNS, FilterColumn
from components.contact_filters.columns import column_key, column_named, label, words_of
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
    """One thing that rules look at: a column of the table, one that stands in no table, or a custom attribute.

    `separators` part the values of one cell; "" where a cell holds one value. `takes_several` tells that several
    columns of a file may feed it.
    """

    key: str
    label: str
    name: str
    embedded: str | None = None
    rule_type: str = ""
    attribute_id: str | None = None
    separators: str = ""
    takes_several: bool = False
    is_span: bool = False

    @property
    def slots(self) -> tuple[str, ...]:
        """What may be given a column of the file: the thing itself, and the end of a span of time."""
        return (self.key, self.key + UNTIL) if self.is_span else (self.key,)


def subject_of(wire: Mapping[str, Any]) -> Subject | None:
    """What a rule looks at; None where the rule does not say."""
    rule_type = str(wire.get("type") or "")
    if rule_type in CUSTOM_RULE_TYPES:
        return _attribute(rule_type, wire.get("attributeId"))
    name = str(wire.get("columnName") or "").strip()
    if not name:
        return None
    embedded = str(wire.get("embeddedColumnName") or "")
    key = f"{name}|{rule_type}|{embedded}"
    column = column_named(key)
    if column is not None:
        return subject_of_column(column)
    return Subject(key, f"{name} · {embedded}" if embedded else name, name, embedded or None, rule_type)


def columns_of_draft(draft: FilterDraft) -> list[Column]:
    """The columns that may stand for what the filter looks at; its muted rules count, for they can be switched on."""
    found = dict.fromkeys(subject_of(rule.wire) for rule in draft.rules)
    return [column for subject in found if subject is not None for column in columns_of(subject)]


@cache
def subject_of_column(column: FilterColumn) -> Subject:
    """A column of the interface's table as something that rules look at."""
    is_span = column.name in PATTERN_COLUMNS
    listed = column.rule_type in _ARRAYS or column.name in _LISTS
    key = column_key(column)
    words = words_of(key)
    several = listed or not (is_span or words is None or words.single)
    return Subject(
        key=key,
        label=label(key),
        name=column.name,
        embedded=column.embedded,
        rule_type=column.rule_type,
        separators=LIST_SEPARATORS if listed else "|" if several or is_span else "",
        takes_several=several,
        is_span=is_span,
    )


@cache
def columns_of(subject: Subject) -> tuple[Column, ...]:
    """The columns that may stand for its slots.

    A bare "country" is the person's own country; where the rules ask only for the address's, it is offered as unsure.
    """
    usual = ALIASES.get(subject.name, ())
    if subject.attribute_id is not None:
        prefixes = ("", "custom ", "attribute ", "custom attribute ", "attribute id ")
        sure, alike = [prefix + subject.name for prefix in prefixes], []
    else:
        alone = [subject.name, subject.name.replace("registed", "registered"), *usual]
        sure = alone if subject.name in _named_once() else alone[:2] if subject.embedded is None else []
        sure = [*sure, *(f"{holder} {name}" for holder in _holders(subject) for name in alone)]
        alike = alone
    column = Column(
        subject.key,
        subject.label,
        aliases=(*sure, subject.label.replace("registed", "registered")),
        required=True,
        several=subject.takes_several,
        alike=alike,
        hints=() if subject.attribute_id else CONTAINED.get(subject.name, ()),
        help=_SPAN_HELP if subject.is_span else _PARTED.get(subject.separators, ""),
    )
    if not subject.is_span:
        return (column,)
    ends = ENDS_CALLED.get(subject.name, ())
    until = Column(subject.key + UNTIL, f"{subject.label} until", aliases=ends, nothing="In the same column")
    return (column, until)


def person_columns(headers: Sequence[str]) -> tuple[str, ...]:
    """The columns that tell who somebody is: names and external id where the file has them, else the first two."""
    who = [subject_of_column(column) for column in COLUMNS if column.name in _WHO]
    matches = match_columns(headers, [column for subject in who for column in columns_of(subject)])
    found = tuple(header for match in matches.values() if match.is_sure for header in match.headers)
    return found or tuple(headers[:2])


@cache
def _named_once() -> frozenset[str]:
    """The column names that stand for one column of the table alone."""
    return frozenset(name for name, number in Counter(column.name for column in COLUMNS).items() if number == 1)


def _holders(subject: Subject) -> tuple[str, ...]:
    """What may stand before a column's name in a heading, to say which of several it is."""
    if subject.rule_type == _EXPECTED:
        return ("expected", "expected location", "expected address")
    if subject.embedded is None:
        return ()
    return (subject.embedded, squash(subject.embedded).removesuffix("s"))


def _attribute(rule_type: str, attribute_id: Any) -> Subject | None:
    number = str(attribute_id).strip() if attribute_id not in (None, "") else ""
    if not number:
        return None
    listed = rule_type in _ARRAYS
    return Subject(
        key=f"{rule_type}|{number}",
        label=f"Custom attribute {number}",
        name=number,
        rule_type=rule_type,
        attribute_id=number,
        separators=LIST_SEPARATORS if listed else "",
        takes_several=listed,
    )


CONTACTS: Final = Intake(
    kind="contacts",
    noun=("contact", "contacts"),
    columns=[column for each in COLUMNS for column in columns_of(subject_of_column(each))],
    most_rows=250_000,
    help="A row a contact under a row of headings.",
    placeholder="Rows copied from a spreadsheet, with their headings",
)
"""What may be read of a file; which of it matters, the rules say."""
