"""A beginning for every event: words to start from, with the gaps that only the sender can fill in [brackets]."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

_TABLE: Final = Path(__file__).with_name("starting_wordings.toml")
_GAP: Final = re.compile(r"\[[^\[\]\n]{1,60}\]")

WHO: Final = "[who]"
PLACE: Final = "[place]"
TIME: Final = "[time]"
WHAT_HAPPENS: Final = "[What happens]"
TRUE_NOW: Final = "[What is true now.]"
TO_DO_NOW: Final = "[What to do now.]"
MORE_TO_DO: Final = "[More on what to do.]"


@dataclass(frozen=True)
class StartingWording:
    """The words an alert about an event may begin with."""

    event: str
    title: str
    sms: str
    instructions: str


def starting_wording(event: str) -> StartingWording | None:
    """The beginning for this event; None where it is none of the interface's."""
    return _wordings().get(event)


def gaps(text: str) -> list[str]:
    """What still stands in [brackets] to be filled in, each once, in their order."""
    return list(dict.fromkeys(_GAP.findall(text)))


@cache
def own_gaps() -> frozenset[str]:
    """Every gap of the beginnings that come with Muster: none of them is ever meant to be sent."""
    texts = (text for each in _wordings().values() for text in (each.title, each.sms, each.instructions))
    return frozenset(gap for text in texts for gap in gaps(text)) | {WHAT_HAPPENS, TRUE_NOW, TO_DO_NOW, MORE_TO_DO}


@cache
def _wordings() -> dict[str, StartingWording]:
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return {
        event: StartingWording(event, f"{event}: {PLACE}", words["sms"], words["instructions"])
        for event, words in table.items()
    }
