"""The end that a text states ("until 18:00", "from 1 pm to 6 pm", "for 3 hours", "hasta las 18:00"), as moments.

    find_end_times("Stay inside until 6 pm.", written_at, "America/Denver") -> [EndTime(...)]
    stated_end("Stay inside until 6 pm.", written_at, "America/Denver")     -> datetime in UTC, or None

English and Spanish. Opening times, sightings, and supplies "for 3 days" are not ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from domain.alerts.wording.patterns import over_lines, pattern, without_accents
from domain.text.place_clock import zone_or_utc

_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAYS_ES: Final = ("lun", "mar", "mie", "jue", "vie", "sab", "dom")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS_ES: Final = ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic")
_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS_ES: Final = ("una", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce")
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
_SHORTEST_MINUTES: Final = 15

_SPELLED: Final = "|".join((*_NUMBERS, *_NUMBERS_ES))
_ZONE: Final = r"(?-i:UTC|GMT|(?<=\d)Z|[ECMP][SD]?T|AK[SD]?T|H[SD]T|A[SD]T|ChST|SST)\b"
_CLOCK: Final = over_lines(
    r"""
    (?:\d{1,2}|<spelled>)(?:[:.]\d{2}| y (?:media|cuarto))?\s*
    (?:[ap](?:m\b|\.\s?m\b\.?)|(?<=\d)[ap]\b|(?:de|por|en) (?:la|esta) (?:manana|tarde|noche)\b|
    in the (?:morning|afternoon|evening)\b)|
    \d{1,2}[:h]\d{2}\b(?:\s?(?:hrs?|hours|horas|h)\b)?|
    \d{3,4}\s?(?:hrs?|hours|horas|h|[ap]\.?m)\b|
    (?![2-9]11\b)(?:[01]?\d|2[0-4])[0-5]\d(?=Z\b|\b(?!\s?[-/]|
    \s+(?:block|blk|people|homes|houses|customers|residents|feet|ft|acres|m(?:eters|iles)?|km)\b|
    \s+(?:[NSEW]\.? )?(?-i:[A-Z])\w+ (?:st|street|ave|avenue|rd|road|blvd|dr|drive|ln|lane|way|hwy)\b))|
    \d{1,2}\s?(?:h|hrs|horas)\b|noon\b|midday\b|midnight\b|(?:el )?mediodia\b|(?:la )?medianoche\b
    """,
    spelled=_SPELLED,
)
_BARE_HOUR: Final = over_lines(
    r"""
    (?:\d{1,2}|<spelled>)(?:\s?o['’]clock)?
    (?=\s*(?:[.,;!)\n]|$|today\b|tonight\b|tomorrow\b|this\b|on\b|hoy\b|manana\b|de hoy\b|de manana\b|del\b))
    """,
    spelled=_SPELLED,
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
    al menos)\s+)*
    (?:las?\s|el\s|at\s|on\s|a las?\s)*
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
    (?P<from>\b(?:<clock>|(?:[01]\d|2[0-3])[0-5]\d(?=\s?(?:-|–|to\b|a\b))|\d{1,2}(?=\s?(?:-|–|(?:to|and|a|y|hasta)\b)))|(?<=now)|(?<=ahora))
    (?:,?\s*(?:on )?(?P<day_from>\b<days>))?\s*(?:<zone>)?\s*
    (?:-|–|—|\bto\b|\buntil\b|\btill\b|\bthrough\b|\band\b|\bal?\b|\by\b|\bhasta\b)\s*(?P<time><end>)
    """,
    days=_DAYS,
    clock=_CLOCK,
    zone=_ZONE,
    end=_END,
)
_ENDS_BY_WORD: Final = (
    r"(?:termin|finaliz|venc|expir|caduc|conclu|acab)(?:a|an|e|en|ara|aran|era|eran|ira|iran|ye|yen|yera|uira)"
)
_UNTIL: Final = pattern(
    r"""
    (?:\b(?:until|till|through|thru|up to)|['’]?\btil|
    \b(?:expires?|expiring|expiration(?: time)?|exp|ends|ending|(?:will|to|should|may) (?:end|expire)|end time|lifts|
    over|will be lifted|concludes|finishes)(?:\s+(?:at|on|by))?:?|
    \b(?:in effect|in force|valid|effective|active|extended|prolonged|lasts?|lasting|continues?|remains?|
    goes on|(?:from )?now|runs?)\s+to|
    \bhasta(?:\s+aproximadamente)?|\b<ends>(?:\s+(?:a|el))?)
    \s+(?P<time><end>)
    """,
    end=_END,
    ends=_ENDS_BY_WORD,
)
_DURATION: Final = pattern(
    r"""
    (?:\b(?:for|during|over|lasts?|lasting|(?:ends?|expires?|expiring|over) in|por|durante|dura(?:ra)?|<ends> en)\s+|
    (?<!\bin )(?<!within )(?<!\ben )\b(?=(?:the (?:next|coming|following)|l[ao]s (?:proxim[oa]s|siguientes))\b))
    (?P<time>(?:(?:the|about|approximately|approx\.?|at least|up to|another|an additional|roughly|around|los|las|la|
    unos|unas|otras|aproximadamente|al menos|hasta)\s+)*
    (?P<next>(?:next|coming|following|proxim[oa]s?|siguientes?)\s+)?
    (?:(?P<number>\d{1,3}|an?|<spelled>|un|veinticuatro|twenty[- ]four)\s*
    (?:(?:-|–|to|or|a|o)\s*(?P<most>\d{1,3}|<spelled>)\s*)?(?:more\s|mas\s|full\s)?|
    (?<=next )|(?<=coming )|(?<=following )|(?<=proxima )|(?<=siguiente ))
    -?(?P<unit>hours?|hrs?|horas?|h|days?|dias?|minutes?|mins?|minutos?)\b)
    """,
    spelled=_SPELLED,
    ends=_ENDS_BY_WORD,
)
_SERVICE: Final = pattern(
    r"""
    \b(?:open(?:s|ed|ing)?|staffed|available|(?:office|business|service|store|visiting) hours|hours:|hotline|help ?line|
    (?:phone )?lines?|call|phone|visit|shelters?(?!\s*$|[ -]in[ -]place| now| inside| until| till| at home| indoors)|
    (?:cooling|warming|information|distribution|help|call|reception|evacuation|assistance|recreation|senior|community|
    testing|recovery|resource|water)\s(?:cent(?:er|re)s?|stations?|sites?|points?)|pick ?up|hand(?:ed|ing)? out|
    distribut\w+|bus(?:es)?|trains?|shuttles?|ferr(?:y|ies)|library|clinic|pharmacy|serv(?:es|ed|ing|ice)|
    abiert[oa]s?|abren?|abrira\w*|horario|atienden?|atencion|disponibles?|linea(?: de ayuda)?|llame|autobus(?:es)?|
    refugios?|albergues?|centros? de|biblioteca|reparten?|entrega\w*|distribuy\w+)\b
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
_NO_SPAN: Final = pattern(
    r"""
    \b(?:food|gallons?|water and|and water|of water|supplies|enough|medic\w+|kit|provisions|fridges?|refrigerators?|
    freezers?|alimentos|comida|agua y|y agua|de agua|suministros|viveres|been|was|were|had|missing|if|lleva\w*|estuvo|
    si|desaparecid[oa])\b(?!.*\b(?:do not|don['’]t|no)\b)
    """
)
"""Words before a number of hours that make it a supply, a past duration, or a condition."""
_WATER_OFF: Final = pattern(r"\b(?:boil|shut off|turned off|hierva\w*)\b")


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
    plain = without_accents(text)
    found = sorted(_found(plain, written_at, zone), key=lambda end: (end.start, -end.time_end))
    ends: list[EndTime] = []
    for end in found:
        # "from 1 pm to 6 pm" contains what looks like an end of its own.
        if not ends or end.time_start >= ends[-1].time_end:
            ends.append(end._replace(words=text[end.start : end.time_end]))
    return ends


def replace_time(text: str, old: str, new: str) -> str:
    """Return the text with a new end in place of the old one. Start times and other times of the same value stay."""
    return re.sub(
        rf"(?<![\w:])(?<!\bat )(?<!\bsince )(?<!\bseen )(?<!\bfrom ){re.escape(old)}(?![\w:])", lambda _: new, text
    )


def _found(text: str, written_at: datetime, zone: str | None) -> Iterator[EndTime]:
    for found in (*_RANGE.finditer(text), *_UNTIL.finditer(text)):
        before, sentence = _before(text, found.start()), _sentence(text, found)
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
    for found in _DURATION.finditer(text):
        before = _before(text, found.start())
        minutes = _minutes(found)
        hours = tuple(-(-each // 60) for each in minutes)
        is_span = not _NO_SPAN.search(before) or _WATER_OFF.search(before)
        if hours and is_span and not _is_service_time(before):
            moments = tuple(sorted(written_at.astimezone(UTC) + timedelta(minutes=each) for each in minutes))
            start, end = found.span("time")
            is_spanish = found["unit"][:3] in ("hor", "dia")
            yield EndTime("", found.start(), start, end, moments, moments[-1], hours, is_spanish)


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
    return bool(re.search(rf"\b(?:hasta|desde|las?|del?|el|{_ENDS_BY_WORD})\b", words, re.I))


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
    number = re.match(rf"(\d+|{_SPELLED})(?:[:.h](\d\d))?", words)
    if number is None:
        return
    if number[1].isdigit() and len(number[1]) > 2:
        hour, minute, is_long = int(number[1][:-2]), int(number[1][-2:]), True
    else:
        hour = int(number[1]) if number[1].isdigit() else _spelled(number[1])
        minute = int(number[2] or 0) or (30 if " y media" in words else 15 if " y cuarto" in words else 0)
        is_long = number[1].startswith("0") or re.search(r"\d ?(?:h|hrs|horas)\b", words) is not None
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


def _spelled(word: str) -> int:
    numbers = _NUMBERS if word in _NUMBERS else _NUMBERS_ES
    return numbers.index(word) + 1


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
        yield at if at > now else at + timedelta(days=1)
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


def _minutes(found: re.Match[str]) -> list[int]:
    unit, minutes = found["unit"][0].casefold(), []
    for words in (found["number"] or "1", found["most"]):
        if words is None:
            continue
        word = words.casefold()
        number = int(word) if word.isdigit() else 24 if word.startswith(("veinti", "twenty")) else 1
        if word in (*_NUMBERS, *_NUMBERS_ES):
            number = _spelled(word)
        if unit == "m" and (found["next"] is None or number < _SHORTEST_MINUTES):
            return []
        minutes.append(number * {"m": 1, "h": 60, "d": 24 * 60}[unit])
    return minutes


def _before(text: str, start: int) -> str:
    """Return what comes before this position in the sentence. "a.m." and "St." do not end a sentence."""
    return re.split(r"[;!?\n]|(?<![ap.]\.m)(?<!\bSt)(?<!\bMt)(?<!\b[A-Z])\.(?=\s|$)", text[:start])[-1]


def _sentence(text: str, found: re.Match[str]) -> str:
    rest = re.split(r"[;!?\n]|\.(?=\s|$)", text[found.end() :])[0]
    return f"{_before(text, found.start())}{found.group()}{rest}"
