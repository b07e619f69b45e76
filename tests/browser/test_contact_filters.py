"""A contact filter in a real browser: built, broken, fixed, saved, found, changed by two users at once, and deleted."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from client.models.contact_filters import ContactFilter
from domain.filters.filter_draft import drop_id
from journal import EntryFilters, RosterEntry, Traveler
from tests.app.test_filter_reach import stay
from tests.browser.dashboards import Dashboard
from tests.browser.pick_lists import choose, pick_list
from tests.browser.usable import assert_usable, assert_usable_by_everyone, set_viewport

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]


def rule(column: str, number: int, value: Any, operator: str = "E", kind: str = "SYSTEM") -> dict[str, Any]:
    """A rule of an existing filter, from which Muster learns the ID of the contact field."""
    return {
        "contactFieldId": number,
        "columnName": column,
        "columnValue": value,
        "type": kind,
        "dataType": "NUMBER",
        "operator": operator,
        "contactFilterOption": operator,
    }


EXPECTED = {
    "type": "SYSTEM_EXPECTED_OBJECT",
    "embeddedColumnName": "address",
    "dataType": "STRING",
    "operator": "E",
    "contactFilterOption": "E",
}
EXISTING_RULES = (rule("recordTypeId", 222, 1), rule("groups", 250, [310], "IN", "SYSTEM_ARRAY"))


@pytest.fixture(scope="module", autouse=True)
def wardens(dashboard: Dashboard) -> None:
    """Create one filter that has IDs of contact fields."""
    with dashboard.service.client() as client:
        client.contact_filters.create(
            ContactFilter.from_wire({"name": "Wardens", "contactFilterRules": list(EXISTING_RULES)})
        )


def list_filters(dashboard: Dashboard, name: str) -> list[ContactFilter]:
    """Return the filters with a name at the service."""
    with dashboard.service.client() as client:
        return [each for each in client.contact_filters.list() if each.name == name]


def type_in(field: Locator, value: str, page: Page, wait_until_idle: WaitUntilIdle) -> None:
    """Type into a field and wait for the run."""
    field.fill(value)
    field.press("Tab")
    expect(field).to_have_value(value)
    wait_until_idle(page)


def add_rule(page: Page, wait_until_idle: WaitUntilIdle, search: str, label: str) -> None:
    """Add a rule for a column that is found by a search term."""
    page.get_by_role("button", name="Add a rule", exact=True).click()
    page.get_by_role("searchbox", name="Find a column").or_(page.get_by_role("textbox", name="Find a column")).fill(
        search
    )
    page.get_by_role("button", name=label, exact=True).click()
    wait_until_idle(page)


def build_filter(page: Page, wait_until_idle: WaitUntilIdle, name: str) -> None:
    """Build a filter with four types of rules: a time, a country, a number, and a list."""
    expect(page.get_by_role("heading", name="New contact filter")).to_be_visible()
    wait_until_idle(page)
    type_in(page.get_by_role("textbox", name="Name", exact=True), name, page, wait_until_idle)
    add_rule(page, wait_until_idle, "expected date", "Expected date")
    choose(page, "Rule 1: value", "now")
    add_rule(page, wait_until_idle, "country", "Country · expected location")
    for text, label in (("DE", "DE · Germany"), ("franc", "FR · France")):
        country = pick_list(page, "Rule 2: value")
        country.click()
        country.fill(text)
        country.press("Enter")
        expect(country).to_have_value(label)
        wait_until_idle(page)
    add_rule(page, wait_until_idle, "record type", "Record type")
    type_in(page.get_by_role("textbox", name="Rule 3: value"), "9", page, wait_until_idle)
    add_rule(page, wait_until_idle, "groups", "Groups")
    groups = pick_list(page, "Rule 4: values")
    groups.fill("310")
    groups.press("Enter")
    wait_until_idle(page)
    groups.fill("311")
    groups.press("Enter")
    page.keyboard.press("Escape")
    wait_until_idle(page)
    sentence = page.locator(".st-key-contact_filter-sentence")
    expect(sentence).to_contain_text(re.compile("People who are expected somewhere now.*9.*310.*311.*France"))


def test_a_filter_is_built_fixed_saved_found_changed_by_two_users_and_deleted(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """From the empty builder to the list and back, with a concurrent change by another user."""
    page = dashboard.open(page_at(), "/contact-filters")
    expect(page.get_by_role("heading", name="Filters")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="New filter").click()
    wait_until_idle(page)
    expect(page.get_by_text("You have no draft of that name")).to_have_count(0)
    build_filter(page, wait_until_idle, "In France now")

    for name in (
        "More actions for rule 3",
        "Move rule 3 up",
        "Move rule 3 down",
        "Remove rule 3, Record type",
        "Paste a list into rule 4",
    ):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    record_type = page.get_by_role("textbox", name="Rule 3: value")
    type_in(record_type, "Contractor", page, wait_until_idle)
    page.get_by_role("button", name="Save filter").click()
    expect(page.get_by_text("Fix 1 error")).to_be_visible()
    expect(record_type).to_have_value("Contractor")
    assert list_filters(dashboard, "In France now") == []
    page.reload()
    expect(record_type).to_have_value("Contractor")
    wait_until_idle(page)
    type_in(record_type, "9", page, wait_until_idle)
    expect(page.get_by_text("Fix 1 error")).to_have_count(0)
    page.get_by_role("button", name="Save filter").dblclick()
    expect(page).to_have_url(re.compile(r"/contact-filter\?id=\d+$"))
    expect(page.get_by_text("Last changed by")).to_be_visible()
    (saved,) = list_filters(dashboard, "In France now")
    assert [each.column_name for each in saved.rules] == ["expectedDate", "country", "recordTypeId", "groups"]
    assert saved.rules[3].column_value == [310, 311]

    wait_until_idle(page)
    page.get_by_test_id("stMain").get_by_role("link", name="Filters").click()
    expect(page.get_by_text("2 filters ·")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("searchbox", name="Find a filter").or_(page.get_by_role("textbox", name="Find a filter")).fill(
        "france"
    )
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 2 filters", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("contact-filters-find=france"))
    wait_until_idle(page)
    page.get_by_role("checkbox", name="Select In France now").check()
    page.get_by_role("button", name="Edit filter").click()
    expect(page.get_by_role("heading", name="In France now")).to_be_visible()
    wait_until_idle(page)
    type_in(page.get_by_role("textbox", name="Name", exact=True), "In France today", page, wait_until_idle)

    other = dashboard.open(page_at(), f"/contact-filter?id={saved.id}", user="ben")
    expect(other.get_by_role("textbox", name="Name", exact=True)).to_be_visible()
    wait_until_idle(other)
    type_in(other.get_by_role("textbox", name="Rule 3: value"), "7", other, wait_until_idle)
    other.get_by_role("button", name="Compare and save").click()
    expect(other.get_by_text("1 rule changed")).to_be_visible()
    wait_until_idle(other)
    other.get_by_role("button", name="Back to the rules").click()
    expect(other.get_by_role("textbox", name="Rule 3: value")).to_have_value("7")
    expect(other.get_by_role("textbox", name="Name", exact=True)).to_have_value("In France now")
    expect(other.get_by_role("combobox", name="Rule 2: value")).to_have_value("FR · France")
    wait_until_idle(other)
    other.get_by_role("button", name="Compare and save").click()
    expect(other.get_by_text("1 rule changed")).to_be_visible()
    wait_until_idle(other)
    other.get_by_role("button", name="Save change").click()
    expect(other.get_by_text("The contact filter In France now is changed.")).to_be_visible()

    page.get_by_role("button", name="Compare and save").click()
    expect(page.get_by_role("heading", name="In France now has changed")).to_be_visible()
    wait_until_idle(page)
    expect(page.get_by_role("heading", name="Theirs")).to_be_visible()
    expect(page.get_by_role("heading", name="Yours")).to_be_visible()
    wait_until_idle(page)
    assert_usable(page)
    assert list_filters(dashboard, "In France today") == []
    page.get_by_role("button", name="Overwrite").click()
    expect(page.get_by_role("heading", name="In France today", exact=True)).to_be_visible()
    wait_until_idle(page)
    (changed,) = list_filters(dashboard, "In France today")
    assert (changed.id, changed.rules[2].column_value) == (saved.id, 9)

    page.get_by_role("button", name="Delete filter").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("In France today: 4 rules")).to_be_visible()
    dialog.get_by_role("button", name="Delete In France today").click()
    expect(page.get_by_role("heading", name="Filters")).to_be_visible()
    expect(page.get_by_text("1 filter ·")).to_be_visible()
    assert list_filters(dashboard, "In France today") == []


def test_a_rule_is_added_typed_and_undone_by_keyboard_alone_and_undo_survives_a_reload(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """The focus goes into the search, then into the value of the new rule."""
    page = dashboard.open(page_at(), "/contact-filter")
    wait_until_idle(page)
    page.get_by_role("button", name="Add a rule", exact=True).focus()
    page.keyboard.press("Enter")
    search = page.get_by_label("Find a column").last
    expect(search).to_be_focused()
    page.keyboard.type("city")
    button = page.get_by_role("button", name="City · expected location", exact=True)
    expect(button).to_be_visible()
    wait_until_idle(page)
    while not button.evaluate("each => each === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    value = page.get_by_role("textbox", name="Rule 1: value")
    expect(value).to_be_focused()
    page.keyboard.type("Lisbon")
    expect(page.locator(".st-key-contact_filter-sentence")).to_contain_text("whose city is “Lisbon”")
    wait_until_idle(page)
    page.reload()
    expect(value).to_have_value("Lisbon")
    wait_until_idle(page)
    page.keyboard.press("Control+z")
    expect(value).to_have_value("")
    wait_until_idle(page)
    page.keyboard.press("Control+z")
    expect(value).to_have_count(0)
    wait_until_idle(page)
    page.keyboard.press("Control+Shift+z")
    expect(value).to_have_count(1)
    wait_until_idle(page)
    page.keyboard.press("Control+Shift+z")
    expect(value).to_have_value("Lisbon")
    wait_until_idle(page)


def test_a_rule_is_moved_by_keyboard_and_keeps_the_focus(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """What was typed just before moves along. The same keys move the same rule again."""
    page = dashboard.open(page_at(), "/contact-filter")
    wait_until_idle(page)
    for _ in range(3):
        add_rule(page, wait_until_idle, "city", "City · expected location")
    field = page.get_by_role("textbox", name="Rule 3: value")
    field.focus()
    page.keyboard.type("Lisbon")
    page.keyboard.press("Alt+ArrowUp")
    # While the page is redrawn, a rule may be on it at both positions.
    second = page.get_by_role("textbox", name="Rule 2: value").first
    expect(second).to_have_value("Lisbon")
    wait_until_idle(page)
    expect(second).to_be_focused()
    page.keyboard.press("Alt+ArrowUp")
    first = page.get_by_role("textbox", name="Rule 1: value").first
    expect(first).to_have_value("Lisbon")
    wait_until_idle(page)
    expect(first).to_be_focused()
    page.get_by_role("button", name="Move rule 1 down").focus()
    page.keyboard.press("Enter")
    expect(second).to_have_value("Lisbon")
    wait_until_idle(page)
    expect(page.get_by_role("button", name="Move rule 2 down")).to_be_focused()


def test_a_filter_is_found_by_its_rules_deleted_and_created_again_from_the_journal(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """The airport is found by its name, and the service has the same rules as before."""
    airport = {**EXPECTED, "columnName": "iata", "columnValue": "LHR"}
    with dashboard.service.client() as client:
        client.contact_filters.create(ContactFilter.from_wire({"name": "Arrivals", "contactFilterRules": [airport]}))
    (before,) = list_filters(dashboard, "Arrivals")
    page = dashboard.open(page_at(390, 844), "/contact-filters")
    wait_until_idle(page)
    # The filters may have been read for an earlier test.
    page.get_by_role("button", name="Refresh").click()
    wait_until_idle(page)
    search = page.get_by_role("searchbox", name="Find a filter").or_(page.get_by_role("textbox", name="Find a filter"))
    search.fill("heathrow")
    search.press("Enter")
    expect(page.get_by_text(re.compile(r"^1 of \d+ filters$"))).to_be_visible()
    wait_until_idle(page)
    page.get_by_text("Arrivals", exact=True).click()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Delete filter").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("you can create the contact filter again")).to_be_visible()
    dialog.get_by_role("button", name="Delete Arrivals").click()
    expect(page.get_by_text("Deleted: Arrivals.")).to_be_visible()
    assert list_filters(dashboard, "Arrivals") == []
    wait_until_idle(page)
    with dashboard.journal() as journal:
        actor = dashboard.actor()
        (entry,) = journal.audit.list(
            actor.service, actor.organization_id, filters=EntryFilters(action="contact_filter.delete"), page_size=1
        )
    page.goto(f"{dashboard.muster.url}/journal?entry={entry.id}")
    page.get_by_role("link", name="Create the filter again").click()
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("Arrivals")
    wait_until_idle(page)
    page.get_by_role("button", name="Save filter").click()
    expect(page.get_by_text("Last changed by")).to_be_visible()
    (again,) = list_filters(dashboard, "Arrivals")
    assert again.id != before.id
    assert [drop_id(rule.to_wire()) for rule in again.rules] == [drop_id(rule.to_wire()) for rule in before.rules]


def test_people_are_counted_with_names_as_rules_change_and_saving_stays_in_sight(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """Ana is in France now, and Ben in Spain. The bar does not cover the last line of the page."""
    yesterday = datetime.now(UTC) - timedelta(days=1)
    with dashboard.service.client() as client:
        client.itineraries.create(stay("REACH1", "E1", "FR", yesterday))
        client.itineraries.create(stay("REACH2", "E2", "ES", yesterday, latitude=2.3))
    with dashboard.journal() as journal:
        people = {"REACH1": Traveler("E1", "Ana", "Silva"), "REACH2": Traveler("E2", "Ben", "Okoro")}
        entries = [RosterEntry(locator, [traveler]) for locator, traveler in people.items()]
        actor = dashboard.actor()
        journal.rosters.create(actor, "Team", entries)
        journal.travelers.learn(actor.service, actor.organization_id, list(people.values()))
    page = dashboard.open(page_at(), "/contact-filter")
    wait_until_idle(page)
    add_rule(page, wait_until_idle, "country", "Country · expected location")
    country = pick_list(page, "Rule 1: value")
    for text, who in (("france", "Ana Silva"), ("spain", "Ben Okoro")):
        country.click()
        country.fill(text)
        country.press("Enter")
        wait_until_idle(page)
        if text == "france":
            page.get_by_role("button", name="Load trips and count").click()
        expect(page.get_by_text(f"1 of 2 people on the roster “Team” matches now: {who}.")).to_be_visible()
    wait_until_idle(page)
    page.get_by_text("Names", exact=True).click()
    expect(page.get_by_role("row", name=re.compile("Okoro, Ben"))).to_be_visible()
    wait_until_idle(page)
    add_rule(page, wait_until_idle, "record type", "Record type")
    page.get_by_role("button", name="Save filter").click()
    for to_phone in (False, True):
        set_viewport(page, to_phone=to_phone)
        for place in ("0", "1e6"):
            page.get_by_test_id("stMain").evaluate(f"main => main.scrollTo(0, {place})")
            for part in ("-text", "-buttons"):
                expect(page.locator(f".st-key-contact_filter-bar{part}")).to_be_in_viewport(ratio=1)
            expect(
                page.locator(".st-key-contact_filter-bar-text").get_by_text(re.compile("problem"))
            ).to_be_in_viewport()
        last = page.get_by_text("Muster deletes the file when you remove it").bounding_box()
        bar = page.get_by_test_id("stBottom").bounding_box()
        assert last is not None
        assert bar is not None
        assert last["y"] + last["height"] <= bar["y"]


def test_the_list_and_the_builder_are_usable_by_everyone(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """Wide and light, narrow and dark. The new draft is listed as unfinished."""
    page = dashboard.open(page_at(390, 844, theme="dark"), "/contact-filters?name=Wardens")
    expect(page.get_by_role("button", name="Edit")).to_be_visible()
    wait_until_idle(page)
    assert_usable_by_everyone(page)
    page.get_by_role("button", name="New filter").click()
    expect(page.get_by_role("heading", name="New contact filter")).to_be_visible()
    wait_until_idle(page)
    type_in(page.get_by_role("textbox", name="Name", exact=True), "Unfinished", page, wait_until_idle)
    add_rule(page, wait_until_idle, "record type", "Record type")
    page.get_by_role("button", name="Save filter").click()
    expect(page.get_by_text("Fix 1 error")).to_be_visible()
    wait_until_idle(page)
    assert_usable_by_everyone(page)
    page.get_by_test_id("stMain").get_by_role("link", name="Filters").click()
    expect(page.get_by_text(re.compile(r"^\d unfinished contact filters?"))).to_be_visible()
