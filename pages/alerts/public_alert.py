"""Compose, review, and send a public alert."""

from components.alerts.composer.composer import composer
from components.shell.session import require_workspace

composer(require_workspace())
