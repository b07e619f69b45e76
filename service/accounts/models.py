"""Users, and who is calling."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class User:
    """A user with the organizations that are open to them."""

    id: int
    username: str
    password_hash: str
    display_name: str
    organization_ids: frozenset[int]


@dataclass(frozen=True)
class Caller:
    """The user behind a request and the organization they act in."""

    user_id: int
    username: str
    display_name: str
    organization_id: int
