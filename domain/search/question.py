"""Parse the questions that people type into the search box.

    lands SIN next 6 h            arrivals at a place; also "arrives", "leaves", "departs", and "tomorrow", "Friday"
    in the air                    people on flights; also "on a train" and "in transit", with "to Tokyo"
    sleeps in Tokyo Friday        people at a place in the night after a day; without a day, tonight
    in Tokyo                      people at a place now
    40 km Nairobi                 people in an area; also "near Nairobi" and the areas of `domain.incidents.area_text`
    not covered                   people on a trip who are expected nowhere

Words of a spoken question, such as "who", "is", and "the", are ignored. A place is any text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, TypeAlias

from domain.expected_locations.movements import Direction
from domain.geography.folding import fold
from domain.incidents.area_text import CITY_KM, UNITS

DEFAULT_HOURS: Final = 24
"""The hours of arrivals and departures without a time."""
MOST_HOURS: Final = 14 * 24
_HOURS_PER_DAY: Final = 24


@dataclass(frozen=True)
class DayText:
    """A day relative to today, a weekday (Monday is 0), or a date with or without its year (0)."""

    offset: int | None = None
    weekday: int | None = None
    month: int = 0
    day: int = 0
    year: int = 0

    def resolve(self, today: date) -> date:
        """Return the date: a weekday is the next one, today included; a date without a year is the nearest one."""
        if self.offset is not None:
            return today + timedelta(days=self.offset)
        if self.weekday is not None:
            return today + timedelta(days=(self.weekday - today.weekday()) % 7)
        years = (self.year,) if self.year else (today.year - 1, today.year, today.year + 1)
        dates = [date(year, self.month, self.day) for year in years if _is_date(year, self.month, self.day)]
        return min(dates, key=lambda each: abs(each - today), default=today)


@dataclass(frozen=True)
class Movements:
    """Who arrives at a place, or leaves it: within some hours from now, or on a day. An empty place means any."""

    direction: Direction
    place: str
    hours: int = DEFAULT_HOURS
    day: DayText | None = None
    is_by_air: bool = False


@dataclass(frozen=True)
class InTransit:
    """Who is on a flight ("Air"), on a train ("Rail"), or on either (""), to a place or anywhere."""

    kind: str = ""
    destination: str = ""


@dataclass(frozen=True)
class Night:
    """Who is at a place in the night that follows a day."""

    place: str
    day: DayText


@dataclass(frozen=True)
class Present:
    """Who is at a place now."""

    place: str


@dataclass(frozen=True)
class Around:
    """Who is in an area now. The text is one that `parse_area` reads."""

    area: str


@dataclass(frozen=True)
class NotCovered:
    """Who is on a trip, but expected nowhere now."""


Question: TypeAlias = Movements | InTransit | Night | Present | Around | NotCovered


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ASKING: Final = _set(
    "who whos where wheres which what whats how find show list tell people person persons passenger passengers "
    "traveler travelers employee employees staff colleague colleagues everyone "
    "anyone someone is are was the theres there"
)
"""Words at the start that ask, or say what everything is about."""
_SPOKEN: Final = _ASKING | _set("a am an all any be been did do does give got has have many me our us we will")
"""Words that mean nothing after those. Before them, they may be a name."""
_KINDS: Final = _set("on flight flights train trip trips booking locator")
"""Words at the start of a search that say what is searched."""
_CLOSING: Final = _set("booked now please right today tomorrow tonight")
"""Words at the end of a search that say nothing about what is searched."""
_ARRIVING: Final = _set("lands land landing arrives arrive arriving arrivals arrival due")
_LEAVING: Final = _set("leaves leave leaving departs depart departing departures departure")
_BY_AIR: Final = _set("lands land landing")
_TWO_WORDS: Final = {
    ("takes", "off"): "leaves",
    ("taking", "off"): "leaves",
    ("checks", "in"): "arrives",
    ("checking", "in"): "arrives",
    ("checks", "out"): "leaves",
    ("checking", "out"): "leaves",
}
_SLEEPING: Final = _set("sleeps sleep sleeping stays stay staying overnights overnight overnighting")
_HAZARDS: Final = _set(
    "earthquake quake flood floods flooding fire wildfire storm hurricane typhoon cyclone tornado tsunami explosion "
    "attack bombing shooting protest protests riot riots eruption volcano landslide evacuation"
)
_TO_PLACES: Final = frozenset(["in", "into", "at", "to", "from", "on", "of", "for", "near"])
_NOW: Final = (("right", "now"), ("at", "the", "moment"), ("now",), ("currently",))
_IN_TRANSIT: Final[dict[str, str]] = {
    "in the air": "Air",
    "in air": "Air",
    "in flight": "Air",
    "on flight": "Air",
    "on flights": "Air",
    "on plane": "Air",
    "on planes": "Air",
    "flying": "Air",
    "airborne": "Air",
    "on train": "Rail",
    "on trains": "Rail",
    "in transit": "",
    "on the move": "",
    "on the way": "",
}
_NOT_COVERED: Final = frozenset(("not covered", "isn t covered", "aren t covered", "uncovered", "without location"))
_NUMBERS: Final = {
    word: number
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], start=1
    )
} | {"twenty four": 24, "an": 1}
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_OFFSETS: Final = {"tonight": 0, "today": 0, "tomorrow": 1, "yesterday": -1, "last night": -1, "tomorrow night": 1}
_HOURS: Final = re.compile(r"(\d{1,4})(h|hr|hrs|hour|hours|d|day|days)?")
_HOUR_UNITS: Final = {"h": 1, "hr": 1, "hrs": 1, "hour": 1, "hours": 1, "d": 24, "day": 24, "days": 24}
_DISTANCE: Final = re.compile(r"(\d{1,5}(?:\.\d{1,3})?)([a-z]{0,10})")
_DISTANCE_UNITS: Final = {*UNITS, "mile", "miles", "kilometer", "kilometers", "kilometre", "kilometres", "kms"}
_AREA_FORMS: Final = ("circle:", "airport:", "country:", "rectangle:", "polygon:")
_ISO_DATE: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DAY_NUMBER: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")


def parse_question(text: str) -> Question | None:
    """Return the question that a text asks; None if it asks none."""
    if text.strip().lower().startswith(_AREA_FORMS):
        return Around(text.strip())
    words = _without_now(_words(text))
    lower = [fold(word) for word in words]
    if " ".join(lower) in _NOT_COVERED:
        return NotCovered()
    return (
        _hazard(words) or _around(words) or _in_transit(words) or _movements(words) or _night(words) or _present(words)
    )


def search_words(text: str) -> str:
    """Return what to search for in a text that asks no question: "where is Cruz?" searches for "Cruz"."""
    words = _words(text)
    while len(words) > 1 and words[0].lower() in _KINDS:
        words = words[1:]
    while len(words) > 1 and words[-1].lower() in _CLOSING:
        words = words[:-1]
    return " ".join(words) or text.strip()


def _words(text: str) -> list[str]:
    """Return the words without marks around them and without the spoken words at the start."""
    words = [word for each in text.replace("’", "'").split() if (word := each.strip('?!.;:"“”'))]
    start = 0
    while start < len(words) - 1 and fold(words[start].replace("'", "")) in (_SPOKEN if start else _ASKING):
        start += 1
    return words[start:]


def _without_now(words: list[str]) -> list[str]:
    for ending in _NOW:
        if len(words) > len(ending) and tuple(word.lower() for word in words[-len(ending) :]) == ending:
            return words[: -len(ending)]
    return words


def _movements(words: list[str]) -> Movements | None:
    if not words:
        return None
    verb, rest = words[0].lower(), words[1:]
    if rest and (verb, rest[0].lower()) in _TWO_WORDS:
        verb, rest = _TWO_WORDS[verb, rest[0].lower()], rest[1:]
    if verb not in _ARRIVING | _LEAVING:
        return None
    rest, hours = _take_hours(rest)
    rest, day = _take_day(rest) if hours is None else (rest, None)
    if not _place(rest) and hours is None and day is None:
        return None
    direction: Direction = "Arriving" if verb in _ARRIVING else "Leaving"
    return Movements(direction, _place(rest), hours or DEFAULT_HOURS, day, verb in _BY_AIR)


def _in_transit(words: list[str]) -> InTransit | None:
    lower = [word.lower() for word in words]
    split = lower.index("to") if "to" in lower else len(lower)
    about = " ".join(word for word in lower[:split] if word not in ("a", "an", "currently"))
    kind = _IN_TRANSIT.get(about)
    return None if kind is None else InTransit(kind, _place(words[split + 1 :]))


def _night(words: list[str]) -> Night | None:
    lower = [word.lower() for word in words]
    if lower[:1] and lower[0] in _SLEEPING:
        rest = words[1:]
    elif lower[:3] in (["spends", "the", "night"], ["spend", "the", "night"]):
        rest = words[3:]
    else:
        return None
    if rest and rest[0].lower() == "overnight":
        rest = rest[1:]
    rest, day = _take_day(rest)
    place = _place(rest)
    return Night(place, day or DayText(offset=0)) if place else None


def _present(words: list[str]) -> Present | Night | None:
    if len(words) < 2 or words[0].lower() not in ("in", "at"):
        return None
    rest, day = _take_day(words)
    if day is not None and (place := _place(rest)):
        # Where someone is on another day is where they are that night.
        return Present(place) if words[-1].lower() == "today" else Night(place, day)
    place = _place(words)
    return Present(place) if place else None


def _hazard(words: list[str]) -> Around | None:
    """Read "earthquake in Nairobi", also with a question after it: "who is within 40 km?"."""
    if len(words) < 2 or words[0].lower() not in _HAZARDS:
        return None
    place: list[str] = []
    for word in words[1:]:
        if place and (fold(word) in _ASKING or word.lower() == "within"):
            break
        place.append(word)
        if word.endswith(","):
            break
    rest = [word.lower() for word in words[len(place) + 1 :]]
    around = next((found for at in range(len(rest)) if (found := _around([*rest[at : at + 2], "here"]))), None)
    distance = around.area.partition(" around ")[0] if around is not None else f"{CITY_KM:g} km"
    name = _place(place)
    return Around(f"{distance} around {name}") if name else None


def _around(words: list[str]) -> Around | None:
    lower = [word.lower() for word in words]
    if lower[:1] == ["within"]:
        words, lower = words[1:], lower[1:]
    if len(words) > 1 and lower[0] in ("near", "around"):
        return Around(f"{CITY_KM:g} km around {' '.join(words[1:])}")
    found = _DISTANCE.fullmatch(lower[0]) if lower else None
    if found is None:
        return None
    number, unit = found.groups()
    if not unit:
        words, unit = words[1:], lower[1] if len(lower) > 1 else ""
    if unit not in _DISTANCE_UNITS:
        return None
    rest = words[1:]
    while len(rest) > 1 and rest[0].lower() in ("around", "of", "from", "near", "the"):
        rest = rest[1:]
    kilometers = {"kms": "km", "kilometre": "km", "kilometres": "km"}
    return Around(f"{number} {kilometers.get(unit, unit)} around {' '.join(rest)}") if rest else None


def _place(words: Sequence[str]) -> str:
    """Return the place without the words that lead to it: "at the Marriott" is "Marriott"."""
    while words and words[0].lower() in _TO_PLACES | {"the"}:
        words = words[1:]
    return " ".join(words).rstrip(",")


def _take_hours(words: list[str]) -> tuple[list[str], int | None]:
    """Take the time from the end: "in the next 6 h", "within 12 hours", "next six hours", "2 days"."""
    lower = [fold(word) for word in words]
    number, used = None, 0
    if lower[-1:] and lower[-1] in _HOUR_UNITS and len(lower) > 1:
        before = _NUMBERS.get(lower[-2]) or (int(lower[-2]) if lower[-2].isascii() and lower[-2].isdigit() else None)
        number, used = (None if before is None else before * _HOUR_UNITS[lower[-1]]), 2
    elif lower[-1:] and (found := _HOURS.fullmatch(lower[-1])) and found[2]:
        number, used = int(found[1]) * _HOUR_UNITS[found[2]], 1
    if number is None:
        return words, None
    rest = words[:-used]
    while rest and rest[-1].lower() in ("next", "coming", "following", "the", "in", "within", "over", "during"):
        rest = rest[:-1]
    return rest, min(max(number, 1), MOST_HOURS)


def _take_day(words: list[str]) -> tuple[list[str], DayText | None]:
    """Take the day from the end, or from the start if there is none at the end."""
    for length in (3, 2, 1):
        if len(words) >= length and (day := _day(words[-length:])) is not None:
            rest = words[:-length]
            return (rest[:-1] if rest and rest[-1].lower() in ("on", "this", "next", "the", "for") else rest), day
    for length in (3, 2, 1):
        if len(words) > length and (day := _day(words[:length])) is not None:
            return words[length:], day
    return words, None


def _day(words: Sequence[str]) -> DayText | None:
    lower = [word.lower().strip(",") for word in words]
    text = " ".join(lower)
    if text in _OFFSETS:
        return DayText(offset=_OFFSETS[text])
    if len(lower) == 2 and lower[1] == "night":
        lower = lower[:1]
    if len(lower) == 1:
        weekday = _named(lower[0], _WEEKDAYS)
        if weekday is not None:
            return DayText(weekday=weekday)
        found = _ISO_DATE.fullmatch(lower[0])
        year, month, day = (int(each) for each in found.groups()) if found else (0, 0, 0)
        return DayText(month=month, day=day, year=year) if _is_date(year, month, day) else None
    if len(lower) == 3 and not (lower[2].isascii() and lower[2].isdigit() and len(lower[2]) == 4):
        return None
    year = int(lower[2]) if len(lower) == 3 else 0
    for named, numbered in ((lower[0], lower[1]), (lower[1], lower[0])):
        month_index, found = _named(named, _MONTHS), _DAY_NUMBER.fullmatch(numbered)
        if month_index is not None and found and _is_date(year or 2000, month_index + 1, int(found[1])):
            return DayText(month=month_index + 1, day=int(found[1]), year=year)
    return None


def _named(word: str, names: Sequence[str]) -> int | None:
    """Return the index of the name that a word is, or that it begins with at least three letters."""
    word = word.rstrip(".")
    return next((index for index, name in enumerate(names) if len(word) >= 3 and name.startswith(word)), None)


def _is_date(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
