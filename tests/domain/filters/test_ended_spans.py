"""Time spans that have ended are found and moved by whole weeks, on the clocks of the zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from domain.filters import rule_steps
from domain.filters.ended_spans import ended_uids, has_ended, move_label, move_to_this_week
from domain.filters.filter_draft import FilterDraft
from domain.filters.values import local_moment, milliseconds_of, span_of

BERLIN = "Europe/Berlin"
NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
"""A Saturday."""


def expected_between(
    begin: str, end: str, zone: str = BERLIN, key: str = "expectedDate|SYSTEM_EXPECTED_OBJECT|"
) -> FilterDraft:
    """Return a filter with one rule between two times."""
    draft = rule_steps.add_rule(FilterDraft(), key)
    uid = draft.rules[0].uid
    if "EXPECTED" in key:
        draft = rule_steps.set_value(draft, uid, "value", "BETWEEN", zone)
    draft = rule_steps.set_value(draft, uid, "from", begin, zone)
    return rule_steps.set_value(draft, uid, "until", end, zone)


def moved(draft: FilterDraft, now: datetime = NOW) -> list[str]:
    """Return the beginning and the end after the move, as local times."""
    after = move_to_this_week(draft, ended_uids(draft, now), now, BERLIN)
    return [f"{local_moment(each, BERLIN):%a %d %b %H:%M}" for each in span_of(after.rules[0].payload)]


def test_a_week_becomes_this_week_also_across_a_change_of_clocks() -> None:
    draft = expected_between("2026-10-19", "2026-10-25")
    assert move_label(draft, ended_uids(draft, NOW), NOW, BERLIN) == "Move to this week"
    assert moved(draft) == ["Mon 23 Nov 00:00", "Sun 29 Nov 23:59"]
    assert moved(expected_between("2026-10-16 09:30", "2026-10-18 18:00")) == ["Fri 27 Nov 09:30", "Sun 29 Nov 18:00"]


def test_days_of_this_week_that_are_over_are_those_of_the_next() -> None:
    draft = expected_between("2026-11-17", "2026-11-18")
    assert move_label(draft, ended_uids(draft, NOW), NOW, BERLIN) == "Move to next week"
    assert moved(draft) == ["Tue 01 Dec 00:00", "Wed 02 Dec 23:59"]


def test_only_times_of_stays_and_shifts_end() -> None:
    """A filter on records that were created last year is meant so, and a span that goes on has not ended."""
    created = expected_between("2025-01-01", "2025-02-01", key="createdDate|SYSTEM|")
    assert ended_uids(created, NOW) == []
    assert ended_uids(expected_between("2026-11-01", "2026-11-28"), NOW) == []
    over = expected_between("2026-11-01", "2026-11-27")
    assert len(ended_uids(over, NOW)) == 1
    after = rule_steps.set_operator(over, over.rules[0].uid, "GTE")
    assert ended_uids(after, NOW) == [], "what comes after it is not over"
    assert ended_uids(rule_steps.mute(over, over.rules[0].uid), NOW) == []


@given(
    st.integers(60 * 24 * 2, 60 * 24 * 1000),
    st.timedeltas(timedelta(minutes=1), timedelta(days=40)),
    st.integers(0, 60 * 24 * 400),
)
def test_a_moved_span_has_not_ended_and_keeps_weekday_time_and_length(
    minutes_ago: int, length: timedelta, later: int
) -> None:
    begin = NOW.replace(tzinfo=None) - timedelta(minutes=minutes_ago)
    end = (begin + length).replace(second=0, microsecond=0)
    draft = expected_between(f"{begin:%Y-%m-%d %H:%M}", f"{end:%Y-%m-%d %H:%M}")
    if draft.rules[0].typed:
        return  # The hour does not exist.
    now = NOW + timedelta(minutes=later)
    if not has_ended(draft.rules[0].payload, now):
        return
    after = move_to_this_week(draft, ended_uids(draft, now), now, BERLIN)
    if after.rules[0].typed:
        return
    was = [local_moment(each, BERLIN) for each in span_of(draft.rules[0].payload)]
    became = [local_moment(each, BERLIN) for each in span_of(after.rules[0].payload)]
    assert not has_ended(after.rules[0].payload, now)
    days = set()
    for old, new in zip(was, became, strict=True):
        assert old is not None
        assert new is not None
        days.add((new.replace(tzinfo=None) - old.replace(tzinfo=None)).total_seconds() / 86_400)
    assert len(days) == 1
    assert days.pop() % 7 == 0
    assert milliseconds_of(now) < span_of(after.rules[0].payload)[1]
    assert became[0] is not None
    assert became[0] < now.astimezone(ZoneInfo(BERLIN)) + timedelta(days=14)
