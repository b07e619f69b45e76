"""The initial journal entries of the demo, printed by the service's commands and stored like entries of Muster."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final

import pandas as pd

from domain.file_import.checking import Check
from domain.file_import.job import JOBS
from domain.preparedness.assets.asset_rows import ADD
from domain.preparedness.dynamic_locations.location_upload import CODES, FIRST_LINE, LOCATIONS
from domain.preparedness.shape_library.region_outlines import save_outline
from domain.preparedness.shape_library.sent_regions import SUBJECT, UPLOAD
from domain.runtime.settings import PROJECT
from domain.trips.rosters.roster_file import read_roster
from journal import Actor, EntryFilters, Item, ItemStatus, Journal

ROSTER_NAME: Final = "Demo travelers"
ASSETS_FILE: Final = "demo-assets.csv"
LOCATIONS_FILE: Final = "demo-whereabouts.csv"
_SECONDS: Final = 120


def ensure_demo_entries(journal: Journal, actor: Actor) -> None:
    """Ensure that the journal has the demo's roster and names, and entries for its assets, locations, and shapes."""
    printed = _printed()
    _ensure_roster(journal, actor, printed["demo-roster"])
    _ensure_assets(journal, actor, printed["demo-assets"])
    _ensure_locations(journal, actor, printed["demo-locations"])
    _ensure_shapes(journal, actor, printed["demo-shapes"])


def _ensure_roster(journal: Journal, actor: Actor, printed: str) -> None:
    entries = read_roster(printed.encode())
    journal.rosters.ensure(actor, ROSTER_NAME, entries)
    travelers = {traveler.external_id: traveler for entry in entries for traveler in entry.travelers}
    journal.travelers.learn(actor.service, actor.organization_id, list(travelers.values()))


def _ensure_assets(journal: Journal, actor: Actor, printed: str) -> None:
    """Record the assets as added from a file. Nothing is sent: the service has them."""
    if not journal.ledger.jobs(actor, ADD.kind, at_most=1):
        check = Check.of(ADD, ASSETS_FILE, printed.encode())
        ids = check.source.frame["Asset id"].tolist()
        _record_as_sent(journal, actor, check, lambda item: ItemStatus("done", ids[item.position]))


def _ensure_locations(journal: Journal, actor: Actor, printed: str) -> None:
    """Record the locations as an uploaded file. Nothing is sent: the service has them."""
    if journal.ledger.jobs(actor, LOCATIONS.kind, at_most=1):
        return
    rows = pd.read_csv(io.StringIO(printed), dtype="str", keep_default_na=False)
    codes = rows.pop("Refused").tolist()
    check = Check.of(LOCATIONS, LOCATIONS_FILE, rows.to_csv(index=False).encode())

    def status_of(item: Item) -> ItemStatus:
        code = codes[item.rows[0][0] - FIRST_LINE]
        column = "externalId" if code.startswith("EXTERNAL") else "locationId"
        return ItemStatus("failed", reasons={column: CODES[code]}) if code else ItemStatus("done")

    _record_as_sent(journal, actor, check, status_of)


def _record_as_sent(journal: Journal, actor: Actor, check: Check, status_of: Callable[[Item], ItemStatus]) -> None:
    workspace: Any = SimpleNamespace(journal=journal, actor=actor, client=None)
    assert check.declaration.sending is not None  # noqa: S101 — these are sent
    sending = replace(check.declaration.sending, send=lambda _, batch: [status_of(item) for item in batch])
    check.declaration = replace(check.declaration, sending=sending)
    JOBS.wait(JOBS.begin(workspace, check))


def _ensure_shapes(journal: Journal, actor: Actor, printed: str) -> None:
    """Record the regions as uploaded. Nothing is sent: the service has them."""
    audit = journal.audit
    if audit.list(actor.service, actor.organization_id, filters=EntryFilters(action=UPLOAD), page_size=1):
        return
    for shape in csv.DictReader(io.StringIO(printed)):
        outline = shape.pop("Geometry (GeoJSON)")
        shape["sha256"] = hashlib.sha256(outline.encode()).hexdigest()
        save_outline(journal, actor, shape["sha256"], outline)
        entry = audit.begin(
            actor,
            UPLOAD,
            subject_kind=SUBJECT,
            subject_id=None,
            subject_name=shape["regionName"],
            request=shape | {"folder": shape["folder"] or None},
        )
        audit.finish(entry, state="succeeded", answer={})


def _printed() -> dict[str, str]:
    """Return the output of the service's commands as CSV, by name. They run as one process, because each start takes
    time.
    """
    arguments = [sys.executable, "-m", "service", "demo-desk"]
    printed = subprocess.run(arguments, cwd=PROJECT, capture_output=True, check=True, timeout=_SECONDS).stdout  # noqa: S603 - our own interpreter and module
    texts_by_name: dict[str, str] = json.loads(printed)
    return texts_by_name
