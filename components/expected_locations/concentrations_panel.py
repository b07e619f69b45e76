"""Draws the places with the most people, as bars, and the limit of people together that the organization sets."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import streamlit as st

from components.expected_locations.controls import COUNTRIES, select_places
from components.shell.notices import field_problem, show_success
from components.shell.state import StateKey
from domain.expected_locations.concentrations import GROUPINGS, Grouping, find_concentrations
from domain.expected_locations.expected_words import leg_times
from domain.expected_locations.roster_view import View
from domain.expected_locations.saved_view import HIGHEST_LIMIT, save_limit
from domain.runtime.workspace import Workspace
from domain.text.plain_text import plain
from journal import JournalError

_GROUPING: Final = StateKey[Grouping]("expected.grouping", lambda: GROUPINGS[0])
_GROUPS_SHOWN: Final = 10
_LIMIT: Final = StateKey[int | None]("expected.limit", lambda: None)
_LIMIT_PROBLEM: Final = StateKey[str]("expected.limit_problem", str)


def draw_concentrations(view: View, limit: int | None) -> None:
    """Draw the largest groups of people, by a kind of group that is selected; those over the limit are marked."""
    grouping = st.selectbox(
        "Places with the most people",
        GROUPINGS,
        key=_GROUPING.widget_key,
        format_func=lambda each: f"By {each.lower()}",
        persist_state="session",
    )
    groups = find_concentrations(view, grouping).head(_GROUPS_SHOWN)
    if groups.empty:
        st.caption(f"No {grouping.lower()} has more than 1 person at this time.")
        return
    largest = groups["people"].max()
    with st.container(gap="xxsmall", key="bars"):
        for number, group in enumerate(groups.to_dict("records")):
            # A style of static/muster.css makes the bar out of the key: of the largest group, in steps of 5%.
            share = max(1, round(20 * group["people"] / largest)) * 5
            with st.container(gap=None, key=f"bar-{number}-share-{share}"):
                _draw_group(number, group, limit, grouping)


def _draw_group(number: int, group: Mapping[Hashable, Any], limit: int | None, grouping: Grouping) -> None:
    is_country, label = grouping == "Country", str(group["label"])
    # A limit is of people who are together.
    is_over = limit is not None and group["people"] > limit and not is_country
    st.button(
        f"**{group['people']:,}** {plain(label)}",
        icon=":material/error:" if is_over else None,
        key=f"expected-busiest-{number}-{label}-{group['departs']}",
        type="tertiary",
        width="stretch",
        help=f"Over the limit of {limit:,}" if is_over else None,
        on_click=_show_country if is_country else select_places,
        args=(label if is_country else list(group["place_ids"]),),
    )
    if times := leg_times(group, datetime.now(UTC)):
        st.caption(plain(times))


def _show_country(name: str) -> None:
    COUNTRIES.set([name])
    _GROUPING.set("City")


def draw_limit(workspace: Workspace, limit: int | None) -> None:
    """Draw the field of the limit of people together, and the button that stores it for the organization."""
    st.number_input(
        "Limit per place or vehicle",
        1,
        HIGHEST_LIMIT,
        limit,
        key=_LIMIT.widget_key,
        placeholder="No limit",
        help="Places, flights, and trains with more people are marked for everyone in your organization.",
    )
    st.button("Save limit", icon=":material/save:", key="expected-save-limit", on_click=partial(_save, workspace))
    field_problem(_LIMIT_PROBLEM.get())


def _save(workspace: Workspace) -> None:
    _LIMIT_PROBLEM.clear()
    try:
        save_limit(workspace, _LIMIT.get())
    except JournalError as error:
        _LIMIT_PROBLEM.set(str(error))
    else:
        show_success("The limit is saved for your organization.")
