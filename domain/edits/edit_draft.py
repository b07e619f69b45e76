"""The draft of an edit: what a person types, its stored version, and the status of its sending."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeAlias, TypeVar

from pydantic import Field

from domain.forms.form import Part

if TYPE_CHECKING:
    from journal import Entry

Stage = Literal["edit", "review"]
SubjectId: TypeAlias = int | str
"""The ID of a record at the service: a whole number, or a string for lookup mappings."""
UI_STATE_FIELDS = frozenset({"stage", "checked", "refused"})
"""The fields of a draft that store where the person is in the form. They are not sent."""


class Draft(Part):
    """What a person types, stored as JSON between visits. Its fields are texts or choices, also half typed."""

    ui_state_fields: ClassVar[frozenset[str]] = UI_STATE_FIELDS

    stage: Stage = "edit"
    checked: bool = False
    """Whether the person asked to continue. From then on, missing fields are errors too."""
    refused: list[tuple[str, str]] = Field(default_factory=list)
    """What the service refused last, as (field of the interface, message). A change of the draft clears it."""

    if TYPE_CHECKING:  # Not defined at run time: a draft may have a field with this name.

        @property
        def title(self) -> str:
            """The name of the record for a person."""

    @property
    def subject_id(self) -> SubjectId | None:
        """The ID at the service of the record to change; None for a new record."""
        return None

    @property
    def is_change(self) -> bool:
        """Whether this changes an existing record."""
        return self.subject_id is not None

    @property
    def is_untouched(self) -> bool:
        """Whether the draft contains nothing worth storing."""
        return False

    def has_same_payload(self, other: Self) -> bool:
        """Whether two drafts would send the same. Fields of the UI state do not count."""
        return self.model_dump(exclude=set(self.ui_state_fields)) == other.model_dump(exclude=set(self.ui_state_fields))


D = TypeVar("D", bound=Draft)


class SendStatus(StrEnum):
    """The status of a draft."""

    DRAFT = "draft"
    SENDING = "sending"
    SENT = "sent"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class StoredDraft(Generic[D]):
    """A draft as the journal has it, with the status of its sending."""

    draft: D
    version: datetime
    """When it was saved."""
    status: SendStatus = SendStatus.DRAFT
    note: Mapping[str, Any] | None = None
    """The note of its claim."""
    entry: Entry | None = None
    """The journal entry that decides the status."""
    sent_id: SubjectId | None = None
    """The ID at the service of the record that a sent draft became."""
    begun_at: datetime | None = None
    """When its sending started."""
    interrupted_at: datetime | None = None
    """When a sending started that stopped before anything was sent."""
    is_own: bool = True
    """False if this person does not have the draft, and only the journal tells of it."""


class DraftVersion(NamedTuple):
    """A draft and its stored version; `version` is None if it was never stored."""

    draft: Any
    version: datetime | None
