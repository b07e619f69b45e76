"""What a real browser shows once the dashboard is gone, and of a file that was too large for what stands between."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.running_muster import Muster, start_muster


def test_a_dashboard_that_was_killed_is_told_in_our_words_with_the_cause_and_the_way_on(
    tmp_path: Path, page_at: Callable[..., Page]
):
    """At a service that is not there, which is told, too, above the fields."""
    muster = start_muster(tmp_path, MUSTER_SERVICE_URL="http://127.0.0.1:9/rest")
    page = page_at()
    page.goto(f"{muster.url}/connection")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.get_by_text("Service: 127.0.0.1:9/rest")).to_be_visible()
    expect(page.get_by_role("button", name="Open the demo organization")).to_have_count(0)
    page.get_by_label("Organization").fill("8800")
    page.get_by_label("User").fill("ana")
    page.get_by_label("Password", exact=True).fill("right")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("The service cannot be reached")).to_be_visible()
    expect(page.get_by_label("User")).to_have_value("ana")
    muster.process.send_signal(signal.SIGKILL)
    muster.process.wait(60)

    said = page.get_by_role("alert").filter(has_text="Muster does not answer.")
    expect(said).to_contain_text("Muster was stopped, or the network between is down")
    expect(said).to_contain_text("look there before you send it again")
    expect(page.get_by_text("Connection error")).to_have_count(0)

    port = int(muster.url.rpartition(":")[2])
    again = start_muster(tmp_path / "again", port=port, MUSTER_SERVICE_URL="http://127.0.0.1:9/rest")
    try:
        expect(said).to_have_count(0)
    finally:
        assert again.stop() in {0, -signal.SIGTERM}


def test_a_page_that_broke_down_is_loaded_anew_and_not_over_and_over(
    page_at: Callable[..., Page], sign_in_demo: Callable[..., Page]
):
    """As where the framework's own script ended with an error: it takes away all that it drew."""
    page = sign_in_demo(page_at(), "/rosters")
    breaks = "document.querySelector('[data-testid=stApp]').remove()"
    with page.expect_navigation():
        page.evaluate(breaks)
    expect(page.get_by_role("heading", name="Rosters")).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="Muster does not answer")).to_have_count(0)
    page.evaluate(f"window.isOld = true; {breaks}")
    expect(page.get_by_role("alert").filter(has_text="This page broke down, twice.")).to_be_visible()
    assert page.evaluate("window.isOld")
    page.reload()
    expect(page.get_by_role("heading", name="Rosters")).to_be_visible()


def test_a_file_a_proxy_finds_too_large_is_told_with_the_limit(
    muster: Muster, page_at: Callable[..., Page], sign_in_demo: Callable[..., Page]
):
    page = sign_in_demo(page_at(), "/rosters")
    page.route("**/_stcore/upload_file/**", lambda route: route.fulfill(status=413))
    page.get_by_role("button", name="New roster").first.click()
    page.locator("input[type=file]").first.set_input_files(
        {"name": "people.csv", "mimeType": "text/csv", "buffer": b"locator\nWSVM7K\n"}
    )
    said = page.get_by_role("alert").filter(has_text="The file was not taken")
    expect(said).to_contain_text("Muster takes 25 MB at most")
    said.get_by_role("button", name="Close").click()
    expect(said).to_have_count(0)
