"""A public alert: written, shown as it will be read, and sent once."""

from components.alerts.composer.composer import composer
from components.shell.session import require_workspace

composer(require_workspace())
