"""Cells read as times: epoch milliseconds, ISO 8601 with or without a zone, and the dates of spreadsheets.

A date alone is the whole of its day. Everything is a span in epoch milliseconds, its last millisecond included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

DateOrder = Literal["as the file shows", "day first", "month first"]

EARLIEST: Final = -(2**62)
LATEST: Final = 2**62
"""Where a span without a begin, or without an end, begins and ends."""
SECOND_DIGITS: Final = (9, 10)
MILLISECOND_DIGITS: Final = (11, 15)

_CLOCK: Final = r"[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?"
_ZONE: Final = r"(?:Z|z|[+-][0-9]{2}:?[0-9]{2})"
_ISO_DAY: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_ISO: Final = rf"{_ISO_DAY}(?:[T ]{_CLOCK} ?{_ZONE}?)?"
_OTHER: Final = "(?:{})".format(
    "|".join(rf"[0-9]{{1,2}}{mark}[0-9]{{1,2}}{mark}[0-9]{{4}}(?:[ ,T]+{_CLOCK})?" for mark in (r"\.", "/", "-"))
)
_PARTS: Final = r"^([0-9]{1,2})[./-]([0-9]{1,2})[./-]([0-9]{4})[ ,T]*(.*)$"
_INTERVAL: Final = r"^([^/]*[-:][^/]*)/([^/]*[-:][^/]*)$"


@dataclass(frozen=True)
class Spans:
    """Stretches of time in epoch milliseconds; `is_read` tells which values were understood."""

    begin: npt.NDArray[np.int64]
    end: npt.NDArray[np.int64]
    is_read: npt.NDArray[np.bool_]

    @classmethod
    def unread(cls, number: int) -> Spans:
        """So many values, none of them understood yet."""
        return cls(np.zeros(number, np.int64), np.zeros(number, np.int64), np.zeros(number, bool))

    def put(self, places: npt.NDArray[np.int64], other: Spans) -> None:
        """Take over what is understood in another, whose values stand at these places."""
        read = places[other.is_read]
        self.begin[read] = other.begin[other.is_read]
        self.end[read] = other.end[other.is_read]
        self.is_read[read] = True


def read_spans(texts: pd.Series[str], zone: str, order: DateOrder) -> Spans:
    """Read times; those without a zone belong to `zone`, and `order` tells a day from a month where both can be."""
    codes, uniques = pd.factorize(texts)
    unique = pd.Series(uniques, dtype="str")
    spans = Spans.unread(len(unique))
    _read_epoch(unique, spans)
    _read_iso(unique, spans, zone)
    _read_other(unique, spans, zone, order)
    _read_intervals(unique, spans, zone, order)
    return Spans(spans.begin[codes], spans.end[codes], spans.is_read[codes])


def with_ends(begins: Spans, ends: Spans, begin_texts: pd.Series[str], end_texts: pd.Series[str]) -> Spans:
    """Spans from the begin of one value until the end of another; open where a text is empty.

    A span that ends before it begins is not understood.
    """
    open_begin = (begin_texts == "").to_numpy(dtype=bool)
    open_end = (end_texts == "").to_numpy(dtype=bool)
    begin, end = begins.begin.copy(), ends.end.copy()
    begin[open_begin], end[open_end] = EARLIEST, LATEST
    is_read = (begins.is_read | open_begin) & (ends.is_read | open_end) & (begin <= end)
    return Spans(begin, end, is_read)


def needs_date_order(texts: pd.Series[str]) -> bool:
    """Whether there are dates such as 03/04/2026 and none that shows which of the two is the day."""
    slashed = texts[texts.str.fullmatch(_OTHER) & texts.str.contains("/", regex=False)]
    return bool(len(slashed)) and _shown_order(slashed) is None


def _read_epoch(texts: pd.Series[str], spans: Spans) -> None:
    digits = texts.str.fullmatch(rf"-?[0-9]{{{SECOND_DIGITS[0]},{MILLISECOND_DIGITS[1]}}}")
    places = np.flatnonzero(digits.to_numpy(dtype=bool))
    if not len(places):
        return
    found = texts.iloc[places]
    values = np.array(found.astype("int64"), dtype=np.int64)
    seconds = (found.str.lstrip("-").str.len() <= SECOND_DIGITS[1]).to_numpy(dtype=bool)
    values[seconds] *= 1000
    spans.put(places, Spans(values, values, np.ones(len(values), bool)))


def _read_iso(texts: pd.Series[str], spans: Spans, zone: str) -> None:
    places = np.flatnonzero(texts.str.fullmatch(_ISO).to_numpy(dtype=bool))
    if not len(places):
        return
    found = texts.iloc[places].str.replace(",", ".", regex=False).str.replace(r"(\.[0-9]{3})[0-9]+", r"\1", regex=True)
    days = found.str.fullmatch(_ISO_DAY).to_numpy(dtype=bool)
    zoned = found.str.contains(rf"[0-9] ?{_ZONE}$", regex=True).to_numpy(dtype=bool) & ~days
    for chosen in (days, zoned, ~days & ~zoned):
        if chosen.any():
            spans.put(places[chosen], _parsed(found[chosen], zone, is_day=chosen is days, is_zoned=chosen is zoned))


def _parsed(texts: pd.Series[str], zone: str, *, is_day: bool, is_zoned: bool) -> Spans:
    times = pd.to_datetime(texts.str.upper(), format="ISO8601", utc=is_zoned, errors="coerce").reset_index(drop=True)
    begin, is_read = _milliseconds(times if is_zoned else _at(times, zone))
    if not is_day:
        return Spans(begin, begin, is_read)
    # Not begin + 24 h: the days on which clocks change are longer or shorter.
    end, _ = _milliseconds(_at(times + pd.Timedelta(days=1), zone))
    return Spans(begin, end - 1, is_read)


def _at(times: pd.Series[pd.Timestamp], zone: str) -> pd.Series[pd.Timestamp]:
    """Wall clocks in a zone: of an hour that comes twice the first, of one that is left out the moment after it."""
    first = np.ones(len(times), bool)
    return times.dt.tz_localize(zone, ambiguous=first, nonexistent="shift_forward")


def _milliseconds(times: pd.Series[pd.Timestamp]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    is_read = times.notna().to_numpy(dtype=bool)
    values = np.zeros(len(times), dtype=np.int64)
    values[is_read] = times[is_read].dt.tz_convert("UTC").dt.as_unit("ms").astype("int64").to_numpy()
    return values, is_read


def _read_other(texts: pd.Series[str], spans: Spans, zone: str, order: DateOrder) -> None:
    """Dates as spreadsheets write them; with dots and with hyphens the day comes first."""
    places = np.flatnonzero(texts.str.fullmatch(_OTHER).to_numpy(dtype=bool))
    if not len(places):
        return
    found = texts.iloc[places]
    slashed = found.str.contains("/", regex=False)
    first = _shown_order(found[slashed]) if order == "as the file shows" else order
    parts = found.str.extract(_PARTS)
    month_first = (slashed & (first == "month first")).to_numpy(dtype=bool)
    day = parts[0].where(~month_first, parts[1]).str.zfill(2)
    month = parts[1].where(~month_first, parts[0]).str.zfill(2)
    clock = parts[3].str.replace(r"^([0-9]):", r"0\1:", regex=True)
    iso = (parts[2] + "-" + month + "-" + day + " " + clock).str.strip()
    known = (~slashed | (first is not None)).to_numpy(dtype=bool)
    read = Spans.unread(len(iso))
    _read_iso(iso.reset_index(drop=True), read, zone)
    read.is_read[~known] = False
    spans.put(places, read)


def _shown_order(slashed: pd.Series[str]) -> DateOrder | None:
    """What the file's own dates show: a number over 12 can only be a day; None where none or both do."""
    if slashed.empty:
        return None
    parts = slashed.str.extract(_PARTS)
    first, second = (bool((parts[i].astype("int64") > 12).any()) for i in (0, 1))
    if first == second:
        return None
    return "day first" if first else "month first"


def _read_intervals(texts: pd.Series[str], spans: Spans, zone: str, order: DateOrder) -> None:
    """Two times with a slash between them, as ISO 8601 writes a span."""
    left = np.flatnonzero(~spans.is_read)
    if not len(left):
        return
    both = texts.iloc[left].str.extract(_INTERVAL)
    there = both[0].notna().to_numpy(dtype=bool)
    if not there.any():
        return
    begins, ends = (both[i][there].str.strip().reset_index(drop=True) for i in (0, 1))
    first, last = read_spans(begins, zone, order), read_spans(ends, zone, order)
    spans.put(left[there], with_ends(first, last, begins, ends))
