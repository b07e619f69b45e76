"""Rules for every kind of change: each change is made once or reported, even if service, journal, or process fail."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from client import Rejected, ServiceError
from client.resources.contact_filters import ContactFilters
from client.resources.itineraries import Itineraries
from client.resources.lookup_mappings import LookupMappings
from client.resources.notifications import Notifications
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.edits import draft_sending, stored_drafts
from domain.edits.edit import Edit
from domain.edits.edit_draft import SendStatus
from domain.filters.filter_change import FILTER_EDIT, FilterEdit
from domain.filters.filter_draft import FilterDraft, RuleDraft, from_filter, to_filter
from domain.mappings.mapping_change import (
    MAPPING_EDIT,
    AttributeDraft,
    GroupDraft,
    MappingDraft,
    draft_of,
    to_request,
)
from domain.runtime.workspace import Workspace
from domain.trips.editor.form_state import from_itinerary
from domain.trips.editor.trip_change import TRIP_EDIT
from journal import Actor, JournalUnavailable, audit
from journal.audit import AuditTrail
from journal.drafts import Drafts
from journal.journal_database import Database, utc_now
from journal.tables import audit_entries, drafts
from tests.declared import list_declared
from tests.domain.alerts.sending.alerts_for_sending import an_alert
from tests.domain.trips.editor.sample_trips import BACK, OUT, trip
from tests.running_service import RunningService
from tests.sent_drafts import load_stored_draft, send_draft
from tests.workspace_at_service import workspace_at

RULE = {"columnName": "firstName", "columnValue": "An", "operator": "STARTWITH", "contactFilterOption": "STARTWITH"}
RULE |= {"contactFieldId": 210, "type": "SYSTEM", "dataType": "STRING"}  # type: ignore[dict-item]


@dataclass(frozen=True)
class Kind:
    """A kind of change: a draft to send, the call that sends it, and how often the service has the change."""

    name: str
    change: Edit[Any, Any]
    draft: Callable[[Workspace], Any]
    call: tuple[type, str]
    path: str
    count_done: Callable[[Workspace], int]

    @property
    def method(self) -> str:
        """The method of its request."""
        return "POST" if self.call[1] == "create" else "PUT"

    def __repr__(self) -> str:
        return self.name


def _filter(name: str) -> FilterDraft:
    return FilterDraft(name=name, rules=[RuleDraft(payload=RULE)])


def _filter_change(workspace: Workspace) -> FilterDraft:
    number = workspace.client.contact_filters.create(to_filter(_filter("Before"))).id
    return from_filter(workspace.client.contact_filters.retrieve(number), filter_id=number).model_copy(
        update={"name": "Staff"}
    )


def _trip_change(workspace: Workspace) -> Any:
    new_id = workspace.client.itineraries.create(trip(OUT)).id
    base = {"base": trip(OUT).to_wire()}
    return from_itinerary(trip(OUT, BACK), itinerary_id=new_id).model_copy(update=base)


def _filters(workspace: Workspace) -> int:
    return sum(each.name == "Staff" for each in workspace.client.contact_filters.list())


def _trips(workspace: Workspace) -> int:
    ids = [reference.id for reference in workspace.client.itineraries.search(field_name="pnr", values=["WSVM7K"])]
    return sum(len(list(workspace.client.itineraries.list_expected_locations(each))) == 4 for each in ids)


def _mapping(*sites: str) -> MappingDraft:
    return MappingDraft(
        attributes=[AttributeDraft(name="site", values=[*sites])], groups=[GroupDraft(number="88011", name="Berlin")]
    )


def _mapping_change(workspace: Workspace) -> MappingDraft:
    mapping = workspace.client.lookup_mappings.create(to_request(_mapping("BER")))
    stored = workspace.client.lookup_mappings.retrieve(mapping.id)
    return draft_of(stored).model_copy(update={"attributes": _mapping("BER", "MUC").attributes})


def _mappings(workspace: Workspace) -> int:
    return len(list(workspace.client.lookup_mappings.search(attributes={"site": ["MUC"]})))


TRIPS, FILTERS, MAPPINGS = "/itineraries/8800*", "/contactFilters/8800*", "/lookup/8800/mappings*"
KINDS = [
    Kind("a new trip", TRIP_EDIT, lambda _: from_itinerary(trip(OUT, BACK)), (Itineraries, "create"), TRIPS, _trips),
    Kind("the change of a trip", TRIP_EDIT, _trip_change, (Itineraries, "update"), TRIPS, _trips),
    Kind(
        "a new contact filter", FILTER_EDIT, lambda _: _filter("Staff"), (ContactFilters, "create"), FILTERS, _filters
    ),
    Kind("the change of a contact filter", FILTER_EDIT, _filter_change, (ContactFilters, "update"), FILTERS, _filters),
    Kind(
        "a new mapping", MAPPING_EDIT, lambda _: _mapping("BER", "MUC"), (LookupMappings, "create"), MAPPINGS, _mappings
    ),
    Kind(
        "a public alert",
        ALERT_EDIT,
        lambda _: an_alert(),
        (Notifications, "create"),
        "/notifications",
        lambda workspace: len(list(workspace.client.notifications.list())),
    ),
    Kind("the change of a mapping", MAPPING_EDIT, _mapping_change, (LookupMappings, "update"), MAPPINGS, _mappings),
]

FAULTS: list[tuple[dict[str, Any] | None, SendStatus, int]] = [
    (None, SendStatus.SENT, 1),
    # Tests of the client cover the meaning of each HTTP status.
    ({"kind": "status", "status": 403}, SendStatus.DRAFT, 0),
    ({"kind": "status", "status": 429}, SendStatus.DRAFT, 0),
    ({"kind": "status", "status": 503}, SendStatus.UNKNOWN, 0),
    ({"kind": "drop", "when": "before"}, SendStatus.UNKNOWN, 0),
    ({"kind": "drop", "when": "after"}, SendStatus.UNKNOWN, 1),
    ({"kind": "truncate", "bytes": 20}, SendStatus.UNKNOWN, 1),
    ({"kind": "truncate", "bytes": 20, "close": False}, SendStatus.UNKNOWN, 1),
    ({"kind": "html", "status": 502}, SendStatus.UNKNOWN, 0),
    ({"kind": "html", "status": 200, "when": "after"}, SendStatus.UNKNOWN, 1),
]


class Killed(BaseException):
    """The process was killed."""


STEPS: list[tuple[str, type | None, str, bool, SendStatus, int]] = [
    ("before the draft is claimed", Drafts, "claim", False, SendStatus.DRAFT, 0),
    ("once the draft is claimed", Drafts, "claim", True, SendStatus.DRAFT, 0),
    ("once the entry is written", AuditTrail, "begin", True, SendStatus.DRAFT, 0),
    ("once the claim names the entry", Drafts, "note", True, SendStatus.UNKNOWN, 0),
    ("before the call", None, "", False, SendStatus.UNKNOWN, 0),
    ("after the call", None, "", True, SendStatus.UNKNOWN, 1),
    ("before the outcome is written", AuditTrail, "finish", False, SendStatus.UNKNOWN, 1),
    ("once the outcome is written", AuditTrail, "finish", True, SendStatus.SENT, 1),
]


def states(workspace: Workspace, kind: Kind) -> list[str]:
    """Return the states of the sendings of this kind in the journal, newest first."""
    entries = workspace.journal.audit.list(workspace.actor.service, workspace.actor.organization_id)
    return [entry.state for entry in entries if entry.subject_kind == kind.change.kind]


def expire_claims_and_leases(workspace: Workspace) -> None:
    """Let all claims expire, and the leases of processes that died."""
    past = utc_now() - timedelta(minutes=5)
    with workspace.journal.drafts._database.writing() as connection:
        connection.execute(drafts.update().where(drafts.c.claimed_at.is_not(None)).values(claimed_at=past))
        of_dead = audit_entries.c.lease_until.is_not(None)
        connection.execute(audit_entries.update().where(of_dead).values(lease_until=past))


def reconcile(workspace: Workspace, kind: Kind, draft: Any) -> None:
    """Reconcile as a person would: the change was made if the service has a match."""
    stored = load_stored_draft(workspace, kind.change, draft)
    assert stored.status is SendStatus.UNKNOWN
    assert send_draft(workspace, kind.change, draft) is None, "nothing is resent automatically"
    found = kind.change.reconcile(workspace, stored).candidates
    likely = [each for each in found if each.is_match]
    assert len(likely) == kind.count_done(workspace)
    if likely:
        draft_sending.mark_as_done(workspace, kind.change, stored, likely[0])
        return
    draft_sending.mark_as_not_done(workspace, kind.change, stored)
    assert load_stored_draft(workspace, kind.change, draft).status is SendStatus.DRAFT
    send_draft(workspace, kind.change, load_stored_draft(workspace, kind.change, draft).draft)


def test_every_kind_of_change_is_tested() -> None:
    assert {kind.change.kind for kind in KINDS} == {change.kind for change in list_declared(Edit)}


@pytest.mark.parametrize("kind", KINDS, ids=repr)
@pytest.mark.parametrize(("fault", "status", "done"), FAULTS, ids=str)
def test_a_change_is_made_once_and_has_a_correct_status_after_any_fault(
    tmp_path: Path, kind: Kind, fault: dict[str, Any] | None, status: SendStatus, done: int
) -> None:
    faults = (
        {"fault": [{**fault, "methods": [kind.method], "path": kind.path, "times": 1}]} if fault is not None else None
    )
    with RunningService(faults=faults) as service, workspace_at(service, tmp_path) as workspace:
        draft = kind.draft(workspace)
        failed: Exception | None = None
        try:
            send_draft(workspace, kind.change, draft)
        except ServiceError as error:
            failed = error
        assert (failed is None) == (status is SendStatus.SENT)
        assert load_stored_draft(workspace, kind.change, draft).status is status
        assert kind.count_done(workspace) == done
        if status is SendStatus.UNKNOWN:
            reconcile(workspace, kind, draft)
        elif status is SendStatus.DRAFT:
            send_draft(workspace, kind.change, draft)
        assert kind.count_done(workspace) == 1
        assert load_stored_draft(workspace, kind.change, draft).status is SendStatus.SENT
        assert states(workspace, kind).count("succeeded") == 1
        assert stored_drafts.list_unfinished(workspace, kind.change) == []


@pytest.mark.parametrize("kind", KINDS, ids=repr)
@pytest.mark.parametrize(
    ("when", "place", "method", "is_after", "status", "done"), STEPS, ids=[step[0] for step in STEPS]
)
def test_after_a_kill_at_any_step_the_next_process_knows_what_to_reconcile(
    service: RunningService,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: Kind,
    when: str,
    place: type | None,
    method: str,
    is_after: bool,
    status: SendStatus,
    done: int,
) -> None:
    del when
    owner, name = (place, method) if place is not None else kind.call
    with workspace_at(service, tmp_path) as first:
        draft = kind.draft(first)
        stored_drafts.save(first, kind.change, draft, seen=None)
        with monkeypatch.context() as dying:
            _kill_at(dying, owner, name, is_after=is_after)
            with pytest.raises(Killed):
                send_draft(first, kind.change, draft)
    with workspace_at(service, tmp_path) as second:
        if (status is not SendStatus.SENT and owner is not Drafts) or method == "note":
            assert load_stored_draft(second, kind.change, draft).status is SendStatus.SENDING, (
                "the process may still be running"
            )
        expire_claims_and_leases(second)
        assert load_stored_draft(second, kind.change, draft).status is status
        assert kind.count_done(second) == done
        if status is SendStatus.UNKNOWN:
            reconcile(second, kind, draft)
        elif status is SendStatus.DRAFT:
            send_draft(second, kind.change, draft)
        assert kind.count_done(second) == 1
        assert load_stored_draft(second, kind.change, draft).status is SendStatus.SENT


def _kill_at(dying: pytest.MonkeyPatch, owner: type, name: str, *, is_after: bool) -> None:
    original = getattr(owner, name)

    def raise_killed(*_: Any, **__: Any) -> Any:
        raise Killed

    def call_and_die(*arguments: Any, **options: Any) -> Any:
        if is_after:
            original(*arguments, **options)
        dying.setattr(Database, "writing", raise_killed)
        raise Killed

    dying.setattr(owner, name, call_and_die)


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_nothing_is_sent_if_the_journal_cannot_be_written(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    draft = kind.draft(workspace)
    for owner, name in ((Drafts, "replace"), (Drafts, "claim"), (AuditTrail, "begin"), (Drafts, "note")):
        with monkeypatch.context() as down:
            down.setattr(owner, name, _unavailable)
            with pytest.raises(JournalUnavailable):
                send_draft(workspace, kind.change, draft)
        assert kind.count_done(workspace) == 0
    assert send_draft(workspace, kind.change, draft) is not None
    assert kind.count_done(workspace) == 1


def test_an_attempt_with_a_very_long_request_is_found(workspace: Workspace) -> None:
    """Otherwise a user who discards the draft and saves it again could send it twice."""
    values = [f"E{number:06}" for number in range(3_000)]
    draft = FilterDraft(name="Staff", rules=[RuleDraft(payload=RULE | {"operator": "IN", "columnValue": values})])

    class Unchecked(FilterEdit):
        def check(self, workspace: Workspace, draft: FilterDraft) -> None:
            """Skip the check."""

    change = Unchecked()
    with suppress(Rejected):
        send_draft(workspace, change, draft)
    assert len(stored_drafts.find_attempts(workspace, change, draft.uid, change.action(draft))) == 1


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_a_change_is_not_repeated_if_its_outcome_could_not_be_recorded(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    draft = kind.draft(workspace)
    with monkeypatch.context() as down:
        down.setattr(audit, "_mark_resolved", _unavailable)
        send_draft(workspace, kind.change, draft)
    assert kind.count_done(workspace) == 1
    expire_claims_and_leases(workspace)
    reconcile(workspace, kind, draft)
    assert kind.count_done(workspace) == 1


@pytest.mark.parametrize(
    ("kind", "is_before_check"),
    [(KINDS[0], True), *((kind, number % 2 == 1) for number, kind in enumerate(KINDS))],
    ids=str,
)
def test_a_draft_is_not_sent_twice_even_by_two_tabs_at_once(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, kind: Kind, is_before_check: bool
) -> None:
    """The other tab sends the draft right before the check of this tab, or right before its claim."""
    draft = kind.draft(workspace)
    version = stored_drafts.save(workspace, kind.change, draft, seen=None)
    original, check = Drafts.claim, type(kind.change).check
    change = kind.change

    def other_tab() -> None:
        monkeypatch.setattr(Drafts, "claim", original)
        assert draft_sending.send_draft(workspace, kind.change, draft, seen=version, note={}) is not None

    def other_tab_first(*arguments: Any, **options: Any) -> bool:
        other_tab()
        return original(*arguments, **options)

    def other_tab_before(*arguments: Any) -> None:
        monkeypatch.setattr(type(change), "check", check)
        other_tab()
        check(*arguments)

    if is_before_check:
        monkeypatch.setattr(type(change), "check", other_tab_before)
    else:
        monkeypatch.setattr(Drafts, "claim", other_tab_first)
    assert draft_sending.send_draft(workspace, change, draft, seen=version, note={}) is None
    assert send_draft(workspace, kind.change, draft) is None
    assert states(workspace, kind) == ["succeeded"]
    assert kind.count_done(workspace) == 1


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_a_send_that_lost_its_claim_to_another_tab_sends_nothing(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    """The claim expired after 30 seconds, and another tab sent the draft."""
    draft = kind.draft(workspace)
    stored_drafts.save(workspace, kind.change, draft, seen=None)
    original = AuditTrail.begin

    def begin_after_other_tab(*arguments: Any, **options: Any) -> int:
        monkeypatch.setattr(AuditTrail, "begin", original)
        expire_claims_and_leases(workspace)
        assert send_draft(workspace, kind.change, draft) is not None
        return original(*arguments, **options)

    monkeypatch.setattr(AuditTrail, "begin", begin_after_other_tab)
    assert send_draft(workspace, kind.change, draft) is None
    assert states(workspace, kind) == ["not sent", "succeeded"]
    assert load_stored_draft(workspace, kind.change, draft).status is SendStatus.SENT
    assert kind.count_done(workspace) == 1


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_a_draft_that_another_tab_saved_since_is_not_sent(workspace: Workspace, kind: Kind) -> None:
    draft = kind.draft(workspace)
    version = stored_drafts.save(workspace, kind.change, draft, seen=None)
    stored_drafts.save(workspace, kind.change, draft.model_copy(update={"checked": True}), seen=version)
    with pytest.raises(draft_sending.DraftChangedError):
        draft_sending.send_draft(workspace, kind.change, draft, seen=version, note={})
    assert kind.count_done(workspace) == 0
    assert states(workspace, kind) == []


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_a_draft_is_visible_only_to_its_owner(workspace: Workspace, kind: Kind) -> None:
    draft = kind.draft(workspace)
    stored_drafts.save(workspace, kind.change, draft, seen=None)
    ben = replace(workspace, actor=Actor(workspace.actor.service, workspace.actor.organization_id, "ben"))
    assert stored_drafts.list_unfinished(ben, kind.change) == []
    assert stored_drafts.load(ben, kind.change, draft.uid) is None


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_an_unreadable_draft_does_not_hide_other_drafts(workspace: Workspace, kind: Kind) -> None:
    """For example a draft of another version of Muster. It stays stored and is not sent."""
    draft = kind.draft(workspace)
    stored_drafts.save(workspace, kind.change, draft, seen=None)
    odd = draft.model_copy(update={"uid": "odd"})
    payload = {**odd.model_dump(mode="json"), "stage": "of another version"}
    workspace.journal.drafts.save(workspace.actor, kind.change.draft_kind, odd.uid, payload)
    assert [stored.draft for stored in stored_drafts.list_unfinished(workspace, kind.change)] == [draft]
    assert stored_drafts.load(workspace, kind.change, odd.uid) is None
    with pytest.raises(draft_sending.DraftChangedError):
        send_draft(workspace, kind.change, odd)
    assert kind.count_done(workspace) == 0
    record = workspace.journal.drafts.load(workspace.actor, kind.change.draft_kind, odd.uid)
    assert record is not None
    assert record.payload == payload


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_a_claim_of_an_older_muster_version_is_unknown_and_never_resent_automatically(
    workspace: Workspace, kind: Kind
) -> None:
    """The claim has no journal entry, so the status is unknown."""
    draft = kind.draft(workspace)
    stored_drafts.save(workspace, kind.change, draft, seen=None)
    workspace.journal.drafts.claim(workspace.actor, kind.change.draft_kind, draft.uid, {"held_before": []})
    expire_claims_and_leases(workspace)
    assert load_stored_draft(workspace, kind.change, draft).status is SendStatus.UNKNOWN
    reconcile(workspace, kind, draft)
    assert kind.count_done(workspace) == 1


def _unavailable(*_: Any, **__: Any) -> Any:
    raise JournalUnavailable("The journal’s database cannot be reached.")
