"""The expected locations of a trip: number, places, and times."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.models.itineraries import Address, Passenger, Segment
from domain.trips.prediction import (
    CANNOT_BE_MATCHED,
    ENDS_BEFORE_IT_BEGINS,
    NO_COORDINATES,
    NO_TIME,
    NO_ZONE,
    name_last_first,
    predict,
)
from tests.domain.trips.editor.sample_trips import ANA, BACK, BEN, OUT, SHERATON, STAY, trip


def utc(text: str) -> datetime:
    """A moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("segment", "roles"),
    [
        (OUT, ["Departure", "Arrival"]),
        (OUT.model_copy(update={"type": "Rail"}), ["Departure", "Arrival"]),
        (OUT.model_copy(update={"type": "Car"}), ["Departure", "Arrival"]),
        (STAY, ["Stay"]),
        (OUT.model_copy(update={"type": "air"}), ["Departure", "Arrival"]),
        (OUT.model_copy(update={"type": "Boat"}), []),
        (OUT.model_copy(update={"type": ""}), []),
    ],
)
def test_each_segment_type_has_its_number_of_locations(segment: Segment, roles: list[str]) -> None:
    """Air, Rail, and Car have two, Hotel one, and an unknown type none."""
    assert [each.role for each in predict(trip(segment))] == roles


def test_windows_start_1_day_before_departure_and_end_1_day_after_arrival() -> None:
    """Departure at 14:05 in Abu Dhabi (UTC+4), arrival at 14:45 in Kuwait (UTC+3)."""
    departure, arrival = predict(trip(OUT))
    assert (departure.arrives, departure.expires) == (utc("2026-11-19T10:05"), utc("2026-11-20T10:05"))
    assert (arrival.arrives, arrival.expires) == (utc("2026-11-20T11:45"), utc("2026-11-21T11:45"))


def test_a_hotel_window_is_from_check_in_to_check_out_in_local_time() -> None:
    """Both times are local to the hotel, without an extra day."""
    (stay,) = predict(trip(STAY))
    assert (stay.arrives, stay.expires) == (utc("2026-11-20T12:00"), utc("2026-11-23T08:00"))
    assert (stay.place.position, stay.place.zone) == ((29.3759, 47.9774), "Asia/Kuwait")


def test_coordinates_of_the_address_take_precedence_over_the_airport() -> None:
    """An address without coordinates does not."""
    with_coordinates = OUT.model_copy(update={"from_address": Address(city="Abu Dhabi", latitude=24.5, longitude=54.4)})
    assert predict(trip(with_coordinates))[0].place.position == (24.5, 54.4)
    without_coordinates = OUT.model_copy(update={"from_address": Address(city="Abu Dhabi")})
    assert predict(trip(without_coordinates))[0].place.position == pytest.approx((24.43, 54.65), abs=0.05)


def test_coordinates_of_0_and_0_are_ignored() -> None:
    nowhere = STAY.model_copy(
        update={"from_address": Address(city="X", latitude=0, longitude=0), "from_time_zone": "UTC"}
    )
    (stay,) = predict(trip(nowhere))
    assert (stay.place.position, stay.problem, stay.is_expected) == (None, NO_COORDINATES, True)


def test_a_flight_over_the_date_line_can_arrive_the_day_before() -> None:
    """Auckland on Friday noon to Honolulu on Thursday evening is a flight of eight and a half hours."""
    flight = Segment(
        type="Air",
        from_iata_code="AKL",
        to_iata_code="HNL",
        from_date_time_local="2026-11-20T12:00:00",
        to_date_time_local="2026-11-19T21:30:00",
    )
    departure, arrival = predict(trip(flight))
    assert departure.expires == utc("2026-11-19T23:00")
    assert arrival.arrives == utc("2026-11-20T07:30")
    assert departure.is_expected
    assert arrival.is_expected


@pytest.mark.parametrize(
    ("local", "expected"),
    [
        ("2026-03-29T02:30:00", "2026-03-29T01:30"),  # skipped: the UTC offset of winter
        ("2026-10-25T02:30:00", "2026-10-25T00:30"),  # repeated: the first occurrence
        ("2026-07-01T12:00:00", "2026-07-01T10:00"),
    ],
)
def test_times_that_clocks_skip_or_repeat_in_berlin_are_resolved(local: str, expected: str) -> None:
    """A skipped time uses the earlier UTC offset, and a repeated time is its first occurrence."""
    flight = OUT.model_copy(
        update={"from_iata_code": "BER", "from_date_time_local": local, "to_date_time": "2026-12-01T00:00:00Z"}
    )
    assert predict(trip(flight))[0].expires == utc(expected)


def test_an_end_before_the_start_in_a_repeated_hour_is_the_second_occurrence() -> None:
    """From 02:50 summer time to 02:10 winter time is 20 minutes."""
    ride = Segment(
        type="Car",
        from_iata_code="BER",
        to_iata_code="BER",
        from_date_time_local="2026-10-25T02:50:00",
        to_date_time_local="2026-10-25T02:10:00",
    )
    assert predict(trip(ride))[1].arrives == utc("2026-10-25T01:10")


