"""Names for IDs are stored for the organization, and changes of two people are both kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.filters.names.stored_names import change_names, list_names
from domain.runtime.workspace import Workspace
from journal import NameTaken
from journal.versioned_records import VersionedRecords
from tests.running_service import RunningService
from tests.workspace_at_service import workspace_at


@pytest.fixture
def workspace(service: RunningService, tmp_path: Path) -> Iterator[Workspace]:
    """A workspace with a journal of its own."""
    with workspace_at(service, tmp_path) as workspace:
        yield workspace


def test_names_are_added_replaced_and_removed(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that meets another one is made again over it."""
    change_names(workspace, {"group": {310: " Fire  wardens ", 311: "First aid"}})
    original, raced = VersionedRecords.save, []

    def save(self: VersionedRecords, *args: Any, **named: Any) -> int:
        if not raced:
            raced.append(True)
            change_names(workspace, {"group": {312: "Of a colleague"}})
        return original(self, *args, **named)

    monkeypatch.setattr(VersionedRecords, "save", save)
    change_names(workspace, {"group": {310: "Fire", 311: None}, "topic": {2**63 + 5: "Weather"}})
    assert raced
    assert list_names(workspace) == {
        "group": {310: "Fire", 312: "Of a colleague"},
        "topic": {2**63 + 5: "Weather"},
    }


def test_a_conflict_that_does_not_end_is_an_error(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is lost without a word."""

    def refuse(*_: Any, **__: Any) -> int:
        raise NameTaken("group")

    monkeypatch.setattr(VersionedRecords, "save", refuse)
    with pytest.raises(NameTaken):
        change_names(workspace, {"group": {1: "A"}})
