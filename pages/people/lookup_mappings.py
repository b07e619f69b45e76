"""The lookup mappings: the groups that people with certain attributes belong to."""

from components.filters.list.filter_uses import MAPPINGS_WITH_USES
from components.mappings.mapping_list import draw_mapping_file, draw_tryout
from components.record_list.list_and_detail import draw_record_list
from components.shell.session import require_workspace
from components.shell.token_form import require_token

workspace = require_workspace()
require_token(workspace, purpose="Lookup mappings")
draw_record_list(workspace, MAPPINGS_WITH_USES)
draw_tryout(workspace)
draw_mapping_file(workspace)
