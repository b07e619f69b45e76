"""Draws where most people are together, and the limit that the organization sets for that."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import streamlit as st

from components.expected_locations.person_panel import select_places
from components.shell.notices import done, field_problem
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
        "Most people together by", GROUPINGS, key=_GROUPING.widget_key, format_func=str.lower, persist_state="session"
    )
    groups = find_concentrations(view, grouping)
    if groups.empty:
        st.caption(f"No {grouping.lower()} has more than 1 person at this time.")
    with st.container(gap=None, key="expected-busiest"):
        for number, group in enumerate(groups.head(_GROUPS_SHOWN).to_dict("records")):
            _draw_group(number, group, limit)


def _draw_group(number: int, group: Mapping[Hashable, Any], limit: int | None) -> None:
    is_over = limit is not None and group["people"] > limit
    st.button(
        f"**{group['people']:,}** · {plain(str(group['label']))}",
        icon=":material/error:" if is_over else None,
        key=f"expected-busiest-{number}-{group['label']}-{group['departs']}",
        type="tertiary",
        help=f"Over the limit of {limit:,}" if is_over else None,
        on_click=select_places,
        args=(list(group["place_ids"]),),
    )
    if times := leg_times(group, datetime.now(UTC)):
        st.caption(plain(times))


def draw_limit(workspace: Workspace, limit: int | None) -> None:
    """Draw the field of the limit of people together, and the button that stores it for the organization."""
    st.number_input(
        "Limit of people together",
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
        done("The limit is saved for your organization.")
