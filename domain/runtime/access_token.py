"""The access token (JWT) that some areas of the service require, read without its secret."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

import jwt

from domain.text.time_text import ago, moment

EXPIRES_SOON: Final = timedelta(minutes=15)
"""How long before its expiration a token counts as expiring soon."""


class TokenState(StrEnum):
    """Whether a token can be used."""

    NONE = "none"
    GOOD = "good"
    ENDS_SOON = "ends soon"
    EXPIRED = "expired"


def strip_bearer(text: str) -> str:
    """Return a pasted token without white space and without the word "Bearer"."""
    return re.sub(r"\s+", "", re.sub(r"(?i)^\s*bearer\s+", "", text))


def _claims(token: str) -> dict[str, Any] | None:
    """Return the claims of a token, or None if the text is not a JWT."""
    try:
        return jwt.decode(token, options={"verify_signature": False})
    except jwt.InvalidTokenError:
        return None


def expires_at(token: str | None) -> datetime | None:
    """Return the expiration time in the token, or None if it has none."""
    end = (_claims(token or "") or {}).get("exp")
    if isinstance(end, bool) or not isinstance(end, int | float):
        return None
    try:
        return datetime.fromtimestamp(end, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def token_state(token: str | None, now: datetime) -> TokenState:
    """Return whether the token can be used at a time, by its own expiration time. The service may decide otherwise."""
    if not token:
        return TokenState.NONE
    end = expires_at(token)
    if end is None or end - now > EXPIRES_SOON:
        return TokenState.GOOD
    return TokenState.ENDS_SOON if end > now else TokenState.EXPIRED


def problem(text: str, now: datetime) -> str | None:
    """Return why a pasted token cannot be used, or None."""
    token = strip_bearer(text)
    if not token:
        return "Paste an access token."
    if _claims(token) is None:
        return "The text isn’t an access token (JWT). A token has 3 parts separated by periods."
    end = expires_at(token)
    if end is not None and end <= now:
        return f"This access token expired {moment(end, now=now)}, {ago(end, now)}. Ask for a new one."
    return None


def has_usable_token(token: str | None, now: datetime) -> bool:
    """Return whether a token can be used now."""
    return token_state(token, now) in (TokenState.GOOD, TokenState.ENDS_SOON)


def describe_token(token: str | None, now: datetime, *, is_demo: bool = False) -> str:
    """Return the state of a token as a sentence."""
    state, end = token_state(token, now), expires_at(token)
    if state is TokenState.NONE and is_demo:
        return "Muster gets the demo organization’s access token when you open Mappings."
    if state is TokenState.NONE:
        return "You have not entered an access token. Lookup mappings need one."
    if end is None:
        return "You entered an access token without an expiration time."
    verb = "expired" if state is TokenState.EXPIRED else "expires"
    return f"The access token {verb} {moment(end, now=now)}, {ago(end, now)}."
