"""Notification events: the names under which notifications are grouped."""

from .base import LenientId, LenientText, RecordModel


class NotificationEvent(RecordModel):
    """A stored event. Some records come without a name."""

    id: LenientId = None
    name: LenientText = None
    account_id: LenientId = None
    resource_bundle_id: LenientId = None
