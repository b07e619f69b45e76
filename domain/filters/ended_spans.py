"""Rules whose time span has ended: the service stores fixed moments, so that “this week” stays the week it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from client.vocabulary.contact_filters import PATTERN_BETWEEN
from domain.filters import columns
from domain.filters.filter_draft import FilterDraft
from domain.filters.rule_steps import set_value
from domain.filters.values import format_moment, local_moment, milliseconds_of, moment_text, read_moment, span_of
from domain.text.plain_text import count

FIXED_MOMENTS_NOTE = "The service stores fixed times. “Today” and “this week” do not advance automatically."


def end_of_span(payload: Mapping[str, Any]) -> int | None:
    """Return when the time of a rule about expected locations or shifts ends, in epoch milliseconds; None for others.

    Dates of the record, such as when it was created, are in the past on purpose.
    """
    is_between = columns.effective_operator(payload) == PATTERN_BETWEEN
    if not columns.is_pattern(columns.key_of_rule(payload)) or not is_between:
        return None
    until = span_of(payload)[1]
    return until if isinstance(until, int) and not isinstance(until, bool) else None


def has_ended(payload: Mapping[str, Any], now: datetime) -> bool:
    """Return whether the time of a rule is over."""
    until = end_of_span(payload)
    return until is not None and until < milliseconds_of(now)


def latest_end(rules: Sequence[Mapping[str, Any]], now: datetime) -> int | None:
    """Return the latest end among the time spans that are over; None if there is none."""
    return max(
        (until for rule in rules if has_ended(rule, now) and (until := end_of_span(rule)) is not None), default=None
    )


def ended_note(payload: Mapping[str, Any], zone: str) -> str:
    """Say that the time span of a rule has ended."""
    return f"This time span ended: {format_moment(end_of_span(payload), zone)}. Only past times can match."


def move_label(draft: FilterDraft, uids: Sequence[str], now: datetime, zone: str) -> str:
    """Return the label of the button that moves these rules: to this week, or to the next if its days are over."""
    moved = [_moved_span(rule.payload, now, zone) for rule in draft.rules if rule.uid in uids]
    week = max(_monday(local_moment(begin, zone) or now) for begin, _ in moved)
    where = "Move to this week" if week <= _monday(_local(now, zone)) else "Move to next week"
    return where if len(draft.rules) == 1 or len(uids) == 1 else f"{where} ({count(len(uids), 'rule', 'rules')})"


def move_to_this_week(draft: FilterDraft, uids: Sequence[str], now: datetime, zone: str) -> FilterDraft:
    """Move the time spans of these rules by whole weeks so that they begin this week, or next week if they would be
    over.

    Weekdays, times of day, and lengths stay as they are on the clocks of the zone.
    """
    for rule in draft.rules:
        if rule.uid in uids:
            for slot, moment in zip(("from", "until"), _moved_span(rule.payload, now, zone), strict=True):
                draft = set_value(draft, rule.uid, slot, moment_text(moment, zone), zone)
    return draft


def ended_uids(draft: FilterDraft, now: datetime) -> list[str]:
    """Return the uids of the rules that are sent and whose time span has ended."""
    return [rule.uid for rule in draft.active_rules if not rule.typed and has_ended(rule.payload, now)]


def _moved_span(payload: Mapping[str, Any], now: datetime, zone: str) -> tuple[Any, Any]:
    begin, end = span_of(payload)
    anchor = local_moment(begin if begin is not None else end, zone)
    if anchor is None:
        return begin, end
    weeks = (_monday(_local(now, zone)) - _monday(anchor)).days // 7
    moved = _shifted(begin, weeks, zone), _shifted(end, weeks, zone)
    if isinstance(moved[1], int) and moved[1] < milliseconds_of(now):
        return _shifted(begin, weeks + 1, zone), _shifted(end, weeks + 1, zone)
    return moved


def _shifted(moment: Any, weeks: int, zone: str) -> Any:
    local = local_moment(moment, zone)
    if local is None:
        return moment
    day, _, clock = moment_text(moment, zone).partition(" ")
    later = datetime.fromisoformat(day).date() + timedelta(weeks=weeks)
    return read_moment(f"{later.isoformat()} {clock}", zone).value


def _local(now: datetime, zone: str) -> datetime:
    return local_moment(milliseconds_of(now), zone) or now


def _monday(moment: datetime) -> Any:
    day = moment.date()
    return day - timedelta(days=day.weekday())
