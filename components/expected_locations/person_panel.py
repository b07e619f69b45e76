"""Draws a person beside the map: whereabouts now and next, people at the same place, the month, and the trips."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from components.expected_locations.controls import PERSON, select_places
from components.expected_locations.place_panel import PANEL_HEIGHT
from components.shell.address import link_to
from components.widgets.status_badge import status_markdown
from components.widgets.whereabout_lines import whereabout_lines
from domain.expected_locations.at_moment import IN_TRANSIT
from domain.expected_locations.expected_words import (
    STATUSES,
    distinct_people,
    trip_text,
    when_text,
)
from domain.expected_locations.month_calendar import days_of_month, main_places, month_legend, month_weeks
from domain.expected_locations.person_days import PersonDays, candidates, companions, person_days
from domain.expected_locations.roster_view import Filters, View, look
from domain.runtime.screens import TRIP
from domain.text.plain_text import count, plain
from domain.text.time_text import DAYS, MONTHS

_OTHERS_NAMED: Final = 3
_DAY_WIDTH: Final = 33
"""Pixels: seven fit beside the map."""


def draw_person(view: View, at: datetime, *, is_whole: bool) -> None:
    """Draw the selected person at a moment, whatever the filters of the view."""
    key = str(PERSON.get())
    first, days = days_of_month(at)
    locations = view.locations
    person = locations.memo.get(("person", key, at), partial(person_days, locations, key, first, at, days))
    with st.container(height=PANEL_HEIGHT, border=True, key="expected-person"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown(f"**{plain(person.name if person else key)}**", width="content")
            st.button("Close", icon=":material/close:", key="expected-close-person", on_click=PERSON.set, args=(None,))
        if person is None:
            where = "on the selected rosters" if is_whole else "on the loaded trips"
            st.warning(f"{plain(key)} is not {where}.", icon=":material/search_off:")
            return
        _draw_now_and_next(look(locations, view.stretch, Filters()), person)
        _draw_other_places(view, key, at)
        _draw_month(main_places(person.days), first, at.date())
        _draw_trips(person.trips, at)


def _draw_now_and_next(everyone: View, person: PersonDays) -> None:
    first, *following = whereabout_lines(person.now, person.next, datetime.now(UTC))
    st.markdown(first)
    if person.now is not None and person.now.place_id and person.now.status != IN_TRANSIT:
        _draw_companions(companions(everyone, person.person, person.now.place_id), person.now.place_id)
    for line in following:
        st.markdown(line)


def _draw_companions(others: pd.DataFrame, place_id: str) -> None:
    present = others[others["status"] != IN_TRANSIT]
    number = distinct_people(present)
    if not number:
        st.caption("No one else on the rosters is at this place.")
        return
    named = present["name"].drop_duplicates().head(_OTHERS_NAMED)
    more = [f"{number - len(named):,} more"] if number > len(named) else []
    st.caption("  \n".join(["Also at this place:", *map(plain, named), *more]))
    st.button(
        f"Show {count(number, 'other person', 'other people')}",
        icon=":material/group:",
        key="expected-show-companions",
        on_click=select_places,
        args=([place_id],),
    )


def _draw_other_places(view: View, person: str, at: datetime) -> None:
    others = st.expander("May also be at", key="expected-other-places", on_change="rerun")
    if not others.open:
        return
    with others:
        # The first is where the person most likely is.
        rows = candidates(view.locations, person, at).iloc[1:].to_dict("records")
        for row in rows:
            st.markdown(f"{status_markdown(STATUSES[str(row['status'])])} {plain(str(row['place']))}")
            st.caption(plain(when_text(row, datetime.now(UTC))))
        if not rows:
            st.caption("No other place is possible at this time.")


def _draw_month(places: Mapping[date, str], month: date, today: date) -> None:
    st.markdown(f"**{MONTHS[month.month - 1]} {month.year}**")
    with st.container(gap=None):
        for week in [[f":small[{day[:2]}]" for day in DAYS], *month_weeks(places, month, today)]:
            with st.container(horizontal=True, gap=None, wrap=False):
                for cell in week:
                    st.markdown(cell or "\u2002", width=_DAY_WIDTH, text_alignment="center")
    st.markdown("  \n".join(f":small[{line}]" for line in month_legend(places)))


def _draw_trips(trips: pd.DataFrame, at: datetime) -> None:
    for trip in trips.to_dict("records"):
        link_to(TRIP, trip_text(trip, at), locator=str(trip["locator"]), id=str(trip["itinerary"]))
