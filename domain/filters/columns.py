"""The columns that a rule can have: their labels, groups, and search, and their names in the JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from client.models.contact_filter_rules import custom_operators
from client.vocabulary.contact_filters import (
    COLUMN_RULE_TYPES,
    COLUMNS,
    CUSTOM_RULE_TYPES,
    LISTED,
    PATTERN_COLUMNS,
    TEXT,
    FilterColumn,
)
from domain.geography.folding import fold


@dataclass(frozen=True, slots=True)
class ColumnLabels:
    """The texts of a column."""

    key: str
    group: str
    label: str
    help: str
    lead: str
    """Begins its clause in a sentence, as "whose" does in "whose first name is …"."""
    noun: str
    """Follows `lead`: "first name"."""
    search: str
    """More words for the search."""
    is_single: bool
    """Whether a person has one value at most, so that two rules over the column can exclude each other."""
    is_id: bool
    """Whether the values are IDs."""


# A group: title | key of its columns | lead | what their labels end with | "single" if a person has one value.
# A column: name | label | help | more words for the search | its noun, if that is not the label. "-" is empty.
_TABLE: Final = """
= Person | {}|SYSTEM| | whose | - | single
firstName | First name | The person's given name. | given forename
lastName | Last name | The person's family name. | surname family
middleInitial | Middle initial | The initial between first and last name. | name
suffix | Suffix | The suffix of the name, such as Jr. or PhD. | name title
externalId | External ID | The person’s ID in your own systems, such as an employee number. | \
employee staff number personnel
country | Country · person | The country on the person’s own record, not the country of an address or trip. | \
nation nationality citizenship home | own country
recordTypeId | Record type | The ID of the record type, such as employees or contractors. | kind contractor employee
registedEmail | Registered email | The email address used to register. | mail
ssoIdentity | Single sign-on identity | The name with which the person signs in. | sso login
= Person | {}|SYSTEM| | who have | - | single
userId | User ID | Whether the person has a user account. | account login | a user ID
individualAccountId | Individual account | Whether the person has an individual account. | - | an individual account
smUserId | SM user ID | Whether the person has an SM user ID. | account | an SM user ID
= Dates | {}|SYSTEM| | whose record was created | - | single
createdDate | Created | When the person’s record was created. | date added new | -
= Dates | {}|SYSTEM| | who registered | - | single
registedDate | Registered | When the person registered. | date sign up joined | -
= Dates | {}|SYSTEM| | whose record was last changed | - | single
lastModifiedDate | Last changed | When the person’s record was last changed. | date modified updated | -
= Dates | {}|SYSTEM| | whose | - | single
lastModifiedName | Last changed by | The name of the user who last changed the record. | modified updated editor | \
last editor’s name
= Groups and topics | {}|SYSTEM_ARRAY| | who belong to
groups | Groups | IDs of the groups that the person belongs to. | member membership team | group
= Groups and topics | {}|SYSTEM| | who follow
topics | Topics | IDs of the topics that the person follows. | subscription interest | topic
= Delivery paths | {}|SYSTEM_OBJECT|paths | with | · delivery path
pathId | Kind | IDs of the person’s types of delivery path, such as mobile phone. | \
path id phone telephone mobile cell sms email mail reach | delivery path
= Delivery paths | {}|SYSTEM_OBJECT|paths | with a delivery path whose | · delivery path
value | Value | The phone number or email address. | phone telephone mobile cell number sms email mail
systemRequirement | System requirement | A requirement of the service for the delivery path. | required
= Addresses | {}|SYSTEM_OBJECT|address | with an address whose | · address
locationName | Location name | The name of the place. | site office building
streetAddress | Street | Street and number. | road
suite | Suite | Suite, apartment, or unit. | apartment flat unit
city | City | Town or city. | town
state | State | State, province, or region. | province region
postalCode | Postal code | Postal or ZIP code. | zip postcode
country | Country | The country of an address on file. | nation
floorNo | Floor | The floor at an address on file. | storey level
gisLocation.lat | Latitude | Decimal degrees. North is positive. | coordinates map gps
gislocation.lon | Longitude | Decimal degrees. East is positive. | coordinates map gps
addressGeoCodingSource | Source of coordinates | The source of the coordinates of the \
address. | geocoding map placed
= Addresses | {}|SYSTEM_OBJECT| | with a location on file whose | · on file
locationId | Location ID | The ID of a location on the person’s record. | site office building
= Addresses | {}|SYSTEM| | who have | on file | single
address.streetAddress | Street address | Whether any street address is known. | missing | a street address on file
address.gisLocation.lon | Coordinates | Whether any address has coordinates. | \
map gps latitude longitude missing | coordinates on file
= Last known location | {}|SYSTEM_OBJECT|lastKnownLocation | with a last known location whose | \
· last known location | single
floorNo | Floor | The floor where the person was last located. | storey level
= Schedule | {}|SYSTEM_SCHEDULING| | who are scheduled in
calendar | Calendar | The ID of a calendar in which the person is scheduled. | rota duty
= Schedule | {}|SYSTEM_SCHEDULING| | who work in
shift | Shift | The ID of a shift that the person works. | rota duty
= Schedule | {}|SYSTEM_SCHEDULING| | who are on shift
shiftDate | Shift date | When the person is on shift: now, or between two times. | rota duty time working | -
= Expected location | {}|SYSTEM_EXPECTED_OBJECT| | who are expected somewhere
expectedDate | Expected date | When the person is expected somewhere: now, or between two times. | \
travel itinerary trip time when | -
= Expected location | {}|SYSTEM_EXPECTED_OBJECT|address | with an expected location whose | · expected location
country | Country | The country that the person is expected in. | travel itinerary trip nation
city | City | The city that the person is expected in. | travel itinerary trip town
state | State | The state or province that the person is expected in. | travel itinerary trip province region
iata | Airport | The airport that the person is expected at. | travel itinerary trip iata code flight air
locationName | Location name | The name of the place. | travel itinerary trip hotel station site
locationId | Location ID | The ID of the place. | travel itinerary trip site
= Custom attributes | {} | whose | - | single
custom | Custom attribute | A field that your organization has added to its contacts. | \
own field additional information department division cost center job title
= Custom attributes | {} | whose
custom_array | Custom attribute with several values | An added field that can hold more than one value for a person. | \
own field additional information department division list multiple | custom attribute
"""


def column_key(column: FilterColumn) -> str:
    """Return the key of a column: `country|SYSTEM_OBJECT|address`."""
    return f"{column.name}|{column.rule_type}|{column.embedded or ''}"


def _parse_table() -> Iterator[ColumnLabels]:
    ids = {column_key(each) for each in COLUMNS if each.data_type == "NUMBER" and "gis" not in each.name.lower()}
    section: list[str] = []
    for line in _TABLE.strip().splitlines():
        cells = ["" if cell == "-" else cell for cell in line.split(" | ")]
        if line.startswith("= "):
            section = [*cells, "", ""]
            continue
        group, key, lead, suffix, single = section[:5]
        name, label, help_text, search = [*cells, ""][:4]
        noun = cells[4] if len(cells) > 4 else label[0].lower() + label[1:]
        of = key.format(name)
        yield ColumnLabels(
            of, group[2:], f"{label} {suffix}".strip(), help_text, lead, noun, search, bool(single), of in ids
        )


COLUMN_LABELS: Final = tuple(_parse_table())


CUSTOM_KEY: Final = "custom"
CUSTOM_ARRAY_KEY: Final = "custom_array"
CUSTOM_TYPES: Final[Mapping[str, str]] = {CUSTOM_KEY: "CUSTOM", CUSTOM_ARRAY_KEY: "CUSTOM_ARRAY"}
CUSTOM_DATA_TYPES: Final[dict[str, str]] = {"STRING": "Text", "NUMBER": "Number", "DATE": "Date and time"}
"""The data types of a custom attribute, with their labels."""

SCHEDULE: Final = "Schedule"
_LABELS_BY_KEY: Final[dict[str, ColumnLabels]] = {words.key: words for words in COLUMN_LABELS}
_KEY_OF_TYPE: Final = {rule_type: key for key, rule_type in CUSTOM_TYPES.items()}
_COLUMNS: Final[dict[str, FilterColumn]] = {column_key(column): column for column in COLUMNS}

_TEXT_OPERATORS: Final = {
    "STARTWITH": "starts with",
    "ENDWITH": "ends with",
    "E": "is",
    "NE": "is not",
    "LIKE": "contains",
    "NLIKE": "does not contain",
    "GT": "comes after",
    "LT": "comes before",
    "GTE": "is or comes after",
    "LTE": "is or comes before",
    "IN": "is one of",
    "NIN": "is none of",
    "BETWEEN": "is between",
    "ISNULL": "is not set",
    "NOTNULL": "is set",
}
_OPERATORS_BY_TYPE: Final[dict[str, dict[str, str]]] = {
    "STRING": _TEXT_OPERATORS,
    "NUMBER": _TEXT_OPERATORS | {"LT": "is less than", "LTE": "is at most", "GT": "is more than", "GTE": "is at least"},
    "DATE": _TEXT_OPERATORS
    | {
        "LT": "is before",
        "LTE": "is at or before",
        "GT": "is after",
        "GTE": "is at or after",
        "E": "is at",
        "NE": "is not at",
    },
    "BOOLEAN": _TEXT_OPERATORS,
}
# ASSUMPTION A76: with the pattern, BETWEEN asks for what overlaps the time given; the others for what lies before or
# after it, or reaches into it.
_PATTERN_OPERATORS: Final = {
    "BETWEEN": "is",
    "LT": "is before",
    "LTE": "is before or during",
    "GT": "is after",
    "GTE": "is during or after",
}
_ARRAY_OPERATORS: Final = {"IN": "include any of", "NIN": "include none of"}
_CUSTOM_ARRAY_OPERATORS: Final = {"IN": "has any of", "NIN": "has none of"}
_ARRAYS: Final = frozenset({"groups|SYSTEM_ARRAY|", "topics|SYSTEM|"})


def find_column(key: str) -> FilterColumn | None:
    """Return the column of the interface's table with this key; None for custom attributes and unknown keys."""
    return _COLUMNS.get(key)


