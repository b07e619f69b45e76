"""Trips taken in from files, the declaration: what is looked for, which rules hold, and what is sent of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import Final

from components.intake.checking import Intake
from components.trip_import.trip_columns import COLUMNS, SEGMENT, TRAVELLER
from components.trip_import.trip_json import trips_in
from components.trip_import.trip_rows import items
from components.trip_import.trip_rules import trip_rules
from components.trip_import.trip_sending import trips_sent
from components.trips.known_trip import IMPORT

TRIPS: Final = Intake(
    kind=IMPORT,
    noun=("trip", "trips"),
    columns=COLUMNS,
    groups=(TRAVELLER, SEGMENT),
    together="pnr",
    rules=(trip_rules,),
    own=trips_in,
    sending=trips_sent(items),
    help="A row a segment, or a row a trip: record locator, who travels, from where to where, and when.",
    placeholder="Record locator;Traveller;Flight;From;To;Departs;Arrives\n"
    "WSVM7K;SILVA/ANA MRS;EY301;AUH;KWI;20 Mar 2026 08:25;20 Mar 2026 09:15",
)


def trips_with(known: Collection[str]) -> Intake:
    """The same where these employee ids are known to have a contact: trips of theirs alone need none to be created."""
    return replace(TRIPS, sending=trips_sent(partial(items, known=known)))
