"""One trip: its segments, map, travelers, expected locations, and problems."""

import streamlit as st

from components.shell.session import require_workspace
from components.streamlit_workarounds.own_scripts import new_stage
from components.trips import trip_view
from domain.trips.checks import trip_checks
from domain.trips.known_trip import load_known_trip
from domain.trips.location_comparison import compare_locations
from domain.trips.prediction import IGNORED_IN_RECONSTRUCTION, reconstruct_itinerary
from domain.trips.timeline import timeline

workspace = require_workspace()

with st.spinner("Loading the trip"):
    itinerary_id, locator = trip_view.trip_in_address(workspace)
    new_stage(str(itinerary_id), locator or "")
    known = load_known_trip(workspace, itinerary_id=itinerary_id, locator=locator)
people = workspace.journal.travelers.people(workspace.actor.service, workspace.actor.organization_id)
now = known.read_at
itinerary = known.itinerary or reconstruct_itinerary(known.locations, people, locator=known.locator)

trip_view.show_head(workspace, known, itinerary)
trip_view.show_problems(known)

findings = [] if itinerary is None or known.is_removed else trip_checks(itinerary, now=now)
if known.itinerary is None:
    findings = [found for found in findings if found.rule not in IGNORED_IN_RECONSTRUCTION]
if itinerary is not None and not known.is_removed:
    trip_view.show_findings(findings)

if itinerary is not None:
    course, picture = st.columns([3, 2], gap="large")
    with course:
        st.header("Timeline", anchor=False)
        trip_view.show_timeline(timeline(itinerary, findings, now=now, is_live=not known.is_removed))
    with picture:
        st.header("Map", anchor=False)
        trip_view.show_map(itinerary, known)
        trip_view.show_source(known, is_reconstructed=True)
elif known.locations:
    st.header("Map", anchor=False)
    trip_view.show_map(None, known)

if itinerary is not None:
    trip_view.show_travelers(itinerary)
else:
    trip_view.show_source(known, is_reconstructed=False)
if not known.is_removed and known.error is None:
    names = {external: person.name for external, person in people.items()}
    rows = compare_locations(known.itinerary, known.locations, names)
    trip_view.show_expected(rows, now, stem=f"expected-locations-{known.locator or itinerary_id}")
trip_view.show_history(known)
