"""Signing in with a real browser: deep links, tabs, the cookie, signing out, the words, and what a page may load."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import APIResponse, BrowserContext, Page, Route, expect

from tests.browser.usable import assert_usable_by_everyone
from tests.running_muster import PROJECT, Muster

SIGN_IN = "Sign in"
CONNECTION = "What this desk is connected to"

PageAt = Callable[..., Page]


def heading(page: Page, text: str) -> Any:
    return page.get_by_role("heading", name=text, exact=True)


def open_demo(page: Page) -> None:
    page.get_by_role("button", name="Open the demo organization").click()
    expect(heading(page, CONNECTION)).to_be_visible()


def fill(page: Page, *, organization: str, user: str, password: str) -> None:
    page.get_by_label("Organization").fill(organization)
    page.get_by_label("User").fill(user)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name=SIGN_IN).click()


def cookie_of(context: BrowserContext) -> Any:
    return next((cookie for cookie in context.cookies() if cookie["name"] == "muster_session"), None)


def page_part(page: Page, target: str) -> str:
    """Return the markup of the nearest marked part of the page around the target."""
    return str(page.locator(target).first.evaluate("node => node.closest('[data-testid]').dataset.testid"))


def serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found
        if violation["impact"] in {"serious", "critical"}
        for node in violation["nodes"]
        # The framework puts a section's name as a div into the menu's list; a page cannot mend that.
        if not (violation["id"] in {"list", "listitem"} and "stSidebarNav" in page_part(page, node["target"][0]))
    ]


def nothing_serious(page: Page) -> None:
    """No serious fault in the page, its frame included."""
    assert serious(page) == []


def test_a_cold_deep_link_leads_to_the_sign_in_and_then_to_its_page_with_its_query(muster: Muster, page_at: PageAt):
    page = page_at()
    page.goto(f"{muster.url}/connection?from=mail&place=K%C3%B6ln&place=Oslo")
    expect(heading(page, SIGN_IN)).to_be_visible()
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)
    open_demo(page)
    parts = urlsplit(page.url)
    assert parts.path == "/connection"
    assert parse_qs(parts.query) == {"from": ["mail"], "place": ["Köln", "Oslo"]}
    expect(page).to_have_title("Connection · Muster")


def test_a_refresh_and_a_second_tab_keep_one_signed_in_by_a_cookie_that_no_script_reads(
    muster: Muster, page_at: PageAt
):
    page = page_at()
    page.goto(f"{muster.url}/connection?from=mail")
    open_demo(page)

    page.reload()  # at once: no page is seen before the browser has its cookie
    expect(heading(page, CONNECTION)).to_be_visible()
    assert page.url.endswith("/connection?from=mail")

    second = page.context.new_page()
    second.goto(f"{muster.url}/journal")
    expect(second.get_by_role("button", name="Sign out")).to_be_visible()
    expect(heading(second, SIGN_IN)).to_have_count(0)

    cookie = cookie_of(page.context)
    assert cookie["httpOnly"] is True
    assert cookie["sameSite"] == "Strict"
    assert cookie["expires"] == -1
    assert re.fullmatch(r"[\w-]{43}", cookie["value"])
    assert "muster_session" not in page.evaluate("document.cookie")
    stored = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert cookie["value"] not in stored
    assert cookie["value"] not in page.content()


def test_signing_out_and_in_goes_for_every_tab_though_nothing_is_pressed_in_the_others(muster: Muster, page_at: PageAt):
    page = page_at()
    second = page.context.new_page()
    page.goto(f"{muster.url}/connection")
    open_demo(page)
    second.goto(f"{muster.url}/connection")
    expect(heading(second, CONNECTION)).to_be_visible()

    page.get_by_test_id("stSidebar").get_by_role("button", name="Sign out").click()
    expect(heading(page, SIGN_IN)).to_be_visible()
    expect(page.get_by_text("You are signed out, here and in every other tab.")).to_be_visible()
    expect(page.get_by_test_id("stSidebar"), "on a phone it would lie over the sign-in").to_have_count(0)

    expect(heading(second, SIGN_IN)).to_be_visible()
    page.reload()
    expect(heading(page, SIGN_IN)).to_be_visible()
    open_demo(page)
    expect(heading(second, CONNECTION)).to_be_visible()


def test_somebody_else_can_sign_in_after_a_sign_out_in_the_same_tab(muster: Muster, page_at: PageAt):
    page = page_at()
    page.goto(f"{muster.url}/connection")
    open_demo(page)
    page.get_by_test_id("stSidebar").get_by_role("button", name="Sign out").click()
    expect(heading(page, SIGN_IN)).to_be_visible()
    fill(page, organization="8800001", user="demo", password="demo")
    expect(heading(page, CONNECTION)).to_be_visible()
    page.reload()
    expect(heading(page, CONNECTION)).to_be_visible()


def test_the_answer_to_a_sign_out_that_comes_after_the_next_sign_in_takes_nothing_away(muster: Muster, page_at: PageAt):
    """It lets go of the cookie that there was when it was asked for."""
    page = page_at()
    page.goto(f"{muster.url}/connection")
    open_demo(page)
    late: list[tuple[Route, APIResponse]] = []
    page.route("**/session/end", lambda route: late.append((route, route.fetch())))
    page.get_by_test_id("stSidebar").get_by_role("button", name="Sign out").click()
    expect(heading(page, SIGN_IN)).to_be_visible()
    fill(page, organization="8800001", user="demo", password="demo")
    expect(heading(page, CONNECTION)).to_be_visible()
    for route, answer in late:
        assert "Max-Age=0" in answer.headers["set-cookie"]
        route.fulfill(response=answer)
    page.unroute("**/session/end")
    page.reload()
    expect(heading(page, CONNECTION)).to_be_visible()


def test_who_is_not_let_in_is_told_at_the_field_and_the_rest_is_kept(
    muster: Muster, page_at: PageAt, settled: Callable[[Page], Page]
):
    """A wrong password, and an organization without access; the log names nobody."""
    page = page_at()
    page.goto(f"{muster.url}/connection?person=Silva")
    fill(page, organization="8800001", user="demo", password="hunter2")
    expect(page.get_by_text("The service does not know this user name with this password.")).to_be_visible()
    settled(page)  # until then the field of the run before stands beside the new one
    expect(page.get_by_label("Organization")).to_have_value("8800001")
    expect(page.get_by_label("User")).to_have_value("demo")
    expect(page.get_by_label("Password", exact=True)).to_have_value("")
    fill(page, organization="8800002", user="demo", password="demo")
    expect(page.get_by_text("This user has no access to this organization")).to_be_visible()
    assert "hunter2" not in muster.log
    assert "Silva" not in muster.log


def test_on_a_phone_the_organization_user_and_service_stay_in_sight_and_nothing_overflows(
    muster: Muster, page_at: PageAt
):
    page = page_at(390, 844)
    page.goto(f"{muster.url}/connection")
    open_demo(page)
    expect(page.get_by_text("Demo organization · demo · 8800001 · Muster's own service")).to_be_in_viewport()
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    main = page.get_by_test_id("stMain")
    assert main.evaluate("node => node.scrollWidth <= node.clientWidth")


def test_a_request_for_the_cookie_that_is_lost_or_not_passed_on_is_made_again(muster: Muster, page_at: PageAt):
    page = page_at()
    page.goto(f"{muster.url}/connection")
    page.route("**/session", lambda route: route.fulfill(status=502), times=1)
    page.route("**/session", lambda route: route.abort(), times=1)
    open_demo(page)
    page.reload()
    expect(heading(page, "Connection")).to_be_visible()


def test_sign_in_and_frame_are_accessible(muster: Muster, page_at: PageAt, settled: Any):
    page = page_at()
    page.goto(f"{muster.url}/connection")
    expect(heading(page, SIGN_IN)).to_be_visible()
    assert_usable_by_everyone(settled(page), nothing_serious)
    fill(page, organization="Acme", user="", password="")
    expect(page.get_by_text("Enter your password.")).to_be_visible()
    assert_usable_by_everyone(settled(page), nothing_serious)
    open_demo(page)
    assert_usable_by_everyone(settled(page), nothing_serious)


def test_every_answer_is_guarded_and_the_shut_doors_are_shut(muster: Muster):
    for path in ("/", "/connection", "/_stcore/health", "/readyz", "/session/script.js", "/app/static/none"):
        headers = httpx.get(muster.url + path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path
        assert headers["x-content-type-options"] == "nosniff", path
    assert httpx.get(f"{muster.url}/_stcore/metrics").status_code == 404
    assert httpx.get(f"{muster.url}/_stcore/agent/openapi.json").status_code == 404
    assert httpx.post(f"{muster.url}/session", json={"ticket": "guess"}).status_code == 403


def test_a_setting_that_cannot_be_used_stops_muster_with_words(tmp_path: Path):
    result = subprocess.run(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.port", "0"],
        cwd=PROJECT,
        env={
            "PATH": "/usr/bin:/bin",
            "HOME": str(tmp_path),
            "MUSTER_DATA_DIR": str(tmp_path),
            "MUSTER_FAN_OUT": "many",
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 1
    assert "MUSTER_FAN_OUT input should be a valid integer" in result.stderr
    assert "Traceback" not in result.stderr
