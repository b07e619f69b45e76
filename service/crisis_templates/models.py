"""Crisis task list templates: what is asked of their list, the record on the wire, the system event template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from service.accounts.authentication import Caller
from service.clock import now_ms
from service.schema import ACTIVE
from service.statements import Row

COLUMNS = {
    "id": "id",
    "name": "name",
    "nameLowerCase": "name_lower_case",
    "title": "title",
    "titleLowerCase": "title_lower_case",
    "description": "description",
    "localDescription": "local_description",
    "eventType": "event_type",
    "folderId": "folder_id",
    "folderName": "folder_name",
    "createdName": "created_name",
    "createdId": "created_id",
    "createdDate": "created_date",
    "lastModifiedName": "last_modified_name",
    "lastModifiedId": "last_modified_id",
    "lastModifiedDate": "last_modified_date",
    "organizationId": "organization_id",
    "status": "status",
    "enableNotification": "enable_notification",
    "enableAutoLaunch": "enable_auto_launch",
    "deleteFlag": "delete_flag",
    "bulkOpsTime": "bulk_ops_time",
    "ownerId": "owner_id",
    "ownerName": "owner_name",
}
"""Fields that the list can be sorted by, with their columns."""

_LISTS = {
    "fileIds": "file_ids",
    "taskListTemplates": "task_list_templates",
    "taskListTempIds": "task_list_temp_ids",
    "dashboardTemplateIds": "dashboard_template_ids",
    "crisisIncidents": "crisis_incidents",
}

SYSTEM_FOLDER_ID = "system"
SYSTEM_TEMPLATE_NAME = "System event"


@dataclass(frozen=True)
class ListRequest:
    """Which templates, in which order, which page; `page_size` None is all on one page."""

    filtered: str | None
    column: str
    descending: bool
    page_number: int
    page_size: int | None
    folder_ids: frozenset[str]
    with_used: bool

    @property
    def start(self) -> int:
        """Position of the first item, from 0."""
        return (self.page_number - 1) * (self.page_size or 0)


def to_wire(row: Row) -> dict[str, Any]:
    """One stored template; fields that are there on some only are left out where they are not."""
    record = {field: getattr(row, column) for field, column in (COLUMNS | _LISTS).items()}
    return {field: value for field, value in record.items() if value is not None}


def system_template(caller: Caller) -> dict[str, Any]:
    """The row of the template that every organization can have without making one."""
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
    """A whole row out of what differs from one template to the next."""
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
