"""Notification events: the names that group notifications."""

from .base import LenientId, LenientText, RecordModel


class NotificationEvent(RecordModel):
    """A stored event. Some records have no name."""

    id: LenientId = None
    name: LenientText = None
    account_id: LenientId = None
    resource_bundle_id: LenientId = None
