"""Access to the running server over real connections: by origin and by session cookie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from domain.runtime.attempts import PERSON_LIMIT
from tests.app.tab import Tab
from tests.running_muster import Muster, start_muster

DEMO = (8800001, "demo", "demo")
SIGNED_IN_TEXT = "Sign out"
FILES = {"file": ("people.csv", b"locator\nWSVM7K\n", "text/csv")}


@pytest.fixture(scope="module")
def muster(tmp_path_factory: pytest.TempPathFactory, demo_service: Any) -> Iterator[Muster]:
    running = start_muster(tmp_path_factory.mktemp("muster"), MUSTER_SERVICE_URL=demo_service.url)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def signed_in_tab(muster: Muster) -> Iterator[Tab]:
    """A tab with a user signed in."""
    with Tab(muster.url) as tab:
        yield tab.sign_in(*DEMO)


@pytest.fixture
def open_tab(muster: Muster) -> Iterator[Callable[..., Tab]]:
    tabs: list[Tab] = []

    def open_page(**options: Any) -> Tab:
        tabs.append(Tab(muster.url, **options).run("connection"))
        return tabs[-1]

    yield open_page
    for tab in tabs:
        tab.__exit__(None, None, None)


def upload(muster: Muster, tab: Tab, *, cookie: str, origin: str | None = None) -> int:
    xsrf = httpx.get(f"{muster.url}/_stcore/health").cookies["_streamlit_xsrf"]
    return httpx.put(
        f"{muster.url}/_stcore/upload_file/{tab.id}/a-file",
        files=FILES,
        headers={
            "X-Xsrftoken": xsrf,
            "Cookie": f"_streamlit_xsrf={xsrf}; muster_session={cookie}",
            "Origin": origin or muster.url,
        },
    ).status_code


def download(muster: Muster, path: str, *, cookie: str) -> httpx.Response:
    return httpx.get(muster.url + path, headers={"Cookie": f"muster_session={cookie}"})


def test_a_tab_with_the_cookie_is_signed_in(signed_in_tab: Tab, open_tab: Callable[..., Tab]):
    assert SIGNED_IN_TEXT in open_tab(cookie=signed_in_tab.cookie).texts


def test_a_fragment_run_after_a_page_change_reports_the_current_page(open_tab: Callable[..., Tab], signed_in_tab: Tab):
    """If the run reported the previous page, the browser would remove the current one."""
    tab = open_tab(cookie=signed_in_tab.cookie)
    page_before = tab.page
    started = tab.leave_for("contact-filters")
    assert started.metadata.run.fragment_ids
    assert tab.page != page_before
    assert started.new_session.page_script_hash == tab.page


OTHER_ORIGINS = ["http://127.0.0.1:9", "http://127.0.0.1", "https://127.0.0.1", "http://localhost", "http://elsewhere"]


@pytest.mark.parametrize("origin", [*OTHER_ORIGINS, "null", None])
def test_a_websocket_from_another_origin_is_refused(origin: str | None, muster: Muster, signed_in_tab: Tab):
    with pytest.raises(InvalidStatus) as refused:
        Tab(muster.url, origin=origin, cookie=signed_in_tab.cookie)
    assert refused.value.response.status_code == 403


def test_a_tab_id_without_the_cookie_does_not_resume_the_tab(signed_in_tab: Tab, open_tab: Callable[..., Tab]):
    stranger = open_tab(resumes=signed_in_tab.id)
    assert stranger.id != signed_in_tab.id
    assert SIGNED_IN_TEXT not in stranger.texts
    assert SIGNED_IN_TEXT in signed_in_tab.run("connection").texts  # The tab still works.


def test_a_tab_id_with_another_users_cookie_does_not_resume_the_tab(
    muster: Muster, signed_in_tab: Tab, open_tab: Callable[..., Tab]
):
    with Tab(muster.url) as other:
        other.sign_in(*DEMO)
        assert open_tab(resumes=signed_in_tab.id, cookie=other.cookie).id != signed_in_tab.id


def test_a_disconnected_tab_resumes_with_its_cookie(muster: Muster, open_tab: Callable[..., Tab]):
    with Tab(muster.url) as tab:
        tab.sign_in(*DEMO)
    again = open_tab(resumes=tab.id, cookie=tab.cookie)
    assert again.id == tab.id
    assert SIGNED_IN_TEXT in again.texts


def test_an_upload_requires_the_cookie_of_its_tab(muster: Muster, signed_in_tab: Tab):
    assert upload(muster, signed_in_tab, cookie="") == 403
    assert upload(muster, signed_in_tab, cookie="guess") == 403
    assert upload(muster, signed_in_tab, cookie=signed_in_tab.cookie, origin="http://127.0.0.1:9") == 403
    with Tab(muster.url) as other:
        other.sign_in(*DEMO)
        assert upload(muster, signed_in_tab, cookie=other.cookie) == 403
    assert upload(muster, signed_in_tab, cookie=signed_in_tab.cookie) == 204


def test_both_tabs_of_a_browser_work_after_a_second_sign_in(muster: Muster):
    with Tab(muster.url) as tab, Tab(muster.url) as other:
        tab.sign_in(*DEMO).run("contact-filters")
        other.browsers_cookie = tab.cookie
        other.sign_in(*DEMO)
        assert upload(muster, tab, cookie=other.cookie) == 204
        assert download(muster, tab.press_download("CSV"), cookie=other.cookie).status_code == 200
        other.run("connection").run("connection", **{"Sign out": True})
        assert upload(muster, tab, cookie=other.cookie) == 403
        assert SIGNED_IN_TEXT not in tab.run("contact-filters").texts, "signing out applies to the whole browser"


def test_only_the_session_that_made_a_download_can_load_it(muster: Muster, signed_in_tab: Tab):
    with Tab(muster.url) as other:
        other.sign_in(*DEMO)
        path = signed_in_tab.run("contact-filters").press_download("CSV")
        assert download(muster, path, cookie="").status_code == 404
        assert download(muster, path, cookie=other.cookie).status_code == 404
        response = download(muster, path, cookie=signed_in_tab.cookie)
        assert response.status_code == 200
        assert response.headers["cache-control"] == "private, no-store"
        # Another session that offers the same content may load it: the ID is a hash of the content.
        assert other.run("contact-filters").press_download("CSV") == path
        assert download(muster, path, cookie=other.cookie).status_code == 200


def test_a_download_remains_available_after_pages_of_other_users_run(muster: Muster, signed_in_tab: Tab):
    path = signed_in_tab.run("contact-filters").press_download("CSV")
    with Tab(muster.url) as other:
        other.sign_in(*DEMO).run("connection").run("connection")
    response = download(muster, path, cookie=signed_in_tab.cookie)
    assert response.status_code == 200
    assert response.headers["content-disposition"].startswith("attachment; filename*=utf-8''contact-filters")
    assert response.headers["cache-control"] == "private, no-store"


def test_signing_out_ends_the_tab_its_downloads_and_its_uploads(muster: Muster, open_tab: Callable[..., Tab]):
    with Tab(muster.url) as tab:
        tab.sign_in(*DEMO).run("contact-filters")
        path = tab.press_download("CSV")
        assert download(muster, path, cookie=tab.cookie).status_code == 200
        tab.run("connection").run("connection", **{"Sign out": True})
        assert download(muster, path, cookie=tab.cookie).status_code == 404
        assert upload(muster, tab, cookie=tab.cookie) == 403
        assert SIGNED_IN_TEXT not in open_tab(resumes=tab.id, cookie=tab.cookie).texts


@pytest.mark.parametrize("path", ["/", "/connection"])
def test_every_page_includes_the_connection_script_and_the_upload_limit(path: str, muster: Muster):
    page = httpx.get(muster.url + path)
    assert page.headers["cache-control"] == "no-cache"
    assert '/app/static/connection.js" data-base="" data-megabytes="25"' in page.text


def test_an_entry_of_the_menu_as_an_address_opens_its_screen(muster: Muster):
    moved = httpx.get(f"{muster.url}/filters?contact-filters=7")
    assert (moved.status_code, moved.headers["location"]) == (307, "/contact-filters?contact-filters=7")
    assert httpx.get(f"{muster.url}/templates").status_code == 200


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/readyz", "/session/script.js", "/app/static/live_text.js"])
def test_public_paths_refuse_requests_from_another_origin(path: str, muster: Muster):
    assert httpx.get(muster.url + path).status_code == 200
    refused = httpx.get(muster.url + path, headers={"Origin": "http://127.0.0.1:9"})
    assert refused.status_code == 403
    assert "access-control-allow-origin" not in refused.headers


def test_headers_are_secure_internal_paths_are_closed_and_the_log_has_no_personal_data(muster: Muster):
    for path in (
        "/",
        "/connection?person=Silva",
        "/_stcore/health",
        "/readyz",
        "/session/script.js",
        "/app/static/none",
    ):
        headers = httpx.get(muster.url + path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path
        assert headers["x-content-type-options"] == "nosniff", path
    assert httpx.get(f"{muster.url}/_stcore/metrics").status_code == 404
    assert httpx.get(f"{muster.url}/_stcore/agent/openapi.json").status_code == 404
    assert httpx.post(f"{muster.url}/session", json={"ticket": "guess"}).status_code == 403
    with Tab(muster.url) as tab:
        tab.try_password(8800001, "demo", "hunter2")
    assert "hunter2" not in muster.log
    assert "Silva" not in muster.log


def test_a_forwarded_address_from_an_untrusted_proxy_does_not_reset_the_password_limit(muster: Muster):
    texts = []
    for number in range(PERSON_LIMIT + 1):
        with Tab(muster.url, headers={"X-Forwarded-For": f"10.9.0.{number}"}) as tab:
            texts.append(tab.try_password(8800001, "eve", "guess"))
    assert ["Too many wrong passwords" in text for text in texts] == [False] * PERSON_LIMIT + [True]
