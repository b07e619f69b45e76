"""What the public alert screens keep in a browser session, and the list of what was pressed and is not done yet."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from components.edits.draft_session import Step
from components.shell.state import StateKey
from domain.alerts.draft import AlertDraft


class Asked(NamedTuple):
    """What a control asked for that may not be done yet; `uid` is that of the draft it was drawn of."""

    uid: str
    do: Callable[[AlertDraft], None]


# The editor's own place for it: what it shows is the draft that the region picker writes into.
DRAFT: Final = StateKey[AlertDraft | None]("public_alert.draft", lambda: None)
EVENT_NOTE: Final = StateKey[tuple[str, str] | None]("public_alerts.event_note", lambda: None)
STEPS: Final = StateKey[list[Step]]("public_alert.steps", list)
"""The way back from what was done to it, as the editor's."""
PRESSED: Final = StateKey[list[Asked]]("public_alerts.pressed", list)
"""What the composer does at its next run, before anything is drawn.

A callback that touches the session may be cut short by the next run that the browser asks for, such as that of a key
pressed just before, and the press would be lost: so it only adds to a list it was given.
"""


def pressed(draft: AlertDraft, do: Callable[..., None], *given: Any) -> Callable[[], None]:
    """What a button that is drawn of this draft does: have `do` be done, with what is given and the draft."""
    return partial(PRESSED.get().append, Asked(draft.uid, partial(do, *given)))


def do_asked(asked: list[Asked]) -> None:
    """Do what was asked for of the draft on the screen, in its order; a line of the list goes once it is done."""
    while asked:
        draft = DRAFT.get()
        try:
            if draft is not None and draft.uid == asked[0].uid:
                asked[0].do(draft)
        except Exception:
            # What cannot be done is told once, not at every run; a run that is cut short is no such exception.
            asked.pop(0)
            raise
        asked.pop(0)
