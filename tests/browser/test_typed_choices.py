"""The option that Enter selects in a list, with real keys in a real browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.desk import Desk
from tests.browser.pick_lists import pick_list

PageAt = Callable[..., Page]
Settled = Callable[[Page], Page]
SignIn = Callable[..., Page]


def enter(page: Page, settled: Settled, label: str, text: str) -> None:
    field = pick_list(page, label)
    field.click()
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    settled(page)


def test_enter_selects_the_typed_value_and_never_one_that_only_contains_it(
    page_at: PageAt, sign_in_demo: SignIn, settled: Settled
) -> None:
    page = sign_in_demo(page_at(), "/lookup-mapping")
    page.get_by_role("textbox", name="Attribute", exact=True).fill("department")
    page.keyboard.press("Tab")
    settled(page)
    label = "Values (any of them)"
    pick_list(page, label).click()
    expect(page.get_by_role("option", name="Legal", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    chosen = page.get_by_role("group", name="Selected values").locator("[data-tag]")
    for typed in ("Fin", "legal", "Legal", "Ed"):
        enter(page, settled, label, typed)
    expect(chosen).to_have_text(["Fin", "legal", "Legal", "Ed"])
    enter(page, settled, label, "Ed")
    expect(chosen).to_have_text(["Fin", "legal", "Legal", "Ed"])


def test_a_country_is_found_by_its_common_names_and_no_other_is_offered(
    desk: Desk, page_at: PageAt, settled: Settled
) -> None:
    page = desk.open(page_at(), "/contact-filter")
    page.get_by_role("button", name="Add a rule", exact=True).click()
    page.get_by_role("button", name="Country · person", exact=True).click()
    settled(page)
    for typed, found in (
        ("Holland", "NL · Netherlands (Holland)"),
        ("cote d'ivoire", "CI · Côte d’Ivoire (Ivory Coast)"),
        ("guinea", "GN · Guinea"),
        ("DE", "DE · Germany"),
        ("uk", "UK, GB · United Kingdom (England, Great Britain, Northern Ireland, Scotland, Wales)"),
        ("America", "US · United States (USA, United States of America)"),
    ):
        country = pick_list(page, "Rule 1: value")
        country.click()
        country.fill("")
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        expect(country).to_have_value(found)
        settled(page)
    country = pick_list(page, "Rule 1: value")
    country.click()
    country.fill("Atlantis")
    expect(page.get_by_text("No results")).to_be_visible()
