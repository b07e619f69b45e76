"""The option that Enter selects in a list, with real keys in a real browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.dashboards import Dashboard
from tests.browser.pick_lists import pick_list

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
SignIn = Callable[..., Page]


def enter(page: Page, wait_until_idle: WaitUntilIdle, label: str, text: str) -> None:
    field = pick_list(page, label)
    field.click()
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    wait_until_idle(page)


def test_enter_selects_the_typed_value_and_never_one_that_only_contains_it(
    page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle
) -> None:
    page = sign_in_demo(page_at(), "/lookup-mapping")
    page.get_by_role("textbox", name="Attribute", exact=True).fill("department")
    page.keyboard.press("Tab")
    wait_until_idle(page)
    label = "Values (any of them)"
    pick_list(page, label).click()
    expect(page.get_by_role("option", name="Legal", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    selected = page.get_by_role("group", name="Selected values").locator("[data-tag]")
    for text in ("Fin", "legal", "Legal", "Ed"):
        enter(page, wait_until_idle, label, text)
    expect(selected).to_have_text(["Fin", "legal", "Legal", "Ed"])
    enter(page, wait_until_idle, label, "Ed")
    expect(selected).to_have_text(["Fin", "legal", "Legal", "Ed"])


def test_a_country_is_found_by_its_common_names_and_no_other_is_offered(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    page = dashboard.open(page_at(), "/contact-filter")
    page.get_by_role("button", name="Add a rule", exact=True).click()
    page.get_by_role("button", name="Country · person", exact=True).click()
    wait_until_idle(page)
    for text, label in (
        ("Holland", "NL · Netherlands"),
        ("cote d'ivoire", "CI · Côte d’Ivoire"),
        ("guinea", "GN · Guinea"),
        ("DE", "DE · Germany"),
        ("uk", "GB · United Kingdom"),
        ("America", "US · United States"),
        # Of several that begin alike, the one that is meant more often.
        ("turk", "TR · Türkiye"),
        ("nig", "NG · Nigeria"),
    ):
        country = pick_list(page, "Rule 1: value")
        country.click()
        country.fill("")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(country).to_have_value(label)
        wait_until_idle(page)
    country = pick_list(page, "Rule 1: value")
    country.click()
    country.fill("Atlantis")
    expect(page.get_by_text("No results")).to_be_visible()
