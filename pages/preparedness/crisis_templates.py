"""The crisis task list templates: what is ready to be done when something happens."""

from components.preparedness.task_lists.template_list import TEMPLATES
from components.record_list.list_and_detail import records
from components.shell.session import require_workspace

records(require_workspace(), TEMPLATES)
