"""Stored filters as services keep them although nobody could save them today, with what is odd about each."""

from __future__ import annotations

from typing import Any

Record = dict[str, Any]


def _stored(**rule: Any) -> Record:
    return {"id": 5, "name": "Old", "contactFilterRules": [{"id": 77, **rule}]}


EARLIER_DAYS: dict[str, tuple[Record, list[str]]] = {
    "is set without a value": (
        _stored(
            contactFieldId=231,
            columnName="address.gisLocation.lon",
            type="SYSTEM",
            dataType="NUMBER",
            operator="NOTNULL",
            contactFilterOption="NOTNULL",
        ),
        [],
    ),
    "no operator, column not as the table has it": (
        _stored(
            contactFieldId=219,
            columnName="city",
            columnValue="Boston",
            type="SYSTEM_OBJECT",
            dataType="STRING",
            contactFilterOption="E",
        ),
        [
            "No column “city” goes with what else it says. There are City · address and City · expected location.",
            "It does not say how to compare. Its option says “is”.",
        ],
    ),
    "operator and option differ": (
        _stored(
            contactFieldId=211,
            columnName="lastName",
            columnValue="Sm",
            type="SYSTEM",
            dataType="STRING",
            operator="STARTWITH",
            contactFilterOption="LIKE",
        ),
        ["It says two things: “starts with” as operator and “contains” as option."],
    ),
    "numbers among attribute values": (
        _stored(
            attributeId=4010,
            attributeValues=[4711, 4712, "4713"],
            type="CUSTOM_ARRAY",
            dataType="NUMBER",
            operator="IN",
            contactFilterOption="IN",
        ),
        ["Some of its values are not texts, as values of attributes have to be."],
    ),
    "nothing is as it should be": (
        _stored(columnName="shoeSize", columnValue={"eu": [43.0]}, type="SHOES", operator="FITS", since=2014),
        ["The column “shoeSize” is not one that filters can use."],
    ),
    "an operator the column does not have": (
        _stored(
            contactFieldId=1, columnName="suffix", columnValue="x", type="SYSTEM", dataType="STRING", operator="GT"
        ),
        ["This column cannot be compared by “comes after”."],
    ),
    "no value, no id, no data type": (
        _stored(columnName="suffix", type="SYSTEM", operator="E", contactFilterOption="E"),
        [
            "It does not say what kind of value it holds; the column holds text.",
            "It has no value to compare with.",
            "It lacks the id of the contact field.",
        ],
    ),
    "an attribute without anything": (
        _stored(type="CUSTOM", operator="E"),
        [
            "It does not say whether the attribute holds texts, numbers or dates.",
            "It has no values to look for.",
            "It does not say which attribute.",
        ],
    ),
    "an empty rule": (
        {"id": 5, "name": "Old", "contactFilterRules": [{}]},
        ["It names no column.", "It does not say how to compare."],
    ),
}
