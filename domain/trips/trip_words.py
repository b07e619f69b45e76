"""How times, days and nights of a trip are written: wall-clock times at the place, without a zone."""

from datetime import date, datetime, timedelta

from domain.text.time_text import DAYS, MONTHS, span


def clock(local: datetime | None) -> str:
    """Write a wall-clock time: ``Sat 24 Oct, 14:05``; a dash for none."""
    return f"{day(local.date())}, {hours(local)}" if local else hours(None)


def hours(local: datetime | None) -> str:
    """Write the hours and minutes of a time: ``14:05``; a dash for none."""
    return f"{local.hour:02}:{local.minute:02}" if local else "–"


def day(value: date) -> str:
    """Write a day: ``Sat 24 Oct``."""
    return f"{DAYS[value.weekday()]} {value.day} {MONTHS[value.month - 1]}"


def day_and_year(value: date) -> str:
    """Write a day with its year: ``Sat 24 Oct 2026``."""
    return f"{day(value)} {value.year}"


def nights(first: date, number: int) -> str:
    """Write the days from the evening of the first night to the morning after the last: ``24–26 Oct``."""
    last = first + timedelta(days=number)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{last.day} {MONTHS[last.month - 1]}"
    years = ("", "") if first.year == last.year else (f" {first.year}", f" {last.year}")
    return f"{first.day} {MONTHS[first.month - 1]}{years[0]} – {last.day} {MONTHS[last.month - 1]}{years[1]}"


def how_long(duration: timedelta) -> str:
    """Write how long something lasts in its two largest units, without its sign: ``2 d 3 h``, ``25 min``."""
    return span(abs(duration))


def kilometres(distance: float) -> str:
    """Write a distance: ``85 km``, ``1,200 km``."""
    return f"{round(distance, -1 if distance >= 100 else 0):,.0f} km"
