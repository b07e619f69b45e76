"""The rules for every screen that sends a change: each change is sent once and has one result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from client.resources.contact_filters import ContactFilters
from client.resources.itineraries import Itineraries
from client.resources.lookup_mappings import LookupMappings
from client.resources.notifications import Notifications
from components.edits import draft_editor, send_status_view
from components.shell import background_changes
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.edits import stored_drafts
from domain.edits.edit import Edit
from domain.filters.filter_change import FILTER_EDIT
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.mappings.mapping_change import MAPPING_EDIT, AttributeDraft, GroupDraft, MappingDraft
from domain.runtime import screens
from domain.runtime.screens import Screen
from domain.runtime.server import server
from domain.runtime.workspace import Workspace
from domain.trips.editor.form_state import from_itinerary
from domain.trips.editor.trip_change import TRIP_EDIT
from journal import JournalUnavailable
from journal.audit import AuditTrail
from journal.drafts import Drafts
from tests.app.presses import page_text, press, press_twice, run, title, toasts
from tests.declared import list_declared
from tests.domain.alerts.sending.alerts_for_sending import a_test
from tests.domain.trips.editor.sample_trips import BACK, OUT, trip
from tests.running_service import RunningService

RULE = {"contactFieldId": 210, "columnName": "firstName", "columnValue": "An", "type": "SYSTEM", "dataType": "STRING"}
RULE |= {"operator": "STARTWITH", "contactFilterOption": "STARTWITH"}


@dataclass(frozen=True)
class Kind:
    """A type of change: its draft, the button that sends it, and the client method that this calls.

    `read_method` checks whether the change was made. `confirm_button` is in the dialog before a draft becomes editable
    again, if any. `load_data` waits for data that must be loaded before the change can be sent.
    """

    name: str
    change: Edit[Any, Any]
    draft: Callable[[], Any]
    button: str
    call: tuple[type, str]
    path: str
    title: str
    count: Callable[[Workspace], int]
    title_after: str
    toast: str
    read_method: str = "search"
    confirm_button: str = ""
    review_button: str = ""
    load_data: Callable[[Workspace], Any] = lambda _: None

    @property
    def screen(self) -> Screen:
        """The screen that sends the change."""
        return self.change.screen

    def __repr__(self) -> str:
        return self.name


KINDS = [
    Kind(
        "a trip",
        TRIP_EDIT,
        lambda: from_itinerary(trip(OUT, BACK)).model_copy(update={"stage": "review"}),
        "trip_editor.send",
        (Itineraries, "create"),
        "/itineraries/8800",
        "Trip WSVM7K",
        lambda workspace: len(list(workspace.client.itineraries.search(field_name="pnr", values=["WSVM7K"]))),
        "Ana Silva: Abu Dhabi → Kuwait City",
        "Trip WSVM7K is added.",
    ),
    Kind(
        "a contact filter",
        FILTER_EDIT,
        lambda: FilterDraft(name="Staff", rules=[RuleDraft(payload=RULE)]),
        "contact-filter-save",
        (ContactFilters, "create"),
        "/contactFilters/8800",
        "Contact filter Staff",
        lambda workspace: len(list(workspace.client.contact_filters.list())),
        "Staff",
        "The contact filter Staff is saved.",
        read_method="list",
        review_button="contact-filter-save-now",
    ),
    Kind(
        "a lookup mapping",
        MAPPING_EDIT,
        lambda: MappingDraft(
            attributes=[AttributeDraft(name="site", values=["BER"])], groups=[GroupDraft(number="88011", name="Berlin")]
        ),
        "lookup_mapping.save",
        (LookupMappings, "create"),
        "/lookup/8800/mappings",
        "Mapping site = BER",
        lambda workspace: len(list(workspace.client.lookup_mappings.search())),
        "Mappings",
        "The mapping site = BER is created.",
    ),
    Kind(
        "a public alert",
        ALERT_EDIT,
        a_test,
        "public_alert.send",
        (Notifications, "create"),
        "/notifications",
        "Routine Weekly Test",
        lambda workspace: len(list(workspace.client.notifications.list())),
        "Sent: Routine Weekly Test",
        "The routine test was sent.",
        read_method="list",
        confirm_button="public_alert.again_dialog-confirm",
        load_data=lambda workspace: region_lookups(workspace).wait(),
    ),
]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=repr)


def open_draft(signed_in: Any, service: RunningService, kind: Kind) -> tuple[AppTest, str]:
    """Open the screen with a draft that can be sent; return the screen and the ID of the draft."""
    app = signed_in(service, kind.screen.page, token=service.token())
    draft = kind.draft()
    stored_drafts.save(signed_in.workspace, kind.change, draft, seen=None)
    kind.load_data(signed_in.workspace)
    app.query_params["draft"] = draft.uid
    return run(app), draft.uid


def list_states(signed_in: Any) -> list[str]:
    """Return the states of the sent changes, the latest first."""
    actor = signed_in.workspace.actor
    return [entry.state for entry in signed_in.workspace.journal.audit.list(actor.service, actor.organization_id)]


def test_every_type_of_edit_is_tested() -> None:
    assert {kind.change.kind for kind in KINDS} == {change.kind for change in list_declared(Edit)}


@every_kind
@pytest.mark.parametrize("is_claim_slow", [False, True])
def test_a_change_is_sent_once_despite_repeated_clicks_a_second_tab_and_a_refresh(
    signed_in: Any, service: RunningService, hold_calls: Any, kind: Kind, is_claim_slow: bool
) -> None:
    """Whether its claim or its request is slow. The result appears automatically; Streamlit's key `r` sends nothing."""
    app, uid = open_draft(signed_in, service, kind)
    other = run(signed_in.open_tab(kind.screen.page, draft=uid))
    calls = hold_calls(*((Drafts, "claim") if is_claim_slow else kind.call))
    press_twice(app, app.button(key=kind.button))
    press(other, kind.button)
    refreshed = run(signed_in.open_tab(kind.screen.page, draft=uid))
    for each in (run(app), other, refreshed):
        assert title(each) == f"Sending: {kind.title}"
        assert kind.button not in [button.key for button in each.button]
    calls.finish()
    run(refreshed)
    assert (title(refreshed), toasts(refreshed)) == (kind.title_after, [kind.toast])
    assert toasts(run(refreshed)) == []
    for each in (app, other):
        run(each)
        assert title(each) in (kind.title_after, f"Sent: {kind.title}")
    assert kind.count(signed_in.workspace) == 1
    assert is_claim_slow or calls.count == 1


