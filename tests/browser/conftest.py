"""A real dashboard process on its embedded service, and pages of a real Chromium that must not leave this machine."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Route,
    expect,
    sync_playwright,
)

from tests.browser.script_runs import follow, wait_for_run
from tests.running_muster import Muster, start_muster

PROJECT = Path(__file__).resolve().parents[2]
RESULTS = PROJECT / "test-results"
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
TIMEOUT_MS = 30_000

Theme = Literal["light", "dark"]
PageAt = Callable[..., Page]

expect.set_options(timeout=TIMEOUT_MS)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark every test here."""
    if item.path.is_relative_to(Path(__file__).parent):
        item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def muster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Muster]:
    """The dashboard on its embedded service with the demo organization, shared by the tests of this session."""
    running = start_muster(tmp_path_factory.mktemp("muster"))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """Playwright's driver; ended with each file: while it lives, an event loop counts as running in this thread."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A Chromium on the PATH, else Playwright's own."""
    executable = next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)
    launched = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_ARGUMENTS)
    yield launched
    launched.close()


@dataclass
class Watch:
    """What pages did that they must not: outside hosts called, what the security policy refused, errors of scripts."""

    outside: list[str]
    refused: list[str]
    errors: list[str]


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Fails the test at its end if a page called out, broke the security policy, or threw."""
    seen = Watch([], [], [])
    yield seen
    assert seen.outside == [], "a page called a host outside this machine"
    assert seen.refused == [], "the content security policy refused something the page needs"
    assert seen.errors == [], "a script of a page failed"


@pytest.fixture
def context_at(
    browser: Browser, watch: Watch, request: pytest.FixtureRequest
) -> Iterator[Callable[..., BrowserContext]]:
    """A factory of browser contexts, each a person of their own; the theme comes from the system's colour scheme."""
    contexts: list[BrowserContext] = []

    def make(width: int = 1440, height: int = 900, theme: Theme = "light") -> BrowserContext:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, locale="en-GB", timezone_id="Europe/Berlin"
        )
        context.set_default_timeout(TIMEOUT_MS)
        context.route("**/*", lambda route: _only_here(route, watch))
        context.on("console", lambda message: _note(message, watch))
        context.on("page", follow)
        context.on("weberror", lambda error: watch.errors.append(str(error.error)))
        contexts.append(context)
        return context

    yield make
    failed = getattr(request.node, "failed_call", False)
    for number, context in enumerate(contexts):
        if failed:
            RESULTS.mkdir(exist_ok=True)
            for tab, page in enumerate(context.pages):
                page.screenshot(path=RESULTS / f"{request.node.name}-{number}-{tab}.png")
        context.close()


@pytest.fixture
def page_at(context_at: Callable[..., BrowserContext]) -> PageAt:
    """A factory of pages: `page_at(390, 844, "dark")`; each is a person of their own, not signed in."""

    def make(width: int = 1440, height: int = 900, theme: Theme = "light") -> Page:
        return context_at(width, height, theme).new_page()

    return make


@pytest.fixture
def sign_in_demo(muster: Muster) -> Callable[..., Page]:
    """Opens a path of the dashboard, such as "/find-trip?locator=WSVM7K", and the demo organization there."""

    def sign_in(page: Page, path: str = "/") -> Page:
        page.goto(muster.url + path)
        page.get_by_role("button", name="Open the demo organization").click()
        expect(page.get_by_text("Demo organization ·", exact=False).first).to_be_visible()
        settled(page)
        return page

    return sign_in


def settled(page: Page) -> Page:
    """Wait until the script has run to its end and the page shows its result."""
    wait_for_run(page, TIMEOUT_MS)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(state="attached")
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    expect(page.locator('[data-stale="true"]')).to_have_count(0)
    return page


@pytest.fixture(name="settled")
def settled_fixture() -> Callable[[Page], Page]:
    """Call it with a page to wait until it shows the result of its last run."""
    return settled


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember a failed test for the fixtures that clean up after it."""
    report = yield
    if report.when == "call" and report.failed:
        item.failed_call = True  # type: ignore[attr-defined]
    return report


def _only_here(route: Route, watch: Watch) -> None:
    parts = urlsplit(route.request.url)
    if parts.scheme in {"data", "blob"} or parts.hostname in {"127.0.0.1", "localhost"}:
        route.continue_()
        return
    watch.outside.append(route.request.url)
    route.abort()


def _note(message: ConsoleMessage, watch: Watch) -> None:
    if "Content Security Policy" in message.text:
        watch.refused.append(message.text)
