"""What a rule compares with which columns of a file, or why it cannot be evaluated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from client.vocabulary.contact_filters import (
    COLUMNS,
    COMPARED,
    CUSTOM_RULE_TYPES,
    DATED,
    LIST_VALUED,
    LISTED,
    PATTERN_BETWEEN,
    PATTERN_COLUMNS,
    PATTERN_NOW,
    SET_OR_NOT,
    TEXT,
    VALUELESS,
    FilterColumn,
)
from domain.file_import.cell_times import DateOrder
from domain.file_import.column_matching import Column, match_columns
from domain.file_import.column_types import squash
from domain.file_import.import_declaration import ImportDeclaration
from domain.filters.columns import data_type_of, effective_operator, is_custom, labels_of
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.values import MILLISECONDS, elements_of, milliseconds_of, parse_number

UNTIL: Final = "#until"
"""The suffix of a second column's name, in which a time span ends."""

LIST_SEPARATORS: Final = ";|"
_SEPARATOR_HELP: Final = {LIST_SEPARATORS: "separate several values in a cell with ; or |", "": "one value per cell"}
_SPAN_HELP: Final = "a date, a date and time, or two of them separated by a slash"

_EXPECTED: Final = next(column.rule_type for column in COLUMNS if column.name == "expectedDate")
_ARRAYS: Final = frozenset(column.rule_type for column in COLUMNS if column.name == "groups") | {"CUSTOM_ARRAY"}
_LISTS: Final = frozenset({"groups", "topics", "value", "systemRequirement", "pathId", "calendar", "shift"})
"""Columns of which a person may have several values, separated in a cell by a semicolon or a bar."""

# Names of these columns in exports of contacts, reduced to letters and digits.
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
END_ALIASES: Final[Mapping[str, tuple[str, ...]]] = {
    "expectedDate": ("expecteduntil", "expecteddateuntil", "expectedto", "expecteddateto", "expiredate", "expectedend"),
    "shiftDate": ("shiftuntil", "shiftend", "shiftdateuntil", "shiftto"),
}
_PERSON_COLUMNS: Final = ("firstName", "lastName", "externalId")
HEADING_HINTS: Final[Mapping[str, tuple[str, ...]]] = {
    "value": ("email", "phone", "mobile", "sms", "pager"),
    "registedEmail": ("email",),
    "streetAddress": ("address",),
}
"""Words in a heading that suggest a column. The user must check it."""


@dataclass(frozen=True)
class Subject:
    """Something that rules compare, with the columns of a file that may contain it: its own, and one for the end of a
    span.

    `separators` split the values of a cell; "" if a cell has one value.
    """

    key: str
    label: str
    columns: tuple[Column, ...] = field(compare=False)
    separators: str = ""

    @property
    def is_span(self) -> bool:
        """Whether it is a time span, whose end may be in another column."""
        return len(self.columns) > 1


def subject_of(payload: Mapping[str, Any]) -> Subject | None:
    """Return what a rule compares; None if the rule does not define it."""
    rule_type, attribute_id = str(payload.get("type") or ""), payload.get("attributeId")
    if rule_type in CUSTOM_RULE_TYPES:
        number = "" if attribute_id is None else str(attribute_id).strip()
        return _attribute(rule_type, number) if number else None
    name = str(payload.get("columnName") or "").strip()
    return _of_column(name, rule_type, str(payload.get("embeddedColumnName") or "")) if name else None


def subject_of_column(column: FilterColumn) -> Subject:
    """Return the subject for a column of the interface's table."""
    return _of_column(column.name, column.rule_type, column.embedded or "")


def columns_of_draft(draft: FilterDraft) -> list[Column]:
    """Return the columns that the filter may use. Muted rules count, because they can be unmuted."""
    found = dict.fromkeys(subject_of(rule.payload) for rule in draft.rules)
    return [column for subject in found if subject is not None for column in subject.columns]


