"""Notification categories: the names under which notification templates are grouped."""

from .base import LenientId, LenientText, RecordModel


class NotificationCategory(RecordModel):
    """A stored category. Some records come without a name."""

    id: LenientId = None
    name: LenientText = None
    account_id: LenientId = None
    resource_bundle_id: LenientId = None
