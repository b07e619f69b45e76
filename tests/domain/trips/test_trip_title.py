"""The title of a trip, and the place of its travelers at a moment."""

from datetime import UTC, datetime

import pytest

from domain.trips.trip_title import present_place, trip_title
from tests.domain.trips.trip_builders import ANA, SINGAPORE, flight, hotel, trip

OUT = flight("SQ25", "FRA", "SIN", "2026-10-20T11:10", "2026-10-21T06:05")
STAY = hotel(SINGAPORE, "2026-10-21T15:00", "2026-10-23T11:00")
BACK = flight("SQ26", "SIN", "FRA", "2026-10-24T23:55", "2026-10-25T05:50")


def test_the_title_has_the_first_traveler_and_the_route_without_the_way_back() -> None:
    both = trip(OUT, STAY, BACK).model_copy(update={"passengers": [ANA, ANA]})
    assert trip_title(both) == "Ana Silva +1: Frankfurt am Main → Singapore"


@pytest.mark.parametrize(
    ("now", "place"),
    [
        ("2026-10-20T00:00", ""),
        ("2026-10-20T12:00", "SQ25 from FRA Frankfurt am Main to SIN Singapore, arrives Wed, Oct 21, 06:05 local"),
        ("2026-10-22T12:00", "Harbour Hotel, until Fri, Oct 23, 11:00 local"),
        ("2026-10-24T00:00", "SIN Singapore. Next: SQ26, Sat, Oct 24, 23:55 local"),
        ("2026-10-26T00:00", ""),
    ],
)
def test_the_current_place_is_the_segment_under_way_or_the_last_arrival(now: str, place: str) -> None:
    assert present_place(trip(OUT, STAY, BACK), datetime.fromisoformat(now).replace(tzinfo=UTC)) == place
