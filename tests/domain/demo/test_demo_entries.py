"""The demo data in a new journal: a roster, names, and sent assets, recorded once from the output of the service."""

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from client.redaction import redact
from domain.demo.demo_entries import ROSTER_NAME, ensure_demo_entries
from domain.preparedness.assets.asset_rows import ADD, read_sent_assets
from domain.preparedness.dynamic_locations.location_upload import LOCATIONS
from domain.preparedness.shape_library.sent_regions import list_sent_regions
from journal import Actor, Journal
from service.demo.sites import assets_by_id


def test_the_first_start_records_the_demo_data_and_a_second_start_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Each start runs one process of the service and not one per kind of record."""
    processes = []
    run = subprocess.run
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda *command, **options: (processes.append(command), run(*command, **options))[1],
    )
    actor = Actor(service="Muster's own service", organization_id=8800001, username="demo")
    with Journal.open(f"sqlite:///{tmp_path / 'journal.sqlite'}", redact) as journal:
        ensure_demo_entries(journal, actor)
        assert len(processes) == 1
        (roster,) = journal.rosters.list(actor.service, actor.organization_id)
        assert roster.name == ROSTER_NAME
        assert roster.entry_count >= 1500
        assert len(journal.travelers.names(actor.service, actor.organization_id)) >= 2000
        workspace: Any = SimpleNamespace(journal=journal, actor=actor)
        sent_assets = read_sent_assets(workspace, lambda *_: None).records
        assert {each.id: each.payload["externalId"] for each in sent_assets} == {
            asset_id: asset.external_id for asset_id, asset in assets_by_id().items()
        }
        assert all("geometry" in each.payload and each.asset.properties for each in sent_assets)
        [upload] = journal.ledger.jobs(actor, LOCATIONS.kind)
        assert upload.counts == {"done": 240, "failed": 2}
        assert {region.folder for region in list_sent_regions(workspace)} == {"", "Campuses", "Watch areas"}
        entry_count = len(journal.audit.list(actor.service, actor.organization_id))
        ensure_demo_entries(journal, actor)
        assert len(journal.audit.list(actor.service, actor.organization_id)) == entry_count
        assert [one.id for one in journal.rosters.list(actor.service, actor.organization_id)] == [roster.id]
        assert len(journal.ledger.jobs(actor, ADD.kind)) == 1
