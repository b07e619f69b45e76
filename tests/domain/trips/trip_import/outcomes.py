"""The result of a trip file in a few readable lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from domain.file_import.check_notes import cell_notes, count_warnings, describe_date_order
from domain.file_import.checking import Check
from domain.trips.trip_import.trip_declaration import TRIPS
from domain.trips.trip_import.trip_rules import trip_rules

TODAY = date(2026, 3, 1)
"""The day before most trips of the example files."""


def check_of(text: str | bytes, name: str = "trips.csv", *, today: date = TODAY) -> Check:
    return Check.of(replace(TRIPS, rules=(partial(trip_rules, today=today),)), name, text)


def format_outcome(check: Check) -> str:
    return "\n".join([*_source_lines(check), *_message_lines(check), *_trip_lines(check)]) + "\n"


def _source_lines(check: Check) -> Iterator[str]:
    yield f"{check.source.rows} rows, {int(check.is_ready.sum())} ready, {check.options.date_order}"
    yield from (f"missing: {column.label}" for column in check.missing)
    yield from (f"not read: {header}" for header in check.unmatched_headings)
    yield from (f"note: {note}" for note in check.source.notes)
    yield from (f"row {each.row}: {each.message}" for each in check.source.problems.listed)
    yield from (f"date order: {warning}" for warning in [describe_date_order(check)] if warning)
    yield from (f"summary: {summary}" for summary in count_warnings(check))
    if check.options.carries:
        yield "empty cells are carried down"


def _message_lines(check: Check) -> Iterator[str]:
    for row in range(check.source.rows):
        for column, messages in check.cell_messages(row).items():
            for words, is_error in messages:
                yield f"row {check.source.row_number(row)} {'error' if is_error else 'warning'} {column}: {words}"
        for column, notes in cell_notes(check, row).items():
            yield from (f"row {check.source.row_number(row)} note {column}: {note}" for note in notes)


def _trip_lines(check: Check) -> Iterator[str]:
    for each in check.outgoing():
        trip = each.payload
        fields = {key: value for key, value in trip.items() if key not in ("pnr", "segments", "passengers")}
        yield f"{trip['pnr']} {each.batch_group}" + "".join(
            f" {key}={_format_value(value)}" for key, value in fields.items()
        )
        for segment in trip["segments"]:
            yield f"  {segment['type']} {_format_end(segment, 'from')} -> {_format_end(segment, 'to')}" + "".join(
                f" {key}={segment[key]}" for key in ("supplierCode", "supplierName", "airRailNumber") if key in segment
            )
        for person in trip["passengers"]:
            yield "  " + " ".join(f"{key}={_format_value(value)}" for key, value in person.items())


def _format_end(segment: Mapping[str, Any], side: str) -> str:
    parts = [segment.get(f"{side}IataCode"), _format_value(segment.get(f"{side}Address"))]
    parts += [segment.get(f"{side}DateTimeLocal"), segment.get(f"{side}TimeZone"), segment.get(f"{side}DateTime")]
    return " ".join(part for part in parts if part)


def _format_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + " ".join(f"{key}={_format_value(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return ",".join(map(_format_value, value))
    return "" if value is None else str(value)
