"""Imports: every file of trips that was sent, by whom, and what came of it."""

from components.record_list.list_and_detail import records
from components.shell.session import require_workspace
from components.trips.trip_import.import_history import IMPORTS

records(require_workspace(), IMPORTS)
