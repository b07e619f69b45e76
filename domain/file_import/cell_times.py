"""Reading times from cells: epoch seconds or milliseconds, ISO 8601 with or without a zone, and written dates.

The result is a span in epoch milliseconds, including its last millisecond. A date alone is its whole day. Times of day
alone are seconds since midnight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from babel import Locale

from domain.geography.folding import fold

DateOrder = Literal["as the file shows", "day first", "month first"]

EARLIEST: Final = -(2**62)
LATEST: Final = 2**62
"""The bounds of a span without a begin or an end."""

_MONTH_TO_HOUR: Final = "(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[01][0-9]|2[0-3])"
EPOCH: Final = (
    rf"(?!(?:19|20)[0-9]{{2}}{_MONTH_TO_HOUR}(?:[0-5][0-9]){{0,2}}$|[2-9][0-9]{_MONTH_TO_HOUR}(?:[0-5][0-9]){{1,2}}$)"
    "-?[0-9]{9,15}"
)
"""Seconds or milliseconds. Digits that could be a calendar date, such as 202603200825, are excluded."""
SERIAL: Final = r"[2-6][0-9]{4}(?:[.,][0-9]+)?"
"""A spreadsheet date: days since 1899-12-30 with a fraction of the day, from 1954 until 2091."""
_FRACTION: Final = r"0?[.,][0-9]+"
_SURE_FRACTION: Final = r"0?[.,][0-9]{3,}"
"""A fraction of a day that cannot be hours and minutes, unlike 0.25."""
_CLOCK: Final = r"(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?"
_ZONE: Final = r"(?:Z|z|[+-][0-9]{2}:?[0-9]{2})"
_ISO_DAY: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_DAY_MARK: Final = r" [+-][0-9]d"
"""How a time on a later or earlier day is written in the common form: "2026-12-03 00:00:00 +1d"."""
_ISO: Final = rf"{_ISO_DAY}(?:[T ]{_CLOCK}(?: ?{_ZONE}|{_DAY_MARK})?)?"
_OTHER: Final = "(?:{})".format(
    "|".join(
        rf"[0-9]{{1,2}}{mark}[0-9]{{1,2}}{mark}[0-9]{{4}}(?:[ ,T]+{_CLOCK}(?:{_DAY_MARK})?)?"
        for mark in (r"\.", "/", "-")
    )
)
_PARTS: Final = r"^([0-9]{1,2})[./-]([0-9]{1,2})[./-]([0-9]{4})[ ,T]*(.*)$"
_INTERVAL: Final = r"^([^/:-]*[:-][^/]*)/([^/:-]*[:-][^/]*)$"
_MONTH: Final = r"(?P<month>[^\W\d]{3,12})"
_WEEKDAY: Final = r"(?:[^\W\d]{2,12}\.?,?\s+)?"
_NAMED: Final = tuple(
    re.compile(_WEEKDAY + form + r"(?:[\s,T]+(?P<clock>\S.*))?")
    for form in (
        r"(?P<day>\d{1,2})(?:[a-z]{2}|\.)?[\s/-]*(?:de )?" + _MONTH + r"[\s.,/-]*(?:de )?(?P<year>(?:\d\d){1,2})",
        _MONTH + r"\.?\s*(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>\d{4})",
        r"(?P<year>\d{4})(?P<mark>[/.])(?P<number>\d{1,2})(?P=mark)(?P<day>\d{1,2})",
    )
)
_SHORT_OR_TWELVE: Final = re.compile(
    _WEEKDAY + r"(\d{1,2}[./-]\d{1,2}[./-]|\d{4}-\d\d-)(\d{4}|\d{2})(?:[\s,T]+(?P<clock>\S.*))?"
)
_CLOCKS: Final = re.compile(
    r"(?:(?:um|at|à|a las?|alle|ore)\s)?"
    r"(?P<hour>\d{1,2})(?:\s?(?P<mark>[:.h])\s?(?P<minute>\d{2})(?:[:.](?P<second>\d{2})(?:\.\d+)?)?|(?P<short>(?<=\d\d)\d\d|(?<=\d)\d\d)|h)?"
    r"(?:\s*+(?:h|hrs?|hs|uhr|heures?|horas?|ore))?\s*+(?P<half>[ap]\.?\s?m?\.?)?"
    r"(?:\s*+\(?(?P<sign>[+-])(?P<days>\d)(?:\s*(?:d(?:ays?)?|t(?:age?)?|j(?:ours?)?|d[ií]as?|g(?:iorn[io])?))?\)?)?",
    re.IGNORECASE,
)
_FIRST_OF_SERIALS: Final = datetime(1899, 12, 30)  # noqa: DTZ001 (on the clocks of a place)
_YEARLESS: Final = re.compile(
    r"(?:[^\W\d]{2,12}\.?,?\s)?"
    rf"(?:(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?[. /-]*(?:de )?{_MONTH}\.?"
    r"|(?P<named>[^\W\d]{3,12})\.?[ -]?(?P<second>[0-9]{1,2})(?:st|nd|rd|th)?"
    r"|(?P<left>[0-9]{1,2})(?P<mark>[./-])(?P<right>[0-9]{1,2})\.?)"
    r"(?:[ ,T]+(?P<clock>(?!(?:19|20)[0-9]{2}(?![0-9:]))[0-9].*))?",
    re.IGNORECASE,
)
_MAY_LACK_YEAR: Final = r"[0-9]{1,2}[./-][0-9]{1,2}(?:[^./0-9-].*)?\.?|.*[^\W\d]{3}.*"
"""What a date without a year looks like at first sight: two numbers, or a word."""
_DAY_AND_MONTH: Final = re.compile(
    r"(?P<first>[0-9]{1,2})(?:(?P<mark>[/-])(?P<second>[0-9]{1,2})(?P=mark)(?P<year>[0-9]{4}|(?<=/)[0-9]{2})"
    r"|[/-](?P<alone>[0-9]{1,2}))(?:[\s,T]+(?P<clock>\S.*))?"
)
_DATES_IN_TEXT: Final = re.compile(
    r"\d{4}-\d\d-\d\d|\b\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)\b"
    r"|\b\d{1,2}(?:st|nd|rd|th|\.)?[ -]?(?:de )?[^\W\d]{3,12}\.?[ ,-]*(?:de )?(?:\d{4}|\d\d)\b"
    r"|\b[^\W\d]{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b",
    re.IGNORECASE,
)
_LEAP_YEAR: Final = 2000
_LANGUAGES: Final = ("en", "de", "fr", "es", "it", "pt", "nl")
_DAY: Final = 86_400


class DayAndMonth(NamedTuple):
    """A date whose first two numbers are a day and a month in an order that may be open."""

    first: int
    second: int
    year: int | None

    @property
    def shown_order(self) -> Literal["day first", "month first"] | None:
        """The order that the numbers show: a number over 12 is a day."""
        if self.first > 12 >= self.second:
            return "day first"
        return "month first" if self.second > 12 >= self.first else None

    def date_in(self, order: DateOrder) -> date | None:
        """Return the date if its numbers are in this order. A date without a year is one of a leap year."""
        day, month = (self.first, self.second) if order == "day first" else (self.second, self.first)
        try:
            return date(_LEAP_YEAR if self.year is None else self.year, month, day)
        except ValueError:
            return None


class YearlessDate(NamedTuple):
    """A date without a year. With a month name or dots, the day is the first number."""

    day_and_month: DayAndMonth
    is_day_first: bool
    clock: str | None


@dataclass(frozen=True)
class Spans:
    """Spans in epoch milliseconds. `is_read` marks the values that could be parsed."""

    begin: npt.NDArray[np.int64]
    end: npt.NDArray[np.int64]
    is_read: npt.NDArray[np.bool_]

    @classmethod
    def unread(cls, number: int) -> Spans:
        """Return spans for `number` values, none of them parsed."""
        return cls(np.zeros(number, np.int64), np.zeros(number, np.int64), np.zeros(number, bool))

    def put(self, places: npt.NDArray[np.int64], other: Spans) -> None:
        """Copy the parsed values of other spans to these positions."""
        read = places[other.is_read]
        self.begin[read] = other.begin[other.is_read]
        self.end[read] = other.end[other.is_read]
        self.is_read[read] = True


def full_matches(texts: pd.Series[str], pattern: str) -> npt.NDArray[np.bool_]:
    """Return which whole texts match a pattern.

    pandas parses the pattern on each call, which takes longer than matching the distinct texts of most columns.
    """
    matches = re.compile(pattern).fullmatch
    return np.array([matches(text) is not None for text in texts.tolist()], dtype=bool)


def read_spans(texts: pd.Series[str], zone: str, order: DateOrder) -> Spans:
    """Read times. `zone` applies to times without a zone, and `order` to ambiguous dates."""
    codes, uniques = pd.factorize(texts)
    unique = _normalize_dates(pd.Series(uniques, dtype="str"))
    spans = Spans.unread(len(unique))
    _read_epoch(unique, spans)
    _read_iso(unique, spans, zone)
    _read_other(unique, spans, zone, order)
    _read_intervals(unique, spans, zone, order)
    return Spans(spans.begin[codes], spans.end[codes], spans.is_read[codes])


def join_spans(begins: Spans, ends: Spans, begin_texts: pd.Series[str], end_texts: pd.Series[str]) -> Spans:
    """Join begins and ends to spans that are open if a text is empty.

    A span that ends before it begins counts as not parsed.
    """
    open_begin = (begin_texts == "").to_numpy(dtype=bool)
    open_end = (end_texts == "").to_numpy(dtype=bool)
    begin, end = begins.begin.copy(), ends.end.copy()
    begin[open_begin], end[open_end] = EARLIEST, LATEST
    is_read = (begins.is_read | open_begin) & (ends.is_read | open_end) & (begin <= end)
    return Spans(begin, end, is_read)


def needs_date_order(texts: pd.Series[str]) -> bool:
    """Return whether dates such as 03/04/2026 are ambiguous and no date shows the order."""
    open_ = _ambiguous_dates(texts)
    return bool(len(open_)) and _detect_order(open_) is None


def detect_date_order(columns: Iterable[pd.Series[str]]) -> DateOrder:
    """Return the order of day and month in the dates of columns, or "as the file shows" if it stays open."""
    dates = [found for texts in columns if len(found := _ambiguous_dates(pd.Series(texts.unique(), dtype="str")))]
    return (_detect_order(pd.concat(dates)) if dates else None) or "as the file shows"


def has_time_of_day(texts: pd.Series[str]) -> npt.NDArray[np.bool_]:
    """Return which of these parsed times have a time of day."""
    codes, uniques = pd.factorize(texts)
    unique = _normalize_dates(pd.Series(uniques, dtype="str"))
    has_clock = unique.str.contains(":", regex=False).to_numpy(dtype=bool) | full_matches(unique, EPOCH)
    return np.asarray(has_clock[codes], dtype=bool)


def read_utc_offsets(texts: pd.Series[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return the written offsets from UTC in milliseconds, and which times have one."""
    codes, uniques = pd.factorize(texts)
    parts = pd.Series(uniques, dtype="str").str.extract(rf"{_CLOCK} ?([+-])([0-9]{{2}}):?([0-9]{{2}})$")
    has_offset = parts[0].notna().to_numpy(dtype=bool)
    minutes = parts[1].fillna("0").astype("int64") * 60 + parts[2].fillna("0").astype("int64")
    signed = minutes.where(parts[0] != "-", -minutes) * 60_000
    return np.array(signed, dtype=np.int64)[codes], has_offset[codes]


