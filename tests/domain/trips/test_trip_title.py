"""The title of a trip."""

from domain.trips.trip_title import trip_title
from tests.domain.trips.trip_builders import ANA, SINGAPORE, flight, hotel, trip

OUT = flight("SQ25", "FRA", "SIN", "2026-10-20T11:10", "2026-10-21T06:05")
STAY = hotel(SINGAPORE, "2026-10-21T15:00", "2026-10-23T11:00")
BACK = flight("SQ26", "SIN", "FRA", "2026-10-24T23:55", "2026-10-25T05:50")


def test_the_title_has_the_first_traveler_and_the_route_without_the_way_back() -> None:
    both = trip(OUT, STAY, BACK).model_copy(update={"passengers": [ANA, ANA]})
    assert trip_title(both) == "Ana Silva +1: Frankfurt am Main → Singapore"
