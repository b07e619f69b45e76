"""The crisis task list templates."""

from components.preparedness.task_lists.template_list import TEMPLATES
from components.record_list.list_and_detail import draw_record_list
from components.shell.session import require_workspace

draw_record_list(require_workspace(), TEMPLATES)
