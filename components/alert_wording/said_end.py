"""The end that a text names ("until 18:00", "for the next 2 hours"), read as moments and as hours."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from components.alert_wording.patterns import pattern
from components.widgets.place_clock import zone_or_utc

_DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY: Final = rf"(?:{'|'.join(_DAYS)})(?:day|sday|nesday|rsday|urday)?\b"
_UNTIL: Final = pattern(
    r"""
    (?:\b(?:until|till|through|thru)|[’']?\btil)\s+(?:about |at least |approximately )?
    (?:(?:on )?(?P<day>today|tonight|tomorrow|(?:next )?<weekday>)(?:, | at |,? \d{1,2} \w{3},? (?:at )?|\s+))?
    (?:(?P<clock>\d{1,2})(?:[:.](?P<minute>\d{2}))?\s*(?P<half>[ap])\.?m\b\.?|
    (?P<clock24>\d{1,2}):(?P<minute24>\d{2})|(?P<word>noon|midday|midnight))
    \s*(?P<zone>(?-i:UTC|GMT|(?<=\d)Z|[ECMP][SD]?T|AK[SD]?T|HST)\b)?
    (?:\s*\b[A-Z]{2,4}\b)??\s*,?\s*(?:on )?(?P<after>today|tonight|tomorrow|<weekday>)?
    """,
    weekday=_WEEKDAY,
)
_ZONES: Final = {
    "E": "America/New_York",
    "C": "America/Chicago",
    "M": "America/Denver",
    "P": "America/Los_Angeles",
    "A": "America/Anchorage",
    "H": "Pacific/Honolulu",
}
"""The clocks that letters behind a time name, by the first of them; "EST" is written all the year."""
_SPOKEN: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_HOURS: Final = pattern(
    r"""
    \b(?:for|during|over) the (?:next|coming|following)
    \s(?P<number>\d{1,2}|an?|<spoken>)\s*(?:hours?|hrs?)\b
    """,
    spoken="|".join(_SPOKEN),
)


class SaidEnd(NamedTuple):
    """An end that a text names: its words, where they begin in it, and the moments (UTC) that they may mean."""

    words: str
    start: int
    moments: list[datetime]


def said_hours(text: str) -> int | None:
    """How many hours "for the next … hours" names; None where it is not said."""
    found = _HOURS.search(text)
    if found is None:
        return None
    number = found["number"].casefold()
    return int(number) if number.isdigit() else _SPOKEN.index(number) + 1 if number in _SPOKEN else 1


def said_ends(text: str, now: datetime, zone: str | None) -> list[SaidEnd]:
    """Each end that the text names, read in a zone (UTC without a known one).

    "until 6:00" may be either half of the day; a clock without a day is the next one to come.
    """
    place = zone_or_utc(zone)
    ends = []
    for found in _UNTIL.finditer(text):
        letters = found["zone"]
        # Arizona and Saskatchewan write all the year what their neighbours write in winter.
        is_own = letters in (None, now.astimezone(place).tzname())
        info = place if is_own else ZoneInfo(_ZONES.get(letters[:1], "UTC"))
        start = now.astimezone(info)
        moments = [
            moment
            for clock in _clocks(found)
            for moment in _moments(clock, (found["day"] or found["after"] or "").casefold(), start)
        ]
        if moments:
            words = found.group().rstrip(" ,.")
            ends.append(SaidEnd(words, found.start(), sorted(moment.astimezone(UTC) for moment in moments)))
    return ends


def _clocks(found: re.Match[str]) -> list[time]:
    if found["word"]:
        return [time(0) if found["word"].casefold() == "midnight" else time(12)]
    hour, minute = int(found["clock"] or found["clock24"]), int(found["minute"] or found["minute24"] or 0)
    if minute > 59:
        return []
    if found["half"]:
        if not 1 <= hour <= 12:
            return []
        return [time(hour % 12 + (12 if found["half"].casefold() == "p" else 0), minute)]
    if hour == 24 and not minute:
        return [time(0)]
    if hour > 23:
        return []
    # 6:00 may be either half of the day; 06:00 and 18:00 are of the long clock.
    is_clear = hour > 12 or found["clock24"].startswith("0")
    halves = [hour] if is_clear else [hour % 12, hour % 12 + 12]
    return [time(each, minute) for each in halves]


def _moments(clock: time, day: str, start: datetime) -> list[datetime]:
    today = start.replace(hour=clock.hour, minute=clock.minute, second=0, microsecond=0)
    if day.startswith("tomorrow"):
        return [today + timedelta(days=1)]
    weekday = next((number for number, name in enumerate(_DAYS) if day.removeprefix("next ").startswith(name)), None)
    if weekday is not None:
        ahead = (weekday - start.weekday()) % 7
        found = today + timedelta(days=ahead)
        # Midnight belongs to the day it ends, in what most people say, and to the day it begins, by the calendar.
        return [found, found + timedelta(days=1)] if clock == time(0) else [found]
    if day in ("today", "tonight") and clock != time(0):
        return [today] if today > start or clock.hour >= 12 else [today, today + timedelta(days=1)]
    return [today if today > start else today + timedelta(days=1)]
