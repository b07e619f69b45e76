"""The list of crisis task list templates, with all filters of the service and the selected template beside it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from client.models.crisis_templates import CrisisTaskListTemplate, TaskListTemplate
from client.vocabulary.crisis_templates import ASCENDING, DESCENDING
from components.record_list.declaration import ListQuery, ListResult, NewAction, PagedRecords, RecordList, text, times
from components.record_list.filter_controls import MultiChoiceFilter, SearchFilter, SwitchFilter
from components.record_list.record_reads import read_again
from components.shell.address import choices_field, flag_field, link_to, text_field
from components.shell.background_changes import redraw_when, start_change
from components.shell.confirm import confirm_dialog
from components.shell.notices import show_problem, show_success
from components.shell.state import StateKey
from components.widgets.downloads import request_expander
from domain.preparedness.task_lists import template_setup
from domain.runtime.screens import CRISIS_TEMPLATES
from domain.runtime.server import server
from domain.tables.loaded_records import MAX_AGE
from domain.text.plain_text import count, make_unique, plain
from domain.text.time_text import moment

if TYPE_CHECKING:
    from client.paging import Page
    from domain.runtime.background import BackgroundRead
    from domain.runtime.calls import End
    from domain.runtime.workspace import Workspace
    from domain.tables.loaded_records import ReportProgress

KEY: Final = "templates"
FOLDERS: Final = choices_field("templates-folder")
SEARCH_TEXT: Final = text_field("templates-words")
INCLUDE_USED: Final = flag_field("templates-used")
COLUMNS: Final = {
    "name": "name",
    "event_type": "eventType",
    "folder": "folderName",
    "modified": "lastModifiedDate",
    "by": "lastModifiedName",
}
"""The names of the columns in the service, for sorting."""
_PAGE: Final = 200
_SETUP_ERROR: Final[StateKey[Exception | None]] = StateKey("templates.setup_error", lambda: None)
"""The error of setting up the service template."""


def _read(workspace: Workspace, query: ListQuery) -> Page[CrisisTaskListTemplate]:
    column, descending = query.order or ("modified", True)
    return workspace.client.crisis_templates.list(
        filtered=query[SEARCH_TEXT].strip() or None,
        column_name=COLUMNS[column],
        order_direction=DESCENDING if descending else ASCENDING,
        page_number=query.page_number,
        page_size=query.page_size,
        folder_ids=[each for each in query[FOLDERS] if each.strip()],
        contain_used=query[INCLUDE_USED],
        need_init=False,
    )


def read_all_templates(workspace: Workspace) -> BackgroundRead[Sequence[CrisisTaskListTemplate]]:
    """Return the background read of all templates, also used ones: for folder names and for links to a template."""

    def read(report: ReportProgress) -> Sequence[CrisisTaskListTemplate]:
        templates: list[CrisisTaskListTemplate] = []
        first = workspace.client.crisis_templates.list(page_size=_PAGE, contain_used=True, need_init=False)
        for page in first.pages():
            templates += page.items
            report(len(templates), page.total_count)
        return templates

    return server().reads.open(workspace, (KEY, "every"), read, max_age=MAX_AGE)


def _folders(workspace: Workspace) -> dict[str, str]:
    """Return the names of the folders by ID."""
    reading = read_all_templates(workspace)
    now = reading.now
    if now.is_running:
        redraw_when(lambda: not reading.now.is_running)
    folder_names = {each.folder_id: each.folder_name or each.folder_id for each in now.value or () if each.folder_id}
    return make_unique(dict(sorted(folder_names.items(), key=lambda folder: folder[1].casefold())))


def _retrieve(workspace: Workspace, template_id: str) -> CrisisTaskListTemplate | None:
    """Return the template with this ID from all templates, since no endpoint reads one. Raises `ServiceError`."""
    reading = read_all_templates(workspace)
    reading.wait()
    template = next((each for each in reading.value or () if each.id == template_id), None)
    if template is None and reading.now.error is not None:
        raise reading.now.error
    return template


def _summarize(_: Workspace, result: ListResult[CrisisTaskListTemplate]) -> str:
    if result.query[INCLUDE_USED]:
        return count(result.total, "template", "templates")
    return count(result.total, "unused template", "unused templates")


def _draw_detail(_: Workspace, template: CrisisTaskListTemplate) -> None:
    for text_line in dict.fromkeys((template.title, template.description, template.local_description)):
        if text_line:
            st.markdown(plain(text_line))
    facts = {
        "Event type": template.event_type,
        "Owner": template.owner_name,
        "Launches automatically": _yes_or_no(template.enable_auto_launch),
        "Sends notifications": _yes_or_no(template.enable_notification),
        "Files": str(len(template.file_ids)) if template.file_ids else None,
    }
    lines = [f"**{name}:** {plain(value)}" for name, value in facts.items() if value]
    if lines:
        st.markdown("  \n".join(lines))
    if template.folder_id:
        folder = template.folder_name or template.folder_id
        link_to(CRISIS_TEMPLATES, f"All templates in {plain(folder)}", **{FOLDERS.name: template.folder_id})
    if _has_task_lists(template):
        _draw_task_lists(template.task_list_templates)
    if template.crisis_incidents:
        st.markdown(f"**Used in {count(len(template.crisis_incidents), 'incident', 'incidents')}**")
        for number, incident in enumerate(template.crisis_incidents):
            _draw_incident(template, number, incident)
    history = [
        f"{verb}{f' {moment(at)}' if at else ''}{f' by {by}' if by else ''}"
        for verb, at, by in (
            ("Created", template.created_date, template.created_name),
            ("Last changed", template.last_modified_date, template.last_modified_name),
        )
        if at or by
    ]
    st.caption("  \n".join(plain(line) for line in history))
    request_expander("Show response", template.model_dump(mode="json", by_alias=True), key=f"{KEY}-{template.id}")


def _has_task_lists(template: CrisisTaskListTemplate) -> bool:
    return "task_list_templates" in template.model_fields_set


def _draw_task_lists(task_lists: Sequence[TaskListTemplate]) -> None:
    if not task_lists:
        st.caption("This template has no task lists.")
        return
    st.markdown(f"**{count(len(task_lists), 'task list', 'task lists')}**")
    for each in task_lists:
        parts = [
            f"done {moment(each.performed_date)}" if each.performed_date else "",
            f"by {each.performed_by_name}" if each.performed_by_name else "",
            "launches automatically" if each.enable_auto_launch else "",
        ]
        details = ", ".join(part for part in parts if part) or "no details"
        st.markdown(f"- `{plain(each.id or 'without an ID')}`  \n{plain(details)}")


def _draw_incident(template: CrisisTaskListTemplate, number: int, incident: Any) -> None:
    """Draw an incident. The interface does not define its fields."""
    name = incident.get("name") or incident.get("id") if isinstance(incident, dict) else incident
    title = plain(str(name or f"Incident {number + 1}"))
    if isinstance(incident, dict):
        request_expander(title, incident, key=f"{KEY}-{template.id}-incident-{number}")
    else:
        st.markdown(f"- {title}")


def _yes_or_no(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


def _ask_to_set_up(workspace: Workspace) -> None:
    confirm_dialog(
        "Set up the service template?",
        [
            "The service creates its own task list template for your organization.",
            "Muster cannot delete or edit this template.",
        ],
        "Set up template",
        partial(_set_up, workspace),
        key="templates-setup-dialog",
        keep_label="Go back",
        icon=":material/checklist:",
    )


def _set_up(workspace: Workspace) -> None:
    _SETUP_ERROR.clear()
    start_change(
        workspace,
        template_setup.SET_UP,
        template_setup.TEMPLATE,
        partial(template_setup.set_up_template, workspace),
        label=template_setup.TEMPLATE,
        then=_end_setup,
    )


def _end_setup(end: End) -> None:
    read_again(TEMPLATES)
    if end.error is not None:
        _SETUP_ERROR.set(end.error)
    else:
        show_success("The service template is set up.")


def _draw_setup_problem() -> None:
    error = _SETUP_ERROR.get()
    if error is not None:
        show_problem(error, key="templates-setup")
        st.button("Dismiss", key="templates-setup-dismiss", on_click=_SETUP_ERROR.clear)


TEMPLATES: Final = RecordList[CrisisTaskListTemplate](
    key=KEY,
    noun=("template", "templates"),
    source=PagedRecords(_read, sortable=tuple(COLUMNS), page_sizes=(25, 50, 100), file_page_size=_PAGE),
    identity=lambda template: template.id,
    name=lambda template: template.name or "Template without a name",
    columns={
        "name": text("Name", lambda template: template.name),
        "event_type": text("Event type", lambda template: template.event_type),
        "folder": text("Folder", lambda template: template.folder_name or template.folder_id),
        "lists": text(
            "Task lists",
            lambda template: str(len(template.task_list_templates)) if _has_task_lists(template) else None,
        ),
        "modified": times("Last changed", lambda template: template.last_modified_date),
        "by": text("By", lambda template: template.last_modified_name).in_files_only(),
        "title": text("Title", lambda template: template.title).in_files_only(),
        "description": text("Description", lambda template: template.description).in_files_only(),
        "id": text("ID", lambda template: template.id).in_files_only(),
    },
    default_order="modified descending",
    placeholder="–",
    filters=[
        SearchFilter(SEARCH_TEXT, "Find a template", "Name or title"),
        MultiChoiceFilter(FOLDERS, "Folders", "All folders", _folders),
        SwitchFilter(INCLUDE_USED, "Include used templates"),
    ],
    url_parameter="template",
    draw_detail=_draw_detail,
    retrieve=_retrieve,
    has_numeric_ids=False,
    missing_message="The service has no template {id}.",
    summarize=_summarize,
    new=NewAction("Set up service template", open=_ask_to_set_up, is_primary=False),
    draw_above_list=lambda *_: _draw_setup_problem(),
    icon="checklist",
    empty_message="Task list templates are created in the service. No unused template was found.",
)
