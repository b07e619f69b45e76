"""The behavior that all deletions and cancellations share: confirmed, done once, and reported once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from client import Duplicate, Invalid
from client.models.contact_filters import ContactFilter
from client.models.lookup_mappings import LookupMappingRequest, MappingAttribute, TargetGroup
from client.resources.contact_filters import ContactFilters
from client.resources.itineraries import Itineraries
from client.resources.lookup_mappings import LookupMappings
from client.resources.shape_library import ShapeLibrary
from domain.edits.removals import Removal
from domain.filters.filter_change import FILTER_REMOVAL
from domain.mappings.mapping_change import MAPPING_REMOVAL
from domain.preparedness.shape_library.sent_regions import REGION_REMOVAL, UPLOAD, RegionFile, send_files
from domain.runtime import screens
from domain.runtime.server import server
from domain.runtime.workspace import Workspace
from domain.trips.rosters.changes import ROSTER_REMOVAL
from domain.trips.trip_removal import CANCEL_TRIP, DELETE_TRIP
from journal import JournalUnavailable, RosterEntry
from journal.audit import AuditTrail
from journal.rosters import Rosters
from tests.app.presses import page_text, press, press_twice, run, toasts
from tests.declared import list_declared
from tests.domain.trips.editor.sample_trips import OUT, trip
from tests.running_service import RunningService
from tests.service.shape_files import kml, placemark

RULE = {"contactFieldId": 210, "columnName": "firstName", "columnValue": "An", "type": "SYSTEM", "dataType": "STRING"}
RULE |= {"operator": "STARTWITH", "contactFilterOption": "STARTWITH"}


@dataclass(frozen=True)
class Kind:
    """A type of removal: how to create a record, its screen, the client method that removes it, and the number left.

    `endpoint` is the method and path of the service, or None if the record is in Muster.
    """

    removal: Removal[Any]
    create: Callable[[Workspace], Any]
    page: str
    query: Callable[[Any], dict[str, str]]
    call: tuple[type, str]
    endpoint: tuple[str, str] | None
    count: Callable[[Workspace], int]

    def __repr__(self) -> str:
        return self.removal.key

    @property
    def confirm(self) -> str:
        """Return the key of the confirm button."""
        return f"{self.removal.key}-dialog-confirm"


def _create_filter(workspace: Workspace) -> int:
    body = ContactFilter.from_wire({"name": "Staff", "contactFilterRules": [RULE]})
    return workspace.client.contact_filters.create(body).id


def _create_mapping(workspace: Workspace) -> str:
    request = LookupMappingRequest(
        attributes=[MappingAttribute(name="site", values=["BER"])], target_groups=[TargetGroup(id=1, name="Berlin")]
    )
    return str(workspace.client.lookup_mappings.create(request).id)


def _create_roster(workspace: Workspace) -> int:
    return workspace.journal.rosters.create(workspace.actor, "Staff", [RosterEntry("WSVM7K")]).id


def _create_trip(workspace: Workspace) -> int:
    return workspace.client.itineraries.create(trip(OUT)).id


def _count_trips(workspace: Workspace) -> int:
    return len(list(workspace.client.itineraries.search(field_name="pnr", values=["WSVM7K"])))


def _create_region(workspace: Workspace) -> str:
    send_files(workspace, [RegionFile("Zones", "", "zones.kml", kml(placemark("One")), 1)])
    return "Zones"


def _count_regions(workspace: Workspace) -> int:
    """Count the regions: the service reports a used name before it checks the file. No other call shows that."""
    try:
        workspace.client.shape_library.upload(b"nothing", region_name="Zones", file_name="zones.kml")
    except Duplicate:
        return 1
    except Invalid:
        return 0
    raise AssertionError("the service accepted an invalid shape")


KINDS = [
    Kind(
        FILTER_REMOVAL,
        _create_filter,
        screens.CONTACT_FILTERS.page,
        lambda number: {"id": str(number)},
        (ContactFilters, "delete"),
        ("DELETE", "/contactFilters/8800/*"),
        lambda workspace: len(list(workspace.client.contact_filters.list())),
    ),
    Kind(
        MAPPING_REMOVAL,
        _create_mapping,
        screens.LOOKUP_MAPPINGS.page,
        lambda number: {"mapping": number},
        (LookupMappings, "delete"),
        ("DELETE", "/lookup/8800/mappings/*"),
        lambda workspace: len(list(workspace.client.lookup_mappings.search())),
    ),
    Kind(
        ROSTER_REMOVAL,
        _create_roster,
        screens.ROSTERS.page,
        lambda number: {"roster": str(number)},
        (Rosters, "delete"),
        None,
        lambda workspace: len(workspace.journal.rosters.list(workspace.actor.service, 8800)),
    ),
    Kind(
        DELETE_TRIP,
        _create_trip,
        screens.TRIP.page,
        lambda number: {"id": str(number), "locator": "WSVM7K"},
        (Itineraries, "delete"),
        ("DELETE", "/itineraries/8800/*"),
        _count_trips,
    ),
    Kind(
        CANCEL_TRIP,
        _create_trip,
        screens.TRIP.page,
        lambda number: {"id": str(number), "locator": "WSVM7K"},
        (Itineraries, "update"),
        ("PUT", "/itineraries/8800/*"),
        _count_trips,
    ),
    Kind(
        REGION_REMOVAL,
        _create_region,
        screens.SHAPE_LIBRARY.page,
        lambda name: {"region": name},
        (ShapeLibrary, "delete"),
        ("DELETE", "/shapeLibrary/8800"),
        _count_regions,
    ),
]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=repr)
FAULTS = [({"kind": "status", "status": 403}, "refused"), ({"kind": "drop", "when": "after"}, "unknown")]


def open_confirmation(signed_in: Any, service: RunningService, kind: Kind) -> tuple[AppTest, dict[str, str]]:
    """Open the confirmation for the only record, and return it with the URL parameters of the selection."""
    app = signed_in(service, kind.page, token=service.token())
    number = kind.create(signed_in.workspace)
    query = kind.query(number)
    for name, value in query.items():
        app.query_params[name] = value
    press(run(app), f"{kind.removal.key}/{number}")
    assert kind.count(signed_in.workspace) == 1, "nothing is removed before the confirmation"
    return app, query


def list_states(signed_in: Any) -> list[str]:
    """Return the states of the removals, latest first."""
    actor = signed_in.workspace.actor
    entries = signed_in.workspace.journal.audit.list(actor.service, actor.organization_id)
    return [entry.state for entry in entries if entry.action != UPLOAD]


def test_every_removal_is_tested() -> None:
    assert {kind.removal.key for kind in KINDS} == {removal.key for removal in list_declared(Removal)}


@every_kind
def test_a_double_click_another_tab_and_a_refresh_remove_once_and_report_once(
    signed_in: Any, service: RunningService, hold_calls: Any, kind: Kind
) -> None:
    app, query = open_confirmation(signed_in, service, kind)
    other = run(signed_in.open_tab(kind.page, **query))
    press(other, next(str(each.key) for each in other.button if str(each.key).startswith(f"{kind.removal.key}/")))
    calls = hold_calls(*kind.call)
    press_twice(app, app.button(key=kind.confirm))
    press(other, kind.confirm)
    refreshed = run(signed_in.open_tab(kind.page, **query))
    assert kind.removal.verb.progress in page_text(refreshed)
    calls.finish()
    assert len(toasts(run(refreshed))) == 1
    assert toasts(run(refreshed)) == []
    for each in (app, other):
        run(each)
    assert (calls.count, kind.count(signed_in.workspace), list_states(signed_in)) == (1, 0, ["succeeded"])


@every_kind
def test_the_result_of_a_removal_is_reported_on_another_screen_after_the_session_ended(
    signed_in: Any, service: RunningService, hold_calls: Any, kind: Kind
) -> None:
    app, _ = open_confirmation(signed_in, service, kind)
    calls = hold_calls(*kind.call)
    press(app, kind.confirm)
    server().sessions.end_all()
    calls.finish()
    other_screen = run(signed_in.open_tab(screens.JOURNAL.page))
    assert len(toasts(other_screen)) == 1
    assert toasts(run(other_screen)) == []
    assert kind.count(signed_in.workspace) == 0


@pytest.mark.parametrize("kind", [each for each in KINDS if each.endpoint is not None], ids=repr)
@pytest.mark.parametrize(("fault", "state"), FAULTS, ids=str)
def test_an_uncertain_removal_is_reported_and_not_retried_automatically(
    signed_in: Any, kind: Kind, fault: dict[str, Any], state: str
) -> None:
    """Also after a double click. The message stays until it is dismissed."""
    assert kind.endpoint is not None
    method, path = kind.endpoint
    with RunningService(faults={"fault": [{**fault, "methods": [method], "path": path, "times": 1}]}) as service:
        app, _ = open_confirmation(signed_in, service, kind)
        press_twice(app, app.button(key=kind.confirm))
        assert list_states(signed_in) == [state]
        assert kind.count(signed_in.workspace) == (0 if fault.get("when") == "after" else 1)
        assert ("**Unknown: " if state == "unknown" else "**Not ") in page_text(run(app))
        press(app, f"{kind.removal.key}-removed-dismiss")
        assert ("**Unknown: " if state == "unknown" else "**Not ") not in page_text(app)


@every_kind
def test_nothing_is_removed_while_the_journal_is_unavailable(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise JournalUnavailable("The journal’s database cannot be reached.")

    app, _ = open_confirmation(signed_in, service, kind)
    with monkeypatch.context() as patched:
        patched.setattr(AuditTrail, "begin", fail)
        press(app, kind.confirm)
        assert "journal is not available" in page_text(app)
    assert kind.count(signed_in.workspace) == 1


@every_kind
def test_nothing_is_removed_in_a_tab_whose_session_has_ended(
    signed_in: Any, service: RunningService, kind: Kind
) -> None:
    app, _ = open_confirmation(signed_in, service, kind)
    server().sessions.end_all()
    press(app, kind.confirm)
    assert (list_states(signed_in), kind.count(signed_in.workspace)) == ([], 1)
