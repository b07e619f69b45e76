"""Writing a public alert in a real browser: updated during typing, fixed after a rejection, and accessible."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scripts.count_presses import Hand
from tests.browser.pick_lists import choose
from tests.browser.script_runs import count_page_runs
from tests.browser.usable import assert_usable, set_viewport

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
SignIn = Callable[..., Page]
INSTRUCTIONS = "Stay in the cellar until told otherwise, and listen to the radio."
TEXT = "City of Lyons: Tornado near Lyons. Take shelter now. Until 18:00."


@pytest.fixture
def open_composer(page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle) -> Callable[..., Page]:
    """A function that opens the composer in a window of this size, and waits until its lists are loaded."""

    def open_page(*size: int, theme: str = "light") -> Page:
        page = sign_in_demo(page_at(*size, theme=theme), "/public-alert")
        expect(page.get_by_role("heading", name="Message")).to_be_visible()
        # Only a completely drawn page shows that the names are still loading.
        wait_until_idle(page)
        expect(page.get_by_text("Loading")).to_have_count(0)
        expect(page.get_by_text("Loading the cities")).to_have_count(0)
        return wait_until_idle(page)

    return open_page


def test_the_preview_follows_typing_and_the_text_survives_a_refresh(
    open_composer: Callable[..., Page], wait_until_idle: WaitUntilIdle
) -> None:
    """Preview, meter, and checks update without leaving the field. No typed letter is lost, and the draft is saved."""
    page = open_composer()
    text = page.get_by_role("textbox", name="Text message")
    phone = page.locator(".st-key-public_alert-phone")
    text.click()
    page.keyboard.type(TEXT, delay=30)
    expect(phone.get_by_text(TEXT)).to_be_visible()
    expect(page.get_by_text(f"{len(TEXT)} of 160")).to_be_visible()
    expect(text).to_have_value(TEXT)
    expect(text).to_be_focused()
    expect(page).to_have_url(re.compile("draft="))
    wait_until_idle(page)
    runs = count_page_runs(page)
    page.keyboard.type(" “Now”")
    expect(page.get_by_text("left double quotation mark")).to_be_visible()
    expect(page.get_by_test_id("stBottom").get_by_text("What to do")).to_be_visible()
    page.get_by_role("textbox", name="Instructions").click()
    page.keyboard.type(INSTRUCTIONS, delay=30)
    expect(phone.get_by_text(INSTRUCTIONS)).to_be_visible()
    expect(page.get_by_role("textbox", name="Instructions")).to_have_value(INSTRUCTIONS)
    assert count_page_runs(page) == runs, "typing draws only a part of the page"
    page.get_by_role("button", name="Replace quotes and dashes").click()
    expect(text).to_have_value(f'{TEXT} "Now"')
    expect(phone.get_by_text(f'{TEXT} "Now"')).to_be_visible()
    wait_until_idle(page)
    page.reload()
    expect(text).to_have_value(f'{TEXT} "Now"')


def test_a_text_typed_right_before_another_screen_is_selected_is_stored(open_composer: Callable[..., Page]) -> None:
    page = open_composer()
    text = page.get_by_role("textbox", name="Text message")
    link = page.get_by_test_id("stSidebarNav").get_by_role("link", name="Trips", exact=True).bounding_box()
    assert link is not None
    text.click()
    page.mouse.move(link["x"] + 20, link["y"] + link["height"] / 2)
    page.keyboard.insert_text(TEXT)
    page.mouse.down()
    page.mouse.up()
    expect(page.get_by_role("heading", name="Trips", exact=True)).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile("draft="))
    expect(text).to_have_value(TEXT)


def test_a_text_that_is_too_long_for_its_field_is_not_inserted_and_a_message_says_so(
    open_composer: Callable[..., Page],
) -> None:
    text = open_composer().get_by_role("textbox", name="Text message")
    text.fill("Fire.")
    text.press("End")
    text.page.keyboard.insert_text("a" * 2_000)
    expect(text).to_have_js_property(
        "validationMessage",
        "Nothing was inserted. The text would have 2,005 characters, more than this field allows.",
    )
    expect(text).to_have_value("Fire.")
    text.page.keyboard.insert_text(" Leave.")
    expect(text).to_have_js_property("validationMessage", "")
    expect(text).to_have_value("Fire. Leave.")


def test_the_composer_is_usable_by_everyone(open_composer: Callable[..., Page], wait_until_idle: WaitUntilIdle) -> None:
    """No serious accessibility issue, with errors shown, live and as a test, and no horizontal scrolling."""
    page = open_composer()
    choose(page, "Category", "Met")
    choose(page, "Event", "Tornado Warning")
    page.get_by_role("textbox", name="Text message").fill("Tornado “near” Lyons")
    expect(page.get_by_text("left double quotation mark")).to_be_visible()
    page.get_by_role("button", name="Review alert").click()
    expect(page.get_by_text("1 error:")).to_be_visible()
    wait_until_idle(page)
    assert_usable(page)
    set_viewport(page, to_phone=True)
    choose(page, "Category", "Other")
    choose(page, "Event", "Routine Weekly Test")
    expect(page.get_by_text("TEST", exact=True).first).to_be_visible()
    assert_usable(wait_until_idle(page))


def test_on_a_phone_open_placeholders_come_first_and_nothing_covers_a_dialog(
    open_composer: Callable[..., Page], wait_until_idle: WaitUntilIdle
) -> None:
    """The placeholder of an alert template is visible until it is filled in. A toast makes room for the next dialog."""
    page = open_composer(390, 844, theme="dark")
    Hand(page).start_from("Gas leak: leave the street")
    blank = page.get_by_role("textbox", name="street")
    expect(blank).to_be_in_viewport(ratio=1)
    wait_until_idle(page)
    foot, box = page.get_by_test_id("stBottom").bounding_box(), blank.bounding_box()
    assert foot is not None
    assert box is not None
    assert box["y"] + box["height"] < foot["y"]
    blank.fill("Main Street")
    blank.blur()
    expect(blank).to_have_count(0)
    expect(page.get_by_role("textbox", name="Text message")).to_have_value(re.compile("Main Street"))
    wait_until_idle(page)
    assert_usable(page)
    page.get_by_role("button", name="Save as template").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("Gas leak: downtown")
    page.get_by_role("button", name="Save template").click()
    expect(page.get_by_test_id("stToast")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Discard draft").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Discard draft")).to_be_visible()
    expect(page.get_by_test_id("stToast").first).to_be_hidden(timeout=500)
    wait_until_idle(page)
