"""User, password, and access token: which area sends which, what is missing, and that none is displayed."""

from __future__ import annotations

import base64
import logging

import httpx
import pytest

from client import Connection, Invalid, NotAuthenticated, ServiceClient
from client.models.assets import Asset
from tests.client.conftest import Clients

TOKEN = "eyJhbGciOi.x-y_z.s"
CONNECTION = Connection("https://service.example", 8800, "ana", "correct horse", TOKEN)
BASIC = "Basic " + base64.b64encode(b"ana:correct horse").decode()
ASSET = Asset(asset_type_id="T", external_id="E", name="N")
DONE = {"status": 200, "message": "OK", "errors": [], "individualResponses": [{"id": "a", "errors": []}]}


def test_repr_and_fingerprint_do_not_contain_the_token() -> None:
    assert TOKEN not in repr(CONNECTION)
    assert TOKEN not in CONNECTION.fingerprint + CONNECTION.fingerprint_with_token
    client = ServiceClient.connect(CONNECTION)
    assert TOKEN not in repr(client)
    assert client.connection == CONNECTION
    client.close()


def test_a_connection_with_a_token_has_its_own_fingerprint() -> None:
    facts = ("https://service.example", 8800, "ana", "correct horse")
    connections = [Connection(*facts, token) for token in (None, "", "a", "b")]
    assert len({each.fingerprint_with_token for each in connections}) == 4
    assert len({each.fingerprint for each in connections}) == 1
    assert connections[2].fingerprint_with_token == Connection(*facts, "a").fingerprint_with_token


@pytest.mark.parametrize("token", [None, "", "  "])
def test_a_missing_token_is_reported_before_anything_is_sent(clients: Clients, token: str | None) -> None:
    client, exchange = clients(token=token)
    with pytest.raises(Invalid, match="access token") as caught:
        client.lookup_mappings.search()
    assert caught.value.sent is False
    assert [error.field for error in caught.value.field_errors] == ["token"]
    assert caught.value.request is not None
    assert caught.value.request.path == "/lookup/8800/mappings/search"
    assert exchange.requests == []


def test_a_missing_user_is_reported_before_anything_is_sent(clients: Clients) -> None:
    client, exchange = clients(username="", password="", token=TOKEN)
    with pytest.raises(Invalid, match="user name and a password") as caught:
        client.contact_filters.list()
    assert caught.value.sent is False
    assert exchange.requests == []


@pytest.mark.parametrize("token", [f"Bearer {TOKEN}", f"  {TOKEN}\n", f"bearer  {TOKEN}"])
def test_a_token_can_be_pasted_with_its_surrounding_text(clients: Clients, token: str) -> None:
    client, exchange = clients(httpx.Response(200, json={"data": [], "totalCount": 0}), token=token)
    client.lookup_mappings.search()
    assert exchange.requests[0].headers["Authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize("token", ["a b", "a\nX-Injected: 1", "tökén"])
def test_an_invalid_token_is_refused_at_once(token: str) -> None:
    with pytest.raises(Invalid) as caught:
        ServiceClient("https://service.example", 8800, "ana", "pw", token=token)
    assert caught.value.sent is False
    assert token not in caught.value.message


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, BASIC),
        ({"token": TOKEN}, BASIC),
        ({"token": TOKEN, "assets_by_token": True}, f"Bearer {TOKEN}"),
        ({"username": "", "password": "", "token": TOKEN}, f"Bearer {TOKEN}"),
    ],
)
def test_assets_take_a_user_or_a_token_with_the_organization_header(
    clients: Clients, options: dict[str, object], expected: str
) -> None:
    client, exchange = clients(httpx.Response(200, json=DONE), **options)
    client.assets.create_batch([ASSET])
    assert exchange.requests[0].headers["Authorization"] == expected
    assert exchange.requests[0].headers["X-SVC-Organization-Id"] == "8800"


def test_other_areas_send_no_organization_header(clients: Clients) -> None:
    client, exchange = clients(httpx.Response(200, json=[]))
    client.public_lookups.list_event_groups()
    assert not {"x-svc-organization-id", "organizationid"} & {name.lower() for name in exchange.requests[0].headers}


def test_a_refused_token_is_reported_as_a_token(clients: Clients) -> None:
    client, _ = clients(httpx.Response(401, json={"code": 401, "message": "Unauthorized"}), token=TOKEN)
    with pytest.raises(NotAuthenticated, match="access token"):
        client.lookup_mappings.retrieve("m-1")


def test_no_secret_is_logged(clients: Clients, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    client, _ = clients(httpx.Response(401, text=TOKEN), token=TOKEN)
    with pytest.raises(NotAuthenticated):
        client.lookup_mappings.retrieve("m-1")
    assert TOKEN not in caplog.text