def is_without_year(texts: pd.Series[str]) -> npt.NDArray[np.bool_]:
    """Return which texts have a day and a month but no year: "3-Apr", "24NOV 0825", "24.11."."""
    may_lack_year = full_matches(texts, _MAY_LACK_YEAR)
    found = np.zeros(len(texts), dtype=bool)
    found[may_lack_year] = [_read_yearless(text) is not None for text in texts[may_lack_year]]
    return found


def add_year(text: str, reported_on: date, order: DateOrder, *, is_past: bool) -> str:
    """Write a date without a year as the next such date from the date of the report on, or the last one before it.

    The text stays if the order of day and month is open.
    """
    parts = _read_yearless(text)
    if parts is None:
        return text
    number, is_day_first, clock = parts
    order = "day first" if is_day_first else number.shown_order or order
    if order == "as the file shows" and number.first != number.second:
        return text
    years = range(reported_on.year, reported_on.year + (-9 if is_past else 9), -1 if is_past else 1)
    days = (number._replace(year=year).date_in(order) for year in years)
    day = next((each for each in days if each and (each <= reported_on if is_past else each >= reported_on)), None)
    return text if day is None else f"{day.isoformat()} {clock or ''}".rstrip()


def read_day_and_month(text: str) -> DayAndMonth | None:
    """Return the numbers of a date with slashes or hyphens, with or without a year, or None for other texts."""
    found = _DAY_AND_MONTH.fullmatch(text)
    if found is None:
        return None
    year = found["year"]
    return DayAndMonth(
        int(found["first"]),
        int(found["second"] or found["alone"]),
        None if year is None else int(year if len(year) == 4 else f"20{year}"),
    )


