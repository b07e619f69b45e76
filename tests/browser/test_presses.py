"""What a page offers to press in a real browser, and what it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.running_muster import Muster, start_muster
from tests.running_service import RunningService

PageAt = Callable[..., Page]
Settled = Callable[[Page], Page]
SLOW = {"fault": [{"kind": "latency", "milliseconds": 6_000, "path": "/notificationEvents/*"}]}


@pytest.fixture
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Muster, RunningService]]:
    """A dashboard at a service that takes its time over events."""
    with RunningService(faults=SLOW) as service:
        muster = start_muster(tmp_path_factory.mktemp("slow"), MUSTER_SERVICE_URL=service.url)
        yield muster, service
        muster.stop()


def test_what_a_page_is_doing_cannot_be_stopped_half_way(
    slow: tuple[Muster, RunningService], page_at: PageAt, settled: Settled
) -> None:
    """That it is doing something is shown; the menu, with its choice of light or dark, stays."""
    muster, service = slow
    page = page_at()
    page.goto(f"{muster.url}/notification-events")
    page.get_by_label("Organization").fill(str(service.organization_id))
    page.get_by_label("User", exact=True).fill(service.username)
    page.get_by_label("Password", exact=True).fill(service.password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("Reading the events")).to_be_visible()
    working = page.get_by_test_id("stStatusWidgetRunningIcon")
    expect(working).to_be_visible()
    assert page.get_by_role("button", name="Stop").count() == 0
    assert working.is_visible()
    settled(page)
    page.get_by_test_id("stMainMenuButton").click()
    expect(page.get_by_role("menuitemradio", name="Dark")).to_be_visible()
    expect(page.get_by_role("menuitem")).to_have_text(["About"])
