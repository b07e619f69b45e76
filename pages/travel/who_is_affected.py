"""Who is affected by an incident: its area and time, the people and why, and what to do next."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from components.expected_locations.controls import ROSTERS_SHOWN, draw_rosters, draw_unknown_rosters, popover_of
from components.expected_locations.load_status import draw_failures, draw_freshness, draw_progress, open_load
from components.incidents import incident_controls as controls
from components.incidents import saved_incident
from components.incidents.affected_list import draw_list
from components.incidents.area_panel import draw_area_fields, draw_area_parts
from components.incidents.check_off import draw_list_changes
from components.incidents.incident_map import draw_incident_map
from components.incidents.next_steps import draw_next_steps
from components.shell.address import in_address
from components.shell.page_header import draw_page_header
from components.shell.session import require_workspace
from components.trips.rosters.no_rosters import draw_no_rosters
from domain.expected_locations import expected_words
from domain.incidents.affected import find_affected
from domain.incidents.affected_texts import answer, area_findings, people_left_out
from domain.incidents.area_parts import alert_time, joined_area, read_parts
from domain.incidents.briefing import Briefing
from domain.incidents.stored_areas import load_area
from domain.text.plain_text import names, plain

workspace = require_workspace()
now = datetime.now(UTC)
header = draw_page_header()

rosters = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
if not rosters:
    draw_no_rosters("Muster finds the affected people on your rosters.")
    st.stop()

about_incident = st.container()
with in_address(*controls.ADDRESS):
    incident = saved_incident.open_incident(workspace)
    # The list of a saved incident comes first.
    settings = st.container() if incident is None else saved_incident.draw_settings()
    with settings, st.container(horizontal=True, vertical_alignment="bottom", key="incident-controls"):
        time = controls.draw_incident_time(now)
        margin_km = controls.draw_margin()
        button = popover_of("Rosters", ":material/format_list_bulleted:", "incident-rosters", ROSTERS_SHOWN)
        chosen = draw_rosters(workspace, rosters, button)
        if incident is None:
            saved_incident.draw_incidents(workspace)
        saving = st.container(width="content")
draw_unknown_rosters(rosters)
if chosen is None:
    st.stop()
load = open_load(workspace, chosen)
reading, failures = load.now.is_running, load.failures()
with header.age:
    draw_freshness(load, chosen.name, reading=reading, follows_clock=time.follows_clock)
draw_progress(load, chosen.name) if reading else draw_failures(load)
locations = load.locations()
parts = read_parts(controls.AREA_PARTS.get(), partial(load_area, workspace))
area = joined_area(parts)
begins, ends = time.begins(now), time.ends(now)
found = None
if area is not None and not time.problem:
    key = ("affected", *(part.text for part in parts if part.area is not None), begins, ends, margin_km)
    found = locations.memo.get(key, partial(find_affected, locations, area, begins, ends, margin_km=margin_km))
if incident is not None:
    with about_incident:
        saved_incident.draw_incident(workspace, incident, area, time, chosen, margin_km, locations.people)
elif area is not None and not time.problem:
    with saving:
        saved_incident.draw_save(workspace, area, time, chosen, margin_km)
next_steps = st.container()
left, right = st.columns([1.2, 1], gap="medium")
with left if incident is None else settings:
    draw_area_fields(workspace, is_empty=not parts)
    draw_area_parts(workspace, parts)
    controls.draw_alert_time(alert_time(parts), time, now)
with right:
    draw_incident_map(locations, parts, found, begins, now)

if area is None:
    unclear = next((f"There is no list yet. {plain(part.problem)}" for part in parts if part.problem), "")
    header.answer.markdown(unclear or "Draw an area on the map, or type one such as “40 km around Kathmandu”.")
    with left:
        saved_incident.draw_open_incidents(workspace)
    st.stop()
if found is None:
    st.error(time.problem, icon=":material/error:")
    st.stop()
if locations.rows.empty and (reading or expected_words.unread(failures)):
    header.answer.markdown(expected_words.no_figures(reading=reading, failures=failures))
    st.stop()
waiting = (load.now.total or 0) - load.now.done if reading else 0
limits = people_left_out(found, failures, chosen.description, waiting)
marks = workspace.journal.incidents.marks(workspace.actor, incident.id) if incident is not None else None
with header.answer.container(gap="xsmall"):
    st.markdown(answer(found))
    if unread := [part.label for part in parts if part.area is None]:
        st.error(f"**The area is not complete.** Muster skipped {plain(names(unread))}.", icon=":material/error:")
    if findings := area_findings(found):
        st.warning(findings, icon=":material/rule:")
    st.caption(plain(limits))
draw_list_changes(workspace, incident, found, locations, now, is_whole=not reading)
about = Briefing(
    name=incident.content.name if incident is not None else area.label,
    begins=begins,
    ends=ends,
    as_of=load.as_of,
    not_covered=limits,
    everyone=locations.people,
)
with next_steps:
    draw_next_steps(workspace, incident, locations, found, about, now, marks)
with st.container() if controls.ALL_COLUMNS.get() else left:
    draw_list(workspace, incident, found, locations.people, now, marks)
