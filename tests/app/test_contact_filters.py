"""The contact filter screens in AppTest: list, open, build, save, edit conflicts, lost responses, rejections,
delete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bench.many_people import CHOICES
from client import ServiceFailed
from client.models.contact_filters import ContactFilter
from client.paging import Page
from client.resources.contact_filters import ContactFilters
from components.edits.draft_editor import NO_SUCH_DRAFT, UNFINISHED, UNSAVED_ELSEWHERE, Editor
from components.filters.builder.rule_actions import EDITOR, KNOWN_IDS
from components.filters.builder.rule_menu import menu_key, values_key
from components.filters.list.contact_filter_list import CONTACT_FILTERS
from components.widgets.downloads import json_text
from domain.edits import stored_drafts
from domain.filters.comparison import name_of
from domain.filters.filter_change import FILTER_EDIT, ListedFilter
from domain.filters.filter_draft import FilterDraft, RuleDraft, drop_id
from domain.filters.filter_form import PREFIX
from domain.runtime import screens
from domain.runtime.workspace import Workspace
from tests.app.conftest import HeldCalls
from tests.app.following import follow
from tests.app.form_fields import key_of
from tests.app.presses import press, run, title
from tests.app.tables import tables
from tests.running_service import RunningService

LIST, BUILDER = screens.CONTACT_FILTERS.page, screens.CONTACT_FILTER.page
RULE = {
    "contactFieldId": 210,
    "columnName": "firstName",
    "columnValue": "An",
    "type": "SYSTEM",
    "dataType": "STRING",
    "operator": "STARTWITH",
    "contactFilterOption": "STARTWITH",
}
OTHER_RULE = {**RULE, "columnName": "lastName", "columnValue": "Silva"}


def page_text(app: AppTest) -> str:
    """Return all messages on the page."""
    kinds: list[Any] = [
        app.title, app.header, app.markdown, app.caption, app.error, app.warning, app.info, app.success, app.toast,
    ]  # fmt: skip
    return "\n".join(str(element.value) for kind in kinds for element in kind).replace("\\", "").replace("**", "")


def progress_texts(app: AppTest) -> list[str]:
    """Return the texts of all progress bars."""
    return [each.proto.text.replace("\\", "") for each in app.get("progress")]


def button_keys(app: AppTest) -> set[str]:
    """Return the keys of all buttons."""
    return {str(button.key) for button in app.button}


def mute(app: AppTest, number: int) -> AppTest:
    """Mute a rule."""
    button = next(each for each in app.button if str(each.help).startswith(f"Mute rule {number}"))
    button.click().run()
    assert not app.exception
    return app


def draft_of(app: AppTest) -> FilterDraft:
    """Return the draft in the session."""
    draft = app.session_state[EDITOR.draft.name]
    assert isinstance(draft, FilterDraft)
    return draft


def type_name(app: AppTest, name: str) -> AppTest:
    """Type a name."""
    app.text_input(key=key_of(app, PREFIX, draft_of(app).uid, "name")).set_value(name).run()
    assert not app.exception
    return app


def store_filter(
    service: RunningService, name: str = "Staff", *rules: dict[str, Any], number: int | None = None
) -> int:
    """Create or change a filter outside Muster."""
    body = ContactFilter.from_wire({"name": name, "contactFilterRules": list(rules or (RULE,))})
    with service.client() as client:
        if number is not None:
            return client.contact_filters.update(number, body).id
        return client.contact_filters.create(body).id


def list_filters(service: RunningService) -> dict[int, str]:
    """Return the names of the service's filters by ID."""
    with service.client() as client:
        return {each.id or 0: name_of(each) for each in client.contact_filters.list()}


def save_draft(signed_in: Any, name: str = "Staff", *rules: dict[str, Any]) -> str:
    """Save a draft of a new filter."""
    draft = FilterDraft(name=name, rules=[RuleDraft(payload=rule) for rule in rules or (RULE,)])
    stored_drafts.save(signed_in.workspace, FILTER_EDIT, draft, seen=None)
    return draft.uid


def open_builder(signed_in: Any, service: RunningService, *rules: dict[str, Any]) -> AppTest:
    """Open the builder with a new filter without errors."""
    app = signed_in(service, BUILDER)
    app.query_params["draft"] = save_draft(signed_in, "Staff", *rules)
    return run(app)


def list_names(app: AppTest) -> list[str]:
    """Return the names in the table."""
    return list(tables(app)[0]["name"])


def list_entries(signed_in: Any) -> list[tuple[str, str]]:
    """Return the actions in the journal, the latest first."""
    workspace = signed_in.workspace
    audit_entries = workspace.journal.audit.list(workspace.actor.service, workspace.actor.organization_id)
    return [(entry.action.removeprefix("contact_filter."), entry.state) for entry in audit_entries]


@pytest.fixture
def lossy_service() -> Iterator[RunningService]:
    """A service that saves the first new filter and loses the response."""
    fault = {"kind": "drop", "when": "after", "methods": ["POST"], "path": "/contactFilters/8800", "times": 1}
    with RunningService(faults={"fault": [fault]}) as running:
        yield running


def test_an_empty_list_of_filters_says_what_to_do_first(signed_in: Any, service: RunningService) -> None:
    app = run(signed_in(service, LIST))
    assert "A contact filter selects people by rules" in page_text(app)
    assert not tables(app)
    press(app, "contact-filters-empty")
    assert title(app) == "New contact filter"
    assert stored_drafts.list_unfinished(signed_in.workspace, FILTER_EDIT) == []


