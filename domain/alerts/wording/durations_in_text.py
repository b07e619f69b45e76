"""Durations in a text: "for 3 hours", "the next 90 minutes", "two and a half hours", "hora y media".

A duration counts as the end of an alert unless it is a supply, a past duration, or the time that an instruction takes:
"boil water for one minute".
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from domain.alerts.wording.number_words import NUMBER_WORDS, read_number
from domain.alerts.wording.patterns import pattern, sentence_before

ENDS_BY_WORD: Final = (
    r"(?:termin|finaliz|venc|expir|caduc|conclu|acab)(?:a|an|e|en|ara|aran|era|eran|ira|iran|ye|yen|yera|uira)"
)
_SHORTEST_MINUTES: Final = 10
"""Fewer minutes are how long something is done, not how long an alert lasts."""
_HOUR_UNIT: Final = r"hours?|hrs?|horas?|h"
_MINUTE_UNIT: Final = r"minutes?|mins?|minutos?"
_DURATION: Final = pattern(
    r"""
    (?:\b(?:for|during|over|lasts?|lasting|(?:ends?|expires?|expiring|over) in|por|durante|dura(?:ra)?|<ends> en)\s|
    (?<!\bin )(?<!within )(?<!\ben )\b(?=(?:the (?:next|coming|following)|l[ao]s (?:proxim[oa]s|siguientes))\b))
    (?P<time>(?:(?:the|about|approximately|approx\.?|at least|up to|another|an additional|roughly|around|los|las|la|
    unos|unas|otr[oa]s?|aproximadamente|al menos|hasta)\s){0,4}
    (?P<next>(?:next|coming|following|proxim[oa]s?|siguientes?)\s)?
    (?:(?P<part>half(?: an?)?|(?:a )?quarter of an|three[- ]quarters of an|media|(?:un )?cuarto de|tres cuartos de)
    \s(?:hour|hora)\b|
    (?P<whole>hora)\sy\s(?P<whole_part>media|cuarto)\b|
    (?:(?P<number>\d{1,3}(?:\.\d{1,2})?(?:\s1/2|\s?½)?|1/2|½|an?|un|<words>)\s?
    (?:(?:-|–|to|or|a|o)\s?(?P<most>\d{1,3}|<words>)\s?)?(?P<number_part>and a half\s|y media\s)?
    (?:more\s|mas\s|full\s)?|
    (?<=next )|(?<=coming )|(?<=following )|(?<=proxima )|(?<=siguiente ))
    -?(?P<unit><hours>|days?|dias?|<minutes>)\b
    (?:,?\s(?:and|y)?\s?(?P<rest>a half|an? quarter|media|medio|cuarto|(?:\d{1,2}|<words>)\s(?:<minutes>))\b)?)
    )
    """,
    words=NUMBER_WORDS,
    ends=ENDS_BY_WORD,
    hours=_HOUR_UNIT,
    minutes=_MINUTE_UNIT,
)
_NO_SPAN: Final = pattern(
    r"""
    \b(?:food|gallons?|water and|and water|of water|supplies|enough|medic\w+|kit|provisions|fridges?|refrigerators?|
    freezers?|alimentos|comida|agua y|y agua|de agua|suministros|viveres|been|was|were|had|missing|if|lleva\w*|estuvo|
    si|desaparecid[oa])\b(?!.{0,80}\b(?:do not|don['’]t|no)\b)
    """
)
"""Words before a duration that make it a supply, a past duration, or a condition."""
_WATER_OFF: Final = pattern(r"\b(?:boil|shut off|turned off|hierva\w*)\b")
_STEP: Final = pattern(
    r"""
    \b(?:boil\w*|flush\w*|run|running|wash\w*|rins\w+|soak\w*|sound\w*|wait\w*|hold|cook\w*|heat|clean\w*|disinfect\w*|
    cover|scrub\w*|filter\w*|let|stand|drain\w*|hierv\w+|herv\w+|lav\w+|enjuag\w+|deje\w*|sonar\w*|suen\w+|esper\w+|
    remoj\w+|cocin\w+|desinfect\w+|limpi\w+|cubr\w+|mantenga (?:presionado|bajo)|abra\w*|stop\w*|sirens?|sirenas?)\b
    """
)
"""Words before a number of minutes that make it the time that an instruction takes."""
_HALF: Final = 30
_QUARTER: Final = 15


class Duration(NamedTuple):
    """A duration in a text, in minutes: the number, or the lowest and the highest."""

    start: int
    time_start: int
    time_end: int
    minutes: tuple[int, ...]
    is_spanish: bool

    @property
    def hours(self) -> tuple[int, ...]:
        """The duration in hours, rounded up."""
        return tuple(math.ceil(each / 60) for each in self.minutes)


def find_durations(plain: str) -> Iterator[Duration]:
    """Yield each duration in a text without accents."""
    for found in _DURATION.finditer(plain):
        before, minutes = sentence_before(plain, found.start()), _minutes(found)
        counts_minutes = bool(found["part"] or (found["unit"] or "").casefold().startswith("m"))
        is_span = not _NO_SPAN.search(before) or _WATER_OFF.search(before)
        is_step = counts_minutes and _STEP.search(before)
        if minutes and is_span and not is_step:
            start, end = found.span("time")
            is_spanish = bool(re.search(r"\b(?:hora|minuto|dia)", found["time"], re.I))
            yield Duration(found.start(), start, end, minutes, is_spanish)


def _minutes(found: re.Match[str]) -> tuple[int, ...]:
    if found["part"]:
        words = found["part"].casefold()
        return (45 if words.startswith("t") else _HALF if words.startswith(("half", "media")) else _QUARTER,)
    if found["whole"]:
        return (60 + (_HALF if found["whole_part"].casefold() == "media" else _QUARTER),)
    unit = found["unit"].casefold()
    scale = 24 * 60 if unit.startswith("d") else 1 if unit.startswith("m") else 60
    numbers = [read_number(found["number"] or "1"), *([read_number(found["most"])] if found["most"] else [])]
    if found["number_part"]:
        numbers[-1] += 0.5
    minutes = [round(each * scale) for each in numbers]
    if found["rest"] and scale > 1:
        rest = found["rest"].casefold()
        if rest.endswith(("half", "media", "medio")):
            minutes[-1] += scale // 2
        elif rest.endswith(("quarter", "cuarto")):
            minutes[-1] += scale // 4
        else:
            minutes[-1] += round(read_number(rest.rsplit(maxsplit=1)[0]))
    return () if minutes[0] < _SHORTEST_MINUTES else tuple(minutes)
