"""Questions are recognized in the forms that people type and say, and other texts are not questions."""

from __future__ import annotations

from datetime import date

import pytest

from domain.search.question import (
    Around,
    DayText,
    InTransit,
    Movements,
    Night,
    NotCovered,
    Present,
    Question,
    parse_question,
    search_words,
)

TODAY = date(2026, 11, 28)  # a Saturday


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("lands SIN next 6 h", Movements("Arriving", "SIN", 6, is_by_air=True)),
        ("who lands at Singapore in the next six hours?", Movements("Arriving", "Singapore", 6, is_by_air=True)),
        ("arrives Tokyo within 12h", Movements("Arriving", "Tokyo", 12)),
        ("Landing SIN", Movements("Arriving", "SIN", 24, is_by_air=True)),
        ("who leaves CDG tomorrow", Movements("Leaving", "CDG", 24, DayText(offset=1))),
        ("takes off from Paris next 2 days", Movements("Leaving", "Paris", 48)),
        ("lands next 6 h", Movements("Arriving", "", 6, is_by_air=True)),
        ("in the air", InTransit("Air")),
        ("who is in the air right now?", InTransit("Air")),
        ("flying to Cairo", InTransit("Air", "Cairo")),
        ("on a train", InTransit("Rail")),
        ("in transit", InTransit()),
        ("sleeps in Tokyo Friday", Night("Tokyo", DayText(weekday=4))),
        ("Who sleeps in Tokyo on Friday?", Night("Tokyo", DayText(weekday=4))),
        ("staying in São Paulo tonight", Night("São Paulo", DayText(offset=0))),
        ("sleeps tonight in Rome", Night("Rome", DayText(offset=0))),
        ("sleeps in Rome", Night("Rome", DayText(offset=0))),
        ("sleeps in Rome Dec 4", Night("Rome", DayText(month=12, day=4))),
        ("sleeps in Rome on 4 December 2026", Night("Rome", DayText(month=12, day=4, year=2026))),
        ("sleeps in Rome 2026-12-04", Night("Rome", DayText(month=12, day=4, year=2026))),
        ("40 km Nairobi", Around("40 km around Nairobi")),
        ("within 25 miles of Paris", Around("25 miles around Paris")),
        ("40km around Kathmandu, Nepal", Around("40 km around Kathmandu, Nepal")),
        ("near Nairobi", Around("25 km around Nairobi")),
        ("circle:27.7172,85.324,40km", Around("circle:27.7172,85.324,40km")),
        ("earthquake Kathmandu", Around("25 km around Kathmandu")),
        ("There's been an earthquake in Nairobi, who is within 40 km?", Around("40 km around Nairobi")),
        ("fire in Paris: who is there?", Around("25 km around Paris")),
        ("Who isn't covered?", NotCovered()),
        ("Who do we have in Kenya?", Present("Kenya")),
        ("who checks in at Lion Hotel tonight", Movements("Arriving", "Lion Hotel", 24, DayText(offset=0))),
        ("not covered", NotCovered()),
        ("Who is not covered?", NotCovered()),
        ("how many people are in Japan", Present("Japan")),
        ("in Tokyo now", Present("Tokyo")),
        ("who is in Nairobi today?", Present("Nairobi")),
        ("who is in London on Tuesday?", Night("London", DayText(weekday=1))),
        ("in Nairobi tonight", Night("Nairobi", DayText(offset=0))),
        ("who's still in the air", InTransit("Air")),
        ("anybody near Nairobi?", Around("25 km around Nairobi")),
        ("who landed in SIN in the last 6 hours", Movements("Arriving", "SIN", 6, is_by_air=True, is_past=True)),
        ("who left Paris", Movements("Leaving", "Paris", is_past=True)),
        ("who arrives in Rome this evening", Movements("Arriving", "Rome", day=DayText(offset=0, hours=(18, 24)))),
        (
            "who lands in Rome tonight",
            Movements("Arriving", "Rome", 24, DayText(offset=0, hours=(18, 30)), is_by_air=True),
        ),
        ("who arrives in Rome next week", Movements("Arriving", "Rome", day=DayText(weekday=0, week=1, days=7))),
        (
            "who flies from London to New York on Friday?",
            Movements("Leaving", "London", day=DayText(weekday=4), is_by_air=True, other_place="New York"),
        ),
        ("London to Paris", Movements("Leaving", "London", other_place="Paris")),
        ("from London to Paris tomorrow", Movements("Leaving", "London", day=DayText(offset=1), other_place="Paris")),
        ("who leaves London for Paris", Movements("Leaving", "London", other_place="Paris")),
        ("who lands in Rome from Paris", Movements("Arriving", "Rome", is_by_air=True, other_place="Paris")),
        ("arrivals from Tokyo", Movements("Leaving", "Tokyo")),
        ("who is going to Tokyo tomorrow", Movements("Arriving", "Tokyo", day=DayText(offset=1))),
        ("who is flying to Cairo tomorrow", Movements("Arriving", "Cairo", day=DayText(offset=1), is_by_air=True)),
        ("who was in Lisbon on Friday", Night("Lisbon", DayText(weekday=4, is_past=True))),
        ("who is in Lisbon last Friday", Night("Lisbon", DayText(weekday=4, is_past=True))),
        ("Cruz", None),
        ("Paris Hilton", None),
        ("SQ682", None),
        ("40 winks", None),
        ("near", None),
        ("", None),
        ("?", None),
        ("sleeps", None),
    ],
)
def test_questions_are_recognized(text: str, question: Question | None) -> None:
    assert parse_question(text) == question


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("where is Cruz?", "Cruz"),
        ("who is on SQ682", "SQ682"),
        ("who is on flight SQ682", "SQ682"),
        ("where is Ana Silva right now?", "Ana Silva"),
        ("is trip WSVM7K booked?", "WSVM7K"),
        ("who is on flight SQ282 today?", "SQ282"),
        ("Will Smith", "Will Smith"),
        ("An Nguyen", "An Nguyen"),
        ("who", "who"),
        ("…", "…"),
    ],
)
def test_spoken_words_are_not_searched_unless_they_may_be_a_name(text: str, words: str) -> None:
    assert search_words(text) == words


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (DayText(weekday=5), TODAY),
        (DayText(weekday=4), date(2026, 12, 4)),
        (DayText(weekday=5, is_past=True), date(2026, 11, 21)),
        (DayText(weekday=4, is_past=True), date(2026, 11, 27)),
        (DayText(weekday=0, week=1), date(2026, 11, 30)),
        (DayText(weekday=0, week=-1), date(2026, 11, 16)),
        (DayText(offset=-1), date(2026, 11, 27)),
        (DayText(month=1, day=2), date(2027, 1, 2)),
        (DayText(month=11, day=27), date(2026, 11, 27)),
    ],
)
def test_a_day_is_the_next_weekday_or_the_nearest_date(day: DayText, expected: date) -> None:
    assert day.resolve(TODAY) == expected
