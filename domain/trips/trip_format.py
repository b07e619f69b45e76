"""Write the times, nights, durations, and distances of a trip. Times are local times without a zone."""

from datetime import date, datetime, timedelta

from domain.text.time_text import format_date, month_and_day, span


def clock(local: datetime | None) -> str:
    """Write a local time: ``Sat, Oct 24, 14:05``; a dash for None."""
    return f"{day(local.date())}, {hours(local)}" if local else hours(None)


def hours(local: datetime | None) -> str:
    """Write hours and minutes: ``14:05``; a dash for None."""
    return f"{local.hour:02}:{local.minute:02}" if local else "–"


def day(value: date) -> str:
    """Write a day: ``Sat, Oct 24``."""
    return format_date(value, with_year=False)


def day_and_year(value: date) -> str:
    """Write a day with its year: ``Sat, Oct 24, 2026``."""
    return format_date(value, with_year=True)


def nights(first: date, number: int) -> str:
    """Write the dates from the first evening to the last morning: ``Oct 24–26``."""
    last = first + timedelta(days=number)
    if (first.year, first.month) == (last.year, last.month):
        return f"{month_and_day(first)}–{last.day}"
    years = ("", "") if first.year == last.year else (f", {first.year}", f", {last.year}")
    return f"{month_and_day(first)}{years[0]} – {month_and_day(last)}{years[1]}"


def format_duration(duration: timedelta) -> str:
    """Write a duration in its two largest units, without a sign: ``2 d 3 h``, ``25 min``."""
    return span(abs(duration))


def format_kilometers(distance: float) -> str:
    """Write a distance: ``85 km``, ``1,200 km``."""
    return f"{round(distance, -1 if distance >= 100 else 0):,.0f} km"
