"""The number of presses from an empty alert to a sent one, for the five usual alerts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from scripts.count_presses import MOST_BY_KEYBOARD, USUAL_ALERTS, Keys, count_presses
from tests.browser.signing_in import open_demo
from tests.running_muster import Muster, start_muster

PageAt = Callable[..., Page]


@pytest.fixture
def own_demo(tmp_path: Path) -> Iterator[Muster]:
    """A dashboard with its own demo organization, because other tests count the alerts of the shared one."""
    running = start_muster(tmp_path)
    yield running
    running.stop()


def test_the_usual_alerts_are_sent_in_few_presses(own_demo: Muster, page_at: PageAt) -> None:
    """By mouse and by keyboard. The sender of the first alert is filled in for the others."""
    page = open_demo(page_at(), own_demo, "/public-alert")
    by_mouse = {alert.title: count_presses(page, own_demo.url, alert) for alert in reversed(USUAL_ALERTS)}
    too_many = {alert.title: by_mouse[alert.title] for alert in USUAL_ALERTS if by_mouse[alert.title] > alert.most}
    by_keyboard = {alert.title: count_presses(page, own_demo.url, alert, Keys) for alert in USUAL_ALERTS}
    assert (too_many, {title: number for title, number in by_keyboard.items() if number > MOST_BY_KEYBOARD}) == ({}, {})
