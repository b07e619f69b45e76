"""Setting up the task list template that the service provides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from domain.edits.journaled_calls import call_with_journal

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace

SET_UP: Final = "task_list_template.set_up"
TEMPLATE: Final = "Service template"
"""What the template is called before it exists."""


def set_up_template(workspace: Workspace) -> None:
    """Have the service create its own template, with an entry in the journal. Raises `ServiceError`.

    The interface has no call for this alone: a list that is read with `needInit` creates the template (interface:
    Crisis task list templates). Doing it again changes nothing.
    """
    call_with_journal(
        workspace,
        SET_UP,
        subject_kind="task_list_template",
        subject_id=None,
        subject_name=TEMPLATE,
        request={"needInit": True},
        call=lambda: workspace.client.crisis_templates.list(page_size=1, need_init=True),
    )
