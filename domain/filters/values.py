"""The values of rules: which input fits, which text it shows, and how typed text is read.

Moments are epoch milliseconds in the JSON, and local date and time in a selected zone on the screen.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from client.json_text import parse_json
from client.vocabulary.contact_filters import LISTED, PATTERN_BETWEEN, PATTERN_NOW, VALUELESS
from client.vocabulary.limits import LONG_MAX
from domain.filters import columns
from domain.filters.filter_draft import RuleDraft
from domain.geography.airports import airport
from domain.geography.countries import country_code
from domain.geography.time_zones import parse_clock, true_time, zone_named
from domain.text.plain_text import NOT_AN_ID, id_in, in_short
from domain.text.time_text import MONTHS, format_date

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_LAST_CLOCK: Final = time(23, 59, 59, 999000)
_END_OF_DAY: Final = "24:00"
"""How the last millisecond of a day is typed and shown, because no one types 23:59:59.999."""
MILLISECONDS: Final = re.compile(r"-?\d{1,16}", re.ASCII)
"""Epoch milliseconds in a date attribute."""
PASTED_MILLISECONDS: Final = re.compile(r"-?\d{12,16}", re.ASCII)
"""Epoch milliseconds as people paste them. Fewer digits are seconds, a year, or a mistake: no one means January
1970.
"""
_HOUR: Final = re.compile(r"\d{1,2}", re.ASCII)
_ISO_DAY: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]+(.+))?")
_WORD_DAY: Final = re.compile(r"(?:[A-Za-z]{2,9},? )?(\d{1,2}) ([A-Za-z]{3,9})\.? (\d{4})(?:,? +(.+))?")
_FORMAT_HINT: Final = "Use a format such as 2026-11-20 14:05."


@dataclass(frozen=True, slots=True)
class ParsedValue:
    """The result of reading a text: a value, or the problem with it; neither for an empty text. `note` is a warning."""

    value: Any = None
    problem: str | None = None
    note: str | None = None


def read_moment(text: str, zone: str = "UTC", *, end_of_day: bool = False) -> ParsedValue:
    """Read a local date and time in a zone, a time with its own offset, or epoch milliseconds.

    A day without a time is its start, or with `end_of_day` its last millisecond.
    """
    # ASSUMPTION A77: a day alone begins a span at its start and ends one at its last millisecond, in the zone shown;
    # 24:00 is that millisecond; where another comparison means the other end of a day, it moves there.
    typed = " ".join(text.split())
    if PASTED_MILLISECONDS.fullmatch(typed):
        return ParsedValue(int(typed))
    day, rest = _day_and_rest(typed)
    if day is None:
        return ParsedValue(None, f"“{in_short(typed)}” is not a date. {_FORMAT_HINT}")
    aware = _with_offset(day, rest)
    if aware is not None:
        return ParsedValue(milliseconds_of(aware))
    ends_day = rest in (_END_OF_DAY, "24.00", "2400") or (end_of_day and not rest)
    clock = _LAST_CLOCK if ends_day else _clock(rest) if rest else time(0)
    if clock is None:
        return ParsedValue(None, f"“{in_short(rest)}” is not a time of day. Use a format such as 14:05.")
    # A day ends where the next begins: in some zones clocks change at midnight.
    by_next = ends_day and day < date.max
    wall = datetime.combine(day + timedelta(days=1), time(0)) if by_next else datetime.combine(day, clock)
    read = true_time(wall, zone)
    if read.utc is None:
        return ParsedValue(None, read.note or f"“{in_short(typed)}” is not a date. {_FORMAT_HINT}")
    return (
        ParsedValue(milliseconds_of(read.utc) - 1)
        if by_next
        else ParsedValue(milliseconds_of(read.utc), note=read.note)
    )


def move_to_day_end(moment: Any, zone: str = "UTC", *, end_of_day: bool) -> Any:
    """Move a moment at the start or end of a day to the end that is meant. Return any other moment unchanged."""
    day, clock = moment_parts(moment, zone)
    if day is None or clock != ("00:00" if end_of_day else _END_OF_DAY):
        return moment
    return read_moment(day.isoformat(), zone, end_of_day=end_of_day).value


def milliseconds_of(moment: datetime) -> int:
    """Return epoch milliseconds of an aware moment, rounded down."""
    return (moment - _EPOCH) // _MILLISECOND


def local_moment(milliseconds: Any, zone: str = "UTC") -> datetime | None:
    """Return epoch milliseconds as local time; None if they are not a number or out of the calendar's range."""
    if not isinstance(milliseconds, int) or isinstance(milliseconds, bool):
        return None
    try:
        return (_EPOCH + timedelta(milliseconds=milliseconds)).astimezone(zone_named(zone) or ZoneInfo("UTC"))
    except OverflowError:
        return None


