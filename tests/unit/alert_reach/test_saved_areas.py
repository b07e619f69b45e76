"""Areas kept by name: for one organization only, each with the places it stood for last."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from client.models.public_lookups import Regions
from client.redaction import redact
from components.alert_reach.regions import RegionCatalog
from components.alert_reach.saved_areas import forget_area, save_area, saved_areas
from journal import Actor, Journal, JournalError, NameTaken
from service.public_lookups.regions import list_regions


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """A journal in a folder of its own."""
    with Journal.open(f"sqlite:///{tmp_path / 'journal.sqlite3'}", redact) as opened:
        yield opened


def desk(journal: Journal, organization_id: int = 1, *, is_demo: bool = False) -> Any:
    """As much of a workspace as areas need."""
    actor = Actor("https://service.example", organization_id, "ana")
    return SimpleNamespace(actor=actor, journal=journal, is_demo=is_demo)


def test_an_area_is_kept_for_its_organization_and_changed_over_what_was_read(journal: Journal):
    here = desk(journal)
    save_area(here, "North side", [80301, 80302])
    (area,) = saved_areas(here)
    assert (area.name, area.regions, area.version, area.saved_by) == ("North side", (80301, 80302), 1, "ana")
    assert saved_areas(desk(journal, 2)) == []
    with pytest.raises(NameTaken):
        save_area(here, "north  side", [1])
    save_area(here, "North side", [80303], over=1)
    assert [(each.regions, each.version) for each in saved_areas(here)] == [((80303,), 2)]
    forget_area(here, "NORTH SIDE")
    assert saved_areas(here) == []


def test_an_area_without_places_or_a_name_is_not_kept(journal: Journal):
    for name, regions in (("North side", []), ("  ", [80301])):
        with pytest.raises(JournalError):
            save_area(desk(journal), name, regions)


def test_the_demo_organization_begins_with_areas_that_its_service_offers_and_deleted_ones_stay_away(journal: Journal):
    here = desk(journal, is_demo=True)
    areas = saved_areas(here)
    catalog = RegionCatalog(Regions.model_validate_json(list_regions().body))
    assert len(areas) == 2
    for area in areas:
        assert catalog.chosen(area.regions).unknown == ()
        forget_area(here, area.name)
    assert saved_areas(here) == []
