"""Named records of an organization: separate per kind, with all versions, without overwriting unseen ones."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Never

import pytest
from sqlalchemy.exc import IntegrityError

from journal import Journal, JournalError, NameTaken
from tests.journal.conftest import ANA, BEN, STRANGER


def test_the_latest_version_is_current_and_earlier_versions_stay(journal: Journal) -> None:
    assert journal.versioned_records.save(ANA, "ready", "Boil order", {"hours": 4}) == 1
    assert journal.versioned_records.save(BEN, "ready", "boil  Order", {"hours": 12}, over=1) == 2
    journal.versioned_records.save(ANA, "ready", "Amber", {})
    journal.versioned_records.save(ANA, "area", "Boil order", {})
    records = journal.versioned_records.list(ANA, "ready")
    assert [(each.name, each.version, each.saved_by) for each in records] == [
        ("Amber", 1, "ana"),
        ("boil Order", 2, "ben"),
    ]
    assert [each.payload for each in journal.versioned_records.versions(ANA, "ready", "BOIL ORDER")] == [
        {"hours": 12},
        {"hours": 4},
    ]
    assert journal.versioned_records.list(STRANGER, "ready") == []


@pytest.mark.parametrize("over", [0, 1])
def test_a_version_that_was_not_read_cannot_be_replaced(journal: Journal, over: int) -> None:
    """Neither by a new record with the same name nor by a change to an outdated version."""
    journal.versioned_records.save(ANA, "ready", "Boil order", {"hours": 4})
    journal.versioned_records.save(ANA, "ready", "Boil order", {"hours": 5}, over=1)
    with pytest.raises(NameTaken, match="boil order"):
        journal.versioned_records.save(BEN, "ready", "boil order", {}, over=over)
    assert journal.versioned_records.list(ANA, "ready")[0].payload == {"hours": 5}


def test_one_of_two_simultaneous_replacements_of_a_version_fails(journal: Journal) -> None:
    def save(number: int) -> bool:
        try:
            journal.versioned_records.save(ANA, "ready", "Boil order", {"by": number})
        except NameTaken:
            return False
        return True

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(save, range(4))) == [False, False, False, True]


def test_a_record_stored_without_a_version_becomes_the_next_version(journal: Journal) -> None:
    """Even for two calls at once."""
    assert [journal.versioned_records.save(who, "wording", "Sirens", {}, over=None) for who in (ANA, BEN)] == [1, 2]

    def save(number: int) -> int:
        return journal.versioned_records.save(ANA, "wording", "sirens", {"by": number}, over=None)

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(save, range(4))) == [3, 4, 5, 6]


def test_a_save_that_the_database_always_rejects_is_reported_without_endless_retries(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = []

    @contextmanager
    def reject() -> Iterator[Never]:
        attempts.append(1)
        assert len(attempts) < 100
        raise IntegrityError("INSERT", {}, Exception("CHECK constraint failed"))
        yield

    monkeypatch.setattr(journal.versioned_records._database, "writing", reject)
    with pytest.raises(NameTaken, match="Nothing was saved"):
        journal.versioned_records.save(ANA, "wording", "Sirens", {}, over=None)


def test_a_record_is_deleted_with_all_versions_and_only_by_its_organization(journal: Journal) -> None:
    journal.versioned_records.save(ANA, "ready", "Boil order", {})
    journal.versioned_records.save(ANA, "ready", "Boil order", {}, over=1)
    journal.versioned_records.delete(STRANGER, "ready", "Boil order")
    assert journal.versioned_records.list(ANA, "ready")
    with pytest.raises(JournalError, match="has changed since"):
        journal.versioned_records.delete(BEN, "ready", "boil order", over=1)
    assert len(journal.versioned_records.versions(ANA, "ready", "Boil order")) == 2
    journal.versioned_records.delete(BEN, "ready", "boil order", over=2)
    assert journal.versioned_records.versions(ANA, "ready", "Boil order") == []


@pytest.mark.parametrize("name", ["", "  ", "x" * 101])
def test_an_invalid_name_is_rejected_with_a_message(journal: Journal, name: str) -> None:
    with pytest.raises(JournalError, match="name"):
        journal.versioned_records.save(ANA, "ready", name, {})
