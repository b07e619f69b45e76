"""Signing in with a real browser: deep links, tabs, the cookie, signing out, and the frame around every page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.signing_in import choose_in_account_menu
from tests.browser.usable import assert_usable_by_everyone
from tests.running_muster import Muster

SIGN_IN = "Sign in"
CONNECTION = "Connection"
JOURNAL = "Journal"

PageAt = Callable[..., Page]


def heading(page: Page, text: str) -> Any:
    return page.get_by_role("heading", name=text, exact=True)


def open_demo(page: Page) -> None:
    page.get_by_role("button", name="Open the demo organization").click()
    expect(heading(page, CONNECTION)).to_be_visible()


def fill_in(page: Page, *, organization: str, user: str, password: str) -> None:
    page.get_by_label("Organization").fill(organization)
    page.get_by_label("User").fill(user)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name=SIGN_IN).click()


def cookie_of(context: BrowserContext) -> Any:
    return next((cookie for cookie in context.cookies() if cookie["name"] == "muster_session"), None)


def page_part(page: Page, target: str) -> str:
    """Return the markup of the nearest marked part of the page around the target."""
    return str(page.locator(target).first.evaluate("node => node.closest('[data-testid]').dataset.testid"))


def find_serious_violations(page: Page) -> list[str]:
    violations = Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in violations
        if violation["impact"] in {"serious", "critical"}
        for node in violation["nodes"]
        # Streamlit puts a section's name as a div into the menu's list. A page cannot fix that.
        if not (violation["id"] in {"list", "listitem"} and "stSidebarNav" in page_part(page, node["target"][0]))
    ]


def assert_no_serious_violations(page: Page) -> None:
    """Assert that the page and its frame have no serious issue."""
    assert find_serious_violations(page) == []


def assert_frame_is_visible(page: Page) -> None:
    """Assert no serious issue, a page that fits, and a visible organization, user, and service."""
    assert_no_serious_violations(page)
    expect(page.get_by_test_id("stMain").get_by_text("Demo organization", exact=True)).to_be_in_viewport()
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    main = page.get_by_test_id("stMain")
    assert main.evaluate("node => node.scrollWidth <= node.clientWidth")


def test_a_deep_link_opens_after_sign_in_and_stays_open_with_an_http_only_cookie(muster: Muster, page_at: PageAt):
    """A cookie request that is lost, or that a proxy does not forward, is repeated."""
    page = page_at()
    address = f"{muster.url}/connection?from=mail&place=K%C3%B6ln&place=Oslo"
    page.goto(address)
    expect(heading(page, SIGN_IN)).to_be_visible()
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)
    page.route("**/session", lambda route: route.fulfill(status=502), times=1)
    page.route("**/session", lambda route: route.abort(), times=1)
    open_demo(page)
    expect(page).to_have_title("Connection · Muster")

    page.reload()  # immediately: no page is shown before the browser has its cookie
    expect(heading(page, CONNECTION)).to_be_visible()
    parts = urlsplit(page.url)
    assert parts.path == "/connection"
    assert parse_qs(parts.query) == {"from": ["mail"], "place": ["Köln", "Oslo"]}

    second = page.context.new_page()
    second.goto(f"{muster.url}/journal")
    expect(heading(second, JOURNAL)).to_be_visible()
    expect(heading(second, SIGN_IN)).to_have_count(0)

    cookie = cookie_of(page.context)
    assert cookie["httpOnly"] is True
    assert cookie["sameSite"] == "Strict"
    assert cookie["expires"] == -1
    assert re.fullmatch(r"[\w-]{43}", cookie["value"])
    assert "muster_session" not in page.evaluate("document.cookie")
    browser_storage = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert cookie["value"] not in browser_storage
    assert cookie["value"] not in page.content()


def test_signing_out_and_in_applies_to_every_tab_automatically(muster: Muster, page_at: PageAt):
    page = page_at()
    second = page.context.new_page()
    page.goto(f"{muster.url}/connection")
    open_demo(page)
    second.goto(f"{muster.url}/connection")
    expect(heading(second, CONNECTION)).to_be_visible()

    choose_in_account_menu(page, "Sign out")
    expect(heading(page, SIGN_IN)).to_be_visible()
    expect(page.get_by_text("You are signed out in all tabs.")).to_be_visible()
    expect(page.get_by_test_id("stSidebar"), "on a phone it would cover the sign-in form").to_have_count(0)

    expect(heading(second, SIGN_IN)).to_be_visible()
    page.reload()
    expect(heading(page, SIGN_IN)).to_be_visible()
    open_demo(page)
    expect(heading(second, CONNECTION)).to_be_visible()


def test_a_late_sign_out_response_does_not_sign_out_the_next_user(muster: Muster, page_at: PageAt):
    """The response removes only the cookie of the session that has ended."""
    page = page_at()
    page.goto(f"{muster.url}/connection")
    open_demo(page)
    held_responses: list[tuple[Route, httpx.Response]] = []

    def hold(route: Route) -> None:
        # Not by Playwright, which would apply the cookies of the response to the browser, however late it comes.
        request = route.request
        held_responses.append(
            (route, httpx.post(request.url, headers=request.all_headers(), content=request.post_data))
        )

    page.route("**/session/end", hold)
    with page.expect_request("**/session/end"):
        choose_in_account_menu(page, "Sign out")
    expect(heading(page, SIGN_IN)).to_be_visible()
    fill_in(page, organization="8800001", user="demo", password="demo")
    expect(heading(page, CONNECTION)).to_be_visible()
    assert held_responses
    for route, response in held_responses:
        assert "Max-Age=0" in response.headers["set-cookie"]
        route.fulfill(status=response.status_code, headers=dict(response.headers))
    page.unroute("**/session/end")
    page.reload()
    expect(heading(page, CONNECTION)).to_be_visible()


def test_sign_in_and_frame_are_accessible(muster: Muster, page_at: PageAt, wait_until_idle: Any):
    page = page_at()
    page.goto(f"{muster.url}/connection")
    expect(heading(page, SIGN_IN)).to_be_visible()
    assert_usable_by_everyone(wait_until_idle(page), assert_no_serious_violations)
    fill_in(page, organization="Acme", user="", password="")
    expect(page.get_by_text("Enter your password.")).to_be_visible()
    assert_usable_by_everyone(wait_until_idle(page), assert_no_serious_violations)
    open_demo(page)
    assert_usable_by_everyone(wait_until_idle(page), assert_frame_is_visible)
