"""A roster and assets that the demo's desk begins with: printed by the service's own commands, kept like any other."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final

from components.assets.asset_intakes import ADD
from components.intake.checking import Check
from components.intake.job import JOBS
from components.rosters.roster_file import read_roster
from components.shell.settings import PROJECT
from journal import Actor, Fate, Journal

ROSTER_NAME: Final = "Demo travellers"
ASSETS_FILE: Final = "demo-assets.csv"
_SECONDS: Final = 120


def ensure_demo_entries(journal: Journal, actor: Actor) -> None:
    """Make sure the journal has the demo's roster, knows its travellers' names, and knows of its assets."""
    _ensure_roster(journal, actor)
    _ensure_assets(journal, actor)


def _ensure_roster(journal: Journal, actor: Actor) -> None:
    entries = read_roster(_printed("demo-roster"))
    journal.rosters.ensure(actor, ROSTER_NAME, entries)
    travellers = {traveller.external_id: traveller for entry in entries for traveller in entry.travellers}
    journal.travellers.learn(actor.service, actor.organization_id, list(travellers.values()))


def _ensure_assets(journal: Journal, actor: Actor) -> None:
    """Write the assets down as added by a file, as which the service came with them: nothing is sent."""
    if journal.ledger.jobs(actor, ADD.kind, at_most=1):
        return
    desk: Any = SimpleNamespace(journal=journal, actor=actor, client=None)
    check = Check.of(ADD, ASSETS_FILE, _printed("demo-assets"))
    ids = check.source.frame["Asset id"].tolist()
    assert ADD.sending is not None  # noqa: S101 — assets are sent
    told = replace(ADD.sending, send=lambda _, batch: [Fate("done", ids[item.position]) for item in batch])
    check.intake = replace(ADD, sending=told)
    JOBS.wait(JOBS.begin(desk, check))


def _printed(command: str) -> bytes:
    arguments = [sys.executable, "-m", "service", command]
    return subprocess.run(arguments, cwd=PROJECT, capture_output=True, check=True, timeout=_SECONDS).stdout  # noqa: S603 - our own interpreter and module