def person_columns(headers: Sequence[str]) -> tuple[str, ...]:
    """Return the headers that identify a person: names and external ID, or else the first two."""
    who = [subject_of_column(column) for column in COLUMNS if column.name in _PERSON_COLUMNS]
    matches = match_columns(headers, [column for subject in who for column in subject.columns])
    found = tuple(header for match in matches.values() if match.is_sure for header in match.headers)
    return found or tuple(headers[:2])


@cache
def _of_column(name: str, rule_type: str, embedded: str) -> Subject:
    """Return the subject of a column, in the interface's table or not.

    A heading "country" is the person's own country. If the rules use only that of the address, it is suggested as
    unsure.
    """
    key = f"{name}|{rule_type}|{embedded}"
    words = labels_of(key)
    is_span = words is not None and name in PATTERN_COLUMNS
    listed = words is not None and (rule_type in _ARRAYS or name in _LISTS)
    several = listed or not (is_span or words is None or words.is_single)
    separators = LIST_SEPARATORS if several or is_span else ""
    alone = (name, name.replace("registed", "registered"), *ALIASES.get(name, ()))
    sure = alone if name in _unique_names() else () if embedded else alone[:2]
    # Prefixes of the column's name in a heading, such as "expected".
    holders = [embedded, squash(embedded).removesuffix("s")] if embedded else []
    if rule_type == _EXPECTED:
        holders = ["expected", "expected location", "expected address"]
    own = Column(
        key,
        words.label if words is not None else f"{name} · {embedded}" if embedded else name,
        aliases=(*sure, *(f"{holder} {each}" for holder in holders for each in alone)),
        required=True,
        allows_many=several,
        similar_names=alone,
        hints=HEADING_HINTS.get(name, ()),
        help=_SPAN_HELP if is_span else _SEPARATOR_HELP.get(separators, ""),
    )
    end = Column(key + UNTIL, f"{own.label} until", aliases=END_ALIASES.get(name, ()), nothing="In the same column")
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
        allows_many=bool(separators),
        help=_SEPARATOR_HELP.get(separators, ""),
    )
    return Subject(column.name, column.label, (column,), separators)


@cache
def _unique_names() -> frozenset[str]:
    """Return the column names that are unique in the interface's table."""
    return frozenset(name for name, number in Counter(column.name for column in COLUMNS).items() if number == 1)


CONTACTS: Final = ImportDeclaration(
    kind="contacts",
    noun=("contact", "contacts"),
    columns=[column for each in COLUMNS for column in subject_of_column(each).columns],
    most_rows=250_000,
    help="One row per contact, below a row of headings.",
    placeholder="Rows from a spreadsheet, with their headings",
)
"""How the file is read; the rules decide which columns are used."""


Kind = Literal["text", "number", "moment", "span", "presence"]
"""How values are read for the comparison. A span is a period, which may be a single moment."""
Operand = str | int | float | tuple[int, int]

STARTS, ENDS, IS, IS_NOT, CONTAINS, CONTAINS_NOT = TEXT
_IS, _IS_NOT, BELOW, UP_TO, ABOVE, FROM_ON = COMPARED
WITHIN: Final = DATED[0]
ONE_OF, NONE_OF = LISTED
NOT_SET, IS_SET = SET_OR_NOT
OPPOSITES: Final = {IS_NOT: IS, CONTAINS_NOT: CONTAINS, NONE_OF: ONE_OF}
"""Negative operators, with the operator that each negates. No one matches both, and everyone matches one."""
_OPERATORS: Final = frozenset({*TEXT, *COMPARED, *DATED, *LISTED, *SET_OR_NOT})
_TEXT_ONLY: Final = frozenset({STARTS, ENDS, CONTAINS, CONTAINS_NOT})
"""Operators that compare characters, whatever the data type."""