def has_both_orders(texts: pd.Series[str]) -> tuple[bool, bool]:
    """Return whether dates with slashes or hyphens show that the day comes first, and that the month does."""
    numbers = texts.str.extract(r"^([0-9]{1,2})[/-]([0-9]{1,2})(?:[/-](?:[0-9]{4}|[0-9]{2}))?(?:[\s,T].*)?$")
    numbers = numbers[numbers[0].notna()].astype("int64")
    first, second = numbers[0], numbers[1]
    return bool(((first > 12) & (second <= 12)).any()), bool(((second > 12) & (first <= 12)).any())


def date_in_order(text: str, order: DateOrder) -> str:
    """Write a date with slashes or hyphens as an ISO date, in this order of day and month. Other texts stay."""
    found, number = _DAY_AND_MONTH.fullmatch(text), read_day_and_month(text)
    day = number.date_in(order) if number is not None and number.year is not None else None
    return text if found is None or day is None else f"{day.isoformat()} {found['clock'] or ''}".rstrip()


def find_dates(line: str, order: DateOrder) -> list[date]:
    """Return the dates with a year in a line of text. `order` is for dates that are ambiguous."""
    days = []
    for found in _DATES_IN_TEXT.findall(line):
        text = _normalize_date(found)
        number = read_day_and_month(text.replace(".", "/"))
        shown = "day first" if "." in text else (number.shown_order or order) if number is not None else order
        if number is not None and shown != "as the file shows":
            text = date_in_order(text.replace(".", "/"), shown)
        if re.fullmatch(_ISO_DAY, text):
            with suppress(ValueError):
                days.append(date.fromisoformat(text))
    return days


