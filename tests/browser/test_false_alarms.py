"""False alarms in a real browser: what the person sees before anything goes out, and of what is typed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from components.public_alerts.draft import KIND
from components.public_alerts.request import request_json
from tests.browser.desk import Desk
from tests.false_alarms import ALARMS, BOULDER, SEND, Alarm
from tests.unit.alert_sending.alerts_for_sending import a_test, an_alert, arrived

PageAt = Callable[..., Page]
Settled = Callable[[Page], Page]
# One of each place where it is told: beside the text in the review, at the name to be typed, in the composer.
IN_EACH_PLACE = {"the wrong end", "the whole jurisdiction by accident", "smart quotes"}


@pytest.mark.parametrize("alarm", [each for each in ALARMS if each.called in IN_EACH_PLACE], ids=repr)
def test_the_person_sees_what_is_wrong_before_it_goes_out(
    desk: Desk, page_at: PageAt, settled: Settled, alarm: Alarm
) -> None:
    """In the review, or in the composer where it stands there; nothing has left."""
    draft = desk.keep(alarm.begun())
    page = desk.open(page_at(), f"/public-alert?draft={draft.uid}")
    for said in alarm.sees:
        expect(page.get_by_text(said).first).to_be_visible()
    settled(page)
    send = page.get_by_role("button", name=SEND)
    if alarm.button == "none":
        expect(send).to_have_count(0)
    else:
        expect(send).to_be_disabled()
    if alarm.mend:
        page.get_by_role("button", name=alarm.mend).click()
        expect(page.get_by_text(alarm.mended)).to_have_count(0)
        settled(page)
    assert arrived(desk.service, draft.sms) == 0


@dataclass(frozen=True)
class Typed:
    """What is typed into a field of the composer, and what the person sees of it there."""

    called: str
    field: str
    text: str
    sees: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return self.called


TYPED = [
    Typed(
        "a truncated zip",
        "City, zip code or county",
        "8030",
        ("“8030” has 4 of the five digits of a zip code", "80301, CO · zip code"),
    ),
    Typed("a county as it is spoken", "City, zip code or county", "LA county", ("Los Angeles County, CA · county",)),
    Typed("a city as it is spoken", "City, zip code or county", "NYC", ("New York, NY · city",)),
    Typed("a borough", "City, zip code or county", "Brooklyn", ("Brooklyn, NY · city",)),
    Typed("a place that isn't there", "City, zip code or county", "Bouldxyr Heights", ("No place of this name",)),
    Typed("a phone number with dashes", "Phone", "303-555-0123"),
]


def test_what_is_typed_is_seen_as_it_was_understood_before_it_goes_out(
    desk: Desk, page_at: PageAt, settled: Settled
) -> None:
    """One row after the other in one composer, nothing chosen by any of them, and then in its review."""
    draft = desk.keep(an_alert(regions=BOULDER, stage="edit"))
    page = desk.open(page_at(), f"/public-alert?draft={draft.uid}")
    expect(page.get_by_text("places offered, read")).to_be_visible()
    for row in TYPED:
        field = page.get_by_label(row.field, exact=True)
        field.fill(row.text)
        field.press("Tab")
        for said in row.sees:
            expect(page.get_by_text(said).first, row.called).to_be_visible()
        settled(page)
    page.get_by_role("button", name="Review and send").click()
    expect(page.get_by_text("Phone: 3035550123")).to_be_visible()
    expect(page.get_by_text("80301, CO · zip code · Boulder").first).to_be_visible()
    expect(page.get_by_role("button", name=SEND)).to_be_disabled()


def test_one_pressed_twice_goes_out_once(desk: Desk, page_at: PageAt, settled: Settled) -> None:
    """And its result says to whom it went and until when, on the clocks there."""
    draft = desk.keep(a_test(regions=BOULDER, sms="Boulder Fire: this is a test, pressed twice. Do nothing."))
    page = desk.open(page_at(), f"/public-alert?draft={draft.uid}")
    expect(page.get_by_text("ROUTINE TEST", exact=True)).to_be_visible()
    settled(page)
    page.get_by_role("button", name=SEND).dblclick()
    expect(page.get_by_text("It was sent once")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^To 80301, CO · Boulder · in force until .* [ap]m M[SD]T"))).to_be_visible()
    assert arrived(desk.service, "pressed twice") == 1


def test_one_approved_and_changed_is_approved_no_longer(desk: Desk, page_at: PageAt) -> None:
    """One letter is enough, and there is no way to send it before somebody else has read it again."""
    approved = a_test(regions=BOULDER, sms="Boulder Fire: this is a test that was approved.")
    draft = desk.keep(approved.model_copy(update={"sms": f"{approved.sms} Really."}))
    with desk.journal() as journal:
        payload = {"request": request_json(approved), "draft": approved.model_dump(mode="json")}
        handed = journal.handovers.create(desk.actor(), KIND, draft.uid, payload)
        assert journal.handovers.approve(desk.actor("ben"), handed.id, handed.digest)
    page = desk.open(page_at(), f"/public-alert?draft={draft.uid}", at=desk.asking)
    expect(page.get_by_text("It was changed after it was handed over")).to_be_visible()
    expect(page.get_by_role("button", name="Hand over for approval")).to_be_visible()
    expect(page.get_by_role("button", name=SEND)).to_have_count(0)
    assert arrived(desk.service, "Really") == 0