@dataclass(frozen=True)
class EstimateOptions:
    """How to evaluate what the interface leaves open. All of it can be changed on the screen."""

    at_ms: int = 0
    """The moment that NOW stands for, in epoch milliseconds."""
    zone: str = "UTC"
    """The zone of times without one."""
    # ASSUMPTION A84: texts are compared to the letter, capitals included, as the embedded service compares ids and
    # names; values are compared without the blanks around them, and accents in whichever of their spellings.
    case_matters: bool = True
    # ASSUMPTION A85: what is not there is not equal to anything: "is not", "does not contain" and "is none of" hold
    # for somebody without a value, and are the exact opposites of "is", "contains" and "is one of".
    absent_is_other: bool = True
    date_order: DateOrder = "as the file shows"


@dataclass(frozen=True)
class Question:
    """A rule that can be evaluated: does any value of the subject match any of the operands?"""

    subject: Subject
    operator: str
    kind: Kind
    operands: tuple[Operand, ...] = ()
    is_now: bool = False
    is_boolean: bool = False


@dataclass(frozen=True)
class NotEvaluated:
    """Why a rule cannot be evaluated, as text after "rule 2:". `is_missing` if a column would make it possible."""

    reason: str
    is_missing: bool = False


def build_question(rule: RuleDraft, options: EstimateOptions) -> Question | NotEvaluated:
    """Return the question of a rule, or why it cannot be evaluated: it is unfinished, or something in it is unknown."""
    payload = rule.payload
    subject = subject_of(payload)
    operator = effective_operator(payload) or ""
    if subject is None:
        return NotEvaluated("it has no column")
    if rule.typed:
        return NotEvaluated("it has a value that cannot be read")
    if not operator:
        return NotEvaluated("it has no comparison")
    if operator not in _OPERATORS:
        return NotEvaluated("Muster does not know its comparison")
    if operator in VALUELESS:
        return Question(subject, operator, "presence", is_boolean=data_type_of(payload) == "BOOLEAN")
    values = elements_of(payload)
    if values in ([], [""]):
        return NotEvaluated("it has no value")
    if subject.is_span:
        return _span_question(subject, operator, values, options)
    kinds: Mapping[str | None, Kind] = {"NUMBER": "number", "DATE": "moment"}
    kind = "text" if operator in _TEXT_ONLY else kinds.get(data_type_of(payload), "text")
    operands = [_operand(value, kind, options.zone) for value in values]
    if any(operand is None for operand in operands):
        return NotEvaluated(f"it has a value that is not {_KIND_NAMES[kind]}")
    if operator == WITHIN and len(operands) != 2:
        return NotEvaluated("it needs 2 values, from and until")
    if operator not in LIST_VALUED and not is_custom(payload) and len(operands) > 1:
        return NotEvaluated("it has several values but compares with 1")
    return Question(subject, operator, kind, tuple(operand for operand in operands if operand is not None))


_KIND_NAMES: Final = {"text": "text", "number": "a number", "moment": "a date and time"}


def _span_question(
    subject: Subject, operator: str, values: list[Any], options: EstimateOptions
) -> Question | NotEvaluated:
    """Return the question of `expectedDate` or `shiftDate`: now, or from one moment until another."""
    match values:
        case [str(word), None, None] if word == PATTERN_NOW:
            return Question(subject, operator, "span", ((options.at_ms, options.at_ms),), is_now=True)
        case [str(word), int(begin), int(end)] if word == PATTERN_BETWEEN and begin <= end:
            return Question(subject, operator, "span", ((begin, end),))
    return NotEvaluated("it has no start and end")


def _operand(value: Any, kind: Kind, zone: str) -> Operand | None:
    if isinstance(value, bool):
        return str(value).lower() if kind == "text" else None
    if kind == "text":
        return str(value)
    if isinstance(value, int):
        return value
    if kind == "number" or isinstance(value, float):
        number = parse_number(str(value))
        return number if kind == "number" or isinstance(number, int) else None
    return _moment(str(value), zone)


def _moment(text: str, zone: str) -> int | None:
    """Return epoch milliseconds of a custom attribute's date, which is text: epoch milliseconds or ISO 8601."""
    if MILLISECONDS.fullmatch(text.strip()):
        return int(text)
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return milliseconds_of(moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone)))
