"""Draw the next steps with the list of affected people: files, a briefing, a contact filter, a public alert."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

import streamlit as st

from components.alerts.sending.alert_editor import open_new
from components.shell.address import go_to
from components.widgets.downloads import CSV_MIME, XLSX_MIME, download
from domain.alerts.recipients.region_catalog import region_lookups
from domain.edits import stored_drafts
from domain.expected_locations.location_frame import Locations
from domain.filters.filter_change import FILTER_EDIT
from domain.filters.filter_draft import FilterDraft
from domain.incidents.affected import Affected
from domain.incidents.affected_texts import area_findings, file_stem, people_file
from domain.incidents.briefing import Briefing, briefing_html
from domain.incidents.contact_filter import plan_filters
from domain.incidents.incident_alert import draft_alert
from domain.runtime.background import BackgroundReads
from domain.runtime.screens import CONTACT_FILTER
from domain.runtime.workspace import Workspace
from domain.tables.spreadsheet import to_csv, to_xlsx
from domain.text.plain_text import count, plain
from domain.text.time_text import moment
from journal.incidents import Incident, Mark

_NAMED: Final = 5
"""The number of people that the summary of a filter names."""


def draw_next_steps(
    workspace: Workspace,
    incident: Incident | None,
    locations: Locations,
    affected: Affected,
    briefing: Briefing,
    now: datetime,
    marks: dict[str, Mark] | None,
) -> None:
    """Draw the next steps in one row."""
    stem = file_stem(briefing.name, now)
    with st.container(horizontal=True, vertical_alignment="center", key="incident-next-steps"):
        box = st.popover("Draft contact filter", icon=":material/filter_alt:", key="incident-filter", on_change="rerun")
        if box.open:
            with box:
                _draw_filter_plans(workspace, locations, affected, briefing)
        if st.button("Draft public alert", key="incident-alert", icon=":material/campaign:"):
            _open_alert(workspace, affected, briefing, now)
        download("CSV", lambda: to_csv(people_file(affected, marks)), f"{stem}.csv", mime=CSV_MIME, key="affected-csv")
        download(
            "XLSX",
            lambda: to_xlsx(people_file(affected, marks), briefing.name),
            f"{stem}.xlsx",
            mime=XLSX_MIME,
            key="affected-xlsx",
        )
        download(
            "Briefing",
            lambda: briefing_html(affected, _with_notes(workspace, incident, briefing), now, marks),
            f"{stem}.html",
            mime="text/html",
            key="affected-briefing",
        )


def _with_notes(workspace: Workspace, incident: Incident | None, briefing: Briefing) -> Briefing:
    if incident is None:
        return briefing
    events = workspace.journal.incidents.events(workspace.actor, incident.id)
    notes = [f"{moment(each.at)}, {each.username}: {each.note}" for each in events if each.action == "noted"]
    return replace(briefing, state=incident.state, notes=notes)


def _draw_filter_plans(workspace: Workspace, locations: Locations, found: Affected, about: Briefing) -> None:
    plans = plan_filters(locations, found, about.begins, about.ends, name=about.name)
    if not plans:
        st.caption("No one is affected, or no place on the list has an airport, a city, or a country.")
        return
    st.caption("This is Muster’s estimate from the loaded trips. The service may match differently.")
    if findings := area_findings(found):
        st.warning(findings, icon=":material/rule:")
    for plan in plans:
        st.markdown(f"**By {plan.kind}**")
        st.markdown(plain(plan.summary))
        for title, people in (("Not on the list", plan.beyond), ("Missed", plan.missed)):
            if len(people) > _NAMED:
                with st.expander(f"{title}: {count(len(people), 'person', 'people')}"):
                    st.markdown("\n".join(f"- {plain(name)}" for name in people))
        for number, draft in enumerate(plan.drafts):
            key = f"incident-filter-{plan.kind}-{number}"
            if st.button(
                f"Open draft: {plan.kind} {plain(draft.name.removeprefix(f'{about.name}: '))}",
                key=key,
                type="tertiary",
                icon=":material/open_in_new:",
            ):
                _open_filter(workspace, draft)


def _open_filter(workspace: Workspace, draft: FilterDraft) -> None:
    stored_drafts.begin(workspace, FILTER_EDIT, draft)
    go_to(CONTACT_FILTER, draft=draft.uid)


def _open_alert(workspace: Workspace, found: Affected, about: Briefing, now: datetime) -> None:
    regions = region_lookups(workspace).regions
    regions.wait(BackgroundReads.patience_for_names)
    open_new(workspace, draft_alert(about.name, found.area, about.begins, about.ends, now, regions.value))
