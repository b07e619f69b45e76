"""The endpoint of crisis task list templates in the OpenAPI document."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from client.vocabulary.crisis_templates import DEFAULT_COLUMN, DESCENDING, DIRECTIONS, ORGANIZATION_HEADER
from service.crisis_templates.models import COLUMNS
from service.openapi import LONG, AnswerModel, Page, described, header_parameter, query_parameter


class TaskListTemplate(AnswerModel):
    """A task list of a template."""

    id: str
    performed_date: int
    performed_by_id: int
    performed_by_name: str
    enable_auto_launch: bool


class CrisisTaskListTemplate(AnswerModel):
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
    folder_name: str = ""
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
    owner_name: str = ""
    file_ids: list[Any]
    task_list_templates: list[TaskListTemplate]
    task_list_temp_ids: list[str] = Field(default_factory=list)
    dashboard_template_ids: list[str] = Field(default_factory=list)
    crisis_incidents: list[Any]


_FLAG = {"type": "boolean"}

LIST = described(
    answer=Page[CrisisTaskListTemplate],
    parameters=[
        header_parameter(ORGANIZATION_HEADER, "The organization.", LONG),
        query_parameter("filtered", "What the name or title holds.", {"type": "string"}),
        query_parameter(
            "columnName", "The column to sort by.", {"type": "string", "enum": list(COLUMNS), "default": DEFAULT_COLUMN}
        ),
        query_parameter(
            "orderDirection", "Which way.", {"type": "string", "enum": list(DIRECTIONS), "default": DESCENDING}
        ),
        query_parameter("pageNumber", "The page to return.", {"type": "integer", "minimum": 1, "default": 1}),
        query_parameter("pageSize", "-1 for all.", {"type": "integer", "minimum": -1, "maximum": 1000, "default": -1}),
        query_parameter("folderIds", "Folders.", {"type": "array", "items": {"type": "string"}}),
        query_parameter("containUsedNo", "Whether used templates are included.", _FLAG | {"default": False}),
        query_parameter("needInit", "Whether the system template is made.", _FLAG | {"default": True}),
    ],
)
