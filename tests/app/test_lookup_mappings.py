"""Lookup mappings: search, details, create, change, delete, simulate, and the required access token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import chain, repeat
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from client import OutcomeUnknown, TimedOut
from client.models.lookup_mappings import LookupMapping, LookupMappingRequest, MappingAttribute, TargetGroup
from client.paging import Page
from client.resources.lookup_mappings import LookupMappings
from components.mappings.mapping_list import MAPPINGS, TRYOUT_SHOWN
from components.record_list.list_data import build_file_table
from domain.edits import stored_drafts
from domain.mappings import mapping_change
from domain.mappings.mapping_change import MAPPING_EDIT
from domain.mappings.mapping_query import Finding, check_mappings, read_all_mappings
from domain.mappings.mapping_text import attributes_of, attributes_text, groups_of, groups_text
from domain.runtime import screens
from domain.runtime.screens import LOOKUP_MAPPING, LOOKUP_MAPPINGS, Screen
from domain.tables.spreadsheet import to_csv, to_xlsx
from service.accounts import tokens
from tests.app.following import follow
from tests.app.presses import page_text, press, run
from tests.app.tables import select_rows, tables
from tests.running_service import RunningService

OpenScreen = Callable[..., AppTest]


def build_request(*groups: int, **attributes: list[str]) -> LookupMappingRequest:
    return LookupMappingRequest(
        attributes=[MappingAttribute(name=name, values=values) for name, values in attributes.items()],
        target_groups=[TargetGroup(id=group, name=f"Group {group}") for group in groups],
    )


@pytest.fixture
def open_screen(signed_in: Any, service: RunningService) -> OpenScreen:
    """Open a screen with an access token: `app = opened(LOOKUP_MAPPINGS, mapping="…")`."""

    def open_page(screen: Screen, **query: str | list[str]) -> AppTest:
        first = not hasattr(signed_in, "workspace")
        app = (
            signed_in(service, screen.page, token=service.token(), **query)
            if first
            else signed_in.open_tab(screen.page, **query)
        )
        return run(app)

    return open_page


@pytest.fixture
def mappings(open_screen: OpenScreen, signed_in: Any) -> LookupMappings:
    """A service with three mappings."""
    open_screen(screens.CONNECTION)
    resource: LookupMappings = signed_in.workspace.client.lookup_mappings
    resource.create(build_request(88011, department=["Sales", "Legal"], site=["BER"]))
    resource.create(build_request(88012, department=["Sales"]))
    resource.create(build_request(88020, role=["Duty officer"]))
    return resource


def find_mapping(mappings: LookupMappings, **attributes: list[str]) -> LookupMapping:
    (mapping,) = mappings.search(attributes=attributes)
    return mapping


def fill(app: AppTest, *attributes: tuple[str, list[str]], groups: list[tuple[str, str]]) -> AppTest:
    """Type into the existing rows, from the first."""
    names = [each for each in app.text_input if each.label == "Attribute"]
    values = [each for each in app.multiselect if each.label.startswith("Values")]
    for (name, chosen), name_field, values_field in zip(attributes, names, values, strict=False):
        name_field.set_value(name)
        values_field.set_value(chosen)
    ids = [each for each in app.text_input if each.label == "Group ID"]
    group_names = [each for each in app.text_input if each.label == "Name"]
    for (number, name), id_field, group_name in zip(groups, ids, group_names, strict=False):
        id_field.set_value(number)
        group_name.set_value(name)
    return run(app)


def test_without_an_access_token_the_page_asks_for_one_and_reads_nothing(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        LookupMappings, "search", lambda *_, **__: pytest.fail("the service was called without a token")
    )
    app = run(signed_in(service, LOOKUP_MAPPINGS.page))
    assert [title.value for title in app.title] == ["Mappings"]
    assert "need an access token" in app.info[-1].value
    assert app.button(key="access_token.use")
    monkeypatch.undo()
    next(field for field in app.text_input if field.label == "Access token (JWT)").set_value(service.token())
    press(app, "access_token.use")
    assert "A lookup mapping adds people" in page_text(app)


@pytest.mark.parametrize(
    ("issued_before", "words", "is_readable"), [(8 * 3600, "expired", False), (8 * 3600 - 600, "expires", True)]
)
def test_the_expiry_of_an_access_token_is_reported_before_and_after_it(
    issued_before: int, words: str, is_readable: bool, signed_in: Any, service: RunningService
) -> None:
    started = datetime.now(UTC).timestamp() - issued_before
    app = run(signed_in(service, LOOKUP_MAPPINGS.page, token=service.token(now=started)))
    texts = [each.value for each in app.warning] + [each.label for each in app.expander]
    assert any(f"The access token {words}" in each.replace("\\", "") for each in texts)
    assert ("A lookup mapping adds people" in page_text(app)) == is_readable


def test_a_revoked_token_is_reported_in_place_of_the_list(signed_in: Any, service: RunningService) -> None:
    app = run(signed_in(service, LOOKUP_MAPPINGS.page, token=tokens.sign("x" * 40, service.username)))
    assert "does not accept your access token" in page_text(app)
    assert "Connection screen" in page_text(app)


def test_mappings_are_found_by_attributes_and_groups_and_the_search_is_summarized(
    open_screen: OpenScreen, mappings: LookupMappings
) -> None:
    # Files of mappings have spaces around the equals sign.
    attributes = ["department=Legal", "department = Support", "site=BER"]
    query = {"mappings-attribute": attributes, "mappings-group": ["88011"]}
    app = open_screen(LOOKUP_MAPPINGS, **query)
    assert (
        "Mappings whose department is Legal or Support and site is BER and that add people to group 88011"
        in page_text(app)
    )
    [table] = tables(app)
    assert list(table["attributes"]) == ["department: Sales or Legal · site: BER"]
    assert list(table["groups"]) == ["Group 88011 88011"]


def test_many_values_are_shortened_in_the_list_and_complete_in_the_details(
    open_screen: OpenScreen, mappings: LookupMappings
) -> None:
    mappings.create(build_request(88030, site=[f"Site {number}" for number in range(300)]))
    mapping = find_mapping(mappings, site=["Site 299"])
    app = open_screen(LOOKUP_MAPPINGS, mapping=mapping.id)
    assert tables(app)[0]["attributes"].iloc[0].endswith("Site 5 or 294 more")
    assert len(app.header[0].value) < 200
    assert "Site 299" in page_text(app)


def test_invalid_search_terms_are_reported_at_the_field(open_screen: OpenScreen, mappings: LookupMappings) -> None:
    app = open_screen(LOOKUP_MAPPINGS, **{"mappings-attribute": ["Sales", "sort=up"], "mappings-group": ["Berlin"]})
    assert "“Sales” has no value" in page_text(app)
    assert "cannot search for an attribute named sort" in page_text(app)
    assert "“Berlin” is not a group ID" in page_text(app)


def test_a_mapping_is_created_once_and_shown(open_screen: OpenScreen, mappings: LookupMappings) -> None:
    app = open_screen(LOOKUP_MAPPING)
    fill(app, ("shift", ["Night", "Weekend"]), groups=[("9223372036854775807", "Watch")])
    press(app, "lookup_mapping.save")
    mapping = find_mapping(mappings, shift=["Night"])
    assert [(each.id, each.name) for each in mapping.target_groups] == [(9223372036854775807, "Watch")]
    assert [(each.name, each.values) for each in mapping.attributes] == [("shift", ["Night", "Weekend"])]
    assert app.query_params["mapping"] == mapping.id
    assert "shift: Night or Weekend" in page_text(app)


def test_a_missing_group_name_is_filled_in_from_other_mappings(
    open_screen: OpenScreen, mappings: LookupMappings
) -> None:
    nameless = mappings.create(
        LookupMappingRequest(
            attributes=[MappingAttribute(name="site", values=["ROM"])], target_groups=[TargetGroup(id=88011)]
        )
    )
    open_simulation(open_screen)  # which waits until the mappings are loaded
    assert "Group 88011" in page_text(open_screen(LOOKUP_MAPPINGS, mapping=nameless.id))
    app = fill(open_screen(LOOKUP_MAPPING), ("shift", ["Night"]), groups=[("88011", "")])
    assert "Name from other mappings: “Group 88011”" in page_text(app)
    press(app, "lookup_mapping.save")
    [group] = find_mapping(mappings, shift=["Night"]).target_groups
    assert (group.id, group.name) == (88011, "Group 88011")
    app = open_screen(LOOKUP_MAPPING, id=find_mapping(mappings, role=["Duty officer"]).id)
    press(fill(app, groups=[("88020", "The duty")]), "lookup_mapping.save")
    assert find_mapping(mappings, role=["Duty officer"]).target_groups[0].name == "The duty"


def test_missing_attributes_and_groups_are_errors_in_the_editor(open_screen: OpenScreen, signed_in: Any) -> None:
    app = open_screen(LOOKUP_MAPPING)
    press(app, "lookup_mapping.save")
    assert "Add at least one attribute" in page_text(app)
    assert "Enter at least one group" in page_text(app)
    fill(app, ("site", []), groups=[("not a number", "")])
    assert "Enter at least one value" in page_text(app)
    assert "Enter the ID of the group, a whole number above 0" in page_text(app)
    assert not signed_in.workspace.journal.audit.list("x", 8800)


def test_an_existing_mapping_is_found_before_sending(
    open_screen: OpenScreen, mappings: LookupMappings, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_screen(LOOKUP_MAPPING)
    press(app, "lookup_mapping.add_attribute")
    fill(app, ("site", ["BER"]), ("department", ["Legal", "Sales"]), groups=[("1", "")])
    with monkeypatch.context() as patch:
        patch.setattr(LookupMappings, "create", lambda *_: pytest.fail("the mapping was sent"))
        patch.setattr("components.mappings.mapping_editor.describe_last_change", lambda _: "Last changed by *ana*.")
        press(app, "lookup_mapping.save")
    assert "A mapping with exactly these attributes already exists." in page_text(app)
    assert r"by \*ana\*" in app.error[0].value
    assert "Nothing was sent" in page_text(app)
    fields = [each.value for each in app.text_input if each.label == "Attribute"]
    assert fields == ["site", "department"]


def test_a_status_500_for_an_existing_mapping_is_explained(
    open_screen: OpenScreen, mappings: LookupMappings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was created between the check and the call."""
    searches = chain([lambda *_: []], repeat(mapping_change.find_duplicates))
    monkeypatch.setattr(mapping_change, "find_duplicates", lambda *arguments: next(searches)(*arguments))
    app = open_screen(LOOKUP_MAPPING)
    fill(app, ("department", ["Sales"]), groups=[("1", "")])
    press(app, "lookup_mapping.save")
    assert "The record already exists." in page_text(app)
    assert "Nothing was changed" in page_text(app)


