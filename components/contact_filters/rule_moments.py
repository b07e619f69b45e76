"""Moments of a rule: epoch milliseconds on the wire, a local date and time in a chosen zone on the screen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from components.geography.time_zones import parse_clock, true_time, zone_named
from components.widgets.time_text import DAYS, MONTHS

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_LAST_CLOCK: Final = time(23, 59, 59, 999000)
_END_OF_DAY: Final = "24:00"
"""How the last millisecond of a day is typed and shown: nobody types it otherwise."""
MILLISECONDS: Final = re.compile(r"-?\d{12,16}", re.ASCII)
"""Epoch milliseconds as people paste them. Fewer digits are seconds, a year or a slip: nobody means January 1970."""
_HOUR: Final = re.compile(r"\d{1,2}", re.ASCII)
_ISO_DAY: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]+(.+))?")
_WORD_DAY: Final = re.compile(r"(?:[A-Za-z]{2,9},? )?(\d{1,2}) ([A-Za-z]{3,9})\.? (\d{4})(?:,? +(.+))?")
_FORM_WORDS: Final = "Write it like 2026-11-20 14:05."


@dataclass(frozen=True, slots=True)
class Reading:
    """What was made of a text: a value, or words on why it is none; neither for an empty text. `note` is a caution."""

    value: Any = None
    problem: str | None = None
    note: str | None = None


def read_moment(text: str, zone: str = "UTC", *, end_of_day: bool = False) -> Reading:
    """Read a local date and time in a zone, one with an offset of its own, or epoch milliseconds.

    A day without a time is its start, or with `end_of_day` its last millisecond.
    """
    # ASSUMPTION A77: a day alone begins a span at its start and ends one at its last millisecond, in the zone shown;
    # 24:00 is that millisecond.
    typed = " ".join(text.split())
    if MILLISECONDS.fullmatch(typed):
        return Reading(int(typed))
    day, rest = _split(typed)
    if day is None:
        return Reading(None, f"“{typed}” is not a date. {_FORM_WORDS}")
    aware = _with_offset(day, rest)
    if aware is not None:
        return Reading(milliseconds_of(aware))
    clock = (_LAST_CLOCK if end_of_day else time(0)) if not rest else _clock(rest)
    if clock is None:
        return Reading(None, f"“{rest}” is not a time of day. Write it like 14:05.")
    read = true_time(datetime.combine(day, clock), zone)
    if read.utc is None:
        return Reading(None, read.note or f"“{typed}” is not a date. {_FORM_WORDS}")
    return Reading(milliseconds_of(read.utc), note=read.note)


def milliseconds_of(moment: datetime) -> int:
    """Epoch milliseconds of an aware moment, rounded down."""
    return (moment - _EPOCH) // _MILLISECOND


def local_moment(milliseconds: Any, zone: str = "UTC") -> datetime | None:
    """Epoch milliseconds as local date-time in a zone; None where they are none, or out of the calendar."""
    if not isinstance(milliseconds, int) or isinstance(milliseconds, bool):
        return None
    try:
        return (_EPOCH + timedelta(milliseconds=milliseconds)).astimezone(zone_named(zone) or ZoneInfo("UTC"))
    except OverflowError:
        return None


def moment_text(milliseconds: Any, zone: str = "UTC") -> str:
    """Epoch milliseconds as they are typed, `2026-11-20 14:05`, with seconds where there are any."""
    local = local_moment(milliseconds, zone)
    if local is None:
        return str(milliseconds)
    return f"{local.date().isoformat()} {_clock_text(local)}"


def moment_parts(shown: Any, zone: str = "UTC") -> tuple[date | None, str]:
    """The day and the time as two fields show them, of epoch milliseconds or of a text that cannot be read."""
    if isinstance(shown, str):
        day, rest = _split(" ".join(shown.split()))
        return (day, rest) if day is not None else (None, shown.strip())
    local = local_moment(shown, zone)
    return (None, "") if local is None else (local.date(), _clock_text(local))


def joined_parts(day: date | None, clock: str) -> str:
    """The text of a day and a time from two fields, as `set_value` takes it."""
    return " ".join(part for part in (day.isoformat() if day else "", clock.strip()) if part)


def moment_words(milliseconds: Any, zone: str = "UTC", *, with_zone: bool = True) -> str:
    """Epoch milliseconds for people: "Fri 20 Nov 2026, 14:05 UTC"."""
    local = local_moment(milliseconds, zone)
    if local is None:
        return f"“{milliseconds}”"
    ends_day = local.time() == _LAST_CLOCK
    words = f"the end of {_day_words(local)}" if ends_day else f"{_day_words(local)}, {_clock_text(local)}"
    return f"{words} {_zone_words(zone)}" if with_zone else words


def spans_ahead(now: datetime, zone: str = "UTC") -> dict[str, tuple[date, date]]:
    """The spans that people look ahead over, by what they call them: first and last day of each in a zone."""
    today = now.astimezone(zone_named(zone) or ZoneInfo("UTC")).date()
    monday = today - timedelta(days=today.weekday())
    return {
        "Today": (today, today),
        "This week": (monday, monday + timedelta(days=6)),
        "Next 7 days": (today, today + timedelta(days=6)),
    }


def span_words(first: Any, last: Any, zone: str = "UTC") -> str:
    """A span for people: "between Fri 20 Nov and Fri 27 Nov 2026 UTC, both days included"."""
    begin, end = local_moment(first, zone), local_moment(last, zone)
    if begin is not None and end is not None and begin.time() == time(0) and end.time() == _LAST_CLOCK:
        if begin.date() == end.date():
            return f"on {_day_words(begin)} {_zone_words(zone)}"
        start = _day_words(begin, year=begin.year != end.year)
        note = "both days included"
        in_zone = f"UTC ({note})" if zone == "UTC" else f"({zone}, {note})"
        return f"between {start} and {_day_words(end)} {in_zone}"
    start = "…" if first is None else moment_words(first, zone, with_zone=False)
    return f"between {start} and {'…' if last is None else moment_words(last, zone)}"


def _zone_words(zone: str) -> str:
    return zone if zone == "UTC" else f"({zone})"


def _day_words(local: datetime, *, year: bool = True) -> str:
    words = f"{DAYS[local.weekday()]} {local.day} {MONTHS[local.month - 1]}"
    return f"{words} {local.year}" if year else words


def _clock_text(local: datetime) -> str:
    if local.time() == _LAST_CLOCK:
        return _END_OF_DAY
    if local.microsecond:
        return f"{local:%H:%M:%S}.{local.microsecond // 1000:03d}"
    return f"{local:%H:%M:%S}" if local.second else f"{local:%H:%M}"


def _split(typed: str) -> tuple[date | None, str]:
    iso, worded = _ISO_DAY.fullmatch(typed), _WORD_DAY.fullmatch(typed)
    try:
        if iso:
            return date.fromisoformat(iso[1]), (iso[2] or "").strip()
        if worded:
            month = MONTHS.index(worded[2][:3].capitalize()) + 1
            return date(int(worded[3]), month, int(worded[1])), (worded[4] or "").strip()
    except ValueError:
        # No such day, or no such month.
        pass
    return None, ""


def _clock(text: str) -> time | None:
    if text in (_END_OF_DAY, "24.00", "2400"):
        return _LAST_CLOCK
    if _HOUR.fullmatch(text):
        return time(int(text)) if int(text) < 24 else None
    plain = parse_clock(text)
    if plain is not None:
        return plain
    try:
        read = time.fromisoformat(text)
    except ValueError:
        return None
    return read if read.tzinfo is None else None


def _with_offset(day: date, rest: str) -> datetime | None:
    """A time that names its own offset, as pasted from elsewhere; None for one that does not."""
    text = rest.removesuffix(" UTC") + "Z" if rest.endswith(" UTC") else rest
    try:
        read = time.fromisoformat(text)
        return datetime.combine(day, read).astimezone(UTC) if read.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None
