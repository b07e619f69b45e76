"""Crisis task list templates: prepared lists of tasks for an incident."""

from typing import Any

from pydantic import Field

from .base import (
    AnswerModel,
    LenientBool,
    LenientCount,
    LenientId,
    LenientList,
    LenientText,
    Moment,
    RecordModel,
    TextId,
)


class TaskListTemplate(AnswerModel):
    """One task list of a template."""

    id: LenientText = None
    performed_date: Moment = None
    performed_by_id: LenientId = None
    performed_by_name: LenientText = None
    enable_auto_launch: LenientBool = None


class CrisisTaskListTemplate(RecordModel):
    """A stored template. Its ID is a string. Some fields exist on some records only."""

    id: TextId
    name: LenientText = None
    name_lower_case: LenientText = None
    title: LenientText = None
    title_lower_case: LenientText = None
    description: LenientText = None
    local_description: LenientText = None
    event_type: LenientText = None
    folder_id: LenientText = None
    folder_name: LenientText = None
    enable_notification: LenientBool = None
    enable_auto_launch: LenientBool = None
    delete_flag: LenientText = None
    bulk_ops_time: LenientCount = None
    owner_id: LenientId = None
    owner_name: LenientText = None
    file_ids: LenientList[Any] = Field(default_factory=list)
    task_list_templates: LenientList[TaskListTemplate] = Field(default_factory=list)
    task_list_temp_ids: LenientList[str] = Field(default_factory=list)
    dashboard_template_ids: LenientList[str] = Field(default_factory=list)
    crisis_incidents: LenientList[Any] = Field(default_factory=list)
