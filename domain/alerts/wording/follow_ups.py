"""Follow-ups: new alerts to the same recipients about an alert that was sent.

A sent alert cannot be changed or recalled, so the text of its follow-up must say what is new.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, cast

from client.vocabulary.public_alerts import EVENTS_BY_CATEGORY, EXPIRE_HOURS, SEVERITIES
from domain.alerts.alert_events import (
    TIME,
    TO_DO_NOW,
    TRUE_NOW,
    WHO,
    is_outline,
    outline_of,
    placeholders_in,
    sender_of,
    starting_wording,
    usual_levels_of,
)
from domain.alerts.draft import (
    ALL_CLEAR,
    CORRECTION,
    EXTENSION,
    FALSE_ALARM,
    SECOND_LANGUAGE,
    UPGRADE,
    AlertDraft,
    FollowUp,
    WrittenEnd,
)
from domain.alerts.expiry import ends_at
from domain.alerts.levels import (
    ALERT,
    EXTREME,
    IMMEDIATE,
    LIKELY,
    MINOR,
    MODERATE,
    OBSERVED,
    PAST,
    SEVERE,
    UNLIKELY,
)
from domain.alerts.wording.contradictions import looks_live
from domain.alerts.wording.end_time_in_text import find_end_times
from domain.alerts.wording.patterns import CITY, HEAD, NAMED_OFFICE, is_fire


@dataclass(frozen=True)
class Kind:
    """A kind of follow-up, with its labels and icon."""

    label: str
    """The label of the button that starts it."""
    icon: str
    title: str
    """The name of the new alert."""
    followed: str
    """What lists call the alert that it follows."""
    mark: str
    """The words that begin its text."""
    help: str
    colour: str = "red"
    is_calm: bool = False
    """Whether it says that people no longer need to act."""


_TABLE: Final = Path(__file__).with_suffix(".toml")
KINDS: Final[dict[FollowUp, Kind]] = {
    cast("FollowUp", name): Kind(**row) for name, row in tomllib.loads(_TABLE.read_text(encoding="utf-8")).items()
}
_OVER: Final = {"instructions": "", "hours": 1}
"""The shortest duration, for a message that needs no end and no action."""
_WORSE: Final = {EXTREME: EXTREME, SEVERE: EXTREME, MODERATE: SEVERE, MINOR: MODERATE}
_HOUR: Final = timedelta(hours=1)
_REMAINS: Final = " remains in effect"
_REPLACES: Final = re.compile(r" This[^.]* replaces our (?:[^.]* )?alert[^.]*\.")
_EVENTS: Final = frozenset(event for events in EVENTS_BY_CATEGORY.values() for event in events)


def follow_up_kinds(sent_draft: AlertDraft) -> list[FollowUp]:
    """Return the kinds of follow-ups that fit a sent alert, in display order."""
    if sent_draft.is_test and not looks_live(sent_draft):
        return [CORRECTION]
    if is_calm(sent_draft):
        return [CORRECTION, SECOND_LANGUAGE]
    worse = upgraded(sent_draft)
    is_worse = any(getattr(sent_draft, name) != value for name, value in worse.items())
    upgrade: list[FollowUp] = [UPGRADE] if is_worse else []
    return [*upgrade, EXTENSION, ALL_CLEAR, CORRECTION, FALSE_ALARM, SECOND_LANGUAGE]


def is_calm(draft: AlertDraft) -> bool:
    """Return whether an alert says that people no longer need to act."""
    return draft.follow_up != "" and KINDS[draft.follow_up].is_calm


def upgraded(sent_draft: AlertDraft) -> dict[str, Any]:
    """Return event, levels, and type for a worse situation: a watch becomes its warning, others more severe and
    certain.
    """
    subject, _, kind = sent_draft.event.rpartition(" ")
    warning = f"{subject} Warning"
    usual = usual_levels_of(warning) if kind == "Watch" and warning in _EVENTS else None
    if usual is not None:
        severity = (
            sent_draft.severity
            if sent_draft.severity in SEVERITIES[: SEVERITIES.index(usual.severity)]
            else usual.severity
        )
        type_ = ALERT if sent_draft.type == ALERT else usual.type
        return {"event": warning, **usual._asdict(), "severity": severity, "type": type_}
    severity = _WORSE.get(sent_draft.severity, SEVERE)
    return {
        "event": sent_draft.event,
        "urgency": IMMEDIATE,
        "severity": severity,
        "certainty": sent_draft.certainty if sent_draft.certainty in (OBSERVED, LIKELY) else LIKELY,
        # An alert for subscribers who asked for news reaches phones silently.
        "type": ALERT if severity in (EXTREME, SEVERE) else sent_draft.type,
    }


def follow_up(
    kind: FollowUp,
    sent_draft: AlertDraft,
    *,
    follows: int | None = None,
    at: datetime | None = None,
    sent_at: str = "",
    place: str = "",
    now: datetime | None = None,
    zone: str | None = None,
) -> AlertDraft:
    """Return a new draft that follows a sent alert in this way. `follows` is the ID of its notification.

    `at` is when it was sent, `sent_at` is that time for the public ("14:05"), and `zone` is the time zone of its end.
    Unknown values become placeholders. The recipients stay, and the type is never one that fewer phones let through, so
    that everyone who got the first alert gets this one.
    """
    fresh = AlertDraft()
    words = _WORDS[kind](sent_draft, _earlier(sent_draft, sent_at), place, now or datetime.now(UTC), zone, at)
    prefix = KINDS[kind].title
    subject = (_without_mark(sent_draft.title) or sent_draft.event).replace(
        sent_draft.event, words.get("event", sent_draft.event)
    )
    title = f"{prefix}: {subject}".rstrip(": ") if KINDS[kind].mark else ""
    blanks = placeholders_in(*(str(words.get(name, "")) for name in ("sms", "instructions")))
    changes: dict[str, Any] = {"title": title, "placeholders": blanks, "follow_up": kind, "follows": follows, **words}
    if not sent_draft.text.strip():
        changes["text"] = ""
    elif KINDS[kind].mark:
        changes["text"] = changes["sms"]
    # The reminder to extend the first alert applies to the follow-up that replaces it.
    changes["goes_on"] = sent_draft.goes_on and kind != SECOND_LANGUAGE and not _OVER.items() <= words.items()
    if kind != SECOND_LANGUAGE:
        changes["sent_texts"] = {"sms": sent_draft.sms, "instructions": sent_draft.instructions}
        changes |= {"sent_event": sent_draft.event, "sent_regions": list(sent_draft.regions)}
    own = (
        "uid",
        "stage",
        "checked",
        "refused",
        "template",
        "translation_of",
        "not_imported",
        "written_at",
        "source",
        "sent_texts",
        "sent_event",
        "sent_regions",
        "template_saved_at",
        "end_written",
        "extends_until",
    )
    reset = {name: getattr(fresh, name) for name in own}
    return sent_draft.model_copy(deep=True, update={**reset, **changes})


def _earlier(sent: AlertDraft, sent_at: str) -> str:
    subject = sent.event or _without_mark(sent.title)
    return f"our {f'{sent_at} ' if sent_at else ''}alert{f' ({subject})' if subject else ''}"


def _begins(sent: AlertDraft, kind: FollowUp) -> str:
    return f"{KINDS[kind].mark} from {_who(sent)}:"


def _who(sent: AlertDraft) -> str:
    """Return the sender: the contact, else the sender after a follow-up's mark, else an office that begins the text,
    else a placeholder.
    """
    if given := sender_of(sent):
        return given
    if mark := KINDS[sent.follow_up].mark if sent.follow_up else "":
        named = re.match(rf"{mark} from ([^:\[\]]+):", sent.sms)
        return named[1] if named else WHO
    head = HEAD.match(sent.sms)
    if head is None or is_fire(head[1], sent.sms[head.end() :], sent.event):
        return WHO
    return head[1] if NAMED_OFFICE.fullmatch(head[1]) or CITY.fullmatch(head[1]) else WHO


def _until(hours: int | None, now: datetime, zone: str | None) -> str:
    """Return when an alert of these hours would end, as text; a placeholder if the time zone is unknown."""
    ending = ends_at(hours, now, zone) if zone is not None else None
    return ending.in_text if ending is not None else TIME


def _corrected(
    sent: AlertDraft, earlier: str, place: str, now: datetime, _zone: str | None, at: datetime | None
) -> dict[str, Any]:
    # Considering text and levels: readers took a test event with a live text for a warning.
    if sent.is_test and not looks_live(sent):
        was = f"{_there(earlier[0].upper() + earlier[1:], place)} was a test."
        return {
            "sms": f"{_begins(sent, CORRECTION)} {was} There is no emergency. No action is needed.",
            **_OVER,
        }
    replaces = f"This replaces {_there(earlier, place)}."
    sms = f"{_begins(sent, CORRECTION)} {replaces} {TRUE_NOW} {_without_start(sent)}".strip()
    return {"sms": sms, "hours": _hours_left(sent, at, now)}


def _hours_left(sent: AlertDraft, at: datetime | None, now: datetime) -> int | None:
    """Return the hours until the end of an alert sent at this time, so that its text stays true, else its own hours."""
    if at is None or sent.hours is None:
        return sent.hours
    left = -((now - at - timedelta(hours=sent.hours)) // _HOUR)
    return left if left > 0 else sent.hours


# ASSUMPTION A451: the interface has no alert that ends or withdraws another. One that says that nobody need act claims
# no danger by its levels either, and keeps event, type and reach: the same phones have to hear it.
def _false_alarm(sent: AlertDraft, earlier: str, place: str, *_: object) -> dict[str, Any]:
    says = "It was a false alarm. There is no emergency. No action is needed."
    return {
        "sms": f"{_begins(sent, FALSE_ALARM)} Disregard {_there(earlier, place)}. {says}",
        **_OVER,
        **_levels(PAST, MINOR, UNLIKELY),
    }


def _all_clear(sent: AlertDraft, earlier: str, place: str, *_: object) -> dict[str, Any]:
    over = f"The emergency described in {_there(earlier, place)} is over."
    return {
        "sms": f"{_begins(sent, ALL_CLEAR)} {over} No further action is needed.",
        **_OVER,
        **_levels(PAST, MINOR, OBSERVED),
    }


def _extended(
    sent: AlertDraft, earlier: str, _place: str, now: datetime, zone: str | None, at: datetime | None
) -> dict[str, Any]:
    old_end = at + timedelta(hours=sent.hours) if at is not None and sent.hours is not None else None
    hours = _hours_from(old_end, sent, now)
    end = _until(hours, now, zone)
    rest, instructions = _without_start(sent), sent.instructions
    if at is not None and zone is not None:
        rest, instructions = (_extended_in(text, hours, now, sent.hours, at, zone) for text in (rest, instructions))
    # The end is stated once: in the text of the alert, or before it.
    states_end = end in rest or (_ends_in_spanish(hours, now, zone) or end) in rest
    until = "" if states_end else f" until {end}"
    begins = f"{_begins(sent, EXTENSION)} {earlier[0].upper()}{earlier[1:]}{_REMAINS}{until}."
    written = WrittenEnd(end, hours, zone) if zone is not None and hours is not None else None
    return {
        "sms": f"{begins} {rest}".strip(),
        "instructions": instructions,
        "hours": hours,
        "extends_until": old_end,
        "end_written": written,
    }


def _ends_in_spanish(hours: int | None, now: datetime, zone: str | None) -> str:
    ending = ends_at(hours, now, zone) if zone is not None else None
    return ending.in_spanish if ending is not None else ""


def _hours_from(old_end: datetime | None, sent: AlertDraft, now: datetime) -> int | None:
    """Return the hours of an extension: those of the alert, counted from its end, but at most the usual number."""
    if old_end is None or sent.hours is None or old_end <= now:
        return sent.hours
    usual = usual_levels_of(sent.event)
    added = min(sent.hours, usual.hours) if usual is not None else sent.hours
    return min(-((now - old_end) // _HOUR) + added, EXPIRE_HOURS[-1])


def _extended_in(text: str, new_hours: int | None, now: datetime, hours: int | None, at: datetime, zone: str) -> str:
    """Return the text with the end of an alert sent now in place of the alert's own. The times of shelters stay."""
    old, new = ends_at(hours, at, zone), ends_at(new_hours, now, zone)
    for stated in reversed(find_end_times(text, at, zone)):
        # In full hours, because the text is compared with the end of the alert.
        if old is not None and new is not None and any(old.utc - _HOUR < each <= old.utc for each in stated.moments):
            until, end = ("hasta", new.in_spanish) if stated.is_spanish else ("until", new.in_text)
            until = until.capitalize() if stated.words[0].isupper() else until
            text = f"{text[: stated.start]}{until} {end}{text[stated.time_end :]}"
    return text


