"""Wordings are kept an event and a name, for the whole organization."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from journal import Journal, JournalError
from journal.journal_database import utc_now
from journal.tables import wordings
from tests.unit.journal.conftest import ANA, BEN, STRANGER
from tests.waiting_writers import wait_until_another_waits


def test_a_wording_is_there_for_the_organization_and_replaced_by_its_name(journal: Journal) -> None:
    """Whoever saves it last; another event may use the same name."""
    first = journal.wordings.save(ANA, "Tornado Warning", "Sirens", {"sms": "one"})
    assert journal.wordings.save(BEN, "Tornado Warning", " Sirens ", {"sms": "two"}) == first
    journal.wordings.save(ANA, "Tornado Watch", "Sirens", {"sms": "watch"})
    [kept] = journal.wordings.list(ANA.service, ANA.organization_id, event="Tornado Warning")
    assert (kept.id, kept.name, kept.payload, kept.saved_by) == (first, "Sirens", {"sms": "two"}, "ben")
    assert len(journal.wordings.list(BEN.service, BEN.organization_id)) == 2
    assert journal.wordings.list(STRANGER.service, STRANGER.organization_id) == []


def test_a_wording_is_deleted_by_its_organization_only(journal: Journal) -> None:
    """A stranger's id hits nothing."""
    kept = journal.wordings.save(ANA, "Tornado Warning", "Sirens", {})
    journal.wordings.delete(STRANGER, kept)
    assert len(journal.wordings.list(ANA.service, ANA.organization_id)) == 1
    journal.wordings.delete(BEN, kept)
    assert journal.wordings.list(ANA.service, ANA.organization_id) == []


@pytest.mark.parametrize("name", ["", "  ", "x" * 101])
def test_a_name_that_cannot_be_told_apart_is_refused_in_words(journal: Journal, name: str) -> None:
    """Empty, blank, or too long."""
    with pytest.raises(JournalError, match="name"):
        journal.wordings.save(ANA, "Tornado Warning", name, {})


def test_two_first_saves_at_once_are_one_wording(journal: Journal) -> None:
    """The second waits for the first, and goes over it."""
    first = {
        "service": ANA.service,
        "organization_id": ANA.organization_id,
        "event": "Tornado Warning",
        "name": "Sirens",
        "payload": "{}",
        "saved_by": "ana",
        "saved_at": utc_now(),
    }
    with ThreadPoolExecutor(1) as threads:
        with journal._database.writing() as connection:
            connection.execute(wordings.insert().values(first))
            second = threads.submit(journal.wordings.save, BEN, "Tornado Warning", "Sirens", {"sms": "two"})
            wait_until_another_waits(connection)
        saved = second.result(20)
    [kept] = journal.wordings.list(ANA.service, ANA.organization_id)
    assert (kept.id, kept.payload, kept.saved_by) == (saved, {"sms": "two"}, "ben")
