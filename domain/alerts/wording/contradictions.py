"""Contradictions between the levels of an alert, its event, and its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from client.vocabulary.public_alerts import EVENTS_BY_CATEGORY, EXPIRE_HOURS, TYPES
from domain.alerts.alert_events import (
    changes_with_event,
    other_event_of_outline,
    placeholders_in,
    starting_wording,
)
from domain.alerts.draft import ALL_CLEAR, CORRECTION, EXTENSION, FALSE_ALARM, AlertDraft, WrittenEnd
from domain.alerts.expiry import Ending, ends_at
from domain.alerts.levels import (
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
from domain.alerts.wording import patterns
from domain.alerts.wording.end_time_in_text import EndTime, find_end_times
from domain.alerts.wording.hazards_in_text import (
    find_other_hazard,
    find_restored_services,
    find_unrelated_hazard,
    has_cause,
)
from domain.alerts.wording.live_words import find_live_words
from domain.alerts.wording.orders_in_text import find_contradicting_orders, has_opposite_orders, says_over
from domain.alerts.wording.patterns import sentence_before, without_accents
from domain.text.plain_text import count

_EVENTS: Final = frozenset(event for events in EVENTS_BY_CATEGORY.values() for event in events)
_ZONE_NAME: Final = re.compile(r"\b([ECMP])([SD])T\b")
_HOUR: Final = timedelta(hours=1)
_CORRECTIONS: Final = frozenset({CORRECTION, FALSE_ALARM})
_CALM: Final = frozenset({ALL_CLEAR, FALSE_ALARM})
"""The follow-ups that no one needs to act on. They name an event without claiming that it happens."""
_PARTS: Final = (
    ("sms", "The text says “{}”"),
    ("instructions", "The instructions say “{}”"),
    ("text", "The notification text says “{}”"),
)
"""The fields that may state an end, and how a message quotes each."""


class Fix(NamedTuple):
    """A change of the draft that resolves advice, with the label of its button."""

    label: str
    changes: Mapping[str, Any]


@dataclass(frozen=True)
class Advice:
    """A contradiction with what to change, and the changes that buttons can make."""

    words: str
    fixes: tuple[Fix, ...] = ()


def _choose(words: str, **changes: Any) -> Advice:
    """Return advice that one other level, number of hours, or type would resolve."""
    chosen = " and ".join(_chosen(name, value) for name, value in changes.items())
    return Advice(words, (Fix(f"Change to {chosen}", changes),))


def _chosen(name: str, value: Any) -> str:
    return f"{value} h" if name == "hours" else TYPES[value] if name == "type" else str(value)


def _choose_event(words: str, draft: AlertDraft, event: str) -> Advice:
    return Advice(words, (Fix(f"Change to {event}", changes_with_event(draft, event)),))


def _beginning(draft: AlertDraft, words: str, mark: str) -> Advice:
    fix = Fix(f"Add “{mark}”", {"sms": f"{mark} {draft.sms.strip()}"})
    return Advice(f"{words} Start the text with “{mark}”.", (fix,))


def advice(draft: AlertDraft, *, now: datetime | None = None, zone: str | None = None) -> list[Advice]:
    """Return the contradictions, with a fix for each if there is one.

    With `now`, clock times in the text ("until 18:00") are compared with the end of the alert in this time zone. They
    are read as of the time they were written.
    """
    text = _whole_text(draft)
    found: list[str | Advice] = [*_of_test(draft, text), *_of_levels(draft), *_of_event(draft, text)]
    found += _of_follow_up(draft)
    found += _of_outline(draft)
    found += _of_followed(draft)
    if not draft.is_test:
        found += _of_other_hazard(draft)
        about_levels = list(_of_words(draft, text))
        found += about_levels
        found += (each for each in find_contradicting_orders(draft, _texts(draft)) if not _is_said(each, about_levels))
        found += _of_end(draft, now, zone)
    return [each if isinstance(each, Advice) else Advice(each) for each in found]


def looks_live(draft: AlertDraft) -> list[str]:
    """Return why people or systems could take a routine test for a live alert, each with what to change.

    No one sees the name of an event on a phone: what counts is the text and the levels. Empty for an obvious test, and
    for an event that is no test.
    """
    found = _of_a_test(draft, _whole_text(draft)) if draft.is_test else ()
    return [each.words if isinstance(each, Advice) else each for each in found]


def _of_test(draft: AlertDraft, text: str) -> Iterator[str | Advice]:
    if draft.is_test:
        yield from _of_a_test(draft, text)
        return
    text = patterns.NOT_A_TEST.sub(" ", text)
    found = patterns.IS_A_TEST.search(text) or patterns.IS_A_DRILL.search(text)
    if found and draft.event:
        yield (
            f"The text says “{_shown(found)}”, but {draft.event} is a live event. For a test, select a routine test. "
            "For a live alert, remove these words."
        )


def _of_a_test(draft: AlertDraft, text: str) -> Iterator[str | Advice]:
    is_not = patterns.NOT_A_TEST.search(text)
    if is_not:
        yield f"The text says “{_shown(is_not)}”, but the event is {draft.event}. Select a live event."
    elif draft.sms.strip() and not (patterns.IS_A_TEST.search(draft.sms) or patterns.TELLS_OF_A_TEST.search(draft.sms)):
        yield _beginning(
            draft, "The text does not say that this is a test. People could mistake it for a live alert.", "TEST:"
        )
    live = find_live_words(text)
    if live is not None:
        yield f"A test must not report a danger or tell people to act. Remove these words: “{live}”."
    claims_now = draft.urgency == IMMEDIATE or (draft.certainty == OBSERVED and draft.urgency != PAST)
    if claims_now or draft.severity in (EXTREME, SEVERE):
        levels = ", ".join(word for word in (draft.urgency, draft.severity, draft.certainty) if word)
        yield _choose(
            f"Other systems may treat a test with the levels {levels} like a live alert. Change them to {MINOR} and "
            f"{PAST}.",
            severity=MINOR,
            urgency=PAST,
        )


def _of_levels(draft: AlertDraft) -> Iterator[str | Advice]:
    if draft.certainty == UNLIKELY and not draft.is_test:
        if draft.severity == EXTREME:
            yield (
                f"{EXTREME} means an extraordinary threat, but {UNLIKELY} means that none is expected. Change one "
                "of them."
            )
        if draft.urgency == IMMEDIATE:
            yield (
                f"{IMMEDIATE} means that people should act now, but {UNLIKELY} means that nothing is expected. "
                "Change one of them."
            )
    if draft.urgency == PAST and draft.certainty in (LIKELY, POSSIBLE):
        yield _choose(
            f"{PAST} means that the event is over, but {draft.certainty} means that it may still happen. Check the "
            "certainty.",
            certainty=OBSERVED,
        )
    if draft.urgency == FUTURE and draft.certainty == OBSERVED:
        yield (
            f"{FUTURE} means that the event is still to come, but {OBSERVED} means that it is happening. Change one "
            "of them."
        )
    if draft.type == ALERT and draft.severity == MINOR and not draft.is_test and not draft.follow_up:
        yield (
            f"The type {TYPES[ALERT]} is for urgent threats, but {MINOR} means little or no threat. Change one of them."
        )
    if draft.type == COMMUNITY and draft.severity in (EXTREME, SEVERE) and draft.urgency in (IMMEDIATE, EXPECTED):
        yield _choose(
            f"The levels are {draft.severity} and {draft.urgency}, but many people do not receive the type "
            f"{TYPES[COMMUNITY]} on their phones. For a warning, use {TYPES[ALERT]}.",
            type=ALERT,
        )


def _of_event(draft: AlertDraft, text: str) -> Iterator[str | Advice]:
    if draft.follow_up in _CALM:
        return
    subject, _, kind = draft.event.rpartition(" ")
    if kind == "Watch":
        wrong = [level for level in (draft.urgency, draft.certainty) if level in (IMMEDIATE, OBSERVED)]
        if wrong:
            warning = f"{subject} Warning"
            words = (
                f"A watch means that the event may happen, but {' and '.join(wrong)} means that it is happening. "
                "Check the event."
            )
            yield _choose_event(words, draft, warning) if warning in _EVENTS else words
    if kind == "Warning" and draft.certainty == UNLIKELY and draft.severity != EXTREME and draft.urgency != IMMEDIATE:
        yield (
            f"A warning means that the event is happening or about to happen, but {UNLIKELY} means that it is not. "
            "Change one of them."
        )
    if kind == "Advisory" and draft.severity == EXTREME:
        yield f"An advisory is less serious than a warning, but the severity is {EXTREME}. Change one of them."
    if kind == "Immediate" and draft.urgency and draft.urgency != IMMEDIATE:
        yield _choose(
            f"The event is {draft.event}, but the urgency is {draft.urgency}. Change one of them.",
            urgency=IMMEDIATE,
        )
    twin = {"Warning": f"{subject} Watch", "Watch": f"{subject} Warning"}.get(kind)
    if twin in _EVENTS and twin is not None:
        says_twin = re.search(rf"\b{re.escape(twin)}\b", text, re.I)
        if says_twin and not re.search(rf"\b{re.escape(draft.event)}\b", text, re.I):
            yield _choose_event(
                f"The text says “{_shown(says_twin)}”, but the event is {draft.event}. Change one of them.",
                draft,
                twin,
            )


def _of_words(draft: AlertDraft, text: str) -> Iterator[str | Advice]:
    life, acts = patterns.LIFE.search(text), patterns.ACT_NOW.finditer(text)
    act = next((match for match in acts if not patterns.GETS_READY.search(sentence_before(text, match.start()))), None)
    if act and draft.urgency in (PAST, FUTURE):
        yield _choose(
            f"The text says “{_shown(act)}”, but the urgency is {draft.urgency}. Change one of them.",
            urgency=IMMEDIATE,
        )
    if life and draft.severity == MINOR:
        yield f"The text says “{_shown(life)}”, but the severity is {MINOR}. Change one of them."
    # The urgency of an all clear is reported separately.
    if draft.follow_up not in {*_CORRECTIONS, ALL_CLEAR} and draft.urgency in (IMMEDIATE, EXPECTED, FUTURE):
        clear = next(
            (
                match
                for match in patterns.ALL_CLEAR.finditer(text)
                if not patterns.NOT_YET.search(sentence_before(text, match.start()))
            ),
            None,
        )
        if clear:
            yield _choose(
                f"The text says “{_shown(clear)}”, but the urgency is {draft.urgency}. Change one of them.",
                urgency=PAST,
            )
    calm = patterns.NO_DANGER.search(text)
    if calm and draft.severity in (EXTREME, SEVERE) and draft.follow_up not in _CORRECTIONS:
        yield f"The text says “{_shown(calm)}”, but the severity is {draft.severity}. Change one of them."
    later = patterns.LATER.search(text)
    if later and draft.urgency == IMMEDIATE:
        yield f"The text says “{_shown(later)}”, but the urgency is {IMMEDIATE}. Change one of them."


def _of_follow_up(draft: AlertDraft) -> Iterator[str | Advice]:
    if not draft.sms.strip():
        return
    texts = f"{draft.sms}\n{draft.text}"
    says_so = patterns.CORRECTS.search(without_accents(texts)) or _is_plain_update(draft, texts)
    if draft.follow_up in _CORRECTIONS and not says_so:
        yield _beginning(draft, "This alert is a correction, but the text does not say so.", "CORRECTION:")
    is_over = says_over(texts) or find_restored_services(texts) or patterns.PERMITS.search(without_accents(texts))
    if draft.follow_up == ALL_CLEAR and not is_over:
        yield _beginning(draft, "This alert is an all clear, but the text does not say so.", "ALL CLEAR:")
    if draft.follow_up in _CALM and draft.urgency not in ("", PAST):
        yield _choose(
            f"This alert says that people need not act, but the urgency is {draft.urgency}. Change the urgency to "
            f"{PAST}.",
            urgency=PAST,
        )


def _is_plain_update(draft: AlertDraft, texts: str) -> bool:
    """Return whether a correction leaves the earlier alert in force: "the evacuation continues, do not return yet".

    Only a text that contradicts the earlier one has to say that it is a correction.
    """
    sent = "\n".join(draft.sent_texts.values())
    is_in_force = draft.follow_up == CORRECTION and patterns.GOES_ON.search(without_accents(texts)) is not None
    return is_in_force and not says_over(texts) and not has_opposite_orders(texts, sent)


def _of_other_hazard(draft: AlertDraft) -> Iterator[str | Advice]:
    # The outline of another event is reported separately.
    if draft.follow_up in _CALM or other_event_of_outline(draft) is not None:
        return
    texts = _texts_without_instructions(draft)
    if has_cause(draft.event):
        # The title may name the cause, and the text what people should do.
        texts = ["\n".join(texts)]
    other = next(filter(None, (find_other_hazard(draft.event, text) for text in texts)), None)
    if other is None:
        return
    words = f"The event is {draft.event}, but the text says “{other.words}”. Change the text or the event."
    kind = draft.event.rpartition(" ")[2]
    events = sorted(other.events, key=lambda event: not event.endswith(kind))
    yield _choose_event(words, draft, events[0]) if events else words


def _texts_without_instructions(draft: AlertDraft) -> list[str]:
    """Return SMS, title, and notification text, each once. Instructions name what may follow: gas, floods, and fire."""
    texts = dict.fromkeys(" ".join(text.split()) for text in (draft.sms, draft.title, draft.text))
    return [text for text in texts if text]


def _of_followed(draft: AlertDraft) -> Iterator[str]:
    """Yield what an extension or an end says that does not fit the sent alert."""
    if not draft.sent_event or draft.follow_up not in (*_CALM, EXTENSION):
        return
    if draft.event != draft.sent_event:
        yield (f"The event is {draft.event}, but this alert follows the alert “{draft.sent_event}”. Change the event.")
        return
    if draft.follow_up in _CALM:
        sent = "\n".join(draft.sent_texts.values())
        for text in _texts_without_instructions(draft):
            other = find_unrelated_hazard(draft.event, text, sent)
            if other is not None:
                yield (
                    f"The text says “{other.words}”, but this alert follows the alert “{draft.sent_event}”. Change "
                    "the text."
                )
                return


def _of_outline(draft: AlertDraft) -> Iterator[Advice]:
    """Return advice if the text is the unchanged outline of another event, with a fix."""
    other, wording = other_event_of_outline(draft), starting_wording(draft.event)
    if other is None or wording is None:
        return
    instructions = wording.instructions if draft.instructions.strip() else ""
    changes: dict[str, Any] = {
        "sms": wording.sms,
        "instructions": instructions,
        "placeholders": placeholders_in(wording.sms, instructions),
    }
    # Place and end become placeholders again.
    changes |= {"inserted_place": "", "words_after_place": [], "end_written": None}
    yield Advice(
        f"The text is the outline for {other}, but the event is {draft.event}.",
        (Fix(f"Use the outline for {draft.event}", changes),),
    )


def _of_end(draft: AlertDraft, now: datetime | None, zone: str | None) -> Iterator[str | Advice]:
    if draft.hours not in EXPIRE_HOURS or draft.hours is None:
        return
    ending = ends_at(draft.hours, now, zone) if now is not None else None
    reported: set[str] = set()
    for name, quote in _PARTS:
        ends = find_end_times(getattr(draft, name), min(draft.written_at, now or draft.written_at), zone)
        # The Spanish paragraph of a text must state the right end too.
        for of_language in ([end for end in ends if end.is_spanish is is_spanish] for is_spanish in (False, True)):
            durations = [end for end in of_language if end.hours]
            clocks = [end for end in of_language if not end.hours] if ending is not None else []
            is_right = any(draft.hours in end.hours for end in durations) or any(
                ending is not None and _is_end(end, ending) for end in clocks
            )
            # The notification text often repeats the alert text.
            wrong = next(iter((*durations, *clocks)), None)
            if is_right or wrong is None or wrong.words.casefold() in reported:
                continue
            reported.add(wrong.words.casefold())
            if wrong.hours:
                yield _of_other_hours(wrong, draft, name, quote)
            elif ending is not None and now is not None:
                yield _of_other_end(wrong, draft, name, ending, now, quote)


def _is_end(end: EndTime, ending: Ending) -> bool:
    """Return whether a text states the end: MDT is not the time of a place where MST is in use."""
    zone, own = (_ZONE_NAME.search(text) for text in (end.words, ending.in_text))
    if zone is not None and own is not None and (zone[1], zone[2], own[2]) == (own[1], "D", "S"):
        return False
    # Hours are whole numbers, so up to an hour more is as close as it gets.
    return any(moment <= ending.utc < moment + _HOUR for moment in end.moments)


def _of_other_hours(end: EndTime, draft: AlertDraft, name: str, quote: str) -> Advice:
    hours = end.hours[-1]
    number = f"{draft.hours} {'hora' if end.is_spanish else 'hour'}{'s' if draft.hours != 1 else ''}"
    fixes = [Fix(f"Change to {hours} h", {"hours": hours})] if hours in EXPIRE_HOURS else []
    lasts = count(draft.hours or 0, "hour", "hours")
    fixes.append(Fix(f"Replace with “{number}”", {name: _with_time(getattr(draft, name), end, number)}))
    return Advice(
        f"{quote.format(end.words)}, but the alert lasts {lasts}. Change the text or the hours.", tuple(fixes)
    )


def _of_other_end(end: EndTime, draft: AlertDraft, name: str, ending: Ending, now: datetime, quote: str) -> Advice:
    nearest = min(end.moments, key=lambda moment: abs(moment - ending.utc))
    needed = -((now.astimezone(UTC) - nearest) // _HOUR)
    is_offered = needed in EXPIRE_HOURS and needed != draft.hours
    fixes = [Fix(f"Change to {needed} h", {"hours": needed})] if is_offered else []
    right = ending.in_spanish if end.is_spanish else ending.in_text
    # From now on, Muster's end follows the hours.
    written = WrittenEnd(right, draft.hours or 0, ending.zone)
    changes = {name: _with_time(getattr(draft, name), end, right), "end_written": written}
    fixes.append(Fix(f"Replace with “{right}”", changes))
    quoted = quote.format(end.words)
    if nearest <= now.astimezone(UTC):
        return Advice(f"{quoted}, but that time has passed. Change the text.", tuple(fixes))
    if is_offered:
        return Advice(f"{quoted}, but the alert ends {ending.words}. Change the text or the hours.", tuple(fixes))
    limit = f" An alert can last at most {EXPIRE_HOURS[-1]} hours." if nearest > ending.utc else ""
    return Advice(f"{quoted}, but the alert ends {ending.words}.{limit} Change the text.", tuple(fixes))


def _with_time(text: str, end: EndTime, words: str) -> str:
    """Return the text with these words in place of the time that it states."""
    return f"{text[: end.time_start]}{words}{text[end.time_end :]}"


def _texts(draft: AlertDraft) -> list[str]:
    return [part for part in (draft.title, draft.text, draft.sms, draft.instructions) if part.strip()]


def _whole_text(draft: AlertDraft) -> str:
    return "\n".join(_texts(draft))


def _is_said(message: str, findings: Sequence[str | Advice]) -> bool:
    """Return whether one of the findings quotes the words that a message quotes first."""
    first = message.partition("“")[2].partition("”")[0].casefold()
    messages = [each.words if isinstance(each, Advice) else each for each in findings]
    quotes = [each.partition("“")[2].partition("”")[0].casefold() for each in messages]
    return any(quote and (quote in first or first in quote) for quote in quotes)


def _shown(match: re.Match[str]) -> str:
    return " ".join(match.group().split()).strip(" .:!–—-")