def moment_text(milliseconds: Any, zone: str = "UTC") -> str:
    """Return epoch milliseconds as they are typed, `2026-11-20 14:05`, with seconds if not 0; other values as text."""
    local = local_moment(milliseconds, zone)
    if local is None:
        return editable_text(milliseconds)
    return f"{local.date().isoformat()} {_clock_text(local)}"


def moment_parts(shown_value: Any, zone: str = "UTC") -> tuple[date | None, str]:
    """Return the day and the time for two inputs, from epoch milliseconds or from a text that could not be read."""
    if isinstance(shown_value, str):
        day, rest = _day_and_rest(" ".join(shown_value.split()))
        return (day, rest) if day is not None else (None, shown_value.strip())
    local = local_moment(shown_value, zone)
    return (None, "") if local is None else (local.date(), _clock_text(local))


def join_moment_parts(day: str, clock: str) -> str:
    """Return a day and a time from two fields as one text."""
    return f"{day} {clock.strip()}".strip()


def format_moment(milliseconds: Any, zone: str = "UTC", *, with_zone: bool = True) -> str:
    """Return epoch milliseconds as text: "Fri, Nov 20, 2026, 14:05 UTC"."""
    local = local_moment(milliseconds, zone)
    if local is None:
        return f"“{milliseconds}”"
    words = f"the end of {_format_day(local)}" if _ends_day(local) else f"{_format_day(local)}, {_clock_text(local)}"
    return f"{words} {_format_zone(zone)}" if with_zone else words


def upcoming_spans(now: datetime, zone: str = "UTC") -> dict[str, tuple[date, date]]:
    """Return common future time spans by label: the first and last day of each in the zone."""
    today = now.astimezone(zone_named(zone) or ZoneInfo("UTC")).date()
    monday = today - timedelta(days=today.weekday())
    return {
        "Today": (today, today),
        "This week": (monday, monday + timedelta(days=6)),
        "Next 7 days": (today, today + timedelta(days=6)),
        "This month": (today.replace(day=1), (today.replace(day=1) + timedelta(days=31)).replace(day=1) - timedelta(1)),
    }


def format_span(first: Any, last: Any, zone: str = "UTC") -> str:
    """Return a time span as text: "between Fri, Nov 20 and Fri, Nov 27, 2026 UTC, both days included"."""
    begin, end = local_moment(first, zone), local_moment(last, zone)
    if begin is not None and end is not None and begin.time() == time(0) and _ends_day(end):
        if begin.date() == end.date():
            return f"on {_format_day(begin)} {_format_zone(zone)}"
        start = _format_day(begin, year=begin.year != end.year)
        note = "both days included"
        in_zone = f"UTC ({note})" if zone == "UTC" else f"({zone}, {note})"
        return f"between {start} and {_format_day(end)} {in_zone}"
    start = "…" if first is None else format_moment(first, zone, with_zone=False)
    return f"between {start} and {'…' if last is None else format_moment(last, zone)}"


def _format_zone(zone: str) -> str:
    return zone if zone == "UTC" else f"({zone})"


def _format_day(local: datetime, *, year: bool = True) -> str:
    return format_date(local, with_year=year)


def _ends_day(local: datetime) -> bool:
    """Return whether it is the last millisecond of its day, and not the first of two if clocks go back at midnight."""
    return local.time() == _LAST_CLOCK and local.utcoffset() == local.replace(fold=1).utcoffset()


def _clock_text(local: datetime) -> str:
    if _ends_day(local):
        return _END_OF_DAY
    if local.microsecond:
        return f"{local:%H:%M:%S}.{local.microsecond // 1000:03d}"
    return f"{local:%H:%M:%S}" if local.second else f"{local:%H:%M}"


