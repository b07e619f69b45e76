"""The alerts that are kept ready to be started with one press."""

from components.alert_composer.ready_list import READY
from components.records.list_and_detail import records
from components.shell.session import require_workspace

records(require_workspace(), READY)
