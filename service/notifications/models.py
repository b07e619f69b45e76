"""Notifications with their public alerts as they arrive, and as they are returned."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from client.vocabulary.notifications import LAUNCH_TYPES, NOTIFICATION_TYPES
from client.vocabulary.public_alerts import (
    ACTION_CREATE,
    CATEGORIES,
    CERTAINTIES,
    CONTACT_PHONE_LENGTHS,
    EVENTS_BY_CATEGORY,
    EXPIRE_HOURS,
    JURISDICTIONS,
    SEVERITIES,
    TYPES,
    URGENCIES,
)
from service.field_types import LongId, LongIds, OneOf, RequiredWord, Said, Whole, Word
from service.records import Record
from service.request_body import RequestModel

DEFAULT_TYPE = NOTIFICATION_TYPES[0]
DEFAULT_LAUNCH_TYPE = LAUNCH_TYPES[0]


class Community(RequestModel):
    """The sender of an alert, and its regions."""

    contact_name: Said = None
    contact_email: Said = None
    contact_division: Said = None
    contact_phone: Word = None
    jurisdiction_type: Annotated[Word, OneOf(JURISDICTIONS)] = None
    region_ids: LongIds = None

    @field_validator("contact_phone")
    @classmethod
    def _digits(cls, phone: str | None) -> str | None:
        if phone is not None and not (phone.isascii() and phone.isdigit() and len(phone) in CONTACT_PHONE_LENGTHS):
            raise ValueError(f"it is {' or '.join(map(str, CONTACT_PHONE_LENGTHS))} digits")
        return phone

    @property
    def has_values(self) -> bool:
        """Return whether any field has a value."""
        return any(value is not None for value in self.__dict__.values())


class PublicAlert(RequestModel):
    """publicAlertMessage."""

    category: Annotated[RequiredWord, OneOf(CATEGORIES)]
    event: RequiredWord
    urgency: Annotated[RequiredWord, OneOf(URGENCIES)]
    severity: Annotated[RequiredWord, OneOf(SEVERITIES)]
    certainty: Annotated[RequiredWord, OneOf(CERTAINTIES)]
    expire: Annotated[RequiredWord, OneOf([str(hours) for hours in EXPIRE_HOURS])]
    sms_message: RequiredWord
    instructions: Said = None
    action: Annotated[RequiredWord, OneOf((ACTION_CREATE,))]
    type: Annotated[Whole, OneOf(TYPES)]
    community: Community | None = None
    event_groups: LongIds = None
    apply_zip_code_to_event_groups: StrictBool | None = None

    @field_validator("event")
    @classmethod
    def _of_category(cls, event: str, info: ValidationInfo) -> str:
        category = info.data.get("category")
        if category is not None and event not in EVENTS_BY_CATEGORY[category]:
            raise ValueError(f"the events of {category} are {', '.join(EVENTS_BY_CATEGORY[category])}")
        return event

    @field_validator("sms_message")
    @classmethod
    def _not_blank(cls, text: str) -> str:
        if not text.strip():
            raise PydanticCustomError("missing", "it is blank")
        return text

    @field_validator("apply_zip_code_to_event_groups")
    @classmethod
    def _has_where_to(cls, applied: bool | None, info: ValidationInfo) -> bool | None:
        community: Community | None = info.data.get("community")
        if applied and not (community and community.has_values and info.data.get("event_groups")):
            raise ValueError("it can be true only when both community and eventGroups have values")
        return applied

    @property
    def region_ids(self) -> list[int]:
        """The IDs of its regions."""
        return (self.community.region_ids if self.community else None) or []


class PublicMessages(RequestModel):
    """The public channels."""

    public_alert_message: PublicAlert | None = None


class Message(RequestModel):
    """The texts of the base notification."""

    title: Said = None
    text_message: Said = None


class Notification(RequestModel):
    """The whole payload. Unknown fields are ignored."""

    public_messages: PublicMessages | None = None
    message: Message | None = Field(default=None, validate_default=True)
    # ASSUMPTION A126: type and launchtype default to Standard and SendNow.
    type: Annotated[Word, OneOf(NOTIFICATION_TYPES)] = None
    launchtype: Annotated[Word, OneOf(LAUNCH_TYPES)] = None
    broadcast_contacts: dict[str, Any] | None = None
    broadcast_settings: dict[str, Any] | None = None
    notification_event_id: LongId | None = None
    category_id: LongId | None = None
    priority: Word = None

    @field_validator("message")
    @classmethod
    def _says_something(cls, message: Message | None, info: ValidationInfo) -> Message | None:
        # ASSUMPTION A125: a notification has a message with a title or a text, or a public alert, or both.
        public: PublicMessages | None = info.data.get("public_messages")
        if not (public and public.public_alert_message) and not (message and (message.title or message.text_message)):
            raise PydanticCustomError("missing", "nothing is said")
        return message

    @property
    def public_alert(self) -> PublicAlert | None:
        """The public alert inside, if any."""
        return self.public_messages.public_alert_message if self.public_messages else None


class NotificationResponse(Record):
    """A notification as the list returns it. The public alert has the form in which it was sent."""

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
