"""The access token (JWT) that some areas of the service ask for: what it says of itself, read without its secret."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

import jwt

from components.widgets.time_text import ago, moment

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


def expires_at(token: str | None) -> datetime | None:
    """When the token says that it ends; None for one that does not say.

    Raises ValueError for what is no JWT.
    """
    if not token:
        return None
    try:
        claims = jwt.decode(token, options={"verify_signature": False})
    except jwt.InvalidTokenError as error:
        raise ValueError("This is not an access token (JWT): three parts with dots between them.") from error
    end = claims.get("exp")
    if isinstance(end, bool) or not isinstance(end, int | float):
        return None
    try:
        return datetime.fromtimestamp(end, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def stands(token: str | None, now: datetime) -> Standing:
    """Whether the token can be used at a time, as far as it tells."""
    if not token:
        return Standing.NONE
    try:
        end = expires_at(token)
    except ValueError:
        return Standing.GOOD  # not ours to judge once it is taken: the service says
    if end is None or end - now > WARNED_BEFORE:
        return Standing.GOOD
    return Standing.ENDS_SOON if end > now else Standing.EXPIRED


def problem(text: str, now: datetime) -> str | None:
    """What keeps a pasted token from being used, in words; None where nothing does."""
    if not bare(text):
        return "Paste an access token."
    try:
        end = expires_at(bare(text))
    except ValueError as error:
        return str(error)
    if end is not None and end <= now:
        return f"This access token expired {moment(end, now=now)}, {ago(end, now)}: ask for a new one."
    return None


def words(token: str | None, now: datetime) -> str:
    """How a token stands, in a sentence."""
    standing = stands(token, now)
    if standing is Standing.NONE:
        return "No access token was given. Lookup mappings need one."
    try:
        end = expires_at(token)
    except ValueError:
        end = None
    if end is None:
        return "An access token was given. It does not say when it expires."
    verb = "expired" if standing is Standing.EXPIRED else "expires"
    return f"The access token {verb} {moment(end, now=now)}, {ago(end, now)}."
