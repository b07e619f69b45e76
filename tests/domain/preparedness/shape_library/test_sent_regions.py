"""Regions in the shape library, known from the journal of Muster."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from domain.preparedness.shape_library.sent_regions import (
    DELETE,
    REGION_REMOVAL,
    UPLOAD,
    build_target,
    find_current_regions,
    find_name_problem,
    url_name,
)
from domain.preparedness.shape_library.shape_texts import describe_loss, region_names
from domain.tables.loaded_records import NEW
from journal import Actor, Entry
from shapes.findings import Loss

NAME_EXISTS = '{"message": "Region name: A already exists"}'
START = datetime(2026, 11, 20, 12, tzinfo=UTC)


def entries(*actions: tuple[str, str, str, str]) -> list[Entry]:
    """Entries as (action, name, folder, state), first to last."""
    result: list[Any] = []
    for number, (action, name, folder, state) in enumerate(actions, 1):
        request = {"regionName": name, "folder": folder or None, "fileName": "a.zip", "bytes": 5, "features": 2}
        at = START + timedelta(minutes=number)
        actor = Actor("service", 8800, "ana")
        answer = {"status": 400, "text": NAME_EXISTS} if state == "taken" else None
        entry: Any = (actor, action, "shape_region", None, name, request, "refused" if answer else state)
        result.append(Entry(number, at, at, *entry, answer, None))
    return result[::-1]


@pytest.mark.parametrize(
    ("actions", "states"),
    [
        ([(UPLOAD, "A", "", "succeeded")], {"A": "there"}),
        ([(UPLOAD, "A", "", "refused")], {}),
        ([(UPLOAD, "A", "", "unknown")], {"A": "unknown"}),
        ([(UPLOAD, "A", "", "unknown"), (UPLOAD, "A", "", "taken")], {"A": "there"}),
        ([(UPLOAD, "A", "", "unknown"), (UPLOAD, "A", "", "refused")], {"A": "unknown"}),
        ([(UPLOAD, "A", "", "taken")], {}),
        ([(UPLOAD, "A", "", "succeeded"), (DELETE, "A", "", "succeeded")], {"A": "deleted"}),
        ([(UPLOAD, "A", "", "succeeded"), (DELETE, "A", "", "refused")], {"A": "there"}),
        ([(UPLOAD, "A", "", "succeeded"), (DELETE, "A", "", "unknown")], {"A": "unknown"}),
        ([(UPLOAD, "A", "F", "succeeded"), (DELETE, "F", "", "succeeded")], {"A": "deleted"}),
        ([(UPLOAD, "A", "F/G", "succeeded"), (DELETE, "F", "", "succeeded")], {"A": "deleted"}),
        ([(UPLOAD, "A", "Fa", "succeeded"), (DELETE, "F", "", "succeeded")], {"A": "there"}),
        ([(UPLOAD, "A", "/F / G/", "succeeded"), (DELETE, "F", "", "succeeded")], {"A": "deleted"}),
        ([(UPLOAD, "A", "F/G", "succeeded"), (DELETE, "/F/ G", "", "succeeded")], {"A": "deleted"}),
        (
            [(UPLOAD, "A", "", "succeeded"), (UPLOAD, "B", "F", "succeeded"), (DELETE, "//", "", "succeeded")],
            {"A": "there", "B": "there"},
        ),
        (
            [(UPLOAD, "F", "", "succeeded"), (UPLOAD, "A", "F", "succeeded"), (DELETE, "F", "", "succeeded")],
            {"F": "deleted", "A": "there"},
        ),
        (
            [(UPLOAD, "A", "", "succeeded"), (DELETE, "A", "", "succeeded"), (UPLOAD, "A", "", "succeeded")],
            {"A": "there"},
        ),
    ],
)
def test_the_statuses_of_regions_follow_from_the_journal(actions: list[Any], states: dict[str, str]) -> None:
    assert {region.name: region.state for region in find_current_regions(entries(*actions))} == states


def test_a_region_name_is_available_after_a_deletion_or_an_unknown_upload() -> None:
    sent = (UPLOAD, "A", "F", "succeeded")
    assert "ana sent a region with this name into F" in (
        find_name_problem("A ", find_current_regions(entries(sent))) or ""
    )
    assert find_name_problem("A", find_current_regions(entries(sent, (DELETE, "A", "", "succeeded")))) is None
    assert find_name_problem("A", find_current_regions(entries((UPLOAD, "A", "", "unknown")))) is None
    assert find_name_problem(" ", []) is not None


def test_a_region_named_like_the_url_value_for_a_new_region_is_escaped_in_the_url() -> None:
    assert find_name_problem(NEW, []) is None
    url_names = [url_name(name) for name in (NEW, "New", f"{NEW} 1", "Zones")]
    assert NEW not in url_names
    assert url_names[1:] == ["New", f"{NEW} 1", "Zones"]
    assert REGION_REMOVAL.selection_values(build_target(NEW, [])) == {url_name(NEW)}


@pytest.mark.parametrize(
    ("status", "text", "state"),
    [
        (404, '{"status": 404, "message": "Region name: A is not found"}', "deleted"),
        (404, None, "deleted"),
        (404, '{"message": "Invalid credentials"}', "there"),
        (500, "No", "there"),
    ],
)
def test_a_region_that_the_service_does_not_find_is_deleted_and_its_name_available(
    status: int, text: str | None, state: str
) -> None:
    deleted, sent = entries((UPLOAD, "A", "F", "succeeded"), (DELETE, "A", "", "refused"))
    regions = find_current_regions([replace(deleted, answer={"status": status, "text": text}), sent])
    assert [region.state for region in regions] == [state]
    assert (find_name_problem("A", regions) is None) is (state == "deleted")


def test_a_deletion_lists_everything_it_deletes() -> None:
    regions = find_current_regions(entries((UPLOAD, "A", "F", "succeeded"), (UPLOAD, "B", "F/G", "succeeded")))
    assert build_target("F", regions).note == "folder with 2 regions sent from Muster: B and A"
    assert "region sent by ana" in build_target("A", regions).note
    assert "Muster has not sent it" in build_target("C", regions).note


def test_lost_detail_is_reported_in_readable_units() -> None:
    assert describe_loss(Loss(61_000, 12_400, 38.2, 1e9, 0.9998e9, 3)) == (
        "12,400 of 61,000 vertices · moved at most 38 m · area −0.02% · 3 small parts and holes removed"
    )
    assert describe_loss(Loss(10, 10, 0.04, 0, 0, 0)) == "10 of 10 vertices · moved at most 4 cm"
    assert describe_loss(Loss(10, 10, 0, 5, 5, 0)) == ""
    assert describe_loss(Loss(10, 8, 5, 5, 5, 0)).endswith("area unchanged")
    assert region_names(" Land ", 2) == ["Land 1", "Land 2"]
    assert region_names(" Land ", 1) == ["Land"]
