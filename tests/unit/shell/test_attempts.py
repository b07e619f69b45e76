"""Wrong passwords: how many, by whom, from where, and for how long they count."""

from dataclasses import replace

import pytest

from components.shell.attempts import ACCOUNT_LIMIT, ADDRESS_LIMIT, WINDOW_SECONDS, Attempt, Attempts

ANA = Attempt("10.0.0.1", 8800, "ana")


@pytest.fixture
def now() -> list[float]:
    return [0.0]


@pytest.fixture
def attempts(now: list[float]) -> Attempts:
    return Attempts(clock=lambda: now[0])


def test_a_person_may_be_wrong_a_few_times(attempts: Attempts):
    for _ in range(ACCOUNT_LIMIT - 1):
        attempts.failed(ANA)
    assert attempts.wait(ANA) == 0
    attempts.failed(ANA)
    assert attempts.wait(ANA) == WINDOW_SECONDS


def test_the_wait_runs_out_with_the_oldest_failure(attempts: Attempts, now: list[float]):
    for second in range(ACCOUNT_LIMIT):
        now[0] = float(second)
        attempts.failed(ANA)
    now[0] = 100.0
    assert attempts.wait(ANA) == pytest.approx(WINDOW_SECONDS - 100)
    now[0] = WINDOW_SECONDS
    assert attempts.wait(ANA) == 0


def test_other_people_and_other_addresses_are_not_kept_waiting(attempts: Attempts):
    for _ in range(ACCOUNT_LIMIT):
        attempts.failed(ANA)
    assert attempts.wait(replace(ANA, username="ben")) == 0
    assert attempts.wait(replace(ANA, address="10.0.0.2")) == 0
    assert attempts.wait(replace(ANA, username="ANA")) > 0


def test_one_address_cannot_try_the_passwords_of_many_people(attempts: Attempts):
    for number in range(ADDRESS_LIMIT):
        attempts.failed(replace(ANA, username=f"user {number}"))
    assert attempts.wait(replace(ANA, username="somebody new")) > 0


def test_a_right_password_forgets_that_persons_wrong_ones(attempts: Attempts):
    for _ in range(ACCOUNT_LIMIT):
        attempts.failed(ANA)
    attempts.succeeded(ANA)
    assert attempts.wait(ANA) == 0


def test_old_failures_are_forgotten_altogether(attempts: Attempts, now: list[float]):
    for number in range(20):
        attempts.failed(replace(ANA, username=f"user {number}"))
    now[0] = WINDOW_SECONDS + 1
    attempts.failed(ANA)
    assert len(attempts._failures) == 2
