"""Access tokens: their expiration, and the reasons why a pasted text is not a token."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.runtime.access_token import (
    EXPIRES_SOON,
    TokenState,
    describe_token,
    expires_at,
    problem,
    strip_bearer,
    token_state,
)

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SECRET = "a secret that is long enough to sign with"


def token(**claims: Any) -> str:
    return jwt.encode({"sub": "ana", **claims}, SECRET, algorithm="HS256")


def expiring_token(after: timedelta) -> str:
    return token(exp=int((NOW + after).timestamp()))


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (None, TokenState.NONE),
        ("", TokenState.NONE),
        (expiring_token(timedelta(hours=8)), TokenState.GOOD),
        (expiring_token(EXPIRES_SOON + timedelta(seconds=1)), TokenState.GOOD),
        (expiring_token(EXPIRES_SOON), TokenState.ENDS_SOON),
        (expiring_token(timedelta(seconds=1)), TokenState.ENDS_SOON),
        (expiring_token(timedelta(0)), TokenState.EXPIRED),
        (token(), TokenState.GOOD),
        (token(exp="never"), TokenState.GOOD),
        (token(exp=10**18), TokenState.GOOD),
    ],
)
def test_the_state_of_a_token_follows_from_its_expiration(text: str | None, state: TokenState):
    assert token_state(text, NOW) is state


def test_an_invalid_token_is_reported_with_advice():
    for text in ("not a token", "a.b", "a.b.c", "eyJhbGciOiJIUzI1NiJ9.e30", "1.2.3.4"):
        assert "3 parts separated by periods" in (problem(text, NOW) or "")
        assert expires_at(text) is None
    assert problem(" ", NOW) == "Paste an access token."
    assert "expired Fri, Nov 20, 11:57 UTC, 3 min ago" in (problem(expiring_token(timedelta(minutes=-3)), NOW) or "")
    assert problem(expiring_token(timedelta(minutes=3)), NOW) is None


@pytest.mark.parametrize("around", ["{}", "Bearer {}", "  bearer   {}\n", "\n{}  "])
def test_a_token_is_accepted_with_copied_surroundings(around: str):
    text = expiring_token(timedelta(hours=1))
    pasted = around.format(f"{text[:40]}\n{text[40:]}")
    assert strip_bearer(pasted) == text
    assert problem(pasted, NOW) is None


def test_the_remaining_time_of_a_token_is_reported():
    assert (
        describe_token(expiring_token(timedelta(minutes=12)), NOW)
        == "The access token expires Fri, Nov 20, 12:12 UTC, in 12 min."
    )
    assert (
        describe_token(expiring_token(timedelta(hours=-2)), NOW)
        == "The access token expired Fri, Nov 20, 10:00 UTC, 2 h ago."
    )
    assert "without an expiration time" in describe_token(token(), NOW)
    assert "You have not entered an access token" in describe_token(None, NOW)


@given(st.text())
def test_any_text_is_checked_without_an_error(text: str):
    problem(text, NOW)
    token_state(text, NOW)
    describe_token(text, NOW)
