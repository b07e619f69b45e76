"""The access token (JWT) that some areas of the service ask for: what it says of itself, read without its secret."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

import jwt

from domain.text.time_text import ago, moment

WARNED_BEFORE: Final = timedelta(minutes=15)
"""How long before its end a token is told to end soon."""


class Standing(StrEnum):
    """Whether a token can be used."""

    NONE = "none"
    GOOD = "good"
    ENDS_SOON = "ends soon"
    EXPIRED = "expired"


def bare(text: str) -> str:
    """A token as it was pasted, without blanks, line ends, and the word that stands before it in a header."""
    return re.sub(r"\s+", "", re.sub(r"(?i)^\s*bearer\s+", "", text))


def _claims(token: str) -> dict[str, Any] | None:
    """What a token says; None of what is no JWT."""
    try:
        return jwt.decode(token, options={"verify_signature": False})
    except jwt.InvalidTokenError:
        return None


def expires_at(token: str | None) -> datetime | None:
    """When the token says that it ends; None for one that does not say."""
    end = (_claims(token or "") or {}).get("exp")
    if isinstance(end, bool) or not isinstance(end, int | float):
        return None
    try:
        return datetime.fromtimestamp(end, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def stands(token: str | None, now: datetime) -> Standing:
    """Whether the token can be used at a time, as far as it tells; what does not tell is the service's to judge."""
    if not token:
        return Standing.NONE
    end = expires_at(token)
    if end is None or end - now > WARNED_BEFORE:
        return Standing.GOOD
    return Standing.ENDS_SOON if end > now else Standing.EXPIRED


def problem(text: str, now: datetime) -> str | None:
    """What keeps a pasted token from being used, in words; None where nothing does."""
    token = bare(text)
    if not token:
        return "Paste an access token."
    if _claims(token) is None:
        return "The text isn't an access token (JWT). A token has 3 parts separated by periods."
    end = expires_at(token)
    if end is not None and end <= now:
        return f"This access token expired {moment(end, now=now)}, {ago(end, now)}. Ask for a new one."
    return None


def words(token: str | None, now: datetime, *, is_demo: bool = False) -> str:
    """How a token stands, in a sentence; the demo organization's own comes when it is needed."""
    standing, end = stands(token, now), expires_at(token)
    if standing is Standing.NONE and is_demo:
        return "Muster gets the demo organization's access token when you open Lookup mappings."
    if standing is Standing.NONE:
        return "You have not entered an access token. Lookup mappings need one."
    if end is None:
        return "You entered an access token without an expiration time."
    verb = "expired" if standing is Standing.EXPIRED else "expires"
    return f"The access token {verb} {moment(end, now=now)}, {ago(end, now)}."
