"""Who is let in, at the real server over real connections: the page's own origin, and whoever has the cookie."""

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
OPENED = "Sign out"
UPLOAD = {"file": ("people.csv", b"locator\nWSVM7K\n", "text/csv")}


@pytest.fixture(scope="module")
def muster(tmp_path_factory: pytest.TempPathFactory, demo_service: Any) -> Iterator[Muster]:
    running = start_muster(tmp_path_factory.mktemp("muster"), MUSTER_SERVICE_URL=demo_service.url)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def person(muster: Muster) -> Iterator[Tab]:
    """Somebody who is signed in and has a tab open."""
    with Tab(muster.url) as tab:
        yield tab.sign_in(*DEMO)


@pytest.fixture
def join(muster: Muster) -> Iterator[Callable[..., Tab]]:
    opened: list[Tab] = []

    def make(**how: Any) -> Tab:
        opened.append(Tab(muster.url, **how).run("connection"))
        return opened[-1]

    yield make
    for tab in opened:
        tab.__exit__(None, None, None)


def put(muster: Muster, tab: Tab, *, cookie: str, origin: str | None = None) -> int:
    xsrf = httpx.get(f"{muster.url}/_stcore/health").cookies["_streamlit_xsrf"]
    return httpx.put(
        f"{muster.url}/_stcore/upload_file/{tab.id}/a-file",
        files=UPLOAD,
        headers={
            "X-Xsrftoken": xsrf,
            "Cookie": f"_streamlit_xsrf={xsrf}; muster_session={cookie}",
            "Origin": origin or muster.url,
        },
    ).status_code


def media(muster: Muster, path: str, *, cookie: str) -> httpx.Response:
    return httpx.get(muster.url + path, headers={"Cookie": f"muster_session={cookie}"})


def test_the_cookie_opens_the_desk_to_a_page_of_its_own(person: Tab, join: Callable[..., Tab]):
    assert OPENED in join(cookie=person.cookie).texts


def test_a_part_of_a_page_that_was_left_is_reported_as_of_the_page_that_is_shown(join: Callable[..., Tab], person: Tab):
    """Told as of the one before, the browser would take the page away that is shown."""
    tab = join(cookie=person.cookie)
    left = tab.page
    begun = tab.leave_for("contact-filters")
    assert begun.metadata.run.fragment_ids
    assert tab.page != left
    assert begun.new_session.page_script_hash == tab.page


ELSEWHERE = ["http://127.0.0.1:9", "http://127.0.0.1", "https://127.0.0.1", "http://localhost", "http://elsewhere"]


@pytest.mark.parametrize("origin", [*ELSEWHERE, "null", None])
def test_a_page_of_another_port_or_host_opens_no_websocket(origin: str | None, muster: Muster, person: Tab):
    with pytest.raises(InvalidStatus) as refused:
        Tab(muster.url, origin=origin, cookie=person.cookie)
    assert refused.value.response.status_code == 403


def test_no_one_without_the_cookie_takes_over_a_tab_by_its_id(person: Tab, join: Callable[..., Tab]):
    stranger = join(resumes=person.id)
    assert stranger.id != person.id
    assert OPENED not in stranger.texts
    assert OPENED in person.run("connection").texts  # and it was not cut off either


def test_another_persons_cookie_opens_their_own_desk_and_not_the_tab(
    muster: Muster, person: Tab, join: Callable[..., Tab]
):
    with Tab(muster.url) as other:
        other.sign_in(*DEMO)
        assert join(resumes=person.id, cookie=other.cookie).id != person.id


def test_a_tab_whose_connection_broke_is_the_same_tab_again_with_its_cookie(muster: Muster, join: Callable[..., Tab]):
    with Tab(muster.url) as tab:
        tab.sign_in(*DEMO)
    again = join(resumes=tab.id, cookie=tab.cookie)
    assert again.id == tab.id
    assert OPENED in again.texts


