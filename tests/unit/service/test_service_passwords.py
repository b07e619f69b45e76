"""Passwords: what is remembered of those that were verified, and what verifying them holds up."""

from __future__ import annotations

import threading

import anyio
import argon2
import pytest

from service.accounts import passwords
from service.accounts.passwords import VerifiedPairs, is_right_password

pytestmark = pytest.mark.anyio
_cheap = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
RIGHT = _cheap.hash("right")


@pytest.fixture
def anyio_backend() -> str:
    """The event loop that the service runs on."""
    return "asyncio"


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that were hashed to be compared."""
    hashed: list[str] = []

    def count(password: str, password_hash: str | None) -> bool:
        hashed.append(password)
        return is_right_password(password, password_hash)

    monkeypatch.setattr(passwords, "is_right_password", count)
    return hashed


async def test_verified_pairs_are_of_header_and_hash(verified: list[str]) -> None:
    """A pair is remembered for one stored hash, forgotten with another, and never for a wrong password."""
    pairs = VerifiedPairs()
    assert await pairs.is_right("Basic right", "right", RIGHT)
    assert await pairs.is_right("Basic right", "right", RIGHT)
    assert len(verified) == 1
    assert not await pairs.is_right("Basic right", "right", _cheap.hash("another"))
    for _ in range(2):
        assert not await pairs.is_right("Basic wrong", "wrong", RIGHT)
    assert not await pairs.is_right("Basic right", "right", None)
    assert len(verified) == 5


async def test_verified_pairs_forget_the_oldest(verified: list[str]) -> None:
    """Memory has an end."""
    pairs = VerifiedPairs(capacity=2)
    for header in ("one", "two", "three", "three", "two", "one"):
        assert await pairs.is_right(header, "right", RIGHT)
    assert len(verified) == 4


async def test_a_pair_that_comes_many_times_at_once_is_verified_a_few_times(verified: list[str]) -> None:
    """The first requests of a client come on many connections together."""
    pairs = VerifiedPairs()
    async with anyio.create_task_group() as tasks:
        for _ in range(50):
            tasks.start_soon(pairs.is_right, "Basic right", "right", RIGHT)
    assert len(verified) <= 2


async def test_wrong_passwords_leave_the_threads_of_all_else_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are being verified: what the database needs a thread for goes on."""
    end = threading.Event()
    monkeypatch.setattr(passwords, "is_right_password", lambda *_: end.wait(30) and False)
    pairs = VerifiedPairs()
    async with anyio.create_task_group() as tasks:
        for number in range(100):
            tasks.start_soon(pairs.is_right, f"Basic {number}", "wrong", RIGHT)
        with anyio.fail_after(10):
            for _ in range(100):
                await anyio.to_thread.run_sync(lambda: None)
        end.set()


def test_a_hash_that_is_none_is_a_wrong_password() -> None:
    """A database somebody wrote into by hand."""
    assert not is_right_password("x", "not a hash")