def test_a_status_500_without_an_existing_mapping_has_status_unknown(
    open_screen: OpenScreen, mappings: LookupMappings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mapping_change, "find_duplicates", lambda *_: [])
    app = open_screen(LOOKUP_MAPPING)
    fill(app, ("department", ["Sales"]), groups=[("1", "")])
    press(app, "lookup_mapping.save")
    assert "The record already exists." not in page_text(app)
    assert "has status Unknown" in page_text(app)


def test_an_edit_preserves_other_fields_and_a_copy_creates_a_new_mapping(
    open_screen: OpenScreen, mappings: LookupMappings, signed_in: Any
) -> None:
    before = find_mapping(mappings, site=["BER"])
    app = open_screen(LOOKUP_MAPPING, id=before.id)
    press(app, "lookup_mapping.add_group")
    fill(app, groups=[("88011", "Berlin"), ("88099", "")])
    press(app, "lookup_mapping.save")
    mapping = mappings.retrieve(before.id)
    assert [each.id for each in mapping.target_groups] == [88011, 88099]
    assert mapping.attributes == before.attributes
    copy = press(open_screen(LOOKUP_MAPPINGS, mapping=before.id), f"lookup-mappings-copy/{before.id}")
    assert "New mapping" in page_text(copy)
    [saved_draft] = stored_drafts.list_unfinished(signed_in.workspace, MAPPING_EDIT)
    refreshed = open_screen(LOOKUP_MAPPING, draft=saved_draft.draft.uid)
    assert [each.value for each in refreshed.text_input if each.label == "Attribute"] == ["department", "site"]
    assert "New mapping" in page_text(refreshed)


