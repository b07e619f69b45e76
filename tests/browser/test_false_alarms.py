"""The false alarms of this trade, each begun again in a real browser: what the person sees before anything goes out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from components.public_alerts.draft import KIND
from components.public_alerts.request import request_json
from tests.browser.desk import Desk
from tests.unit.alert_sending.alerts_for_sending import TEXT, a_test, an_alert, arrived

PageAt = Callable[..., Page]
Settled = Callable[[Page], Page]
BOULDER = [80301]
SEND = re.compile(r"^(campaign |science )?Send (this|the)")


@dataclass(frozen=True)
class Alarm:
    """A false alarm: the draft as it stands, what the person sees, and what their press makes of it.

    `button` is whether the way to send it stands there ("none", "grey", "ready"); `mend` is a button that mends it, and
    `mended` what is no longer there then.
    """

    called: str
    draft: dict[str, Any]
    sees: tuple[str, ...]
    button: str = "grey"
    is_test: bool = False
    mend: str = ""
    mended: str = ""

    def __repr__(self) -> str:
        return self.called


ALARMS = [
    Alarm("a drill sent as live", {"sms": "This is a drill. Leave now."}, ("For a test choose a routine test",)),
    Alarm(
        "a live text sent as a test",
        {"sms": TEXT},
        ("LIVE BY ITS WORDS OR LEVELS", "It is sent with the same care as a live alert"),
        is_test=True,
    ),
    Alarm(
        "levels of an emergency on a test",
        {"urgency": "Immediate", "severity": "Extreme"},
        ("may be passed on like a real warning",),
        is_test=True,
        mend="Choose Minor and Past",
        mended="may be passed on like a real warning",
    ),
    Alarm(
        "the wrong place",
        {"sms": "Boulder Fire: Tornado in Dallas, Texas. Take shelter now. Until 6 pm."},
        ("The text says “in Dallas, Texas”, and the alert goes to 80301, CO",),
    ),
    Alarm(
        "the whole jurisdiction by accident",
        {"jurisdiction": "all", "regions": []},
        ("to: ALL of the jurisdiction", "it goes to ALL of the jurisdiction", "To send this routine test, type ALL"),
        is_test=True,
    ),
    Alarm("an empty area", {"regions": []}, ("It cannot be sent like this", "Choose at least one place"), "none"),
    Alarm(
        "the wrong end",
        {"sms": "Boulder Fire: wildfire near Boulder. Leave now, for the next 2 hours.", "hours": 12},
        ("The text speaks of the next 2 h, and the alert lasts 12 h",),
        mend="Choose 2 h",
        mended="The text speaks of the next 2 h",
    ),
    Alarm(
        "smart quotes",
        {"sms": "Boulder Fire: wildfire near Boulder. “Leave now” by Highway 36. Until 6 pm.", "stage": "edit"},
        ("costly characters",),
        "none",
        mend="Straighten quotes and dashes",
        mended="costly characters",
    ),
    Alarm(
        "a poor text",
        {"sms": "Xyz"},
        ("The text lacks “says who”", "The text lacks “what to do”", "The text lacks “until when”"),
    ),
    Alarm(
        "a stale draft",
        {"written_at": datetime.now(UTC) - timedelta(days=2), "sms": f"{TEXT.partition(' Until')[0]} Until 6 pm."},
        ("Written 2 d ago", "The text says “Until 6 pm”, and that is past"),
    ),
]


@pytest.mark.parametrize("alarm", ALARMS, ids=repr)
def test_the_person_sees_what_is_wrong_before_it_goes_out(
    desk: Desk, page_at: PageAt, settled: Settled, alarm: Alarm
) -> None:
    """In the review, or in the composer where it stands there; nothing has left."""
    begun = a_test if alarm.is_test else an_alert
    draft = desk.keep(begun(**({"regions": BOULDER} | alarm.draft)))
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
