"""Add or change a trip."""

from components.shell.session import require_workspace
from components.trips.editor.editor import trip_editor

trip_editor(require_workspace())
