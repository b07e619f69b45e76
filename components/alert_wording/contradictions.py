"""Where the levels of an alert contradict each other, its event, or what its text says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from client.vocabulary.public_alerts import EVENTS_BY_CATEGORY, EXPIRE_HOURS, TYPES
from components.alert_wording import patterns as said
from components.alert_wording.said_end import SaidEnd, said_ends, said_hours
from components.public_alerts.draft import ALL_CLEAR, CORRECTION, FALSE_ALARM, AlertDraft
from components.public_alerts.expiry import Ending, ends_at
from components.public_alerts.levels import (
    ALERT,
    COMMUNITY,
    EXPECTED,
    EXTREME,
    FUTURE,
    IMMEDIATE,
    LIKELY,
    MINOR,
    OBSERVED,
    PAST,
    POSSIBLE,
    SEVERE,
    UNLIKELY,
)

_EVENTS: Final = frozenset(event for events in EVENTS_BY_CATEGORY.values() for event in events)
_HOUR: Final = timedelta(hours=1)
_CORRECTIONS: Final = frozenset({CORRECTION, FALSE_ALARM})
_CALM: Final = frozenset({ALL_CLEAR, FALSE_ALARM})
"""The follow-ups that say that nobody need act: they name an event, and claim nothing of it."""
_PARTS: Final = (
    ("sms", "The text", "s"),
    ("instructions", "The instructions", ""),
    ("text", "The text of the notification", "s"),
)
"""Where an end may be said: the field, what it is called, and what a verb after that ends in."""


@dataclass(frozen=True)
class Advice:
    """What does not fit together, in words of what to change; `change` is what it names, where that is one thing.

    `begins` is what the text is to begin with, where that is the change.
    """

    words: str
    change: Mapping[str, Any] = field(default_factory=dict)
    begins: str = ""

    @property
    def label(self) -> str:
        """What a button says that makes the change."""
        if self.begins:
            return f"Begin it with “{self.begins}”"
        chosen = [_chosen(name, value) for name, value in self.change.items()]
        return f"Choose {' and '.join(chosen)}"


def _chosen(name: str, value: Any) -> str:
    return f"{value} h" if name == "hours" else TYPES[value] if name == "type" else str(value)


def _beginning(draft: AlertDraft, words: str, mark: str) -> Advice:
    return Advice(f"{words} Begin it with “{mark}”.", {"sms": f"{mark} {draft.sms.strip()}"}, mark)


def advice(draft: AlertDraft, *, now: datetime | None = None, zone: str | None = None) -> list[Advice]:
    """What does not fit together, with the change that would mend it where there is one.

    With `now`, clock times in the text ("until 18:00") are held against the end of the alert, in this zone; they are
    read as of when they were written.
    """
    text = _whole_text(draft)
    found: list[str | Advice] = [*_of_test(draft, text), *_of_levels(draft), *_of_event(draft, text)]
    found += _of_follow_up(draft)
    if not draft.is_test:
        found += _of_words(draft, text)
        found += _of_end(draft, now, zone)
    return [each if isinstance(each, Advice) else Advice(each) for each in found]


def taken_for_real(draft: AlertDraft) -> list[str]:
    """Why people, or what passes alerts on, could take a routine test for real, each in words of what to change.

    The name of an event is seen by nobody on a phone: what counts is what the text says and what the levels claim.
    Empty for a test that can be known as one, and for what is no test by its event.
    """
    found = _of_a_test(draft, _whole_text(draft)) if draft.is_test else ()
    return [each.words if isinstance(each, Advice) else each for each in found]


def _of_test(draft: AlertDraft, text: str) -> Iterator[str | Advice]:
    if draft.is_test:
        yield from _of_a_test(draft, text)
        return
    found = said.IS_A_TEST.search(said.NOT_A_TEST.sub(" ", text))
    if found and draft.event:
        yield (
            f"The text says “{_shown(found)}”, and {draft.event} is a live event. For a test choose a routine "
            "test; for a real warning take these words out."
        )


def _of_a_test(draft: AlertDraft, text: str) -> Iterator[str | Advice]:
    is_not = said.NOT_A_TEST.search(text)
    if is_not:
        yield f"The text says “{_shown(is_not)}”, and the event is {draft.event}. Choose the event that happens."
    elif draft.sms.strip() and not (said.IS_A_TEST.search(draft.sms) or said.TELLS_OF_A_TEST.search(draft.sms)):
        yield _beginning(draft, "The text does not say that it is a test: people would take it for real.", "TEST:")
    live = next((match for match in said.LIVE.finditer(text) if not said.SUPPOSED.search(_sentence(text, match))), None)
    if live:
        yield f"A test must not tell people to act: “{_shown(live)}”. Take these words out."
    claims_now = draft.urgency == IMMEDIATE or (draft.certainty == OBSERVED and draft.urgency != PAST)
    if claims_now or draft.severity in (EXTREME, SEVERE):
        levels = ", ".join(word for word in (draft.urgency, draft.severity, draft.certainty) if word)
        yield Advice(
            f"A test with the levels {levels} may be passed on like a real warning. Choose {MINOR} and {PAST}.",
            {"severity": MINOR, "urgency": PAST},
        )


def _of_levels(draft: AlertDraft) -> Iterator[str | Advice]:
    if draft.certainty == UNLIKELY and not draft.is_test:
        if draft.severity == EXTREME:
            yield f"{EXTREME} is for an extraordinary threat, and {UNLIKELY} says that none is expected."
        if draft.urgency == IMMEDIATE:
            yield f"{IMMEDIATE} asks people to act at once, and {UNLIKELY} says that nothing is expected to happen."
    if draft.urgency == PAST and draft.certainty in (LIKELY, POSSIBLE):
        yield Advice(
            f"{PAST} says that it is over, and {draft.certainty} that it may still happen. Is it {OBSERVED}?",
            {"certainty": OBSERVED},
        )
    if draft.urgency == FUTURE and draft.certainty == OBSERVED:
        yield f"{FUTURE} says that it is still to come, and {OBSERVED} that it is happening. Change one of them."
    if draft.type == ALERT and draft.severity == MINOR and not draft.is_test and not draft.follow_up:
        yield f"The type {TYPES[ALERT]} is for what cannot wait, and {MINOR} says that there is hardly a threat."
    if draft.type == COMMUNITY and draft.severity in (EXTREME, SEVERE) and draft.urgency in (IMMEDIATE, EXPECTED):
        yield Advice(
            f"{draft.severity} and {draft.urgency} with the type {TYPES[COMMUNITY]}: many people do not get that "
            f"type on their phones. Choose {TYPES[ALERT]} for a warning.",
            {"type": ALERT},
        )


def _of_event(draft: AlertDraft, text: str) -> Iterator[str | Advice]:
    if draft.follow_up in _CALM:
        return
    subject, _, kind = draft.event.rpartition(" ")
    if kind == "Watch":
        wrong = [level for level in (draft.urgency, draft.certainty) if level in (IMMEDIATE, OBSERVED)]
        if wrong:
            warning = f"{subject} Warning"
            yield Advice(
                f"A watch says that it may happen, and {' and '.join(wrong)} that it does. Is it a warning?",
                {"event": warning} if warning in _EVENTS else {},
            )
    if kind == "Warning" and draft.certainty == UNLIKELY and draft.severity != EXTREME and draft.urgency != IMMEDIATE:
        yield f"A warning says that it happens or is about to, and {UNLIKELY} that it does not. Change one of them."
    if kind == "Advisory" and draft.severity == EXTREME:
        yield f"An advisory is for what is less serious than a warning; {EXTREME} does not fit it."
    if kind == "Immediate" and draft.urgency and draft.urgency != IMMEDIATE:
        yield Advice(
            f"The event is {draft.event}, and the urgency {draft.urgency}. Choose {IMMEDIATE}, or another event.",
            {"urgency": IMMEDIATE},
        )
    twin = {"Warning": f"{subject} Watch", "Watch": f"{subject} Warning"}.get(kind)
    if twin in _EVENTS and twin is not None:
        says_twin = re.search(rf"\b{re.escape(twin)}\b", text, re.I)
        if says_twin and not re.search(rf"\b{re.escape(draft.event)}\b", text, re.I):
            yield Advice(
                f"The text says “{_shown(says_twin)}”, and the event is {draft.event}. Change one of them.",
                {"event": twin},
            )


def _of_words(draft: AlertDraft, text: str) -> Iterator[str | Advice]:
    life, acts = said.LIFE.search(text), said.ACT_NOW.finditer(text)
    act = next((match for match in acts if not said.GETS_READY.search(_before(text, match.start()))), None)
    if act and draft.urgency in (PAST, FUTURE):
        meaning = "it is over" if draft.urgency == PAST else "there is time"
        yield Advice(
            f"{draft.urgency} says that {meaning}, and the text “{_shown(act)}”. Is it {IMMEDIATE}?",
            {"urgency": IMMEDIATE},
        )
    if life and draft.severity == MINOR:
        yield f"{MINOR} says that there is hardly a threat, and the text “{_shown(life)}”. Change one of them."
    if draft.follow_up not in _CORRECTIONS and draft.urgency in (IMMEDIATE, EXPECTED, FUTURE):
        clear = next(
            (match for match in said.ALL_CLEAR.finditer(text) if not said.NOT_YET.search(_before(text, match.start()))),
            None,
        )
        if clear:
            yield Advice(
                f"The text says “{_shown(clear)}”, and {draft.urgency} that people should act. Is it {PAST}?",
                {"urgency": PAST},
            )
    calm = said.NO_DANGER.search(text)
    if calm and draft.severity in (EXTREME, SEVERE) and draft.follow_up not in _CORRECTIONS:
        yield f"The text says “{_shown(calm)}”, and the severity is {draft.severity}. Change one of them."
    later = said.LATER.search(text)
    if later and draft.urgency == IMMEDIATE:
        yield f"{IMMEDIATE} asks people to act at once, and the text “{_shown(later)}”. Is it {EXPECTED} or {FUTURE}?"


def _of_follow_up(draft: AlertDraft) -> Iterator[str | Advice]:
    if not draft.sms.strip():
        return
    if draft.follow_up in _CORRECTIONS and not said.CORRECTS.search(draft.sms):
        yield _beginning(draft, "This corrects an alert and does not say so.", "CORRECTION:")
    if draft.follow_up == ALL_CLEAR and not said.ALL_CLEAR.search(draft.sms):
        yield _beginning(draft, "This gives the all clear and does not say so.", "ALL CLEAR:")
    if draft.follow_up in _CALM and draft.urgency not in ("", PAST):
        yield Advice(
            f"It says that nobody need act, and the urgency {draft.urgency} that people should. Choose {PAST}.",
            {"urgency": PAST},
        )


def _of_end(draft: AlertDraft, now: datetime | None, zone: str | None) -> Iterator[str | Advice]:
    if draft.hours not in EXPIRE_HOURS or draft.hours is None:
        return
    ending = ends_at(draft.hours, now, zone) if now is not None else None
    told: set[str | int] = set()
    for name, who, s in _PARTS:
        text = getattr(draft, name)
        hours = said_hours(text)
        if hours is not None and hours != draft.hours and hours in EXPIRE_HOURS and hours not in told:
            told.add(hours)
            yield Advice(
                f"{who} speak{s} of the next {hours} h, and the alert lasts {draft.hours} h. Change one of them.",
                {"hours": hours},
            )
        if ending is None or now is None:
            continue
        every = said_ends(text, min(draft.written_at, now), zone)
        ends = [each for each in every if not said.SERVES.search(_before(text, each.start))]
        # Whole hours cannot end to the minute: up to an hour more is as near as it gets.
        if any(moment <= ending.utc < moment + _HOUR for end in ends for moment in end.moments):
            continue
        # The notification around it often repeats the text.
        if ends and ends[0].words.casefold() not in told:
            told.add(ends[0].words.casefold())
            yield _of_another_end(ends[0], ending, now, who, s)


def _of_another_end(end: SaidEnd, ending: Ending, now: datetime, who: str, s: str) -> Advice:
    nearest = min(end.moments, key=lambda moment: abs(moment - ending.utc))
    needed = -((now.astimezone(UTC) - nearest) // _HOUR)
    hours = {"hours": needed} if needed in EXPIRE_HOURS else {}
    says, it = f"{who} say{s} “{end.words}”", who.lower()
    if nearest > ending.utc:
        change = f"Choose {needed} h." if hours else f"It can last {EXPIRE_HOURS[-1]} h at most."
        return Advice(f"{says}, and the alert ends before that, {ending.words}. {change}", hours)
    if nearest <= now.astimezone(UTC):
        return Advice(f"{says}, and that is past. Mend {it}.")
    change = f"Choose {needed} h, or mend {it}." if hours else f"Mend {it}."
    return Advice(f"{says}, and the alert goes on longer, until {ending.words}. {change}", hours)


def _whole_text(draft: AlertDraft) -> str:
    return "\n".join(part for part in (draft.title, draft.text, draft.sms, draft.instructions) if part.strip())


def _sentence(text: str, match: re.Match[str]) -> str:
    end = re.search(r"[.!?\n]", text[match.end() :])
    return _before(text, match.start()) + text[match.start() : match.end() + (end.start() if end else len(text))]


def _before(text: str, start: int) -> str:
    """What stands in the sentence before this position."""
    return re.split(r"[.!?\n]", text[:start])[-1]


def _shown(match: re.Match[str]) -> str:
    return " ".join(match.group().split()).strip(" .:!–—-")
