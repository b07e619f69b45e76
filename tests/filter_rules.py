"""Hypothesis strategies for contact filter rules that the interface's column table allows or forbids.

Written from the table and not from the client's check, so that they test both the check and the service.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from client.vocabulary.contact_filters import COLUMNS, CUSTOM_OPERATORS, FilterColumn

OPERATORS = sorted({operator for column in COLUMNS for operator in column.operators} | {"LIKE", "GT"})
PATTERNED = ("expectedDate", "shiftDate")
NEEDS_FIELD_ID = ("SYSTEM", "SYSTEM_OBJECT", "SYSTEM_ARRAY")

ids = st.integers(1, 2**63 - 1)
moments = st.integers(1, 4_102_444_800_000)
texts = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x24F, exclude_categories=["Cc"]), min_size=1, max_size=20
).filter(lambda text: text.strip() == text)
numbers = st.one_of(st.integers(-(2**53), 2**53), st.floats(-1e9, 1e9, allow_nan=False))


def _scalars(data_type: str) -> st.SearchStrategy[Any]:
    return {"STRING": texts, "NUMBER": numbers, "DATE": moments, "BOOLEAN": st.booleans()}[data_type]


@st.composite
def _spans(draw: st.DrawFn) -> list[int]:
    return sorted([draw(moments), draw(moments)])


def values_for(column: FilterColumn, operator: str) -> st.SearchStrategy[Any]:
    """Return a strategy for the values that the table allows for a column with an operator."""
    if operator in ("ISNULL", "NOTNULL"):
        return st.none()
    if column.name in PATTERNED:
        return st.one_of(st.just(["NOW", None, None]), _spans().map(lambda span: ["BETWEEN", *span]))
    if operator == "BETWEEN":
        return _spans()
    if operator in ("IN", "NIN"):
        return st.lists(_scalars(column.data_type), min_size=1, max_size=4)
    return _scalars(column.data_type)


@st.composite
def allowed_column_rules(draw: st.DrawFn, columns: tuple[FilterColumn, ...] = COLUMNS) -> dict[str, Any]:
    """Draw a rule over a column of the table, as a payload."""
    column = draw(st.sampled_from(columns))
    operator = draw(st.sampled_from(column.operators))
    rule: dict[str, Any] = {
        "columnName": column.name,
        "type": column.rule_type,
        "dataType": column.data_type,
        "operator": operator,
        "contactFilterOption": operator,
    }
    if column.rule_type in NEEDS_FIELD_ID or draw(st.booleans()):
        rule["contactFieldId"] = draw(ids)
    if column.embedded is not None:
        rule["embeddedColumnName"] = column.embedded
    value = draw(values_for(column, operator))
    if value is not None:
        rule["columnValue"] = value
    return rule


@st.composite
def allowed_custom_rules(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a rule over an attribute, as a payload."""
    data_type = draw(st.sampled_from(sorted(CUSTOM_OPERATORS)))
    operator = draw(st.sampled_from([one for one in CUSTOM_OPERATORS[data_type] if one != "BETWEEN"]))
    return {
        "type": draw(st.sampled_from(["CUSTOM", "CUSTOM_ARRAY"])),
        "dataType": data_type,
        "attributeId": draw(ids),
        "attributeValues": draw(st.lists(texts, min_size=1, max_size=4)),
        "operator": operator,
        "contactFilterOption": operator,
    }


allowed_rules = st.one_of(allowed_column_rules(), allowed_column_rules(), allowed_custom_rules())
names = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x24F, exclude_categories=["Cc"]), min_size=1, max_size=100
).filter(lambda name: name.strip() == name)
allowed_filters = st.builds(
    lambda name, rules: {"name": name, "contactFilterRules": rules},
    names,
    st.lists(allowed_rules, min_size=1, max_size=4),
)


def _find_column(rule: dict[str, Any]) -> FilterColumn:
    return next(
        column
        for column in COLUMNS
        if (column.name, column.rule_type, column.embedded)
        == (rule["columnName"], rule["type"], rule.get("embeddedColumnName"))
    )


