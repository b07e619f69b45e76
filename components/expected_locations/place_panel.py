"""Draws the map with the places, the places picked beside it, and under it the people: at them, at all, and at none."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import pandas as pd
import streamlit as st

from components.expected_locations.controls import PLACES
from components.maps.map_view import picked_on, place_map
from components.record_list.record_table import record_table
from components.shell.address import link_to
from components.shell.state import StateKey
from domain.expected_locations import expected_words
from domain.expected_locations.at_moment import IN_TRANSIT
from domain.expected_locations.expected_words import (
    SHOWN_COLUMNS,
    USUAL_COLUMNS,
    distinct_people,
    statuses_in_words,
    when_words,
)
from domain.expected_locations.location_frame import known_as
from domain.expected_locations.roster_view import View, with_coordinates, without_coordinates
from domain.runtime.screens import TRIP
from domain.tables.table_pages import numbers
from domain.text.plain_text import count, names, plain
from domain.text.time_text import at_place

_PICKED_ON_MAP: Final = StateKey[list[str]]("expected.picked_on_map", list)
_MAP_ROUND: Final = StateKey[int]("expected.map_round", int)
MAP_HEIGHT: Final = 540
_MAP_WIDTH: Final = 660
_PEOPLE_SHOWN: Final = 6
_PLACES_SHOWN: Final = 3
_BUSIEST_SHOWN: Final = 10

_COLUMNS: Final = StateKey[list[str]]("expected.columns", list)


def draw_map_and_places(view: View, *, is_whole: bool) -> list[str]:
    """Draw the map and the selected places beside it; return the ids of the selected places that the roster knows.

    Only where `is_whole`, all trips of the roster having been read, is it said that nobody is at a place.
    """
    labels = dict(zip(view.locations.places["place_id"], view.locations.places["label"], strict=True))
    if is_whole:
        PLACES.set([known_as(each, list(labels)) for each in PLACES.get()])
    left, right = st.columns([2.2, 1], gap="medium")
    with left:
        if view.places.empty:
            st.info(expected_words.only_in_transit(view), icon=":material/flight:")
        else:
            _draw_map(view)
    with right:
        picked = _draw_picker(view, labels)
        if is_whole:
            _draw_unknown([each for each in PLACES.get() if each not in labels])
        if picked:
            _draw_picked(view, picked, is_whole=is_whole)
        elif view.places.empty:
            _draw_busiest(view.destinations(), "Where most people will arrive")
        else:
            _draw_busiest(view.places, "Places with most people")
    return picked


def _draw_map(view: View) -> None:
    # Only a new map forgets a selection that was taken back elsewhere.
    if set(picked_on(_map_key())) - set(PLACES.get()):
        _MAP_ROUND.set(_MAP_ROUND.get() + 1)
    if _map_key() not in st.session_state:
        _PICKED_ON_MAP.set([])
    place_map(
        with_coordinates(view.places),
        key=_map_key(),
        height=MAP_HEIGHT,
        width=_MAP_WIDTH,
        selected=PLACES.get(),
        on_select=_picked_on_map,
    )
    lost = without_coordinates(view.places)
    if not lost.empty:
        words = f"{count(len(lost), 'place', 'places')} without coordinates, not on the map"
        folded = st.popover(
            words, icon=":material/location_off:", type="tertiary", key="expected-not-on-the-map", on_change="rerun"
        )
        if folded.open:
            with folded:
                record_table(
                    lost,
                    {"label": "Place", "people": numbers("People"), "locations": numbers("Locations")},
                    "expected-without-coordinates",
                    selection=None,
                    noun=("place", "places"),
                )


def _map_key() -> str:
    return f"expected-map-{_MAP_ROUND.get()}"


def with_map(picks: Sequence[str], before: Sequence[str], now: Sequence[str]) -> list[str]:
    """The picks after the map's own went from `before` to `now`: what it gained is in, what it lost is out."""
    lost = set(before) - set(now)
    gained = [each for each in now if each not in before]
    return list(dict.fromkeys([*(each for each in picks if each not in lost), *gained]))


def _picked_on_map() -> None:
    now = picked_on(_map_key())
    PLACES.set(with_map(PLACES.get(), _PICKED_ON_MAP.get(), now))
    _PICKED_ON_MAP.set(now)


def _draw_picker(view: View, labels: Mapping[str, str]) -> list[str]:
    chosen = st.multiselect(
        "Places",
        # A filter never loses a pick.
        list(dict.fromkeys([*view.places["place_id"], *view.destinations()["place_id"], *PLACES.get()])),
        format_func=lambda place_id: labels.get(place_id, place_id),
        key=PLACES.widget_key,
        placeholder="Select places",
        select_all=False,
    )
    return [place_id for place_id in chosen if place_id in labels]


def _draw_unknown(place_ids: Sequence[str]) -> None:
    """Say which selected places this roster knows nothing of, as after a link to another roster's or an older _"""
    if not place_ids:
        return
    st.warning(
        f"No one in this roster is ever expected at {plain(names(list(place_ids)))}. The link may be for another "
        "roster, or the trips have changed.",
        icon=":material/search_off:",
    )
    st.button("Clear unknown places", key="expected-let-go", on_click=_let_go, args=(tuple(place_ids),))


