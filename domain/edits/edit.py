"""The abstract class of every change to a record: draft, payload, call, and reconciliation after a lost response."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from client import Invalid
from domain.edits.edit_draft import D, StoredDraft, SubjectId
from domain.runtime.problems import NotSentError
from domain.text.plain_text import id_in, in_short
from domain.text.time_text import moment

if TYPE_CHECKING:
    from domain.runtime.screens import Screen
    from domain.runtime.workspace import Workspace
    from journal import Entry

P = TypeVar("P")


@dataclass(frozen=True)
class ReconcileCandidate:
    """A record at the service that a draft with a lost response may have become."""

    subject_id: SubjectId | None
    title: str
    description: str
    """How well the record matches the draft."""
    is_match: bool
    query: Mapping[str, Any]
    """The query parameters that open the record."""
    text: str = ""
    at: datetime | None = None
    """When the record was made."""
    is_other: bool = False
    """Whether the record came from another sending. It cannot be chosen."""


@dataclass(frozen=True)
class Reconciliation:
    """The records at the service that a draft may have become, the best match first."""

    candidates: Sequence[ReconcileCandidate]
    note: str = ""
    """What was searched, in a sentence."""


class EditConflictError(NotSentError):
    """Someone else changed the record after the draft was made from it; `stored` is the record now."""

    def __init__(self, stored: Any, message: str) -> None:
        super().__init__(message)
        self.stored = stored


class DuplicateRecordError(NotSentError):
    """Another record has the same name or contents; `other` is that record."""

    def __init__(self, other: Any, message: str) -> None:
        super().__init__(message)
        self.other = other


def describe_match(is_sent: bool, is_original: bool) -> str:
    """Say whether a record matches what was sent, or what was stored before the change."""
    if is_sent:
        return "Identical to what you sent. Your change was probably saved."
    if is_original:
        return "Identical to the version before your change. Your change was probably not saved."
    return "Different from what you sent."


def field_errors(error: Exception) -> list[tuple[str, str]]:
    """Return the errors of single fields in a refusal, as (field of the interface, message)."""
    return [(each.field, each.message) for each in error.field_errors] if isinstance(error, Invalid) else []


class Edit(ABC, Generic[D, P]):
    """One kind of change to a record: a draft of type `D` that becomes a payload of type `P`.

    Each kind is a subclass. Its draft is stored while a person types, sent once in a worker with a journal entry before
    and after (`domain/edits/draft_sending.py`), and checked with `reconcile` after a lost response. The methods that
    take a workspace run in the worker, except `journal_name` and `format_time`.
    """

    kind: str
    """The kind of subject in the journal."""
    draft_kind: str
    """The kind of draft in the journal."""
    key: str
    """The prefix of widget keys and session keys."""
    draft_model: type[D]
    noun: str
    screen: Screen
    """The screen that edits a draft."""
    resend_label: str = "Mark as not sent and go to review"
    confirms_resend: bool = False
    """Whether the service is checked again, and the person asked, before a draft can be sent again."""

    @abstractmethod
    def action(self, draft: D) -> str:
        """Return the action of the journal entry."""

    @abstractmethod
    def problems(self, draft: D) -> Sequence[str]:
        """Return the errors that prevent sending."""

    @abstractmethod
    def payload(self, draft: D) -> P:
        """Build what is sent. It is built once for each sending."""

    @abstractmethod
    def journal_payload(self, draft: D, payload: P) -> Mapping[str, Any]:
        """Return the payload as the journal stores it."""

    @abstractmethod
    def send(self, workspace: Workspace, draft: D, payload: P) -> Any:
        """Make the one call that changes something, and return its result with the ID of a new record."""

    @abstractmethod
    def reconcile(self, workspace: Workspace, stored: StoredDraft[D]) -> Reconciliation:
        """Find out whether the draft was sent, after a lost response. Reads only; raises `ServiceError`."""

    @abstractmethod
    def redirect_target(self, stored: StoredDraft[D]) -> tuple[Screen, Mapping[str, Any]]:
        """Return the screen and the query parameters that open the record after sending."""

    @abstractmethod
    def nothing_found(self, draft: D) -> str:
        """Say that `reconcile` found no candidate."""

    @abstractmethod
    def finish(self, workspace: Workspace, draft: D, subject_id: Any) -> list[str]:
        """Do what follows a successful sending, and return the messages for the person."""

    def check(self, workspace: Workspace, draft: D) -> None:
        """Read what must be known before sending. Raises `NotSentError` where the draft may not be sent."""

    def invalidate_reads(self) -> None:
        """Discard what the server read before and has changed."""

    def field_errors(self, error: Exception) -> list[tuple[str, str]]:
        """Return the errors of single fields in a refusal, as (field of the interface, message)."""
        return field_errors(error)

    def normalize(self, previous: D, draft: D) -> D:
        """Update what follows from a change of the draft; `previous` is the draft as it was stored."""
        del previous
        return draft

    def title(self, draft: D) -> str:
        """Return the name of the draft in lists and links."""
        return draft.title

    def heading(self, draft: D) -> str:
        """Return the name of the draft in page titles."""
        return f"{self.noun.capitalize()} {in_short(self.title(draft))}"

    def excerpt(self, draft: D) -> str:
        """Return what distinguishes the draft from others with the same title."""
        del draft
        return ""

    def query(self, draft: D) -> Mapping[str, Any]:
        """Return the query parameters that open the draft on its screen."""
        return {"id": draft.subject_id, "draft": draft.uid}

    def format_time(self, workspace: Workspace, draft: D, at: datetime, user_zone: str | None) -> str:
        """Write a time in the life of the draft; `user_zone` is the time zone of the browser."""
        del workspace, draft, user_zone
        return moment(at)

    def parse_id(self, text: str) -> SubjectId | None:
        """Read the ID of a record as the journal stores it."""
        return id_in(text)

    def journal_name(self, workspace: Workspace, draft: D) -> str:
        """Return the name of the subject in the journal."""
        del workspace
        return draft.title

    def journal_context(self, workspace: Workspace, draft: D) -> Mapping[str, Any]:
        """Return what the journal stores in addition to the payload."""
        del workspace, draft
        return {}

    def draft_from_journal(self, entry: Entry) -> D | None:
        """Rebuild the draft from the journal entry of its sending, for people who do not have the draft."""
        del entry
        return None

    def describe_original(self, stored: StoredDraft[D]) -> str:
        """Say what the service had before the sending; empty where that is no help."""
        del stored
        return ""

    def resend_risk(self, result: Reconciliation | Exception) -> str:
        """Say what happens if the draft is sent again; `result` is what was found, or why nothing could be read."""
        del result
        return ""

    def build_journal_request(self, workspace: Workspace, draft: D, payload: P) -> dict[str, Any]:
        """Build what the journal stores of a sending. Its entry is found again by the draft's uid.

        The uid comes first, because the journal indexes only the beginning of a long request.
        """
        return {
            "draft": draft.uid,
            **self.journal_context(workspace, draft),
            **self.journal_payload(draft, payload),
        }
