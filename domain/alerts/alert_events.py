"""The events of alerts: what each usually brings and means, its code in other systems, and words to begin with.

Words to begin with hold gaps that only the sender can fill, in [brackets].
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from client.vocabulary.public_alerts import EVENTS_BY_CATEGORY, TYPES
from domain.alerts.draft import AlertDraft
from domain.text.plain_text import count

_TABLE: Final = Path(__file__).with_name("events.toml")
_GAP: Final = re.compile(r"\[[^\[\]\n]{1,60}\]")

WHO: Final = "[who]"
PLACE: Final = "[place]"
TIME: Final = "[time]"
WHAT_HAPPENS: Final = "[What happens]"
TRUE_NOW: Final = "[What is true now.]"
TO_DO_NOW: Final = "[What to do now.]"
MORE_TO_DO: Final = "[More on what to do.]"
_KINDS: Final = {
    "Warning": "The event is happening or about to happen. People should act.",
    "Watch": "The event may happen. People should get ready.",
    "Advisory": "Less serious than a warning. People should take care.",
    "Statement": "An update on a warning that is already in effect.",
    "Rebroadcast": "A message from another office, sent unchanged.",
    "Test": "A test. The text must say that there is no emergency.",
}


class StartingWording(NamedTuple):
    """The words an alert about an event may begin with."""

    title: str
    sms: str
    instructions: str


class Usual(NamedTuple):
    """Levels, hours and type that fit most alerts about an event."""

    urgency: str
    severity: str
    certainty: str
    hours: int
    type: int

    @property
    def words(self) -> str:
        """In a line: "Immediate, Extreme, Likely, 1 hour, Alert"."""
        levels = (self.urgency, self.severity, self.certainty)
        return ", ".join((*levels, count(self.hours, "hour", "hours"), TYPES[self.type]))


_ANY_EVENT: Final = StartingWording(
    f"{WHAT_HAPPENS}: {PLACE}",
    f"{WHO}: {WHAT_HAPPENS} in {PLACE}. {TO_DO_NOW} Until {TIME}.",
    f"{MORE_TO_DO} Questions: [number].",
)


@cache
def _events() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(_TABLE.read_text(encoding="utf-8"))


@cache
def events_by_code() -> Mapping[str, str]:
    """The events by the codes of the Emergency Alert System that mean the same."""
    return {row["same"]: event for event, row in _events().items() if "same" in row}


def meaning_of(event: str) -> str:
    """What an event means, where its name does not say; "" where it does."""
    row = _events().get(event)
    return "" if row is None else row.get("meaning") or _KINDS.get(event.rpartition(" ")[2], "")


def starting_wording(event: str) -> StartingWording | None:
    """The beginning for this event; None where it is none of the interface's."""
    row = _events().get(event)
    return StartingWording(f"{event}: {PLACE}", row["sms"], row["instructions"]) if row is not None else None


def skeleton_of(draft: AlertDraft, place: str = "", until: str = "") -> StartingWording:
    """Title, SMS text and instructions to begin with for the draft's event; without an event, for any.

    Sender, place and end are filled in where they are known.
    """
    known = {WHO: sender_of(draft), PLACE: place.strip(), TIME: until.strip()}

    def filled(text: str) -> str:
        for gap, words in known.items():
            text = text.replace(gap, words or gap)
        return text

    return StartingWording(*map(filled, starting_wording(draft.event) or _ANY_EVENT))


def is_wording_of(text: str, wording: str, known: Mapping[str, str] | None = None) -> bool:
    """Whether a text is a wording in which nothing changed but the sender, the place and the end.

    With `known` words for their placeholders, these stand there and nothing else; a placeholder may be left as it is.
    """
    return _filled_in(wording, tuple((known or {}).items())).fullmatch(" ".join(text.split())) is not None


@lru_cache(maxsize=512)
def _filled_in(wording: str, known: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    words = dict.fromkeys((WHO, PLACE, TIME), r"[^\n\[\]]{1,80}?") | {gap: re.escape(text) for gap, text in known}
    pattern = re.escape(" ".join(wording.split()))
    for gap, filled in words.items():
        pattern = pattern.replace(re.escape(gap), f"(?:{filled or re.escape(gap)}|{re.escape(gap)})")
    return re.compile(pattern)


def other_event_of_skeleton(draft: AlertDraft) -> str | None:
    """The event whose untouched skeleton the text is, where the event of the draft is another one; else None."""
    text, own = draft.sms.strip(), _events().get(draft.event)
    if own is None or not text or is_wording_of(text, own["sms"]):
        return None
    return next((event for event, row in _events().items() if is_wording_of(text, row["sms"])), None)


def sender_of(draft: AlertDraft) -> str:
    """Who speaks, as the contact tells it: the division, else the name; "" where neither is given."""
    return draft.contact_division.strip() or draft.contact_name.strip()


def gaps(*texts: str) -> list[str]:
    """What still stands in [brackets] to be filled in, each once, in their order."""
    return list(dict.fromkeys(gap for text in texts for gap in _GAP.findall(text)))


@cache
def own_gaps() -> frozenset[str]:
    """Every gap of the beginnings that come with Muster: none of them is ever meant to be sent."""
    texts = (row[name] for row in _events().values() for name in ("sms", "instructions"))
    return frozenset(gaps(*texts)) | {PLACE, WHAT_HAPPENS, TRUE_NOW, TO_DO_NOW, MORE_TO_DO}


# ASSUMPTION A450: the interface tells no levels of an event. Those of the weather are what the National Weather Service
# gives its products in CAP; the others follow the definitions in CAP 1.2, 3.2.2, with the hours such events last.
def usual_of(event: str) -> Usual | None:
    """What an event usually brings; None where it is none of the interface's."""
    row = _events().get(event)
    return Usual(*row["usual"]) if row is not None else None


def with_usual(draft: AlertDraft, *, before: str) -> AlertDraft:
    """The draft with what its event usually brings, where nothing was chosen or what the event `before` brought stands.

    What a person chose otherwise stays; without an event, what the one before brought goes with it.
    """
    was, brings = usual_of(before), usual_of(draft.event)
    empty = AlertDraft.model_fields
    changes = {
        name: getattr(brings, name) if brings is not None else empty[name].default
        for name in Usual._fields
        if getattr(draft, name) in (empty[name].default, getattr(was, name, empty[name].default))
    }
    return draft.model_copy(update=changes)


def changes_with_event(draft: AlertDraft, event: str) -> dict[str, Any]:
    """The fields that change with another event: its category, and what is usual for it."""
    category = draft.category
    if event not in EVENTS_BY_CATEGORY.get(category, ()):
        category = next(name for name, events in EVENTS_BY_CATEGORY.items() if event in events)
    after = with_usual(draft.model_copy(update={"event": event, "category": category}), before=draft.event)
    names = ("event", "category", *Usual._fields)
    return {name: getattr(after, name) for name in names if getattr(after, name) != getattr(draft, name)}


def suggestion_words(draft: AlertDraft) -> str:
    """What is usual for the event of the draft, in words, and that it was suggested for as long as it stands."""
    usual = usual_of(draft.event)
    if usual is None:
        return ""
    is_as_suggested = all(getattr(draft, name) == getattr(usual, name) for name in Usual._fields)
    suggested = " Muster filled in these values. Change them if needed." if is_as_suggested else ""
    return f"Usual values for {draft.event}: {usual.words}.{suggested}"