def _upgraded(
    sent: AlertDraft, earlier: str, place: str, now: datetime, zone: str | None, at: datetime | None
) -> dict[str, Any]:
    changes = upgraded(sent)
    worse, rest, instructions = sent.model_copy(update=changes), _without_start(sent), sent.instructions
    named = ""
    if worse.event == sent.event:
        changes["hours"] = _hours_left(sent, at, now)
    else:
        named = f" {worse.event}"
        end = _until(worse.hours, now, zone)
        old, begun = starting_wording(sent.event), outline_of(worse, place, end)
        if old is not None and is_outline(sent.sms, old.sms):
            rest = _without_who(begun.sms, sender_of(sent) or WHO)
        else:
            # The text stays: only its writer knows what people must do now.
            if at is not None and zone is not None:
                rest = _extended_in(rest, worse.hours, now, sent.hours, at, zone)
            rest = f"{TO_DO_NOW} {re.sub(re.escape(sent.event), worse.event, rest, flags=re.I)}"
        if old is not None and instructions.strip() and is_outline(instructions, old.instructions):
            instructions = begun.instructions
    stop = "" if rest.endswith((".", "!", "?")) else "."
    replaces = f"This{named} replaces {earlier}."
    return {**changes, "sms": f"{_begins(sent, UPGRADE)} {rest}{stop} {replaces}", "instructions": instructions}


