"""A real browser after the dashboard stops, and after a proxy rejects a large file."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.running_muster import Muster


def test_a_lost_connection_is_reported_with_its_cause_until_muster_is_back(
    muster: Muster, page_at: Callable[..., Page]
):
    """As after a kill of Muster: the page's socket closes, and no request is answered."""
    page = page_at()
    sockets: list[WebSocketRoute] = []
    is_gone = False

    def connect(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        if is_gone:
            socket.close()
        else:
            socket.connect_to_server()

    page.route_web_socket("**/_stcore/stream", connect)
    page.goto(f"{muster.url}/connection")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    is_gone = True
    page.route("**/_stcore/**", lambda route: route.abort("connectionrefused"))
    sockets[-1].close()

    notice = page.get_by_role("alert").filter(has_text="Muster does not respond.")
    expect(notice).to_contain_text("Muster stopped, or the network is down.")
    expect(notice).to_contain_text("Check it before you send a change again.")
    expect(page.get_by_text("Connection error")).to_have_count(0)

    is_gone = False
    page.unroute("**/_stcore/**")
    expect(notice).to_have_count(0)
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_crashed_page_is_reloaded_once(page_at: Callable[..., Page], sign_in_demo: Callable[..., Page]):
    """As after an error in Streamlit's own script, which removes everything from the page."""
    page = sign_in_demo(page_at(), "/rosters")
    breaks = "document.querySelector('[data-testid=stApp]').remove()"
    with page.expect_navigation():
        page.evaluate(breaks)
    expect(page.get_by_role("heading", name="Rosters")).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="Muster does not respond")).to_have_count(0)
    page.evaluate(f"window.isOld = true; {breaks}")
    expect(page.get_by_role("alert").filter(has_text="This page failed twice.")).to_be_visible()
    assert page.evaluate("window.isOld")
    page.reload()
    expect(page.get_by_role("heading", name="Rosters")).to_be_visible()


def test_a_file_rejected_by_a_proxy_is_reported_with_the_size_limit(
    muster: Muster, page_at: Callable[..., Page], sign_in_demo: Callable[..., Page]
):
    page = sign_in_demo(page_at(), "/rosters")
    page.route("**/_stcore/upload_file/**", lambda route: route.fulfill(status=413))
    page.get_by_role("button", name="New roster").first.click()
    page.locator("input[type=file]").first.set_input_files(
        {"name": "people.csv", "mimeType": "text/csv", "buffer": b"locator\nWSVM7K\n"}
    )
    message = page.get_by_role("alert").filter(has_text="The file was not uploaded")
    expect(message).to_contain_text("The limit is 25 MB.")
    message.get_by_role("button", name="Close").click()
    expect(message).to_have_count(0)
