"""A notification as it arrives, with the public alert inside it, and as it is answered."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StrictBool

from client.vocabulary.notifications import COMPLETED, IN_PROGRESS, STOPPED
from service.bodies import LongId, LongIds, PlainText, RequestModel, Whole, Word
from service.records import RecordAnswer


def _said(text: str | None) -> str | None:
    return text if text and text.strip() else None


Said = Annotated[PlainText | None, AfterValidator(_said)]
"""A text that goes out as it stands; a blank one is absent."""


class Community(RequestModel):
    """Who speaks, and to which regions."""

    contact_name: Said = None
    contact_email: Said = None
    contact_division: Said = None
    contact_phone: Word = None
    jurisdiction_type: Word = None
    region_ids: LongIds = None

    @property
    def has_values(self) -> bool:
        """Whether any field has a value."""
        return any(value is not None for value in self.__dict__.values())


class PublicAlert(RequestModel):
    """publicAlertMessage; what it must hold is in the rules."""

    category: Word = None
    event: Word = None
    urgency: Word = None
    severity: Word = None
    certainty: Word = None
    expire: Word = None
    sms_message: Said = None
    instructions: Said = None
    action: Word = None
    type: Whole | None = None
    apply_zip_code_to_event_groups: StrictBool | None = None
    community: Community | None = None
    event_groups: LongIds = None

    @property
    def region_ids(self) -> list[int]:
        """Ids of the regions it names."""
        return (self.community.region_ids if self.community else None) or []


class PublicMessages(RequestModel):
    """The public channels."""

    public_alert_message: PublicAlert | None = None


class Message(RequestModel):
    """The words of the base notification."""

    title: Said = None
    text_message: Said = None


class Notification(RequestModel):
    """The whole payload; unknown fields are passed over."""

    message: Message | None = None
    type: Word = None
    launchtype: Word = None
    broadcast_contacts: dict[str, Any] | None = None
    broadcast_settings: dict[str, Any] | None = None
    notification_event_id: LongId | None = None
    category_id: LongId | None = None
    priority: Word = None
    public_messages: PublicMessages | None = None

    @property
    def public_alert(self) -> PublicAlert | None:
        """The public alert inside, if any."""
        return self.public_messages.public_alert_message if self.public_messages else None


class NotificationAnswer(RecordAnswer):
    """A notification as the list tells it; the public alert has the shape it was sent in."""

    notification_status: Literal["Inprogress", "Completed", "Stopped"]
    type: str
    launchtype: str
    message: dict[str, str] | None = None
    broadcast_contacts: dict[str, Any] | None = None
    broadcast_settings: dict[str, Any] | None = None
    notification_event_id: int | None = None
    category_id: int | None = None
    priority: str | None = None
    public_messages: dict[str, Any] | None = Field(default=None, description="Holds publicAlertMessage.")


def status_of(*, ends_at: int, stopped: bool, now: int) -> str:
    """`notificationStatus` at a moment, in epoch milliseconds."""
    if stopped:
        return STOPPED
    return IN_PROGRESS if ends_at > now else COMPLETED
