"""Session state of the public alert screens, and the callbacks of their buttons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from components.edits.draft_session import Step
from components.shell.state import StateKey
from domain.alerts.draft import AlertDraft

# The same key as the editor's draft, for the region picker.
DRAFT: Final = StateKey[AlertDraft | None]("public_alert.draft", lambda: None)
EVENT_NOTE: Final = StateKey[tuple[str, str] | None]("public_alerts.event_note", lambda: None)
STEPS: Final = StateKey[list[Step]]("public_alert.steps", list)
"""The steps that can be undone, shared with the editor."""
IS_PAGE_OUTDATED: Final = StateKey[bool]("public_alert.is_page_outdated", bool)
"""Whether a button was pressed since the whole page was drawn. A fragment that runs alone then reruns the page."""


def on_press(draft: AlertDraft, action: Callable[..., None], *args: Any) -> Callable[[], None]:
    """Return the callback of a button drawn for a draft: call `action` with the arguments and the current draft.

    It does nothing if another draft is on the screen, as after the first press of a double click.
    """

    def press() -> None:
        current = DRAFT.get()
        if current is not None and current.uid == draft.uid:
            action(*args, current)
        IS_PAGE_OUTDATED.set(True)

    return press
