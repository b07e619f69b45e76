"""A public alert in a real browser: sent, stopped, left, approved by another user, and with a lost response."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.dashboards import Dashboard
from tests.browser.pick_lists import choose
from tests.browser.usable import find_serious_violations
from tests.domain.alerts.sending.alerts_for_sending import LOST_AFTER, a_test, an_alert, count_alerts

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
LIVE_TEXT = "Boulder Fire: wildfire near Boulder. Leave now by Highway 36 to the north."


def type_place(page: Page, wait_until_idle: WaitUntilIdle, place: str) -> None:
    """Type the name of the place."""
    page.get_by_role("textbox", name="Recipients").fill(place)
    wait_until_idle(page)


def test_a_live_alert_is_written_reviewed_stopped_and_sent_once(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """A quick or slow double click sends one alert. A review has the latest text. A correction follows."""
    page = dashboard.open(page_at(), "/public-alert")
    expect(page.get_by_role("heading", name="Public alert")).to_be_visible()
    wait_until_idle(page)
    # A redraw under the pointer, such as after the places are loaded, can swallow a click.
    expect(page.get_by_text("Loading the cities")).to_have_count(0)
    for label, option in (
        ("Category", "Fire"),
        ("Event", "Wildfire"),
        ("Urgency", "Immediate"),
        ("Severity", "Extreme"),
        ("Certainty", "Observed"),
        ("Ends after", "4 hours"),
    ):
        choose(page, label, option)
    page.get_by_role("radiogroup", name="Type").get_by_text("Alert", exact=True).click()
    wait_until_idle(page)
    page.get_by_role("radiogroup", name="Recipients by place").get_by_text("Entire jurisdiction", exact=True).click()
    wait_until_idle(page)
    text = page.get_by_role("textbox", name="Text message")
    text.click()
    page.keyboard.type(LIVE_TEXT)
    # Immediately: the button must use the latest input.
    page.get_by_role("button", name="Review alert").click()
    expect(page.get_by_text("LIVE ALERT: Wildfire")).to_be_visible()
    expect(page.get_by_text(LIVE_TEXT).first).to_be_visible()
    wait_until_idle(page)
    for box in ("Event and levels", "Message", "Recipients"):
        expect(page.get_by_role("heading", name=box)).to_be_visible()
    assert find_serious_violations(page) == []

    send = page.get_by_role("button", name="Send this live alert to Entire jurisdiction")
    send.click()
    expect(page.get_by_text("Nothing was sent. To send this live alert, enter all.")).to_be_visible()
    type_place(page, wait_until_idle, "all")
    send.click()
    expect(page.get_by_text(re.compile(r"Sending in \d s"))).to_be_visible()
    # Only this part: a check of the whole page can take so long that the countdown treats the page as left.
    assert find_serious_violations(page, "[data-testid=stBottom]") == []
    page.get_by_role("button", name="Stop alert").click()
    expect(page.get_by_text("Stopped. Nothing was sent.")).to_be_visible()
    expect(page.get_by_text("Sending in")).to_have_count(0)
    wait_until_idle(page)
    assert count_alerts(dashboard.service, LIVE_TEXT) == 0

    type_place(page, wait_until_idle, "all")
    box = send.bounding_box()
    assert box is not None
    send.dblclick()
    expect(page.get_by_text("Sending in")).to_be_visible()
    # The second click of a slow double click, after the countdown has replaced the button.
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("heading", name="Sent: Wildfire alert")).to_be_visible()
    wait_until_idle(page)
    assert count_alerts(dashboard.service, LIVE_TEXT) == 1
    page.reload()
    expect(page.get_by_role("heading", name="Sent: Wildfire alert")).to_be_visible()
    wait_until_idle(page)
    assert find_serious_violations(page) == []
    assert count_alerts(dashboard.service, LIVE_TEXT) == 1

    page.get_by_role("button", name="Report false alarm").click()
    expect(page.get_by_role("heading", name="Correction of a false alarm")).to_be_visible()
    wait_until_idle(page)
    expect(text).to_have_value(re.compile("^CORRECTION from .*no emergency", re.S))


def test_leaving_the_page_during_the_countdown_sends_nothing_and_reports_it(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """Refreshed, then left for another page: the countdown ends, and the return reports that."""
    draft = dashboard.store_draft(an_alert(jurisdiction="all", regions=[], sms="Boulder Fire: never to be sent."))
    page = dashboard.open(page_at(390, 844, "dark"), f"/public-alert?draft={draft.uid}")
    expect(page.get_by_text("LIVE ALERT: Wildfire")).to_be_visible()
    wait_until_idle(page)
    send = page.get_by_role("button", name="Send this live alert")
    type_place(page, wait_until_idle, "all")
    send.click()
    expect(page.get_by_text("Sending in")).to_be_visible()
    page.reload()
    expect(page.get_by_text("A countdown started")).to_be_visible()
    page.goto(dashboard.muster.url + "/journal")
    expect(page.get_by_role("heading", name="Journal")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("A countdown started")).to_be_visible()
    expect(page.get_by_text("Not sent.")).to_be_visible()
    wait_until_idle(page)
    assert find_serious_violations(page) == []
    assert count_alerts(dashboard.service, "never to be sent") == 0


def test_an_alert_is_sent_and_stopped_in_time_while_no_script_runs(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """As on a server that is so busy that no script run begins: the socket's messages wait until the end."""
    page = page_at()
    held_messages: list[tuple[WebSocketRoute, str | bytes]] = []
    is_busy = False

    def connect(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def forward(message: str | bytes) -> None:
            if is_busy:
                held_messages.append((server, message))
            else:
                server.send(message)

        socket.on_message(forward)

    page.route_web_socket("**/_stcore/stream", connect)
    for is_stopped in (True, False):
        text = f"Boulder Fire: {'never to be sent' if is_stopped else 'sent by the clock'}."
        draft = dashboard.store_draft(an_alert(jurisdiction="all", regions=[], sms=text))
        page = dashboard.open(page, f"/public-alert?draft={draft.uid}")
        expect(page.get_by_text("LIVE ALERT: Wildfire")).to_be_visible()
        wait_until_idle(page)
        type_place(page, wait_until_idle, "all")
        page.get_by_role("button", name="Send this live alert").click()
        expect(page.get_by_text("Sending in")).to_be_visible()
        is_busy = True
        if is_stopped:
            with page.expect_response("**/countdown/stop") as stopped:
                page.get_by_role("button", name="Stop alert").click()
            assert stopped.value.status == 204
        else:
            page.wait_for_event("response", lambda each: each.url.endswith("/countdown/open") and each.status == 404)
        assert count_alerts(dashboard.service, text) == (0 if is_stopped else 1)
        is_busy = False
        for server, message in held_messages:
            server.send(message)
        held_messages.clear()
        expected = "Stopped. Nothing was sent." if is_stopped else "Sent: Wildfire alert"
        expect(page.get_by_text(expected).first).to_be_visible()
        wait_until_idle(page)
        assert count_alerts(dashboard.service, text) == (0 if is_stopped else 1)


def test_an_alert_is_approved_by_a_second_user_and_sent_by_its_author(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """Requested with a link. Both screens update, and the journal has all three names."""
    draft = dashboard.store_draft(a_test(contact_name="Office of two people"))
    ana = dashboard.open(page_at(), f"/public-alert?draft={draft.uid}", at=dashboard.with_approval)
    expect(ana.get_by_role("button", name="Request approval")).to_be_visible()
    wait_until_idle(ana)
    expect(ana.get_by_role("button", name="Send routine test")).to_have_count(0)
    ana.get_by_role("button", name="Request approval").click()
    link = ana.locator("code", has_text="public-alert-approval")
    expect(link).to_be_visible()
    assert find_serious_violations(ana) == []
    approval_url = urlsplit(link.inner_text().strip())
    assert f"{approval_url.scheme}://{approval_url.netloc}" == dashboard.with_approval.url

    ben = dashboard.open(
        page_at(390, 844), f"{approval_url.path}?{approval_url.query}", user="ben", at=dashboard.with_approval
    )
    expect(ben.get_by_role("button", name="Approve alert")).to_be_visible()
    wait_until_idle(ben)
    expect(ben.get_by_test_id("stText").get_by_text("Office of two people")).to_be_visible()
    assert find_serious_violations(ben) == []
    ben.get_by_role("button", name="Approve alert").click()
    expect(ben.get_by_text("You approved this alert")).to_be_visible()

    expect(ana.get_by_text("Approved by ben")).to_be_visible()
    wait_until_idle(ana)
    ana.get_by_role("button", name="Send routine test").click()
    expect(ana.get_by_text("Sent once")).to_be_visible()
    expect(ana.get_by_text(re.compile("written by ana · approved by ben · sent by ana"))).to_be_visible()
    assert count_alerts(dashboard.service, "Office of two people") == 1


def test_an_alert_with_a_lost_response_is_found_and_recorded(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """The service sent the alert, and the response was lost. One click resolves it, and nothing is resent."""
    draft = dashboard.store_draft(a_test(contact_name="Office of a bad line"))
    with dashboard.service.failing(LOST_AFTER):
        page = dashboard.open(page_at(), f"/public-alert?draft={draft.uid}")
        expect(page.get_by_text("TEST", exact=True)).to_be_visible()
        wait_until_idle(page)
        page.get_by_role("button", name="Send routine test").click()
        expect(page.get_by_text("The service may or may not have this alert.")).to_be_visible()
    expect(page.get_by_text("Your alert was probably sent")).to_be_visible()
    wait_until_idle(page)
    assert find_serious_violations(page) == []
    page.get_by_role("button", name="Mark as sent").click()
    expect(page.get_by_text("Sent once")).to_be_visible()
    assert count_alerts(dashboard.service, "bad line") == 1