def test_the_user_resolves_an_edit_conflict(open_screen: OpenScreen, mappings: LookupMappings) -> None:
    before = find_mapping(mappings, site=["BER"])
    app = open_screen(LOOKUP_MAPPING, id=before.id)
    fill(app, groups=[("7", "Mine")])
    mappings.update(before.id, build_request(88, department=["Sales", "Legal", "Audit"], site=["BER"]))
    press(app, "lookup_mapping.save")
    assert "This mapping has changed since you opened it." in page_text(app)
    changes = "Removes department = Audit.\n- Adds group 7 (Mine).\n- Removes group 88"
    assert changes in page_text(app)
    assert [each.id for each in mappings.retrieve(before.id).target_groups] == [88]
    press(app, "lookup_mapping.keep_mine")
    assert changes in page_text(app)
    press(app, "lookup_mapping.save")
    assert [each.id for each in mappings.retrieve(before.id).target_groups] == [7]


def test_the_version_of_another_tab_or_another_user_can_be_used(
    open_screen: OpenScreen, mappings: LookupMappings, signed_in: Any
) -> None:
    before = find_mapping(mappings, site=["BER"])
    app = open_screen(LOOKUP_MAPPING, id=before.id)
    fill(app, groups=[("7", "Mine")])
    [saved_draft] = stored_drafts.list_unfinished(signed_in.workspace, MAPPING_EDIT)
    groups = [each.model_copy(update={"number": "8"}) for each in saved_draft.draft.groups]
    other_draft = saved_draft.draft.model_copy(update={"groups": groups})
    stored_drafts.save(signed_in.workspace, MAPPING_EDIT, other_draft, seen=saved_draft.version)
    fill(app, groups=[("9", "Mine")])
    mappings.update(before.id, build_request(88, department=["Sales", "Legal"], site=["BER"]))
    press(app, "lookup_mapping.save")
    assert not app.exception
    assert "This draft has changed in another tab." in page_text(app)
    press(app, "lookup_mapping.overwrite")
    press(app, "lookup_mapping.save")
    press(app, "lookup_mapping.take_theirs")
    press(app, "lookup_mapping.undo")
    press(app, "lookup_mapping.save")
    assert [each.id for each in mappings.retrieve(before.id).target_groups] == [9]


