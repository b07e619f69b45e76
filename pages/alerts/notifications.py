"""The notifications that were sent."""

from components.alerts.notifications.sent_list import SENT
from components.record_list.list_and_detail import records
from components.shell.session import require_workspace

records(require_workspace(), SENT)
