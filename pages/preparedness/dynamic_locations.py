"""Upload a file of the current locations of people."""

from components.preparedness.dynamic_locations.locations_screen import locations_screen
from components.shell.session import require_workspace

locations_screen(require_workspace())
