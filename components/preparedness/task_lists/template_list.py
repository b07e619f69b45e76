"""The crisis task list templates: their list with all that the service can narrow it by, and one beside it."""

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
WORDS: Final = text_field("templates-words")
USED: Final = flag_field("templates-used")
COLUMNS: Final = {
    "name": "name",
    "event_type": "eventType",
    "folder": "folderName",
    "modified": "lastModifiedDate",
    "by": "lastModifiedName",
}
"""What the columns are called where the service is asked for an order."""
_PAGE: Final = 200
_SETUP_ERROR: Final[StateKey[Exception | None]] = StateKey("templates.setup_error", lambda: None)
"""Why the template of the service could not be set up."""


def _read(workspace: Workspace, asked: ListQuery) -> Page[CrisisTaskListTemplate]:
    column, descending = asked.order or ("modified", True)
    return workspace.client.crisis_templates.list(
        filtered=asked[WORDS].strip() or None,
        column_name=COLUMNS[column],
        order_direction=DESCENDING if descending else ASCENDING,
        page_number=asked.page_number,
        page_size=asked.page_size,
        folder_ids=[each for each in asked[FOLDERS] if each.strip()],
        contain_used=asked[USED],
        need_init=False,
    )


def every_template(workspace: Workspace) -> BackgroundRead[Sequence[CrisisTaskListTemplate]]:
    """All of them, those in use too, read in the background: for the folders' names, and one that a link names."""

    def read(tell: ReportProgress) -> Sequence[CrisisTaskListTemplate]:
        found: list[CrisisTaskListTemplate] = []
        first = workspace.client.crisis_templates.list(page_size=_PAGE, contain_used=True, need_init=False)
        for page in first.pages():
            found += page.items
            tell(len(found), page.total_count)
        return found

    return server().reads.open(workspace, (KEY, "every"), read, max_age=MAX_AGE)


def _folders(workspace: Workspace) -> dict[str, str]:
    """The folders that templates lie in, by id with what they are called."""
    reading = every_template(workspace)
    now = reading.now
    if now.is_running:
        redraw_when(lambda: not reading.now.is_running)
    known = now.value or ()
    named = {each.folder_id: each.folder_name or each.folder_id for each in known if each.folder_id}
    return make_unique(dict(sorted(named.items(), key=lambda folder: folder[1].casefold())))


def _retrieve(workspace: Workspace, template_id: str) -> CrisisTaskListTemplate | None:
    """The one of this id: the interface has no way to ask for it alone. Raises `ServiceError`."""
    reading = every_template(workspace)
    reading.wait()
    found = next((each for each in reading.value or () if each.id == template_id), None)
    if found is None and reading.now.error is not None:
        raise reading.now.error
    return found


def _answer(_: Workspace, found: ListResult[CrisisTaskListTemplate]) -> str:
    said = count(found.total, "template", "templates")
    return said if found.query[USED] else f"{said} not used by any incident"


def _detail(_: Workspace, template: CrisisTaskListTemplate) -> None:
    for words in dict.fromkeys((template.title, template.description, template.local_description)):
        if words:
            st.markdown(plain(words))
    facts = {
        "Event type": template.event_type,
        "Owner": template.owner_name,
        "Launches automatically": _yes_or_no(template.enable_auto_launch),
        "Notifies": _yes_or_no(template.enable_notification),
        "Files": str(len(template.file_ids)) if template.file_ids else None,
    }
    told = [f"**{name}:** {plain(value)}" for name, value in facts.items() if value]
    if told:
        st.markdown("  \n".join(told))
    if template.folder_id:
        folder = template.folder_name or template.folder_id
        link_to(CRISIS_TEMPLATES, f"All templates in {plain(folder)}", **{FOLDERS.name: template.folder_id})
    if _tells_task_lists(template):
        _task_lists(template.task_list_templates)
    if template.crisis_incidents:
        st.markdown(f"**{count(len(template.crisis_incidents), 'incident', 'incidents')} used it**")
        for number, incident in enumerate(template.crisis_incidents):
            _incident(template, number, incident)
    made = [
        f"{verb}{f' {moment(at)}' if at else ''}{f' by {by}' if by else ''}"
        for verb, at, by in (
            ("Created", template.created_date, template.created_name),
            ("Last changed", template.last_modified_date, template.last_modified_name),
        )
        if at or by
    ]
    st.caption("  \n".join(plain(line) for line in made))
    request_expander("Show response", template.model_dump(mode="json", by_alias=True), key=f"{KEY}-{template.id}")


def _tells_task_lists(template: CrisisTaskListTemplate) -> bool:
    return "task_list_templates" in template.model_fields_set


def _task_lists(task_lists: Sequence[TaskListTemplate]) -> None:
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
        said = ", ".join(part for part in parts if part) or "no details"
        st.markdown(f"- `{plain(each.id or 'without an ID')}`  \n{plain(said)}")


def _incident(template: CrisisTaskListTemplate, number: int, incident: Any) -> None:
    """Draw an incident; the interface does not show what one holds."""
    named = incident.get("name") or incident.get("id") if isinstance(incident, dict) else incident
    title = plain(str(named or f"Incident {number + 1}"))
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
            "Muster cannot delete or change this template.",
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
            lambda template: str(len(template.task_list_templates)) if _tells_task_lists(template) else None,
        ),
        "modified": times("Last changed", lambda template: template.last_modified_date),
        "by": text("By", lambda template: template.last_modified_name).in_files_only(),
        "title": text("Title", lambda template: template.title).in_files_only(),
        "description": text("Description", lambda template: template.description).in_files_only(),
        "id": text("Id", lambda template: template.id).in_files_only(),
    },
    default_order="modified descending",
    placeholder="–",
    filters=[
        SearchFilter(WORDS, "Find a template", "Name or title"),
        MultiChoiceFilter(FOLDERS, "Folders", "All folders", _folders),
        SwitchFilter(USED, "Include used templates"),
    ],
    url_parameter="template",
    draw_detail=_detail,
    retrieve=_retrieve,
    has_numeric_ids=False,
    missing_message="The service lists no template {id}.",
    summarize=_answer,
    new=NewAction("Set up service template", open=_ask_to_set_up, is_primary=False),
    draw_above_list=lambda *_: _draw_setup_problem(),
    icon="checklist",
    empty_message="Task list templates are made in the service. No unused template was found.",
)
