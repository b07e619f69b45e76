"""A new stage of a screen starts at its top, whatever the scroll position was, and then does not scroll by itself."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.dashboards import Dashboard
from tests.browser.signing_in import choose_in_account_menu
from tests.browser.usable import set_viewport
from tests.domain.alerts.sending.alerts_for_sending import an_alert

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
SCROLLED = "() => document.getElementById('stMain').scrollTop"
TO_THE_END = "() => { const main = document.getElementById('stMain'); main.scrollTo(0, main.scrollHeight); }"

# On a slow machine, the old page disappears when the next one is drawn, and the scroll position stays.
STAYS_LONG = "() => { document.querySelector('[data-testid=\"stMainBlockContainer\"]').style.minHeight = '5000px'; }"


def scroll_down(page: Page) -> None:
    """Scroll to the end of the page, which has to be longer than the window."""
    page.evaluate(TO_THE_END)
    assert page.evaluate(SCROLLED) > 0


def test_each_stage_of_an_alert_starts_at_its_top(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """Composer, review, countdown, stopped, back, review. Redrawing within a stage does not scroll."""
    draft = dashboard.store_draft(an_alert(stage="edit", checked=False, regions=[80301]))
    page = dashboard.open(page_at(390, 844), f"/public-alert?draft={draft.uid}")
    expect(page.get_by_role("heading", name="Public alert: live")).to_be_visible()
    expect(page.get_by_text("80301, CO").first).to_be_visible()
    wait_until_idle(page)
    scroll_down(page)

    def review() -> None:
        page.get_by_role("button", name="Review alert").click()
        title = page.get_by_role("heading", name="Review the alert")
        expect(title).to_be_in_viewport()
        wait_until_idle(page)
        expect(title).to_be_in_viewport()
        assert page.evaluate(SCROLLED) == 0

    review()
    scroll_down(page)
    page.get_by_role("textbox", name="Recipients").fill("80301 CO")
    send = page.get_by_role("button", name="Send this live alert")
    wait_until_idle(page)
    assert page.evaluate(SCROLLED) > 0, "redrawing does not scroll"
    send.click()
    expect(page.get_by_text("Sending in")).to_be_visible()
    expect(page.get_by_role("heading", name="Review the alert")).to_be_in_viewport()
    page.get_by_role("button", name="Stop alert").click()
    expect(page.get_by_text("Stopped. Nothing was sent.")).to_be_visible()
    wait_until_idle(page)
    scroll_down(page)
    page.get_by_role("button", name="Edit alert").click()
    title = page.get_by_role("heading", name="Public alert: live")
    expect(title).to_be_in_viewport()
    wait_until_idle(page)
    expect(title).to_be_in_viewport()
    set_viewport(page, to_phone=False)
    scroll_down(page)
    review()


def test_the_focus_stays_on_a_button_and_moves_to_the_first_field_or_heading_of_each_stage(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """A button and a field with input keep the focus while lines above them change; an outline leads to a blank."""
    draft = dashboard.store_draft(an_alert(stage="edit", checked=False, regions=[80301]))
    page = dashboard.open(page_at(), f"/public-alert?draft={draft.uid}")
    expect(page.get_by_text("80301, CO").first).to_be_visible()
    wait_until_idle(page)

    def press(name: str) -> None:
        page.get_by_role("button", name=name).press("Enter")

    press("Insert outline")
    undo = page.get_by_role("button", name="Undo: insert outline")
    expect(undo).to_be_visible()
    wait_until_idle(page)
    expect(page.locator(".st-key-public_alert-blanks input").first).to_be_focused()
    undo.click()
    expect(undo).to_have_count(0)
    wait_until_idle(page)
    copy = page.get_by_role("button", name="Copy from alert", exact=True)
    copy.press("Enter")
    expect(page.get_by_role("button", name=re.compile("Undo: "))).to_be_visible()
    wait_until_idle(page)
    expect(copy).to_be_focused()

    press("Review alert")
    place = page.get_by_role("textbox", name="Recipients")
    expect(place, "the shortcut leads on to what must be typed").to_be_focused()
    wait_until_idle(page)
    place.fill("80301 CO")
    wait_until_idle(page)
    expect(place).to_be_focused()
    press("Send this live alert")
    expect(page.get_by_role("heading", name="Sending in")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Stop alert")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Stopped. Nothing was sent.")).to_be_visible()
    expect(page.get_by_role("heading", name="Review the alert")).to_be_focused()


def test_another_page_starts_at_its_top(dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle) -> None:
    """Also after a link at the end of a long page, whose content is still there."""
    page = dashboard.open(page_at(), "/connection")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    wait_until_idle(page)
    page.evaluate(STAYS_LONG)
    scroll_down(page)
    choose_in_account_menu(page, "Journal")
    title = page.get_by_role("heading", name="Journal")
    expect(title).to_be_visible()
    wait_until_idle(page)
    expect(title).to_be_in_viewport()
    assert page.evaluate(SCROLLED) == 0
