"""Passwords: the cache of verified passwords, and what verification delays."""

from __future__ import annotations

import threading

import anyio
import pytest

from service.accounts import passwords
from service.accounts.passwords import Passwords, is_right_password
from tests.running_service import CHEAP_HASHER

pytestmark = pytest.mark.anyio
RIGHT = CHEAP_HASHER.hash("right")


@pytest.fixture
def anyio_backend() -> str:
    """The event loop that the service runs on."""
    return "asyncio"


@pytest.fixture
def verified_passwords(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that were verified by hashing."""
    hashed: list[str] = []

    def count(password: str, password_hash: str | None) -> bool:
        hashed.append(password)
        return is_right_password(password, password_hash)

    monkeypatch.setattr(passwords, "is_right_password", count)
    return hashed


async def test_a_password_is_verified_once_per_hash(verified_passwords: list[str]) -> None:
    """A verified password is cached for its stored hash only; a wrong password is not cached."""
    verifier = Passwords()
    assert await verifier.is_right("right", RIGHT)
    assert await verifier.is_right("right", RIGHT)
    assert len(verified_passwords) == 1
    assert not await verifier.is_right("right", CHEAP_HASHER.hash("another"))
    for _ in range(2):
        assert not await verifier.is_right("wrong", RIGHT)
    assert not await verifier.is_right("right", None)
    assert len(verified_passwords) == 5


async def test_the_oldest_verified_password_is_evicted(verified_passwords: list[str]) -> None:
    """The cache is limited."""
    verifier = Passwords(capacity=2)
    hashes = {name: CHEAP_HASHER.hash(name) for name in ("one", "two", "three")}
    for name in ("one", "two", "three", "three", "two", "one"):
        assert await verifier.is_right(name, hashes[name])
    assert len(verified_passwords) == 4


async def test_a_password_sent_by_many_requests_at_once_is_verified_a_few_times(verified_passwords: list[str]) -> None:
    """A client sends its first requests over many connections."""
    verifier = Passwords()
    async with anyio.create_task_group() as tasks:
        for _ in range(50):
            tasks.start_soon(verifier.is_right, "right", RIGHT)
    assert len(verified_passwords) <= 2


async def test_wrong_passwords_do_not_use_the_threads_of_other_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are being verified, database work continues."""
    end = threading.Event()
    monkeypatch.setattr(passwords, "is_right_password", lambda *_: end.wait(30) and False)
    verifier = Passwords()
    async with anyio.create_task_group() as tasks:
        for number in range(100):
            tasks.start_soon(verifier.is_right, f"wrong {number}", RIGHT)
        with anyio.fail_after(10):
            for _ in range(100):
                await anyio.to_thread.run_sync(lambda: None)
        end.set()


def test_an_invalid_hash_matches_no_password() -> None:
    """Someone edited the database by hand."""
    assert not is_right_password("x", "not a hash")
