"""Assets: added, changed and deleted in batches; those this desk knows."""

from components.preparedness.assets.asset_list import assets_screen
from components.shell.session import require_workspace

assets_screen(require_workspace())
