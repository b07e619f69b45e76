"""Drafts are stored per person and claimed for sending by only one caller."""

from __future__ import annotations

import threading

from journal import Actor, Journal

ANA = Actor("http://service", 8800, "ana")
BEN = Actor("http://service", 8800, "ben")


def test_a_draft_is_loaded_as_it_was_last_saved(journal: Journal) -> None:
    """It replaces the older version, is visible only to its owner, and is stored exactly."""
    journal.drafts.save(ANA, "trip", "a", {"id": 2**62, "text": "first"})
    journal.drafts.save(ANA, "trip", "a", {"id": 2**62, "text": "Zoë\x00\ud800"})
    found = journal.drafts.load(ANA, "trip", "a")
    assert found is not None
    assert found.payload == {"id": 2**62, "text": "Zoë\x00\ud800"}
    assert journal.drafts.load(BEN, "trip", "a") is None
    assert journal.drafts.load(ANA, "alert", "a") is None


def test_drafts_are_listed_latest_first_without_discarded_drafts(journal: Journal) -> None:
    """By the time of the last save."""
    for key in ("a", "b", "a"):
        journal.drafts.save(ANA, "trip", key, {})
    assert [draft.key for draft in journal.drafts.list(ANA, "trip")] == ["a", "b"]
    journal.drafts.delete(ANA, "trip", "a")
    journal.drafts.delete(ANA, "trip", "never there")
    assert [draft.key for draft in journal.drafts.list(ANA, "trip")] == ["b"]


def test_a_claim_survives_a_save_and_ends_with_its_release(journal: Journal) -> None:
    """The note of the claim can be read."""
    journal.drafts.save(ANA, "trip", "a", {})
    assert journal.drafts.claim(ANA, "trip", "a", {"held": [1]})
    journal.drafts.save(ANA, "trip", "a", {"changed": True})
    assert not journal.drafts.claim(ANA, "trip", "a", {})
    found = journal.drafts.load(ANA, "trip", "a")
    assert found is not None
    assert found.claim == {"held": [1]}
    assert found.claimed_at is not None
    journal.drafts.release(ANA, "trip", "a")
    assert journal.drafts.claim(ANA, "trip", "a", {})


def test_only_one_of_many_simultaneous_callers_gets_the_claim(journal: Journal) -> None:
    """Several threads call at the same moment."""
    journal.drafts.save(ANA, "trip", "a", {})
    start, winners = threading.Barrier(8), []

    def claim() -> None:
        start.wait()
        if journal.drafts.claim(ANA, "trip", "a", {}):
            winners.append(True)

    threads = [threading.Thread(target=claim) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(winners) == 1


def test_a_missing_draft_cannot_be_claimed(journal: Journal) -> None:
    """A discarded draft is not sent."""
    assert not journal.drafts.claim(ANA, "trip", "gone", {})


def test_a_name_that_no_database_can_store_finds_no_draft(journal: Journal) -> None:
    """Anyone can put such text into a URL."""
    assert journal.drafts.load(ANA, "trip", "a\x00") is None
    assert not journal.drafts.claim(ANA, "trip", "\ud800", {})


def test_a_draft_replaces_only_the_version_that_was_read(journal: Journal) -> None:
    """A draft that another tab saved, discarded, or claimed since is unchanged."""
    drafts = journal.drafts
    first = drafts.replace(ANA, "trip", "a", {"by": "here"}, seen=None)
    assert drafts.replace(ANA, "trip", "a", {"by": "there"}, seen=None) is None
    second = drafts.replace(ANA, "trip", "a", {"by": "there"}, seen=first)
    assert drafts.replace(ANA, "trip", "a", {"by": "here"}, seen=first) is None
    assert not drafts.claim(ANA, "trip", "a", {}, seen=first)
    assert drafts.claim(ANA, "trip", "a", {"of": 1}, seen=second)
    assert drafts.replace(ANA, "trip", "a", {"by": "here"}, seen=second) is None
    found = drafts.load(ANA, "trip", "a")
    assert found is not None
    assert (found.payload, found.saved_at) == ({"by": "there"}, second)


def test_a_claim_is_annotated_and_released_only_by_its_holder(journal: Journal) -> None:
    """Of two callers that decide on the same claim, one succeeds."""
    journal.drafts.save(ANA, "trip", "a", {})
    assert not journal.drafts.note(ANA, "trip", "a", {"of": 1}, instead_of=None)
    journal.drafts.claim(ANA, "trip", "a", {"of": 1})
    assert journal.drafts.note(ANA, "trip", "a", {"of": 2}, instead_of={"of": 1})
    assert not journal.drafts.note(ANA, "trip", "a", {"of": 3}, instead_of={"of": 1})
    assert not journal.drafts.release(ANA, "trip", "a", claim={"of": 1})
    assert journal.drafts.release(ANA, "trip", "a", claim={"of": 2})