def _day_and_rest(typed: str) -> tuple[date | None, str]:
    iso, worded = _ISO_DAY.fullmatch(typed), _WORD_DAY.fullmatch(typed)
    try:
        if iso:
            return date.fromisoformat(iso[1]), (iso[2] or "").strip()
        if worded:
            month = MONTHS.index(worded[2][:3].capitalize()) + 1
            return date(int(worded[3]), month, int(worded[1])), (worded[4] or "").strip()
    except ValueError:
        # There is no such day or month.
        pass
    return None, ""


def _clock(text: str) -> time | None:
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
    """Return the moment of a time with its own offset, as pasted from other systems; None if it has none."""
    text = rest.removesuffix(" UTC") + "Z" if rest.endswith(" UTC") else rest
    try:
        read = time.fromisoformat(text)
        return datetime.combine(day, read).astimezone(UTC) if read.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None


_SEPARATORS: Final = re.compile(r"[,;\t\r\n]")
_NUMBER_SEPARATORS: Final = re.compile(r"[,;\s]+")
_ITEM: Final = re.compile(
    r"[^\S\t\r\n]*\"(?P<quoted>(?:[^\"]|\"\")*)\"[^\S\t\r\n]*(?=[,;\t\r\n]|\Z)|(?P<plain>[^,;\t\r\n]+)"
)
"""An item in quotes, with quotes inside it doubled, or the text up to the next separator."""
_NEEDS_QUOTES: Final = re.compile(r"[,;\t\r\n\"]|^\s|\s$")


def paste_list(text: str) -> list[str]:
    """Split a pasted text into items, in order and without duplicates."""
    return list(dict.fromkeys(item for item in _split(text) if item))


def find_unsplit(items: Iterable[str]) -> list[str]:
    """Return the items that contain a separator."""
    return [item for item in items if _SEPARATORS.search(item)]


def quote_items(items: Iterable[str]) -> str:
    """Write items as lines that `paste_list` can read. Items with a separator are put in quotes."""
    return "\n".join(
        f'"{item.replace(chr(34), chr(34) * 2)}"' if _NEEDS_QUOTES.search(item) else item for item in items
    )


def _split(text: str) -> list[str]:
    if '"' not in text:
        return [item.strip() for item in _SEPARATORS.split(text)]
    return [
        match["quoted"].replace('""', '"') if match["quoted"] is not None else match["plain"].strip()
        for match in _ITEM.finditer(text)
    ]


EditorKind = Literal[
    "text",
    "number",
    "whole number",
    "moment",
    "text list",
    "number list",
    "moment range",
    "pattern",
    "country",
    "airport",
    "none",
    "custom",
    "unknown",
]

_DAY_END_OPERATORS: Final = ("LTE", "GT")
"""Operators for which a day without a time means the end of that day."""
ID_SLOTS: Final = {"field_id": "contactFieldId", "attribute_id": "attributeId"}
_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_WHOLE: Final = re.compile(r"[+-]?\d+", re.ASCII)
# Python refuses to read whole numbers of thousands of digits.
MAX_DIGITS: Final = 400


def editor_kind(payload: Mapping[str, Any]) -> EditorKind:
    """Return the input that fits the rule's column and operator."""
    if columns.is_custom(payload):
        return "custom"
    key = columns.key_of_rule(payload)
    if key is None:
        return "unknown"
    operator = columns.effective_operator(payload)
    if operator in VALUELESS:
        return "none"
    if columns.is_pattern(key):
        return "pattern"
    data_type = columns.data_type_of(key)
    if operator in LISTED:
        return "number list" if data_type == "NUMBER" else "text list"
    if data_type == "DATE":
        return "moment range" if operator == "BETWEEN" else "moment"
    if data_type == "NUMBER":
        words = columns.labels_of(key)
        return "whole number" if words and words.is_id else "number"
    picked: dict[str, EditorKind] = {"country": "country", "iata": "airport"}
    return picked.get(columns.name_of(key), "text") if operator in ("E", "NE") else "text"


def custom_kind(payload: Mapping[str, Any]) -> str:
    """Return what each value of a custom attribute is, by the selected data type."""
    return {"NUMBER": "number", "DATE": "moment"}.get(str(payload.get("dataType")), "text")


