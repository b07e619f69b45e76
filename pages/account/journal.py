"""The journal: every change that Muster has sent for the organization, and its outcome."""

from components.journal.entry_list import JOURNAL
from components.record_list.list_and_detail import draw_record_list
from components.shell.session import require_workspace

draw_record_list(require_workspace(), JOURNAL)
