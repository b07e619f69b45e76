"""Secrets are removed at any depth, and nothing else is."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from client import ServiceError
from client.redaction import REMOVED, redact, redact_text
from client.retry import Effect
from client.transport import Call
from journal.payload import encode
from tests.client.conftest import Clients


@pytest.mark.parametrize(
    "key",
    [
        "password",
        "Password",
        "userPassword",
        "Authorization",
        "Proxy-Authorization",
        "access_token",
        "apiToken",
        "client-secret",
        "CLIENT_SECRET",
        "api_key",
        "X-Api-Key",
        "Set-Cookie",
        "credentials",
        "passwd",
    ],
)
def test_a_key_that_names_a_secret_loses_its_value_at_any_depth(key: str) -> None:
    payload = {"a": [{"b": {key: {"nested": "hunter2"}}}]}
    assert redact(payload) == {"a": [{"b": {key: REMOVED}}]}


@pytest.mark.parametrize("key", ["passengers", "passport", "pnr", "key", "author", "basic"])
def test_other_keys_keep_their_values(key: str) -> None:
    assert redact({key: "value"}) == {key: "value"}


@pytest.mark.parametrize("empty", [None, "", [], {}])
def test_an_empty_secret_stays_visibly_empty(empty: Any) -> None:
    assert redact({"password": empty}) == {"password": empty}


@pytest.mark.parametrize(
    ("original", "redacted"),
    [
        ("Authorization: Basic YW5hOmh1bnRlcjI=", f"Authorization: Basic {REMOVED}"),
        ("Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2ln", f"Bearer {REMOVED}"),
        ("Bearer abc.def.ghi", f"Bearer {REMOVED}"),
        ("the bearer of this. Nobody else", "the bearer of this. Nobody else"),
        ("token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2ln here", f"token {REMOVED} here"),
        ("https://ana:hunter2@host/path", f"https://{REMOVED}@host/path"),
        ("Basic training in Oslo", "Basic training in Oslo"),
        ("https://host:8700/path", "https://host:8700/path"),
        ("mail ana@example.org", "mail ana@example.org"),
    ],
)
def test_credentials_inside_text_are_removed_and_sentences_stay(original: str, redacted: str) -> None:
    assert redact_text(original) == redacted


@given(st.dictionaries(st.sampled_from(["password", "x", "token", "y"]), st.text() | st.integers()))
def test_redacting_twice_changes_nothing_more(payload: dict[str, Any]) -> None:
    once = redact(payload)
    assert redact(once) == once


def test_the_original_payload_is_not_changed() -> None:
    payload = {"password": "x", "inner": {"token": "y"}}
    redact(payload)
    assert payload == {"password": "x", "inner": {"token": "y"}}


def test_client_errors_and_the_journal_redact_the_same_secrets(clients: Clients) -> None:
    body = {"apiKey": "k1", "Cookie": "c1", "note": "https://ana:hunter2@host/", "pnr": "WSVM7K"}
    client, _ = clients(lambda _: httpx.Response(400))
    with pytest.raises(ServiceError) as raised:
        client._transport.call(Call("POST", "/itineraries/1", Effect.CREATES, body=body), bytes)
    assert raised.value.request is not None
    assert raised.value.request.body == redact(body)
    assert json.loads(encode(body, redact) or "") == redact(body)
    assert [word for word in ("k1", "c1", "hunter2") if word in str(redact(body))] == []


@pytest.mark.parametrize("piece", ["x", "-eyJ", "a+", "Bearer ", "Basic ", "://", "a://b:"])
def test_redacting_long_texts_takes_linear_time(piece: str) -> None:
    """A search that restarts at each letter would not end in this test."""
    text = piece * 2**19
    assert redact_text(text) == text
