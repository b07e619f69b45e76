"""The contact filters of the demo organization: every type of rule, and some that older services stored."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from service.accounts.models import Caller
from service.contact_filters import repository
from service.contact_filters.models import Wrapper
from service.contact_filters.rules import accept
from service.epoch import to_ms

Rule = dict[str, Any]

_FIELD_IDS = {"firstName": 210, "lastName": 211, "externalId": 214, "country": 219, "recordTypeId": 222}
_SITE, _CLEARANCE, _LANGUAGES, _BADGE_EXPIRES = 4001, 4002, 4003, 4004


def ensure(connection: Connection, caller: Caller, today: date) -> None:
    """Store the initial filters of the demo."""
    midnight = datetime(today.year, today.month, today.day, tzinfo=UTC)
    days = [to_ms(midnight + timedelta(days=offset)) for offset in (-90, 0, 7)]
    for name, rules in _filters(*days):
        wrapper = accept(Wrapper.model_validate({"name": name, "contactFilterRules": rules}))
        repository.add(connection, caller, name, wrapper.documents)
    for name, rules in _KEPT_FROM_EARLIER_DAYS:
        repository.add(connection, caller, name, rules)


def _filters(past: int, today: int, in_a_week: int) -> list[tuple[str, list[Rule]]]:
    expected, at = "SYSTEM_EXPECTED_OBJECT", {"embedded": "address"}
    return [
        ("Everyone with an employee number", [_system("externalId", "STRING", "STARTWITH", "E1")]),
        ("External staff", [_system("externalId", "STRING", "LIKE", "@"), _system("recordTypeId", "NUMBER", "NE", 9)]),
        (
            "Test records in France",
            [_system("firstName", "STRING", "STARTWITH", "Test"), _system("country", "STRING", "E", "FR")],
        ),
        ("Changed in the last quarter", [_system("lastModifiedDate", "DATE", "BETWEEN", [past, today])]),
        ("Registered themselves", [_system("registedDate", "DATE", "GTE", past)]),
        ("Without an account", [_system("userId", "NUMBER", "ISNULL")]),
        ("With a street address", [_system("address.streetAddress", "BOOLEAN", "NOTNULL")]),
        (
            "First-aid and fire wardens",
            [{**_rule("SYSTEM_ARRAY", "groups", "NUMBER", "IN", [310, 311]), "contactFieldId": 250}],
        ),
        ("Interested in weather or traffic", [_system("topics", "NUMBER", "IN", [12, 14])]),
        ("Reached by company email", [_object("value", "STRING", "ENDWITH", "@example.com", "paths")]),
        ("Have a mobile phone on file", [_object("pathId", "NUMBER", "IN", [241901148045316], "paths")]),
        ("Live in Greater London", [_object("city", "STRING", "E", "London"), _object("country", "STRING", "E", "GB")]),
        (
            "North of the Alps",
            [_object("gisLocation.lat", "NUMBER", "GT", 47.5), _object("gislocation.lon", "NUMBER", "LTE", 17)],
        ),
        ("Addresses placed by hand", [_object("addressGeoCodingSource", "STRING", "NIN", ["AUTO"])]),
        ("Upper floors", [_object("floorNo", "STRING", "STARTWITH", "2", "lastKnownLocation")]),
        ("At the main building", [_object("locationId", "NUMBER", "E", 88_001, None)]),
        ("On the night shift", [_rule("SYSTEM_SCHEDULING", "shift", "NUMBER", "E", 7)]),
        ("On shift now", [_rule("SYSTEM_SCHEDULING", "shiftDate", "DATE", "BETWEEN", ["NOW", None, None])]),
        (
            "Expected in Singapore now",
            [
                _rule(expected, "expectedDate", "DATE", "BETWEEN", ["NOW", None, None]),
                _rule(expected, "country", "STRING", "E", "SG", **at),
            ],
        ),
        (
            "Expected at Heathrow this week",
            [
                _rule(expected, "expectedDate", "DATE", "BETWEEN", ["BETWEEN", today, in_a_week]),
                _rule(expected, "iata", "STRING", "E", "LHR", **at),
            ],
        ),
        ("Clearance of level 3 and up", [_attribute("CUSTOM", _CLEARANCE, "NUMBER", "GTE", "3")]),
        ("Work at Site B", [_attribute("CUSTOM", _SITE, "STRING", "E", "Site B")]),
        ("Badge ends this year", [_attribute("CUSTOM", _BADGE_EXPIRES, "DATE", "LT", str(in_a_week))]),
        ("Speak German or Dutch", [_attribute("CUSTOM_ARRAY", _LANGUAGES, "STRING", "IN", "German", "Dutch")]),
    ]


# Services still have such rules, although they could not be stored today. The dashboard must show them.
_KEPT_FROM_EARLIER_DAYS: list[tuple[str, list[Rule]]] = [
    (
        "Have an address on the map (2014)",
        [
            {
                "contactFieldId": 231,
                "columnName": "address.gisLocation.lon",
                "type": "SYSTEM",
                "dataType": "NUMBER",
                "operator": "NOTNULL",
                "contactFilterOption": "NOTNULL",
            }
        ],
    ),
    (
        "Old import: Boston office",
        [
            {
                "contactFieldId": 219,
                "columnName": "city",
                "columnValue": "Boston",
                "type": "SYSTEM_OBJECT",
                "dataType": "STRING",
                "contactFilterOption": "E",
            }
        ],
    ),
    (
        "Old import: names that differ",
        [
            {
                "contactFieldId": 211,
                "columnName": "lastName",
                "columnValue": "Sm",
                "type": "SYSTEM",
                "dataType": "STRING",
                "operator": "STARTWITH",
                "contactFilterOption": "LIKE",
            }
        ],
    ),
    (
        "Old import: cost centers",
        [
            {
                "attributeId": 4010,
                "attributeValues": [4711, 4712, "4713"],
                "type": "CUSTOM_ARRAY",
                "dataType": "NUMBER",
                "operator": "IN",
                "contactFilterOption": "IN",
            }
        ],
    ),
]


def _rule(
    kind: str, column: str, data_type: str, operator: str, value: Any = None, embedded: str | None = None
) -> Rule:
    rule: Rule = {"type": kind, "columnName": column, "dataType": data_type, "operator": operator}
    if value is not None:
        rule["columnValue"] = value
    if embedded is not None:
        rule["embeddedColumnName"] = embedded
    return rule


def _system(column: str, data_type: str, operator: str, value: Any = None) -> Rule:
    return {**_rule("SYSTEM", column, data_type, operator, value), "contactFieldId": _FIELD_IDS.get(column, 230)}


def _object(column: str, data_type: str, operator: str, value: Any, embedded: str | None = "address") -> Rule:
    return {**_rule("SYSTEM_OBJECT", column, data_type, operator, value, embedded), "contactFieldId": 240}


def _attribute(kind: str, attribute_id: int, data_type: str, operator: str, *values: str) -> Rule:
    return {
        "type": kind,
        "attributeId": attribute_id,
        "dataType": data_type,
        "operator": operator,
        "attributeValues": list(values),
    }
