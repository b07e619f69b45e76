"""Expected locations of the service matched with predicted ones, for people with and without IDs."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.models.itineraries import ExpectedLocation, Passenger
from domain.trips import location_comparison
from domain.trips.location_comparison import count_matches, is_other_place
from domain.trips.prediction import PredictedLocation, predict
from tests.domain.trips.editor.sample_trips import BEN, OUT, trip


@pytest.mark.parametrize("external_id", ["una@x.org", "0815"])
def test_a_traveler_without_an_employee_id_is_matched_with_expected_locations(external_id: str) -> None:
    """By the email address, even if another service has its own ID for the traveler."""
    una = Passenger(first_name="Una", email_addresses=["una@x.org"])
    predicted = predict(trip(OUT, travelers=(una, BEN)))
    locations = [
        ExpectedLocation.model_validate(
            {
                "contactExternalId": each.employee_id or external_id,
                "travelCategory": each.segment.kind,
                "travelType": each.role,
                "address": {"arriveDate": str(each.arrives), "expireDate": str(each.expires)},
            }
        )
        for each in predicted
    ]
    assert count_matches(predicted, locations) == 4
    assert count_matches(predicted, locations[:2]) == 2


def count_pair_by_pair(predicted: list[PredictedLocation], locations: list[ExpectedLocation]) -> int:
    """The result of `count_matches`, found by comparing every pair."""
    remaining, minute = list(locations), "%Y-%m-%dT%H:%M"
    for each in sorted(predicted, key=lambda each: not each.employee_id):
        assert each.arrives is not None
        same = [
            one
            for one in remaining
            if (one.kind, one.travel_type) == (each.segment.kind, each.role)
            and one.address.arrive_date is not None
            and f"{one.address.arrive_date:{minute}}" == f"{each.arrives:{minute}}"
            and (one.contact_external_id in each.known_as or not each.employee_id)
            and not is_other_place(each, one)
        ]
        if same:
            remaining.remove(next((one for one in same if one.contact_external_id in each.known_as), same[0]))
    return len(locations) - len(remaining)


def build_locations(predicted: list[PredictedLocation]) -> list[ExpectedLocation]:
    """The predicted locations as a service returns them."""
    return [
        ExpectedLocation.model_validate(
            {
                "contactExternalId": each.employee_id or each.known_as[0],
                "travelCategory": each.segment.kind,
                "travelType": each.role,
                "address": {"arriveDate": str(each.arrives), "expireDate": str(each.expires), "iata": each.place.code},
            }
        )
        for each in predicted
    ]


@settings(deadline=None, max_examples=100)
@given(st.randoms(use_true_random=False))
def test_groups_of_locations_match_like_single_pairs(choice: Random) -> None:
    """With travelers without an employee ID, with another name, listed twice, or at another place."""
    people = [
        Passenger(
            employee_id=choice.choice([None, "E1", "E2", "E3"]), first_name=name, email_addresses=[f"{name}@x.org"]
        )
        for name in choice.sample("abcdef", choice.randint(1, 6))
    ]
    predicted = predict(trip(OUT, travelers=tuple(people)))
    locations = []
    for each in choice.choices(build_locations(predicted), k=choice.randint(0, 14)):
        name = choice.choice([each.contact_external_id, each.contact_external_id, "E1", "a@x.org", "0815"])
        code = choice.choice([each.address.iata, each.address.iata, None, "DXB"])
        address = each.address.model_copy(update={"iata": code})
        locations.append(each.model_copy(update={"contact_external_id": name, "address": address}))
    assert count_matches(predicted, locations) == count_pair_by_pair(predicted, locations)


def test_no_two_locations_of_a_large_trip_are_compared_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand travelers at two places are two places to compare, each with two locations."""
    compared_pairs, cost = [], location_comparison._matching_cost
    monkeypatch.setattr(location_comparison, "_matching_cost", lambda *both: compared_pairs.append(both) or cost(*both))
    predicted = predict(trip(OUT, travelers=tuple(Passenger(employee_id=f"E{number}") for number in range(1000))))
    assert count_matches(predicted, build_locations(predicted)) == 2000
    assert len(compared_pairs) == 4