def test_several_mappings_are_deleted_after_one_confirmation(open_screen: OpenScreen, mappings: LookupMappings) -> None:
    ids = [each.id for each in mappings.search(attributes={"department": ["Sales"]})]
    app = open_screen(LOOKUP_MAPPINGS)
    select_rows(app, "lookup-mappings", *ids)
    press(app, "lookup-mappings-delete-several")
    assert "The Journal keeps the contents, so you can create these mappings again." in page_text(app)
    press(app, "lookup-mappings-delete-dialog-confirm")
    assert [each.attributes[0].name for each in mappings.search()] == ["role"]


def test_a_deleted_mapping_can_be_restored_from_the_journal(
    open_screen: OpenScreen, mappings: LookupMappings, signed_in: Any
) -> None:
    mapping = find_mapping(mappings, role=["Duty officer"])
    app = open_screen(LOOKUP_MAPPINGS, mapping=mapping.id)
    changed = build_request(88020, 88021, role=["Duty officer", "Guard"], site=["BER"])
    mappings.update(mapping.id, changed)
    app = press(press(app, f"lookup-mappings-delete/{mapping.id}"), "lookup-mappings-delete-dialog-confirm")
    [entry] = signed_in.workspace.journal.audit.list(
        signed_in.workspace.actor.service, signed_in.workspace.actor.organization_id
    )
    app = follow(open_screen(screens.JOURNAL, entry=str(entry.id)), "Create the mapping again")
    assert not list(mappings.search(groups=[88020]))
    press(app, "lookup_mapping.save")
    [again] = mappings.search(groups=[88020])
    assert again.as_request() == changed


