"""Crisis task list templates as they are returned, and the system event template."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from service.accounts.models import Caller
from service.epoch import now_ms
from service.responses import ResponseModel
from service.schema import ACTIVE

SYSTEM_FOLDER_ID = "system"
SYSTEM_TEMPLATE_NAME = "System event"


class TaskListTemplate(ResponseModel):
    """A task list of a template."""

    id: str
    performed_date: int
    performed_by_id: int
    performed_by_name: str
    enable_auto_launch: bool


class CrisisTaskListTemplate(ResponseModel):
    """A template."""

    id: str
    name: str
    name_lower_case: str
    title: str
    title_lower_case: str
    description: str
    local_description: str
    event_type: str
    folder_id: str
    folder_name: str | None = None
    created_name: str
    created_id: int
    created_date: int
    last_modified_name: str
    last_modified_id: int
    last_modified_date: int
    organization_id: int
    status: str
    enable_notification: bool
    enable_auto_launch: bool
    delete_flag: str
    bulk_ops_time: int
    owner_id: int
    owner_name: str | None = None
    file_ids: list[Any]
    task_list_templates: list[TaskListTemplate]
    task_list_temp_ids: list[str] | None = None
    dashboard_template_ids: list[str] | None = None
    crisis_incidents: list[Any]


def system_template(caller: Caller) -> dict[str, Any]:
    """Return the row of the template that every organization can have without creating one."""
    now = now_ms()
    return template_row(
        caller,
        identity=uuid4().hex,
        name=SYSTEM_TEMPLATE_NAME,
        title="Tasks of an event that the system reports",
        description="Made by the service, so that a system event has a task list.",
        event_type="System",
        folder=(SYSTEM_FOLDER_ID, None),
        created_at=now,
        modified_at=now,
        is_system=True,
    )


def template_row(
    caller: Caller,
    *,
    identity: str,
    name: str,
    title: str,
    description: str,
    event_type: str,
    folder: tuple[str, str | None],
    created_at: int,
    modified_at: int,
    is_system: bool = False,
    **more: Any,
) -> dict[str, Any]:
    """Return a complete row from the fields that differ between templates."""
    return {
        "id": identity,
        "organization_id": caller.organization_id,
        "status": ACTIVE,
        "name": name,
        "name_lower_case": name.lower(),
        "title": title,
        "title_lower_case": title.lower(),
        "description": description,
        "local_description": description,
        "event_type": event_type,
        "folder_id": folder[0],
        "folder_name": folder[1],
        "created_name": caller.display_name,
        "created_id": caller.user_id,
        "created_date": created_at,
        "last_modified_name": caller.display_name,
        "last_modified_id": caller.user_id,
        "last_modified_date": modified_at,
        "enable_notification": True,
        "enable_auto_launch": False,
        "delete_flag": "N",
        "bulk_ops_time": 0,
        "owner_id": caller.user_id,
        "owner_name": None,
        "file_ids": [],
        "task_list_templates": [],
        "task_list_temp_ids": None,
        "dashboard_template_ids": None,
        "crisis_incidents": [],
        "is_used": False,
        "is_system": is_system,
    } | more
