"""Password attempts: limits per person and address, and how long attempts count."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from domain.runtime.attempts import ACCOUNT_LIMIT, ADDRESS_LIMIT, PERSON_LIMIT, WINDOW_SECONDS, Attempt, Attempts

ANA = Attempt("10.0.0.1", "ana")


@pytest.fixture
def now() -> list[float]:
    return [0.0]


@pytest.fixture
def attempts(now: list[float]) -> Attempts:
    return Attempts(clock=lambda: now[0])


def test_a_person_may_enter_a_few_wrong_passwords(attempts: Attempts):
    assert [attempts.begin(ANA) for _ in range(PERSON_LIMIT)] == [0] * PERSON_LIMIT
    assert attempts.begin(ANA) == WINDOW_SECONDS


def test_simultaneous_attempts_do_not_exceed_the_limit(attempts: Attempts):
    barrier = Barrier(24)

    def attempt(_: int) -> float:
        barrier.wait()
        return attempts.begin(ANA)

    with ThreadPoolExecutor(24) as pool:
        waits = list(pool.map(attempt, range(24)))
    assert waits.count(0) == PERSON_LIMIT


def test_a_blocked_attempt_does_not_extend_the_wait(attempts: Attempts, now: list[float]):
    for second in range(PERSON_LIMIT):
        now[0] = float(second)
        attempts.begin(ANA)
    now[0] = 100.0
    assert attempts.begin(ANA) == pytest.approx(WINDOW_SECONDS - 100)
    now[0] = WINDOW_SECONDS
    assert attempts.begin(ANA) == 0


def test_other_people_and_other_addresses_do_not_wait(attempts: Attempts):
    for _ in range(PERSON_LIMIT):
        attempts.begin(ANA)
    assert attempts.begin(replace(ANA, username="ben")) == 0
    assert attempts.begin(replace(ANA, address="10.0.0.2")) == 0
    assert attempts.begin(replace(ANA, username="ANA")) > 0


def test_one_address_cannot_try_the_passwords_of_many_people(attempts: Attempts):
    for number in range(ADDRESS_LIMIT):
        attempts.begin(replace(ANA, username=f"user {number}"))
    assert attempts.begin(replace(ANA, username="somebody new")) > 0


def test_many_addresses_cannot_try_many_passwords_of_one_person(attempts: Attempts):
    waits = [attempts.begin(replace(ANA, address=f"10.0.1.{number}")) for number in range(ACCOUNT_LIMIT + 1)]
    assert [wait > 0 for wait in waits] == [False] * ACCOUNT_LIMIT + [True]


@pytest.mark.parametrize("address", ["2001:db8::{}", "2001:db8:0:0:{}::1", "::ffff:10.0.0.1"])
def test_addresses_of_one_ipv6_network_count_as_one(address: str, attempts: Attempts):
    waits = [attempts.begin(replace(ANA, address=address.format(number))) for number in range(PERSON_LIMIT + 1)]
    assert waits[-1] > 0


def test_a_correct_password_clears_the_attempts_of_that_person_and_address_only(attempts: Attempts):
    for number in range(ACCOUNT_LIMIT):
        attempts.begin(replace(ANA, address=f"10.0.1.{number}"))
    attempts.take_back(replace(ANA, address="10.0.1.0"))
    for _ in range(PERSON_LIMIT - 1):
        attempts.begin(replace(ANA, username="ben"))
    attempts.succeeded(replace(ANA, username="ben"))
    assert [attempts.begin(replace(ANA, username="ben")) for _ in range(PERSON_LIMIT)] == [0] * PERSON_LIMIT
    assert attempts.begin(ANA) == 0
    assert attempts.begin(replace(ANA, address="10.0.2.1")) > 0


def test_attempts_without_a_wrong_password_do_not_count(attempts: Attempts):
    for _ in range(ADDRESS_LIMIT * 2):
        assert attempts.begin(ANA) == 0
        attempts.take_back(ANA)


def test_old_attempts_are_removed(attempts: Attempts, now: list[float]):
    for number in range(20):
        attempts.begin(replace(ANA, username=f"user {number}"))
    now[0] = WINDOW_SECONDS + 1
    attempts.begin(ANA)
    assert set(attempts._tries) == set(ANA.counted_under)