def _read_yearless(text: str) -> YearlessDate | None:
    found = _YEARLESS.fullmatch(text)
    if found is None:
        return None
    if found["left"]:
        left, right = int(found["left"]), int(found["right"])
        is_day_first = found["mark"] == "."
    else:
        left, right = int(found["day"] or found["second"]), _months().get(fold(found["month"] or found["named"]), 0)
        is_day_first = True
    number = YearlessDate(DayAndMonth(left, right, None), is_day_first, found["clock"])
    orders: tuple[DateOrder, ...] = ("day first",) if is_day_first else ("day first", "month first")
    return number if any(number.day_and_month.date_in(order) for order in orders) else None


def strip_weekdays(texts: pd.Series[str]) -> pd.Series[str]:
    """Write "jeu. 12/11/26" without the day of the week. Other texts stay as they are."""
    return texts.str.replace(rf"^{_WEEKDAY.removesuffix('?')}(?=[0-9])", "", regex=True) if _has_words(texts) else texts


def _has_words(texts: pd.Series[str]) -> bool:
    return bool(pd.Series(texts.unique(), dtype="str").str.match(r"[^\W\d]").any())


def format_serial_dates(texts: pd.Series[str]) -> pd.Series[str]:
    """Write spreadsheet dates such as 46360.236 as dates, and dates without weekdays. Other texts stay as they are."""
    texts = strip_weekdays(texts)
    if not full_matches(pd.Series(texts.unique(), dtype="str"), SERIAL).any():
        return texts
    is_serial = full_matches(texts, SERIAL)
    return texts.where(~is_serial, texts[is_serial].map(_normalize_date))


