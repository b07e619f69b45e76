"""The alert events: the usual levels of each, its meaning, its code in other systems, and an outline of its text.

The outlines have placeholders in [brackets] that only the sender can fill in.
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
_FIELDS: Final = (
    "street|road|address|place|location|time|date|name|number|calle|dirección|lugar|hora|fecha|nombre|número"
)
_BEFORE_A_GAP: Final = "|".join(
    rf"(?<=\b{word} )" for word in ("at", "in", "on", "near", "until", "en", "de", "a", "las", "hasta")
)
# In brackets as in the outlines, or as people leave a blank in their texts: ____, XXXX, XX PM, ??, TBD, (street).
_GAP: Final = re.compile(
    r"\[[^\[\]\n]{1,60}\]|\{[^{}\n]{1,60}\}|<[^<>\n]{1,60}>|_{3,}|(?<!\w)__(?!\w)|\bX{3,}\b|\bXX:XX\b|"
    r"\bXX(?= ?(?:[AaPp]\.?[Mm]|hours?|minutes?|horas?|minutos?)\b)|(?<![\w?!])\?{2,}|(?<!\w)#{2,}(?!\w)|"
    rf"\bTB[ACD]\b|\b(?:INSERT|FILL IN|INSERTAR|COMPLETAR)(?: [A-Z]+\b){{1,4}}|[(*](?i:{_FIELDS})[)*]|"
    rf"\b(?i:{_FIELDS}) (?:to be (?:confirmed|announced)|por confirmar)\b|(?:{_BEFORE_A_GAP})(?:\.{{3,}}|…)"
)

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
    """An outline of the texts for an alert event."""

    title: str
    sms: str
    instructions: str


class Usual(NamedTuple):
    """The levels, hours, and type that fit most alerts of an event."""

    urgency: str
    severity: str
    certainty: str
    hours: int
    type: int

    @property
    def words(self) -> str:
        """Return a summary: "Immediate, Extreme, Likely, 1 hour, Alert"."""
        levels = (self.urgency, self.severity, self.certainty)
        return ", ".join((*levels, count(self.hours, "hour", "hours"), TYPES[self.type]))


_ANY_EMERGENCY: Final = "CEM"
"""The code of a Civil Emergency Message."""
_ANY_EVENT: Final = StartingWording(
    f"{WHAT_HAPPENS}: {PLACE}",
    f"{WHO}: {WHAT_HAPPENS} in {PLACE}. {TO_DO_NOW} In effect until {TIME}.",
    f"{MORE_TO_DO} Questions: [number].",
)


@cache
def _events() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(_TABLE.read_text(encoding="utf-8"))


@cache
def events_by_code() -> Mapping[str, str]:
    """Return the events by the codes of the Emergency Alert System that mean the same."""
    return {row["same"]: event for event, row in _events().items() if "same" in row}


def same_code_of(event: str) -> str:
    """Return the code of the Emergency Alert System for an event: its own, or that of the kind it belongs to."""
    row = _events().get(event, {})
    return str(row.get("same") or row.get("broader_same") or _ANY_EMERGENCY)


def meaning_of(event: str) -> str:
    """Return what an event means if its name does not say so, else ""."""
    row = _events().get(event)
    return "" if row is None else row.get("meaning") or _KINDS.get(event.rpartition(" ")[2], "")


def starting_wording(event: str) -> StartingWording | None:
    """Return the outline for an event, or None if the interface does not define the event."""
    row = _events().get(event)
    return StartingWording(f"{event}: {PLACE}", row["sms"], row["instructions"]) if row is not None else None


def outline_of(draft: AlertDraft, place: str = "", end_time: str = "") -> StartingWording:
    """Return the title, SMS text, and instructions of the outline for the draft's event, or of a general one.

    The sender, the place, and the end are filled in if they are known.
    """
    known = {WHO: sender_of(draft), PLACE: place.strip(), TIME: end_time.strip()}

    def fill_in(text: str) -> str:
        for gap, words in known.items():
            text = text.replace(gap, words or gap)
        return text

    return StartingWording(*map(fill_in, starting_wording(draft.event) or _ANY_EVENT))


def is_outline(text: str, wording: str, values: Mapping[str, str] | None = None) -> bool:
    """Return whether a text is this outline with nothing changed but the sender, the place, and the end.

    If `values` has the text of a placeholder, only that text or the placeholder itself may take its place.
    """
    return _filled_in(wording, tuple((values or {}).items())).fullmatch(" ".join(text.split())) is not None


@lru_cache(maxsize=512)
def _filled_in(wording: str, known: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    words = dict.fromkeys((WHO, PLACE, TIME), r"[^\n\[\]]{1,80}?") | {gap: re.escape(text) for gap, text in known}
    pattern = re.escape(" ".join(wording.split()))
    for gap, filled in words.items():
        pattern = pattern.replace(re.escape(gap), f"(?:{filled or re.escape(gap)}|{re.escape(gap)})")
    return re.compile(pattern)


def other_event_of_outline(draft: AlertDraft) -> str | None:
    """Return the event of the outline that the draft's text consists of, if the draft now has another event."""
    text, own = draft.sms.strip(), _events().get(draft.event)
    if own is None or not text or is_outline(text, own["sms"]):
        return None
    return next((event for event, row in _events().items() if is_outline(text, row["sms"])), None)


