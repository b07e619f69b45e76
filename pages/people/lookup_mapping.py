"""Create or change a lookup mapping."""

from components.mappings.mapping_editor import mapping_editor
from components.shell.session import require_workspace
from components.shell.token_form import require_token

workspace = require_workspace()
require_token(workspace, purpose="Lookup mappings")
mapping_editor(workspace)
