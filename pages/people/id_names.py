"""The organization's names for IDs."""

from components.filters.list.name_list import ID_NAMES
from components.record_list.list_and_detail import draw_record_list
from components.shell.session import require_workspace

draw_record_list(require_workspace(), ID_NAMES)
