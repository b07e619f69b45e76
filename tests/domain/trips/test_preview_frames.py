"""The tables behind the preview."""

from datetime import UTC, datetime

from client.models.itineraries import Address
from domain.trips.location_comparison import predicted_table
from domain.trips.prediction import predict, preview_summary
from tests.domain.trips.editor.sample_trips import ANA, BACK, BEN, OUT, STAY, trip

ROUND_TRIP = trip(OUT, STAY, BACK, travelers=(ANA, BEN))


def test_the_table_has_one_row_per_place_with_people_and_local_times() -> None:
    """In the order of the segments, departures before arrivals."""
    table = predicted_table(predict(ROUND_TRIP), datetime(2026, 11, 1, tzinfo=UTC))
    roles = ["before departure", "after arrival"]
    assert table["role"].tolist() == [*roles, "stay", *roles]
    assert set(table["people"]) == {2}
    assert table["until"][0] == "Fri, Nov 20, 14:05"


def test_the_summary_counts_locations_people_and_places() -> None:
    """Locations, people, places, and locations without coordinates are counted separately."""
    assert preview_summary(predict(ROUND_TRIP), 2) == "10 expected locations: 2 travelers at 5 places"
    unplaced = trip(STAY.model_copy(update={"from_address": Address(city="X"), "from_time_zone": "UTC"}))
    assert preview_summary(predict(unplaced), 1) == "1 expected location: 1 traveler at 1 place · 1 not on the map"
