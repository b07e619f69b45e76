"""Users and callers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class User:
    """A user with the organizations that the user may access."""

    id: int
    username: str
    password_hash: str
    display_name: str
    organization_ids: frozenset[int]


@dataclass(frozen=True)
class Caller:
    """The user of a request and the organization of the request."""

    user_id: int
    username: str
    display_name: str
    organization_id: int
