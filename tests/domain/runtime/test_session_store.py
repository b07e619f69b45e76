"""The session store: tokens, limits of time, why a session ended, and one-time tickets."""

import threading
from datetime import timedelta

import pytest

from domain.runtime.session_store import REDEEMED_SECONDS, TICKET_SECONDS, SessionStore, digest


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> SessionStore[str]:
    return SessionStore(idle=timedelta(minutes=30), longest=timedelta(hours=12), clock=clock)


def test_only_the_token_of_a_session_opens_it(store: SessionStore[str]):
    first, second = store.open("ana"), store.open("ben")
    assert store.peek(first, use=True) == "ana"
    assert store.peek(second, use=True) == "ben"
    assert first != second
    assert store.peek("guess", use=True) is None
    assert store.peek("", use=True) is None
    assert store.peek(None, use=True) is None


def test_the_store_contains_no_tokens(store: SessionStore[str]):
    token = store.open("ana")
    ticket = store.issue_ticket(token, bound_to="browser")
    store.end(store.open("ben"))
    assert token not in repr(store._sessions)
    assert ticket not in repr(store._tickets)


def test_a_session_ends_after_the_idle_limit_with_a_reason(store: SessionStore[str], clock: Clock):
    token = store.open("ana")
    clock.now += 30 * 60 - 1
    assert store.peek(token) == "ana"
    assert store.ending(token) is None
    clock.now += 1
    assert store.peek(token) is None
    assert store.ending(token) == "idle"
    assert len(store) == 0


def test_resuming_a_session_extends_it_and_peeking_does_not(store: SessionStore[str], clock: Clock):
    used, peeked = store.open("used"), store.open("looked at")
    for _ in range(3):
        clock.now += 15 * 60
        store.peek(used, use=True)
        store.peek(peeked)
    assert store.peek(used) == "used"
    assert store.peek(peeked) is None


def test_a_session_that_is_in_use_ends_after_its_longest_time_with_a_reason(store: SessionStore[str], clock: Clock):
    token = store.open("ana")
    for _ in range(12 * 4 - 1):
        clock.now += 15 * 60
        assert store.peek(token, use=True) == "ana"
    clock.now += 15 * 60
    assert store.peek(token, use=True) is None
    assert store.ending(token) == "too long"


def test_signing_out_ends_the_session_for_everyone_with_its_token(store: SessionStore[str]):
    token, other = store.open("ana"), store.open("ben")
    store.end(token)
    assert store.peek(token, use=True) is None
    assert store.ending(token) == "signed out"
    assert store.peek(other, use=True) == "ben"


def test_two_sign_ins_in_one_browser_share_their_sessions(store: SessionStore[str], clock: Clock):
    first, second, other = store.open("ana"), store.open("ana"), store.open("ben")
    store.share_browser(second, first)
    store.share_browser(second, "guess")
    assert store.tokens_of_browser(second) == store.tokens_of_browser(first) == {digest(first), digest(second)}
    assert store.tokens_of_browser("guess") == store.tokens_of_browser(None) == set()
    store.end(second)
    assert store.ending(first) == "signed out"
    assert store.tokens_of_browser(first) == set()
    assert store.peek(other, use=True) == "ben"
    newest = store.open("ana")
    clock.now += 30 * 60
    newest, before = store.open("ana"), newest
    store.share_browser(newest, before)
    assert store.tokens_of_browser(newest) == {digest(newest)}


def test_an_unknown_token_has_no_ending(store: SessionStore[str]):
    assert store.ending("guess") is None
    assert store.ending(None) is None


def test_a_ticket_is_redeemed_once(store: SessionStore[str]):
    token = store.open("ana")
    ticket = store.issue_ticket(token, bound_to="browser")
    assert store.is_pending(ticket)
    assert store.redeem(ticket, bound_to="browser") == token
    assert not store.is_pending(ticket)
    assert store.redeem(ticket, bound_to="browser") is None


def test_a_ticket_from_another_browser_is_rejected_and_invalidated(store: SessionStore[str]):
    ticket = store.issue_ticket(store.open("ana"), bound_to="browser")
    assert store.redeem(ticket, bound_to="another") is None
    assert store.redeem(ticket, bound_to="browser") is None


def test_a_ticket_is_valid_for_1_minute(store: SessionStore[str], clock: Clock):
    token = store.open("ana")
    ticket = store.issue_ticket(token, bound_to="browser")
    clock.now += TICKET_SECONDS
    assert not store.is_pending(ticket)
    assert store.redeem(ticket, bound_to="browser") is None


def test_waiting_for_a_ticket_ends_when_a_browser_redeems_it(store: SessionStore[str]):
    ticket = store.issue_ticket(store.open("ana"), bound_to="browser")
    waiting = threading.Thread(target=store.wait_until_spent, args=(ticket,))
    waiting.start()
    store.redeem(ticket, bound_to="browser")
    waiting.join(REDEEMED_SECONDS * 10)
    assert not waiting.is_alive()


def test_waiting_for_a_ticket_ends_if_no_browser_redeems_it_in_time(store: SessionStore[str], clock: Clock):
    ticket = store.issue_ticket(store.open("ana"), bound_to="browser")
    clock.now += REDEEMED_SECONDS
    store.wait_until_spent(ticket)
    assert store.is_pending(ticket)


def test_a_ticket_of_an_ended_session_opens_nothing(store: SessionStore[str]):
    token = store.open("ana")
    ticket = store.issue_ticket(token, bound_to="browser")
    store.end(token)
    assert store.redeem(ticket, bound_to="browser") is None


def test_expired_tickets_are_removed(store: SessionStore[str], clock: Clock):
    token = store.open("ana")
    for _ in range(50):
        store.issue_ticket(token, bound_to="browser")
    clock.now += TICKET_SECONDS
    store.issue_ticket(token, bound_to="browser")
    assert len(store._tickets) == 1


def test_ending_all_sessions_ends_every_session(store: SessionStore[str]):
    tokens = [store.open(name) for name in "abc"]
    store.end_all()
    assert [store.peek(token) for token in tokens] == [None, None, None]
