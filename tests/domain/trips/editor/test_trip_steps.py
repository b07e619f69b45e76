"""The buttons for segments: add, return, hotel in between, duplicate, sort, and remove."""

from client.models.itineraries import Address, Segment
from domain.trips.editor import trip_steps
from domain.trips.editor.form_state import TRIP_FORM, TripDraft, from_itinerary, new_trip
from tests.domain.trips.editor.sample_trips import BACK, OUT, STAY, trip


def describe_segments(draft: TripDraft) -> list[str]:
    """One line per segment: type, places, and day."""
    return [f"{each.kind} {each.start.iata}-{each.finish.iata} {each.start.day}" for each in draft.segments]


def test_a_return_segment_reverses_the_last_one_three_days_later() -> None:
    """To the start of the first segment."""
    draft = trip_steps.add_return(from_itinerary(trip(OUT)))
    assert describe_segments(draft) == ["Air AUH-KWI 2026-11-20", "Air KWI-AUH 2026-11-23"]
    assert draft.segments[1].supplier_code == "EY"
    assert draft.segments[1].start.clock == ""


def test_a_return_segment_is_offered_only_if_the_trip_does_not_return() -> None:
    """Not for an empty trip or a trip that has returned."""
    assert not trip_steps.can_return(new_trip())
    assert trip_steps.can_return(from_itinerary(trip(OUT)))
    assert not trip_steps.can_return(from_itinerary(trip(OUT, BACK)))


def test_nights_between_segments_need_a_hotel() -> None:
    """One hotel between outbound and return, and none once it exists."""
    draft = from_itinerary(trip(OUT, BACK))
    (gap,) = trip_steps.uncovered_nights(draft)
    assert (gap.arrival_index, gap.count) == (0, 3)
    with_hotel = trip_steps.add_hotel_after(draft, draft.segments[0].uid, gap.first)
    assert describe_segments(with_hotel) == [
        "Air AUH-KWI 2026-11-20",
        "Hotel KWI- 2026-11-20",
        "Air KWI-AUH 2026-11-23",
    ]
    hotel = with_hotel.segments[1]
    assert (hotel.start.address.city, hotel.start.address.country) == ("Kuwait City", "KW")
    assert (hotel.finish.day, hotel.start.clock, hotel.finish.clock) == ("2026-11-23", "15:00", "11:00")
    assert trip_steps.uncovered_nights(with_hotel) == []


def test_uncovered_nights_need_a_hotel_and_nights_at_home_do_not() -> None:
    """In agreement with the checks of a trip."""
    short = STAY.model_copy(update={"to_date_time_local": "2026-11-21T11:00:00"})
    draft = from_itinerary(trip(OUT, short, BACK))
    (gap,) = trip_steps.uncovered_nights(draft)
    longer = trip_steps.add_hotel_after(draft, draft.segments[gap.arrival_index].uid, gap.first)
    assert [(each.kind, each.start.day, each.finish.day) for each in longer.segments[1:3]] == [
        ("Hotel", "2026-11-20", "2026-11-21"),
        ("Hotel", "2026-11-21", "2026-11-23"),
    ]
    again = OUT.model_copy(
        update={"from_date_time_local": "2026-11-27T14:05:00", "to_date_time_local": "2026-11-27T14:45:00"}
    )
    assert trip_steps.uncovered_nights(from_itinerary(trip(OUT, STAY, BACK, again))) == []


def test_a_new_segment_starts_where_the_last_one_ends() -> None:
    """At the place and on the day of the last arrival."""
    draft = trip_steps.add_segment(from_itinerary(trip(OUT)), "Air")
    assert describe_segments(draft)[1] == "Air KWI- 2026-11-20"
    hotel = trip_steps.add_segment(from_itinerary(trip(OUT)), "Hotel").segments[1]
    assert (hotel.start.address.city, hotel.start.day) == ("Kuwait City", "2026-11-20")


TRAIN = Segment(
    type="Rail",
    from_iata_code="LDS",
    to_iata_code="EDB",
    from_address=Address(city="Leeds", country="GB"),
    to_address=Address(location_name="Waverley", city="Edinburgh", country="GB"),
    from_date_time_local="2026-11-20T10:00:00",
    to_date_time_local="2026-11-20T13:00:00",
)


def test_a_station_code_is_not_used_as_an_airport_code_in_the_next_segment() -> None:
    """An airport code is not used as a station code either. The place continues as text."""
    by_train = from_itinerary(trip(TRAIN))
    assert describe_segments(trip_steps.add_segment(by_train, "Rail"))[1] == "Rail EDB- 2026-11-20"
    assert describe_segments(trip_steps.add_segment(by_train, "Air"))[1] == "Air - 2026-11-20"
    car = trip_steps.add_segment(by_train, "Car").segments[1]
    assert (car.start.iata, car.start.address.location_name) == ("", "Waverley")
    onward = trip_steps.add_segment(from_itinerary(trip(OUT)), "Rail").segments[1]
    assert (onward.start.iata, onward.start.address.city, onward.start.address.country) == ("", "Kuwait City", "KW")


def test_a_hotel_after_a_train_is_at_its_station() -> None:
    """Not at the airport of the same code in Sudan."""
    hotel = trip_steps.add_segment(from_itinerary(trip(TRAIN)), "Hotel").segments[1]
    assert (hotel.start.iata, hotel.start.address.city, hotel.start.address.country) == ("", "Edinburgh", "GB")


def test_a_return_by_train_ends_in_the_city_of_the_outbound_flight() -> None:
    """Its airport is not a station."""
    back = trip_steps.add_return(from_itinerary(trip(OUT, TRAIN))).segments[-1]
    assert (back.start.iata, back.finish.iata, back.finish.address.city) == ("EDB", "", "Abu Dhabi")
    assert trip_steps.can_return(from_itinerary(trip(OUT, TRAIN)))


def test_a_duplicated_segment_is_equal_except_for_its_id() -> None:
    """The copy comes right after it and has independent fields."""
    draft = from_itinerary(trip(OUT, BACK))
    copied = trip_steps.duplicate(draft, draft.segments[0].uid)
    assert describe_segments(copied) == [
        describe_segments(draft)[0],
        describe_segments(draft)[0],
        describe_segments(draft)[1],
    ]
    assert len({each.uid for each in copied.segments}) == 3
    copied.segments[1].start.iata = "DXB"
    assert copied.segments[0].start.iata == "AUH"


def test_segments_are_sorted_by_utc_and_not_by_local_time() -> None:
    """Noon in Auckland is before 11 PM of the previous day in Honolulu."""
    auckland = OUT.model_copy(update={"from_iata_code": "AKL", "from_date_time_local": "2026-11-20T12:00:00"})
    honolulu = OUT.model_copy(update={"from_iata_code": "HNL", "from_date_time_local": "2026-11-19T23:00:00"})
    draft = from_itinerary(trip(honolulu, auckland))
    assert not trip_steps.is_sorted(draft)
    ordered = trip_steps.sort_by_time(draft)
    assert [each.start.iata for each in ordered.segments] == ["AKL", "HNL"]
    assert trip_steps.is_sorted(ordered)


def test_removing_a_segment_removes_only_that_segment() -> None:
    """By its ID, not by its position."""
    draft = from_itinerary(trip(OUT, STAY, BACK))
    assert describe_segments(TRIP_FORM.remove_part(draft, draft.segments[1].uid)) == [
        describe_segments(draft)[0],
        describe_segments(draft)[2],
    ]
