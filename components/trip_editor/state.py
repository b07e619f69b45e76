"""What the trip editor keeps in a browser session beside the draft, each place declared once."""

from __future__ import annotations

from typing import Final

from components.shell.state import StateKey

# Under which record locator was looked, and what the service held there.
HELD: Final = StateKey[tuple[str, list[int] | Exception] | None]("trip_editor.held", lambda: None)
