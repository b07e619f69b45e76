"""A public alert in progress, with incomplete fields. Stored as JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import ClassVar, Final, Literal, NamedTuple
from uuid import uuid4

from pydantic import Field

from client.vocabulary.public_alerts import ROUTINE_TESTS
from domain.edits.edit_draft import UI_STATE_FIELDS, Draft
from domain.text.plain_text import in_short

FollowUp = Literal["", "upgrade", "extension", "all clear", "correction", "false alarm", "second language"]
UPGRADE: Final[FollowUp] = "upgrade"
EXTENSION: Final[FollowUp] = "extension"
ALL_CLEAR: Final[FollowUp] = "all clear"
CORRECTION: Final[FollowUp] = "correction"
FALSE_ALARM: Final[FollowUp] = "false alarm"
SECOND_LANGUAGE: Final[FollowUp] = "second language"
KIND: Final = "public_alert"
"""The journal's kind of subject, draft, and approval request."""
SEND: Final = f"{KIND}.send"
"""The journal's name of the action that sends an alert."""
CONTACT: Final = ("contact_name", "contact_email", "contact_division", "contact_phone")
"""The fields of the sender."""


class UsedArea(NamedTuple):
    """A saved area as it was selected: its version, and its IDs in the region lookup at that time."""

    name: str
    version: int
    regions: tuple[int, ...]


class WrittenEnd(NamedTuple):
    """The end that Muster wrote into the texts, and the hours and the time zone that it comes from."""

    text: str
    hours: int
    zone: str


class CapSource(NamedTuple):
    """The CAP alert that a draft was opened from."""

    sender: str
    sent: datetime | None
    """When it was sent."""
    is_over: bool
    """Whether it says that the event is over."""
    status: str = ""
    """CAP's word for an alert that is not live: "Test", "Exercise", "System", or "Draft"."""
    note: str = ""
    """Its note, if that says that it is a test or an exercise."""


class AlertDraft(Draft):
    """The alert and the notification that carries it. `""` and None mean that a field is empty."""

    ui_state_fields: ClassVar[frozenset[str]] = UI_STATE_FIELDS | {"written_at"}

    uid: str = Field(default_factory=lambda: uuid4().hex)
    title: str = ""
    text: str = ""
    notification_event_id: int | None = None
    category_id: int | None = None
    category: str = ""
    event: str = ""
    urgency: str = ""
    severity: str = ""
    certainty: str = ""
    hours: int | None = None
    """Hours until the alert ends."""
    sms: str = ""
    instructions: str = ""
    type: int | None = None
    groups: list[int] = Field(default_factory=list)
    """IDs of event groups."""
    contact_name: str = ""
    contact_email: str = ""
    contact_division: str = ""
    contact_phone: str = ""
    jurisdiction: str | None = None
    """`""` for no recipients by place; None while undecided."""
    regions: list[int] = Field(default_factory=list)
    """IDs of places."""
    areas: list[UsedArea] = Field(default_factory=list)
    """The saved areas that some of the places came from."""
    zip_to_groups: bool = False
    follows: int | None = None
    """The ID of the notification that this alert follows."""
    follow_up: FollowUp = ""
    translation_of: str = ""
    """The uid of the draft that this one repeats in another language."""
    goes_on: bool = False
    """Whether Muster reminds its users to extend the alert before it ends."""
    template: tuple[str, int] | None = None
    """The name and version of the alert template that the draft was started from."""
    placeholders: list[str] = Field(default_factory=list)
    """The placeholders that the template or outline had."""
    inserted_place: str = ""
    """The text that Muster put in for the place."""
    words_after_place: list[str] = Field(default_factory=list)
    """The words right after the placeholder of the place."""
    end_written: WrittenEnd | None = None
    """The end that Muster wrote into the texts."""
    extends_until: datetime | None = None
    """The end of the alert that this one extends."""
    not_imported: list[str] = Field(default_factory=list)
    """What the CAP alert says and the draft cannot hold."""
    source: CapSource | None = None
    """The CAP alert that the draft was opened from."""
    sent_texts: dict[str, str] = Field(default_factory=dict)
    """The texts of the alert that this one follows, by field."""
    sent_event: str = ""
    """The event of the alert that this one follows."""
    sent_regions: list[int] = Field(default_factory=list)
    """The places of the alert that this one follows."""
    template_saved_at: datetime | None = None
    """When the alert template was saved."""
    written_at: datetime = Field(default_factory=lambda: datetime.now(UTC))
    """When the texts were last changed. Other changes do not count, and a copy keeps the time of its texts."""

    @property
    def is_untouched(self) -> bool:
        """Whether the draft has no content."""
        return self.has_same_payload(AlertDraft(uid=self.uid))

    def copied(self, *, written_at: datetime | None = None) -> AlertDraft:
        """Return a new draft with the same content that follows no alert.

        `written_at` is kept: the texts are as old as they were.
        """
        fresh = AlertDraft(written_at=written_at or self.written_at)
        own = (
            "uid",
            "stage",
            "checked",
            "refused",
            "follows",
            "follow_up",
            "translation_of",
            "not_imported",
            "written_at",
            "source",
            "sent_texts",
            "sent_event",
            "sent_regions",
            "extends_until",
        )
        return self.model_copy(deep=True, update={name: getattr(fresh, name) for name in own})

    @property
    def subject(self) -> str:
        """The event or title, for lists."""
        return self.event or excerpt(self.title) or "No event yet"

    @property
    def is_test(self) -> bool:
        """Whether the event is a routine test."""
        return self.event in ROUTINE_TESTS


def excerpt(text: str, length: int = 60) -> str:
    """Return the beginning of a text on one line."""
    return in_short(" ".join(text.split()), length)
