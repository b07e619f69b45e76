"""Passwords: argon2 hashes, and a memory of the pairs that were verified, because one verification costs 0.1 s."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections import OrderedDict
from functools import lru_cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_hasher = PasswordHasher()


def hash_password(password: str) -> str:
    """An argon2id hash that carries its own parameters and salt."""
    return _hasher.hash(password)


def is_right_password(password: str, password_hash: str) -> bool:
    """Whether a password has this hash; slow, as it is meant to be."""
    try:
        return _hasher.verify(password_hash, password)
    except (VerificationError, InvalidHashError):
        return False


@lru_cache(maxsize=1)
def _hash_of_nobody() -> str:
    # Spent on unknown users, so that the time an answer takes does not tell who exists.
    return hash_password(secrets.token_urlsafe(16))


class VerifiedPairs:
    """Remembers which `Authorization` headers were right for which stored hash.

    A changed password has another hash, so nothing that was remembered for the old one counts any more. Kept are keyed
    digests, never passwords. Thread-safe; a pair that arrives on many connections at once is verified once.
    """

    def __init__(self, capacity: int = 10_000) -> None:
        self._key = secrets.token_bytes(32)
        self._capacity = capacity
        self._verified: OrderedDict[bytes, str] = OrderedDict()
        self._lock = threading.Lock()

    def digest(self, authorization: str) -> bytes:
        """What a header is remembered by."""
        return hmac.digest(self._key, authorization.encode("utf-8", "surrogateescape"), hashlib.sha256)

    def is_known(self, authorization: str, password_hash: str) -> bool:
        """Whether this header was verified against this hash before."""
        return self._verified.get(self.digest(authorization)) == password_hash

    def verify(self, authorization: str, password: str, password_hash: str | None) -> bool:
        """Verify and remember; `password_hash` None stands for an unknown user. Slow: not for the event loop."""
        with self._lock:
            if password_hash is not None and self.is_known(authorization, password_hash):
                return True
            if not is_right_password(password, password_hash or _hash_of_nobody()) or password_hash is None:
                return False
            self._verified[self.digest(authorization)] = password_hash
            while len(self._verified) > self._capacity:
                self._verified.popitem(last=False)
            return True
