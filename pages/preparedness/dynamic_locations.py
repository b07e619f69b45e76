"""Dynamic locations: where people are, by file."""

from components.preparedness.dynamic_locations.locations_screen import locations_screen
from components.shell.session import require_workspace

locations_screen(require_workspace())
