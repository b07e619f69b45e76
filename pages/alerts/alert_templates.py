"""The screen of alert templates."""

from components.alerts.composer.alert_template_list import ALERT_TEMPLATE_LIST
from components.record_list.list_and_detail import draw_record_list
from components.shell.session import require_workspace

draw_record_list(require_workspace(), ALERT_TEMPLATE_LIST)