def _let_go(place_ids: Sequence[str]) -> None:
    PLACES.set([each for each in PLACES.get() if each not in place_ids])


def _draw_busiest(places: pd.DataFrame, title: str) -> None:
    st.markdown(f"**{title}**")
    with st.container(gap=None, key="expected-busiest"):
        for place in places.head(_BUSIEST_SHOWN).itertuples():
            st.button(
                f"**{place.people:,}** · {plain(str(place.label))}",
                key=f"expected-busiest-{place.place_id}",
                type="tertiary",
                wrap=False,
                on_click=_pick,
                args=(str(place.place_id),),
            )


def _pick(place_id: str) -> None:
    PLACES.set([place_id])


def _draw_picked(view: View, picked: list[str], *, is_whole: bool) -> None:
    now = datetime.now(UTC)
    with st.container(height=MAP_HEIGHT - 90, border=True, key="expected-picked"):
        for place_id in picked[:_PLACES_SHOWN]:
            _draw_place(view, place_id, now, is_whole=is_whole)
        if len(picked) > _PLACES_SHOWN:
            st.caption(f"{count(len(picked) - _PLACES_SHOWN, 'more place', 'more places')} in the table below.")


def _draw_place(view: View, place_id: str, now: datetime, *, is_whole: bool) -> None:
    known = view.locations.places
    place = known[known["place_id"] == place_id].iloc[0]
    people = view.people_at([place_id])
    zone = place["zone"] if isinstance(place["zone"], str) else None
    there = distinct_people(people[people["status"] != IN_TRANSIT])
    st.markdown(f"**{plain(str(place['label']))} · {count(there, 'person', 'people')}**")
    lines = [str(place["address"]), f"Now {at_place(now, zone, now=now)}", statuses_in_words(people)]
    st.caption("  \n".join(plain(line) for line in lines if line))
    if people.empty:
        who = "No one" if is_whole else "No one in the trips that were read"
        st.markdown(f"{who} is expected at this place at that time.")
        return
    for row in people.head(_PEOPLE_SHOWN).to_dict("records"):
        _draw_person(row, now)
    if len(people) > _PEOPLE_SHOWN:
        st.caption(f"{len(people) - _PEOPLE_SHOWN:,} more in the table below.")


def _draw_person(row: Mapping[Hashable, Any], now: datetime) -> None:
    with st.container(gap=None):
        link_to(
            TRIP,
            f"{plain(str(row['name']))} · {plain(str(row['locator']))}",
            icon=":material/person:",
            locator=str(row["locator"]),
            id=str(row["itinerary"]),
        )
        st.caption(plain(when_words(row, now)))


def draw_people(view: View, places: Sequence[str], roster_name: str) -> None:
    """Draw who is at or in transit to the selected places, or all places where none is, with downloads."""
    now = datetime.now(UTC)
    table = view.people_at(list(places) or None)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.subheader(expected_words.heading(table, len(places)), anchor=False, width="content")
        columns = _draw_columns()
    picked = record_table(
        table,
        {name: SHOWN_COLUMNS[name] for name in columns},
        "expected",
        id_column=("person", "itinerary", "place_id", "locator", "origin"),
        shown=lambda page: expected_words.shown(page, now),
        by="name",
        in_address=True,
        file=expected_words.file_of,
        stem=expected_words.stem(roster_name, now),
    )
    _draw_ways_to_trips(picked.rows)
    st.caption(expected_words.STATUS_HELP)


def draw_not_covered(view: View, roster_name: str) -> None:
    """Draw who is on a trip but neither at a place nor in transit, folded away until asked for; nothing for nobody."""
    if not view.not_covered_count:
        return
    folded = st.expander(
        # Without their number, which changes while somebody reads: with another label it would fold by itself.
        "Not covered: on a trip, neither at a place nor in transit",
        icon=":material/person_alert:",
        key="expected-not-covered",
        on_change="rerun",
    )
    if not folded.open:
        return
    now = datetime.now(UTC)
    with folded:
        st.caption(
            f"{view.not_covered_count:,} of {expected_words.travelers(view)}. Filters find them by where they were "
            "expected last and will be expected next. The status filter leaves them in."
        )
        table = view.not_covered()
        picked = record_table(
            table,
            expected_words.NOT_COVERED,
            "expected-not-covered-people",
            id_column=("external_id", "name", "locator"),
            noun=("person", "people"),
            by="name",
            file=lambda ordered: ordered,
            stem=expected_words.stem(roster_name, now).replace("expected-", "not-covered-", 1),
        )
        _draw_ways_to_trips(picked.rows)


def _draw_ways_to_trips(rows: pd.DataFrame) -> None:
    for row in rows.itertuples():
        link_to(
            TRIP,
            f"Open {plain(str(row.locator))}, the trip of {plain(str(row.name))}",
            locator=str(row.locator),
            id=str(row.itinerary),
        )


def _draw_columns() -> list[str]:
    with st.popover("Columns", icon=":material/view_column:"):
        chosen = st.pills(
            "Columns shown",
            list(SHOWN_COLUMNS),
            default=list(USUAL_COLUMNS),
            selection_mode="multi",
            format_func=lambda name: SHOWN_COLUMNS[name].label,
            key=_COLUMNS.widget_key,
            persist_state="session",
        )
    return [name for name in SHOWN_COLUMNS if name in chosen] or ["name"]
