"""Stored filters that are no longer valid, with the problem of each."""

from __future__ import annotations

import json
from typing import Any

from domain.filters.filter_draft import FilterDraft, drop_id

Record = dict[str, Any]


def _stored_filter(**rule: Any) -> Record:
    return {"id": 5, "name": "Old", "contactFilterRules": [{"id": 77, **rule}]}


ODD_FILTERS: dict[str, tuple[Record, list[str]]] = {
    "is set without a value": (
        _stored_filter(
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
        _stored_filter(
            contactFieldId=219,
            columnName="city",
            columnValue="Boston",
            type="SYSTEM_OBJECT",
            dataType="STRING",
            contactFilterOption="E",
        ),
        [
            "“city” is not a column of this type. Select City · address or City · expected location.",
            "Select a comparison. The option of the rule is “is”.",
        ],
    ),
    "operator and option differ": (
        _stored_filter(
            contactFieldId=211,
            columnName="lastName",
            columnValue="Sm",
            type="SYSTEM",
            dataType="STRING",
            operator="STARTWITH",
            contactFilterOption="LIKE",
        ),
        ["The rule has two comparisons, “starts with” and “contains”. Select one."],
    ),
    "numbers among attribute values": (
        _stored_filter(
            attributeId=4010,
            attributeValues=[4711, 4712, "4713"],
            type="CUSTOM_ARRAY",
            dataType="NUMBER",
            operator="IN",
            contactFilterOption="IN",
        ),
        ["Each value must be text that is not blank. Enter the values again."],
    ),
    "nothing is as it should be": (
        _stored_filter(columnName="shoeSize", columnValue={"eu": [43.0]}, type="SHOES", operator="FITS", since=2014),
        ["“shoeSize” is not a column that a filter can use. Select another column."],
    ),
    "an operator the column does not have": (
        _stored_filter(
            contactFieldId=1, columnName="suffix", columnValue="x", type="SYSTEM", dataType="STRING", operator="GT"
        ),
        ["The column has no comparison “comes after”. Select another comparison."],
    ),
    "no value, no id, no data type": (
        _stored_filter(columnName="suffix", type="SYSTEM", operator="E", contactFilterOption="E"),
        [
            "Enter the ID of the contact field.",
            "The data type of the rule differs from that of the column. Select the column again.",
            "Enter the text to compare with.",
        ],
    ),
    "an attribute without anything": (
        _stored_filter(type="CUSTOM", operator="E"),
        [
            "Enter the ID of the attribute.",
            "Enter at least one value to search for.",
            "Select the data type of the attribute.",
        ],
    ),
    "an empty rule": (
        {"id": 5, "name": "Old", "contactFilterRules": [{}]},
        ["Select a column."],
    ),
}


def same_content(one: FilterDraft, other: FilterDraft) -> bool:
    """Return whether both would send the same name and rules and have the same unreadable input."""
    contents = [
        [draft.name.strip(), *([drop_id(r.payload), r.typed] for r in draft.active_rules)] for draft in (one, other)
    ]
    return json.dumps(contents[0], sort_keys=True) == json.dumps(contents[1], sort_keys=True)
