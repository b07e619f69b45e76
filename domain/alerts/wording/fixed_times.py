"""Replace the times and dates of an alert with placeholders, for a template that is sent on another day."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from domain.alerts.alert_events import TIME
from domain.alerts.alert_templates import texts_of
from domain.alerts.draft import AlertDraft
from domain.alerts.wording.end_time_in_text import find_end_times, replace_time
from domain.alerts.wording.patterns import pattern

_DAY: Final = r"(?-i:Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?\b"
_DAY_ES: Final = r"(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo)\b"
_MONTH: Final = (
    r"(?-i:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|tember|ober|ember)?\b\.?"
)
_MONTH_ES: Final = r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b"
_DATES: Final = pattern(
    r"""
    \b\d{4}-\d{2}-\d{2}\b|
    (?:\b<day>,? )?\b<month> \d{1,2}(?:st|nd|rd|th)?\b(?!:)(?:,? \d{4}\b)?|
    (?:\b<day>,? )?\b\d{1,2} <month>(?:,? \d{4}\b)?|
    (?:\b<day_es>,? )?\b\d{1,2} de <month_es>(?: de \d{4}\b)?|
    \b(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])/(?:\d{4}|\d{2})\b|
    (?<=\bon )(?:<day>|(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])\b)|(?<=\bel )<day_es>
    """,
    day=_DAY,
    day_es=_DAY_ES,
    month=_MONTH,
    month_es=_MONTH_ES,
)
_TIMES: Final = pattern(
    r"""
    (?<![\d:.])(?:1[0-2]|0?[1-9])(?:[:.][0-5]\d)? ?[ap](?:\.m\.|m\b)|
    (?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d\b(?! ?to)(?: ?(?:hrs?|h|hours|horas)\b)?|
    \b(?:[01]\d|2[0-4])[0-5]\d ?(?:hrs?|hours|horas)\b
    """
)
_PLACEHOLDER: Final = re.compile(r"(\[[^\[\]\n]*\])")
_ZONE_AFTER: Final = re.compile(r"(\[(?:other )?time(?: \d+)?\]) (?:UTC|GMT|[ECMPH][SD]?T|AK?[SD]T|ChST|SST)\b")


def replace_fixed_times(draft: AlertDraft, now: datetime, zone: str | None) -> tuple[AlertDraft, list[str]]:
    """Return the draft with placeholders for its times and dates, and the replaced words.

    The end of the alert becomes `[time]`, which Muster fills in. Numbers of hours stay.
    """
    names: dict[str, str] = {}
    texts = {name: _blanked(text, draft, names, now, zone) for name, text in texts_of(draft).items()}
    changes: dict[str, Any] = {name: text for name, text in texts.items() if text != getattr(draft, name)}
    return draft.model_copy(update=changes), list(names)


def _blanked(text: str, draft: AlertDraft, names: dict[str, str], now: datetime, zone: str | None) -> str:
    if draft.end_written is not None and (end := draft.end_written.text) in text:
        names[end] = TIME
        text = replace_time(text, end, TIME)
    for stated in reversed(find_end_times(text, now, zone)):
        article = re.match(r"(?:las?|el) ", text[stated.time_start : stated.time_end], re.I)
        start = stated.time_start + (article.end() if article is not None else 0)
        words = text[start : stated.time_end]
        if not stated.hours and "[" not in words:
            names[words] = TIME
            text = f"{text[:start]}{TIME}{text[stated.time_end :]}"
    for kind, fixed in (("date", _DATES), ("other time", _TIMES)):
        # Outside the existing placeholders, which are at the odd indexes.
        parts = _PLACEHOLDER.split(text)
        parts[::2] = [
            fixed.sub(lambda found, kind=kind: _placeholder(found.group(), kind, names), part) for part in parts[::2]
        ]
        text = "".join(parts)
    return _ZONE_AFTER.sub(r"\1", text)


def _placeholder(words: str, kind: str, names: dict[str, str]) -> str:
    if words not in names:
        count = 1 + len({name for name in names.values() if name.startswith(f"[{kind}")})
        names[words] = f"[{kind}]" if count == 1 else f"[{kind} {count}]"
    return names[words]
