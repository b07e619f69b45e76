"""Draw the time of the incident and the margin around its area. Every field is in the URL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import streamlit as st

from components.expected_locations.controls import ROSTERS_SHOWN
from components.shell.address import (
    AddressField,
    choice_field,
    choices_field,
    flag_field,
    moment_field,
    optional_field,
)
from domain.expected_locations.at_moment import to_the_minute
from domain.incidents.affected import MARGIN_KM, SECTIONS, Section
from domain.incidents.area import MOST_MARGIN_KM
from domain.incidents.incident_time import INCIDENT_MODES, IncidentTime

_ALL_SECTIONS: Final = "all"


def _read_margin(given: Sequence[str]) -> float:
    margin = float(given[-1])
    if not 0 <= margin <= MOST_MARGIN_KM:
        raise ValueError(given[-1])
    return margin


def _read_section(given: Sequence[str]) -> Section | None:
    if given[-1] == _ALL_SECTIONS:
        return None
    section = next((each for each in SECTIONS if each == given[-1]), None)
    if section is None:
        raise ValueError(given[-1])
    return section


AREA_PARTS: Final = choices_field("area")
"""Texts that `area_parts` reads."""
WHEN: Final = choice_field("when", INCIDENT_MODES, INCIDENT_MODES[0], renamed={"From, until": "Between two times"})
SINCE: Final = moment_field("since")
UNTIL: Final = moment_field("until")
MARGIN: Final = AddressField[float]("margin_km", lambda: MARGIN_KM, _read_margin, lambda km: [f"{km:g}"])
INCIDENT: Final = optional_field("incident")
"""The ID of the saved incident."""
SECTION: Final = AddressField[Section | None](
    "section", lambda: SECTIONS[0], _read_section, lambda section: [section or _ALL_SECTIONS]
)
"""The section of the list; None for all."""
MARK: Final = optional_field("mark")
"""The mark that the list is limited to."""
IS_MINE: Final = flag_field("mine")
"""Whether the list is limited to the people who are assigned to the user."""
PEOPLE: Final = choices_field("person")
"""The people selected in the list."""
ALL_COLUMNS: Final = flag_field("all_columns")
"""Whether the list shows every column across the whole width of the page."""
MAP_AT: Final = moment_field("map_at")
"""The hour that the map shows, if it isn't the beginning of the incident."""
ADDRESS: Final = (
    ROSTERS_SHOWN,
    AREA_PARTS,
    WHEN,
    SINCE,
    UNTIL,
    MARGIN,
    INCIDENT,
    SECTION,
    MARK,
    IS_MINE,
    PEOPLE,
    ALL_COLUMNS,
    MAP_AT,
)


def draw_incident_time(now: datetime) -> IncidentTime:
    """Draw the presets and their time fields. Returns the selected time."""
    mode = st.selectbox("When", INCIDENT_MODES, key=WHEN.widget_key, width=190, on_change=MAP_AT.set, args=(None,))
    since = until = None
    if mode in ("Since", "Between two times"):
        if SINCE.get() is None:
            SINCE.set(to_the_minute(now).replace(tzinfo=None))
        since = st.datetime_input("From (UTC)", step=300, key=SINCE.widget_key, width=190)
    else:
        SINCE.set(None)
    if mode == "Between two times":
        if UNTIL.get() is None:
            UNTIL.set((since or to_the_minute(now).replace(tzinfo=None)) + timedelta(hours=24))
        until = st.datetime_input("Until (UTC)", step=300, key=UNTIL.widget_key, width=190)
    else:
        UNTIL.set(None)
    return IncidentTime(mode, since, until)


def draw_alert_time(of_alert: IncidentTime | None, time: IncidentTime, now: datetime) -> None:
    """Draw the button that sets the time of the incident to that of the alert whose area is used."""
    if of_alert is None or of_alert == time:
        return
    st.button(
        f"Use {of_alert.text(now)}, from the alert",
        key="incident-alert-time",
        icon=":material/schedule:",
        on_click=_set_time,
        args=(of_alert,),
    )


def _set_time(time: IncidentTime) -> None:
    WHEN.set(time.mode)
    SINCE.set(time.since)
    UNTIL.set(time.until)
    MAP_AT.set(None)


def draw_margin() -> float:
    """Draw the field for the distance around the area that counts as nearby, in kilometers. Returns the distance."""
    return float(
        st.number_input(
            "Nearby (km)",
            min_value=0.0,
            max_value=MOST_MARGIN_KM,
            step=5.0,
            format="%g",
            key=MARGIN.widget_key,
            width=130,
            help="People within this distance of the area are listed as nearby.",
        )
    )