def sender_of(draft: AlertDraft) -> str:
    """Return the sender from the contact: the division, else the name, else ""."""
    return draft.contact_division.strip() or draft.contact_name.strip()


def placeholders_in(*texts: str) -> list[str]:
    """Return the placeholders in these texts in order, each once."""
    return list(dict.fromkeys(gap for text in texts for gap in _GAP.findall(text)))


@cache
def own_placeholders() -> frozenset[str]:
    """Return every placeholder of Muster's outlines. None of them may ever be sent."""
    texts = (row[name] for row in _events().values() for name in ("sms", "instructions"))
    return frozenset(placeholders_in(*texts)) | {PLACE, WHAT_HAPPENS, TRUE_NOW, TO_DO_NOW, MORE_TO_DO}


# ASSUMPTION A450: the interface tells no levels of an event. Those of the weather are what the National Weather Service
# gives its products in CAP; the others follow the definitions in CAP 1.2, 3.2.2, with the hours such events last.
def usual_levels_of(event: str) -> Usual | None:
    """Return the usual levels of an event, or None if the interface does not define the event."""
    row = _events().get(event)
    return Usual(*row["usual"]) if row is not None else None


def with_usual_levels(draft: AlertDraft, *, previous_event: str) -> AlertDraft:
    """Return the draft with the usual levels of its event.

    They replace empty fields and the usual levels of the previous event, but nothing that the user chose. Without an
    event, the usual levels of the previous one are removed.
    """
    was, brings = usual_levels_of(previous_event), usual_levels_of(draft.event)
    empty = AlertDraft.model_fields
    changes = {
        name: getattr(brings, name) if brings is not None else empty[name].default
        for name in Usual._fields
        if getattr(draft, name) in (empty[name].default, getattr(was, name, empty[name].default))
    }
    return draft.model_copy(update=changes)


def changes_with_event(draft: AlertDraft, event: str) -> dict[str, Any]:
    """Return the fields that change with the event: its category and the usual levels."""
    category = draft.category
    if event not in EVENTS_BY_CATEGORY.get(category, ()):
        category = next(name for name, events in EVENTS_BY_CATEGORY.items() if event in events)
    after = with_usual_levels(
        draft.model_copy(update={"event": event, "category": category}), previous_event=draft.event
    )
    names = ("event", "category", *Usual._fields)
    return {name: getattr(after, name) for name in names if getattr(after, name) != getattr(draft, name)}


def suggestion_words(draft: AlertDraft) -> str:
    """Say what is usual for the event, and that it was suggested if the draft still has it."""
    usual = usual_levels_of(draft.event)
    if usual is None:
        return ""
    is_as_suggested = all(getattr(draft, name) == getattr(usual, name) for name in Usual._fields)
    suggested = " Muster filled in these values. Change them if needed." if is_as_suggested else ""
    return f"Usual values for {draft.event}: {usual.words}.{suggested}"
