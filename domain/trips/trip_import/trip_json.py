"""Read itineraries in the interface's JSON as rows, each with one segment and one traveler."""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import Any, Final

from client.json_text import parse_json
from domain.file_import.delimited import Table, Unreadable
from domain.text.plain_text import names
from domain.trips.trip_import.file_segments import WIRE_ADDRESS
from domain.trips.trip_import.trip_columns import international

_MARKS: Final = frozenset({"pnr", "segments", "passengers"})
EXAMPLE: Final = (
    '{"pnr": "WSVM7K", "segments": [{"type": "Air", "fromIataCode": "AUH", "toIataCode": "KWI", "fromDateTimeLocal": '
    '"2026-03-20T08:25:00", "toDateTimeLocal": "2026-03-20T09:15:00"}], "passengers": [{"employeeId": "E1", '
    '"firstName": "Ana", "lastName": "Silva"}]}'
)
_EXPECTED: Final = (
    f"Use an itinerary or a list of itineraries, such as {EXAMPLE}, or a list of flat records, one per segment, with "
    "the names of columns."
)
_TIMES: Final = {"fromDateTimeLocal": "fromDate", "toDateTimeLocal": "toDate"}


def read_trips(text: str) -> Table | None:
    """Return the rows of itineraries in JSON, numbered by itinerary from 1, or None for another text.

    Raises Unreadable if the JSON has no trips and is not a list of flat records.
    """
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        found = parse_json(text, parse_constant=str)
    except ValueError:
        return None
    if isinstance(found, dict) and not _MARKS & set(found):
        found = next((each for each in found.values() if isinstance(each, list) and each), found)
    trips = found if isinstance(found, list) else [found]
    if not any(trips):
        raise Unreadable(f"The JSON has no trips. {_EXPECTED}")
    if not all(isinstance(trip, dict) and _MARKS & set(trip) for trip in trips):
        if all(map(_is_flat, trips)):
            return None
        raise Unreadable(f"The JSON isn’t a list of itineraries. {_describe_other_record(trips)} {_EXPECTED}")
    table, rows = Table("", [[]], [0]), []
    for number, trip in enumerate(trips, start=1):
        for row in _rows(trip):
            rows.append(row)
            table.numbers.append(number)
    headings = list(dict.fromkeys(name for row in rows for name in row))
    table.rows[0] = headings
    table.rows.extend([row.get(name, "") for name in headings] for row in rows)
    return table


def _is_flat(record: Any) -> bool:
    """Return whether a record has only plain values, like the row of a table."""
    return isinstance(record, dict) and not any(isinstance(value, dict | list) for value in record.values())


def _describe_other_record(trips: list[Any]) -> str:
    number, other = next(
        (number, each)
        for number, each in enumerate(trips, start=1)
        if not (isinstance(each, dict) and _MARKS & set(each))
    )
    if not isinstance(other, dict):
        return f"Record {number:,} isn’t an object."
    if not other:
        return f"Record {number:,} is empty."
    return f"Record {number:,} has only {names([f'“{name}”' for name in other], at_most=6)}."


def _rows(trip: dict[str, Any]) -> list[dict[str, str]]:
    parts = ("segments", "passengers", "travelArranger")
    shared = {key: _text(value) for key, value in trip.items() if key not in parts}
    arranger = trip.get("travelArranger")
    if isinstance(arranger, dict):
        cells = _person(arranger)
        texts = {"arrangerName": f"{cells.get('lastName', '')}, {cells.get('firstName', '')}".strip(", ")}
        texts |= {"arrangerEmployeeId": cells.get("employeeId", ""), "arrangerEmail": cells.get("email", "")}
        shared |= {name: text for name, text in texts.items() if text}
    segments = [_segment(each) for each in _objects(trip.get("segments"))]
    people = [_person(each) for each in _objects(trip.get("passengers"))]
    rows = [{**shared, **(segment or {}), **(person or {})} for segment, person in zip_longest(segments, people)]
    return [{name: text for name, text in row.items() if text} for row in rows or [shared]]


def _segment(segment: dict[str, Any]) -> dict[str, str]:
    cells: dict[str, str] = {}
    for key, value in segment.items():
        side = next((side for side in ("from", "to") if key == f"{side}Address"), None)
        if side is not None and isinstance(value, dict):
            columns = {field: f"{side}{name}" for name, field in WIRE_ADDRESS.items()}
            cells |= {columns.get(name, f"{key}.{name}"): _text(each) for name, each in value.items()}
        else:
            cells[_TIMES.get(key, key)] = _text(value)
    return cells


def _person(person: dict[str, Any]) -> dict[str, str]:
    cells = {key: _text(value) for key, value in person.items() if key not in ("emailAddresses", "phoneNumbers")}
    emails = person.get("emailAddresses")
    cells["email"] = " | ".join(map(_text, emails)) if isinstance(emails, list) else _text(emails)
    cells["phone"] = " | ".join(_phone(each) for each in _objects(person.get("phoneNumbers")))
    return cells


def _phone(phone: dict[str, Any]) -> str:
    number, country = _text(phone.get("phoneNumber")), _text(phone.get("countryName"))
    found = international(number, country)
    return found[0] if found else number


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
