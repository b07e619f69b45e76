"""The column table of contact filters: every column with its data type, rule type, and operators.

Interface: Contact filter, Filter columns. A column is identified by name, rule type, and embedded column together:
three columns are named `country`.
"""

from dataclasses import dataclass
from typing import Final, Literal

DataType = Literal["STRING", "NUMBER", "DATE", "BOOLEAN"]
RuleType = Literal[
    "SYSTEM", "CUSTOM", "SYSTEM_OBJECT", "SYSTEM_ARRAY", "CUSTOM_ARRAY", "SYSTEM_SCHEDULING", "SYSTEM_EXPECTED_OBJECT"
]

FILTER_TYPE: Final = "ContactRule"
NAME_LENGTH: Final = 100

TEXT: Final = ("STARTWITH", "ENDWITH", "E", "NE", "LIKE", "NLIKE")
COMPARED: Final = ("E", "NE", "LT", "LTE", "GT", "GTE")
DATED: Final = ("BETWEEN", "LT", "LTE", "GT", "GTE")
LISTED: Final = ("IN", "NIN")
SET_OR_NOT: Final = ("ISNULL", "NOTNULL")


@dataclass(frozen=True, slots=True)
class FilterColumn:
    """A row of the column table, for one name."""

    name: str
    data_type: DataType
    rule_type: RuleType
    operators: tuple[str, ...]
    embedded: str | None = None


def _columns(
    names: str, data_type: DataType, rule_type: RuleType, operators: tuple[str, ...], embedded: str | None = None
) -> tuple[FilterColumn, ...]:
    return tuple(FilterColumn(name, data_type, rule_type, operators, embedded) for name in names.split())


COLUMNS: Final[tuple[FilterColumn, ...]] = (
    *_columns(
        "firstName lastName middleInitial suffix externalId country lastModifiedName registedEmail ssoIdentity",
        "STRING",
        "SYSTEM",
        TEXT,
    ),
    *_columns("recordTypeId", "NUMBER", "SYSTEM", COMPARED),
    *_columns("userId individualAccountId smUserId", "NUMBER", "SYSTEM", SET_OR_NOT),
    *_columns("lastModifiedDate registedDate createdDate", "DATE", "SYSTEM", DATED),
    *_columns("groups", "NUMBER", "SYSTEM_ARRAY", LISTED),
    *_columns("topics", "NUMBER", "SYSTEM", LISTED),
    *_columns("value", "STRING", "SYSTEM_OBJECT", TEXT, "paths"),
    *_columns("systemRequirement", "STRING", "SYSTEM_OBJECT", TEXT, "paths"),
    *_columns("pathId", "NUMBER", "SYSTEM_OBJECT", LISTED, "paths"),
    *_columns(
        "locationName streetAddress suite city state postalCode country floorNo",
        "STRING",
        "SYSTEM_OBJECT",
        TEXT,
        "address",
    ),
    *_columns("floorNo", "STRING", "SYSTEM_OBJECT", TEXT, "lastKnownLocation"),
    *_columns("addressGeoCodingSource", "STRING", "SYSTEM_OBJECT", LISTED, "address"),
    *_columns("locationId", "NUMBER", "SYSTEM_OBJECT", COMPARED),
    *_columns("gisLocation.lat gislocation.lon", "NUMBER", "SYSTEM_OBJECT", COMPARED, "address"),
    *_columns("address.gisLocation.lon", "NUMBER", "SYSTEM", SET_OR_NOT),
    *_columns("address.streetAddress", "BOOLEAN", "SYSTEM", SET_OR_NOT),
    *_columns("calendar shift", "NUMBER", "SYSTEM_SCHEDULING", ("E",)),
    *_columns("shiftDate", "DATE", "SYSTEM_SCHEDULING", ("BETWEEN",)),
    *_columns("expectedDate", "DATE", "SYSTEM_EXPECTED_OBJECT", DATED),
    *_columns("locationName city state country iata", "STRING", "SYSTEM_EXPECTED_OBJECT", TEXT, "address"),
    *_columns("locationId", "STRING", "SYSTEM_EXPECTED_OBJECT", COMPARED, "address"),
)

CUSTOM_OPERATORS: Final[dict[DataType, tuple[str, ...]]] = {
    "STRING": ("STARTWITH", "ENDWITH", "E", "NE", "LIKE", "NLIKE", "GT", "LT", "GTE", "LTE"),
    "NUMBER": ("E", "NE", "GT", "LT", "GTE", "LTE"),
    "DATE": ("E", "LT", "LTE", "GT", "GTE", "BETWEEN"),
}
"""The operators by data type. They apply to custom attributes, which are in no table."""
SINGLE_SELECT_OPERATORS: Final = ("E", "NE")
MULTIPLE_CHOICE_OPERATORS: Final = LISTED

LIST_VALUED: Final = frozenset({"IN", "NIN", "BETWEEN"})
"""Operators whose value is a list."""
VALUELESS: Final = frozenset(SET_OR_NOT)
"""Operators without a value."""
PATTERN_COLUMNS: Final = frozenset({"expectedDate", "shiftDate"})
"""Columns whose value has three elements: ["NOW", null, null] or ["BETWEEN", from, to]."""
PATTERN_NOW: Final = "NOW"
PATTERN_BETWEEN: Final = "BETWEEN"

CUSTOM_RULE_TYPES: Final = frozenset({"CUSTOM", "CUSTOM_ARRAY"})
"""Rule types that name an attribute by ID and carry `attributeValues`."""
COLUMN_RULE_TYPES: Final = frozenset({"SYSTEM", "SYSTEM_OBJECT", "SYSTEM_ARRAY"})
"""Rule types for which the interface requires `contactFieldId`, `columnName`, and `columnValue`."""