def test_all_filters_are_listed_searched_and_sorted(signed_in: Any, demo_service: RunningService) -> None:
    app = run(signed_in(demo_service, LIST))
    names = list_names(app)
    assert len(names) == 28
    assert names == sorted(names, key=str.casefold)
    assert "28 filters · latest change" in page_text(app)
    assert {name for name, _ in CHOICES["filter list"]} <= {each.label for each in app.text_input}, "for the benchmark"
    app.text_input(key="contact-filters-find").set_value("old IMPORT").run()
    assert len(list_names(app)) == 3
    app.text_input(key="contact-filters-find").set_value("nothing like it").run()
    assert "No filter matches “nothing like it”" in page_text(app)
    press(app, "contact-filters-clear")
    app.query_params["contact-filters-sort"] = "rules descending"
    assert next(iter(tables(app.run())[0]["rules"])) == "2"
    number = next(row.Index for row in tables(app)[0].itertuples() if row.name == "Expected in Singapore now")
    app = run(signed_in(demo_service, LIST, id=number))
    text = page_text(app)
    assert "1. Expected date is now\n2. Country · expected location is Singapore" in text
    assert "2 rules · Last changed by" in text
    assert {f"contact-filters-{each}/{number}" for each in ("edit", "copy", "delete")} <= button_keys(app)


def test_an_old_filter_is_shown_with_its_problems(signed_in: Any, demo_service: RunningService) -> None:
    app = run(signed_in(demo_service, LIST, name="Old import: Boston office"))
    assert app.header[0].value.replace("\\", "") == "Old import: Boston office"
    assert "Rule 1:" in "\n".join(str(each.value) for each in app.warning)


