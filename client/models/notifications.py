"""Notifications as they are sent, public alerts inside them, and what the service tells about those that were sent."""

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
    """Who speaks, and which regions are meant."""

    contact_name: str | None = None
    contact_email: str | None = None
    contact_division: str | None = None
    contact_phone: str | None = None
    jurisdiction_type: str | None = None
    region_ids: list[Id] | None = None

    @property
    def has_values(self) -> bool:
        """Whether any field says anything."""
        return any(value not in (None, "", []) for value in self.to_wire().values())


class PublicAlert(RequestModel):
    """A public alert (interface: Public-alert message).

    Construction is permissive, so that drafts can be held; `public_alert_problems` tells what keeps it from being
    sent. `expire` is in hours, as a text.
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
    """The words of the base notification."""

    title: str | None = None
    text_message: str | None = None


class NotificationRequest(RequestModel):
    """A notification to be sent. Beside the public channel the interface shows little: broadcast data go as given."""

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
        """The payload, the public alert at its place in it. What is given as broadcast data goes untouched."""
        wire = super().to_wire()
        for name, value in (
            ("broadcastContacts", self.broadcast_contacts),
            ("broadcastSettings", self.broadcast_settings),
        ):
            if value is not None:
                wire[name] = value
        if self.public_alert is not None:
            wire["publicMessages"] = {"publicAlertMessage": self.public_alert.to_wire()}
        return wire


class SentCommunity(AnswerModel):
    """The community of an alert as services tell it."""

    contact_name: LenientText = None
    contact_email: LenientText = None
    contact_division: LenientText = None
    contact_phone: LenientText = None
    jurisdiction_type: LenientText = None
    region_ids: Lenient[list[Any]] = None


class SentPublicAlert(AnswerModel):
    """A public alert as services tell it."""

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
    """The words of a base notification as services tell them. A misspelt questionnaire is read as one."""

    title: LenientText = None
    text_message: LenientText = None
    questionnaire: Any = Field(default=None, validation_alias=AliasChoices("questionaire", "questionnaire"))


class SentPublicMessages(AnswerModel):
    """The public channels of a notification."""

    public_alert_message: Lenient[SentPublicAlert] = None


class Notification(RecordModel):
    """A notification that was sent, as a list tells it."""

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
        """The status in the interface's spelling, whatever case it came in; None for an unknown word."""
        said = (self.notification_status or "").replace(" ", "").casefold()
        return next((status for status in STATUSES if status.casefold() == said), None)

    @property
    def is_running(self) -> bool:
        """Whether it is still being sent."""
        return self.known_status == IN_PROGRESS

    @property
    def has_ended(self) -> bool:
        """Whether it has been sent, or stopped."""
        return self.known_status in (COMPLETED, STOPPED)
