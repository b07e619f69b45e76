"""How many presses lead from an empty alert to a sent one, for the two usual alerts that take the most."""

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
    """A dashboard with a demo organization of its own: the alerts are sent, and other tests count what is there."""
    running = start_muster(tmp_path)
    yield running
    running.stop()


def test_an_alert_template_and_one_without_are_sent_in_few_presses(own_demo: Muster, page_at: PageAt) -> None:
    """Who was named as the sender in the first is named in the second."""
    page = open_demo(page_at(), own_demo, "/public-alert")
    usual = {alert.title: alert for alert in USUAL_ALERTS}
    for title in ("Missing child", "Evacuation"):
        assert count_presses(page, own_demo.url, usual[title]) <= usual[title].most, title
