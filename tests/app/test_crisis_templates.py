"""Crisis task list templates: every request parameter, from the screen to the service, and one template."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from client import TimedOut
from client.models.crisis_templates import CrisisTaskListTemplate
from client.paging import Page
from client.resources.crisis_templates import CrisisTemplates
from components.preparedness.task_lists import template_list
from components.preparedness.task_lists.template_list import read_all_templates
from domain.runtime.screens import CRISIS_TEMPLATES
from tests.app.presses import page_text, run
from tests.app.tables import tables
from tests.running_service import RunningService


@pytest.fixture
def queries(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The parameters of each list request, except the requests that load the folder names."""
    calls: list[dict[str, Any]] = []
    original = CrisisTemplates.list

    def record_and_list(self: CrisisTemplates, **query: Any) -> Page[CrisisTaskListTemplate]:
        if "filtered" in query:
            calls.append(query)
        return original(self, **query)

    monkeypatch.setattr(CrisisTemplates, "list", record_and_list)
    return calls


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, {"filtered": None, "page_size": 25, "page_number": 1, "contain_used": False, "need_init": False}),
        ({}, {"column_name": "lastModifiedDate", "order_direction": "DESC", "folder_ids": []}),
        ({"templates-words": "flood"}, {"filtered": "flood"}),
        ({"templates-sort": "name ascending"}, {"column_name": "name", "order_direction": "ASC"}),
        ({"templates-sort": "folder descending"}, {"column_name": "folderName", "order_direction": "DESC"}),
        ({"templates-size": "50"}, {"page_size": 50}),
        ({"templates-folder": ["folder-natural", "folder-it"]}, {"folder_ids": ["folder-natural", "folder-it"]}),
        ({"templates-used": "true"}, {"contain_used": True}),
        ({"templates-system": "true"}, {"need_init": False}),
    ],
)
def test_url_parameters_become_request_parameters(
    query: dict[str, Any],
    expected: dict[str, Any],
    signed_in: Any,
    demo_service: RunningService,
    queries: list[Any],
) -> None:
    run(signed_in(demo_service, CRISIS_TEMPLATES.page, **query))
    assert queries[-1] | expected == queries[-1]


def test_used_templates_can_be_included_and_folders_are_offered_by_name(
    signed_in: Any, demo_service: RunningService
) -> None:
    app = run(signed_in(demo_service, CRISIS_TEMPLATES.page))
    before = len(tables(app)[0])
    assert "unused templates" in page_text(app)
    assert read_all_templates(signed_in.workspace).wait(30)
    app.toggle(key="templates-used").set_value(True)
    run(app)
    assert len(tables(app)[0]) > before
    assert "Natural hazards" in next(each for each in app.multiselect if each.label == "Folders").options


def test_folders_loaded_while_the_page_is_drawn_are_offered_automatically(
    signed_in: Any, demo_service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, original = threading.Event(), CrisisTemplates.list

    def wait_and_list(self: CrisisTemplates, **query: Any) -> Page[CrisisTaskListTemplate]:
        if "filtered" not in query:
            assert go.wait(30)
            return original(self, **query)
        go.set()
        assert read_all_templates(signed_in.workspace).wait(30)
        return original(self, **query)

    monkeypatch.setattr(CrisisTemplates, "list", wait_and_list)
    followed: list[Callable[[], bool]] = []
    monkeypatch.setattr(template_list, "redraw_when", followed.append)
    app = run(signed_in(demo_service, CRISIS_TEMPLATES.page))
    assert [has_ended() for has_ended in followed] == [True]
    run(app)
    assert "Natural hazards" in next(each for each in app.multiselect if each.label == "Folders").options
    assert len(followed) == 1


def test_folders_with_the_same_name_have_distinct_labels(
    signed_in: Any, demo_service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = CrisisTemplates.list

    def list_with_one_folder_name(self: CrisisTemplates, **query: Any) -> Page[CrisisTaskListTemplate]:
        page = original(self, **query)
        return replace(page, items=[each.model_copy(update={"folder_name": "Fire"}) for each in page.items])

    monkeypatch.setattr(CrisisTemplates, "list", list_with_one_folder_name)
    app = run(signed_in(demo_service, CRISIS_TEMPLATES.page))
    assert read_all_templates(signed_in.workspace).wait(30)
    run(app)
    options = next(each for each in app.multiselect if each.label == "Folders").options
    assert "Fire (ID folder-it)" in options
    assert len(set(options)) == len(options) > 1


def test_the_system_template_is_created_after_confirmation_and_recorded_in_the_journal(
    signed_in: Any, service: RunningService
) -> None:
    app = run(signed_in(service, CRISIS_TEMPLATES.page))
    app.button(key="templates-empty").click()
    run(app)
    audit, actor = signed_in.workspace.journal.audit, signed_in.workspace.actor
    assert audit.list(actor.service, actor.organization_id) == []
    app.button(key="templates-setup-dialog-confirm").click()
    run(app)
    assert list(tables(run(app))[0]["name"]) == ["System event"]
    (entry,) = audit.list(actor.service, actor.organization_id)
    assert (entry.action, entry.state) == ("task_list_template.set_up", "succeeded")


def test_a_template_outside_the_list_opens_with_its_task_lists_folder_and_incidents(
    signed_in: Any, demo_service: RunningService
) -> None:
    run(signed_in(demo_service, CRISIS_TEMPLATES.page))
    templates = signed_in.workspace.client.crisis_templates.list(contain_used=True, need_init=False)
    used = next(each for each in templates if each.crisis_incidents)
    app = run(signed_in.open_tab(CRISIS_TEMPLATES.page, template=used.id))
    assert used.name in [each.value for each in app.header]
    text = page_text(app)
    assert f"{len(used.task_list_templates)} task lists" in text
    assert "Used in 1 incident" in text
    assert "Launches automatically" in text
    links = {each.proto.label.replace("\\", ""): each.proto.query_string for each in app.get("page_link")}
    assert links[f"All templates in {used.folder_name}"] == f"templates-folder={used.folder_id}"


def test_a_template_is_not_reported_as_missing_if_reading_the_templates_failed(
    signed_in: Any, demo_service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(signed_in(demo_service, CRISIS_TEMPLATES.page))
    templates = read_all_templates(signed_in.workspace)
    assert templates.wait(30)
    template = next(each for each in templates.value or () if each.crisis_incidents)

    def fail(*_: Any, **query: Any) -> Any:
        raise TimedOut("No answer in time.")

    with monkeypatch.context() as patch:
        patch.setattr(CrisisTemplates, "list", fail)
        templates.restart(30)
    assert "has no template" not in page_text(run(signed_in.open_tab(CRISIS_TEMPLATES.page, template="T9")))
    app = run(signed_in.open_tab(CRISIS_TEMPLATES.page, template=template.id))
    assert template.name in [each.value for each in app.header]


def test_missing_fields_of_a_template_are_not_shown(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = CrisisTaskListTemplate.model_validate({"id": "only an id"})
    monkeypatch.setattr(CrisisTemplates, "list", lambda *_, **__: Page([bare], 1, total_count=1))
    app = run(signed_in(service, CRISIS_TEMPLATES.page, template="only an id"))
    text = page_text(app)
    assert "Template without a name" in text
    assert tables(app)[0]["lists"].tolist() == ["–"]
    assert not any(name in text for name in ("task lists", "Owner", "Event type", "None", "Created", "in a folder"))
