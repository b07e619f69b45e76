"""Notification categories: the names that group notification templates."""

from .base import LenientId, LenientText, RecordModel


class NotificationCategory(RecordModel):
    """A stored category. Some records have no name."""

    id: LenientId = None
    name: LenientText = None
    account_id: LenientId = None
    resource_bundle_id: LenientId = None
