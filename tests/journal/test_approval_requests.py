"""A request for approval is approved or declined once, by another person, for its exact text, and used once."""

from __future__ import annotations

import threading

from journal import Journal, digest_of
from tests.journal.conftest import ANA, BEN, STRANGER

TEXT = {"event": "Tornado Warning", "regions": [2**62], "sms": "Zoë\x00"}


def test_an_approval_request_is_visible_only_in_its_organization(journal: Journal) -> None:
    """With the exact text. Another organization sees nothing."""
    request = journal.approval_requests.create(ANA, "alert", "a", TEXT)
    assert (request.state, request.written_by, request.payload, request.digest) == (
        "waiting",
        "ana",
        TEXT,
        digest_of(TEXT),
    )
    assert journal.approval_requests.load(BEN.service, BEN.organization_id, request.id) == request
    assert journal.approval_requests.waiting(BEN.service, BEN.organization_id, "alert") == [request]
    assert journal.approval_requests.waiting(BEN.service, BEN.organization_id, "trip") == []
    assert journal.approval_requests.load(STRANGER.service, STRANGER.organization_id, request.id) is None
    assert not journal.approval_requests.approve(STRANGER, request.id, request.digest)


def test_the_author_cannot_approve_or_decline_an_approval_request(journal: Journal) -> None:
    """An approval needs a second person."""
    request = journal.approval_requests.create(ANA, "alert", "a", TEXT)
    assert not journal.approval_requests.approve(ANA, request.id, request.digest)
    assert not journal.approval_requests.decline(ANA, request.id, "no")
    assert journal.approval_requests.latest(ANA, "alert", "a") == request


def test_an_approval_is_valid_for_its_text_and_used_once(journal: Journal) -> None:
    """A text with another digest is neither approved nor sent."""
    request = journal.approval_requests.create(ANA, "alert", "a", TEXT)
    other = digest_of({**TEXT, "sms": "Zoe"})
    assert not journal.approval_requests.approve(BEN, request.id, other)
    assert not journal.approval_requests.use(ANA, request.id, request.digest)
    assert journal.approval_requests.approve(BEN, request.id, request.digest)
    assert not journal.approval_requests.approve(BEN, request.id, request.digest)
    assert not journal.approval_requests.decline(BEN, request.id, "too late")
    found = journal.approval_requests.latest(ANA, "alert", "a")
    assert found is not None
    assert (found.state, found.decided_by, found.note) == ("approved", "ben", None)
    assert found.decided_at is not None
    assert not journal.approval_requests.use(ANA, request.id, other)
    assert journal.approval_requests.use(ANA, request.id, request.digest)
    assert not journal.approval_requests.use(ANA, request.id, request.digest)


def test_a_change_of_the_draft_voids_pending_and_approved_approval_requests(journal: Journal) -> None:
    """A new request does the same. A declined request stays declined with its note."""
    first = journal.approval_requests.create(ANA, "alert", "a", TEXT)
    second = journal.approval_requests.create(ANA, "alert", "a", {**TEXT, "sms": "other"})
    assert not journal.approval_requests.approve(BEN, first.id, first.digest)
    assert journal.approval_requests.approve(BEN, second.id, second.digest)
    assert journal.approval_requests.void(ANA, "alert", "a")
    assert not journal.approval_requests.void(ANA, "alert", "a")
    assert not journal.approval_requests.use(ANA, second.id, second.digest)
    third = journal.approval_requests.create(ANA, "alert", "a", TEXT)
    assert journal.approval_requests.decline(BEN, third.id, "Which county?")
    found = journal.approval_requests.load(ANA.service, ANA.organization_id, third.id)
    assert found is not None
    assert (found.state, found.note) == ("declined", "Which county?")


def test_only_one_of_many_simultaneous_callers_uses_the_approval(journal: Journal) -> None:
    """Several threads call at the same moment."""
    request = journal.approval_requests.create(ANA, "alert", "a", TEXT)
    journal.approval_requests.approve(BEN, request.id, request.digest)
    start, winners = threading.Barrier(6), []

    def use_approval() -> None:
        start.wait()
        if journal.approval_requests.use(ANA, request.id, request.digest):
            winners.append(True)

    threads = [threading.Thread(target=use_approval) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(winners) == 1


def test_a_digest_depends_on_every_character_and_not_on_key_order() -> None:
    """Keys of an object may be in any order, items of a list may not."""
    assert digest_of({"a": 1, "b": [1, 2]}) == digest_of({"b": [1, 2], "a": 1})
    assert digest_of({"a": 1, "b": [1, 2]}) != digest_of({"a": 1, "b": [2, 1]})
    assert digest_of({"a": "é"}) != digest_of({"a": "e"})
