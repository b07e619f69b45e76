"""A month as a small calendar in Markdown, each day with a letter and a color for its place."""

from __future__ import annotations

from calendar import Calendar
from collections.abc import Mapping
from datetime import date
from string import ascii_uppercase
from typing import Final

from domain.text.plain_text import plain
from domain.text.time_text import DAYS

_COLORS: Final = ("blue", "green", "violet", "gray")


def month_calendar(places: Mapping[date, str], month: date, today: date) -> str:
    """Return the calendar of the month that `month` is in, and below it the place of each letter; today is bold.

    Days without a place have no letter.
    """
    days = [day for week in Calendar().monthdatescalendar(month.year, month.month) for day in week]
    shown = list(dict.fromkeys(places[day] for day in days if day in places and day.month == month.month))
    marks = {place: _mark(number) for number, place in enumerate(shown)}
    cells = [_cell(day, marks.get(places.get(day, ""), ""), month, today) for day in days]
    weeks = [cells[first : first + len(DAYS)] for first in range(0, len(cells), len(DAYS))]
    rows = [DAYS, ["---"] * len(DAYS), *weeks]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    legend = "  \n".join(f"{mark} {plain(place)}" for place, mark in marks.items())
    return f"{table}\n\n{legend}"


def _mark(number: int) -> str:
    letter = ascii_uppercase[number % len(ascii_uppercase)]
    return f":{_COLORS[number % len(_COLORS)]}-background[{letter}]"


def _cell(day: date, mark: str, month: date, today: date) -> str:
    if day.month != month.month:
        return " "
    number = f"**{day.day}**" if day == today else str(day.day)
    return f"{number} {mark}".rstrip()