def labels_of(key: str) -> ColumnLabels | None:
    """Return the texts of a column; None for an unknown key."""
    return _LABELS_BY_KEY.get(key)


def column_label(key: str) -> str:
    """Return the label of a column: "Country · address"."""
    labels = _LABELS_BY_KEY.get(key)
    return labels.label if labels else key


def column_name_for(payload: Mapping[str, Any]) -> str:
    """Return the label of a rule's column, else the name that the rule has for it; "" if it has none."""
    key = key_of_rule(payload)
    return column_label(key) if key is not None else text_of(payload, "columnName") or ""


def column_choice(words: ColumnLabels) -> str:
    """Return a column in a list to choose from, with further words it is found by: "Street · address (road)"."""
    further = [word for word in words.search.split() if word not in fold(words.label)]
    return f"{words.label} ({', '.join(further)})" if further else words.label


def search_columns(text: str) -> list[ColumnLabels]:
    """Find columns whose texts contain every word, best matches first. An empty text finds all."""
    wanted = fold(text).split()

    def holds(words: str) -> bool:
        return all(f" {word}" in f" {fold(words)}" for word in wanted)

    def nearness(words: ColumnLabels) -> tuple[bool, bool]:
        return not holds(words.label), not fold(words.label).startswith(wanted[0] if wanted else "")

    found = [each for each in COLUMN_LABELS if holds(f"{each.label} {each.group} {each.search} {each.help}")]
    return sorted(found, key=nearness)


