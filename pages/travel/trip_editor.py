"""Add a trip, or change one."""

from components.shell.session import require_workspace
from components.trips.editor.editor import trip_editor

trip_editor(require_workspace())
