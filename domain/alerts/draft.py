"""A public alert as it is being written: every field of the interface, half-typed ones included, kept as JSON."""

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
"""The kind of subject, of draft and of handover that an alert is in the journal."""
SEND: Final = f"{KIND}.send"
"""What the journal calls sending one."""
CONTACT: Final = ("contact_name", "contact_email", "contact_division", "contact_phone")
"""The fields of who speaks."""


class AreaTaken(NamedTuple):
    """A saved area as its places were chosen: which version of it, and the ids of the region lookup it had then."""

    name: str
    version: int
    regions: tuple[int, ...]


class EndWritten(NamedTuple):
    """The end that Muster wrote into the texts, and the hours and the zone that it was worked out from."""

    text: str
    hours: int
    zone: str


class CapSource(NamedTuple):
    """The CAP alert that a draft was opened from: who sent it, when, and whether it says that the event is over.

    `status` is what CAP calls it where it isn't a real alert: "Test", "Exercise", "System".
    """

    sender: str
    sent: datetime | None
    is_over: bool
    status: str = ""


class AlertDraft(Draft):
    """The alert and the notification around it; `""` and None stand for what has not been given.

    `hours` until it ends; `groups` and `regions` are ids of the two lookups; `areas` are the saved areas of which
    some of these came. A `jurisdiction` of `""` is nobody by place; it is None until it is decided. `goes_on` says
    that it is not to end unnoticed. `follows` is the id of the notification that this one goes on from, `follow_up`
    in which way, and `beside` the uid of the draft that it says in another language. `ready` is the ready alert it
    was begun with, by name and version; `blanks` is what that, or another beginning, left to be filled in,
    `place_said` what was put in for the place, and `place_before` the words that came right after its blank.
    `end_written` is the end that Muster wrote, and `extends_until` the end of the alert that this one extends. `lost`
    is what a CAP alert said that it was opened from, its `source`, and it does not say. `sent_texts` are the texts of
    the alert that this one follows, by field, and `ready_at` is when the ready alert that it was begun with was
    written. `written_at` is when its texts were last changed, which neither a review nor another reach does; the words
    of a copy are as old as those of the alert.
    """

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
    sms: str = ""
    instructions: str = ""
    type: int | None = None
    groups: list[int] = Field(default_factory=list)
    contact_name: str = ""
    contact_email: str = ""
    contact_division: str = ""
    contact_phone: str = ""
    jurisdiction: str | None = None
    regions: list[int] = Field(default_factory=list)
    areas: list[AreaTaken] = Field(default_factory=list)
    zip_to_groups: bool = False
    follows: int | None = None
    follow_up: FollowUp = ""
    beside: str = ""
    goes_on: bool = False
    ready: tuple[str, int] | None = None
    blanks: list[str] = Field(default_factory=list)
    place_said: str = ""
    place_before: list[str] = Field(default_factory=list)
    end_written: EndWritten | None = None
    extends_until: datetime | None = None
    lost: list[str] = Field(default_factory=list)
    source: CapSource | None = None
    sent_texts: dict[str, str] = Field(default_factory=dict)
    ready_at: datetime | None = None
    written_at: datetime = Field(default_factory=lambda: datetime.now(UTC))

    @property
    def is_untouched(self) -> bool:
        """Whether nothing has been given yet."""
        return self.has_same_payload(AlertDraft(uid=self.uid))

    def copied(self, *, written_at: datetime | None = None) -> AlertDraft:
        """The same alert as a new draft, that follows nothing; its words are as old as they were."""
        fresh = AlertDraft(written_at=written_at or self.written_at)
        own = (
            "uid",
            "stage",
            "checked",
            "refused",
            "follows",
            "follow_up",
            "beside",
            "lost",
            "written_at",
            "source",
            "sent_texts",
            "extends_until",
        )
        return self.model_copy(deep=True, update={name: getattr(fresh, name) for name in own})

    @property
    def subject(self) -> str:
        """What it is about, as far as that is decided."""
        return self.event or excerpt(self.title) or "No event yet"

    @property
    def is_test(self) -> bool:
        """Whether its event is a routine test by its own name."""
        return self.event in ROUTINE_TESTS


def excerpt(text: str, length: int = 60) -> str:
    """The beginning of a text on one line."""
    return in_short(" ".join(text.split()), length)
