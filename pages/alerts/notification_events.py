"""The notification events, which group notifications."""

from components.alerts.notifications.named_records_screen import EVENTS
from components.record_list.list_and_detail import draw_record_list
from components.shell.session import require_workspace

draw_record_list(require_workspace(), EVENTS)
