"""Draws the controls of the map, each field in the address: rosters, time, and filters behind one button."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import streamlit as st
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from client.vocabulary.itineraries import SEGMENT_TYPES
from components.shell.address import (
    AddressField,
    choice_field,
    choices_field,
    flag_field,
    moment_field,
    optional_field,
    query,
    text_field,
)
from components.shell.state import StateKey
from components.widgets.browser_zone import browser_zone
from domain.expected_locations.at_moment import Stretch, to_the_minute
from domain.expected_locations.country_counts import count_countries
from domain.expected_locations.expected_words import STATUSES
from domain.expected_locations.location_frame import Locations
from domain.expected_locations.movements import DIRECTIONS, HOURS, Direction
from domain.expected_locations.roster_choice import (
    RosterChoice,
    after_selection,
    chosen_rosters,
    offered_rosters,
    opening_choice,
)
from domain.expected_locations.roster_view import Filters, View, look
from domain.expected_locations.time_choice import CLOCKS, MODES, TimeChoice, current_query
from domain.geography.countries import all_countries, country_choice, country_code
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, names, plain, quoted_id
from domain.text.text_limits import MAX_LINE
from journal import Roster

# IDs of rosters, under the name that the screen of rosters uses too; or ALL.
ROSTERS_SHOWN: Final = choices_field("roster")
MODE: Final = choice_field("expected_time", MODES, MODES[0])
AT: Final = moment_field("expected_at")
CLOCK: Final = choice_field("expected_clock", CLOCKS, "UTC")
STATUS: Final = choices_field("expected_status", STATUSES)
KINDS: Final = choices_field("expected_kind", SEGMENT_TYPES)
COUNTRIES: Final = AddressField[list[str]]("expected_country", list, lambda given: _countries_in(given), list)
TEXT: Final = text_field("expected_find")
# IDs of places: their labels depend on which others are known.
PLACES: Final = choices_field("expected_place")
PERSON: Final = optional_field("expected_person")
DUE: Final = choice_field("expected_due", ("Present", *DIRECTIONS), "Present")
"""Whether the selected places list who is there now, who arrives, or who leaves."""
WITHIN: Final = choice_field("expected_within", [f"{hours} h" for hours in HOURS], f"{HOURS[0]} h")
SHOWN: Final = optional_field("expected_show")
"""The figure whose people the table lists; None for everyone at a place or in transit."""
REFRESHES: Final = flag_field("expected_refresh", default=True)
FILTERS: Final = (STATUS, KINDS, COUNTRIES, TEXT)
ADDRESS: Final = (ROSTERS_SHOWN, MODE, AT, CLOCK, *FILTERS, PLACES, PERSON, DUE, WITHIN, SHOWN, REFRESHES)
_SELECTED_ROSTERS: Final = StateKey[list[str]]("expected.selected_rosters", list)
"""The selection of rosters in the last run."""
_REMEMBERED: Final = StateKey[str | None]("expected.remembered_roster", lambda: None)
"""What is stored as the person's last choice, as far as this session knows."""


def follow_saved_link() -> None:
    """Put the times that the map has now into the address of a link from before."""
    requested = query()
    current = current_query(requested, datetime.now(UTC).date())
    if current != requested:
        st.query_params.from_dict(current)


def draw_rosters(workspace: Workspace, rosters: Sequence[Roster], button: PopoverContainer) -> RosterChoice | None:
    """Draw the rosters behind the open button; return those selected, or None if the address names no known one.

    A person who selects nothing gets the rosters they had last.
    """
    offered, stored = offered_rosters(rosters), workspace.journal.rosters
    selection = after_selection(_SELECTED_ROSTERS.get(), ROSTERS_SHOWN.get())
    # A link to all rosters is still good if only one is left.
    if not set(selection) - {"all"} and not set(selection) & set(offered):
        selection = opening_choice(rosters, stored.last_choice(workspace.actor))
        # Whoever was given the default and chose nothing follows it to another roster.
        defaults = {str(roster.id) for roster in rosters if roster.is_default}
        _REMEMBERED.set(",".join(selection) if set(selection) <= defaults else None)
    if selection != ROSTERS_SHOWN.get():
        ROSTERS_SHOWN.set(selection)
    _SELECTED_ROSTERS.set(selection)
    if button.open:
        button.multiselect(
            "Rosters",
            list(dict.fromkeys([*offered, *selection])),
            format_func=lambda each: offered.get(each, f"Roster {each}"),
            key=ROSTERS_SHOWN.widget_key,
            select_all=False,
        )
    chosen = chosen_rosters(selection, rosters)
    if chosen is not None and chosen.value != _REMEMBERED.get():
        stored.remember_choice(workspace.actor, chosen.value)
        _REMEMBERED.set(chosen.value)
    return chosen


def draw_unknown_rosters(rosters: Sequence[Roster]) -> None:
    """Say which rosters of the address do not exist, in place of another one's people."""
    unknown = [each for each in ROSTERS_SHOWN.get() if each not in offered_rosters(rosters)]
    if not unknown:
        return
    rosters_named = plain(names([quoted_id(each) for each in unknown], last="or"))
    st.warning(
        f"**There is no roster {rosters_named}.** The roster may have been deleted, or may belong to another "
        "organization. Select another roster above.",
        icon=":material/search_off:",
    )