def columns_named(name: str) -> list[str]:
    """Return the keys of the columns that need a contact field ID and have this label or name, in any word order."""
    words = sorted(fold(name).split())

    def is_called(column: FilterColumn) -> bool:
        named = (column.name, f"{column.embedded} {column.name}", column_label(column_key(column)))
        return any(sorted(fold(each).split()) == words for each in named)

    return [column_key(each) for each in COLUMNS if each.rule_type in COLUMN_RULE_TYPES and is_called(each)]


def key_of_rule(payload: Mapping[str, Any]) -> str | None:
    """Return the key of a rule's column; None if the rule has no column or one that is not in the table."""
    rule_type = text_of(payload, "type")
    if rule_type is None:
        return None
    if rule_type in CUSTOM_RULE_TYPES:
        return _KEY_OF_TYPE[rule_type]
    key = f"{payload.get('columnName')}|{rule_type}|{payload.get('embeddedColumnName') or ''}"
    return key if key in _COLUMNS else None


def text_of(payload: Mapping[str, Any], name: str) -> str | None:
    """Return a field of a rule if it is text; None for anything else, which a stored rule may have."""
    part = payload.get(name)
    return part if isinstance(part, str) else None


def effective_operator(payload: Mapping[str, Any]) -> str | None:
    """Return the operator of a rule; for a stored rule without an operator, its option."""
    return text_of(payload, "operator") or text_of(payload, "contactFilterOption")