def test_incomplete_records_are_shown(signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing fields are not shown as 0 or 1970. A record without an ID is read by name."""
    store_filter(service, "Named only")
    incomplete = {"id": 0, "name": "Named only", "lastModifiedDate": 0, "lastModifiedId": 0, "contactFilterRules": []}
    records = [ContactFilter.from_wire(each) for each in (incomplete, {"id": 5}, {})]
    app = signed_in(service, LIST, name="Named only")
    api = signed_in.workspace.client.contact_filters
    monkeypatch.setattr(api, "list", lambda *, page_number=1: Page(records, page_number))
    run(app)
    table = tables(app)[0]
    assert len(table) == 3
    assert set(table[["rules", "changed", "by"]].to_numpy().ravel()) == {"unknown"}
    nameless = signed_in.open_tab(LIST, id="row:2")
    assert run(nameless).header[0].value == "Filter without a name"
    assert "3 filters" in page_text(app)
    assert "1970" not in page_text(app)
    assert "1 rule · Last changed by" in page_text(app)
    press(app, "contact-filters-edit/1")
    assert title(app) == "Named only"
    assert draft_of(app).filter_id == 1


def test_the_first_page_is_shown_with_an_error_if_the_second_fails(signed_in: Any) -> None:
    fault = {"kind": "status", "status": 403, "path": "/contactFilters/8800", "methods": ["GET"], "skip": 1, "times": 1}
    with RunningService(faults={"fault": [fault]}) as service:
        for number in range(101):
            store_filter(service, f"F{number:03}")
        app = run(signed_in(service, LIST))
        assert len(tables(app)[0]) == 50
        assert "Muster could load only the first 100 filters" in page_text(app)
        press(app, "contact-filters-rest-again")
        assert "101 filters" in page_text(app)
        assert "only the first" not in page_text(app)


def test_an_unavailable_service_is_reported_on_both_pages(signed_in: Any) -> None:
    with RunningService() as service:
        app = signed_in(service, LIST)
    run(app)
    assert "The service could not be reached." in page_text(app)
    assert "selects people by rules" not in page_text(app)
    app.switch_page(BUILDER)
    app.query_params["id"] = "1"
    run(app)
    assert "The service could not be reached." in page_text(app)
    assert "contact-filter-open-again" in button_keys(app)


def test_one_field_finds_filters_by_name_and_by_id(signed_in: Any, service: RunningService) -> None:
    number = store_filter(service, "Contractors in France")
    store_filter(service, "Staff")
    for text in (f" {number} ", "contractors"):
        app = run(signed_in(service, LIST))
        app.text_input(key="contact-filters-find").set_value(text).run()
        assert list_names(app) == ["Contractors in France"]


@pytest.mark.parametrize("link_by", ["id", "name"])
def test_a_deep_link_opens_one_filter_by_id_or_by_name(signed_in: Any, service: RunningService, link_by: str) -> None:
    number = store_filter(service, "Staff")
    query = {"id": str(number)} if link_by == "id" else {"name": "Staff"}
    app = run(signed_in(service, BUILDER, **query))
    assert title(app) == "Staff"
    assert "Last changed by" in page_text(app)
    assert app.query_params["id"] in (str(number), [str(number)])
    assert app.button(key="contact-filter-save").disabled
    list_page = run(signed_in(service, LIST, **query))
    assert list_page.header[0].value == "Staff"


def test_an_unchanged_filter_is_read_again_when_it_is_reopened(signed_in: Any, service: RunningService) -> None:
    number = store_filter(service, "Staff")
    app = run(signed_in(service, BUILDER, id=str(number)))
    store_filter(service, "Theirs", number=number)
    app.switch_page(LIST)
    run(app)
    app.switch_page(BUILDER)
    app.query_params["id"] = str(number)
    assert title(run(app)) == "Theirs"


def test_a_deep_link_to_nothing_is_reported(signed_in: Any, service: RunningService) -> None:
    assert "The service does not have this contact filter." in page_text(run(signed_in(service, BUILDER, id="99")))
    assert "Names are case-sensitive." in page_text(run(signed_in(service, BUILDER, name="Nobody")))
    assert "is not the ID of a contact filter" in page_text(run(signed_in(service, BUILDER, id="seven")))
    store_filter(service)
    assert "The service has no filter “99”" in page_text(run(signed_in(service, LIST, id="99")))


def test_a_new_filter_is_saved_opened_as_it_is_stored_and_listed(signed_in: Any, service: RunningService) -> None:
    app = open_builder(signed_in, service)
    type_name(app, "Ana and Anton")
    press(app, "contact-filter-save")
    ((number, name),) = list_filters(service).items()
    assert name == "Ana and Anton"
    assert draft_of(app).filter_id == number
    assert app.query_params["id"] in (str(number), [str(number)])
    assert "The contact filter Ana and Anton is saved" in page_text(app)
    assert stored_drafts.list_unfinished(signed_in.workspace, FILTER_EDIT) == []
    assert list_entries(signed_in) == [("create", "succeeded")]
    app.switch_page(LIST)
    run(app)
    assert list_names(app) == ["Ana and Anton"]
    assert "unfinished" not in page_text(app)


def test_errors_prevent_saving_and_are_listed(signed_in: Any, service: RunningService) -> None:
    app = run(signed_in(service, BUILDER))
    assert "Enter a name for the filter." not in page_text(app)
    press(app, "contact-filter-save")
    assert "Fix " in page_text(app)
    assert "Enter a name for the filter." in page_text(app)
    assert list_filters(service) == {}
    assert list_entries(signed_in) == []


def test_a_draft_survives_a_refresh_and_is_listed_until_it_is_discarded(
    signed_in: Any, service: RunningService
) -> None:
    app = type_name(run(signed_in(service, BUILDER)), "Half a filter")
    uid = draft_of(app).uid
    assert app.query_params["draft"] in (uid, [uid])
    again = run(signed_in.open_tab(BUILDER, draft=uid))
    assert title(again) == "Half a filter"
    # Input in one of two tabs is not overwritten by the other without a notice and a way back.
    type_name(app, "Half a filter, first tab")
    assert "another tab" not in page_text(app)
    type_name(again, "Half a filter, second tab")
    assert "This draft has changed in another tab. What you typed in this tab is not saved." in page_text(again)
    press(again, "contact_filters.reload")
    assert title(again) == "Half a filter, first tab"
    press(again, "contact_filter.undo")
    assert title(again) == "Half a filter, second tab"
    again.switch_page(LIST)
    run(again)
    assert "1 unfinished contact filter" in [each.label for each in again.expander]
    press(again, f"contact_filters.discard/{uid}")
    press(again, "contact_filters.discard_dialog-confirm")
    assert not [each.label for each in again.expander if "unfinished" in each.label]
    assert stored_drafts.list_unfinished(signed_in.workspace, FILTER_EDIT) == []


def test_a_saved_change_opens_the_filter_even_if_another_tab_edits_it(signed_in: Any, service: RunningService) -> None:
    number = store_filter(service, "Staff", RULE, OTHER_RULE)
    app, other = run(signed_in(service, BUILDER, id=str(number))), run(signed_in.open_tab(BUILDER, id=str(number)))
    type_name(other, "Staff of the other tab")
    type_name(app, "Staff of ours")
    press(app, "contact-filter-save")
    press(app, "contact-filter-save-now")
    assert list_filters(service) == {number: "Staff of ours"}
    assert title(app) == "Staff of ours"
    assert draft_of(app).is_untouched
    assert "The contact filter Staff of ours is changed" in page_text(app)
    assert UNSAVED_ELSEWHERE in page_text(app)
    assert "1 unfinished contact filter" in [each.label for each in app.expander]
    (saved_draft,) = stored_drafts.list_unfinished(signed_in.workspace, FILTER_EDIT)
    assert saved_draft.draft.title == title(run(other))
    assert (
        title(run(signed_in.open_tab(BUILDER, id=str(number), draft=saved_draft.draft.uid))) == saved_draft.draft.title
    )
    type_name(app, "Staff of ours too")
    assert "unfinished" not in page_text(app)


@pytest.mark.parametrize("link_by", ["id", "name"])
def test_an_unfinished_change_is_continued_with_a_note_if_the_filter_was_changed_or_deleted(
    signed_in: Any, service: RunningService, link_by: str
) -> None:
    number = store_filter(service, "Staff")
    first_draft = draft_of(type_name(run(signed_in(service, BUILDER, id=str(number))), "Mine"))
    store_filter(service, "Theirs", number=number)
    app = run(signed_in(service, BUILDER, **({"id": str(number)} if link_by == "id" else {"name": "Theirs"})))
    assert draft_of(app).uid == first_draft.uid
    assert UNFINISHED in page_text(app)
    assert "contact-filter-show-other-version" in button_keys(app)
    press(app, "contact-filter-delete")
    assert "Delete Theirs" in app.button(key="contact-filters-delete-dialog-confirm").label
    with service.client() as client:
        client.contact_filters.delete(number)
    app = run(signed_in(service, BUILDER, id=str(number)))
    assert draft_of(app).uid == first_draft.uid
    assert "contact-filter-as-new" in button_keys(app)


def test_a_name_in_a_url_is_that_of_the_stored_filter(signed_in: Any, service: RunningService) -> None:
    staff, guests = store_filter(service, "Staff"), store_filter(service, "Guests")
    app = type_name(run(signed_in(service, BUILDER, id=str(staff))), "Guests")
    app.query_params.clear()
    app.query_params["name"] = "Guests"
    assert draft_of(run(app)).filter_id == guests


def test_a_link_to_a_missing_draft_is_reported(signed_in: Any, service: RunningService) -> None:
    number = store_filter(service, "Staff")
    new = run(signed_in(service, BUILDER, draft="not-mine"))
    change = run(signed_in(service, BUILDER, id=str(number), draft="not-mine"))
    for app in (new, change):
        assert NO_SUCH_DRAFT in page_text(app)
        assert "draft" not in app.query_params
    assert draft_of(new).uid != "not-mine"
    assert title(change) == "Staff"
    assert NO_SUCH_DRAFT not in page_text(run(signed_in.open_tab(BUILDER)))


def test_a_change_finds_its_draft_and_is_reviewed_and_saved(signed_in: Any, service: RunningService) -> None:
    number = store_filter(service, "Staff", RULE, OTHER_RULE)
    type_name(run(signed_in(service, BUILDER, id=str(number))), "Staff of ours")
    app = run(signed_in(service, BUILDER, id=str(number)))
    assert "You have not finished this edit." in page_text(app)
    mute(app, 2)
    press(app, "contact-filter-save")
    text = page_text(app)
    assert title(app) == "Save the change to Staff of ours?"
    assert "new name · 1 rule removed · 1 rule unchanged" in text
    assert "Before: Staff" in text
    assert "Saving removes 1 muted rule" in text
    assert "Last name starts with “Silva”" in text
    assert list_filters(service) == {number: "Staff"}
    press(app, "contact-filter-back")
    assert title(app) == "Staff of ours"
    press(app, "contact-filter-save")
    press(app, "contact-filter-save-now")
    assert list_filters(service) == {number: "Staff of ours"}
    assert title(app) == "Staff of ours"
    assert len(draft_of(app).rules) == 1
    assert "The contact filter Staff of ours is changed" in page_text(app)
    assert list_entries(signed_in) == [("update", "succeeded")]


def test_warnings_do_not_prevent_saving(signed_in: Any, service: RunningService) -> None:
    app = open_builder(signed_in, service, RULE, RULE)
    assert "warning: " in page_text(app)
    press(app, "contact-filter-save")
    assert list(list_filters(service).values()) == ["Staff"]


def test_missing_permission_is_reported_and_the_draft_stays(signed_in: Any) -> None:
    fault = {"kind": "status", "status": 403, "methods": ["POST"], "path": "/contactFilters/*"}
    with RunningService(faults={"fault": [fault]}) as service:
        app = open_builder(signed_in, service)
        press(app, "contact-filter-save")
        assert "You do not have access." in page_text(app)
        assert title(app) == "Staff"
        assert [
            saved_draft.draft.title for saved_draft in stored_drafts.list_unfinished(signed_in.workspace, FILTER_EDIT)
        ] == ["Staff"]
        type_name(app, "Staff of ours")
        assert "You do not have access." not in page_text(app)


def test_a_new_filter_with_a_muted_rule_is_reviewed_first(signed_in: Any, service: RunningService) -> None:
    app = open_builder(signed_in, service, RULE, OTHER_RULE)
    mute(app, 2)
    press(app, "contact-filter-save")
    assert title(app) == "Save Staff?"
    assert "Saving removes 1 muted rule" in page_text(app)
    assert "another name" not in page_text(app)
    press(app, "contact-filter-save-now")
    assert list(list_filters(service).values()) == ["Staff"]


def cause_conflict(signed_in: Any, service: RunningService) -> tuple[AppTest, int]:
    """A change of a filter that someone else has changed too."""
    number = store_filter(service, "Staff")
    app = type_name(run(signed_in(service, BUILDER, id=str(number))), "Mine")
    store_filter(service, "Theirs", OTHER_RULE, number=number)
    press(app, "contact-filter-save")
    assert title(app) == "Staff has changed"
    assert "has changed this filter since you opened it" in page_text(app)
    assert "contact-filter-save-now" not in button_keys(app)
    assert list_filters(service) == {number: "Theirs"}
    return app, number


def test_an_edit_conflict_shows_both_versions_and_overwrites_only_on_request(
    signed_in: Any, service: RunningService
) -> None:
    app, number = cause_conflict(signed_in, service)
    assert [each.value for each in app.header] == ["Theirs", "Yours"]
    assert "Last name starts with “Silva”" in page_text(app)
    store_filter(service, "Theirs again", OTHER_RULE, number=number)
    press(app, "contact_filters.keep_mine")
    assert title(app) == "Theirs has changed"
    assert "Theirs again" in page_text(app)
    assert list_filters(service) == {number: "Theirs again"}, "the difference is shown first"
    press(app, "contact_filters.keep_mine")
    assert list_filters(service) == {number: "Mine"}
    assert list_entries(signed_in) == [("update", "succeeded")]


def test_a_slow_service_does_not_block_the_session_while_the_stored_filter_is_read(
    signed_in: Any, service: RunningService, hold_calls: Callable[[type, str], HeldCalls]
) -> None:
    number = store_filter(service, "Staff")
    app = type_name(run(signed_in(service, BUILDER, id=str(number))), "Mine")
    reading = hold_calls(ContactFilters, "retrieve")
    press(app, "contact-filter-save")
    assert "Muster is loading the current version of the filter" in page_text(app)
    press(app, "contact-filter-back")
    assert "contact-filter-save" in button_keys(app)
    reading.finish()
    press(app, "contact-filter-save")
    assert title(app) == "Save the change to Mine?"


def test_the_other_version_can_be_used_and_undone(signed_in: Any, service: RunningService) -> None:
    app, number = cause_conflict(signed_in, service)
    press(app, "contact_filters.take_theirs")
    assert title(app) == "Theirs"
    assert app.text_input(key=key_of(app, PREFIX, draft_of(app).uid, "name")).value == "Theirs"
    assert app.button(key="contact-filter-save").disabled
    press(app, "contact_filter.undo")
    assert title(app) == "Mine"
    press(app, "contact-filter-save")
    assert "Before: Theirs" in page_text(app)
    assert list_filters(service) == {number: "Theirs"}


def test_a_conflicting_change_can_become_a_new_filter(signed_in: Any, service: RunningService) -> None:
    app, number = cause_conflict(signed_in, service)
    press(app, "contact-filter-as-new")
    assert title(app) == "Copy of Mine"
    press(app, "contact-filter-save")
    assert sorted(list_filters(service).values()) == ["Copy of Mine", "Theirs"]
    assert list_filters(service)[number] == "Theirs"


def test_a_filter_that_was_deleted_while_editing_can_be_saved_as_new(signed_in: Any, service: RunningService) -> None:
    number = store_filter(service, "Staff")
    app = type_name(run(signed_in(service, BUILDER, id=str(number))), "Mine")
    with service.client() as client:
        client.contact_filters.delete(number)
    press(app, "contact-filter-save")
    assert "This filter was deleted from the service." in page_text(app)
    press(app, "contact-filter-as-new")
    assert title(app) == "Mine"
    press(app, "contact-filter-save")
    assert list(list_filters(service).values()) == ["Mine"]


def test_a_name_in_use_is_an_error_until_it_is_changed(signed_in: Any, service: RunningService) -> None:
    store_filter(service, "Staff")
    app = open_builder(signed_in, service)
    press(app, "contact-filter-save")
    assert "A contact filter with the name “Staff” already exists." in page_text(app)
    assert "Another filter in your organization has this name" in page_text(app)
    type_name(app, "Staff too")
    assert "Another filter in your organization has this name" not in page_text(app)
    assert "already exists" not in page_text(app)
    press(app, "contact-filter-save")
    assert sorted(list_filters(service).values()) == ["Staff", "Staff too"]


def test_a_rejected_value_has_an_error_at_its_field_and_typed_input_is_kept(signed_in: Any) -> None:
    message = "Field contactFilterRules[0].columnValue is invalid: no such name."
    fault = {"kind": "status", "status": 400, "message": message, "methods": ["POST"], "times": 1}
    with RunningService(faults={"fault": [fault]}) as service:
        app = open_builder(signed_in, service)
        press(app, "contact-filter-save")
        assert "no such name" in page_text(app)
        assert title(app) == "Staff"
        assert draft_of(app).refused
        type_name(app, "Staff of ours")
        assert "no such name" not in page_text(app)
        press(app, "contact-filter-save")
        assert list(list_filters(service).values()) == ["Staff of ours"]
        assert list_entries(signed_in) == [("create", "succeeded"), ("create", "refused")]


def test_a_lost_response_has_status_unknown_until_the_user_decides(
    signed_in: Any, lossy_service: RunningService
) -> None:
    app = open_builder(signed_in, lossy_service)
    uid = draft_of(app).uid
    press(app, "contact-filter-save")
    assert title(app) == "Contact filter Staff has status Unknown"
    assert "may or may not have this contact filter" in page_text(app)
    assert "contact-filter-save" not in button_keys(app)
    list_page = run(signed_in.open_tab(LIST))
    first = list_page.get("page_link")[0].proto
    assert (first.label, first.query_string) == ("Check Staff", f"draft={uid}")
    assert not [each.label for each in list_page.expander if "unfinished" in each.label]
    press(app, "contact_filters.look")
    assert "Identical to what you sent" in page_text(app)
    ((number, _),) = list_filters(lossy_service).items()
    press(app, f"contact_filters.resolve/{number}")
    assert draft_of(app).filter_id == number
    assert list_entries(signed_in) == [("create", "succeeded"), ("create", "unknown")]
    assert len(list_filters(lossy_service)) == 1
    assert "Check Staff" not in [each.proto.label for each in run(list_page).get("page_link")]


def test_a_slow_rejection_is_shown_at_its_field_in_a_refreshed_tab(
    signed_in: Any, service: RunningService, hold_calls: Any
) -> None:
    """The name was taken after the check."""
    app = open_builder(signed_in, service)
    saving = hold_calls(ContactFilters, "create")
    press(app, "contact-filter-save")
    refreshed = run(signed_in.open_tab(BUILDER, draft=draft_of(app).uid))
    body = ContactFilter.from_wire({"name": "Staff", "contactFilterRules": [RULE]}).to_wire()
    service.http.post("/contactFilters/8800", json=body).raise_for_status()
    saving.finish()
    run(refreshed)
    assert "Another filter in your organization has this name" in page_text(refreshed)
    assert draft_of(refreshed).refused
    type_name(refreshed, "Staff of ours")
    assert "Another filter" not in page_text(refreshed)


def test_contact_field_ids_are_reloaded_after_a_filter_is_saved(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after a failed read."""
    original = ContactFilters.list

    def fail(*_: Any) -> Any:
        raise ServiceFailed("The service failed.", request=None)

    monkeypatch.setattr(ContactFilters, "list", fail)
    app = signed_in(service, screens.CONTACT_FILTER.page).run()
    assert app.session_state[KNOWN_IDS.name].field_ids == {}
    monkeypatch.setattr(ContactFilters, "list", original)
    store_filter(service)
    FILTER_EDIT.invalidate_reads()
    assert app.run().session_state[KNOWN_IDS.name].field_ids == {"firstName|SYSTEM|": 210}


def test_a_filter_without_an_id_is_shown_without_one(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_filter(service, "Staff")
    original = ContactFilters.retrieve_by_name
    retrieve_without_id = lambda *arguments: original(*arguments).model_copy(update={"id": None})  # noqa: E731
    monkeypatch.setattr(ContactFilters, "retrieve_by_name", retrieve_without_id)
    app = signed_in(service, screens.CONTACT_FILTER.page, name="Staff").run()
    assert "This filter has no ID from the service" in page_text(app)
    assert "deleted" not in page_text(app)


@pytest.mark.parametrize("is_name_used", [False, True])
def test_a_double_click_has_the_effect_of_one_click(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch, is_name_used: bool
) -> None:
    """The second click comes before anything is drawn: a saved filter is opened, a rejection is at its field."""
    send = Editor.send

    def send_twice(editor: Editor[Any], workspace: Workspace) -> None:
        send(editor, workspace)
        send(editor, workspace)

    monkeypatch.setattr(Editor, "send", send_twice)
    if is_name_used:
        store_filter(service, "Staff")
    app = press(open_builder(signed_in, service), "contact-filter-save")
    assert draft_of(app).is_change is not is_name_used
    assert ("Another filter in your organization has this name" in page_text(app)) is is_name_used
    assert len(list_filters(service)) == 1


def test_a_copy_is_made_from_the_list_and_from_the_builder(signed_in: Any, service: RunningService) -> None:
    number = store_filter(service, "Staff")
    for page, key in ((LIST, f"contact-filters-copy/{number}"), (BUILDER, "contact-filter-copy")):
        app = run(signed_in(service, page, id=str(number)))
        press(app, key)
        assert title(app) == "Copy of Staff"
        assert not draft_of(app).is_change
    press(app, "contact-filter-save")
    assert sorted(list_filters(service).values()) == ["Copy of Staff", "Staff"]


def test_several_filters_are_deleted_and_each_outcome_is_reported(signed_in: Any) -> None:
    """The dialog names the filters. One that cannot be deleted is shown with the reason until it is dismissed."""
    fault = {"kind": "status", "status": 403, "methods": ["DELETE"], "path": "/contactFilters/8800/2"}
    with RunningService(faults={"fault": [fault]}) as service:
        numbers = [store_filter(service, name) for name in ("A", "B", "C", "D")]
        app = run(signed_in(service, LIST, id=[str(number) for number in numbers[:3]]))
        assert "3 filters selected" in page_text(app)
        press(app, "contact-filters-delete-several")
        assert "- A: 1 rule, changed by" in page_text(app)
        assert len(list_filters(service)) == 4
        press(app, "contact-filters-delete-dialog-confirm")
        text = page_text(app)
        assert "Deleted: A and C." in text
        assert "Not deleted: B. You do not have access." in text
        assert list_filters(service) == {2: "B", 4: "D"}
        assert list_names(app) == ["B", "D"]
        assert app.query_params["id"] in ("2", ["2"])
        press(app, "contact-filters-delete-removed-dismiss")
        assert "Not deleted" not in page_text(app)
        assert [state for _, state in list_entries(signed_in)] == ["succeeded", "refused", "succeeded"]


def test_a_filter_is_deleted_from_the_builder_after_confirmation(signed_in: Any, service: RunningService) -> None:
    number = store_filter(service, "Staff")
    store_filter(service, "Others")
    app = type_name(run(signed_in(service, BUILDER, id=str(number))), "Mine")
    press(app, "contact-filter-delete")
    press(app, "contact-filters-delete-dialog-keep")
    assert len(list_filters(service)) == 2
    press(app, "contact-filter-delete")
    press(app, "contact-filters-delete-dialog-confirm")
    assert title(app) == "Filters"
    assert list_names(app) == ["Others"]
    assert "Deleted: Staff." in page_text(app)
    assert stored_drafts.list_unfinished(signed_in.workspace, FILTER_EDIT) == []


def test_repeated_clicks_delete_each_filter_once(signed_in: Any, service: RunningService, hold_calls: Any) -> None:
    """A second click joins the first deletion and gets the same result."""
    numbers = [str(store_filter(service, name)) for name in ("A", "B", "C")]
    first = run(signed_in(service, LIST, id=numbers))
    second = run(signed_in.open_tab(LIST, id=numbers))
    deleting = hold_calls(ContactFilters, "delete")
    for app in (first, second):
        press(press(app, "contact-filters-delete-several"), "contact-filters-delete-dialog-confirm")
        assert progress_texts(app) == ["0 of 3 contact filters deleted"]
    deleting.finish()
    assert "Deleted: A, B, and C." in page_text(run(second))
    assert deleting.count == 3
    assert list_filters(service) == {}
    assert [state for _, state in list_entries(signed_in)] == ["succeeded"] * 3


def test_a_deletion_of_several_filters_can_be_stopped(signed_in: Any, service: RunningService, hold_calls: Any) -> None:
    numbers = [str(store_filter(service, name)) for name in ("A", "B", "C")]
    app = run(signed_in(service, LIST, id=numbers))
    deleting = hold_calls(ContactFilters, "delete")
    press(press(app, "contact-filters-delete-several"), "contact-filters-delete-dialog-confirm")
    press(app, "contact-filters-delete-progress-stop")
    assert progress_texts(run(app)) == ["0 of 3 contact filters deleted. Stopping."]
    deleting.finish()
    text = page_text(run(app))
    assert "Deleted: A." in text
    assert "Not attempted: 2 contact filters. These have not changed: B and C." in text
    assert list(list_filters(service).values()) == ["B", "C"]


def test_copies_that_nobody_edited_do_not_pile_up(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = str(store_filter(service, "Staff"))
    for _ in range(3):
        app = press(run(signed_in(service, BUILDER, id=number)), "contact-filter-copy")
    (copy,) = stored_drafts.list_unfinished(signed_in.workspace, FILTER_EDIT)
    assert copy.draft.uid == draft_of(app).uid
    type_name(app, "Mine")
    press(run(signed_in(service, BUILDER, id=number)), "contact-filter-copy")
    assert len(stored_drafts.list_unfinished(signed_in.workspace, FILTER_EDIT)) == 2
    monkeypatch.setattr(stored_drafts, "UNEDITED_DRAFT_LIFETIME", timedelta())
    assert [each.draft.name for each in stored_drafts.list_unfinished(signed_in.workspace, FILTER_EDIT)] == ["Mine"]


def test_several_filters_are_downloaded_as_json_and_opened_at_once(signed_in: Any, service: RunningService) -> None:
    """Each becomes a draft with the same rules, and the problems of each are named."""
    numbers = [store_filter(service, "A"), store_filter(service, "B", RULE, OTHER_RULE)]
    app = run(signed_in(service, LIST, id=[str(number) for number in numbers]))
    with service.client() as client:
        stored = [client.contact_filters.retrieve(number) for number in numbers]
    listed = [ListedFilter(str(each.id), each.model_copy(update={"contact_filter_rules": []})) for each in stored]
    assert CONTACT_FILTERS.make_json is not None
    exported = json_text(CONTACT_FILTERS.make_json(signed_in.workspace, listed))
    downloads: Any = app.get("download_button")
    assert [each.label for each in downloads].count("JSON") == 2
    app.session_state["contact-filters-open/opens/0"] = True
    app = run(app)
    app.file_uploader[0].set_value(
        [("both.json", exported.encode(), "application/json"), ("odd.txt", b"{", "text/plain")]
    )
    app.text_area[0].set_value('{"name": "C", "contactFilterRules": [{"columnName": "shoeSize"}]}')
    press(run(app), "contact-filters-open-open")
    assert "Opened 3 filters as drafts." in page_text(app)
    assert "odd.txt was not opened. The text is not JSON" in page_text(app)
    assert "C, rule 1: “shoeSize” is not a column" in page_text(app)
    drafts = {each.draft.name: each.draft for each in stored_drafts.list_unfinished(signed_in.workspace, FILTER_EDIT)}
    assert drafts.keys() == {"A", "B", "C"}
    for before in stored:
        rules = [drop_id(rule.to_wire()) for rule in before.rules]
        assert [rule.payload for rule in drafts[str(before.name)].rules] == rules


def test_a_deletion_with_status_unknown_is_shown_until_it_is_dismissed(
    signed_in: Any,
) -> None:
    """The next confirmation mentions it too, and deleting again reports a new result."""
    fault = {"kind": "drop", "when": "before", "methods": ["DELETE"], "path": "/contactFilters/8800/*", "times": 1}
    unknown = "Status Unknown from an earlier attempt: A."
    with RunningService(faults={"fault": [fault]}) as service:
        first, second = (str(store_filter(service, name)) for name in ("A", "B"))
        app = signed_in(service, LIST)
        for number, earlier_status in ((first, ""), (second, ""), (first, unknown)):
            app.query_params["id"] = number
            press(run(app), f"contact-filters-delete/{number}")
            assert (unknown in page_text(app)) is bool(earlier_status)
            press(app, "contact-filters-delete-dialog-confirm")
            assert ("Unknown: A." in page_text(app)) is not bool(earlier_status)
        assert "Deleted: A." in page_text(app)
        assert list_filters(service) == {}


def test_a_slow_deletion_from_the_builder_ends_at_the_list_in_a_refreshed_tab(
    signed_in: Any, service: RunningService, hold_calls: Any
) -> None:
    """On another screen it is reported without a redirect."""
    number = str(store_filter(service, "Staff"))
    app = run(signed_in(service, BUILDER, id=number))
    deleting = hold_calls(ContactFilters, "delete")
    press(press(app, "contact-filter-delete"), "contact-filters-delete-dialog-confirm")
    refreshed = run(signed_in.open_tab(BUILDER, id=number))
    assert title(refreshed) == "Staff"
    deleting.finish()
    assert title(run(refreshed)) == "Filters"
    assert "Deleted: Staff." in page_text(refreshed)


def test_the_journal_describes_the_change_and_links_to_the_filter(signed_in: Any, service: RunningService) -> None:
    press(open_builder(signed_in, service), "contact-filter-save")
    workspace = signed_in.workspace
    (entry,) = workspace.journal.audit.list(workspace.actor.service, 8800)
    app = run(signed_in(service, screens.JOURNAL.page, entry=str(entry.id)))
    assert "Save a contact filter: Staff" in page_text(app)
    links = [each for each in app.get("page_link") if "contact filter" in each.proto.label]
    assert [each.proto.query_string for each in links] == [f"id={entry.subject_id}"]


def test_a_deleted_filter_is_created_again_from_the_journal(signed_in: Any, service: RunningService) -> None:
    number = store_filter(service, "Staff")
    with service.client() as client:
        before = client.contact_filters.retrieve(number)
    app = run(signed_in(service, BUILDER, id=str(number)))
    app = press(app, "contact-filter-delete")
    assert "The Journal keeps the contents, so you can create the contact filter again." in page_text(app)
    press(app, "contact-filters-delete-dialog-confirm")
    workspace = signed_in.workspace
    (entry,) = workspace.journal.audit.list(workspace.actor.service, 8800)
    app = run(signed_in(service, screens.JOURNAL.page, entry=str(entry.id)))
    press(follow(app, "Create the filter again"), "contact-filter-save")
    with service.client() as client:
        again = client.contact_filters.retrieve_by_name("Staff")
    assert [drop_id(rule.to_wire()) for rule in again.rules] == [drop_id(rule.to_wire()) for rule in before.rules]


def test_two_versions_are_compared_and_the_older_one_is_restored_as_a_draft(
    signed_in: Any, service: RunningService
) -> None:
    """Nothing is sent until the filter is saved, and Undo brings back what was in the builder."""
    number = store_filter(service, "Staff")
    app = type_name(run(signed_in(service, BUILDER, id=str(number))), "Staff of ours")
    press(press(app, "contact-filter-save"), "contact-filter-save-now")
    app = run(signed_in(service, BUILDER, id=str(number)))
    type_name(app, "Unsaved")
    press(app, "contact-filter-versions")
    assert title(app) == "Versions of Unsaved"
    text = page_text(app)
    assert "From version 1 to version 2" in text
    assert "new name · 1 rule unchanged" in text
    assert "Before: Staff" in text
    assert "outside Muster" in text
    press(app, "contact-filter-restore")
    assert title(app) == "Staff"
    assert draft_of(app).filter_id == number
    assert list_filters(service) == {number: "Staff of ours"}
    press(app, "contact_filter.undo")
    assert draft_of(app).name == "Unsaved"
    press(press(press(app, "contact_filter.redo"), "contact-filter-save"), "contact-filter-save-now")
    assert list_filters(service) == {number: "Staff"}


def test_versions_are_listed_if_the_service_does_not_respond(signed_in: Any) -> None:
    """The version in the builder stands for the current one."""
    with RunningService(faults={}) as service:
        number = store_filter(service, "Staff")
        app = run(signed_in(service, BUILDER, id=str(number)))
    press(app, "contact-filter-versions")
    assert "Version 1" in page_text(app)
    assert len(app.error) == 1
    press(app, "contact-filter-versions-back")
    assert title(app) == "Staff"


COUNTRY_RULE = {
    "columnName": "country",
    "columnValue": "FR",
    "type": "SYSTEM_EXPECTED_OBJECT",
    "dataType": "STRING",
    "embeddedColumnName": "address",
    "operator": "E",
    "contactFilterOption": "E",
}


def split_by_country(app: AppTest, *codes: str) -> AppTest:
    """Enter further countries for the first rule, and save a filter for each."""
    uid = draft_of(app).rules[0].uid
    app.session_state[menu_key(uid)] = True
    app = run(app)
    app.multiselect(key=values_key(uid)).set_value(list(codes))
    return press(run(app), f"{values_key(uid)}/save")


def test_france_or_brazil_is_saved_as_two_filters_and_shown_in_the_list(
    signed_in: Any, service: RunningService
) -> None:
    """The draft is replaced by them. Another press of the same draft sends nothing."""
    app = open_builder(signed_in, service, COUNTRY_RULE)
    draft = draft_of(app)
    app = split_by_country(app, "BR")
    assert list_filters(service) == dict(zip(list_filters(service), ["Staff – France", "Staff – Brazil"], strict=True))
    assert title(app) == "Filters"
    assert sorted(app.query_params["id"]) == sorted(str(number) for number in list_filters(service))
    assert list_entries(signed_in) == [("create", "succeeded")] * 2
    assert stored_drafts.load(signed_in.workspace, FILTER_EDIT, draft.uid) is None
    stored_drafts.save(signed_in.workspace, FILTER_EDIT, draft, seen=None)
    again = signed_in(service, BUILDER, draft=draft.uid)
    split_by_country(run(again), "BR")
    assert list_entries(signed_in) == [("create", "succeeded")] * 2


def test_each_of_several_filters_has_its_result(signed_in: Any, service: RunningService) -> None:
    """One whose name is taken stays a draft, with the reason and a link. The others are saved."""
    store_filter(service, "Staff – France")
    app = open_builder(signed_in, service, COUNTRY_RULE)
    app = split_by_country(app, "BR", "DE")
    assert sorted(list_filters(service).values()) == ["Staff – Brazil", "Staff – France", "Staff – Germany"]
    text = page_text(app)
    assert "2 contact filters are saved." in text
    assert "Another filter in your organization has this name." in text
    assert title(app) == "Staff"
    unfinished = stored_drafts.list_unfinished(signed_in.workspace, FILTER_EDIT)
    assert sorted(each.draft.name for each in unfinished) == ["Staff", "Staff – France"]
    press(app, "contact-filter-several-dismiss")
    assert "Another filter in your organization has this name." not in page_text(app)


def test_a_lost_response_leaves_one_of_several_filters_unknown(signed_in: Any, lossy_service: RunningService) -> None:
    """It is not sent again, and those after it stay drafts."""
    app = open_builder(signed_in, lossy_service, COUNTRY_RULE)
    app = split_by_country(app, "BR")
    assert list_entries(signed_in) == [("create", "unknown")]
    text = page_text(app)
    assert ":orange-badge[:material/help: Unknown]" in text
    assert ":gray-badge[:material/cloud_off: Not sent]" in text


def enter_box(app: AppTest, **edges: str) -> AppTest:
    """Open the panel for a box, and type its edges."""
    app = press(app, "contact_filter.box")
    for name, degrees in edges.items():
        app.text_input(key=f"contact_filters.box_{name}").set_value(degrees)
    return run(app)


def test_typed_edges_of_a_box_become_four_rules_that_open_as_the_box_again(
    signed_in: Any, service: RunningService
) -> None:
    app = run(signed_in(service, BUILDER))
    enter_box(app, north="30.5", south="24", west="48", east="47,5")
    assert "Use a decimal point" in page_text(app)
    assert app.button(key="contact_filter.box_add").disabled
    app.text_input(key="contact_filters.box_east").set_value("57.25")
    press(run(app), "contact_filter.box_add")
    rules = [(each.payload["operator"], each.payload["columnValue"]) for each in draft_of(app).rules]
    assert rules == [("LTE", 30.5), ("GTE", 24), ("GTE", 48), ("LTE", 57.25)]
    assert "contact_filter.box_add" not in button_keys(app)
    enter_box(app, north="31")
    assert app.text_input(key="contact_filters.box_south").value == "24"
    assert app.button(key="contact_filter.box_add").label == "Change 4 rules"
    press(app, "contact_filter.box_add")
    assert [each.payload["columnValue"] for each in draft_of(app).rules] == [31, 24, 48, 57.25]
    press(press(app, "contact_filter.undo"), "contact_filter.undo")
    assert [each.payload for each in draft_of(app).rules] == [{}]


def test_a_box_across_the_180th_meridian_is_saved_as_two_filters(signed_in: Any, service: RunningService) -> None:
    """The rules of the draft are in both. Contact field IDs come from the filters of the organization."""
    columns = ("gisLocation.lat", "gislocation.lon")
    known = [
        {
            **RULE,
            "columnName": name,
            "columnValue": 1,
            "type": "SYSTEM_OBJECT",
            "dataType": "NUMBER",
            "embeddedColumnName": "address",
            "operator": "LT",
            "contactFilterOption": "LT",
        }
        for name in columns
    ]
    store_filter(service, "Known", *known)
    app = enter_box(open_builder(signed_in, service), north="-10", south="-20", west="170", east="-170")
    assert "The box crosses the 180th meridian" in page_text(app)
    app = press(app, "contact_filter.box_save")
    assert title(app) == "Filters"
    with service.client() as client:
        saved = {each.name: each for each in client.contact_filters.list() if each.name != "Known"}
    assert list(saved) == ["Staff – longitude 170 to 180", "Staff – longitude -180 to -170"]
    values = [[rule.column_value for rule in each.rules] for each in saved.values()]
    assert values == [["An", -10, -20, 170, 180], ["An", -10, -20, -180, -170]]
