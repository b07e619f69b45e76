"""Create, change, and delete assets in batches, and list the assets that Muster knows."""

from components.preparedness.assets.asset_list import assets_screen
from components.shell.session import require_workspace

assets_screen(require_workspace())
