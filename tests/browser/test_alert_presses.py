"""How many presses lead from nothing to the review of an alert, for the kinds that take the most."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from scripts.count_presses import KINDS, MOST_WITH, MOST_WITHOUT, with_ready_alert, without
from tests.running_muster import Muster

PageAt = Callable[..., Page]
SignIn = Callable[..., Page]
KIND = next(kind for kind in KINDS if kind.event == "Evacuation Immediate")


def test_a_ready_alert_and_one_without_are_before_the_review_in_few_presses(
    muster: Muster, page_at: PageAt, sign_in_demo: SignIn
) -> None:
    """The one with the most blanks; who was named as the sender in the first is named in the second."""
    page = sign_in_demo(page_at(), "/public-alert")
    assert with_ready_alert(page, muster.url, KIND) <= MOST_WITH
    assert without(page, muster.url, KIND) <= MOST_WITHOUT
