"""Open a screen as a user: with the form the first time, later with the cookie from that sign-in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from tests.running_muster import Muster

# By dashboard and user. The sign-in form has its own tests.
_COOKIES: dict[tuple[str, int, str], list[Any]] = {}


def open_as(page: Page, muster: Muster, path: str, *, organization: int, user: str, password: str) -> Page:
    """Open a path of a dashboard as a user of its service."""

    def fill_in() -> None:
        page.get_by_label("Organization").fill(str(organization))
        page.get_by_label("User", exact=True).fill(user)
        page.get_by_label("Password", exact=True).fill(password)
        page.get_by_role("button", name="Sign in").click()

    return _open(page, muster, path, user, fill_in)


def open_demo(page: Page, muster: Muster, path: str) -> Page:
    """Open a path of a dashboard in the demo organization."""
    return _open(page, muster, path, "", page.get_by_role("button", name="Open the demo organization").click)


def _open(page: Page, muster: Muster, path: str, person: str, sign_in: Callable[[], None]) -> Page:
    key = (muster.url, muster.process.pid, person)
    if key in _COOKIES:
        page.context.add_cookies(_COOKIES[key])
        page.goto(muster.url + path)
        return page
    page.goto(muster.url + path)
    with page.expect_response(lambda answer: answer.url == f"{muster.url}/session" and answer.ok):
        sign_in()
    _COOKIES[key] = [cookie for cookie in page.context.cookies() if cookie["name"] == "muster_session"]
    return page


def choose_in_account_menu(page: Page, option: str) -> None:
    """Select an entry of the user's own menu: "Journal", "Connection", or "Sign out"."""
    page.get_by_test_id("stSidebar").get_by_test_id("stMenuButton").get_by_role("button").click()
    page.get_by_role("menuitem", name=option).click()
