"""Rosters: the named lists of record locators that are put on the map together."""

from components.records.list_and_detail import records
from components.rosters.roster_list import ROSTERS
from components.shell.session import require_workspace

records(require_workspace(), ROSTERS)
