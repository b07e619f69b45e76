"""Checks of a trip: each has a finding if and only if it should."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.models.itineraries import Address, Itinerary, Passenger, Segment
from domain.trips.checks import trip_checks
from domain.trips.resolved_segments import resolve
from domain.trips.timeline import Note, SegmentRow, legs_of, timeline
from domain.trips.trip_findings import Finding, Severity, summary
from tests.domain.trips.trip_builders import ANA, SINGAPORE, TOKYO, car, flight, good_trip, hotel, train, trip

NOW = datetime(2026, 10, 1, tzinfo=UTC)
OUT = flight("SQ25", "FRA", "SIN", "2026-10-20T11:10", "2026-10-21T06:05")
BACK = flight("SQ26", "SIN", "FRA", "2026-10-24T23:55", "2026-10-25T05:50")
STAY = hotel(SINGAPORE, "2026-10-21T15:00", "2026-10-24T11:00")
PARIS = Address(location_name="Gare de Lyon", city="Paris", country="FR", latitude=48.84, longitude=2.37)
LYON = Address(location_name="Part-Dieu", city="Lyon", country="FR", latitude=45.76, longitude=4.86)
FRANKFURT = Address(location_name="Frankfurt Airport", city="Frankfurt", country="DE", latitude=50.03, longitude=8.57)


def list_rules(itinerary: Itinerary) -> list[str]:
    return [found.rule for found in trip_checks(itinerary, now=NOW)]


def get_finding(itinerary: Itinerary, rule: str) -> Finding:
    found = [each for each in trip_checks(itinerary, now=NOW) if each.rule == rule]
    assert len(found) == 1, (rule, trip_checks(itinerary, now=NOW))
    return found[0]


def test_a_good_trip_has_no_findings() -> None:
    assert trip_checks(good_trip(), now=NOW) == []


def test_a_canceled_trip_has_no_findings() -> None:
    assert trip_checks(Itinerary(pnr="X", itinerary_status="Canceled"), now=NOW) == []


def test_a_trip_without_segments_is_an_error() -> None:
    assert get_finding(trip(), "no-segments").severity is Severity.ERROR


class TestNights:
    @pytest.mark.parametrize(
        ("arrives", "leaves", "hotels", "title"),
        [
            ("2026-10-21T06:05", "2026-10-24T23:55", [("21T15:00", "23T11:00")], "No hotel Oct 23–24"),
            ("2026-10-21T06:05", "2026-10-24T23:55", [("21T15:00", "22T11:00")], "No hotel Oct 22–24"),
            ("2026-10-21T06:05", "2026-10-24T23:55", [("22T15:00", "24T11:00")], "No hotel Oct 21–22"),
            ("2026-10-21T06:05", "2026-10-24T23:55", [], "No hotel Oct 21–24"),
            ("2026-10-21T06:05", "2026-10-24T23:55", [("21T15:00", "24T11:00")], None),
            ("2026-10-21T06:05", "2026-10-24T23:55", [("21T15:00", "22T11:00"), ("22T15:00", "24T09:00")], None),
            # The time on the ground at night is too short to sleep.
            ("2026-10-21T22:30", "2026-10-22T02:30", [], None),
            ("2026-10-22T04:30", "2026-10-22T09:00", [], None),
            # After midnight, but long enough to sleep. A check-in after midnight counts for that night.
            ("2026-10-22T01:30", "2026-10-22T09:00", [], "No hotel Oct 21–22"),
            ("2026-10-22T01:30", "2026-10-22T09:00", [("22T02:30", "22T08:00")], None),
            ("2026-10-22T01:30", "2026-10-22T09:00", [("21T15:00", "22T08:00")], None),
        ],
    )
    def test_each_night_between_an_arrival_and_the_next_departure_needs_a_hotel(
        self, arrives: str, leaves: str, hotels: list[tuple[str, str]], title: str | None
    ) -> None:
        away = trip(
            flight("SQ25", "FRA", "SIN", "2026-10-20T11:10", arrives),
            *(hotel(SINGAPORE, f"2026-10-{start}", f"2026-10-{end}") for start, end in hotels),
            flight("SQ26", "SIN", "FRA", leaves, "2026-10-25T14:50"),
        )
        found = [each.title for each in trip_checks(away, now=NOW) if each.rule == "no-hotel"]
        assert found == ([title] if title else [])

    @pytest.mark.parametrize("zone", [None, "Nowhere/None"])
    def test_a_hotel_with_only_utc_times_counts_as_a_hotel(self, zone: str | None) -> None:
        stay = Segment(
            type="Hotel",
            from_address=Address(location_name="Harbour Hotel", city="Singapore"),
            from_date_time="2026-10-21T07:00:00Z",
            to_date_time="2026-10-23T03:00:00Z",
            from_time_zone=zone,
        )
        assert get_finding(trip(OUT, stay, BACK), "no-hotel").title == "No hotel Oct 23–24"
        longer = stay.model_copy(update={"to_date_time": "2026-10-24T03:00:00Z"})
        assert "no-hotel" not in list_rules(trip(OUT, longer, BACK))
        assert not any(isinstance(row, Note) and row.what == "gap" for row in timeline(trip(OUT, longer, BACK)))

    def test_two_gaps_are_two_findings(self) -> None:
        away = trip(OUT, hotel(SINGAPORE, "2026-10-22T15:00", "2026-10-23T11:00"), BACK)
        found = [each.title for each in trip_checks(away, now=NOW) if each.rule == "no-hotel"]
        assert found == ["No hotel Oct 21–22", "No hotel Oct 23–24"]

    def test_nights_at_home_between_two_journeys_need_no_hotel(self) -> None:
        home_between = trip(
            flight("LH1", "FRA", "MUC", "2026-10-20T08:00", "2026-10-20T09:00"),
            flight("LH2", "MUC", "FRA", "2026-10-20T18:00", "2026-10-20T19:00"),
            flight("LH3", "FRA", "MUC", "2026-10-23T08:00", "2026-10-23T09:00"),
            flight("LH4", "MUC", "FRA", "2026-10-23T18:00", "2026-10-23T19:00"),
        )
        assert list_rules(home_between) == []

    def test_an_overnight_flight_or_a_date_line_crossing_needs_no_hotel(self) -> None:
        over_the_line = trip(
            flight("NZ5", "LAX", "AKL", "2026-10-20T21:40", "2026-10-22T07:50"),
            flight("NZ6", "AKL", "LAX", "2026-10-22T19:30", "2026-10-22T12:15"),
        )
        assert list_rules(over_the_line) == []

    def test_a_rental_car_does_not_replace_a_hotel(self) -> None:
        rented = trip(OUT, car(SINGAPORE, SINGAPORE, "2026-10-21T08:00", "2026-10-24T20:00"), BACK)
        assert get_finding(rented, "no-hotel").title == "No hotel Oct 21–24"

    def test_a_hotel_far_from_the_place_is_reported_instead_of_a_missing_hotel(self) -> None:
        found = get_finding(trip(OUT, hotel(TOKYO, "2026-10-21T15:00", "2026-10-24T11:00"), BACK), "hotel-far")
        assert found.segment == 1
        assert "Garden Hotel is 5,3" in found.title
        assert "SIN Singapore" in found.title
        assert list_rules(trip(OUT, hotel(TOKYO, "2026-10-21T15:00", "2026-10-24T11:00"), BACK)) == ["hotel-far"]

    def test_a_distant_hotel_has_no_warning_with_a_rental_car(self) -> None:
        malacca = Address(location_name="Inn", city="Malacca", country="MY", latitude=2.19, longitude=102.25)
        ipoh = malacca.model_copy(update={"city": "Ipoh", "latitude": 4.6, "longitude": 101.1})
        stay = hotel(ipoh, "2026-10-21T15:00", "2026-10-24T11:00")
        assert "hotel-far" in list_rules(trip(OUT, stay, BACK))
        rented = car(SINGAPORE, SINGAPORE, "2026-10-21T08:00", "2026-10-24T20:00")
        assert "hotel-far" not in list_rules(trip(OUT, rented, stay, BACK))

    def test_two_hotels_at_once_are_an_error_if_they_are_far_apart(self) -> None:
        far = get_finding(trip(OUT, STAY, hotel(TOKYO, "2026-10-22T15:00", "2026-10-23T11:00"), BACK), "overlap")
        assert far.severity is Severity.ERROR
        assert "No one can be at both" in far.detail
        other = SINGAPORE.model_copy(update={"location_name": "Hill Hotel", "latitude": 1.33})
        near = get_finding(trip(OUT, STAY, hotel(other, "2026-10-22T15:00", "2026-10-23T11:00"), BACK), "two-hotels")
        assert near.severity is Severity.WARNING
        assert near.segment == 2

    def test_the_same_hotel_twice_has_no_warning_for_two_travelers(self) -> None:
        ben = Passenger(employee_id="E200", first_name="Ben", last_name="Roy")
        assert "two-hotels" in list_rules(trip(OUT, STAY, STAY, BACK))
        assert "two-hotels" not in list_rules(trip(OUT, STAY, STAY, BACK, passengers=[ANA, ben]))

    def test_a_hotel_night_during_the_outbound_flight_is_only_a_note(self) -> None:
        early = trip(OUT, hotel(SINGAPORE, "2026-10-20T15:00", "2026-10-24T11:00"), BACK)
        assert get_finding(early, "hotel-during-journey").severity is Severity.NOTE
        late = trip(OUT, hotel(SINGAPORE, "2026-10-21T15:00", "2026-10-26T11:00"), BACK)
        assert "hotel-during-journey" in list_rules(late)
        assert "hotel-far" in list_rules(late)


class TestTravel:
    def test_two_flights_at_the_same_time_are_an_error(self) -> None:
        double = trip(OUT, flight("LH9", "FRA", "MUC", "2026-10-20T12:00", "2026-10-20T13:00"), STAY, BACK)
        found = get_finding(double, "overlap")
        assert found.severity is Severity.ERROR
        assert found.title == "SQ25 and LH9 overlap by 1 h"

    def test_a_duplicate_flight_is_reported_as_a_duplicate(self) -> None:
        assert get_finding(trip(OUT, OUT, STAY, BACK), "segment-twice").title == "SQ25 is in the trip twice"

    def test_segments_may_be_in_any_order(self) -> None:
        assert list_rules(trip(BACK, STAY, OUT)) == []

    @pytest.mark.parametrize(
        ("leaves", "rule"), [("06:30", "connection-short"), ("06:05", "connection-short"), ("07:00", None)]
    )
    def test_a_connection_needs_time(self, leaves: str, rule: str | None) -> None:
        onward = trip(OUT, flight("SQ1", "SIN", "KUL", f"2026-10-21T{leaves}", "2026-10-21T08:10"))
        assert [each for each in list_rules(onward) if each != "no-return"] == ([rule] if rule else [])

    def test_a_connection_before_the_arrival_is_an_overlap(self) -> None:
        onward = trip(OUT, flight("SQ1", "SIN", "KUL", "2026-10-21T05:30", "2026-10-21T06:40"))
        assert "overlap" in list_rules(onward)
        assert "connection-short" not in list_rules(onward)

    def test_a_change_of_airport_needs_more_time(self) -> None:
        change = [
            flight("LH1", "FRA", "LHR", "2026-10-20T08:00", "2026-10-20T08:40"),
            flight("BA2", "LGW", "FRA", "2026-10-20T10:00", "2026-10-20T12:40"),
        ]
        assert get_finding(trip(*change), "connection-short").title.startswith("Only 1 h 20 min to get from LHR")
        change[1].from_date_time_local = "2026-10-20T11:00:00"
        assert list_rules(trip(*change)) == []

    def test_a_departure_from_another_place_than_the_arrival_is_a_warning(self) -> None:
        broken = trip(OUT, STAY, flight("JL9", "NRT", "FRA", "2026-10-24T23:55", "2026-10-25T09:50"))
        found = get_finding(broken, "way-broken")
        assert found.severity is Severity.WARNING
        assert found.segment == 2
        assert "SIN Singapore" in found.title
        assert "NRT" in found.title

    def test_an_impossible_connection_is_an_error(self) -> None:
        broken = trip(OUT, flight("JL9", "NRT", "FRA", "2026-10-21T09:55", "2026-10-21T19:50"))
        assert get_finding(broken, "way-broken").severity is Severity.ERROR
        at_once = trip(OUT, flight("JL9", "NRT", "FRA", "2026-10-21T07:05", "2026-10-21T16:50"))
        assert get_finding(at_once, "way-broken").severity is Severity.ERROR

    def test_a_one_way_rental_car_connects_two_places(self) -> None:
        way = trip(
            flight("AF1", "FRA", "CDG", "2026-10-20T08:00", "2026-10-20T09:15"),
            car(PARIS, LYON, "2026-10-20T10:00", "2026-10-20T16:00"),
            flight("AF2", "LYS", "FRA", "2026-10-20T19:00", "2026-10-20T20:30"),
        )
        assert list_rules(way) == []
        way.segments.pop(1)
        assert list_rules(way) == ["way-broken"]

    def test_a_train_needs_5_minutes_and_may_leave_from_another_station_of_the_city(self) -> None:
        nord = PARIS.model_copy(update={"location_name": "Gare du Nord", "latitude": 48.88})
        lille = Address(location_name="Europe", city="Lille", country="FR", latitude=50.63, longitude=3.07)
        one = train("TGV1", LYON, PARIS, "2026-10-20T08:00", "2026-10-20T10:00")
        assert "connection-short" in list_rules(
            trip(one, train("TGV2", PARIS, lille, "2026-10-20T10:03", "2026-10-20T11:00"))
        )
        assert list_rules(trip(one, train("TGV2", nord, lille, "2026-10-20T11:03", "2026-10-20T12:00"))) == [
            "no-return"
        ]

    def test_a_car_picked_up_during_a_flight_is_a_warning(self) -> None:
        early = trip(OUT, car(SINGAPORE, SINGAPORE, "2026-10-20T23:00", "2026-10-24T20:00"), STAY, BACK)
        assert get_finding(early, "car-during-journey").segment == 1

    def test_a_trip_that_does_not_come_back_is_noted(self) -> None:
        assert get_finding(trip(OUT), "no-return").title == "One way"
        onward = trip(OUT, flight("SQ1", "SIN", "KUL", "2026-10-21T08:00", "2026-10-21T09:10"))
        found = get_finding(onward, "no-return")
        assert (found.title, found.severity) == ("No return", Severity.NOTE)
        assert summary(trip_checks(onward, now=NOW)) == "No problems"

    def test_coming_back_to_another_airport_of_the_city_is_a_return(self) -> None:
        outbound = flight("BA1", "LHR", "FRA", "2026-10-20T08:00", "2026-10-20T10:40")
        back = flight("BA2", "FRA", "LGW", "2026-10-20T18:00", "2026-10-20T18:40")
        assert list_rules(trip(outbound, back)) == []


class TestTimes:
    @pytest.mark.parametrize(
        ("times", "rule"),
        [
            # Singapore is 8 hours ahead; Frankfurt 2 until 25 October.
            ({"to_date_time": "2026-10-20T22:05:00Z"}, None),
            ({"to_date_time": "2026-10-20T22:05:00.000Z"}, None),
            ({"to_date_time": "2026-10-20T23:05:00Z"}, "zone-disagrees"),
            ({"to_date_time": "2026-10-20T21:35:00Z"}, "zone-disagrees"),
            ({"to_date_time": "2026-10-20T22:05:00Z", "to_time_zone": "Asia/Singapore"}, None),
            ({"to_time_zone": "Asia/Kuala_Lumpur"}, None),
            ({"to_date_time": "2026-10-20T22:05:00Z", "to_time_zone": "Asia/Tokyo"}, "zone-elsewhere"),
            ({"to_time_zone": "Asia/Tokyo"}, "zone-elsewhere"),
            ({"to_time_zone": "Asia/Singapur"}, "zone-unknown"),
            ({"to_date_time_local": "tomorrow"}, "time-unreadable"),
            ({"to_date_time_local": None}, "time-missing"),
            ({"to_date_time_local": None, "to_date_time": "2026-10-20T22:05:00Z"}, None),
            ({"to_date_time_local": "2026-10-20T06:05:00"}, "ends-before-start"),
            ({"to_date_time_local": "2026-10-20T17:10:00"}, "no-duration"),
            ({"to_date_time_local": "2026-10-22T06:05:00"}, "too-long"),
            ({"to_date_time_local": "2026-10-20T20:05:00"}, "too-fast"),
        ],
    )
    def test_missing_or_contradicting_flight_times_are_reported(
        self, times: dict[str, str | None], rule: str | None
    ) -> None:
        assert [each for each in list_rules(trip(OUT.model_copy(update=times))) if each != "no-return"] == (
            [rule] if rule else []
        )

    @pytest.mark.parametrize(
        ("arrives", "severity"),
        [
            ("2026-10-21T17:11:00", Severity.ERROR),
            ("2026-10-21T17:10:00", Severity.WARNING),
            ("2026-10-20T20:05:00", Severity.ERROR),
            ("2026-10-20T17:10:00", Severity.ERROR),
        ],
        ids=["more than 24 hours", "24 hours", "faster than any aircraft", "no time at all"],
    )
    def test_an_impossible_duration_is_an_error_and_a_very_long_one_is_a_warning(
        self, arrives: str, severity: Severity
    ) -> None:
        itinerary = trip(OUT.model_copy(update={"to_date_time_local": arrives}))
        [found] = [each for each in trip_checks(itinerary, now=NOW) if each.rule != "no-return"]
        assert found.severity is severity

    def test_the_finding_has_the_correct_local_time(self) -> None:
        wrong = OUT.model_copy(update={"to_date_time": "2026-10-20T23:05:00Z"})
        found = get_finding(trip(wrong), "zone-disagrees")
        assert found.severity is Severity.ERROR
        assert "Wed, Oct 21, 06:05 local and Tue, Oct 20, 23:05 UTC are 7 h apart" in found.detail
        assert "That is Wed, Oct 21, 07:05 in Asia/Singapore." in found.detail

    @pytest.mark.parametrize(
        ("moment", "possible"),
        [
            ("2026-10-20T22:05:00Z", True),
            ("2026-10-21T00:20:00Z", True),
            ("2026-10-20T22:07:00Z", False),
            ("2026-10-20T10:05:00Z", False),
            ("2026-10-21T18:20:00Z", False),
        ],
    )
    def test_a_time_without_a_zone_needs_an_existing_utc_offset(self, moment: str, possible: bool) -> None:
        nowhere = Address(location_name="A yard", country="AQ")
        segment = Segment(
            type="Car",
            from_address=nowhere,
            to_address=nowhere,
            from_date_time="2026-10-20T08:00:00Z",
            to_date_time=moment,
            to_date_time_local="2026-10-21T06:05:00",
        )
        assert ("zone-disagrees" in list_rules(trip(segment))) is not possible

    def test_a_local_time_with_neither_zone_nor_place_cannot_be_converted_to_utc(self) -> None:
        nowhere = car(
            Address(location_name="A yard"), Address(location_name="A quay"), "2026-10-20T08:00", "2026-10-20T09:00"
        )
        assert list_rules(trip(nowhere)).count("zone-missing") == 2

    @pytest.mark.parametrize(
        ("leaves", "rule"),
        [
            ("2026-03-29T02:30", "local-time-skipped"),
            ("2026-03-29T01:59", None),
            ("2026-03-29T03:00", None),
            ("2026-10-25T02:30", "local-time-twice"),
            ("2026-10-25T01:59", None),
            ("2026-10-25T03:00", None),
        ],
    )
    def test_times_that_clocks_skip_or_repeat_are_reported(self, leaves: str, rule: str | None) -> None:
        arrives = f"{leaves[:11]}09:00"
        found = list_rules(trip(flight("LH1", "FRA", "ATH", leaves, arrives)))
        assert [each for each in found if each.startswith("local-time")] == ([rule] if rule else [])

    def test_a_repeated_hour_with_utc_has_no_finding(self) -> None:
        for moment in ("2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"):
            one = flight("LH1", "FRA", "ATH", "2026-10-25T02:30", "2026-10-25T09:00", from_date_time=moment)
            assert list_rules(trip(one)) == ["no-return"]

    def test_a_stay_that_ends_before_it_begins_is_an_error_without_a_zone(self) -> None:
        stay = hotel(Address(location_name="Inn"), "2026-10-24T15:00", "2026-10-21T11:00")
        assert get_finding(trip(stay), "ends-before-start").title == "Inn: the check-out is before the check-in"

    def test_a_trip_that_is_over_is_noted(self) -> None:
        found = [each.rule for each in trip_checks(good_trip(), now=datetime(2026, 10, 25, 4, 51, tzinfo=UTC))]
        assert found == ["in-the-past"]
        assert trip_checks(good_trip(), now=datetime(2026, 10, 25, 4, 49, tzinfo=UTC)) == []


class TestPlaces:
    def test_an_unknown_airport_is_a_warning_and_an_error_without_coordinates(self) -> None:
        unknown = flight("XX1", "FRA", "QQQ", "2026-10-20T08:00", "2026-10-20T10:00", to_time_zone="Europe/Paris")
        assert "is not on the map" in get_finding(trip(unknown), "airport-unknown").detail
        unknown.to_address = PARIS
        assert "is not on the map" not in get_finding(trip(unknown), "airport-unknown").detail

    def test_a_station_code_is_not_mistaken_for_an_airport(self) -> None:
        assert "airport-unknown" not in list_rules(
            trip(train("TGV1", LYON, PARIS, "2026-10-20T08:00", "2026-10-20T10:00", from_iata_code="QQQ"))
        )

    def test_the_zone_of_coordinates_takes_precedence_over_the_zone_of_a_code(self) -> None:
        one = train(
            "TGV1", LYON, PARIS, "2026-10-20T08:00", "2026-10-20T10:00", from_iata_code="KYO", to_iata_code="LDS"
        )
        for kind in ("Rail", "Air"):
            [found] = resolve(trip(one.model_copy(update={"type": kind})))
            assert (found.start.zone, found.end.zone, found.duration) == (
                "Europe/Paris",
                "Europe/Paris",
                timedelta(hours=2),
            )

    def test_a_station_with_the_code_of_an_airport_is_listed_and_not_on_the_map(self) -> None:
        edinburgh, leeds = Address(city="Edinburgh", country="GB"), Address(city="Leeds", country="GB")
        codes = {"from_iata_code": "EDB", "to_iata_code": "LDS"}
        zones = dict.fromkeys(("from_time_zone", "to_time_zone"), "Europe/London")
        away = trip(train("LNER 1", edinburgh, leeds, "2026-10-20T08:00", "2026-10-20T11:00", **codes, **zones))
        assert list_rules(away) == ["no-coordinates", "no-coordinates"]
        legs, points = legs_of(away)
        assert (len(legs), len(points)) == (0, 0)
        [row] = [row for row in timeline(away) if isinstance(row, SegmentRow)]
        assert (row.start_place, row.end_place, row.lasts) == ("EDB Edinburgh", "LDS Leeds", "3 h")

    def test_an_airport_far_from_its_address_is_a_warning(self) -> None:
        birmingham = Address(city="Birmingham", country="GB")
        away = flight("BA1", "BHM", "FRA", "2026-10-20T08:00", "2026-10-20T11:00", from_address=birmingham)
        found = get_finding(trip(away.model_copy(update={"from_time_zone": "Europe/London"})), "airport-elsewhere")
        assert found.title == "BA1: the airport BHM is not in Birmingham"
        assert "United States" in found.detail or "Birmingham-Shuttlesworth" in found.detail
        assert "is not on the map" in found.detail

    def test_a_station_and_an_airport_with_the_same_code_are_two_places(self) -> None:
        edinburgh = Address(city="Edinburgh", country="GB", latitude=55.952, longitude=-3.189)
        by_train = train("T1", LYON, edinburgh, "2026-10-20T08:00", "2026-10-20T20:00", to_iata_code="EDB")
        onward = flight("XX1", "EDB", "SIN", "2026-10-21T08:00", "2026-10-21T20:00")
        assert "way-broken" in list_rules(trip(by_train, onward))

    @pytest.mark.parametrize(
        "coordinates", [{}, {"latitude": 0.0, "longitude": 0.0}, {"latitude": 95.0, "longitude": 10.0}]
    )
    def test_a_hotel_without_usable_coordinates_is_reported(self, coordinates: dict[str, float]) -> None:
        inn = Address(location_name="Inn", city="Singapore", country="SG", **coordinates)
        found = get_finding(
            trip(OUT, hotel(inn, "2026-10-21T15:00", "2026-10-24T11:00", from_time_zone="Asia/Singapore"), BACK),
            "no-coordinates",
        )
        assert found.title == "Inn, Singapore has no coordinates"

    def test_an_end_without_a_place_is_an_error(self) -> None:
        nowhere = hotel(None, "2026-10-21T15:00", "2026-10-24T11:00", from_time_zone="Asia/Singapore")
        assert get_finding(trip(OUT, nowhere, BACK), "place-missing").severity is Severity.ERROR

    def test_swapped_coordinates_of_an_airport_are_reported(self) -> None:
        swapped = FRANKFURT.model_copy(update={"latitude": FRANKFURT.longitude, "longitude": FRANKFURT.latitude})
        segment = OUT.model_copy(update={"from_address": swapped, "from_time_zone": "Europe/Berlin"})
        found = get_finding(trip(segment), "coordinates-elsewhere")
        assert found.severity is Severity.ERROR
        assert found.detail.endswith("They match with latitude and longitude swapped.")
        assert "coordinates-elsewhere" not in list_rules(trip(OUT.model_copy(update={"from_address": FRANKFURT})))

    def test_a_flight_to_a_city_code_may_be_followed_by_one_from_any_of_its_airports(self) -> None:
        outbound = flight("BA1", "FRA", "LON", "2026-10-20T08:00", "2026-10-20T09:00")
        back = flight("FR2", "SEN", "FRA", "2026-10-20T18:00", "2026-10-20T21:00")
        assert "way-broken" not in list_rules(trip(outbound, back))

    def test_a_flight_to_its_own_origin_is_a_warning(self) -> None:
        assert "goes-nowhere" in list_rules(trip(flight("LH1", "FRA", "FRA", "2026-10-20T08:00", "2026-10-20T10:00")))

    @pytest.mark.parametrize("kind", ["", "Boat"])
    def test_an_unknown_segment_type_is_an_error(self, kind: str) -> None:
        assert "kind" in list_rules(trip(OUT.model_copy(update={"type": kind})))

    def test_a_segment_type_in_another_case_has_no_finding(self) -> None:
        assert list_rules(trip(OUT.model_copy(update={"type": "AIR"}), STAY, BACK)) == []


class TestPeople:
    def test_a_trip_without_travelers_is_an_error(self) -> None:
        assert get_finding(good_trip().model_copy(update={"passengers": []}), "no-travelers").severity is Severity.ERROR

    def test_a_traveler_without_id_and_name_is_a_warning(self) -> None:
        severities = {
            name: get_finding(good_trip().model_copy(update={"passengers": [ANA, person]}), "no-employee-id").severity
            for name, person in (
                ("name", Passenger(first_name="Ben")),
                ("id", Passenger(employee_id="E2")),
                ("neither", Passenger(email_addresses=["ben@x.org"])),
            )
        }
        assert severities == {"name": Severity.NOTE, "id": Severity.NOTE, "neither": Severity.WARNING}

    @pytest.mark.parametrize(
        ("others", "rules"),
        [
            ([Passenger(employee_id="E200", first_name="Ben")], []),
            ([Passenger(employee_id="E100", first_name="A.", last_name="Silva")], ["traveler-twice"]),
            ([Passenger(employee_id="e100", first_name="Ben")], []),
            ([Passenger(first_name="Ben")], ["no-employee-id"]),
            ([Passenger(first_name="Ben", email_addresses=["ben@x.org"])], []),
            ([Passenger(contact_id=7)], []),
            ([Passenger(email_addresses=["ben@x.org"])], ["no-employee-id"]),
            ([Passenger(employee_id="  ", first_name="Ben")], ["no-employee-id"]),
            (
                [Passenger(employee_id="E2", contact_id=7), Passenger(employee_id="E3", contact_id=7)],
                ["traveler-twice"],
            ),
            (
                [Passenger(employee_id="Ben@x.org"), Passenger(employee_id="ben@X.org")],
                ["no-employee-id", "no-employee-id", "traveler-twice"],
            ),
            (
                [Passenger(first_name="Ben", last_name="Roy"), Passenger(first_name="ben", last_name="Roy")],
                ["no-employee-id", "no-employee-id", "traveler-twice"],
            ),
        ],
    )
    def test_travelers_are_distinguished(self, others: list[Passenger], rules: list[str]) -> None:
        assert sorted(list_rules(good_trip().model_copy(update={"passengers": [ANA, *others]}))) == rules


def test_the_most_severe_finding_comes_first() -> None:
    found = trip_checks(trip(OUT, BACK, passengers=[]), now=NOW)
    assert [each.rule for each in found] == ["no-travelers", "no-hotel"]
    assert summary(found) == "2 problems"
    assert summary(found[:1]) == "1 problem"


_codes = st.sampled_from(["FRA", "SIN", "NRT", "LAX", "AKL", "QQQ", "", "fra "])
_zones = st.sampled_from([None, "", "Asia/Tokyo", "Europe/London", "Nowhere/None"])
_texts = st.one_of(
    st.none(),
    st.sampled_from(
        ["", "x", "2026-03-29T02:30:00", "2026-10-25T02:30:00", "0001-01-01T00:00:00", "9999-12-31T23:59:59Z"]
    ),
    st.integers(0, 366 * 24 * 4).map(
        lambda quarters: f"{NOW.replace(tzinfo=None) + timedelta(minutes=15 * quarters):%FT%T}"
    ),
)
_places = st.one_of(
    st.none(),
    st.builds(
        Address,
        location_name=st.sampled_from([None, "Inn"]),
        city=st.sampled_from([None, "Paris"]),
        country=st.sampled_from([None, "FR", "ZZ"]),
        latitude=st.one_of(st.none(), st.floats(allow_nan=True)),
        longitude=st.one_of(st.none(), st.floats(-180, 180)),
    ),
)
_segments = st.builds(
    Segment,
    type=st.sampled_from(["Air", "Hotel", "Rail", "Car", "Boat", ""]),
    from_date_time_local=_texts,
    to_date_time_local=_texts,
    from_date_time=_texts,
    to_date_time=_texts,
    from_time_zone=_zones,
    to_time_zone=_zones,
    from_iata_code=_codes,
    to_iata_code=_codes,
    from_address=_places,
    to_address=_places,
)


@given(st.lists(_segments, max_size=5))
def test_any_incomplete_trip_is_checked_without_an_exception(segments: list[Segment]) -> None:
    for found in trip_checks(trip(*segments), now=NOW):
        assert found.title
        assert found.rule
        assert found.segment is None or 0 <= found.segment < len(segments)


@given(st.permutations(range(3)), st.integers(0, 3))
def test_the_order_of_segments_does_not_affect_the_findings(order: list[int], nights: int) -> None:
    segments = [OUT, hotel(SINGAPORE, "2026-10-21T15:00", f"2026-10-{21 + nights}T16:00"), BACK]
    as_written = {(each.rule, each.title) for each in trip_checks(trip(*segments), now=NOW)}
    shuffled = {(each.rule, each.title) for each in trip_checks(trip(*(segments[at] for at in order)), now=NOW)}
    assert shuffled == as_written


@given(st.integers(-600, 600))
def test_a_trip_moved_by_weeks_has_the_same_nights_without_a_hotel(weeks: int) -> None:
    """Even over clock changes."""
    shift = timedelta(weeks=weeks)

    def shift_time(text: str | None) -> str | None:
        return (datetime.fromisoformat(text) + shift).isoformat() if text else None

    segments = [
        segment.model_copy(
            update={
                "from_date_time_local": shift_time(segment.from_date_time_local),
                "to_date_time_local": shift_time(segment.to_date_time_local),
            }
        )
        for segment in (OUT, hotel(SINGAPORE, "2026-10-21T15:00", "2026-10-23T11:00"), BACK)
    ]
    found = [each for each in trip_checks(trip(*segments), now=NOW) if each.rule == "no-hotel"]
    assert ["no hotel for 1 night after" in each.detail for each in found] == [True]
