"""The people of an incident as contact filters: the payload and the people they match."""

from __future__ import annotations

from client.models.contact_filter_rules import contact_filter_problems
from domain.filters.filter_draft import to_filter
from domain.incidents.affected import find_affected
from domain.incidents.area import circle
from domain.incidents.contact_filter import plan_filters
from tests.domain.expected_locations.records import build_locations
from tests.domain.incidents.test_affected_times import record, time_at

NAMES = {"ana": "Silva, Ana", "bo": "Berg, Bo", "cy": "Cruz, Cy", "di": "Diaz, Di"}
ROSTER = build_locations(
    [
        record("ana", "SIN", "Arrival", -5, 19, "A1"),
        record("bo", "hotel", "Stay", -5, 40, "B1"),
        # In Singapore on another day, and in Paris at the time. Two records match the two rules.
        record("cy", "SIN", "Arrival", -90, -66, "C1"),
        record("cy", "CDG", "Arrival", -5, 19, "C1"),
        record("di", "LHR", "Arrival", -5, 19, "D1"),
    ],
    NAMES,
)


def test_filters_name_extra_and_missed_people() -> None:
    found = find_affected(ROSTER, circle(1.33, 103.9, 40), time_at(0), time_at(6))
    plans = {plan.kind: plan for plan in plan_filters(ROSTER, found, time_at(0), time_at(6), name="Flood")}
    assert [*plans] == ["city", "country", "airport"]
    assert plans["country"].summary == "This filter also reaches 1 person not on the list: Cy Cruz."
    assert plans["airport"].missed == ["Berg, Bo"]
    assert plans["airport"].summary.endswith("This filter misses 1 person on the list: Bo Berg.")


def test_the_service_accepts_the_filters() -> None:
    found = find_affected(ROSTER, circle(1.33, 103.9, 40), time_at(0), None)
    plan = next(each for each in plan_filters(ROSTER, found, time_at(0), None, name="Flood") if each.kind == "country")
    [draft] = plan.drafts
    contact_filter = to_filter(draft)
    assert not contact_filter_problems(contact_filter)
    assert draft.name == "Flood: Singapore"
    place, date = contact_filter.to_wire()["contactFilterRules"]
    assert (place["columnName"], place["operator"], place["columnValue"]) == ("country", "E", "SG")
    # An ongoing incident lasts until the last person leaves.
    noon = 1_795_176_000_000
    assert date["columnValue"] == ["BETWEEN", noon, noon + 40 * 3_600_000]


def test_an_empty_list_has_no_filters() -> None:
    found = find_affected(ROSTER, circle(-40, 0, 10), time_at(0), time_at(6))
    assert plan_filters(ROSTER, found, time_at(0), time_at(6), name="Flood") == []
