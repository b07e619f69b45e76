"""The count of people whom a filter would reach equals an independent evaluation, stay by stay."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from domain.filters import rule_steps
from domain.filters.filter_draft import FilterDraft
from domain.filters.reach.reach_count import LoadedPeople, options_at
from domain.filters.reach.reach_text import headline, separate_note, uncounted_note
from tests.domain.expected_locations.records import PLACES, Row, build_locations

NOW: Final = datetime(2026, 11, 28, 12, tzinfo=UTC)
EXPECTED: Final = "expectedDate|SYSTEM_EXPECTED_OBJECT|"
COUNTRY: Final = "country|SYSTEM_EXPECTED_OBJECT|address"
CITY: Final = "city|SYSTEM_EXPECTED_OBJECT|address"
EXTERNAL_ID: Final = "externalId|SYSTEM|"

Rule = tuple[str, str, str | tuple[datetime, datetime]]
"""A column, an operator, and a text or a time span."""
_COMPARE: Final[dict[str, Callable[[str, str], bool]]] = {
    "E": lambda text, value: text == value,
    "STARTWITH": lambda text, value: text.startswith(value),
    "ENDWITH": lambda text, value: text.endswith(value),
    "LIKE": lambda text, value: value in text,
}
_CITY_OF_AIRPORT: Final = {"LHR": "London", "CDG": "Paris", "SIN": "Singapore", "AKL": "Auckland", "HNL": "Honolulu"}
_NEGATED: Final = {"NE": "E", "NLIKE": "LIKE"}


def filter_of(rules: list[Rule]) -> FilterDraft:
    """Return a filter with these rules."""
    draft = FilterDraft()
    for key, operator, value in rules:
        draft = rule_steps.add_rule(draft, key)
        uid = draft.rules[-1].uid
        draft = rule_steps.set_operator(draft, uid, operator)
        if isinstance(value, str):
            draft = rule_steps.set_value(draft, uid, "value", value)
        elif key == EXPECTED:
            draft = rule_steps.set_value(draft, uid, "value", "BETWEEN")
            for slot, at in zip(("from", "until"), value, strict=True):
                draft = rule_steps.set_value(draft, uid, slot, f"{at:%Y-%m-%d %H:%M}")
    return draft


def holds(row: Row, rule: Rule) -> bool:
    """Return whether one expected location matches the positive form of a rule."""
    key, operator, value = rule
    if key == EXPECTED:
        begin, end = (NOW, NOW) if isinstance(value, str) else value
        arrives, expires = (
            row.arrives or datetime.min.replace(tzinfo=UTC),
            row.expires or datetime.max.replace(tzinfo=UTC),
        )
        return {
            "BETWEEN": arrives <= end and expires >= begin,
            "LT": expires < begin,
            "LTE": arrives <= end,
            "GT": arrives > end,
            "GTE": expires >= begin,
        }[operator]
    assert isinstance(value, str)
    address = PLACES[row.place].address
    city = address.get("city") or _CITY_OF_AIRPORT[row.place]
    text = row.person if key == EXTERNAL_ID else str(address.get("country", "") if key == COUNTRY else city)
    return _COMPARE[_NEGATED.get(operator, operator)](text.casefold(), value.casefold())


def evaluate(rows: list[Row], rules: list[Rule]) -> tuple[set[str], set[str]]:
    """Return who matches with one stay, and who matches only with several, person by person."""
    same, separately = set(), set()
    for person in {row.person for row in rows}:
        own = [row for row in rows if row.person == person]
        positive = [rule for rule in rules if rule[1] not in _NEGATED]
        matches_each = all(any(holds(row, rule) for row in own) for rule in positive)
        if any(holds(row, rule) for rule in rules if rule[1] in _NEGATED for row in own):
            continue
        if any(all(holds(row, rule) for rule in positive) for row in own):
            same.add(person)
        elif matches_each:
            separately.add(person)
    return same, separately


moments = st.integers(-72, 72).map(lambda hours: NOW + timedelta(hours=hours))
spans = st.tuples(moments, st.integers(1, 96)).map(lambda pair: (pair[0], pair[0] + timedelta(hours=pair[1])))
rows = st.builds(
    lambda person, trip, place, span, is_open: Row(
        person, f"T{trip}{person}", place, "Stay", span[0], None if is_open else span[1]
    ),
    st.sampled_from(["E1", "E2", "F3"]),
    st.integers(0, 2),
    st.sampled_from(sorted(PLACES)),
    spans,
    st.booleans(),
)
texts = st.sampled_from(["E", "NE", "STARTWITH", "ENDWITH", "LIKE", "NLIKE"])
_COUNTRIES: Final = sorted(
    {str(each.address.get("country")) for each in PLACES.values() if each.address.get("country")}
)
_CITIES: Final = sorted({"Somewhere", *_CITY_OF_AIRPORT.values()})
rules = st.one_of(
    st.tuples(st.just(COUNTRY), st.sampled_from(["E", "NE"]), st.sampled_from(_COUNTRIES)),
    st.tuples(st.just(CITY), texts, st.sampled_from([*_CITIES, "lon", "o", "Zzz"])),
    st.tuples(
        st.just(EXPECTED), st.sampled_from(["BETWEEN", "LT", "LTE", "GT", "GTE"]), st.one_of(st.just("NOW"), spans)
    ),
    st.tuples(st.just(EXTERNAL_ID), texts, st.sampled_from(["E", "E1", "3"])),
)


@given(st.lists(rows, min_size=1, max_size=8), st.lists(rules, min_size=1, max_size=4))
def test_the_count_equals_an_evaluation_person_by_person(some: list[Row], wanted: list[Rule]) -> None:
    locations = build_locations(some)
    reach = LoadedPeople.of(locations).count(filter_of(wanted), options_at(NOW))
    assert len(reach.counted) == len(wanted)
    people = locations.people["external_id"].tolist()
    found = {people[each] for each in reach.same_stay}, {people[each] for each in reach.only_separately}
    assert found == evaluate(some, wanted)


def test_time_and_place_count_for_the_same_stay_and_other_matches_are_apart() -> None:
    """Ana is in one country now and in the other later: the service matches her, but she is not there now."""
    first, second = sorted(PLACES)[:2]
    country = str(PLACES[second].address["country"])
    later = NOW + timedelta(days=2)
    some = [
        Row("E1", "T1", first, "Stay", NOW - timedelta(hours=1), NOW + timedelta(hours=1)),
        Row("E1", "T1", second, "Stay", later, later + timedelta(hours=3)),
        Row("E2", "T2", second, "Stay", NOW - timedelta(hours=1), None),
    ]
    draft = filter_of([(EXPECTED, "BETWEEN", "NOW"), (COUNTRY, "E", country), ("groups|SYSTEM_ARRAY|", "IN", "310")])
    reach = LoadedPeople.of(build_locations(some)).count(draft, options_at(NOW))
    assert (reach.same_stay.tolist(), reach.only_separately.tolist()) == ([1], [0])
    assert reach.uncounted == ((3, "the loaded trips do not have this data"),)
    assert uncounted_note(reach, draft).startswith("Rule 3 (")
    assert separate_note(reach, build_locations(some)).startswith(
        "1 more person matches the rules, but only across different stays."
    )


def test_rules_that_are_not_counted_for_the_same_reason_share_a_sentence() -> None:
    """Their numbers are those of the rule builder."""
    some = [Row("E1", "T1", sorted(PLACES)[0], "Stay", NOW, None)]
    groups = "groups|SYSTEM_ARRAY|"
    draft = filter_of([(groups, "IN", "310"), (EXPECTED, "BETWEEN", "NOW"), (groups, "NIN", "311")])
    note = uncounted_note(LoadedPeople.of(build_locations(some)).count(draft, options_at(NOW)), draft)
    assert note.startswith("Rules 1 (")
    assert ") and 3 (" in note
    assert note.endswith(
        ") are not counted, because the loaded trips do not have this data. The filter may reach fewer people."
    )


def test_if_no_one_matches_the_headline_says_of_how_many() -> None:
    """One person is no group of which none could match."""
    some = [Row(person, "T1", sorted(PLACES)[0], "Stay", NOW, None) for person in ("E1", "E2")]
    draft = filter_of([(EXTERNAL_ID, "E", "E9")])
    for rows_of, text in (
        (some, "**None** of the 2 people on the roster “Kenya” match now."),
        (some[:1], "**No one** on the roster “Kenya” matches now."),
    ):
        locations = build_locations(rows_of)
        reach = LoadedPeople.of(locations).count(draft, options_at(NOW))
        assert headline(reach, locations, "the roster “Kenya”") == text


def test_without_a_rule_that_can_be_counted_no_one_is_counted() -> None:
    """Everyone would be wrong, and so would be no mention of the rule."""
    some = [Row("E1", "T1", sorted(PLACES)[0], "Stay", NOW, None)]
    reach = LoadedPeople.of(build_locations(some)).count(filter_of([("suffix|SYSTEM|", "E", "PhD")]), options_at(NOW))
    assert (reach.total, len(reach.same_stay), reach.counted) == (1, 0, ())
