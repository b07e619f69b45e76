"""A real dashboard process on its embedded service, and pages of a real Chromium that must not connect to other
machines.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.contexts import TIMEOUT_MS, Contexts, Watch
from tests.browser.dashboards import Dashboard, start_dashboards
from tests.browser.script_runs import trace, wait_for_run
from tests.browser.signing_in import open_demo
from tests.running_muster import Muster, start_muster

PROJECT = Path(__file__).resolve().parents[2]
RESULTS = PROJECT / "test-results"

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


@pytest.fixture(scope="session")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    """The dashboards at an empty service, shared by the tests of this session."""
    with start_dashboards(tmp_path_factory.mktemp("dashboard")) as dashboard:
        yield dashboard


@pytest.fixture(scope="session")
def browsers() -> Iterator[tuple[Contexts, asyncio.AbstractEventLoop]]:
    """The browsers of this session, and Playwright's event loop."""
    with sync_playwright() as driver:
        contexts, loop = Contexts(driver), asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield contexts, loop
        asyncio._set_running_loop(loop)
        contexts.close()


@pytest.fixture(scope="module")
def contexts(browsers: tuple[Contexts, asyncio.AbstractEventLoop]) -> Iterator[Contexts]:
    """The browsers, for the tests of one file. Playwright's loop counts as running in this thread, where other tests
    run theirs.
    """
    shared, loop = browsers
    asyncio._set_running_loop(loop)
    yield shared
    asyncio._set_running_loop(None)


@pytest.fixture
def page_at(contexts: Contexts, request: pytest.FixtureRequest) -> Iterator[PageAt]:
    """A factory of pages: `page_at(390, 844, "dark")`. Each is a new person who isn't signed in.

    Tests of maps are marked `maps`; other pages leave its place empty. A test fails at its end if a page
    connected to another machine, violated the security policy, or raised an error.
    """
    maps = request.node.get_closest_marker("maps") is not None
    watch = contexts.watch = Watch()
    pages: list[Page] = []

    def make(width: int = 1440, height: int = 900, theme: Theme = "light") -> Page:
        pages.append(contexts.take(maps=maps))
        page = pages[-1]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme)
        return page

    yield make
    failed = getattr(request.node, "failed_call", False)
    for number, page in enumerate(pages):
        if failed:
            RESULTS.mkdir(exist_ok=True)
            for tab, each in enumerate(page.context.pages):
                each.screenshot(path=RESULTS / f"{request.node.name}-{number}-{tab}.png")
                (RESULTS / f"{request.node.name}-{number}-{tab}.txt").write_text(trace(each), encoding="utf-8")
            page.context.close()
        else:
            contexts.give_back(page, maps=maps)
    assert watch.foreign_urls == [], "a page connected to another machine"
    assert watch.policy_violations == [], "a page violated the content security policy"
    assert watch.errors == [], "a script of a page failed"


@pytest.fixture
def sign_in_demo(muster: Muster) -> Callable[..., Page]:
    """A function that opens a path of the dashboard, such as "/find-trip?locator=WSVM7K", in the demo organization."""

    def sign_in(page: Page, path: str = "/") -> Page:
        open_demo(page, muster, path)
        expect(page.get_by_test_id("stMain").get_by_text("Demo organization", exact=True)).to_be_visible()
        return wait_until_idle(page)

    return sign_in


def wait_until_idle(page: Page) -> Page:
    """Wait until the script has finished and the page shows its result."""
    wait_for_run(page, TIMEOUT_MS)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(state="attached")
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    expect(page.locator('[data-stale="true"]')).to_have_count(0)
    return page


def wait_for_roster(page: Page) -> Page:
    """Wait until the first screen has read the demo roster. It is redrawn many times meanwhile."""
    expect(page.get_by_role("heading", name="Map", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Refresh")).to_be_enabled()
    expect(page.get_by_text(re.compile("^Loading Demo travelers"))).to_have_count(0)
    return wait_until_idle(page)


@pytest.fixture(name="wait_until_idle")
def wait_until_idle_fixture() -> Callable[[Page], Page]:
    """A function that waits until a page shows the result of its last run."""
    return wait_until_idle


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember a failed test for the fixtures that clean up after it."""
    report = yield
    if report.when == "call" and report.failed:
        item.failed_call = True  # type: ignore[attr-defined]
    return report
