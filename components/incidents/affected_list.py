"""Draw the affected people: filters, the list, and why the selected people are on it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final, cast

import pandas as pd
import streamlit as st

from components.incidents.check_off import draw_marking, mark_row
from components.incidents.incident_controls import ALL_COLUMNS, IS_MINE, MARK, PEOPLE, SECTION
from components.record_list.record_table import HEIGHT, record_table
from components.shell.address import link_to
from components.widgets.status_badge import status_markdown
from domain.incidents.affected import SECTIONS, Affected, Section
from domain.incidents.affected_texts import (
    MARK_STATUSES,
    SECTION_HELP,
    SECTION_LABELS,
    URGENCY,
    compact_people,
    filter_people,
    find_marked,
    mark_counts,
    people_columns,
    section_label,
    shown_people,
    with_urgency,
)
from domain.runtime.screens import EXPECTED_LOCATIONS, TRIP
from domain.runtime.workspace import Workspace
from domain.tables.table_pages import RowAction
from domain.text.plain_text import names, plain
from domain.text.time_text import at_place
from domain.trips.traveler_phones import load_phones
from journal.incidents import Incident, Mark, MarkStatus

_MOST_SHOWN: Final = 20
_COMPACT_HEIGHT: Final = 420
"""In pixels. The list next to the map is short, so that its beginning is visible with the map."""
_ACTIONS: Final = [
    RowAction("contacted", "◐", "Mark as contacted"),
    RowAction("safe", "●", "Mark as safe"),
    RowAction("needs help", "▲", "Mark as needing help"),
]


def draw_list(
    workspace: Workspace,
    incident: Incident | None,
    affected: Affected,
    everyone: pd.DataFrame,
    now: datetime,
    marks: Mapping[str, Mark] | None,
) -> None:
    """Draw the people, and below them the selected ones with the buttons to mark them.

    `everyone` has all people of the rosters: person, name.
    """
    listed = affected.people
    mark = None
    if marks is not None:
        listed = with_urgency(listed, marks)
        mark = _draw_marks(workspace, affected, listed, marks)
        _draw_no_longer_listed(affected, marks, everyone)
    section = _draw_sections(affected, is_required=marks is None)
    if marks is None:
        listed = filter_people(listed, section=section)
    else:
        assignee = workspace.actor.username if IS_MINE.get() else None
        listed = filter_people(listed, section=section, mark=mark, assignee=assignee)
    _draw_people(workspace, incident, listed, section, now, marks)
    selected = affected.people[affected.people["person"].isin(PEOPLE.get())]
    draw_marking(workspace, incident, selected, marks)
    for row in shown_people(selected.head(_MOST_SHOWN), now, marks or {}).to_dict("records"):
        with st.container(border=True, gap="xsmall"):
            _draw_person(row, now, with_mark=marks is not None)
    if len(selected) > _MOST_SHOWN:
        st.caption(f"{len(selected) - _MOST_SHOWN:,} more people are selected.")


def _draw_marks(
    workspace: Workspace, affected: Affected, listed: pd.DataFrame, marks: Mapping[str, Mark]
) -> MarkStatus | None:
    """Draw the number of people with each mark and of one's own, which filter the list. Returns the selected mark."""
    counts = mark_counts(affected, marks)
    if MARK.get() not in MARK_STATUSES:
        MARK.set(None)
    with st.container(horizontal=True, vertical_alignment="center", key="incident-marks"):
        mark = st.pills(
            "Mark",
            URGENCY,
            format_func=lambda mark: f"{MARK_STATUSES[mark]} · {counts[mark]:,}",
            key=MARK.widget_key,
            label_visibility="collapsed",
            width="content",
        )
        own = int((listed["assigned"] == workspace.actor.username).sum())
        if own or IS_MINE.get():
            st.toggle(f"Assigned to me · {own:,}", key=IS_MINE.widget_key)
    return mark


def _draw_no_longer_listed(affected: Affected, marks: Mapping[str, Mark], everyone: pd.DataFrame) -> None:
    found = find_marked("needs help", affected, marks, everyone)
    if missing := found.loc[found["section"] == "", "name"].astype(str).tolist():
        st.warning(
            f"**Marked as needing help, but no longer on the list:** {plain(names(missing, at_most=20))}. The data of "
            "their trips may have changed.",
            icon=":material/person_alert:",
        )


def _draw_sections(affected: Affected, *, is_required: bool) -> Section | None:
    """Draw the sections with their numbers of people. Without a required one, none selected means all."""
    if is_required and SECTION.get() is None:
        SECTION.set(SECTIONS[0])
    return st.pills(
        "Section",
        SECTIONS,
        format_func=lambda section: section_label(section, affected),
        key=SECTION.widget_key,
        required=is_required,
        label_visibility="collapsed",
    )


def _draw_people(
    workspace: Workspace,
    incident: Incident | None,
    listed: pd.DataFrame,
    section: Section | None,
    now: datetime,
    marks: Mapping[str, Mark] | None,
) -> None:
    is_compact = not ALL_COLUMNS.get()
    if listed.empty and marks is not None:
        st.info("No one on the list matches the selected filters.", icon=":material/person_off:")
    elif listed.empty:
        st.info(f"No one is in the section “{SECTION_LABELS[section or SECTIONS[0]]}”.", icon=":material/person_off:")
    else:

        def format_page(page: pd.DataFrame) -> pd.DataFrame:
            shown = (compact_people if is_compact else shown_people)(page, now, marks or {})
            phones = load_phones(workspace, page) if marks is not None else {}
            return shown.assign(phones=["\n".join(phones.get(str(person), [])) for person in page["person"]])

        record_table(
            listed,
            people_columns(section, with_marks=marks is not None, is_compact=is_compact),
            "affected",
            id_column="person",
            selection="many",
            selection_state=PEOPLE,
            format_page=format_page,
            height=_COMPACT_HEIGHT if is_compact else HEIGHT,
            default_order="name" if marks is None else "mark",
            has_url_state=True,
            noun=("person", "people"),
            has_cards=True,
            actions=_ACTIONS if marks is not None else (),
            actions_label="Mark as",
            action_column="mark" if marks is not None else "",
            on_action=partial(mark_row, workspace, incident, listed, marks),
        )
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption(SECTION_HELP[section] if section is not None else "", width="stretch")
        st.toggle("All columns", key=ALL_COLUMNS.widget_key)


def _draw_person(row: Mapping[Hashable, Any], now: datetime, *, with_mark: bool) -> None:
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
    with st.container(horizontal=True):
        link_to(TRIP, f"Open trip {plain(str(row['locator']))}", locator=str(row["locator"]), id=str(row["itinerary"]))
        link_to(EXPECTED_LOCATIONS, "Show on the map", expected_person=str(row["person"]))
