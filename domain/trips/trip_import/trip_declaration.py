"""The declaration of the import of trips: columns, rules, and sending."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.saved_matches import load_profiles
from domain.trips.known_trip import IMPORT
from domain.trips.trip_import.trip_columns import COLUMNS, SEGMENT, TRAVELER
from domain.trips.trip_import.trip_json import read_trips
from domain.trips.trip_import.trip_rows import build_trips
from domain.trips.trip_import.trip_rules import trip_rules
from domain.trips.trip_import.trip_sending import declare_sending

TRIPS: Final = ImportDeclaration(
    kind=IMPORT,
    noun=("trip", "trips"),
    columns=COLUMNS,
    groups=(TRAVELER, SEGMENT),
    group_by="pnr",
    one_of=("travelerName", "employeeId", "firstName", "lastName", "email", "contactId"),
    rules=(trip_rules,),
    custom_reader=read_trips,
    profiles=load_profiles(Path(__file__).with_name("file_profiles.toml")),
    sending=declare_sending(build_trips),
    help="One row per segment or per trip, with the record locator, travelers, places, and times.",
    placeholder="Record locator;Traveler;Flight;From;To;Departs;Arrives\n"
    "WSVM7K;SILVA/ANA MRS;EY301;AUH;KWI;20 Mar 2026 08:25;20 Mar 2026 09:15",
)


def declare_trips(known_employee_ids: Collection[str]) -> ImportDeclaration:
    """Return the declaration for known contacts. Trips of only these employee IDs create no contacts."""
    return _declare_trips(frozenset(known_employee_ids))


@lru_cache(maxsize=16)
def _declare_trips(known_employee_ids: frozenset[str]) -> ImportDeclaration:
    rules = (partial(trip_rules, known_employee_ids=known_employee_ids),)
    return replace(
        TRIPS, rules=rules, sending=declare_sending(partial(build_trips, known_employee_ids=known_employee_ids))
    )