def draw_time(now: datetime) -> TimeChoice:
    """Draw whether the map follows the clock, and at a moment its date and time; return the time chosen."""
    mode = (
        st.segmented_control(
            "When", MODES, required=True, key=MODE.widget_key, width="content", label_visibility="collapsed"
        )
        or MODES[0]
    )
    if mode != "Moment":
        AT.set(None)
        return TimeChoice()
    if AT.get() is None:
        AT.set(to_the_minute(now).replace(minute=0, tzinfo=None) + timedelta(hours=1))
    at = st.datetime_input("Date and time (UTC)", step=900, key=AT.widget_key, width=190, label_visibility="collapsed")
    st.caption("UTC", width="content")
    return TimeChoice("Moment", at)


def viewer_zone() -> str | None:
    """The time zone that times are shown in, beside UTC; None if the viewer wants UTC alone."""
    return browser_zone() if CLOCK.get() == "Local" else None


def popover_of(label: str, icon: str, key: str, *fields: StateKey[Any]) -> PopoverContainer:
    """Draw a button behind which the widgets of these fields are: to be drawn only while the result is `open`.

    While it is closed, the browser would go on to send what its widgets held last, whatever a link, a saved view or a
    button has set since. The label must not change, or the button closes.
    """
    popover = st.popover(label, icon=icon, key=key, on_change="rerun")
    if not popover.open:
        for field in fields:
            field.set(field.get())
    return popover


def draw_filters(locations: Locations, stretch: Stretch, button: PopoverContainer) -> Filters:
    """Draw the filters behind the open button, with the number of people in each country; return them."""
    if button.open:
        button.text_input(
            "Find",
            key=TEXT.widget_key,
            max_chars=MAX_LINE,
            placeholder="Name, record locator, place",
            icon=":material/search:",
        )
        button.multiselect(
            "Status",
            list(STATUSES),
            format_func=STATUSES.__getitem__,
            key=STATUS.widget_key,
            placeholder="All statuses",
            select_all=False,
        )
        button.pills("Segment type", SEGMENT_TYPES, selection_mode="multi", key=KINDS.widget_key)
    filters = Filters(frozenset(KINDS.get()), text=TEXT.get() or "", statuses=frozenset(STATUS.get()))
    if button.open:
        _draw_countries(look(locations, stretch, filters), button)
    codes = {name: code for code, name in all_countries().items()}
    return replace(filters, countries=frozenset(codes[each] for each in COUNTRIES.get()))


def _draw_countries(view: View, button: PopoverContainer) -> None:
    counts = count_countries(view)
    people = dict(zip(counts["country"], counts["people"], strict=True))
    known = all_countries()
    codes = {known[code]: code for code in people if code in known}
    codes |= {name: code for code, name in known.items() if name in COUNTRIES.get()}
    button.multiselect(
        "Country",
        list(codes),
        format_func=lambda name: f"{country_choice(codes[name])} · {people.get(codes[name], 0):,}",
        key=COUNTRIES.widget_key,
        placeholder="All countries with people",
        select_all=False,
    )


def draw_clock() -> None:
    """Draw the clock that times are shown in."""
    st.segmented_control(
        "Clock",
        list(CLOCKS),
        format_func=CLOCKS.__getitem__,
        required=True,
        key=CLOCK.widget_key,
        help="Browser time uses the time zone of your browser.",
    )


def draw_due() -> None:
    """Draw whether the selected places list who is there, arrives, or leaves, and within how many hours."""
    with st.container(horizontal=True, gap="small"):
        chosen = st.segmented_control(
            "List", ("Present", *DIRECTIONS), required=True, key=DUE.widget_key, label_visibility="collapsed"
        )
        if chosen == "Present":
            WITHIN.set(WITHIN.get())
        else:
            hours = [f"{each} h" for each in HOURS]
            st.segmented_control("Within", hours, required=True, key=WITHIN.widget_key, label_visibility="collapsed")


def due_movements() -> tuple[Direction, int] | None:
    """Return whether to list who arrives or who leaves, and within how many hours; None for who is there now."""
    direction = next((each for each in DIRECTIONS if each == DUE.get()), None)
    return None if direction is None else (direction, int(WITHIN.get().split()[0]))


def select_places(place_ids: list[str]) -> None:
    """Show places beside the map, in a callback."""
    PLACES.set(place_ids)
    PERSON.set(None)


def draw_clear_filters(key: str) -> None:
    """Draw the button that clears the filters, if any are set; rosters and time stay."""
    if number := sum(bool(field.get()) for field in FILTERS):
        label = f"Clear {count(number, 'filter', 'filters')}"
        st.button(label, icon=":material/filter_alt_off:", key=key, on_click=_clear_filters)


def _clear_filters() -> None:
    STATUS.set([])
    KINDS.set([])
    COUNTRIES.set([])
    TEXT.set("")


def _countries_in(texts: Sequence[str]) -> list[str]:
    """The English names of the countries that a link gives, by any name or code."""
    codes = dict.fromkeys(map(country_code, texts))
    return [name for code in codes if code and (name := all_countries().get(code))]