def _wrong_shape(column: FilterColumn, operator: str) -> list[Any]:
    """Return a strategy for values of a form or type that the table does not allow."""
    if operator in ("ISNULL", "NOTNULL"):
        return []
    if column.name in PATTERNED:
        return [
            1, "NOW", [], ["NOW"], ["NOW", None], ["NOW", 1, 2], ["BETWEEN", 1], ["BETWEEN", None, None],
            ["BETWEEN", 1, None], ["BETWEEN", "a", "b"], ["LATER", 1, 2], [1, 2], ["BETWEEN", 1, 2, 3], None,
        ]  # fmt: skip
    wrong = {"STRING": True, "NUMBER": "seven", "DATE": "tomorrow", "BOOLEAN": "perhaps"}[column.data_type]
    right = {"STRING": "a", "NUMBER": 7, "DATE": 7, "BOOLEAN": True}[column.data_type]
    if operator in ("IN", "NIN"):
        return [right, [], [wrong], [right, wrong], {"a": right}, None]
    if operator == "BETWEEN":
        return [right, [], [right], [right, right, right], [wrong, wrong], None]
    return [wrong, [right], {"a": right}, None]


@st.composite
def forbidden_rules(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a rule with exactly one error."""
    rule = draw(allowed_column_rules())
    column = _find_column(rule)
    breaches = ["column", "type", "data type", "operator", "option", "no operator", "no type"]
    if column.rule_type in NEEDS_FIELD_ID:
        breaches += ["no field id", "field id"]
    if column.embedded is not None:
        breaches.append("embedded")
    shapes = _wrong_shape(column, rule["operator"])
    if shapes:
        breaches += ["value", "value"]
    match draw(st.sampled_from(breaches)):
        case "column":
            rule["columnName"] = draw(st.sampled_from(["shoeSize", "FirstName", "gisLocation.lon", ""]))
        case "type":
            others = {one.rule_type for one in COLUMNS} - {one.rule_type for one in COLUMNS if one.name == column.name}
            rule["type"] = draw(st.sampled_from([*sorted(others), "SYSTEMS", "system"]))
            if rule["type"] == column.rule_type:
                rule["type"] = "SYSTEMS"
        case "data type":
            others = {"STRING", "NUMBER", "DATE", "BOOLEAN"} - {column.data_type}
            rule["dataType"] = draw(st.sampled_from([*sorted(others), "TEXT"]))
        case "operator":
            others = set(OPERATORS) - set(column.operators)
            rule["operator"] = rule["contactFilterOption"] = draw(st.sampled_from([*sorted(others), "EQ"]))
        case "option":
            rule["contactFilterOption"] = "EQ"
        case "no operator":
            del rule["operator"], rule["contactFilterOption"]
        case "no type":
            del rule["type"]
        case "no field id":
            del rule["contactFieldId"]
        case "field id":
            rule["contactFieldId"] = draw(st.sampled_from([0, -1, 2**63]))
        case "embedded":
            rule["embeddedColumnName"] = draw(st.sampled_from(["path", "home", "lastKnownLocations"]))
        case "value":
            value = draw(st.sampled_from(shapes))
            rule.pop("columnValue", None)
            if value is not None:
                rule["columnValue"] = value
    return rule


@st.composite
def forbidden_custom_rules(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a rule over an attribute with exactly one error."""
    rule = draw(allowed_custom_rules())
    match draw(st.sampled_from(["no id", "no values", "empty", "blank", "operator", "data type"])):
        case "no id":
            del rule["attributeId"]
        case "no values":
            del rule["attributeValues"]
        case "empty":
            rule["attributeValues"] = []
        case "blank":
            rule["attributeValues"] = [""]
        case "operator":
            rule["operator"] = rule["contactFilterOption"] = "EQ"
        case "data type":
            rule["dataType"] = "TEXT"
    return rule


forbidden_filters = st.one_of(
    st.builds(
        lambda name, before, rule, after: {"name": name, "contactFilterRules": [*before, rule, *after]},
        names,
        st.lists(allowed_rules, max_size=2),
        st.one_of(forbidden_rules(), forbidden_rules(), forbidden_custom_rules()),
        st.lists(allowed_rules, max_size=2),
    ),
    st.builds(
        lambda name, rules: {"name": name, "contactFilterRules": rules},
        st.sampled_from(["", "   ", "x" * 101]),
        st.lists(allowed_rules, min_size=1, max_size=2),
    ),
    st.builds(lambda name: {"name": name, "contactFilterRules": []}, names),
)