@pytest.mark.parametrize(
    ("read_state", "words"),
    [
        ("whole", "The record is no longer in the list."),
        ("in part", "Check that it is still in the list before you delete it again."),
        ("before", "Check that it is still in the list before you delete it again."),
    ],
)
def test_a_lost_deletion_is_confirmed_only_by_a_complete_new_read(
    read_state: str,
    words: str,
    open_screen: OpenScreen,
    mappings: LookupMappings,
    signed_in: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    delete, search = LookupMappings.delete, LookupMappings.search
    open_simulation(open_screen)  # which waits until the mappings are loaded
    ids = [each.id for each in mappings.search(attributes={"department": ["Sales"]})]
    app = select_rows(open_screen(LOOKUP_MAPPINGS), "lookup-mappings", *ids)

    def lose_response(self: LookupMappings, *arguments: Any) -> None:
        delete(self, *arguments)
        raise OutcomeUnknown("The answer was lost.")

    def fail(self: LookupMappings, **options: Any) -> Any:
        if options.get("page_size") == 500:
            raise TimedOut("No answer came in time.")
        return search(self, **options)

    monkeypatch.setattr(LookupMappings, "delete", lose_response)
    if read_state == "before":
        monkeypatch.setattr(LookupMappings, "search", fail)
    if read_state == "in part":
        mappings.create(build_request(5, site=["Lisbon"]))
        for limit in ("_PAGE", "MOST_READ"):
            monkeypatch.setattr(f"domain.mappings.mapping_query.{limit}", 1)
    press(app, "lookup-mappings-delete-several")
    press(app, "lookup-mappings-delete-dialog-confirm")
    read_all_mappings(signed_in.workspace).wait()
    assert words in page_text(run(app))


def test_a_change_with_a_lost_response_is_found_and_resolved(
    open_screen: OpenScreen, mappings: LookupMappings, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = LookupMappings.create

    def lose_response(self: LookupMappings, mapping: LookupMappingRequest) -> LookupMapping:
        original(self, mapping)
        raise OutcomeUnknown("The answer was lost.")

    app = open_screen(LOOKUP_MAPPING)
    fill(app, ("shift", ["Night"]), groups=[("1", "")])
    with monkeypatch.context() as patch:
        patch.setattr(LookupMappings, "create", lose_response)
        press(app, "lookup_mapping.save")
    assert "The service may or may not have this mapping" in page_text(app)
    press(app, "lookup_mapping.look")
    assert "Identical to what you sent" in page_text(app)
    saved_mapping = find_mapping(mappings, shift=["Night"])
    press(app, f"lookup_mapping.resolve/{saved_mapping.id}")
    assert not stored_drafts.list_unfinished(signed_in.workspace, MAPPING_EDIT)


@pytest.mark.parametrize(("limit", "is_reported"), [(2, False), (4, True)])
def test_the_latest_change_is_shown_if_all_mappings_were_read(
    limit: int, is_reported: bool, open_screen: OpenScreen, mappings: LookupMappings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domain.mappings.mapping_query._PAGE", 2)
    monkeypatch.setattr("domain.mappings.mapping_query.MOST_READ", limit)
    open_simulation(open_screen)  # which waits until the mappings are loaded
    assert ("last changed by" in page_text(open_screen(LOOKUP_MAPPINGS))) == is_reported


def open_simulation(open_screen: OpenScreen) -> AppTest:
    """Open the simulation in the list."""
    app = open_screen(LOOKUP_MAPPINGS)
    app.session_state[TRYOUT_SHOWN] = True
    return run(app)


def test_the_comparison_runs_once_and_only_while_it_is_shown(
    open_screen: OpenScreen, mappings: LookupMappings, monkeypatch: pytest.MonkeyPatch
) -> None:
    mapping_counts: list[int] = []

    def count_and_check(mappings: Sequence[LookupMapping]) -> list[Finding]:
        mapping_counts.append(len(mappings))
        return check_mappings(mappings)

    monkeypatch.setattr("domain.mappings.mapping_query.check_mappings", count_and_check)
    run(open_screen(LOOKUP_MAPPINGS))
    assert not mapping_counts
    assert "Each mapping can match" in page_text(run(run(open_simulation(open_screen))))
    assert mapping_counts == [3]


@pytest.mark.parametrize(("mapping_count", "is_reported"), [(0, False), (1, True), (2, True)])
def test_the_comparison_is_shown_only_if_there_are_mappings(
    mapping_count: int, is_reported: bool, open_screen: OpenScreen, signed_in: Any
) -> None:
    open_screen(screens.CONNECTION)
    for number in range(mapping_count):
        signed_in.workspace.client.lookup_mappings.create(build_request(number + 1, site=[f"S{number}"]))
    assert ("Each mapping can match" in page_text(open_simulation(open_screen))) == is_reported


def test_the_simulation_shows_the_groups(open_screen: OpenScreen, mappings: LookupMappings) -> None:
    app = open_simulation(open_screen)
    assert "This is Muster’s estimate from" in page_text(app)
    next(each for each in app.multiselect if each.label == "Attributes of a person").set_value(
        ["department=Sales", "site=BER"]
    )
    run(app)
    assert "2 mappings match" in page_text(app)
    assert "88011 = Group 88011; 88012 = Group 88012" in page_text(app)


@pytest.mark.parametrize("attribute", ["site", "department"])
def test_only_compared_mappings_are_reported_as_consistent(
    attribute: str, open_screen: OpenScreen, signed_in: Any
) -> None:
    open_screen(screens.CONNECTION)
    for number, name in enumerate(("site", attribute)):
        signed_in.workspace.client.lookup_mappings.create(build_request(number + 1, **{name: [f"S{number}"]}))
    text = page_text(open_simulation(open_screen))
    is_compared = attribute == "site"
    assert ("2 mappings have the same attribute names as another mapping" in text) == is_compared
    assert ("Mappings with the same attribute names don’t contradict each other" in text) == is_compared


def test_contradicting_and_overlapping_mappings_are_reported(open_screen: OpenScreen, mappings: LookupMappings) -> None:
    mappings.create(build_request(5, department=["Sales", "Support"]))
    app = open_simulation(open_screen)
    assert "Both mappings match department Sales. People are added to the groups of both." in page_text(app)


# Mappings from a file


def with_file(app: AppTest, *rows: str, headings: str = "Id;Attributes;Groups") -> AppTest:
    app.file_uploader[0].set_value(("mappings.csv", "\n".join((headings, *rows)).encode(), "text/csv"))
    return run(app)


def save_file(app: AppTest) -> AppTest:
    return press(press(app, "mapping-file-send"), "mapping-file-send-dialog-confirm")


def read_mappings(mappings: LookupMappings) -> dict[str, str]:
    return {attributes_text(attributes_of(each)): groups_text(groups_of(each)) for each in mappings.search()}


def test_an_import_creates_changes_and_skips_mappings_as_previewed(
    open_screen: OpenScreen, mappings: LookupMappings, monkeypatch: pytest.MonkeyPatch
) -> None:
    duty = find_mapping(mappings, role=["Duty officer"])
    before = find_mapping(mappings, role=["Duty officer"]).last_updated_on
    before_sending = read_mappings(mappings)
    app = with_file(
        open_screen(LOOKUP_MAPPINGS),
        '"";"site = ROM";88030',
        '"";"department = Sales";"88012; 88099 = Elsewhere"',
        f'{duty.id};"role = Duty officer";88020 = Group 88020',
        'none;"site = OSL";88030',
        '"";"site ROM";88030',
        '"";"department = Sales | Legal; site = BER";88011',
    )
    assert "What would happen: 1 created · 1 changed · 2 unchanged · 1 rejected" in page_text(app).replace("*", "")
    assert "1 with errors" in page_text(app)
    app = press(app, "mapping-file-send")
    dialog = page_text(app)
    assert "Mappings: 1 created · 1 changed · 2 unchanged · 1 rejected." in dialog
    assert "Changed: department = Sales." in dialog
    assert "the mapping already has these contents: role = Duty officer and department = Sales | Legal" in dialog
    assert "Not possible: site = OSL." in dialog
    assert "Not sent, because of errors: row 6." in dialog
    assert read_mappings(mappings).keys() == before_sending.keys()
    app = press(app, "mapping-file-send-dialog-confirm")
    assert "4 saved · 1 failed" in page_text(app)
    contents = read_mappings(mappings)
    assert (contents["site = ROM"], contents["department = Sales"], len(contents)) == (
        "88030",
        "88012 = Group 88012; 88099 = Elsewhere",
        4,
    )
    assert find_mapping(mappings, role=["Duty officer"]).last_updated_on == before
    assert contents["department = Sales | Legal; site = BER"] == "88011 = Group 88011"
    reasons = [reason for table in tables(app) if "reason" in table for reason in table["reason"]]
    assert any("The mapping already has these contents" in reason for reason in reasons)
    assert any("no mapping with this ID" in reason for reason in reasons)


def test_a_row_that_differs_only_in_case_is_pointed_out_before_it_is_sent(
    open_screen: OpenScreen, mappings: LookupMappings
) -> None:
    app = with_file(
        open_screen(LOOKUP_MAPPINGS),
        '"";"department = sales; site = ROM";88030',
        '"";"Site = BER";88030',
        '"";"department = Legal; site = ROM";88030',
        '"";"site = rom";88030',
    )
    assert "In 3 rows, spellings differ from others only in capitalization. Check rows 2, 3, and 5." in page_text(app)
    plan = next(table for table in tables(app) if "note" in table)
    assert plan["note"].tolist() == [
        "“sales” differs from “Sales” only in case.",
        "“Site” differs from “site” only in case.",
        "",
        "“rom” differs from “ROM” only in case.",
    ]
    assert "“sales” differs from “Sales” only in case." in page_text(press(app, "mapping-file-send"))


def test_the_simulation_points_out_a_value_in_another_case(open_screen: OpenScreen, mappings: LookupMappings) -> None:
    app = open_simulation(open_screen)
    next(each for each in app.multiselect if each.label == "Attributes of a person").set_value(["department=sales"])
    assert "“sales” differs from “Sales” only in case." in page_text(run(app))


def test_an_import_is_undone_except_for_mappings_changed_since(
    open_screen: OpenScreen, mappings: LookupMappings, signed_in: Any
) -> None:
    before = read_mappings(mappings)
    sales = next(each for each in mappings.search() if attributes_text(attributes_of(each)) == "department = Sales")
    app = save_file(
        with_file(
            open_screen(LOOKUP_MAPPINGS),
            '"";"site = ROM";88030',
            '"";"site = OSL";88031',
            # The new mapping has the attributes that the changed mapping no longer has.
            f'"{sales.id}";"department = Legal";88040',
            '"";"department = Sales";88041',
            '"";"role = Duty officer";88020',
        )
    )
    mappings.update(find_mapping(mappings, site=["OSL"]).id, build_request(88032, site=["OSL"]))
    [job] = signed_in.workspace.journal.ledger.jobs(signed_in.workspace.actor, "lookup_mapping_file")
    app = press(app, f"mapping-file-{job.id}-undo")
    assert "3 mappings will be deleted. 1 mapping will be restored." in page_text(app)
    app = press(app, f"mapping-file-{job.id}-undo-dialog-confirm")
    assert "3 undone · 1 failed" in page_text(app)
    assert read_mappings(mappings) == before | {"site = OSL": "88032 = Group 88032"}
    assert "3 of 4 undone" in page_text(run(open_screen(LOOKUP_MAPPINGS, **{"mapping-file-sent": str(job.id)})))


def test_a_link_to_an_import_opens_it(open_screen: OpenScreen) -> None:
    def is_expanded(app: AppTest) -> bool:
        [box] = [each for each in app.expander if each.label == "Mappings from a file"]
        return bool(box.proto.expanded)

    app = open_screen(LOOKUP_MAPPINGS)
    assert not is_expanded(app)
    save_file(with_file(app, '"";"site = ROM";88030'))
    [sent] = app.query_params["mapping-file-sent"]
    assert is_expanded(open_screen(LOOKUP_MAPPINGS, **{"mapping-file-sent": sent}))


def test_two_rows_for_one_mapping_are_an_error(open_screen: OpenScreen, mappings: LookupMappings) -> None:
    app = with_file(open_screen(LOOKUP_MAPPINGS), '"";"site = ROM";88030', '"";"site = ROM";88031')
    app = save_file(app)
    assert app.button(key="mapping-file-send").disabled
    assert read_mappings(mappings)["site = ROM"] == "88030"


def test_importing_the_downloaded_list_changes_nothing(
    open_screen: OpenScreen, mappings: LookupMappings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for content, name in (
        (to_csv(build_file_table(MAPPINGS, list(mappings.search()))), "mappings.csv"),
        (to_xlsx(build_file_table(MAPPINGS, list(mappings.search())), "mappings"), "mappings.xlsx"),
    ):
        app = open_screen(LOOKUP_MAPPINGS)
        app.file_uploader[0].set_value((name, content, "text/csv"))
        run(app)
        assert "3 unchanged" in page_text(app).replace("*", "")
        contents = read_mappings(mappings)
        save_file(app)
        assert read_mappings(mappings) == contents


def test_a_mapping_with_a_lost_response_is_found_and_not_created_twice(
    open_screen: OpenScreen, mappings: LookupMappings, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = LookupMappings.create

    def lose_response(*arguments: Any) -> None:
        original(*arguments)
        raise OutcomeUnknown("The answer was lost.")

    with monkeypatch.context() as patch:
        patch.setattr(LookupMappings, "create", lose_response)
        app = save_file(with_file(open_screen(LOOKUP_MAPPINGS), '"";"site = ROM";88030'))
    assert "1 unknown" in page_text(app)
    [job] = signed_in.workspace.journal.ledger.jobs(signed_in.workspace.actor, "lookup_mapping_file")
    app = press(app, f"mapping-file-job-{job.id}-look")
    assert "1 saved" in page_text(app)
    assert len(list(mappings.search(attributes={"site": ["ROM"]}))) == 1


def test_a_page_beyond_the_end_is_not_searched_for_page_by_page_without_a_total(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages: list[int] = []
    original = LookupMappings.search

    def search(self: LookupMappings, **query: Any) -> Page[LookupMapping]:
        pages.append(query.get("page_number", 1))
        return Page(original(self, **query).items if pages[-1] <= 2 else [], pages[-1])

    monkeypatch.setattr(LookupMappings, "search", search)
    query = {f"{MAPPINGS.key}-page": "300"}
    app = run(signed_in(service, LOOKUP_MAPPINGS.page, token=service.token(), **query))
    assert not app.exception
    assert len(pages) <= 4
