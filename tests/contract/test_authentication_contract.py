"""Access to every endpoint of the document: credentials are checked first, then the organization, then the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from client import NotAllowed, NotAuthenticated
from client.classify import classify
from tests.running_service import RunningService
from tests.service.interface_document import endpoints

ENDPOINTS = sorted((method, path) for method, _, path in (endpoint.partition(" ") for _, endpoint in endpoints()))
SWAPPED = {("PUT", "/itineraries/{organizationId}/{id}"), ("DELETE", "/itineraries/{organizationId}/{id}")}
ORGANIZATION_HEADERS = ("X-SVC-Organization-Id", "organizationId")
NO_JSON = b"{"


@pytest.fixture(scope="module")
def shared_service() -> Iterator[RunningService]:
    with RunningService() as service:
        yield service


def send_request(
    service: RunningService, endpoint: tuple[str, str], organization: int, **credentials: str
) -> httpx.Response:
    """Send a request whose body is neither JSON nor multipart, so that it is invalid for every user."""
    method, path = endpoint
    url = re.sub(r"\{\w+\}", "1", path.replace("{organizationId}", str(organization)))
    headers = dict.fromkeys(ORGANIZATION_HEADERS, str(organization)) | credentials
    return service.http.request(method, url, content=NO_JSON, headers=headers, auth=None)


def basic(service: RunningService, password: str) -> str:
    request = next(httpx.BasicAuth(service.username, password).auth_flow(httpx.Request("GET", service.url)))
    return request.headers["Authorization"]


@pytest.mark.parametrize("organization", [8800, 9900])
def test_wrong_credentials_are_refused_before_any_other_check(
    shared_service: RunningService, organization: int
) -> None:
    wrong = (
        {"Authorization": basic(shared_service, "wrong")},
        {"Authorization": "Bearer x.y.z"},
        {"Authorization": "Other x"},
    )
    for endpoint in ENDPOINTS:
        expected: tuple[int, object] = (401, {"code": 401, "message": "Invalid credentials: Get User failed"})
        if endpoint in SWAPPED:
            expected = (404, {"status": 404, "message": "Invalid credentials: Get User failed"})
        unauthorized = (401, {"code": 401, "message": "Unauthorized"})
        for credentials in ({}, *wrong):
            answer = send_request(shared_service, endpoint, organization, **credentials)
            by_token = "/lookup/" in endpoint[1] or (
                "/assets/" in endpoint[1] and credentials.get("Authorization", "").startswith("Bearer")
            )
            result = (answer.status_code, answer.json())
            assert result == (unauthorized if by_token else expected), (endpoint, credentials)
            assert isinstance(classify(answer.status_code, answer.content), NotAuthenticated)


def test_an_organization_without_access_is_refused_before_the_request_is_checked(
    shared_service: RunningService,
) -> None:
    message = "Org 9900 not accessible to this user, or does not exist."
    for endpoint in ENDPOINTS:
        by_token = "/lookup/" in endpoint[1]
        credentials = f"Bearer {shared_service.token()}" if by_token else basic(shared_service, shared_service.password)
        answer = send_request(shared_service, endpoint, 9900, Authorization=credentials)
        assert (answer.status_code, answer.json()) == (401, {"status": 401, "message": message}), endpoint
        assert isinstance(classify(answer.status_code, answer.content), NotAllowed)


def test_a_token_is_valid_only_for_lookup_mappings_and_assets(shared_service: RunningService) -> None:
    for endpoint in ENDPOINTS:
        answer = send_request(shared_service, endpoint, 8800, Authorization=f"Bearer {shared_service.token()}")
        is_refused = isinstance(classify(answer.status_code, answer.content), NotAuthenticated)
        assert is_refused == ("/lookup/" not in endpoint[1] and "/assets/" not in endpoint[1]), endpoint
