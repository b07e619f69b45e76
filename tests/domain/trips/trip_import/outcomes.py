"""The result of a trip file in a few readable lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from domain.file_import.checking import Check
from domain.trips.trip_import.trip_declaration import TRIPS


def check_of(text: str | bytes, name: str = "trips.csv") -> Check:
    return Check.of(TRIPS, name, text)


def outcome(check: Check) -> str:
    return "\n".join([*_read(check), *_said(check), *_trips(check)]) + "\n"


def _read(check: Check) -> Iterator[str]:
    yield f"{check.source.rows} rows, {int(check.is_ready.sum())} ready, {check.options.date_order}"
    yield from (f"missing: {column.label}" for column in check.missing)
    yield from (f"not read: {header}" for header in check.unmatched_headings)
    yield from (f"told: {note}" for note in check.source.notes)
    yield from (f"row {each.row}: {each.message}" for each in check.source.problems.listed)
    if check.options.carries:
        yield "empty cells are carried down"


def _said(check: Check) -> Iterator[str]:
    for row in range(check.source.rows):
        for column, said in check.cell_messages(row).items():
            for words, is_error in said:
                yield f"row {check.source.row_number(row)} {'error' if is_error else 'warning'} {column}: {words}"


def _trips(check: Check) -> Iterator[str]:
    for each in check.outgoing():
        trip = each.payload
        of_trip = {key: value for key, value in trip.items() if key not in ("pnr", "segments", "passengers")}
        yield f"{trip['pnr']} {each.batch_group}" + "".join(f" {key}={_plain(value)}" for key, value in of_trip.items())
        for segment in trip["segments"]:
            yield f"  {segment['type']} {_end(segment, 'from')} -> {_end(segment, 'to')}" + "".join(
                f" {key}={segment[key]}" for key in ("supplierCode", "supplierName", "airRailNumber") if key in segment
            )
        for person in trip["passengers"]:
            yield "  " + " ".join(f"{key}={_plain(value)}" for key, value in person.items())


def _end(segment: Mapping[str, Any], side: str) -> str:
    parts = [segment.get(f"{side}IataCode"), _plain(segment.get(f"{side}Address"))]
    parts += [segment.get(f"{side}DateTimeLocal"), segment.get(f"{side}TimeZone"), segment.get(f"{side}DateTime")]
    return " ".join(part for part in parts if part)


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + " ".join(f"{key}={_plain(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return ",".join(map(_plain, value))
    return "" if value is None else str(value)
