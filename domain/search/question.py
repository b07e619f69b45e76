"""Parse the questions that people type into the search box.

    lands SIN next 6 h            arrivals at a place; also "arrives", "leaves", "departs", and "tomorrow", "Friday"
    landed SIN last 6 h           the same in the past; also "yesterday", "last Friday"
    London to Paris Friday        departures to a place; also "flies to", "leaves London for Paris", "next week"
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
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final, TypeAlias

from domain.expected_locations.movements import Direction
from domain.geography.folding import fold
from domain.incidents.area_text import CITY_KM, UNITS

DEFAULT_HOURS: Final = 24
"""The hours of arrivals and departures without a time."""
MOST_HOURS: Final = 14 * 24
WHOLE_DAY: Final = (0, 24)


@dataclass(frozen=True)
class DayText:
    """A day relative to today, a weekday (Monday is 0), or a date with or without its year (0), or days that begin so.

    Attributes:
        week: The week of the weekday, 0 for this one; None for its next day.
        is_past: Whether the weekday is the last one before today.
        days: How many days are meant.
        hours: From which to which hour of the days, counted from the first midnight of each.
    """

    offset: int | None = None
    weekday: int | None = None
    month: int = 0
    day: int = 0
    year: int = 0
    week: int | None = None
    is_past: bool = False
    days: int = 1
    hours: tuple[int, int] = WHOLE_DAY

    def before(self) -> DayText:
        """Return the last weekday for the next one; other days are the same."""
        return replace(self, is_past=self.weekday is not None and self.week is None)

    def resolve(self, today: date) -> date:
        """Return the date: a weekday is the next one, today included; a date without a year is the nearest one."""
        if self.offset is not None:
            return today + timedelta(days=self.offset)
        if self.weekday is not None and self.week is not None:
            return today + timedelta(days=self.weekday - today.weekday() + 7 * self.week)
        if self.weekday is not None and self.is_past:
            return today - timedelta(days=(today.weekday() - self.weekday - 1) % 7 + 1)
        if self.weekday is not None:
            return today + timedelta(days=(self.weekday - today.weekday()) % 7)
        years = (self.year,) if self.year else (today.year - 1, today.year, today.year + 1)
        dates = [date(year, self.month, self.day) for year in years if _is_date(year, self.month, self.day)]
        return min(dates, key=lambda each: abs(each - today), default=today)


@dataclass(frozen=True)
class Movements:
    """Who arrives at a place, or leaves it: within some hours from now or until now, or on a day.

    An empty place means any. `other_place` is where they come from or go to, empty for anywhere.
    """

    direction: Direction
    place: str
    hours: int = DEFAULT_HOURS
    day: DayText | None = None
    is_by_air: bool = False
    other_place: str = ""
    is_past: bool = False


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
    """Who is in an area now. The text is one that `parse_area` reads, or "… around" a place that the roster has."""

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
    "anyone someone is are was were the theres there"
) | {f"{which}body" for which in ("any", "some", "every")}
"""Words at the start that ask, or say what everything is about."""
_SPOKEN: Final = _ASKING | _set(
    "a already am an all any be been currently did do does give got has have many me of our still us we will"
)
"""Words that mean nothing after those. Before them, they may be a name."""
_KINDS: Final = _set("on flight flights train trip trips booking locator")
"""Words at the start of a search that say what is searched."""
_CLOSING: Final = _set("booked now please right today tomorrow tonight")
"""Words at the end of a search that say nothing about what is searched."""
_ARRIVED: Final = _set("landed arrived")
_LEFT: Final = _set("left departed")
_ARRIVING: Final = _set("lands land landing arrives arrive arriving arrivals arrival due") | _ARRIVED
_LEAVING: Final = _set("leaves leave leaving departs depart departing departures departure") | _LEFT
_FLYING: Final = _set("flies fly flying flew flight flights")
_GOING: Final = _FLYING | _set(
    "goes go going went travels travel traveling travelling traveled travelled heads heading"
)
_BY_AIR: Final = _set("lands land landing landed") | _FLYING
_PAST: Final = _ARRIVED | _LEFT | _set("was were did slept stayed flew went traveled travelled")
"""Words that ask about the past: a weekday after them is the last one."""
_TWO_WORDS: Final = {
    ("takes", "off"): "leaves",
    ("taking", "off"): "leaves",
    ("checks", "in"): "arrives",
    ("checking", "in"): "arrives",
    ("checks", "out"): "leaves",
    ("checking", "out"): "leaves",
}
_SLEEPING: Final = _set("sleeps sleep sleeping slept stays stay staying stayed overnights overnight overnighting")
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
_NIGHT: Final = "night"
_HOURS_OF: Final = {"morning": (0, 12), "afternoon": (12, 18), "evening": (18, 24), _NIGHT: (18, 30)}
_DAYS: Final = {
    "today": DayText(offset=0),
    "tonight": DayText(offset=0, hours=_HOURS_OF[_NIGHT]),
    "tomorrow": DayText(offset=1),
    "yesterday": DayText(offset=-1),
    "last night": DayText(offset=-1, hours=_HOURS_OF[_NIGHT]),
    "this week": DayText(weekday=0, week=0, days=7),
    "next week": DayText(weekday=0, week=1, days=7),
    "last week": DayText(weekday=0, week=-1, days=7),
    "weekend": DayText(weekday=5, week=0, days=2),
    "next weekend": DayText(weekday=5, week=1, days=2),
    "last weekend": DayText(weekday=5, week=-1, days=2),
}
_BEFORE_HOURS: Final = _set("next coming following the in within over during last past")
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
    question = (
        _hazard(words)
        or _around(words)
        or _in_transit(words)
        or _movements(words)
        or _journeys(words)
        or _night(words)
        or _present(words)
    )
    is_past = not _PAST.isdisjoint(fold(text).split())
    if is_past and isinstance(question, Movements | Night) and question.day is not None:
        return replace(question, day=question.day.before())
    return question


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
    is_check = verb.startswith("check")
    if rest and (verb, rest[0].lower()) in _TWO_WORDS:
        verb, rest = _TWO_WORDS[verb, rest[0].lower()], rest[1:]
    if verb not in _ARRIVING | _LEAVING:
        return None
    direction: Direction = "Arriving" if verb in _ARRIVING else "Leaving"
    found = _take_time(rest, Movements(direction, "", is_by_air=verb in _BY_AIR, is_past=verb in _ARRIVED | _LEFT))
    if found is None:
        return None
    rest, question = found
    if is_check and question.day is not None:  # a hotel’s day begins before its night
        question = replace(question, day=replace(question.day, hours=WHOLE_DAY))
    place, other = _split(rest, ("from",) if direction == "Arriving" else ("to", "for"))
    if other and not place:
        other_direction: Direction = "Leaving" if direction == "Arriving" else "Arriving"
        return replace(question, direction=other_direction, place=other)
    is_timed = question.day is not None or question.hours != DEFAULT_HOURS
    return replace(question, place=place, other_place=other) if place or is_timed else None


def _journeys(words: list[str]) -> Movements | None:
    """Read "flies from London to Paris tomorrow", "going to Tokyo next week", and "London to Paris"."""
    verb = words[0].lower() if words else ""
    if verb in _GOING:
        words = words[1:]
    elif "to" in [word.lower() for word in words[1:-1]] and verb != "from":
        words = ["from", *words]
    if not words or words[0].lower() not in ("from", "to"):
        return None
    found = _take_time(words, Movements("Leaving", "", is_by_air=verb in _FLYING, is_past=verb in _PAST))
    if found is None or len(found[0]) < 2:
        return None
    rest, question = found
    if rest[0].lower() == "to":
        destination, origin = _split(rest[1:], ("from",))
    else:
        origin, destination = _split(rest[1:], ("to",))
    if not origin:
        return replace(question, direction="Arriving", place=destination) if destination else None
    return replace(question, place=origin, other_place=destination) if destination or verb else None


def _take_time(words: list[str], question: Movements) -> tuple[list[str], Movements] | None:
    """Take the hours or the day from the words. Returns the other words, and the question with the time."""
    rest, hours, is_past = _take_hours(words)
    if hours is not None:
        return rest, replace(question, hours=hours, is_past=question.is_past or is_past)
    rest, day = _take_day(words)
    return rest, replace(question, day=day, is_past=question.is_past and day is None)


def _split(words: list[str], between: Sequence[str]) -> tuple[str, str]:
    """Return the place before one of the words, and the one after it; without the word, only the first."""
    at = next((index for index, word in enumerate(words) if word.lower() in between and words[index + 1 :]), len(words))
    return _place(words[:at]), _place(words[at + 1 :])


def _in_transit(words: list[str]) -> InTransit | None:
    lower = [word.lower() for word in words]
    split = lower.index("to") if "to" in lower else len(lower)
    about = " ".join(word for word in lower[:split] if word not in ("a", "an", "currently"))
    kind = _IN_TRANSIT.get(about)
    destination = words[split + 1 :]
    if kind is None or _take_hours(destination)[1] is not None or _take_day(destination)[1] is not None:
        return None
    return InTransit(kind, _place(destination))


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
    return Night(place, replace(day or DayText(offset=0), hours=WHOLE_DAY)) if place else None


def _present(words: list[str]) -> Present | Night | None:
    if len(words) < 2 or words[0].lower() not in ("in", "at"):
        return None
    rest, day = _take_day(words)
    if day is not None and (place := _place(rest)):
        # Where someone is on another day is where they are that night.
        return Present(place) if words[-1].lower() == "today" else Night(place, replace(day, hours=WHOLE_DAY))
    place = _place(words)
    return Present(place) if place else None


def _hazard(words: list[str]) -> Around | None:
    """Read "earthquake in Nairobi", also with a question after it: "who is within 40 km?"."""
    if len(words) < 2 or words[0].lower() not in _HAZARDS:
        return None
    place: list[str] = []
    for word in words[1:]:
        if place and (fold(word) in _ASKING - {"the"} or word.lower() == "within"):
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


def _take_hours(words: list[str]) -> tuple[list[str], int | None, bool]:
    """Take the time from the end: "in the next 6 h", "within 12 hours", "next six hours", "2 days", "last 6 h".

    The last value says whether they are over.
    """
    lower = [fold(word) for word in words]
    number, used = None, 0
    if lower[-1:] and lower[-1] in _HOUR_UNITS and len(lower) > 1:
        before = _NUMBERS.get(lower[-2]) or (int(lower[-2]) if lower[-2].isascii() and lower[-2].isdigit() else None)
        number, used = (None if before is None else before * _HOUR_UNITS[lower[-1]]), 2
        if before is None and lower[-2] in ("next", "last"):
            number, used = _HOUR_UNITS[lower[-1]], 1
    elif lower[-1:] and (found := _HOURS.fullmatch(lower[-1])) and found[2]:
        number, used = int(found[1]) * _HOUR_UNITS[found[2]], 1
    if number is None:
        return words, None, False
    rest, is_past = words[:-used], False
    while rest and rest[-1].lower() in _BEFORE_HOURS:
        is_past |= rest[-1].lower() in ("last", "past")
        rest = rest[:-1]
    return rest, min(max(number, 1), MOST_HOURS), is_past


def _take_day(words: list[str]) -> tuple[list[str], DayText | None]:
    """Take the day from the end, or from the start if there is none at the end."""
    for length in (3, 2, 1):
        if len(words) >= length and (day := _day(words[-length:])) is not None:
            rest = words[:-length]
            while rest and rest[-1].lower() in ("on", "this", "next", "last", "the", "for", "over"):
                if rest[-1].lower() == "last":
                    day = day.before()
                rest = rest[:-1]
            return rest, day
    for length in (3, 2, 1):
        if len(words) > length and (day := _day(words[:length])) is not None:
            return words[length:], day
    return words, None


def _day(words: Sequence[str]) -> DayText | None:
    lower = [word.lower().strip(",") for word in words]
    text = " ".join(lower)
    if text in _DAYS:
        return _DAYS[text]
    if len(lower) == 2 and lower[1] in _HOURS_OF:
        whole_day = _DAYS["today"] if lower[0] == "this" else _day(lower[:1])
        return None if whole_day is None else replace(whole_day, hours=_HOURS_OF[lower[1]])
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
