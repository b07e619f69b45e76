"""Passwords: argon2 hashes, and a cache of verified pairs, because one verification takes 0.1 s."""

from __future__ import annotations

import hashlib
import secrets
from functools import lru_cache

import anyio.to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from cachetools import LRUCache

_hasher = PasswordHasher()
_HASHED_AT_ONCE = 2
_MOST_VERIFIED = 1000


def hash_password(password: str) -> str:
    """Return an argon2id hash that contains its parameters and salt."""
    return _hasher.hash(password)


def is_right_password(password: str, password_hash: str | None) -> bool:
    """Return whether a password has this hash. Slow on purpose, even without a hash."""
    try:
        return _hasher.verify(password_hash or _dummy_hash(), password)
    except (VerificationError, InvalidHashError):
        return False


@lru_cache(maxsize=1)
def _dummy_hash() -> str:
    # Computed for unknown users, so that the response time does not reveal who exists.
    return hash_password(secrets.token_urlsafe(16))


class Passwords:
    """Verifies passwords in a few threads, and each correct password only once.

    The cache holds keyed digests of password and stored hash, never passwords. A changed password has another hash, so
    its cached digest no longer applies.
    """

    def __init__(self, capacity: int = _MOST_VERIFIED) -> None:
        self._key = secrets.token_bytes(32)
        self._verified: LRUCache[bytes, bool] = LRUCache(capacity)
        self._threads = anyio.CapacityLimiter(_HASHED_AT_ONCE)

    async def is_right(self, password: str, password_hash: str | None) -> bool:
        """Return whether a password matches a stored hash. A `password_hash` of None means an unknown user."""
        pair = hashlib.blake2b(f"{password_hash}\0{password}".encode(), key=self._key).digest()
        if self._verified.get(pair):
            return True

        def verify() -> bool:
            # Another thread may have verified it while this one waited.
            return pair in self._verified or is_right_password(password, password_hash)

        is_right = await anyio.to_thread.run_sync(verify, limiter=self._threads)
        if is_right and password_hash is not None:
            self._verified[pair] = True
        return is_right and password_hash is not None