def read_value(kind: str, text: str, zone: str = "UTC", *, end_of_day: bool = False) -> ParsedValue:
    """Read a value from a text that was typed into this kind of input."""
    typed = text.strip()
    if not typed:
        return ParsedValue()
    match kind:
        case "whole number" | "number list":
            return read_whole(typed)
        case "number":
            return _read_number(typed)
        case "moment" | "moment range" | "pattern":
            return read_moment(typed, zone, end_of_day=end_of_day)
        case "country":
            # ASSUMPTION A79: countries are held by their two-letter codes, as in addresses of trips.
            return ParsedValue(country_code(typed) or typed)
        case "airport":
            found = airport(typed)
            return ParsedValue(found.iata if found else typed)
        case _:
            # Spaces around a text may be intended: they are kept, with a warning.
            return ParsedValue(text)


def read_whole(text: str) -> ParsedValue:
    """Read a whole number exactly, without converting it to a float."""
    typed = text.strip()
    if not _WHOLE.fullmatch(typed):
        # Not joined, because spaces also separate the numbers of a list.
        advice = " Enter 1 number without spaces." if _WHOLE.fullmatch("".join(typed.split())) else ""
        return ParsedValue(problem=f"“{in_short(typed)}” is not a whole number.{advice}")
    digits = typed.lstrip("+-0") or "0"
    # Python refuses to read thousands of digits, including leading zeros.
    number = int(typed[0] + digits if typed[0] in "+-" else digits) if len(digits) <= len(str(LONG_MAX)) else None
    if number is None or not -LONG_MAX - 1 <= number <= LONG_MAX:
        return ParsedValue(problem=f"“{in_short(typed)}” is too large: at most {LONG_MAX} can be stored.")
    return ParsedValue(number)


def read_id(text: str) -> ParsedValue:
    """Read an ID: a whole number above 0."""
    if not text.strip():
        return ParsedValue()
    number = id_in(text)
    return ParsedValue(number) if number is not None else ParsedValue(problem=read_whole(text).problem or NOT_AN_ID)


def read_same_type(present: Any, text: str) -> ParsedValue:
    """Read a value of the same type as the present one: text, or else JSON. The type of the column is unknown."""
    if not text.strip():
        return ParsedValue()
    if present is None or isinstance(present, str):
        return ParsedValue(text)
    try:
        value = parse_json(text)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return ParsedValue(problem="This is not JSON. Put text in quotes.")
    return ParsedValue(value)


def read_slot(
    payload: Mapping[str, Any], slot: str, text_or_items: str | Sequence[str], zone: str = "UTC"
) -> ParsedValue:
    """Read what was typed into a field of a rule: a text, or the texts of a list."""
    kind, text = editor_kind(payload), text_or_items if isinstance(text_or_items, str) else quote_items(text_or_items)
    if slot in ID_SLOTS:
        return read_id(text)
    if kind in ("custom", "text list", "number list"):
        return _read_list(payload, paste_list(text_or_items) if isinstance(text_or_items, str) else text_or_items, zone)
    if kind == "unknown":
        return read_same_type(payload.get("columnValue"), text)
    return read_value(kind, text, zone, end_of_day=means_day_end(payload, 1 if slot == "until" else 0))


def means_day_end(payload: Mapping[str, Any], number: int) -> bool:
    """Return whether a day without a time means its end, for the value with this index: the end of a span does."""
    if editor_kind(payload) in ("moment range", "pattern") or payload.get("operator") == "BETWEEN":
        return number == 1
    return payload.get("operator") in _DAY_END_OPERATORS


def _split_numbers(item: str) -> list[str]:
    """Return the whole numbers in a text that contains nothing else, or else the text itself."""
    numbers = [each for each in _NUMBER_SEPARATORS.split(item) if each]
    return numbers if numbers and all(map(_WHOLE.fullmatch, numbers)) else [item]


def _read_list(payload: Mapping[str, Any], items: Sequence[str], zone: str) -> ParsedValue:
    """Read the values of a list. Values that are in the list already stay unchanged; new ones are added once.

    A value with the wrong type for the list is read again. Values of a custom attribute are texts.
    """
    # ASSUMPTION A78: values of a DATE attribute are epoch milliseconds, written as texts.
    is_custom, known = columns.is_custom(payload), dict(editable_items(payload, zone))
    kind = custom_kind(payload) if is_custom else editor_kind(payload)
    if kind == "number list":
        items = [number for item in items for number in _split_numbers(item)]
    fitting = int | float if kind == "number list" else str
    found: list[Any] = []
    problems: list[str] = []
    seen: set[Any] = set()
    for number, item in enumerate(items):
        value = known.get(item)
        if not isinstance(value, fitting) or isinstance(value, bool):
            read = read_value(kind, item, zone, end_of_day=means_day_end(payload, number))
            if read.problem is not None:
                problems.append(read.problem)
            value = read.value
            if is_custom and value is not None and kind != "text":
                value = str(value) if kind == "moment" else item.strip()
            if value in seen:
                continue
            seen.add(value)
        if value is not None:
            found.append(value)
    if not problems:
        return ParsedValue(found or None)
    others = len(problems) - 1
    more = "" if not others else f" {others:,} other{' is' if others == 1 else 's are'} not either."
    return ParsedValue(problem=problems[0] + more)