@every_kind
def test_a_second_click_after_the_redirect_has_the_effect_of_one_click(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    """The second click opens the URL of the draft again. Later, that URL shows the status of the draft."""
    app, uid = open_draft(signed_in, service, kind)
    press(app, kind.button)
    assert title(app) == kind.title_after
    for seconds, expected in ((5.0, kind.title_after), (-1.0, f"Sent: {kind.title}")):
        monkeypatch.setattr(draft_editor, "URL_DELAY_SECONDS", seconds)
        app.switch_page(kind.screen.page)
        app.query_params.clear()
        app.query_params["draft"] = uid
        assert title(run(app)) == expected


@every_kind
def test_a_tab_left_open_shows_that_the_draft_was_sent_in_another_tab(
    signed_in: Any, service: RunningService, kind: Kind
) -> None:
    app, uid = open_draft(signed_in, service, kind)
    other = run(signed_in.open_tab(kind.screen.page, draft=uid))
    press(app, kind.button)
    press(other, kind.button)
    for each in (other, run(other), run(signed_in.open_tab(kind.screen.page, draft=uid))):
        assert title(each) == f"Sent: {kind.title}"
    assert kind.count(signed_in.workspace) == 1


@every_kind
def test_the_result_is_reported_on_another_screen_even_after_the_session_ended(
    signed_in: Any, service: RunningService, hold_calls: Any, kind: Kind
) -> None:
    app, _ = open_draft(signed_in, service, kind)
    calls = hold_calls(*kind.call)
    press(app, kind.button)
    server().sessions.end_all()
    calls.finish()
    other_screen = run(signed_in.open_tab(screens.JOURNAL.page))
    assert toasts(other_screen) == [kind.toast]
    assert toasts(run(other_screen)) == []
    assert kind.count(signed_in.workspace) == 1


def test_a_change_that_ends_while_results_are_reported_is_reported_automatically(
    signed_in: Any, service: RunningService, hold_calls: Any, monkeypatch: pytest.MonkeyPatch, refresh_at_once: Any
) -> None:
    kind = next(each for each in KINDS if each.change is MAPPING_EDIT)
    app, _ = open_draft(signed_in, service, kind)
    calls, deliver = hold_calls(*kind.call), background_changes._deliver
    press(app, kind.button)

    def deliver_then_finish(workspace: Workspace) -> None:
        deliver(workspace)
        calls.finish()

    monkeypatch.setattr(background_changes, "_deliver", deliver_then_finish)
    refresh_at_once()
    assert toasts(run(app)) == [kind.toast]


@every_kind
def test_a_slow_rejection_is_reported_on_any_screen_and_the_draft_can_be_resent(
    signed_in: Any, hold_calls: Any, kind: Kind
) -> None:
    """After a refresh, too."""
    fault = {"kind": "status", "status": 403, "methods": ["POST"], "path": kind.path, "times": 1}
    with RunningService(faults={"fault": [fault]}) as service:
        app, uid = open_draft(signed_in, service, kind)
        calls = hold_calls(*kind.call)
        press(app, kind.button)
        calls.finish()
        app.switch_page(screens.JOURNAL.page)
        other_screen = run(app)
        assert ["You do not have access." in each for each in toasts(other_screen)] == [True]
        again = run(signed_in.open_tab(kind.screen.page, draft=uid))
        press(again, kind.button)
        assert title(again) == kind.title_after
        assert list_states(signed_in) == ["succeeded", "refused"]


@every_kind
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"kind": "status", "status": 503}, "failed with status 503"),
        ({"kind": "drop", "when": "after"}, "its response was lost"),
    ],
    ids=["503", "lost"],
)
def test_status_unknown_is_checked_and_a_double_click_resolves_it_once(
    signed_in: Any, hold_calls: Any, kind: Kind, fault: dict[str, Any], words: str
) -> None:
    """The decision is recorded once, even while the journal is slow."""
    with RunningService(faults={"fault": [{**fault, "methods": ["POST"], "path": kind.path, "times": 1}]}) as service:
        app, _ = open_draft(signed_in, service, kind)
        press(app, kind.button)
        assert title(app) == f"{kind.title} has status Unknown"
        assert words in page_text(app)
        key = kind.change.key
        press(app, f"{key}.look")
        matches = [str(button.key) for button in app.button if str(button.key).startswith(f"{key}.resolve/")]
        assert len(matches) == kind.count(signed_in.workspace)
        decide = matches[0] if matches else f"{key}.again"
        if not matches and kind.confirm_button:
            press(app, decide)
            decide = kind.confirm_button
        deciding = hold_calls(AuditTrail, "begin")
        press_twice(app, app.button(key=decide))
        deciding.finish()
        run(app)
        assert list_states(signed_in) == ["succeeded" if matches else "not sent", "unknown"]
        if matches:
            assert title(app) == kind.title_after
        else:
            press(app, kind.review_button or kind.button)
            assert title(app) == kind.title_after
        assert kind.count(signed_in.workspace) == 1


