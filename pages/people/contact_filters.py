"""The contact filters of the organization: found, sorted, read at a glance, opened, copied, deleted."""

from components.filters.builder.filter_page import let_go_of_untouched
from components.filters.list.contact_filter_list import CONTACT_FILTERS
from components.record_list.list_and_detail import records
from components.shell.session import require_workspace

workspace = require_workspace()
let_go_of_untouched()
records(workspace, CONTACT_FILTERS)
