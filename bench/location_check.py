"""Checking a file of 100,000 dynamic locations, against the csv module and pydantic alone.

Both read the same bytes. Ours finds the problem of each cell, expired rows, repeated people, coordinates swapped by
their country, and unknown IDs, and keeps the rows to show, correct, and send. Pydantic validates a model of the row and
returns the invalid rows. Two more things are measured: what a run of the screen computes besides (the marks of the map,
the zone, the confirmations, a page of the table), and what follows the correction of a cell.
"""

import csv
import io
import os
import random
import statistics
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from bench.file_check import time_call
from domain.file_import.checking import Check
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.row_marks import find_marks
from domain.preparedness.dynamic_locations.location_rows import KnownIds
from domain.preparedness.dynamic_locations.location_upload import build_intake

ROWS = 100_000
ROUNDS = 5
SECONDS = 2.0
SECONDS_A_RUN = 0.5
CITIES = [(47.38, 8.54, "CH"), (40.71, -74.0, "US"), (1.35, 103.82, "SG"), (-33.87, 151.21, "AU"), (51.5, -0.12, "GB")]
HEADINGS = ("externalId", "arriveDate", "expireDate", "lat", "lon", "country", "source", "floorNo")

OrNone = BeforeValidator(lambda text: text or None)


class Location(BaseModel):
    """A row as pydantic reads it."""

    externalId: str = Field(min_length=1, max_length=255)  # noqa: N815 (the heading)
    arriveDate: Annotated[datetime | None, OrNone]  # noqa: N815
    expireDate: datetime  # noqa: N815
    lat: Annotated[float | None, Field(ge=-90, le=90), OrNone]
    lon: Annotated[float | None, Field(ge=-180, le=180), OrNone]
    country: str
    source: str = Field(max_length=255)
    floorNo: str  # noqa: N815


def run() -> bool:
    """Measure, print the table, and return whether the targets are met."""
    content = locations_csv()
    people = {f"E{number}": f"Person {number}" for number in range(ROWS)}
    declaration = build_intake(
        KnownIds(people=people, rejected_ids=frozenset(f"E{number}" for number in range(0, ROWS, 997)))
    )
    seconds: dict[str, list[float]] = {"ours": [], "reading": [], "bare": [], "run": [], "corrected": []}
    for number in range(ROUNDS):
        check, taken = time_call(lambda: Check.of(declaration, "locations.csv", content))
        seconds["reading"].append(taken)
        wrong, more = time_call(lambda check=check: int(check.with_errors.sum()))  # type: ignore[misc]
        seconds["ours"].append(taken + more)
        refused, taken = time_call(lambda: by_pydantic(content))
        seconds["bare"].append(taken)
        if wrong != refused:
            raise RuntimeError(f"The two did not find the same: {wrong} and {refused}")
        seconds["run"].append(time_call(lambda check=check: compute_run(check, declaration))[1])  # type: ignore[misc]
        check.fix_cell(number, "lat", "12.5")
        seconds["corrected"].append(time_call(lambda check=check: compute_run(check, declaration))[1])  # type: ignore[misc]
    median = {name: statistics.median(values) for name, values in seconds.items()}
    ratio = statistics.median(ours / bare for ours, bare in zip(seconds["ours"], seconds["bare"], strict=True))
    print(f"{ROWS:,} rows, {len(HEADINGS)} columns, {len(content) / 1e6:.0f} MB, {wrong:,} rows with errors")
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the end, {ROUNDS} rounds, medians\n")
    print(f"{'ours, read and checked':48}{median['ours']:9.3f} s  target: at most {SECONDS:g}")
    print(f"{'  of it reading':48}{median['reading']:9.3f} s")
    print(f"{'csv and pydantic':48}{median['bare']:9.3f} s")
    print(f"{'ours for one of theirs':48}{ratio:9.2f}")
    print(f"{'a run of the screen, besides':48}{median['run']:9.3f} s  target: at most {SECONDS_A_RUN:g}")
    print(f"{'the run after a cell is corrected':48}{median['corrected']:9.3f} s")
    return median["ours"] <= SECONDS and median["run"] <= SECONDS_A_RUN


def compute_run(check: Check, declaration: ImportDeclaration) -> None:
    """Compute what a run of the script needs from a checked file: a page of the table, suggestions, the map, the
    upload.
    """
    assert declaration.position is not None
    assert declaration.sending is not None
    assert declaration.sending.confirmation_lines is not None
    for row in check.in_view("errors")[:50].tolist():
        check.cell_messages(row)
    check.offers()
    find_marks(declaration.position, check)
    declaration.position.zone(check.rows)
    workspace: Any = None
    declaration.sending.confirmation_lines(check.ready, workspace)


def by_pydantic(content: bytes) -> int:
    """Return how many rows are invalid in a model."""
    refused = 0
    for row in csv.DictReader(io.StringIO(content.decode())):
        try:
            Location.model_validate(row)
        except ValidationError:
            refused += 1
    return refused


def locations_csv() -> bytes:
    """Return the file; one row in fifty has an error."""
    chance = random.Random(7)
    sink = io.StringIO()
    writer = csv.writer(sink)
    writer.writerow(HEADINGS)
    for number in range(ROWS):
        lat, lon, country = chance.choice(CITIES)
        place = (f"{lat + chance.uniform(-0.2, 0.2):.5f}", f"{lon + chance.uniform(-0.2, 0.2):.5f}")
        arrives = f"2026-11-{chance.randint(10, 19)}T10:{chance.randint(0, 59):02}:00Z"
        row = [f"E{number}", arrives, "2099-11-20T10:00:00Z", *place, country, "Badge reader", str(number % 12)]
        if number % 50 == 0:
            cell, wrong = chance.choice([(0, ""), (3, "95.0"), (3, "x"), (2, "2026-02-30T10:00:00Z"), (4, "200")])
            row[cell] = wrong
        writer.writerow(row)
    return sink.getvalue().encode()
