"""The sent notifications."""

from components.alerts.notifications.sent_list import SENT
from components.record_list.list_and_detail import draw_record_list
from components.shell.session import require_workspace

draw_record_list(require_workspace(), SENT)