def test_uploads_are_taken_only_with_the_cookie_of_their_tab(muster: Muster, person: Tab):
    assert put(muster, person, cookie="") == 403
    assert put(muster, person, cookie="guess") == 403
    assert put(muster, person, cookie=person.cookie, origin="http://127.0.0.1:9") == 403
    with Tab(muster.url) as other:
        other.sign_in(*DEMO)
        assert put(muster, person, cookie=other.cookie) == 403
    assert put(muster, person, cookie=person.cookie) == 204


def test_who_signs_in_again_in_two_tabs_of_one_browser_goes_on_in_both(muster: Muster):
    with Tab(muster.url) as tab, Tab(muster.url) as other:
        tab.sign_in(*DEMO).run("contact-filters")
        other.browsers_cookie = tab.cookie
        other.sign_in(*DEMO)
        assert put(muster, tab, cookie=other.cookie) == 204
        assert media(muster, tab.press_download("CSV"), cookie=other.cookie).status_code == 200
        other.run("connection").run("connection", **{"Sign out": True})
        assert put(muster, tab, cookie=other.cookie) == 403
        assert OPENED not in tab.run("contact-filters").texts, "signed out, one is signed out in the browser"


def test_a_download_is_given_only_to_the_session_it_was_made_for(muster: Muster, person: Tab):
    with Tab(muster.url) as other:
        other.sign_in(*DEMO)
        path = person.run("contact-filters").press_download("CSV")
        assert media(muster, path, cookie="").status_code == 404
        assert media(muster, path, cookie=other.cookie).status_code == 404
        given = media(muster, path, cookie=person.cookie)
        assert given.status_code == 200
        assert given.headers["cache-control"] == "private, no-store"
        # Whoever is told of the same bytes may have them: their id is made of what is in them.
        assert other.run("contact-filters").press_download("CSV") == path
        assert media(muster, path, cookie=other.cookie).status_code == 200


def test_a_download_is_there_still_after_other_peoples_pages_ran(muster: Muster, person: Tab):
    path = person.run("contact-filters").press_download("CSV")
    with Tab(muster.url) as other:
        other.sign_in(*DEMO).run("connection").run("connection")
    given = media(muster, path, cookie=person.cookie)
    assert given.status_code == 200
    assert given.headers["content-disposition"].startswith("attachment; filename*=utf-8''contact-filters")
    assert given.headers["cache-control"] == "private, no-store"


def test_after_a_sign_out_neither_tab_nor_download_nor_upload_is_to_be_had(muster: Muster, join: Callable[..., Tab]):
    with Tab(muster.url) as tab:
        tab.sign_in(*DEMO).run("contact-filters")
        path = tab.press_download("CSV")
        assert media(muster, path, cookie=tab.cookie).status_code == 200
        tab.run("connection").run("connection", **{"Sign out": True})
        assert media(muster, path, cookie=tab.cookie).status_code == 404
        assert put(muster, tab, cookie=tab.cookie) == 403
        assert OPENED not in join(resumes=tab.id, cookie=tab.cookie).texts


@pytest.mark.parametrize("path", ["/", "/connection"])
def test_every_page_can_say_that_muster_is_gone_and_what_an_upload_may_be(path: str, muster: Muster):
    shell = httpx.get(muster.url + path)
    assert shell.headers["cache-control"] == "no-cache"
    assert '/app/static/connection.js" data-base="" data-megabytes="25"' in shell.text


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/readyz", "/session/script.js", "/app/static/live_text.js"])
def test_what_is_public_answers_no_one_elses_page(path: str, muster: Muster):
    assert httpx.get(muster.url + path).status_code == 200
    refused = httpx.get(muster.url + path, headers={"Origin": "http://127.0.0.1:9"})
    assert refused.status_code == 403
    assert "access-control-allow-origin" not in refused.headers


def test_every_answer_is_guarded_closed_doors_stay_closed_and_the_log_names_no_one(muster: Muster):
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


def test_another_address_in_a_header_of_someone_no_one_named_gives_no_more_tries(muster: Muster):
    said = []
    for number in range(PERSON_LIMIT + 1):
        with Tab(muster.url, headers={"X-Forwarded-For": f"10.9.0.{number}"}) as tab:
            said.append(tab.try_password(8800001, "eve", "guess"))
    assert ["Too many wrong passwords" in words for words in said] == [False] * PERSON_LIMIT + [True]
