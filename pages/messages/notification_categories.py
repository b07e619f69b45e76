"""The categories that notifications are filed under."""

from components.notifications.named_records_screen import CATEGORIES
from components.records.list_and_detail import records
from components.shell.session import require_workspace

records(require_workspace(), CATEGORIES)