def test_stated_utc_takes_precedence_over_local_time() -> None:
    flight = OUT.model_copy(update={"from_date_time": "2026-11-20T09:00:00Z"})
    assert predict(trip(flight))[0].expires == utc("2026-11-20T09:00")


def test_a_stated_zone_takes_precedence_unless_it_is_unknown() -> None:
    """An unknown zone is ignored."""
    assert predict(trip(OUT.model_copy(update={"from_time_zone": "Asia/Tokyo"})))[0].expires == utc("2026-11-20T05:05")
    assert predict(trip(OUT.model_copy(update={"from_time_zone": "Mars/One"})))[0].expires == utc("2026-11-20T10:05")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"from_date_time_local": None}, NO_TIME),
        ({"to_date_time_local": "soon"}, NO_TIME),
        ({"from_iata_code": None, "from_address": Address(city="Somewhere")}, NO_ZONE),
        ({"to_date_time_local": "2026-11-19T14:45:00"}, ENDS_BEFORE_IT_BEGINS),
    ],
)
def test_a_segment_with_an_unknown_duration_has_no_expected_locations(changes: dict[str, object], problem: str) -> None:
    """Both ends are listed with the error and marked as not expected."""
    found = predict(trip(OUT.model_copy(update=changes)))
    assert [each.problem for each in found] == [problem, problem]
    assert not any(each.is_expected for each in found)


def test_a_car_without_a_return_place_is_returned_where_it_was_picked_up() -> None:
    """Two locations at the same place."""
    car = STAY.model_copy(update={"type": "Car"})
    pick_up, drop_off = predict(trip(car))
    assert pick_up.place.position == drop_off.place.position == (29.3759, 47.9774)


def test_a_flight_without_a_destination_has_only_the_departure_location() -> None:
    flight = OUT.model_copy(update={"to_iata_code": None, "to_time_zone": "Asia/Kuwait"})
    assert [each.role for each in predict(trip(flight))] == ["Departure"]


def test_every_traveler_is_expected_once_at_every_place() -> None:
    """Two people at five places."""
    found = predict(trip(OUT, STAY, BACK, travelers=(ANA, BEN, ANA)))
    assert len(found) == 10
    assert {each.traveler for each in found} == {"Silva, Ana", "Okoro, Ben"}


def test_a_traveler_who_cannot_be_matched_has_an_error() -> None:
    """The service cannot expect a traveler without an ID and a name."""
    found = predict(trip(OUT, travelers=(Passenger(email_addresses=["no@body.org"]),)))
    assert {each.problem for each in found} == {CANNOT_BE_MATCHED}
    assert not any(each.is_expected for each in found)


def test_a_traveler_with_a_name_is_expected() -> None:
    """The service creates a contact. A duplicate traveler is expected once."""
    ana, ben = Passenger(first_name="Ana", email_addresses=["ana@x.org"]), Passenger(last_name="Okoro")
    found = predict(trip(STAY, travelers=(ana, ben, ana, Passenger(first_name="Ana"))))
    assert [(each.traveler, each.known_as, each.problem) for each in found] == [
        ("Ana", ("ana@x.org", "Ana"), None),
        ("Okoro", ("Okoro",), None),
    ]


@given(
    st.lists(
        st.builds(
            Passenger,
            first_name=st.sampled_from([None, "", "Ana", "ANA", "Ben"]),
            email_addresses=st.lists(st.sampled_from(["a@x.org", "A@x.org", " b@x.org", ""]), max_size=3),
        ),
        max_size=6,
    )
)
def test_a_shared_email_address_identifies_no_one(people: list[Passenger]) -> None:
    """For travelers without an employee ID, ignoring case. A traveler without a name shares with everyone."""
    for each in predict(trip(STAY, travelers=tuple(people))):
        name = next((text for text in each.known_as if "@" not in text), "")
        others = [one for one in people if (one.first_name or "").casefold() not in ("", name.casefold())]
        shared = {address.strip().casefold() for one in others for address in one.email_addresses}
        assert not shared & {text.casefold() for text in each.known_as}
        its_own = [one for one in people if (one.first_name or "") == name]
        whole = [[text.strip() for text in one.email_addresses if text.strip()] for one in its_own]
        assert [text for text in each.known_as if "@" in text] in [
            [text for text in texts if text.casefold() not in shared] for texts in whole
        ]


def test_a_canceled_trip_has_no_expected_locations() -> None:
    """In any spelling of the status."""
    assert predict(trip(OUT).model_copy(update={"itinerary_status": "CANCELED"})) == []


def test_a_traveler_is_labeled_by_name_then_by_id_then_by_email() -> None:
    assert name_last_first(ANA) == "Silva, Ana"
    assert name_last_first(Passenger(employee_id="E1")) == "E1"
    assert name_last_first(Passenger(email_addresses=["x@example.org"])) == "x@example.org"
    assert SHERATON.city == "Kuwait City"
