"""Draws the row of filters, every one of them in the address: roster, time, status, kinds, countries, words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

import streamlit as st

from client.vocabulary.itineraries import SEGMENT_TYPES
from components.shell.address import (
    AddressField,
    choice_field,
    choices_field,
    day_field,
    in_address,
    moment_field,
    optional_field,
    text_field,
)
from components.shell.state import StateKey
from domain.expected_locations.at_moment import (
    CLOCKS,
    HOURS_AHEAD,
    MODES,
    TimeChoice,
    days_offered,
    next_full_hour,
)
from domain.expected_locations.expected_words import STATUS_WORDS
from domain.expected_locations.roster_choice import ALL, RosterChoice, choices, opening_choice
from domain.expected_locations.roster_view import Filters
from domain.geography.countries import all_countries, country_choice, country_code
from domain.runtime.workspace import Workspace
from domain.text.plain_text import plain, quoted_id
from journal import Roster

# The id of a roster, under the name that the screen of rosters uses too; or ALL.
ROSTER: Final = optional_field("roster")
MODE: Final = choice_field("expected_time", MODES, MODES[0])
DAY: Final = day_field("expected_day")
AT: Final = moment_field("expected_at")
CLOCK: Final = choice_field("expected_clock", CLOCKS, "UTC")
HOURS: Final = choice_field("expected_hours", [str(hours) for hours in HOURS_AHEAD], "6")
STATUS: Final = choices_field("expected_status", STATUS_WORDS)
KINDS: Final = choices_field("expected_kind", SEGMENT_TYPES)
COUNTRIES: Final = AddressField[list[str]]("expected_country", list, lambda given: _countries_in(given), list)
TEXT: Final = text_field("expected_find")
# Ids of places: their labels depend on which others are known.
PLACES: Final = choices_field("expected_place")
ASKED: Final = (ROSTER, MODE, HOURS, DAY, AT, CLOCK, STATUS, KINDS, COUNTRIES, TEXT, PLACES)
_REMEMBERED: Final = StateKey[str | None]("expected.remembered_roster", lambda: None)
"""What is stored as the person's last choice, as far as this session knows."""
_DAYS: Final = StateKey[tuple[date, date] | None]("expected.days", lambda: None)


@dataclass(frozen=True)
class Asked:
    """What the person looking asked for; `roster` is None where the address names one that does not exist."""

    roster: RosterChoice | None
    time: TimeChoice
    filters: Filters


def draw_controls(workspace: Workspace, rosters: Sequence[Roster]) -> Asked:
    """Draw the filters and return what they say; `rosters` has at least one."""
    with in_address(*ASKED), st.container(horizontal=True, vertical_alignment="bottom", key="expected-filters"):
        roster = _draw_roster(workspace, rosters)
        time = _draw_time()
        statuses = st.multiselect(
            "Status",
            list(STATUS_WORDS),
            format_func=STATUS_WORDS.__getitem__,
            key=STATUS.widget_key,
            placeholder="All statuses",
            select_all=False,
            width=185,
        )
        kinds = st.pills("Segment type", SEGMENT_TYPES, selection_mode="multi", key=KINDS.widget_key, width="content")
        codes = {label: code for code, label in all_countries().items()}
        chosen = st.multiselect(
            "Country",
            list(codes),
            format_func=lambda name: country_choice(codes[name]),
            key=COUNTRIES.widget_key,
            placeholder="All countries",
            select_all=False,
            width=185,
        )
        text = st.text_input(
            "Find",
            key=TEXT.widget_key,
            placeholder="Name, locator, place…",
            icon=":material/search:",
            width=190,
        )
        filters = Filters(frozenset(kinds), frozenset(codes[each] for each in chosen), text or "", frozenset(statuses))
        if filters.are_set:
            draw_clear_filters("expected-clear")
    return Asked(roster, time, filters)


def draw_unknown_roster() -> None:
    """Say that the address names a roster that is not here, in place of another one's people."""
    roster = quoted_id(ROSTER.get() or "")
    st.warning(
        f"**There is no roster {plain(roster)}.** The roster may have been deleted, or may belong to another "
        "organization. Select another roster above.",
        icon=":material/search_off:",
    )


def draw_clear_filters(key: str) -> None:
    """Draw the button that takes status, kinds, countries and words back; roster and time stay."""
    st.button("Clear filters", icon=":material/filter_alt_off:", key=key, on_click=_clear_filters)


def _countries_in(texts: Sequence[str]) -> list[str]:
    """The English names of the countries that a link gives, by any name or code."""
    codes = dict.fromkeys(map(country_code, texts))
    return [name for code in codes if code and (name := all_countries().get(code))]


def _draw_roster(workspace: Workspace, rosters: Sequence[Roster]) -> RosterChoice | None:
    offered, asked, kept = choices(rosters), ROSTER.get(), workspace.journal.rosters
    # A link to all rosters holds where only one is left.
    if asked is None or (asked == ALL and asked not in offered):
        asked = opening_choice(rosters, kept.last_choice(workspace.actor))
        ROSTER.set(asked)
        # Who was given the default, and chose nothing, goes along where another roster becomes the default.
        _REMEMBERED.set(asked if asked in {str(roster.id) for roster in rosters if roster.is_default} else None)
    chosen = st.selectbox(
        "Roster",
        [*([] if asked in offered else [asked]), *offered],
        format_func=lambda each: offered[each].name if each in offered else f"Roster {each}",
        key=ROSTER.widget_key,
        width=190,
    )
    if chosen in offered and chosen != _REMEMBERED.get():
        kept.remember_choice(workspace.actor, chosen)
        _REMEMBERED.set(chosen)
    return offered.get(chosen)


def _draw_time() -> TimeChoice:
    mode = st.segmented_control("When", MODES, required=True, key=MODE.widget_key, width="content") or MODES[0]
    now = datetime.now(UTC)
    day = at = None
    hours = HOURS.get()
    if mode == "Next hours":
        hours = st.segmented_control("Hours", list(map(str, HOURS_AHEAD)), required=True, key=HOURS.widget_key) or hours
    if mode == "Day":
        day = _draw_day(now.date())
    else:
        DAY.set(None)
    if mode == "Moment":
        if AT.get() is None:
            AT.set(next_full_hour(now))
        at = st.datetime_input("Date and time", step=900, key=AT.widget_key, width=210)
    else:
        AT.set(None)
    clock = "UTC"
    if mode in ("Day", "Moment"):
        clock = (
            st.segmented_control(
                "Clock",
                list(CLOCKS),
                required=True,
                key=CLOCK.widget_key,
                help="Place-local: the same wall clock at every place, wherever it is.",
                width="content",
            )
            or clock
        )
    return TimeChoice(mode, day, at, CLOCKS[clock], int(hours))


def _draw_day(today: date) -> date:
    """Draw the slider of days; its ends move only for a day beyond them, since with other ends it forgets its day."""
    wanted = DAY.get() or today
    days = _DAYS.get()
    if days is None or not days[0] <= min(wanted, today) <= max(wanted, today) <= days[1]:
        days = days_offered(today, wanted)
        _DAYS.set(days)
        DAY.set(min(max(wanted, days[0]), days[1]))
    elif DAY.get() is None:
        DAY.set(wanted)
    return st.slider("Day", *days, format="ddd D MMM", key=DAY.widget_key, width=300)


def _clear_filters() -> None:
    STATUS.set([])
    KINDS.set([])
    COUNTRIES.set([])
    TEXT.set("")
