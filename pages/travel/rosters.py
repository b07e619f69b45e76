"""The rosters: named lists of record locators."""

from components.record_list.list_and_detail import draw_record_list
from components.shell.session import require_workspace
from components.trips.rosters.roster_list import ROSTERS

draw_record_list(require_workspace(), ROSTERS)