def format_day_fractions(texts: pd.Series[str]) -> pd.Series[str]:
    """Write fractions of a day such as 0.4305555 as 10:20, and spreadsheet dates as dates."""
    if not full_matches(pd.Series(texts.unique(), dtype="str"), _SURE_FRACTION).any():
        return format_serial_dates(texts)
    is_fraction = full_matches(texts, _FRACTION)
    return format_serial_dates(
        texts.where(~is_fraction, texts[is_fraction].map(lambda text: f"{_parse_serial(text):%H:%M:%S}"))
    )


def read_clocks(texts: pd.Series[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return times of day in seconds since midnight ("06:10+1" is more than a day), and which were parsed."""
    codes, uniques = pd.factorize(texts)
    seconds = [_clock_seconds(text) for text in uniques]
    read = np.array([each is not None for each in seconds], dtype=bool)
    return np.array([each or 0 for each in seconds], dtype=np.int64)[codes], read[codes]


def _clock_seconds(text: str) -> int | None:
    found = _CLOCKS.fullmatch(text.strip())
    if found is None:
        return None
    digits = re.search(r"\d+", text)
    bare = digits[0] if digits and not found["mark"] else ""
    if len(bare) >= 3:
        hour, minute = int(bare[:-2]), int(bare[-2:])
    elif found["mark"] or found["half"] or "h" in text.lower():
        hour, minute = int(found["hour"]), int(found["minute"] or 0)
    else:
        return None
    second, half = int(found["second"] or 0), (found["half"] or "")[:1].lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (half == "p")
    if minute > 59 or second > 59 or hour > 24 or (hour == 24 and minute + second):
        return None
    return hour * 3600 + minute * 60 + second + _DAY * int(f"{found['sign'] or ''}{found['days'] or 0}")


def _ambiguous_dates(texts: pd.Series[str]) -> pd.Series[str]:
    """Return the ambiguous dates. With dots, the day comes first."""
    spelled = _normalize_dates(texts)
    return spelled[full_matches(spelled, _OTHER) & spelled.str.match("[0-9]+[/-]").to_numpy(dtype=bool)]


def _normalize_dates(texts: pd.Series[str]) -> pd.Series[str]:
    """Write month names, years of two digits, and 12-hour times in the common form."""
    is_normal = full_matches(texts, rf"{_ISO}|{_OTHER}|-?(?!{SERIAL}$)[0-9]+")
    if is_normal.all():
        return texts
    changed = [_normalize_date(text) for text in texts[~is_normal]]
    normalized = texts.astype(object).to_numpy(copy=True)
    normalized[~is_normal] = changed
    return pd.Series(normalized, texts.index, dtype="str")


@lru_cache(maxsize=100_000)
def _normalize_date(text: str) -> str:
    if re.fullmatch(SERIAL, text):
        time = _parse_serial(text)
        return f"{time:%Y-%m-%d}" if text.isdigit() else f"{time:%Y-%m-%d %H:%M:%S}"
    for pattern in _NAMED:
        found = pattern.fullmatch(text)
        if found is None:
            continue
        parts = found.groupdict()
        month = int(parts["number"]) if parts.get("number") else _months().get(fold(parts["month"]))
        if month is not None:
            year = parts["year"] if len(parts["year"]) == 4 else f"20{parts['year']}"
            return _with_clock(f"{year}-{month:02}-{int(parts['day']):02}", parts["clock"], text)
    found = _SHORT_OR_TWELVE.fullmatch(text)
    if found is None or (len(found[2]) == 2 and found[1].endswith("-") and len(found[1]) < 8):
        return text
    year = found[2] if len(found[2]) == 4 or len(found[1]) == 8 else f"20{found[2]}"
    return _with_clock(found[1] + year, found["clock"], text)


def _parse_serial(text: str) -> datetime:
    """Return the time of a spreadsheet number, rounded to the minute if it has few decimals."""
    decimals = len(text.replace(",", ".").partition(".")[2])
    seconds = round(float(text.replace(",", ".")) * _DAY)
    off = (seconds + 30) % 60 - 30
    return _FIRST_OF_SERIALS + timedelta(seconds=seconds - off if abs(off) <= _DAY / 10**decimals else seconds)


def _with_clock(day: str, clock: str | None, text: str) -> str:
    if clock is None:
        return day
    seconds = _clock_seconds(clock)
    if seconds is None:
        return text
    days, seconds = divmod(seconds, _DAY)
    mark = f" {days:+}d" if days else ""
    return f"{day} {seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{mark}"


def is_month(name: str) -> bool:
    """Return whether a word is the full or short name of a month."""
    return fold(name) in _months()


@cache
def _months() -> dict[str, int]:
    """Return the months by folded full and short names in seven languages."""
    named: dict[str, int] = {"sept": 9}
    for language in _LANGUAGES:
        for widths in Locale(language).months.values():
            for width in ("wide", "abbreviated"):
                for number, name in widths[width].items():
                    named.setdefault(fold(name), number)
    return named


def is_without_zone(texts: pd.Series[str]) -> npt.NDArray[np.bool_]:
    """Return which of these times and days have no zone."""
    codes, uniques = pd.factorize(texts)
    unique = _normalize_dates(pd.Series(uniques, dtype="str"))
    has_zone = full_matches(unique, rf"-?[0-9]+|.*{_CLOCK} ?{_ZONE}")
    return np.asarray(~has_zone[codes], dtype=bool)


def _read_epoch(texts: pd.Series[str], spans: Spans) -> None:
    places = np.flatnonzero(full_matches(texts, EPOCH))
    if not len(places):
        return
    found = texts.iloc[places]
    values = np.array(found.astype("int64"), dtype=np.int64)
    seconds = (found.str.lstrip("-").str.len() <= 10).to_numpy(dtype=bool)
    values[seconds] *= 1000
    spans.put(places, Spans(values, values, np.ones(len(values), bool)))


def _read_iso(texts: pd.Series[str], spans: Spans, zone: str) -> None:
    places = np.flatnonzero(full_matches(texts, _ISO))
    if not len(places):
        return
    found = texts.iloc[places].str.replace(",", ".", regex=False).str.replace(r"(\.[0-9]{3})[0-9]+", r"\1", regex=True)
    days = full_matches(found, _ISO_DAY)
    zoned = found.str.contains(rf"[0-9] ?{_ZONE}$", regex=True).to_numpy(dtype=bool) & ~days
    marked = found.str.endswith("d").to_numpy(dtype=bool)
    if marked.any():
        shifts = pd.to_timedelta(found[marked].str[-3:-1].astype("int64"), unit="D").reset_index(drop=True)
        spans.put(places[marked], _parse_iso(found[marked].str[:-4], zone, shifts, is_day=False, is_zoned=False))
    for chosen in (days, zoned, ~days & ~zoned & ~marked):
        if chosen.any():
            is_day, is_zoned = chosen is days, chosen is zoned
            spans.put(places[chosen], _parse_iso(found[chosen], zone, None, is_day=is_day, is_zoned=is_zoned))


def _parse_iso(
    texts: pd.Series[str], zone: str, shifts: pd.Series[pd.Timedelta] | None, *, is_day: bool, is_zoned: bool
) -> Spans:
    """Parse times. `shifts` are added on the clocks of the zone."""
    group_count = pd.to_datetime(texts.str.upper(), format="ISO8601", utc=is_zoned, errors="coerce").reset_index(
        drop=True
    )
    if shifts is not None:
        group_count = group_count + shifts
    begin, is_read = _milliseconds(group_count if is_zoned else _localize(group_count, zone))
    if not is_day:
        return Spans(begin, begin, is_read)
    # Not begin + 24 h: the days on which clocks change are longer or shorter.
    end, _ = _milliseconds(_localize(group_count + pd.Timedelta(days=1), zone))
    return Spans(begin, end - 1, is_read)


def _localize(group_count: pd.Series[pd.Timestamp], zone: str) -> pd.Series[pd.Timestamp]:
    """Localize wall times. A repeated hour is the first one, and a skipped time moves forward."""
    first = np.ones(len(group_count), bool)
    return group_count.dt.tz_localize(zone, ambiguous=first, nonexistent="shift_forward")


def _milliseconds(group_count: pd.Series[pd.Timestamp]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    is_read = group_count.notna().to_numpy(dtype=bool)
    values = np.zeros(len(group_count), dtype=np.int64)
    values[is_read] = group_count[is_read].dt.tz_convert("UTC").dt.as_unit("ms").astype("int64").to_numpy()
    return values, is_read


def _read_other(texts: pd.Series[str], spans: Spans, zone: str, order: DateOrder) -> None:
    """Read dates in the forms of spreadsheets. With dots, the day comes first."""
    places = np.flatnonzero(full_matches(texts, _OTHER))
    if not len(places):
        return
    found = texts.iloc[places]
    is_open = found.str.match("[0-9]+[/-]")
    first = _detect_order(found[is_open]) if order == "as the file shows" else order
    parts = found.str.extract(_PARTS)
    month_first = (is_open & (first == "month first")).to_numpy(dtype=bool)
    day = parts[0].where(~month_first, parts[1]).str.zfill(2)
    month = parts[1].where(~month_first, parts[0]).str.zfill(2)
    clock = parts[3].str.replace(r"^([0-9]):", r"0\1:", regex=True)
    iso = (parts[2] + "-" + month + "-" + day + " " + clock).str.strip()
    known = (~is_open | (first is not None)).to_numpy(dtype=bool)
    read = Spans.unread(len(iso))
    _read_iso(iso.reset_index(drop=True), read, zone)
    read.is_read[~known] = False
    spans.put(places, read)


def _detect_order(dates: pd.Series[str]) -> DateOrder | None:
    """Return the order that dates show (a number over 12 is a day), or None if none or both orders appear."""
    if dates.empty:
        return None
    parts = dates.str.extract(_PARTS)
    first, second = (bool((parts[i].astype("int64") > 12).any()) for i in (0, 1))
    if first == second:
        return None
    return "day first" if first else "month first"


def _read_intervals(texts: pd.Series[str], spans: Spans, zone: str, order: DateOrder) -> None:
    """Read ISO 8601 intervals: two times with a slash between them."""
    left = np.flatnonzero(~spans.is_read)
    if not len(left):
        return
    both = texts.iloc[left].str.extract(_INTERVAL)
    there = both[0].notna().to_numpy(dtype=bool)
    if not there.any():
        return
    begins, ends = (both[i][there].str.strip().reset_index(drop=True) for i in (0, 1))
    first, last = read_spans(begins, zone, order), read_spans(ends, zone, order)
    spans.put(left[there], join_spans(first, last, begins, ends))
