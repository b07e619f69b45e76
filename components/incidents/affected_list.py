"""Draw the affected people, one section at a time, and why the selected people are listed."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from datetime import datetime
from typing import Any, Final, cast

import pandas as pd
import streamlit as st

from components.incidents.check_off import draw_marking
from components.incidents.incident_controls import ALL_COLUMNS, MARK, PEOPLE, SECTION
from components.record_list.record_table import HEIGHT, record_table
from components.shell.address import link_to
from components.widgets.status_badge import status_markdown
from domain.incidents.affected import SECTIONS, Affected, Section
from domain.incidents.affected_texts import (
    MARK_STATUSES,
    SECTION_HELP,
    SECTION_LABELS,
    compact_people,
    people_columns,
    section_label,
    shown_people,
    with_urgency,
)
from domain.runtime.screens import EXPECTED_LOCATIONS, TRIP
from domain.runtime.workspace import Workspace
from domain.text.plain_text import plain
from domain.text.time_text import at_place
from domain.trips.traveler_phones import dialed_number, traveler_phones
from journal.incidents import Incident, Mark, MarkStatus

_MOST_SHOWN: Final = 20
_COMPACT_HEIGHT: Final = 380
"""In pixels. The list next to the map is short, so that its beginning is visible with the map."""


def draw_list(
    workspace: Workspace, incident: Incident | None, affected: Affected, now: datetime, marks: Mapping[str, Mark] | None
) -> None:
    """Draw the people of a section, and below them the selected people with the buttons to mark them."""
    section = _draw_sections(affected)
    selected = _draw_people(affected, section, now, marks)
    draw_marking(workspace, incident, selected, marks)
    _draw_selected(workspace, selected, now, marks)


def _draw_sections(found: Affected) -> Section:
    chosen = st.pills(
        "Section",
        SECTIONS,
        format_func=lambda section: section_label(section, found),
        key=SECTION.widget_key,
        required=True,
        label_visibility="collapsed",
    )
    return chosen or SECTIONS[0]


def _draw_people(found: Affected, section: Section, now: datetime, marks: Mapping[str, Mark] | None) -> pd.DataFrame:
    """Draw the people of a section. Returns the rows of all selected people, also of other sections."""
    people = found.people
    listed = people[people["section"] == section]
    is_compact = not ALL_COLUMNS.get()
    mark = None
    if marks is not None:
        listed = with_urgency(listed, marks)
        mark = _draw_mark_filter(listed)
    if mark is not None:
        listed = listed[listed["mark"] == mark]
    if listed.empty and mark is not None:
        st.info(f"No one in the section “{SECTION_LABELS[section]}” has this mark.", icon=":material/person_off:")
    elif listed.empty:
        st.info(f"No one is in the section “{SECTION_LABELS[section]}”.", icon=":material/person_off:")
    else:
        record_table(
            listed,
            people_columns(section, with_marks=marks is not None, is_compact=is_compact),
            "affected",
            id_column="person",
            selection="many",
            selection_state=PEOPLE,
            format_page=lambda page: (compact_people if is_compact else shown_people)(page, now, marks or {}),
            height=_COMPACT_HEIGHT if is_compact else HEIGHT,
            default_order="name" if marks is None else "mark",
            has_url_state=True,
            noun=("person", "people"),
            has_cards=True,
        )
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption(SECTION_HELP[section], width="stretch")
        st.toggle("All columns", key=ALL_COLUMNS.widget_key)
    return people[people["person"].isin(PEOPLE.get())]


def _draw_mark_filter(listed: pd.DataFrame) -> MarkStatus | None:
    """Draw the number of people of a section with each mark, of which one can be selected; return the selected one."""
    if MARK.get() not in MARK_STATUSES:
        MARK.set(None)
    return st.pills(
        "Mark",
        list(MARK_STATUSES),
        format_func=lambda mark: f"{MARK_STATUSES[mark]} · {(listed['mark'] == mark).sum():,}",
        key=MARK.widget_key,
        label_visibility="collapsed",
    )


def _draw_selected(workspace: Workspace, rows: pd.DataFrame, now: datetime, marks: Mapping[str, Mark] | None) -> None:
    for row in shown_people(rows.head(_MOST_SHOWN), now, marks or {}).to_dict("records"):
        with st.container(border=True, gap="xsmall"):
            _draw_person(workspace, row, now, with_mark=marks is not None)
    if len(rows) > _MOST_SHOWN:
        st.caption(f"{len(rows) - _MOST_SHOWN:,} more people are selected.")


def _draw_person(workspace: Workspace, row: Mapping[Hashable, Any], now: datetime, *, with_mark: bool) -> None:
    section = SECTION_LABELS[cast(Section, row["section"])]
    badge = f"{status_markdown(row['status'])} " if row["status"] else ""
    st.markdown(f"{badge}**{plain(str(row['name']))}** · {section} · {row['sure']}")
    st.markdown(plain(str(row["why"])))
    distance = row["distance_text"] if row["section"] == "nearby" else ""
    zone, ends = row["zone"] or None, [side for side in ("from", "until") if pd.notna(row[side])]
    times = [f"{side} {at_place(row[side], zone, now=now)}" for side in ends]
    facts = [row["kind"], row["place"], distance, *times]
    st.caption(plain(" · ".join(str(each) for each in facts if each)))
    if with_mark:
        st.markdown(status_markdown(row["mark"]))
    numbers = traveler_phones(workspace, int(row["itinerary"]), str(row["locator"]), str(row["external_id"]))
    for number in numbers:
        st.markdown(f"[:material/call: {plain(number)}](tel:{dialed_number(number)})")
    with st.container(horizontal=True):
        link_to(TRIP, f"Open trip {plain(str(row['locator']))}", locator=str(row["locator"]), id=str(row["itinerary"]))
        link_to(EXPECTED_LOCATIONS, "Show on the map", expected_person=str(row["person"]))
