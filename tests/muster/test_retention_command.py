"""`python -m muster retention`: the period, the dry run, the output, and the exit code."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from client.redaction import redact
from domain.runtime.settings import settings
from journal import Actor, Journal
from journal.tables import drafts
from muster.commands import main

ANA = Actor("https://service.example.org", 8800, "ana")


def test_old_data_is_listed_then_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.cache_clear()
    monkeypatch.setenv("MUSTER_DATA_DIR", str(tmp_path))
    assert main(["retention"]) == 2
    assert "Set MUSTER_RETENTION_DAYS" in capsys.readouterr().err

    monkeypatch.setenv("MUSTER_RETENTION_DAYS", "30")
    url = f"sqlite:///{tmp_path / 'journal.sqlite'}"
    with Journal.open(url, redact) as journal:
        for name, days in (("old", 31), ("new", 29)):
            journal.drafts.save(ANA, "trip", name, {})
            with journal._database.writing() as connection:
                saved_at = datetime.now(UTC) - timedelta(days=days)
                connection.execute(drafts.update().where(drafts.c.key == name).values(saved_at=saved_at))
    for options in (["--dry-run"], []):
        assert main(["retention", *options]) == 0
        assert json.loads(capsys.readouterr().out) == {"service": ANA.service, "organization": 8800, "drafts": 1}
    assert main(["retention"]) == 3
    with Journal.open(url, redact) as journal:
        assert [draft.key for draft in journal.drafts.list(ANA, "trip")] == ["new"]
