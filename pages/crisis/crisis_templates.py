"""The crisis task list templates: what is ready to be done when something happens."""

from components.crisis_templates.template_list import TEMPLATES
from components.records.list_and_detail import records
from components.shell.session import require_workspace

records(require_workspace(), TEMPLATES)
