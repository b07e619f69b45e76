"""The demo roster: what the service prints becomes a roster and names, once."""

from pathlib import Path

from components.shell.demo_roster import ROSTER_NAME, ensure_demo_roster
from journal import Actor, Journal


def test_the_journal_gets_the_roster_and_the_names_and_a_second_start_changes_nothing(tmp_path: Path):
    actor = Actor(service="Muster's own service", organization_id=8800001, username="demo")
    with Journal.open(f"sqlite:///{tmp_path / 'journal.sqlite'}") as journal:
        ensure_demo_roster(journal, actor)
        (roster,) = journal.rosters.list(actor.service, actor.organization_id)
        assert roster.name == ROSTER_NAME
        assert roster.entry_count >= 1500
        assert len(journal.travellers.names(actor.service, actor.organization_id)) >= 2000
        ensure_demo_roster(journal, actor)
        assert [one.id for one in journal.rosters.list(actor.service, actor.organization_id)] == [roster.id]
