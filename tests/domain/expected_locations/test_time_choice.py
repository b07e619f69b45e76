"""The time that the map shows: now or a moment, the days of the scrubber, and times in saved links."""

from datetime import UTC, date, datetime, timedelta

import pytest

from domain.expected_locations.at_moment import moment
from domain.expected_locations.time_choice import (
    DAYS,
    HOURS,
    TimeChoice,
    current_query,
    first_hour_around,
    hour_of,
    time_of,
)

NOW = datetime(2026, 11, 20, 12, 5, 40, tzinfo=UTC)
MINUTE = NOW.replace(second=0)
AT = datetime.fromisoformat("2026-11-21T18:30")
DEFAULT_START = datetime(2026, 11, 13, tzinfo=UTC)


def test_now_advances_every_minute_and_a_selected_moment_stays() -> None:
    assert TimeChoice().stretch(NOW) == TimeChoice().stretch(NOW + timedelta(seconds=19)) == moment(MINUTE)
    assert TimeChoice("Moment", AT).stretch(NOW) == moment(AT.replace(tzinfo=UTC))
    assert TimeChoice("Moment").stretch(NOW) == moment(MINUTE)


def test_a_time_is_shown_in_utc_or_in_the_time_of_the_viewer() -> None:
    assert TimeChoice().text(NOW).startswith("now, Fri")
    assert TimeChoice("Moment", AT).text(NOW).endswith(", 18:30 UTC")
    assert TimeChoice("Moment", AT).text(NOW, "Asia/Singapore").endswith("02:30 browser time (Sat, Nov 21, 18:30 UTC)")


@pytest.mark.parametrize(
    ("at", "before", "first"),
    [
        (NOW, None, DEFAULT_START),
        (DEFAULT_START + timedelta(days=DAYS, minutes=-1), None, DEFAULT_START),
        (datetime(2027, 3, 10, 9, tzinfo=UTC), None, datetime(2027, 3, 3, tzinfo=UTC)),
        (datetime(2027, 3, 11, 9, tzinfo=UTC), datetime(2027, 3, 3, tzinfo=UTC), datetime(2027, 3, 3, tzinfo=UTC)),
        (datetime(2027, 3, 17, tzinfo=UTC), datetime(2027, 3, 3, tzinfo=UTC), datetime(2027, 3, 10, tzinfo=UTC)),
        (NOW, datetime(2026, 11, 19, tzinfo=UTC), DEFAULT_START),
    ],
)
def test_the_scrubber_spans_the_days_around_today_and_stays_while_the_handle_moves_within(
    at: datetime, before: datetime | None, first: datetime
) -> None:
    assert first_hour_around(at, NOW, before) == first


@pytest.mark.parametrize("at", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_the_scrubber_ends_with_the_calendar(at: datetime) -> None:
    first = first_hour_around(at, NOW)
    assert 0 <= hour_of(at, first) < HOURS
    assert time_of(HOURS - 1, first) > time_of(0, first)


def test_an_hour_of_the_scrubber_converts_to_a_moment_and_back() -> None:
    assert time_of(hour_of(NOW, DEFAULT_START), DEFAULT_START) == datetime.fromisoformat("2026-11-20T12:00")


@pytest.mark.parametrize(
    ("saved", "current"),
    [
        (
            {"expected_time": ["Day"], "expected_day": ["2026-11-22"]},
            "expected_time=Moment expected_at=2026-11-22T12:00",
        ),
        ({"expected_time": ["Day"], "expected_day": ["2026-11-20"]}, ""),
        ({"expected_time": ["Day"], "expected_day": ["soon"]}, ""),
        ({"expected_time": ["Day"]}, ""),
        ({"expected_time": ["Next hours"], "expected_hours": ["24"], "roster": ["3"]}, "roster=3"),
        (
            {"expected_time": ["Moment"], "expected_at": ["2026-11-22T08:15"], "expected_clock": ["Place-local"]},
            "expected_time=Moment expected_at=2026-11-22T08:15",
        ),
        ({"expected_clock": ["Local"], "roster": ["3", "4"]}, "expected_clock=Local roster=3 roster=4"),
    ],
)
def test_a_saved_link_leads_to_the_nearest_time(saved: dict[str, list[str]], current: str) -> None:
    found = current_query(saved, date(2026, 11, 20))
    assert " ".join(f"{name}={value}" for name, values in found.items() for value in values) == current
