"""The time of an incident: now, the next hours, since a time, or between two times."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from domain.expected_locations.at_moment import to_the_minute
from domain.text.time_text import moment

IncidentMode = Literal["Now", "Next 6 h", "Next 24 h", "Next 72 h", "Since", "Between two times"]
INCIDENT_MODES: Final[tuple[IncidentMode, ...]] = (
    "Now",
    "Next 6 h",
    "Next 24 h",
    "Next 72 h",
    "Since",
    "Between two times",
)
_HOURS: Final[dict[str, int]] = {"Now": 0, "Next 6 h": 6, "Next 24 h": 24, "Next 72 h": 72}


@dataclass(frozen=True)
class IncidentTime:
    """The selected time. `since` and `until` are UTC without a zone, and apply to Since and Between two times."""

    mode: IncidentMode = "Now"
    since: datetime | None = None
    until: datetime | None = None

    @property
    def follows_clock(self) -> bool:
        """Return whether the time moves with the clock."""
        return self.mode in _HOURS

    @property
    def problem(self) -> str:
        """Return why the text is not a valid time; "" if it is valid."""
        if self.mode == "Between two times" and self.since and self.until and self.until < self.since:
            return "The incident ends before it begins. Change one of the times."
        return ""

    def begins(self, now: datetime) -> datetime:
        """Return when the incident begins: aware, to the minute."""
        if self.follows_clock or self.since is None:
            return to_the_minute(now)
        return self.since.replace(tzinfo=UTC)

    def ends(self, now: datetime) -> datetime | None:
        """Return when the incident ends: aware; None if it goes on."""
        if self.follows_clock:
            return self.begins(now) + timedelta(hours=_HOURS[self.mode])
        return self.until.replace(tzinfo=UTC) if self.mode == "Between two times" and self.until is not None else None

    def text(self, now: datetime) -> str:
        """Return the time as text: "now, Fri, Nov 20, 12:05 UTC", "Fri, Nov 20, 12:05 UTC until Sat, Nov 21, 12:05
        UTC".
        """
        return time_words(self.begins(now), self.ends(now), now)


def time_words(begins: datetime, ends: datetime | None, now: datetime) -> str:
    """Format the time of an incident in UTC."""
    if ends is None:
        return f"since {moment(begins, now=now)}"
    return moment(begins, now=now) if begins == ends else f"{moment(begins, now=now)} until {moment(ends, now=now)}"


def stored_time(begins: datetime, ends: datetime | None) -> IncidentTime:
    """Return the time of a stored incident."""
    since = begins.astimezone(UTC).replace(tzinfo=None)
    if ends is None:
        return IncidentTime("Since", since)
    return IncidentTime("Between two times", since, ends.astimezone(UTC).replace(tzinfo=None))
