"""The number of clicks from an empty alert to a sent one, for the five usual alerts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from scripts.count_presses import USUAL_ALERTS, count_presses
from tests.browser.signing_in import open_demo
from tests.running_muster import Muster, start_muster

PageAt = Callable[..., Page]


@pytest.fixture
def own_demo(tmp_path: Path) -> Iterator[Muster]:
    """A dashboard with its own demo organization, because other tests count the alerts of the shared one."""
    running = start_muster(tmp_path)
    yield running
    running.stop()


def test_the_usual_alerts_are_sent_in_few_clicks(own_demo: Muster, page_at: PageAt) -> None:
    """The sender of the first alert is filled in for the others."""
    page = open_demo(page_at(), own_demo, "/public-alert")
    for alert in reversed(USUAL_ALERTS):
        assert count_presses(page, own_demo.url, alert) <= alert.most, alert.title
