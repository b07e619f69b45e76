"""The journal: what this desk has done at the service for this organization, and how it ended."""

from components.journal.entry_list import JOURNAL
from components.record_list.list_and_detail import records
from components.shell.session import require_workspace

records(require_workspace(), JOURNAL)
