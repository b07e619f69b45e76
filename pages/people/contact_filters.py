"""The list of contact filters: search, sort, open, copy, and delete."""

from components.filters.builder.filter_page import close_unchanged
from components.filters.list.contact_filter_list import CONTACT_FILTERS
from components.record_list.list_and_detail import draw_record_list
from components.shell.session import require_workspace

workspace = require_workspace()
close_unchanged()
draw_record_list(workspace, CONTACT_FILTERS)
