"""Records say where they are used, with links that open the others."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from streamlit.testing.v1 import AppTest

from client.models.contact_filters import ContactFilter
from client.models.lookup_mappings import LookupMappingRequest, MappingAttribute, TargetGroup
from domain.alerts.alert_templates import save_template
from domain.alerts.draft import AlertDraft
from domain.preparedness.shape_library.sent_regions import RegionFile, send_files
from domain.runtime import screens
from journal.incidents import IncidentContent
from tests.app.presses import page_text, run
from tests.running_service import RunningService
from tests.service.shape_files import kml, placemark

GROUPS = {"type": "SYSTEM_ARRAY", "columnName": "groups", "dataType": "NUMBER", "contactFieldId": 210}
GROUPS |= {"operator": "IN", "contactFilterOption": "IN"}


def links(app: AppTest) -> list[str]:
    return [str(each.proto.label).replace("\\", "") for each in app.get("page_link")]


def test_a_mapping_names_the_filters_that_use_its_groups(signed_in: Any, service: RunningService) -> None:
    with service.client() as client:
        for name, group in (("Wardens", 310), ("Others", 311)):
            rule = {**GROUPS, "columnValue": [group]}
            client.contact_filters.create(ContactFilter.from_wire({"name": name, "contactFilterRules": [rule]}))
    run(signed_in(service, screens.CONNECTION.page, token=service.token()))
    attributes = [MappingAttribute(name="site", values=["BER"])]
    mapping = signed_in.workspace.client.lookup_mappings.create(
        LookupMappingRequest(attributes=attributes, target_groups=[TargetGroup(id=310), TargetGroup(id=312)])
    )
    app = run(run(signed_in.open_tab(screens.LOOKUP_MAPPINGS.page, mapping=mapping.id)))
    assert [each for each in links(app) if each.startswith("Filter")] == ["Filter: Wardens"]


def test_an_event_names_the_alert_templates_and_a_shape_the_incidents(signed_in: Any, service: RunningService) -> None:
    run(signed_in(service, screens.CONNECTION.page))
    workspace = signed_in.workspace
    event = workspace.client.notification_events.create(name="Storm")
    save_template(workspace, AlertDraft(event="Flood Warning", notification_event_id=event.id), "Flood")
    save_template(workspace, AlertDraft(event="Fire Warning"), "Fire")
    app = run(run(signed_in.open_tab(screens.NOTIFICATION_EVENTS.page, record=str(event.id))))
    assert [each for each in links(app) if each.startswith("Alert")] == ["Alert template: Flood"]
    send_files(workspace, [RegionFile("Zones", "", "zones.kml", kml(placemark("One")), 1)])
    now = datetime.now(UTC)
    for name, label in (("Flood in the zones", "Zones"), ("Elsewhere", "France")):
        area = {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"label": label}}]}
        workspace.journal.incidents.create(workspace.actor, IncidentContent(name, area, now, None, 0, []))
    app = run(signed_in.open_tab(screens.SHAPE_LIBRARY.page, region="Zones"))
    assert [each for each in links(app) if each.startswith("Incident")] == ["Incident: Flood in the zones"]
    assert "**Used in**" in page_text(app)
