"""A person's month as a small calendar in Markdown: each day in the color of its place."""

from __future__ import annotations

from calendar import Calendar, monthrange
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Final

from domain.expected_locations.at_moment import IN_TRANSIT
from domain.expected_locations.person_days import NOT_COVERED, PersonDay
from domain.text.plain_text import plain
from domain.text.time_text import MONTHS

_COLORS: Final = ("blue", "green", "violet", "gray")


def days_of_month(at: datetime) -> tuple[date, int]:
    """Return the first day of the month of a moment, and how many days it has."""
    return at.date().replace(day=1), monthrange(at.year, at.month)[1]


def main_places(days: Iterable[PersonDay]) -> dict[date, str]:
    """Return by day where a person mainly is, in text; days on which they do not travel are missing."""
    texts = {NOT_COVERED: "Not covered", IN_TRANSIT: "In transit"}
    return {each.day: texts.get(main.status, main.label) for each in days if (main := each.main) is not None}


def month_weeks(places: Mapping[date, str], month: date, today: date) -> list[list[str]]:
    """Return the days of the month that `month` is in, by week from Monday, each in the color of its place.

    Days of other months are empty, and `today` is bold.
    """
    colors = _colors(places)
    return [
        [_cell(day, colors.get(places.get(day, "")), today) if day.month == month.month else "" for day in week]
        for week in Calendar().monthdatescalendar(month.year, month.month)
    ]


def month_legend(places: Mapping[date, str]) -> list[str]:
    """Return a line for each place, in its color, with its days: "Nov 23–24, 30 Abu Dhabi (AUH)"."""
    return [
        f":{color}-background[{MONTHS[days[0].month - 1]} {_ranges([each.day for each in days])}] {plain(place)}"
        for place, color in _colors(places).items()
        if (days := [day for day, each in places.items() if each == place])
    ]


def _colors(places: Mapping[date, str]) -> dict[str, str]:
    return {place: _COLORS[number % len(_COLORS)] for number, place in enumerate(dict.fromkeys(places.values()))}


def _cell(day: date, color: str | None, today: date) -> str:
    number = f"**{day.day}**" if day == today else str(day.day)
    return f":{color}-background[{number}]" if color else number


def _ranges(days: Sequence[int]) -> str:
    """Ascending numbers as ranges: "23–24, 30"."""
    firsts = [day for day in days if day - 1 not in days]
    lasts = [day for day in days if day + 1 not in days]
    return ", ".join(
        str(first) if first == last else f"{first}–{last}" for first, last in zip(firsts, lasts, strict=True)
    )