_WORDS: Final[dict[FollowUp, Callable[..., dict[str, Any]]]] = {
    CORRECTION: _corrected,
    FALSE_ALARM: _false_alarm,
    ALL_CLEAR: _all_clear,
    EXTENSION: _extended,
    UPGRADE: _upgraded,
    SECOND_LANGUAGE: lambda *_: {"title": "", "sms": "", "instructions": "", "text": ""},
}


def _there(earlier: str, place: str) -> str:
    return f"{earlier} for {place}" if place else earlier


def _levels(urgency: str, severity: str, certainty: str) -> dict[str, Any]:
    return {"urgency": urgency, "severity": severity, "certainty": certainty}


def _without_start(sent: AlertDraft) -> str:
    """Return the text of an alert without what made it a follow-up itself."""
    text = _REPLACES.sub("", sent.sms.strip())
    mark = KINDS[sent.follow_up].mark if sent.follow_up else ""
    if mark and text.startswith(f"{mark} from "):
        is_extension = sent.follow_up == EXTENSION
        # The sender comes before the end, and its name may have a period.
        start = max(text.find(_REMAINS), 0) if is_extension else 0
        _, _, text = text[start:].partition(". " if is_extension else ": ")
    return _without_who(text, _who(sent))


def _without_who(text: str, who: str) -> str:
    return text[len(who) + 1 :].strip() if who and text.startswith(f"{who}:") else text


def _without_mark(title: str) -> str:
    words, marks = title.strip(), tuple(f"{kind.title.casefold()}:" for kind in KINDS.values())
    while words.casefold().startswith(marks):
        words = words.partition(":")[2].strip()
    return words