@every_kind
def test_a_check_continues_without_the_tab_and_shows_its_result(
    signed_in: Any, hold_calls: Any, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    """The page can be left during a check, and is redrawn when the check ends."""
    has_ended: list[Callable[[], bool]] = []
    monkeypatch.setattr(send_status_view, "redraw_when", has_ended.append)
    fault = {"kind": "drop", "when": "after", "methods": ["POST"], "path": kind.path, "times": 1}
    with RunningService(faults={"fault": [fault]}) as service:
        app, _ = open_draft(signed_in, service, kind)
        press(app, kind.button)
        reading = hold_calls(kind.call[0], kind.read_method)
        press(app, f"{kind.change.key}.look")
        assert "This changes nothing." in page_text(app)
        assert f"{kind.change.key}.look" not in [button.key for button in app.button]
        assert [each() for each in has_ended] == [False]
        reading.finish()
        assert has_ended[0]()
        assert "Current version in the service" in [str(each.value) for each in run(app).header]


@every_kind
def test_nothing_is_sent_while_the_journal_is_down(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    """The screen reports it and keeps the draft, which can be sent once the journal is available."""

    def fail(*_: Any, **__: Any) -> Any:
        raise JournalUnavailable("The journal’s database cannot be reached.")

    app, _ = open_draft(signed_in, service, kind)
    for owner, method in ((Drafts, "claim"), (AuditTrail, "begin")):
        with monkeypatch.context() as patched:
            patched.setattr(owner, method, fail)
            press(app, kind.button)
            assert "journal is not available" in page_text(app)
        assert kind.count(signed_in.workspace) == 0
    press(app, kind.button)
    assert title(app) == kind.title_after
