"""Rules for every kind of removal: each record is removed once, and each outcome is reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from client import Duplicate, Invalid, ServiceClient
from domain.edits import stored_drafts
from domain.edits.removals import Outcome, Removal, Target, remove_each, unknown_of_others
from domain.filters.filter_change import FILTER_EDIT, FILTER_REMOVAL
from domain.filters.filter_change import target_of as filter_target
from domain.filters.filter_draft import FilterDraft, RuleDraft, to_filter
from domain.mappings.mapping_change import (
    MAPPING_EDIT,
    MAPPING_REMOVAL,
    AttributeDraft,
    GroupDraft,
    MappingDraft,
    to_request,
)
from domain.preparedness.shape_library.sent_regions import (
    REGION_REMOVAL,
    RegionFile,
    RegionTarget,
    list_sent_regions,
    send_files,
)
from domain.runtime.workspace import Workspace
from domain.trips.rosters.changes import ROSTER_REMOVAL
from domain.trips.rosters.changes import target_of as roster_target
from domain.trips.trip_removal import CANCEL_TRIP, DELETE_TRIP, TripTarget
from journal import JournalUnavailable
from journal.audit import AuditTrail
from tests.declared import list_declared
from tests.domain.trips.editor.sample_trips import OUT, trip
from tests.running_service import RunningService
from tests.service.shape_files import kml, placemark
from tests.workspace_at_service import workspace_at

NAMES = ("AAA111", "BBB222", "CCC333")


@dataclass(frozen=True)
class Kind:
    """A kind of removal: how to create a record, the method of the request, and the names of the remaining records."""

    name: str
    removal: Removal[Any]
    make: Callable[[Workspace, str], Target]
    remaining: Callable[[Workspace], set[str]]
    method: str = "DELETE"
    is_read_before: bool = False
    """Whether the record is read before it is deleted, so that its contents are in the journal."""

    def __repr__(self) -> str:
        return self.name


def _trip(workspace: Workspace, name: str) -> TripTarget:
    new_id = workspace.client.itineraries.create(trip(OUT, locator=name)).id
    return TripTarget(new_id, f"trip {name}", locator=name)


def _trips(workspace: Workspace) -> set[str]:
    search = workspace.client.itineraries.search
    return {name for name in NAMES if list(search(field_name="pnr", values=[name]))}


def _filter(workspace: Workspace, name: str) -> Target:
    draft = FilterDraft(name=name, rules=[RuleDraft(payload=RULE)])
    new_id = workspace.client.contact_filters.create(to_filter(draft)).id
    return filter_target(workspace.client.contact_filters.retrieve(new_id))


def _mapping(workspace: Workspace, name: str) -> Target:
    draft = MappingDraft(attributes=[AttributeDraft(name="site", values=[name])], groups=[GroupDraft(number="1")])
    return Target(workspace.client.lookup_mappings.create(to_request(draft)).id, name)


def _roster(workspace: Workspace, name: str) -> Target:
    return roster_target(workspace.journal.rosters.create(workspace.actor, name, []))


def _rosters(workspace: Workspace) -> set[str]:
    return {each.name for each in workspace.journal.rosters.list(workspace.actor.service, 8800)}


def _region(workspace: Workspace, name: str) -> Target:
    send_files(workspace, [RegionFile(name, "", "zones.kml", kml(placemark("One")), 1)])
    return RegionTarget(None, name)


def _regions(workspace: Workspace) -> set[str]:
    """Return the regions whose names are in use. The service checks a name before the file, and has no list."""
    found = set()
    for region in list_sent_regions(workspace):
        try:
            workspace.client.shape_library.upload(b"nothing", region_name=region.name, file_name="zones.kml")
        except Duplicate:
            found.add(region.name)
        except Invalid:
            pass
    return found


RULE = {"contactFieldId": 210, "columnName": "firstName", "columnValue": "An", "type": "SYSTEM", "dataType": "STRING"}
RULE |= {"operator": "STARTWITH", "contactFilterOption": "STARTWITH"}
SERVICE_KINDS = [
    Kind("canceling trips", CANCEL_TRIP, _trip, _trips, "PUT"),
    Kind("deleting trips", DELETE_TRIP, _trip, _trips),
    Kind(
        "deleting contact filters",
        FILTER_REMOVAL,
        _filter,
        lambda workspace: {each.name or "" for each in workspace.client.contact_filters.list()},
        is_read_before=True,
    ),
    Kind(
        "deleting mappings",
        MAPPING_REMOVAL,
        _mapping,
        lambda workspace: {each.attributes[0].values[0] for each in workspace.client.lookup_mappings.search()},
        is_read_before=True,
    ),
]
SERVICE_KINDS.append(Kind("deleting shapes", REGION_REMOVAL, _region, _regions))
KINDS = [*SERVICE_KINDS, Kind("deleting rosters", ROSTER_REMOVAL, _roster, _rosters, is_read_before=True)]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=repr)


def states(workspace: Workspace, kind: Kind) -> list[str]:
    """Return the states of the removals in the journal, oldest first."""
    entries = workspace.journal.audit.list(workspace.actor.service, workspace.actor.organization_id)
    return [entry.state for entry in reversed(entries) if entry.action == kind.removal.action]


def test_every_kind_of_removal_is_tested() -> None:
    assert {kind.removal.key for kind in KINDS} == {removal.key for removal in list_declared(Removal)}


@every_kind
def test_each_record_is_removed_once_and_a_missing_record_is_reported(workspace: Workspace, kind: Kind) -> None:
    targets = [kind.make(workspace, name) for name in NAMES]
    remove_each(workspace, kind.removal, targets[:1])
    outcomes = remove_each(workspace, kind.removal, targets)
    assert [each.state for each in outcomes] == ["gone before", "gone", "gone"]
    assert kind.remaining(workspace) == set()
    # If the record is read before it is deleted, nothing is sent for a missing record.
    refused = [] if kind.is_read_before else ["refused"]
    assert states(workspace, kind) == ["succeeded", *refused, "succeeded", "succeeded"]
    summary = kind.removal.summary(outcomes)
    assert summary.count("Already gone") == 1
    assert "CCC333" in summary
    label = kind.removal.label(targets)
    assert label == f"{kind.removal.verb.label} 3 {kind.removal.noun[1]}"


@pytest.mark.parametrize("kind", SERVICE_KINDS, ids=repr)
@pytest.mark.parametrize(
    ("fault", "state", "still_exists"),
    [
        ({"kind": "status", "status": 403}, "kept", True),
        ({"kind": "status", "status": 503}, "unknown", True),
        ({"kind": "drop", "when": "before"}, "unknown", True),
        ({"kind": "drop", "when": "after"}, "unknown", False),
    ],
    ids=str,
)
def test_a_failed_removal_is_reported_for_its_record_and_the_others_continue(
    tmp_path: Path, kind: Kind, fault: dict[str, Any], state: str, still_exists: bool
) -> None:
    once = {**fault, "methods": [kind.method], "times": 1}
    with RunningService(faults={"fault": [once]}) as service, workspace_at(service, tmp_path) as workspace:
        targets = [kind.make(workspace, name) for name in NAMES]
        outcomes = remove_each(workspace, kind.removal, targets)
        assert [each.state for each in outcomes] == [state, "gone", "gone"]
        assert outcomes[0].error is not None
        assert kind.remaining(workspace) == ({"AAA111"} if still_exists else set())
        assert kind.removal.summary(outcomes) == "", "each record is reported separately"
        assert states(workspace, kind) == ["refused" if state == "kept" else "unknown", "succeeded", "succeeded"]


@pytest.mark.parametrize("kind", SERVICE_KINDS, ids=repr)
def test_removals_stop_when_the_service_is_unreachable(workspace: Workspace, kind: Kind) -> None:
    targets = [kind.make(workspace, name) for name in NAMES]
    unreachable = replace(workspace, client=ServiceClient("http://127.0.0.1:9", 8800, "ana", "x", token="x.y.z"))
    outcomes = remove_each(unreachable, kind.removal, targets)
    unreachable.client.close()
    assert [each.state for each in outcomes] == ["kept", "not tried", "not tried"]
    assert len(kind.remaining(workspace)) == 3


@every_kind
def test_nothing_is_removed_if_the_journal_cannot_be_written(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise JournalUnavailable("The journal’s database cannot be reached.")

    targets = [kind.make(workspace, name) for name in NAMES]
    with monkeypatch.context() as patched:
        patched.setattr(AuditTrail, "begin", fail)
        outcomes = remove_each(workspace, kind.removal, targets)
    assert [each.state for each in outcomes] == ["kept", "not tried", "not tried"]
    assert len(kind.remaining(workspace)) == 3


@pytest.mark.parametrize(
    ("change", "removal", "make", "build_draft"),
    [
        (FILTER_EDIT, FILTER_REMOVAL, _filter, lambda number: FilterDraft(filter_id=number, name="Mine")),
        (
            MAPPING_EDIT,
            MAPPING_REMOVAL,
            _mapping,
            lambda number: MappingDraft(mapping_id=number, attributes=[AttributeDraft(name="site", values=["Mine"])]),
        ),
    ],
    ids=["contact filter", "mapping"],
)
def test_a_removal_names_the_draft_of_a_record_and_deletes_it(
    workspace: Workspace, change: Any, removal: Any, make: Callable[..., Target], build_draft: Callable[..., Any]
) -> None:
    target, other = make(workspace, "AAA111"), make(workspace, "BBB222")
    draft, other_draft = build_draft(target.subject_id), build_draft(other.subject_id)
    for each in (draft, other_draft):
        stored_drafts.save(workspace, change, each, seen=None)
    assert sum("Mine" in line for line in removal.consequences(workspace, [target])) == 1
    remove_each(workspace, removal, [target])
    assert stored_drafts.load(workspace, change, draft.uid) is None
    assert stored_drafts.load(workspace, change, other_draft.uid) is not None


def test_an_unknown_removal_is_matched_by_id_after_its_record_was_renamed() -> None:
    unknown = [
        Outcome(Target(number, title), "unknown") for number, title in ((7, "Staff"), (8, "Crew"), (None, "Zones"))
    ]
    assert unknown_of_others(unknown, [Target(7, "Staff in Oslo"), Target(None, "Zones")]) == [unknown[1]]