def needs_field_id(payload: Mapping[str, Any]) -> bool:
    """Return whether the interface requires the ID of the contact field in addition to the column."""
    return text_of(payload, "type") in COLUMN_RULE_TYPES


def is_custom(payload: Mapping[str, Any]) -> bool:
    """Return whether the rule is about a custom attribute."""
    return text_of(payload, "type") in CUSTOM_RULE_TYPES


def is_custom_array(payload: Mapping[str, Any]) -> bool:
    """Return whether the rule is about a custom attribute with several values."""
    return key_of_rule(payload) == CUSTOM_ARRAY_KEY


def name_of(key: str | None) -> str:
    """Return the interface's name of a column, which is not unique; "" for custom attributes and unknown keys."""
    column = _COLUMNS.get(key) if key else None
    return column.name if column is not None else ""


def is_pattern(key: str | None) -> bool:
    """Return whether the value of the column is a pattern of three elements."""
    return name_of(key) in PATTERN_COLUMNS


def operators_of(payload: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the operators that a rule may have, in the order of the list; none if its column is unknown."""
    if is_custom(payload):
        data_type = text_of(payload, "dataType") or ""
        return custom_operators(data_type) if data_type in CUSTOM_DATA_TYPES else ()
    key = key_of_rule(payload)
    if key is None:
        return ()
    operators = _COLUMNS[key].operators
    return ("E", "NE", "STARTWITH", "ENDWITH", "LIKE", "NLIKE") if operators == TEXT else operators


def first_operator(payload: Mapping[str, Any]) -> str | None:
    """Return the operator of a new rule over this column."""
    operators = operators_of(payload)
    for preferred in ("E", "IN", "BETWEEN", "NOTNULL") if not is_custom_array(payload) else LISTED:
        if preferred in operators:
            return preferred
    return operators[0] if operators else None


def operator_label(of: Mapping[str, Any] | str, operator: str | None) -> str:
    """Return the label of an operator, given the rule or the key of its column: "starts with", "is before"."""
    key = of if isinstance(of, str) else key_of_rule(of)
    data_type = data_type_of(of)
    if not operator:
        return "(no comparison given)"
    if is_pattern(key) and operator in _PATTERN_OPERATORS:
        return _PATTERN_OPERATORS[operator]
    if key in _ARRAYS and operator in LISTED:
        return _ARRAY_OPERATORS[operator]
    if key == CUSTOM_ARRAY_KEY and operator in LISTED:
        return _CUSTOM_ARRAY_OPERATORS[operator]
    known = _OPERATORS_BY_TYPE.get(data_type or "STRING", _TEXT_OPERATORS)
    return known.get(operator, f"“{operator}”")


def data_type_of(of: Mapping[str, Any] | str) -> str | None:
    """Return the data type of a column in the table, or else the data type in the rule."""
    key = of if isinstance(of, str) else key_of_rule(of)
    column = _COLUMNS.get(key) if key else None
    if column is not None:
        return column.data_type
    return None if isinstance(of, str) else text_of(of, "dataType")
