"""Passwords: argon2 hashes, and a memory of the pairs that were verified, because one verification costs 0.1 s."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from functools import lru_cache

import anyio.to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_hasher = PasswordHasher()
_HASHED_AT_ONCE = 2


def hash_password(password: str) -> str:
    """An argon2id hash that carries its own parameters and salt."""
    return _hasher.hash(password)


def is_right_password(password: str, password_hash: str | None) -> bool:
    """Whether a password has this hash; slow, as it is meant to be, also where there is none."""
    try:
        return _hasher.verify(password_hash or _hash_of_nobody(), password)
    except (VerificationError, InvalidHashError):
        return False


@lru_cache(maxsize=1)
def _hash_of_nobody() -> str:
    # Spent on unknown users, so that the time an answer takes does not tell who exists.
    return hash_password(secrets.token_urlsafe(16))


class VerifiedPairs:
    """Remembers which `Authorization` headers were right for which stored hash.

    A changed password has another hash, so nothing that was remembered for the old one counts any more. Kept are keyed
    digests, never passwords. A few threads of its own verify, so that wrong passwords hold up nothing else.
    """

    def __init__(self, capacity: int = 10_000) -> None:
        self._key = secrets.token_bytes(32)
        self._capacity = capacity
        self._verified: dict[bytes, str] = {}
        self._threads = anyio.CapacityLimiter(_HASHED_AT_ONCE)

    async def is_right(self, authorization: str, password: str, password_hash: str | None) -> bool:
        """Whether this header is right for this hash; `password_hash` None stands for an unknown user."""
        digest = hmac.digest(self._key, authorization.encode("utf-8", "surrogateescape"), hashlib.sha256)

        def verify() -> bool:
            # It may have been verified while this one waited for its turn.
            return self._verified.get(digest) == password_hash or is_right_password(password, password_hash)

        if password_hash is None:
            await anyio.to_thread.run_sync(is_right_password, password, None, limiter=self._threads)
            return False
        if self._verified.get(digest) == password_hash:
            return True
        if not await anyio.to_thread.run_sync(verify, limiter=self._threads):
            return False
        self._verified[digest] = password_hash
        while len(self._verified) > self._capacity:
            del self._verified[next(iter(self._verified))]
        return True
