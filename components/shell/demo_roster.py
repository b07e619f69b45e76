"""The demo organization's first roster: printed by the service's own command, kept in the journal like any other."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

from components.rosters.roster_file import read_roster
from components.shell.settings import PROJECT
from journal import Actor, Journal

ROSTER_NAME: Final = "Demo travellers"
_SECONDS: Final = 120


def ensure_demo_roster(journal: Journal, actor: Actor) -> None:
    """Make sure the journal has the demo roster and knows its travellers' names."""
    printed = subprocess.run(
        [sys.executable, "-m", "service", "demo-roster"],
        cwd=PROJECT,
        capture_output=True,
        check=True,
        timeout=_SECONDS,
    ).stdout
    entries = read_roster(printed)
    journal.rosters.ensure(actor, ROSTER_NAME, entries)
    travellers = {traveller.external_id: traveller for entry in entries for traveller in entry.travellers}
    journal.travellers.learn(actor.service, actor.organization_id, list(travellers.values()))
