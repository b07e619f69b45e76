"""Open the saved incident of the URL, and draw the buttons to save, change, close, and annotate it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final, NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.expected_locations.controls import ROSTERS_SHOWN
from components.forms.save_under_name import draw_save_under_name
from components.incidents.check_off import follow_incident
from components.incidents.incident_controls import AREA_PARTS, INCIDENT, MARGIN, SECTION, SINCE, UNTIL, WHEN
from components.shell.address import link_to
from components.shell.notices import field_problem, show_success
from components.shell.state import StateKey
from domain.expected_locations.roster_choice import RosterChoice
from domain.incidents.affected import SECTIONS
from domain.incidents.area import Area
from domain.incidents.area_parts import NO_PARTS
from domain.incidents.incident_time import IncidentTime, stored_time, time_words
from domain.incidents.stored_areas import incident_area, incident_parts
from domain.runtime.screens import WHO_IS_AFFECTED
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, id_in, plain
from domain.text.time_text import moment
from journal.incidents import MAX_NOTE_LENGTH, Incident, IncidentContent
from journal.journal_errors import IncidentNotFound, JournalError


class Opened(NamedTuple):
    """The incident that the fields were filled from, and its version at that time."""

    incident_id: int
    version: int


_OPENED: Final[StateKey[Opened | None]] = StateKey("incidents.opened", lambda: None)
_NOTE: Final = StateKey[str]("incidents.note", str)
_PROBLEM: Final = StateKey[str]("incidents.problem", str)
_ACTIONS: Final = {
    "created": "saved the incident",
    "changed": "changed the incident",
    "closed": "closed the incident",
    "reopened": "reopened the incident",
    "noted": "added a note",
    "marked": "marked",
    "assigned": "assigned",
}
_EVENTS_SHOWN: Final = 50
_INCIDENTS_SHOWN: Final = 5


def open_incident(workspace: Workspace) -> Incident | None:
    """Return the incident of the URL. Fill the fields with its area and time if the URL has no area."""
    if INCIDENT.get() is None:
        _OPENED.set(None)
        return None
    incident = _retrieve(workspace, id_in(INCIDENT.get() or ""))
    if incident is None:
        st.warning(
            f"**There is no incident {plain(INCIDENT.get() or '')}.** The link may be incomplete, or the incident may "
            "belong to another organization.",
            icon=":material/search_off:",
        )
        INCIDENT.set(None)
        return None
    opened = _OPENED.get()
    if not AREA_PARTS.get():
        _fill_fields(workspace, incident)
    elif opened is None or opened.incident_id != incident.id:
        _OPENED.set(Opened(incident.id, incident.version))
    return incident


def _retrieve(workspace: Workspace, incident_id: int | None) -> Incident | None:
    try:
        return None if incident_id is None else workspace.journal.incidents.retrieve(workspace.actor, incident_id)
    except IncidentNotFound:
        return None


def draw_open_incidents(workspace: Workspace) -> None:
    """Draw links to the open incidents, for a screen without an area."""
    incidents = workspace.journal.incidents.list(workspace.actor, "open")
    if incidents and INCIDENT.get() is None:
        st.markdown("**Open incidents**")
        for incident in incidents[:_INCIDENTS_SHOWN]:
            draw_incident_link(incident)


def draw_incidents(workspace: Workspace) -> None:
    """Draw links to the saved incidents behind one button, open ones first."""
    incidents = workspace.journal.incidents.list(workspace.actor)
    is_open = [each for each in incidents if each.state == "open"]
    with st.popover("Incidents", icon=":material/folder_open:", key="incident-list"):
        if not incidents:
            st.caption("No saved incidents. Add an area, then select **Save incident**.")
        for title, several in (("Open", is_open), ("Closed", [each for each in incidents if each not in is_open])):
            if several:
                st.markdown(f"**{title}**")
            for incident in several:
                draw_incident_link(incident)
        if INCIDENT.get() is not None or AREA_PARTS.get():
            link_to(WHO_IS_AFFECTED, "Start a new incident", icon=":material/add:")


def draw_incident_link(incident: Incident) -> None:
    """Draw a link to an incident, with its time."""
    content = incident.content
    link_to(WHO_IS_AFFECTED, plain(content.name), icon=":material/crisis_alert:", incident=incident.id)
    st.caption(time_words(content.begins_at, content.ends_at, datetime.now(UTC)))


def draw_settings() -> DeltaGenerator:
    """Draw the place for the area and the time of a saved incident, closed if it has an area."""
    return st.expander("Area, time, and rosters", icon=":material/tune:", expanded=set(AREA_PARTS.get()) <= {NO_PARTS})


def draw_save(workspace: Workspace, area: Area, time: IncidentTime, rosters: RosterChoice, margin_km: float) -> None:
    """Draw the button that saves the area and time on the screen as a new incident."""
    with st.popover("Save incident", icon=":material/bookmark_add:", key="incident-save-box", type="primary"):
        if time.mode == "Now":
            st.caption("The incident will begin when you save it, and will have no end time until you set one.")
        draw_save_under_name(
            "Name",
            partial(_create, workspace, area, time, rosters, margin_km),
            key="incident-save",
            button=lambda _: "Save incident",
            placeholder="Earthquake in Nepal",
        )


def draw_incident(
    workspace: Workspace,
    incident: Incident,
    area: Area | None,
    time: IncidentTime,
    rosters: RosterChoice,
    margin_km: float,
    people: pd.DataFrame,
) -> None:
    """Draw the state of the incident, and the buttons to change, close, and annotate it."""
    follow_incident(workspace, incident)
    opened, content = _OPENED.get(), incident.content
    version = opened.version if opened is not None else incident.version
    with st.container(horizontal=True, vertical_alignment="center", key="incident-head"):
        color = "red" if incident.state == "open" else "gray"
        st.markdown(f"**{plain(content.name)}** :{color}-badge[{incident.state.capitalize()}]", width="content")
        if _has_changes(workspace, incident, time, rosters, margin_km):
            if area is not None and not time.problem:
                st.button(
                    "Save changes",
                    key="incident-update",
                    type="primary",
                    icon=":material/save:",
                    on_click=_update,
                    args=(workspace, incident, area, time, rosters, margin_km, version),
                )
            st.button("Discard changes", key="incident-reload", on_click=_fill_fields, args=(workspace, incident))
        box = st.popover("Notes and history", icon=":material/history:", key="incident-history", on_change="rerun")
        if box.open:
            with box:
                _draw_history(workspace, incident, people)
        is_open = incident.state == "open"
        st.button(
            "Close incident" if is_open else "Reopen incident",
            key="incident-close" if is_open else "incident-reopen",
            icon=":material/check_circle:" if is_open else ":material/replay:",
            on_click=_attempt,
            args=(partial(_switch, workspace, incident),),
        )
        draw_incidents(workspace)
    if incident.version != version:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(
                f"{plain(incident.changed_by)} changed this incident on {moment(incident.changed_at)}.",
                icon=":material/sync_problem:",
            )
            st.button("Show the new version", key="incident-newer", on_click=_fill_fields, args=(workspace, incident))
    field_problem(_PROBLEM.get() or None)


def _draw_history(workspace: Workspace, incident: Incident, people: pd.DataFrame) -> None:
    names = dict(zip(people["person"], people["name"], strict=True))
    st.text_area("Note", key=_NOTE.widget_key, max_chars=MAX_NOTE_LENGTH, height=80)
    st.button(
        "Add note", key="incident-add-note", on_click=_attempt, args=(partial(_add_note, workspace, incident.id),)
    )
    events = workspace.journal.incidents.events(workspace.actor, incident.id)
    for event in events[:_EVENTS_SHOWN]:
        about = f" {plain(str(names.get(event.person, event.person)))}" if event.person else ""
        note = f": {plain(event.note)}" if event.note else ""
        st.markdown(f":small[{moment(event.at)} · **{plain(event.username)}** {_ACTIONS[event.action]}{about}{note}]")
    if len(events) > _EVENTS_SHOWN:
        st.caption(f"{count(len(events) - _EVENTS_SHOWN, 'older entry', 'older entries')}.")


def _switch(workspace: Workspace, incident: Incident) -> Incident:
    """Close or reopen the incident, unless the first click of a double click has done so."""
    journal = workspace.journal.incidents
    latest = journal.retrieve(workspace.actor, incident.id)
    if latest.state != incident.state:
        return latest
    change = journal.close_incident if incident.state == "open" else journal.reopen
    return change(workspace.actor, incident.id, over=incident.version)


def _add_note(workspace: Workspace, incident_id: int) -> None:
    if _NOTE.get().strip():
        workspace.journal.incidents.add_note(workspace.actor, incident_id, _NOTE.get())
    _NOTE.set("")


def _content(
    name: str, area: Area, time: IncidentTime, chosen: RosterChoice, margin_km: float, *, goes_on: bool
) -> IncidentContent:
    now = datetime.now(UTC)
    return IncidentContent(
        name=name,
        area=incident_area(area, AREA_PARTS.get()),
        begins_at=time.begins(now),
        ends_at=None if goes_on else time.ends(now),
        margin_km=margin_km,
        roster_ids=[roster.id for roster in chosen.rosters],
    )


def _create(
    workspace: Workspace, area: Area, time: IncidentTime, chosen: RosterChoice, margin_km: float, name: str
) -> None:
    if INCIDENT.get() is not None:
        # The first click of a double click has saved it.
        return
    content = _content(name, area, time, chosen, margin_km, goes_on=time.mode == "Now")
    _fill_fields(workspace, workspace.journal.incidents.create(workspace.actor, content))
    show_success(f"The incident “{name}” is saved for your organization.")


def _update(
    workspace: Workspace,
    incident: Incident,
    area: Area,
    time: IncidentTime,
    chosen: RosterChoice,
    margin_km: float,
    version: int,
) -> None:
    content = _content(incident.content.name, area, time, chosen, margin_km, goes_on=time.mode == "Now")

    def update() -> None:
        _fill_fields(workspace, workspace.journal.incidents.update(workspace.actor, incident.id, content, over=version))

    _attempt(update)


def _attempt(change: Callable[[], Incident | None]) -> None:
    _PROBLEM.set("")
    try:
        changed = change()
    except JournalError as error:
        _PROBLEM.set(str(error))
        return
    opened = _OPENED.get()
    if isinstance(changed, Incident) and opened is not None and changed.version == opened.version + 1:
        _OPENED.set(Opened(changed.id, changed.version))


def _fill_fields(workspace: Workspace, incident: Incident) -> None:
    """Fill the fields with the stored area and time."""
    content = incident.content
    time = stored_time(content.begins_at, content.ends_at)
    INCIDENT.set(str(incident.id))
    AREA_PARTS.set(incident_parts(workspace, content.area))
    WHEN.set(time.mode)
    SINCE.set(time.since)
    UNTIL.set(time.until)
    MARGIN.set(content.margin_km)
    if content.roster_ids:
        ROSTERS_SHOWN.set([str(each) for each in content.roster_ids])
    if SECTION.get() == SECTIONS[0]:
        SECTION.set(None)
    _OPENED.set(Opened(incident.id, incident.version))
    _PROBLEM.set("")


def _has_changes(
    workspace: Workspace, incident: Incident, time: IncidentTime, chosen: RosterChoice, margin_km: float
) -> bool:
    content: IncidentContent = incident.content
    shown: Sequence[object] = (
        AREA_PARTS.get(),
        time,
        margin_km,
        {roster.id for roster in chosen.rosters},
    )
    stored = (
        incident_parts(workspace, content.area),
        stored_time(content.begins_at, content.ends_at),
        content.margin_km,
        set(content.roster_ids),
    )
    return shown != stored
