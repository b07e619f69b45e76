"""Passwords: argon2 hashes, and which pairs were verified, because one verification costs 0.1 s."""

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
    # Spent on unknown users, so that the time a response takes does not tell who exists.
    return hash_password(secrets.token_urlsafe(16))


class Passwords:
    """Verifies passwords in a few threads of its own, and each that was right once.

    Kept are keyed digests of password and stored hash, never passwords: a changed password has another hash, so nothing
    that was verified for the old one counts any more.
    """

    def __init__(self, capacity: int = _MOST_VERIFIED) -> None:
        self._key = secrets.token_bytes(32)
        self._verified: LRUCache[bytes, bool] = LRUCache(capacity)
        self._threads = anyio.CapacityLimiter(_HASHED_AT_ONCE)

    async def is_right(self, password: str, password_hash: str | None) -> bool:
        """Whether a password is right for a stored hash; `password_hash` None stands for an unknown user."""
        pair = hashlib.blake2b(f"{password_hash}\0{password}".encode(), key=self._key).digest()
        if self._verified.get(pair):
            return True

        def verify() -> bool:
            # It may have been verified while this one waited for its turn.
            return pair in self._verified or is_right_password(password, password_hash)

        is_right = await anyio.to_thread.run_sync(verify, limiter=self._threads)
        if is_right and password_hash is not None:
            self._verified[pair] = True
        return is_right and password_hash is not None
