"""Saved areas, each for one organization, with the places of its latest version."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from client.models.public_lookups import Regions
from domain.alerts.alert_templates import alert_templates, save_template, start_from_template
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.saved_areas import (
    area_notes,
    delete_area,
    save_area,
    saved_areas,
    templates_with_area,
    with_area,
    with_latest_areas,
)
from journal import Actor, Journal, JournalError, NameTaken
from service.public_lookups.us_regions import list_regions
from tests.prepared_journal import new_journal


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """Return a journal in its own folder."""
    with new_journal(tmp_path / "journal.sqlite3") as opened:
        yield opened


def build_context(journal: Journal, organization_id: int = 1, *, is_demo: bool = False) -> Any:
    """Return the parts of a workspace that areas use."""
    actor = Actor("https://service.example", organization_id, "ana")
    return SimpleNamespace(actor=actor, journal=journal, is_demo=is_demo)


def test_an_area_is_saved_for_its_organization_and_replaces_only_the_version_that_was_read(journal: Journal):
    context = build_context(journal)
    save_area(context, "North side", [80301, 80302])
    (area,) = saved_areas(context)
    assert (area.name, area.regions, area.version, area.saved_by) == ("North side", (80301, 80302), 1, "ana")
    assert saved_areas(build_context(journal, 2)) == []
    with pytest.raises(NameTaken):
        save_area(context, "north  side", [1])
    save_area(context, "North side", [80303], over=1)
    assert [(each.regions, each.version) for each in saved_areas(context)] == [((80303,), 2)]
    with pytest.raises(JournalError, match="has changed since"):
        delete_area(context, area)
    delete_area(context, *saved_areas(context))
    assert saved_areas(context) == []


def test_an_area_without_places_or_a_name_is_not_saved(journal: Journal):
    for name, regions in (("North side", []), ("  ", [80301])):
        with pytest.raises(JournalError):
            save_area(build_context(journal), name, regions)


def test_the_demo_organization_starts_with_areas_and_deleted_ones_do_not_return(journal: Journal):
    context = build_context(journal, is_demo=True)
    areas = saved_areas(context)
    offered = {each.id for each in Regions.model_validate_json(list_regions().body).zipcodes}
    assert len(areas) == 2
    for area in areas:
        assert offered.issuperset(area.regions)
        delete_area(context, area)
    assert saved_areas(context) == []


def start_alert(context: Any) -> AlertDraft:
    """Return a new alert from the only template."""
    (template,) = alert_templates(context)
    return with_latest_areas(context, start_from_template(template))


def test_an_alert_from_a_template_uses_the_current_places_of_its_area(journal: Journal):
    context = build_context(journal)
    area = save_area(context, "North side", [80301, 80302])
    draft = with_area(AlertDraft(event="Gas Leak", jurisdiction="some", regions=[80540]), area)
    save_template(context, draft, "Gas leak")
    assert start_alert(context).regions == [80540, 80301, 80302]
    save_area(context, "north side", [80302, 80303], over=1)
    after = start_alert(context)
    assert after.regions == [80540, 80302, 80303], "a place that was selected separately stays"
    (note,) = area_notes(context, after)
    assert (note.words, note.is_amiss) == ("From the saved area “north side”, version 2: 2 places", False)
    assert templates_with_area(context, "North Side") == ["Gas leak"]


def test_the_places_of_a_deleted_area_stay_selected_with_a_note(journal: Journal):
    context = build_context(journal)
    area = save_area(context, "North side", [80301])
    save_template(context, with_area(AlertDraft(event="Gas Leak"), area), "Gas leak")
    delete_area(context, area)
    assert start_alert(context).regions == [80301]
    (note,) = area_notes(context, start_alert(context))
    assert note.is_amiss
    assert "“North side” was deleted. Check its places, which are still selected (1 place)" in note.words


def test_a_changed_area_is_reported_and_does_not_change_an_open_draft(journal: Journal):
    context = build_context(journal)
    draft = with_area(AlertDraft(), save_area(context, "North side", [80301]))
    save_area(context, "North side", [80301, 80302], over=1)
    (note,) = area_notes(context, draft)
    assert note.words.startswith("ana changed the saved area “North side”. Version 2 has 2 places, ")
    assert note.newer is not None
    newer = with_area(draft, note.newer)
    assert (newer.regions, area_notes(context, newer)[0].is_amiss) == ([80301, 80302], False)


def test_removing_a_place_of_an_area_unlinks_the_area_from_the_draft(journal: Journal):
    context = build_context(journal)
    draft = with_area(AlertDraft(), save_area(context, "North side", [80301, 80302]))
    draft = draft.model_copy(update={"regions": [80301]})
    save_area(context, "North side", [80303], over=1)
    assert area_notes(context, draft) == []
    assert with_latest_areas(context, draft).regions == [80301]
