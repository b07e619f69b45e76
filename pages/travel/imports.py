"""The imports of trips: the file, the person, and the result of each."""

from components.record_list.list_and_detail import draw_record_list
from components.shell.session import require_workspace
from components.trips.trip_import.import_history import IMPORTS

draw_record_list(require_workspace(), IMPORTS)
