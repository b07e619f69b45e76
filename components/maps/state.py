"""What the maps of a session remember: the part of the world each one shows."""

from components.maps.view import View
from components.shell.state import StateKey

VIEWS: StateKey[dict[str, View]] = StateKey("maps.views", dict)
