"""The month of a person as a small calendar."""

from datetime import UTC, date, datetime

from domain.expected_locations.month_calendar import days_of_month, main_places, month_legend, month_weeks
from domain.expected_locations.person_days import NOT_COVERED, PersonDay, Whereabout

SINGAPORE = Whereabout("there", None, None, "hotel", "Lion Hotel")
AUCKLAND = Whereabout("leaving", None, None, "AKL", "Auckland [AKL]")
MONTH = date(2026, 11, 1)


def test_each_day_has_the_color_of_its_place_and_the_legend_names_the_days() -> None:
    on_days = {23: SINGAPORE, 24: SINGAPORE, 25: AUCKLAND, 26: Whereabout(NOT_COVERED, None, None), 30: SINGAPORE}
    days = [PersonDay(date(2026, 11, day), (on_days[day],) if day in on_days else ()) for day in range(1, 31)]
    places = main_places(days)
    weeks = month_weeks(places, MONTH, date(2026, 11, 24))
    assert weeks[0] == ["", "", "", "", "", "", "1"]
    assert weeks[4][:4] == [
        ":blue-background[23]",
        ":blue-background[**24**]",
        ":green-background[25]",
        ":violet-background[26]",
    ]
    assert month_legend(places) == [
        ":blue-background[Nov 23–24, 30] Lion Hotel",
        r":green-background[Nov 25] Auckland \[AKL\]",
        ":violet-background[Nov 26] Not covered",
    ]


def test_a_month_has_the_right_number_of_days() -> None:
    assert days_of_month(datetime(2028, 2, 20, 9, tzinfo=UTC)) == (date(2028, 2, 1), 29)
