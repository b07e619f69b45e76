"""When an alert ends, as the clock on the wall at the place shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from babel.dates import get_day_names

from client.vocabulary.public_alerts import EXPIRE_HOURS
from domain.text.place_clock import clock, on_clocks, zone_or_utc, zone_word
from domain.text.time_text import DAYS, MONTHS


@dataclass(frozen=True)
class Ending:
    """The moment at which an alert ends, there; `words` says it as people do, `in_text` as a text message does."""

    utc: datetime
    local: datetime
    zone: str
    words: str
    in_text: str
    note: str | None

    @property
    def in_spanish(self) -> str:
        """As `in_text`, for a Spanish text: "sáb. 9:15 am"."""
        day, _, time = self.in_text.partition(" ")
        if day not in DAYS:
            return self.in_text
        return f"{get_day_names('abbreviated', locale='es')[DAYS.index(day)]} {time}"

    def here(self, desk: str | None) -> str:
        """The same moment on the desk's clocks, " · 02:05 CET at this desk"; "" where they show the same."""
        _, _, behind = on_clocks(self.utc, self.zone, desk=desk).partition(" · ")
        return behind and f" · {behind}"


def ends_at(hours: int | None, now: datetime, zone: str | None) -> Ending | None:
    """When an alert sent now ends in this zone (UTC without a known one); None where the hours are none it may have.

    Hours are true hours: over a change of the clocks the clock shows another time, and `note` says so.
    """
    if hours not in EXPIRE_HOURS or hours is None:
        return None
    place = zone_or_utc(zone)
    start = now.astimezone(place)
    ends = now.astimezone(UTC) + timedelta(hours=hours)
    local = ends.astimezone(place)
    return Ending(ends, local, str(place), _words(start, local), _in_text(start, local), _note(start, local))


def _words(start: datetime, local: datetime) -> str:
    told = f"{clock(local)} {zone_word(local)}"
    days = (local.date() - start.date()).days
    if days == 0:
        return f"today at {told}"
    day = f"{DAYS[local.weekday()]} {local.day} {MONTHS[local.month - 1]}"
    return f"tomorrow, {day}, at {told}" if days == 1 else f"{day} at {told}"


def _in_text(start: datetime, local: datetime) -> str:
    # On another day "until 09:45" is read as today's, which may be past.
    day = "" if local.date() == start.date() else f"{DAYS[local.weekday()]} "
    # To the quarter, and never later than it ends: what is sent some minutes after it was written ends later still.
    return f"{day}{clock(local.replace(minute=local.minute // 15 * 15))}"


def _note(start: datetime, local: datetime) -> str | None:
    change = (local.utcoffset() or timedelta(0)) - (start.utcoffset() or timedelta(0))
    if not change:
        return None
    way = "forward" if change > timedelta(0) else "back"
    return f"The clocks go {way} before it ends; the hours are counted as they pass."
