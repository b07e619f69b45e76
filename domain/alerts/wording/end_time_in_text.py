"""The end that a text states ("until 18:00", "from 1 pm to 6 pm", "for 3 hours", "hasta las 18:00"), as moments.

    find_end_times("Stay inside until 6 pm.", written_at, "America/Denver") -> [EndTime(...)]
    stated_end("Stay inside until 6 pm.", written_at, "America/Denver")     -> datetime in UTC, or None

English and Spanish. Opening times, sightings, and supplies "for 3 days" are not ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from domain.alerts.wording.durations_in_text import ENDS_BY_WORD, find_durations
from domain.alerts.wording.number_words import HOUR_WORDS, read_number
from domain.alerts.wording.patterns import over_lines, pattern, sentence_after, sentence_before, without_accents
from domain.text.place_clock import zone_or_utc

_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAYS_ES: Final = ("lun", "mar", "mie", "jue", "vie", "sab", "dom")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS_ES: Final = ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic")
_ZONES: Final = {
    "E": "America/New_York",
    "C": "America/Chicago",
    "M": "America/Denver",
    "P": "America/Los_Angeles",
    "A": "America/Anchorage",
    "H": "Pacific/Honolulu",
    "AST": "America/Puerto_Rico",
    "ADT": "America/Puerto_Rico",
    "ChST": "Pacific/Guam",
    "SST": "Pacific/Pago_Pago",
}
"""Time zones by their abbreviations, or by the standard one, since many write "EST" all year."""
_DAY_PARTS: Final = (
    ("morning|(?:la|esta|de) manana", range(6, 13)),
    ("afternoon|tarde", range(12, 19)),
    ("evening", range(17, 23)),
    ("night|noche", range(18, 25)),
)
_LONGEST: Final = timedelta(days=180)
"""A date without a year that is longer ago belongs to the next year."""
_MAY_HAVE_PASSED: Final = timedelta(hours=6)
"""A time of day not longer ago may be today's, in a text that was not updated, or tomorrow's."""

_ZONE: Final = r"(?-i:UTC|GMT|(?<=\d)Z|[ECMP][SD]?T|AK[SD]?T|H[SD]T|A[SD]T|ChST|SST)\b"
_MINUTE_WORDS: Final = (
    r"ten|fifteen|twenty|thirty|forty[- ]five|fifty|diez|quince|veinte|veinticinco|treinta|cuarenta y cinco|cincuenta"
)
_HALF_DAY: Final = over_lines(
    r"""
    [ap](?:m\b|\.\s?m\b\.?)|(?<=\d)[ap]\b|(?:de|por|en) (?:la|esta) (?:manana|tarde|noche)\b|
    in the (?:morning|afternoon|evening)\b
    """
)
_SPOKEN_CLOCK: Final = over_lines(
    r"""
    half past (?:\d{1,2}|<hour>)\b|(?:a )?quarter (?:past|after|to|till|of|before) (?:\d{1,2}|<hour>)\b|
    (?:<minutes>|five|\d{1,2}) (?:minutes )?(?:past|after|to|till|before) (?:\d{1,2}|<hour>)\b(?! \d)|
    (?:un )?cuarto para las? (?:\d{1,2}|<hour>)\b|(?:<minutes>|cinco|\d{1,2}) para las? (?:\d{1,2}|<hour>)\b|
    (?:\d{1,2}|<hour>) (?:y|con|menos) (?:media|cuarto|<minutes>|cinco|\d{1,2})\b(?: minutos\b)?|
    (?:<hour>)[ -](?:<minutes>)\b
    """,
    hour=HOUR_WORDS,
    minutes=_MINUTE_WORDS,
)
"""A time of day in words: "half past seven", "siete y media", "cinco menos cuarto"."""
_CLOCK: Final = over_lines(
    r"""
    (?:<spoken>)(?:\s?(?:<half>))?|
    (?:\d{1,2}|<hour>)(?:[:.]\d{2}|-[0-5]\d(?=\s?[ap]\.?m))?\s?(?:<half>)|
    \d{1,2}[:h]\d{2}\b(?:\s?(?:hrs?|hours|horas|h)\b)?|
    (?<!\$)(?:[01]?\d|2[0-4])\.[0-5]\d(?:\s?(?:hrs?|hours|horas|h)\b|(?=\s?(?:[,;!)\n]|$|\.(?!\d)|<zone>|today\b|
    tonight\b|tomorrow\b|on\b|hoy\b|manana\b|del?\b|el\b)))|
    \d{3,4}\s?(?:hrs?|hours|horas|h|[ap]\.?m)\b|
    (?![2-9]11\b)(?:[01]?\d|2[0-4])[0-5]\d(?=Z\b|\b(?!\s?[-/]|\.\d|
    \s+(?:block|blk|people|homes|houses|customers|residents|feet|ft|acres|m(?:eters|iles)?|km)\b|
    \s+(?:[NSEW]\.? )?(?-i:[A-Z])\w+ (?:st|street|ave|avenue|rd|road|blvd|dr|drive|ln|lane|way|hwy)\b))|
    \d{1,2}\s?(?:h|hrs|horas)\b|noon\b|midday\b|midnight\b|(?:el )?mediodia\b|(?:la )?medianoche\b
    """,
    spoken=_SPOKEN_CLOCK,
    half=_HALF_DAY,
    hour=HOUR_WORDS,
    zone=_ZONE,
)
_BARE_HOUR: Final = over_lines(
    r"""
    (?:\d{1,2}|<hour>)(?:\s?o['’]clock)?
    (?=\s?(?:[,;!)\n](?!\d)|\.(?!\d)|$|today\b|tonight\b|tomorrow\b|this\b|on\b|hoy\b|manana\b|
    de hoy\b|de manana\b|del\b))
    """,
    hour=HOUR_WORDS,
)
_WEEKDAY: Final = (
    r"(?:mon|tue|wed|thu|fri|sat|sun)(?:s?day|nesday|rsday|urday|s|rs?)?\b\.?|"
    r"(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)\b"
)
_MONTH: Final = rf"(?:{'|'.join(sorted({*_MONTHS, *_MONTHS_ES}))})[a-z]*\.?"
_DATE: Final = over_lines(
    r"""
    <month> \d{1,2}(?:st|nd|rd|th)?\b(?!:)(?:,? \d{4}\b)?|
    \d{1,2}(?:st|nd|rd|th)? (?:de )?<month>\b(?:,?(?: del?)? \d{4}\b)?|
    \d{4}-\d{2}-\d{2}\b|\d{1,2}/\d{1,2}(?:/\d{2,4})?\b
    """,
    month=_MONTH,
)
_DAY: Final = over_lines(
    r"""
    (?:today|tonight|hoy|pasado manana|tomorrow|manana|
    (?:next |this )?(?:<weekday>)(?: \d{1,2}\b(?![:.]\d|\s?[ap]\.?m|\s(?:de )?<month>))?|
    this|esta|<date>)
    (?:,? (?:por la |en la |a la |de la |late |early )?(?:morning|afternoon|evening|night|manana|tarde|noche)\b)?
    """,
    weekday=_WEEKDAY,
    date=_DATE,
    month=_MONTH,
)
_DAYS: Final = rf"(?:{_DAY})(?:,?\s*(?:del? |el )?(?:{_DAY}))?"
_END: Final = over_lines(
    r"""
    (?:(?:about|around|at least|approximately|approx\.?|roughly|early|late|the end of|aproximadamente|alrededor de|
    al menos|eso de|cerca de|mas o menos|casi)\s){0,3}
    (?:las?\s|el\s|at\s|on\s|a las?\s){0,2}
    (?:(?P<day>\b<days>)(?:,?\s*(?:at\s|a\s(?:las?\s)?|al\s|by\s|around\s|@\s?|las?\s)?)
    (?P<clock_after_day>\b(?:<clock>|<bare>))?|
    (?P<clock_first>\b(?:<clock>|<bare>)))
    \s*(?P<letters><zone>)?(?:\s(?:local|local time|hora local|Eastern|Central|Mountain|Pacific)\b(?: time\b)?)?
    (?:,?\s*\(?(?:on |el |del? |of )?(?P<after>\b<days>))?
    """,
    days=_DAYS,
    clock=_CLOCK,
    bare=_BARE_HOUR,
    zone=_ZONE,
)
_RANGE: Final = pattern(
    r"""
    (?P<start_day>\b<days>)?,?\s*(?:\b(?:from|between|beginning|starting|del?|desde|entre)\s+)?(?:now|ahora|las?\s|el\s)?
    (?:(?P<day_inside>\b<days>)\s*(?:at\s|a las?\s|las?\s)?)?
    (?P<from>\b(?:<clock>|(?:[01]\d|2[0-3])[0-5]\d(?=\s?(?:-|–|to\b|a\b))|(?:\d{1,2}|<hour>)(?=\s?(?:-|–|(?:to|and|a|y|hasta)\b)))|(?<=now)|(?<=ahora))
    (?:,?\s*(?:on )?(?P<day_from>\b<days>))?\s*(?:<zone>)?\s*
    (?:-|–|—|\bto\b|\buntil\b|\btill\b|\bthrough\b|\band\b|\bal?\b|\by\b|\bhasta\b)\s*(?P<time><end>)
    """,
    days=_DAYS,
    clock=_CLOCK,
    hour=HOUR_WORDS,
    zone=_ZONE,
    end=_END,
)
_UNTIL: Final = pattern(
    r"""
    (?:\b(?:until|till|through|thru|up to)|['’]?\btil|
    \b(?:expires?|expiring|expiration(?: time)?|exp|ends|ending|(?:will|to|should|may) (?:end|expire)|end time|lifts|
    over|will be lifted|concludes|finishes)(?:\s+(?:at|on|by))?:?|
    \b(?:in effect|in force|valid|effective|active|extended|prolonged|lasts?|lasting|continues?|remains?|
    goes on|(?:from )?now|runs?)\s+to|
    \bhasta:?|\bse levantara?n?(?:\s+a)?|\b<ends>(?:\s+(?:a|el))?)
    \s+(?P<time><end>)
    """,
    end=_END,
    ends=ENDS_BY_WORD,
)
_SERVICE: Final = pattern(
    r"""
    \b(?:open(?:s|ed|ing)?|staffed|available|(?:office|business|service|store|visiting) hours|hours:|hotline|help ?line|
    (?:phone )?lines?|call|phone|visit|shelters?(?!\s*$|[ -]in[ -]place| now| inside| until| till| at home| indoors)|
    (?:cooling|warming|information|distribution|help|call|reception|evacuation|assistance|recreation|senior|community|
    testing|recovery|resource|water)\s(?:cent(?:er|re)s?|stations?|sites?|points?)|pick ?up|hand(?:ed|ing)? out|
    distribut\w+|bus(?:es)?|trains?|shuttles?|ferr(?:y|ies)|library|clinic|pharmacy|serv(?:es|ed|ing|ice)|
    abiert[oa]s?|abren?|abrira\w*|horario|atienden?|atencion|disponibles?|linea(?: de ayuda)?|llame|autobus(?:es)?|
    refugios?|albergues?|centros? de(?! (?-i:[A-Z][a-z]))|biblioteca|reparten?|entrega\w*|distribuy\w+)\b
    """
)
"""Words of facilities and services that open, run, or answer until a time. It is not the end of the alert."""
_OF_THE_ALERT: Final = pattern(
    r"""
    \b(?:in effect|in force|valid|warning|watch|advisory|order|alert|evacuation|expires?|ends?|lasts?|stay|remain|keep|
    avoid|boil|do not|don['’]t|closed?|shelter in place|vigente|en vigor|aviso|alerta|orden|permane\w+|quedese|
    mantenga\w*|evite\w*|hierva\w*|cerrad\w+|no \w+)\b
    """
)
_SEEN: Final = pattern(
    r"""
    \b(?:seen|sighted|contact(?:ed)?|was|were|worked|meetings?|hearing|conference|classes|sound|missing since|happened|
    occurred|took place|vist[oa]s?|ocurri\w+|sucedi\w+|reunion|fue|estuvo|sonaran?|desaparecid[oa]s? (?:desde|entre))\b
    """
)
_SPOKEN: Final = pattern(
    r"""
    (?P<minutes_of>half|(?:a )?quarter|(?:un )?cuarto|(?:<minute_words>|five|cinco|\d{1,2})(?: minutes)?)\s
    (?P<to_of>past|after|to|till|of|before|para las?)\s(?P<hour_of>\d{1,2}|<hour_words>)\b|
    (?P<hour>\d{1,2}|<hour_words>)(?P<to> y | con | menos |[ -])(?P<minutes>media|cuarto|<minute_words>|cinco|
    \d{1,2}\b(?!\s?[ap]\.?m))
    """,
    hour_words=HOUR_WORDS,
    minute_words=_MINUTE_WORDS,
)
_SPACES: Final = re.compile(r"\s\s|[^\S \n]")
_SPACE_OR_WORD: Final = re.compile(r"\s+|\S+")
_CONTINUES: Final = re.compile(
    r"[.:,]?\d|\s?(?:½|1/2\b)|\s(?:y|con|menos|and|past)\s(?:media|cuarto|a (?:half|quarter)|\d{1,2}\b(?!\s?[ap]\.?m))",
    re.I,
)
"""What continues a time or a duration. If it follows what was read, the reading is wrong."""


class EndTime(NamedTuple):
    """An end that a text states."""

    words: str
    start: int
    """The position of `words` in the text."""
    time_start: int
    """The start of the time or number of hours in `words`."""
    time_end: int
    """The end of the time or number of hours in `words`."""
    moments: tuple[datetime, ...]
    """The times that the words may mean, in UTC and sorted."""
    likely: datetime
    """The most likely of `moments`."""
    hours: tuple[int, ...] = ()
    """The hours of a duration: the number, or the lowest and the highest."""
    is_spanish: bool = False


def stated_end(text: str, written_at: datetime, zone: str | None) -> datetime | None:
    """Return the most likely first end that a text states, in UTC, or None."""
    ends = find_end_times(text, written_at, zone)
    return ends[0].likely if ends else None


def find_end_times(text: str, written_at: datetime, zone: str | None) -> list[EndTime]:
    """Return each end that a text states, in order, read in a time zone (UTC if unknown).

    "until 6:00" may be morning or evening. A time without a day is the next one, and "until Friday" is any hour of that
    day.
    """
    plain, positions = _with_single_spaces(without_accents(text))
    found = sorted(_found(plain, written_at, zone), key=lambda end: (end.start, -end.time_end))
    ends: list[EndTime] = []
    last = 0
    for end in found:
        # "from 1 pm to 6 pm" contains what looks like an end of its own.
        if end.time_start >= last and not _CONTINUES.match(plain, end.time_end):
            last = end.time_end
            start, time_start, time_end = (positions[at] for at in (end.start, end.time_start, end.time_end - 1))
            words = text[start : time_end + 1]
            ends.append(end._replace(words=words, start=start, time_start=time_start, time_end=time_end + 1))
    return ends


def _with_single_spaces(text: str) -> tuple[str, Sequence[int]]:
    """Return the text with one space or line break for each run of them, and the old position of each character.

    Between two words, an expression can then find only one space, so that no number of spaces makes it slow.
    """
    if not _SPACES.search(text):
        return text, range(len(text))
    parts: list[str] = []
    positions: list[int] = []
    for run in _SPACE_OR_WORD.finditer(text):
        word = run.group() if not run.group().isspace() else "\n" if "\n" in run.group() else " "
        parts.append(word)
        positions += range(run.start(), run.start() + len(word))
    return "".join(parts), positions


def replace_time(text: str, old: str, new: str) -> str:
    """Return the text with a new end in place of the old one. Start times and other times of the same value stay."""
    return re.sub(
        rf"(?<![\w:])(?<!\bat )(?<!\bsince )(?<!\bseen )(?<!\bfrom ){re.escape(old)}(?![\w:])", lambda _: new, text
    )


def _found(text: str, written_at: datetime, zone: str | None) -> Iterator[EndTime]:
    for found in (*_RANGE.finditer(text), *_UNTIL.finditer(text)):
        before, sentence = sentence_before(text, found.start()), _sentence(text, found)
        is_range = "from" in found.re.groupindex
        if _is_service_time(before) or (is_range and not _is_range(found, sentence)):
            continue
        day = found["day"] or found["after"] or ""
        if is_range:
            day = day or found["day_from"] or found["day_inside"] or found["start_day"] or ""
        elif (found["clock_after_day"] or found["clock_first"] or day) and _is_bare_part(found):
            continue
        moments = _moments(found, day, written_at, zone, found["from"] if is_range else None)
        if moments:
            start, end = found.span("time")
            words = text[start:end].rstrip(" ,(")
            # The period of "6 p.m." may also end the sentence.
            ends_sentence = words.endswith(".") and re.match(r"\s*(?:$|\n|[A-Z])", text[end:])
            words_end = start + len(words) - bool(ends_sentence)
            yield EndTime(
                "",
                found.start() + _blanks(found),
                start,
                words_end,
                moments,
                _likely(found, moments, written_at),
                is_spanish=_is_spanish(found.group()),
            )
    for lasts in find_durations(text):
        if not _is_service_time(sentence_before(text, lasts.start)):
            moments = tuple(sorted(written_at.astimezone(UTC) + timedelta(minutes=each) for each in lasts.minutes))
            yield EndTime(
                "", lasts.start, lasts.time_start, lasts.time_end, moments, moments[-1], lasts.hours, lasts.is_spanish
            )


def _is_service_time(before: str) -> bool:
    """Return whether the sentence up to here is about opening hours or service times instead of the alert."""
    clause = before.rpartition(",")[2]
    if _SERVICE.search(clause):
        return not re.search(r"\b(?:in effect|in force|expires?|ends?|vigente|en vigor)\b", clause, re.I)
    return bool(_SERVICE.search(before)) and not _OF_THE_ALERT.search(clause)


def _is_range(found: re.Match[str], sentence: str) -> bool:
    has_half = re.search(r"[ap]\.?\s?m\b|[:h]\d\d|noon|midnight|dia\b|noche\b|tarde\b|manana\b", found["time"], re.I)
    # "1500 to 1820" may be a count of anything.
    is_military = re.fullmatch(r"\d\d[0134][05]", found["from"] or "") and re.match(r"\d\d[0134][05]", found["time"])
    return not _SEEN.search(sentence) and bool(
        has_half or is_military or re.search(r"\d\d\s?(?:h|hrs?|hours|horas)\b", found["time"])
    )


def _is_bare_part(found: re.Match[str]) -> bool:
    """Return whether the part is only "this" or "esta", which does not name a day."""
    return not (found["clock_after_day"] or found["clock_first"]) and (found["day"] or "").casefold() in (
        "this",
        "esta",
    )


def _is_spanish(words: str) -> bool:
    return bool(re.search(rf"\b(?:hasta|desde|las?|del?|el|{ENDS_BY_WORD})\b", words, re.I))


def _blanks(found: re.Match[str]) -> int:
    return len(found.group()) - len(found.group().lstrip(" ,"))


def _likely(found: re.Match[str], moments: tuple[datetime, ...], written_at: datetime) -> datetime:
    clock = found["clock_after_day"] or found["clock_first"]
    if clock is None or re.search("midnight|noche$", clock, re.I):
        return moments[-1]
    return next((moment for moment in moments if moment > written_at), moments[-1])


def _moments(
    found: re.Match[str], day: str, written_at: datetime, zone: str | None, start_clock: str | None
) -> tuple[datetime, ...]:
    place, letters = zone_or_utc(zone), found["letters"]
    # Arizona and Saskatchewan have the same time all year, under the name that their neighbors use in winter.
    is_own = letters in (None, written_at.astimezone(place).tzname())
    info = place if is_own else ZoneInfo(_ZONES.get(letters) or _ZONES.get(letters[:1], "UTC"))
    now = written_at.astimezone(info)
    clock = found["clock_after_day"] or found["clock_first"]
    day = day.casefold()
    first = _date(day, now)
    if clock is None:
        return tuple(moment.astimezone(UTC) for moment in _of_day(first, day, now))
    clocks = list(_clocks(clock, day))
    moments = [moment for each in clocks for moment in _at(each, first, day, now)]
    if start_clock and first is not None and clocks:
        starts = list(_clocks(start_clock, day))
        # "Friday from 10 pm to 6 am" ends on Saturday.
        if starts and not found["after"] and not found["day"] and max(starts) > max(clocks):
            moments = [moment + timedelta(days=1) for moment in moments]
    return tuple(sorted({moment.astimezone(UTC) for moment in moments}))


def _clocks(words: str, day: str) -> Iterator[time]:
    """Return the times of day that words may mean. "6:00" is morning or evening."""
    words = words.casefold().strip()
    if re.search("noon|midday|mediodia", words) and "after" not in words:
        yield time(12)
        return
    if re.search("midnight|medianoche", words):
        yield time(0)
        return
    read = _hour_and_minute(words)
    if read is None:
        return
    hour, minute, is_long = read
    if hour == 24 and not minute:
        yield time(0)
        return
    if hour > 23 or minute > 59:
        return
    half = re.search(r"([ap])\.?\s?m\b|(?<=\d)([ap])\b|manana|morning|tarde|noche|afternoon|evening", words)
    part = half or re.search(r"morning|la manana|tarde|noche|afternoon|evening|night", day)
    half_letters = bool(half and (half[1] or half[2]))
    if half_letters and not 1 <= hour <= 12:
        return
    if part is not None and hour <= 12:
        is_morning = part[0].startswith("a") if half_letters else part[0] in ("manana", "la manana", "morning")
        yield time(hour % 12 + (0 if is_morning else 12), minute)
    elif hour > 12 or is_long:
        yield time(hour, minute)
    else:
        yield time(hour % 12, minute)
        yield time(hour % 12 + 12, minute)


def _hour_and_minute(words: str) -> tuple[int, int, bool] | None:
    """Return hour and minute as written, and whether the hour is one of 24."""
    if spoken := _SPOKEN.match(words):
        of_hour = spoken["minutes_of"] or spoken["minutes"]
        minute = 30 if re.search(r"half|media", of_hour) else 15 if re.search("quarter|cuarto", of_hour) else -1
        minute = int(read_number(re.sub(r" (?:minutes|minutos)", "", of_hour))) if minute < 0 else minute
        hour = int(read_number(spoken["hour_of"] or spoken["hour"]))
        if re.match(r" ?(?:to|till|of|before|para|menos)\b", spoken["to_of"] or spoken["to"]):
            return (hour - 1) % 12 or 12, 60 - minute, False
        return hour, minute, hour > 12
    number = re.match(rf"(\d+|{HOUR_WORDS})(?:[:.h-](\d\d))?", words)
    if number is None:
        return None
    if number[1].isdigit() and len(number[1]) > 2:
        return int(number[1][:-2]), int(number[1][-2:]), True
    is_long = number[1].startswith("0") or re.search(r"\d ?(?:h|hrs|horas)\b", words) is not None
    return int(read_number(number[1])), int(number[2] or 0), is_long


def _date(day: str, now: datetime) -> date | None:
    """Return the date in the words, or None if there is none or it does not exist."""
    today = now.date()
    if numbers := re.search(r"(\d{4})-(\d\d)-(\d\d)", day):
        return _real_date(*map(int, numbers.groups()))
    if numbers := re.search(r"(\d{1,2})/(\d{1,2})(?:/(\d{2,4}))?", day):
        first, second = int(numbers[1]), int(numbers[2])
        month, number = (second, first) if first > 12 else (first, second)
        year = int(numbers[3]) if numbers[3] else None
        return _in_year(year + 2000 if year is not None and year < 100 else year, month, number, today)
    month_first = re.search(rf"({_MONTH}) (\d{{1,2}})", day)
    day_first = re.search(rf"(\d{{1,2}})(?:st|nd|rd|th)? (?:de )?({_MONTH})", day)
    if named := month_first or day_first:
        word, day_of_month = (named[1], named[2]) if month_first else (named[2], named[1])
        names = _MONTHS if word[:3] in _MONTHS else _MONTHS_ES
        written_year = re.search(r"\b(\d{4})\b", day)
        return _in_year(
            int(written_year[1]) if written_year else None, names.index(word[:3]) + 1, int(day_of_month), today
        )
    if "pasado manana" in day:
        return today + timedelta(days=2)
    if weekday := re.search(_WEEKDAY, day):
        days = _WEEKDAYS if weekday[0][:3] in _WEEKDAYS else _WEEKDAYS_ES
        return today + timedelta(days=(days.index(weekday[0][:3]) - today.weekday()) % 7)
    if re.match(r"tomorrow|manana", day):
        return today + timedelta(days=1)
    return today if re.match("today|tonight|hoy|this|esta", day) else None


def _in_year(year: int | None, month: int, number: int, today: date) -> date | None:
    if year is not None:
        return _real_date(year, month, number)
    this_year = _real_date(today.year, month, number)
    is_past = this_year is not None and today - this_year > _LONGEST
    return _real_date(today.year + 1, month, number) if is_past else this_year


def _real_date(year: int, month: int, number: int) -> date | None:
    try:
        return date(year, month, number)
    except ValueError:
        return None


def _of_day(first: date | None, day: str, now: datetime) -> Iterator[datetime]:
    """Return every full hour of a day or of a part of it."""
    if first is None:
        return
    start = now.replace(year=first.year, month=first.month, day=first.day, hour=0, minute=0, second=0, microsecond=0)
    hours = next((hours for words, hours in _DAY_PARTS if re.search(words, day)), range(25))
    for hour in hours:
        yield start + timedelta(hours=hour)


def _at(clock: time, first: date | None, day: str, now: datetime) -> Iterator[datetime]:
    at = now.replace(hour=clock.hour, minute=clock.minute, second=0, microsecond=0)
    if first is None:
        if now - _MAY_HAVE_PASSED < at:
            yield at
        if at <= now:
            yield at + timedelta(days=1)
        return
    at = at.replace(year=first.year, month=first.month, day=first.day)
    is_relative = first == now.date() and not re.search(rf"{_WEEKDAY}|\d", day)
    if is_relative and at <= now and (clock.hour < 12 or clock == time(0)):
        # "tonight until 2 am" is tomorrow's.
        yield at + timedelta(days=1)
        if clock != time(0):
            yield at
        return
    yield at
    # Midnight belongs to the day that it ends for most people, and to the day that it begins by the calendar.
    if clock == time(0):
        yield at + timedelta(days=1)


def _sentence(text: str, found: re.Match[str]) -> str:
    return f"{sentence_before(text, found.start())}{found.group()}{sentence_after(text, found.end())}"
