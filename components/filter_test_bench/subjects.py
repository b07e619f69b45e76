"""What the rules of a filter look at: each thing once, with the names a file may have for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from client.vocabulary.contact_filters import (
    COLUMNS,
    CUSTOM_RULE_TYPES,
    PATTERN_COLUMNS,
    FilterColumn,
)
from components.contact_filters.columns import column_key, label, words_of
from components.contact_filters.draft import FilterDraft, RuleDraft

UNTIL: Final = "#until"
"""Ends the name of the second column that a span of time may have: where it ends."""

LIST_SEPARATORS: Final = ";|"

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
    embedded = str(wire.get("embeddedColumnName") or "") or None
    column = _table().get((name, rule_type, embedded))
    if column is not None:
        return subject_of_column(column)
    words = f"{name} · {embedded}" if embedded else name
    return Subject("|".join((name, rule_type, embedded or "")), words, name, embedded, rule_type)


def subjects_of(rules: Iterable[RuleDraft]) -> dict[str, Subject]:
    """Everything that these rules look at, by key, in the rules' order."""
    found = (subject_of(rule.wire) for rule in rules)
    return {subject.key: subject for subject in found if subject is not None}


def subjects_of_draft(draft: FilterDraft) -> dict[str, Subject]:
    """Everything that the filter looks at, the muted rules included: they can be switched on at any time."""
    return subjects_of(draft.rules)


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


def name_of_kind(subject: Subject) -> str:
    """How many values a person can have of it, in words for the person who maps columns."""
    if subject.is_span:
        return "a day, a moment, or two moments with a slash between them"
    if subject.separators == LIST_SEPARATORS:
        return "several values in a cell are parted by ; or |"
    return "several values in a cell are parted by |" if subject.separators else ""


@cache
def named_once() -> frozenset[str]:
    """The column names that stand for one column of the table alone."""
    return frozenset(name for name, number in Counter(column.name for column in COLUMNS).items() if number == 1)


def _table() -> dict[tuple[str, str, str | None], FilterColumn]:
    return {(column.name, column.rule_type, column.embedded): column for column in COLUMNS}


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