def span_of(payload: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the two moments of a span or pattern; None for a missing one."""
    value = payload.get("columnValue")
    if isinstance(value, list):
        moments = value[1:] if value[:1] in ([PATTERN_NOW], [PATTERN_BETWEEN]) else value
        return (*moments, None, None)[0], (*moments, None, None)[1]
    return value, None


def value_texts(rule: RuleDraft, zone: str = "UTC") -> dict[str, str]:
    """Return the text of every field of the rule, by slot: unreadable input as typed, values as text."""
    payload, kind = rule.payload, editor_kind(rule.payload)
    shown: dict[str, str] = {}
    value = payload.get("columnValue")
    if kind in ("moment range", "pattern"):
        shown = _span_texts(kind, value, zone)
    elif kind == "custom":
        shown["attribute_id"] = editable_text(payload.get("attributeId"))
        shown["values"] = quote_items(value_items(rule, zone))
    elif kind in ("text list", "number list"):
        shown["value"] = quote_items(value_items(rule, zone))
    elif kind == "moment":
        shown["value"] = moment_text(value, zone)
    elif kind != "none":
        shown["value"] = editable_text(value)
    if columns.needs_field_id(payload):
        shown["field_id"] = editable_text(payload.get("contactFieldId"))
    return {**shown, **rule.typed}


def value_items(rule: RuleDraft, zone: str = "UTC") -> list[str]:
    """Return the elements of a rule's list as texts, for chips or lines; empty if there is no list."""
    return [text for text, _ in editable_items(rule.payload, zone)]


def editable_items(payload: Mapping[str, Any], zone: str = "UTC") -> list[tuple[str, Any]]:
    """Return the elements of a rule's list, each with its text."""
    in_moments = columns.is_custom(payload) and custom_kind(payload) == "moment"
    return [(_moment_or_text(each, zone) if in_moments else editable_text(each), each) for each in elements_of(payload)]


def elements_of(payload: Mapping[str, Any]) -> list[Any]:
    """Return the values that the rule compares with: the elements of its list, or its single value."""
    value = payload.get("attributeValues") if columns.is_custom(payload) else payload.get("columnValue")
    return value if isinstance(value, list) else [] if value is None else [value]


def parse_number(text: str) -> int | float | None:
    """Read a number, exactly if it is whole; None if it is not a number."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    if _WHOLE.fullmatch(text):
        return int(text) if len(text) <= MAX_DIGITS else None
    number = float(text)
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() else number


def editable_text(value: Any) -> str:
    """Return a value of a rule as editable text: texts unchanged, others as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _span_texts(kind: str, value: Any, zone: str) -> dict[str, str]:
    shown = {"from": "", "until": ""}
    moments = value if isinstance(value, list) else [] if value is None else [value]
    if kind == "pattern":
        if not isinstance(value, list) or value[:1] not in ([PATTERN_NOW], [PATTERN_BETWEEN]):
            return {"value": editable_text(value), **shown}
        shown["value"], *moments = value
    return shown | dict(zip(("from", "until"), (moment_text(each, zone) for each in moments), strict=False))


def _moment_or_text(value: Any, zone: str) -> str:
    text = editable_text(value)
    return moment_text(int(text), zone) if MILLISECONDS.fullmatch(text) else text


def _read_number(typed: str) -> ParsedValue:
    if _WHOLE.fullmatch(typed):
        return read_whole(typed)
    shown = in_short(typed)
    if re.fullmatch(r"[+-]?\d+,\d+", typed):
        return ParsedValue(problem=f"“{shown}” has a comma. Use a decimal point: {shown.replace(',', '.')}.")
    if not _NUMBER.fullmatch(typed) or math.isinf(float(typed)):
        return ParsedValue(problem=f"“{shown}” is not a number.")
    return ParsedValue(float(typed))
