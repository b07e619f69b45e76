"""Authentication, and its error rows."""

from __future__ import annotations

import base64
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from sqlalchemy import Engine, create_engine, event, text

from service.accounts.passwords import hash_password
from tests.running_service import RunningService
from tests.service.trips import add, trip

ROUTES = {
    "add": ("POST", "/itineraries/{org}", trip()),
    "batch add": ("POST", "/itineraries/{org}/batch", [trip()]),
    "update": ("PUT", "/itineraries/{org}/1", trip()),
    "delete": ("DELETE", "/itineraries/{org}/1", None),
    "batch delete": ("DELETE", "/itineraries/{org}/batch", [1]),
    "query": ("POST", "/itineraries/query/{org}", {"fieldName": "pnr", "fieldValues": ["A"]}),
    "expected locations": ("GET", "/itineraries/expectedLocations/{org}/1", None),
}
UNAUTHORIZED = {"code": 401, "message": "Invalid credentials: Get User failed"}
SWAPPED = {"status": 404, "message": "Invalid credentials: Get User failed"}


def call(http: httpx.Client, route: str, organization: object = 8800, **options: object) -> httpx.Response:
    """Send a route's request."""
    method, path, body = ROUTES[route]
    return http.request(method, path.format(org=organization), json=body, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("route", ["add", "batch add", "batch delete", "query", "expected locations"])
def test_a_wrong_password_is_401(service: RunningService, route: str) -> None:
    """Itinerary errors: 401 `Invalid credentials: Get User failed`."""
    answer = call(service.http, route, auth=("ana", "wrong"))
    assert (answer.status_code, answer.json()) == (401, UNAUTHORIZED)
    assert answer.headers["www-authenticate"].startswith("Basic ")


@pytest.mark.parametrize("route", ["update", "delete"])
def test_a_wrong_password_is_404_on_update_and_delete(service: RunningService, route: str) -> None:
    """Itinerary errors: 404 `Invalid credentials: Get User failed`, as listed for update and delete."""
    answer = call(service.http, route, auth=("ana", "wrong"))
    assert (answer.status_code, answer.json()) == (404, SWAPPED)


@pytest.mark.parametrize("route", ROUTES)
def test_an_unknown_user_gets_the_error_of_a_wrong_password(service: RunningService, route: str) -> None:
    """Itinerary errors: wrong user id or password."""
    assert call(service.http, route, auth=("nobody", "x")).json()["message"] == "Invalid credentials: Get User failed"


@pytest.mark.parametrize("route", ROUTES)
def test_an_organization_without_access_is_401(service: RunningService, route: str) -> None:
    """Lookup mapping errors: `Org <id> not accessible to this user, or does not exist.`"""
    message = "Org 9900 not accessible to this user, or does not exist."
    answer = call(service.http, route, 9900)
    assert (answer.status_code, answer.json()) == (401, {"status": 401, "message": message})


@pytest.mark.parametrize("organization", ["4711", "abc", "-1", "99999999999999999999", "8800.0"])
def test_an_organization_that_does_not_exist_is_401(service: RunningService, organization: str) -> None:
    """Lookup mapping errors: there is no such organization."""
    answer = call(service.http, "query", organization)
    assert answer.status_code == 401
    assert answer.json()["message"] == f"Org {organization} not accessible to this user, or does not exist."


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Basic",
        "Basic !!!",
        "Basic " + base64.b64encode(b"no colon").decode(),
        "Basic " + base64.b64encode(b"\xff\xfe:x").decode(),
        "Basic " + base64.b64encode(b"ana\0:correct horse").decode(),
        "Bearer abc",
    ],
)
def test_unreadable_credentials_are_wrong_credentials(service: RunningService, header: str | None) -> None:
    """Authentication: Basic credentials, Base64 of `<username>:<password>`."""
    headers = {} if header is None else {"Authorization": header}
    with httpx.Client(base_url=service.url, trust_env=False) as http:
        answer = http.post("/itineraries/query/8800", json={}, headers=headers)
    assert (answer.status_code, answer.json()) == (401, UNAUTHORIZED)


def test_a_verified_password_does_not_admit_a_wrong_password(service: RunningService) -> None:
    """The cache of verified credentials is keyed by user and password, not by user."""
    assert call(service.http, "query").status_code == 200
    assert call(service.http, "query", auth=("ana", "correct horse ")).status_code == 401
    assert call(service.http, "query").status_code == 200


def test_the_old_password_stops_working_at_once(service: RunningService) -> None:
    """Another process may change the password: the cached verification is no longer valid."""
    assert call(service.http, "query").status_code == 200
    engine = create_engine(service.database_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE users SET password_hash = :new"), {"new": hash_password("another")})
    engine.dispose()
    assert call(service.http, "query").status_code == 401
    assert call(service.http, "query", auth=("ana", "another")).status_code == 200


def test_a_request_loads_its_user_and_access_with_one_statement(service: RunningService) -> None:
    """Every request runs it."""
    statements: list[str] = []

    def record(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", record)
    try:
        assert call(service.http, "query").status_code == 200
    finally:
        event.remove(Engine, "before_cursor_execute", record)
    assert len([one for one in statements if "users" in one or "organization_access" in one]) == 1


def test_many_connections_can_sign_in_at_once(service: RunningService) -> None:
    """A client sends its first requests over many connections."""
    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(lambda _: call(service.http, "query").status_code, range(32)))
    assert answers == [200] * 32


def test_revoked_access_ends_at_once(service: RunningService) -> None:
    """Every request reads access from the database."""
    add(service)
    engine = create_engine(service.database_url)
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM organization_access"))
    engine.dispose()
    assert call(service.http, "query").json()["message"].startswith("Org 8800 not accessible")


def test_wrong_passwords_do_not_delay_signed_in_users(service: RunningService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verification may be slow: writes of other users continue."""
    add(service)
    verifying, end = threading.Event(), threading.Event()

    def verify_slowly(*_: object) -> bool:
        verifying.set()
        return end.wait(60) and False

    monkeypatch.setattr("service.accounts.passwords.is_right_password", verify_slowly)
    with ThreadPoolExecutor(50) as threads:
        wrong = [threads.submit(call, service.http, "query", auth=("ana", f"wrong {number}")) for number in range(50)]
        assert verifying.wait(30)
        for number in range(3):
            name = {"name": f"Written meanwhile {number}"}
            assert service.http.post("/notificationEvents/8800", json=name, timeout=20).status_code == 200
        end.set()
    assert {one.result().status_code for one in wrong} == {401}
