"""Draws the row of filters, every one of them in the address: roster, time, kinds, countries, words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

import streamlit as st

from client.vocabulary.itineraries import SEGMENT_TYPES
from components.expected_locations import state
from components.expected_locations.filters import Filters
from components.expected_locations.time_choice import (
    CLOCKS,
    MODES,
    TimeChoice,
    days_offered,
    next_full_hour,
    wall_clock_of,
)
from components.geography.countries import all_countries
from journal import Roster

_BOUND: Final = "query-params"


@dataclass(frozen=True)
class Asked:
    """What the person looking asked for."""

    roster: Roster
    time: TimeChoice
    filters: Filters


def draw_controls(rosters: Sequence[Roster]) -> Asked:
    """Draw the filters and return what they say; `rosters` has at least one."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="expected-filters"):
        named = {roster.name: roster for roster in rosters}
        name = st.selectbox("Roster", list(named), key=state.ROSTER.widget_key, bind=_BOUND, width=190)
        time = _draw_time()
        kinds = st.pills(
            "Kind of segment",
            SEGMENT_TYPES,
            selection_mode="multi",
            key=state.KINDS.widget_key,
            bind=_BOUND,
            width="content",
        )
        countries = all_countries()
        codes = {label: code for code, label in countries.items()}
        chosen = st.multiselect(
            "Country",
            list(codes),
            key=state.COUNTRIES.widget_key,
            bind=_BOUND,
            placeholder="All countries",
            select_all=False,
            width=160,
        )
        text = st.text_input(
            "Find",
            key=state.TEXT.widget_key,
            bind=_BOUND,
            placeholder="Name, locator, place…",
            icon=":material/search:",
            width=190,
        )
        filters = Filters(frozenset(kinds), frozenset(codes[each] for each in chosen), text or "")
        if filters.are_set:
            draw_clear_filters("expected-clear")
    return Asked(named[name], time, filters)


def draw_clear_filters(key: str) -> None:
    """Draw the button that takes kinds, countries and words back; roster and time stay."""
    st.button("Clear filters", icon=":material/filter_alt_off:", key=key, on_click=_clear_filters)


def _draw_time() -> TimeChoice:
    mode = st.segmented_control(
        "When",
        MODES,
        default=MODES[0],
        required=True,
        key=state.MODE.widget_key,
        bind=_BOUND,
        width="content",
    )
    now = datetime.now(UTC)
    day = at = None
    if mode == "Day":
        first, last = _days(now.date())
        day = st.slider(
            "Day",
            min_value=first,
            max_value=last,
            value=min(max(now.date(), first), last),
            format="ddd D MMM",
            key=state.DAY.widget_key,
            bind=_BOUND,
            width=300,
        )
    elif mode == "Moment":
        at = _draw_moment(now)
    if mode != "Moment":
        st.query_params.pop(state.AT.name, None)
    clock = "UTC"
    if mode in ("Day", "Moment"):
        clock = (
            st.segmented_control(
                "Clock",
                list(CLOCKS),
                default=clock,
                required=True,
                key=state.CLOCK.widget_key,
                bind=_BOUND,
                help="Place-local: the same wall clock at every place, wherever it is.",
                width="content",
            )
            or clock
        )
    return TimeChoice(mode or MODES[0], day, at, CLOCKS[clock])


def _days(today: date) -> tuple[date, date]:
    """The slider's ends; they stay the same for a session, since a slider with other ends forgets its day."""
    days = state.DAYS.get()
    if days is None:
        days = days_offered(today, st.query_params.get(state.DAY.name))
        state.DAYS.set(days)
    return days


def _draw_moment(now: datetime) -> datetime | None:
    """Draw the date and time; it starts as the address says, else at the next full hour, and the address follows it.

    It is not bound like the others: a bound widget that starts with a value it was given leaves the address alone.
    """
    if state.AT.name not in st.session_state:
        state.AT.set(wall_clock_of(st.query_params.get(state.AT.name)) or next_full_hour(now))
    at = st.datetime_input("Date and time", step=900, key=state.AT.widget_key, persist_state="page", width=210)
    written = at.isoformat(timespec="minutes") if at is not None else ""
    if st.query_params.get(state.AT.name) != written:
        st.query_params[state.AT.name] = written
    return at


def _clear_filters() -> None:
    state.KINDS.set([])
    state.COUNTRIES.set([])
    state.TEXT.set("")
