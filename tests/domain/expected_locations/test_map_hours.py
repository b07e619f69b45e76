"""The counts of the map for the exact moment shown on the page."""

from datetime import UTC, datetime, timedelta

from domain.expected_locations.at_moment import moment
from domain.expected_locations.map_hours import hours_on_map
from domain.expected_locations.roster_view import Filters, look
from tests.domain.expected_locations.records import Row, build_locations

NOW = datetime(2026, 11, 20, 12, 5, tzinfo=UTC)
HOUR = 7 * 24 + 12
LANDING_TIME = NOW.replace(minute=3)
ROWS = [
    Row("cai", "CCC333", "LHR", "Departure", LANDING_TIME - timedelta(hours=40), LANDING_TIME - timedelta(hours=12)),
    Row("cai", "CCC333", "SIN", "Arrival", LANDING_TIME, LANDING_TIME + timedelta(hours=24)),
    Row("ben", "BBB222", "nowhere", "Stay", NOW - timedelta(hours=9), NOW + timedelta(hours=9)),
]


def test_the_current_hour_is_counted_at_the_current_minute_and_others_at_their_start() -> None:
    view = look(build_locations(ROWS), moment(NOW), Filters())
    hours = hours_on_map(view, NOW, NOW)
    changi = hours.place_ids.index("SIN")
    assert hours.moment == HOUR * 60 + 5
    assert hours.people[HOUR - 1 : HOUR + 2, changi].tolist() == [0, 1, 1]
    assert hours.in_transit[HOUR - 1 : HOUR + 2].tolist() == [1, 0, 0]
    assert hours.at_places[HOUR] == view.people == 2, "a place without coordinates counts"
    assert hours_on_map(view, NOW, NOW) is hours
    full_hour = NOW.replace(minute=0)
    at_full_hour = hours_on_map(look(view.locations, moment(full_hour), Filters()), full_hour, NOW)
    assert at_full_hour.moment is None
    assert at_full_hour.in_transit[HOUR] == 1
