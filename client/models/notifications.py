"""Notifications as they are sent, with public alerts inside, and as the service returns them."""

from typing import Any

from pydantic import AliasChoices, Field

from ..vocabulary.notifications import COMPLETED, IN_PROGRESS, STATUSES, STOPPED
from ..vocabulary.public_alerts import ACTION_CREATE
from .base import AnswerModel, Id, Lenient, LenientBool, LenientId, LenientText, RecordModel, RequestModel

__all__ = [
    "Community",
    "Notification",
    "NotificationMessage",
    "NotificationRequest",
    "PublicAlert",
    "SentCommunity",
    "SentPublicAlert",
]


class Community(RequestModel):
    """The sender of an alert, and its regions."""

    contact_name: str | None = None
    contact_email: str | None = None
    contact_division: str | None = None
    contact_phone: str | None = None
    jurisdiction_type: str | None = None
    region_ids: list[Id] | None = None

    @property
    def has_values(self) -> bool:
        """Whether any field has a value."""
        return any(value not in (None, "", []) for value in self.to_wire().values())


class PublicAlert(RequestModel):
    """A public alert (interface: Public-alert message).

    Invalid alerts can be constructed, as drafts are. `public_alert_problems` says what keeps an alert from being sent.
    `expire` is in hours, as a string.
    """

    category: str | None = None
    event: str | None = None
    urgency: str | None = None
    severity: str | None = None
    certainty: str | None = None
    expire: str | None = None
    sms_message: str | None = None
    instructions: str | None = None
    action: str | None = ACTION_CREATE
    type: int | None = None
    apply_zip_code_to_event_groups: bool | None = None
    community: Community | None = None
    event_groups: list[Id] | None = None


class NotificationMessage(RequestModel):
    """The texts of the base notification."""

    title: str | None = None
    text_message: str | None = None


class NotificationRequest(RequestModel):
    """A notification to send. The interface describes little beyond the public channel: broadcast data is sent
    unchanged.
    """

    message: NotificationMessage | None = None
    type: str | None = None
    launchtype: str | None = Field(default=None, alias="launchtype")
    broadcast_contacts: dict[str, Any] | None = None
    broadcast_settings: dict[str, Any] | None = None
    notification_event_id: Id | None = None
    category_id: Id | None = None
    priority: str | None = None
    public_alert: PublicAlert | None = Field(default=None, exclude=True)

    def to_wire(self) -> dict[str, Any]:
        """Return the payload, with the public alert in its place. Broadcast data is sent unchanged."""
        payload = super().to_wire()
        for name, value in (
            ("broadcastContacts", self.broadcast_contacts),
            ("broadcastSettings", self.broadcast_settings),
        ):
            if value is not None:
                payload[name] = value
        if self.public_alert is not None:
            payload["publicMessages"] = {"publicAlertMessage": self.public_alert.to_wire()}
        return payload


class SentCommunity(AnswerModel):
    """The community of an alert as services return it."""

    contact_name: LenientText = None
    contact_email: LenientText = None
    contact_division: LenientText = None
    contact_phone: LenientText = None
    jurisdiction_type: LenientText = None
    region_ids: Lenient[list[Any]] = None


class SentPublicAlert(AnswerModel):
    """A public alert as services return it."""

    category: LenientText = None
    event: LenientText = None
    urgency: LenientText = None
    severity: LenientText = None
    certainty: LenientText = None
    expire: LenientText = None
    sms_message: LenientText = None
    instructions: LenientText = None
    action: LenientText = None
    type: LenientId = None
    apply_zip_code_to_event_groups: LenientBool = None
    community: Lenient[SentCommunity] = None
    event_groups: Lenient[list[Any]] = None


class SentMessage(AnswerModel):
    """The texts of a base notification as services return them. A misspelled questionnaire field is accepted."""

    title: LenientText = None
    text_message: LenientText = None
    questionnaire: Any = Field(default=None, validation_alias=AliasChoices("questionaire", "questionnaire"))


class SentPublicMessages(AnswerModel):
    """The public channels of a notification."""

    public_alert_message: Lenient[SentPublicAlert] = None


class Notification(RecordModel):
    """A sent notification, as a list returns it."""

    id: LenientId = None
    message: Lenient[SentMessage] = None
    type: LenientText = None
    launchtype: LenientText = Field(default=None, validation_alias=AliasChoices("launchtype", "launchType"))
    notification_status: LenientText = None
    notification_event_id: LenientId = None
    category_id: LenientId = None
    priority: LenientText = None
    broadcast_contacts: Any = None
    broadcast_settings: Any = None
    public_messages: Lenient[SentPublicMessages] = None

    @property
    def public_alert(self) -> SentPublicAlert | None:
        """The public alert inside, if any."""
        return self.public_messages.public_alert_message if self.public_messages else None

    @property
    def known_status(self) -> str | None:
        """The status in the interface's spelling, in any case; None for an unknown status."""
        status_text = (self.notification_status or "").replace(" ", "").casefold()
        return next((status for status in STATUSES if status.casefold() == status_text), None)

    @property
    def is_running(self) -> bool:
        """Whether it is still being sent."""
        return self.known_status == IN_PROGRESS

    @property
    def has_ended(self) -> bool:
        """Whether it has been sent or stopped."""
        return self.known_status in (COMPLETED, STOPPED)
