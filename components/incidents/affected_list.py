"""Draws who is affected, a section at a time, and the people who are selected with why they are listed."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from datetime import datetime
from typing import Any, Final, cast

import pandas as pd
import streamlit as st

from components.incidents.incident_controls import PEOPLE, SECTION
from components.record_list.record_table import record_table
from components.shell.address import link_to
from domain.incidents.affected import SECTIONS, Affected, Section
from domain.incidents.affected_words import (
    SECTION_HELP,
    SECTION_LABELS,
    STATUS_LABELS,
    mark_text,
    people_columns,
    section_label,
    shown_people,
)
from domain.runtime.screens import EXPECTED_LOCATIONS, TRIP
from domain.text.plain_text import plain
from journal.incidents import Mark

_MOST_SHOWN: Final = 20


def draw_sections(found: Affected) -> Section:
    """Draw the sections with their people counted; return the one that is shown."""
    chosen = st.pills(
        "Section",
        SECTIONS,
        format_func=lambda section: section_label(section, found),
        key=SECTION.widget_key,
        required=True,
        label_visibility="collapsed",
    )
    section = chosen or SECTIONS[0]
    st.caption(SECTION_HELP[section])
    return section


def draw_people(found: Affected, section: Section, now: datetime, marks: Mapping[str, Mark] | None) -> pd.DataFrame:
    """Draw the people of a section, with their marks for a saved incident; return the rows of all selected people."""
    people = found.people
    listed = people[people["section"] == section]
    if marks is not None:
        listed = listed.assign(mark=[marks[each].status if each in marks else "" for each in listed["person"]])
    if listed.empty:
        st.info(f"No one is in the section “{SECTION_LABELS[section]}”.", icon=":material/person_off:")
    else:
        record_table(
            listed,
            people_columns(section, with_marks=marks is not None),
            "affected",
            id_column="person",
            selection="many",
            picked_in=PEOPLE,
            shown=lambda page: shown_people(page, now, marks or {}),
            by="name",
            in_address=True,
            noun=("person", "people"),
        )
    return people[people["person"].isin(PEOPLE.get())]


def draw_selected(rows: pd.DataFrame, now: datetime, marks: Mapping[str, Mark] | None) -> None:
    """Draw the selected people: section, status, why, mark, and the ways to the trip and the map."""
    for row in rows.head(_MOST_SHOWN).to_dict("records"):
        with st.container(border=True, gap="xsmall"):
            _draw_person(row, now, marks)
    if len(rows) > _MOST_SHOWN:
        st.caption(f"{len(rows) - _MOST_SHOWN:,} more people are selected.")


def _draw_person(row: Mapping[Hashable, Any], now: datetime, marks: Mapping[str, Mark] | None) -> None:
    section = SECTION_LABELS[cast(Section, row["section"])]
    st.markdown(f"**{plain(str(row['name']))}** · {section} · {STATUS_LABELS[row['status']]} · {row['sure']}")
    st.markdown(plain(str(row["why"])))
    if marks is not None:
        st.caption(plain(mark_text(marks.get(str(row["person"])), now)))
    with st.container(horizontal=True):
        link_to(TRIP, f"Open trip {plain(str(row['locator']))}", locator=str(row["locator"]), id=str(row["itinerary"]))
        link_to(EXPECTED_LOCATIONS, "Show on the map", expected_person=str(row["person"]))
