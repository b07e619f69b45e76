"""How many presses lead from an empty alert to a sent one, for the two usual alerts that take the most."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from scripts.count_presses import USUAL_ALERTS, count_presses
from tests.running_muster import Muster

PageAt = Callable[..., Page]
SignIn = Callable[..., Page]


def test_a_ready_alert_and_one_without_are_sent_in_few_presses(
    muster: Muster, page_at: PageAt, sign_in_demo: SignIn
) -> None:
    """Who was named as the sender in the first is named in the second."""
    page = sign_in_demo(page_at(), "/public-alert")
    usual = {alert.title: alert for alert in USUAL_ALERTS}
    for title in ("Missing child", "Evacuation"):
        assert count_presses(page, muster.url, usual[title]) <= usual[title].most, title
