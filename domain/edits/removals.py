"""Deleting or canceling records, one or several: the abstract class of every removal, and carrying one out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar

from client import NotAuthenticated, NotFound, ServiceError, ServiceFailed, TransportError
from domain.edits import stored_drafts
from domain.edits.journaled_calls import classify_outcome, journaled
from domain.text.plain_text import count, names, plain
from journal import JournalError

if TYPE_CHECKING:
    from domain.edits.edit import Edit
    from domain.edits.edit_draft import StoredDraft, SubjectId
    from domain.runtime.workspace import Workspace

RemovalState = Literal["gone", "gone before", "kept", "unknown", "not tried"]


@dataclass(frozen=True)
class Target:
    """A record to delete or cancel."""

    subject_id: SubjectId | None
    """Its ID, where it is known."""
    title: str
    note: str = ""
    """What the question says about it."""

    @property
    def identity(self) -> str:
        """What distinguishes it from other records: its ID, or its title."""
        return str(self.subject_id or self.title)


T = TypeVar("T", bound=Target)


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """The result for one record, and the error that explains why it was not removed."""

    target: T
    state: RemovalState
    error: Exception | None = None

    @property
    def is_gone(self) -> bool:
        """Whether the record no longer exists."""
        return self.state in {"gone", "gone before"}


@dataclass(frozen=True)
class Verb:
    """The verb of a removal: "Delete", "Deleting", "deleted"."""

    label: str
    progress: str
    done: str


DELETE: Final = Verb("Delete", "Deleting", "deleted")
CANCEL: Final = Verb("Cancel", "Canceling", "canceled")


class Removal(ABC, Generic[T]):
    """One way to delete or cancel one kind of record. Each kind is a subclass.

    The person confirms a list of records. A worker removes each once, with a journal entry before and after.
    """

    kind: str
    """The kind of subject in the journal."""
    key: str
    """The prefix of widget keys and session keys."""
    noun: tuple[str, str]
    action: str
    """The action of the journal entry."""
    verb: Verb = DELETE
    icon: str = ":material/delete:"
    consequence: str = ""
    """What happens to related records, in the question."""
    retry_note: str = "Check that it is still in the list before you delete it again."
    """What the person must know before removing a record with status Unknown again."""
    selection_parameter: str = ""
    """The query parameter that names the selected records."""
    edit: Edit[Any, Any] | None = None
    """The edit of the same records: their unsent drafts are discarded with them."""

    @abstractmethod
    def send(self, workspace: Workspace, target: T) -> Any:
        """Make the one call that removes the record. May raise `NotFound`."""

    @abstractmethod
    def journal_request(self, target: T) -> Mapping[str, Any]:
        """Return what the journal stores of the request."""

    def consequences(self, workspace: Workspace, targets: Sequence[T]) -> list[str]:
        """Return the sentences of the question, below the names."""
        subject = f"The {self.noun[0]}" if len(targets) == 1 else f"These {count(len(targets), *self.noun)}"
        lines = [
            f"{subject} will be deleted from the service, for everyone in your organization. "
            f"{self.consequence}".strip(),
            self.restore_note(targets),
        ]
        if titles := [stored.draft.title for stored in self._unsent_drafts(workspace, targets)]:
            lines.append(f"Your unsaved changes will be discarded: {plain(names(titles))}.")
        return lines

    def restore_note(self, targets: Sequence[T]) -> str:
        """Say how the records can be created again; by default from the journal, which keeps all of their contents."""
        these = f"the {self.noun[0]}" if len(targets) == 1 else f"these {self.noun[1]}"
        return f"The Journal keeps the contents, so you can create {these} again."

    def refresh(self, workspace: Workspace, target: T) -> T:
        """Read the record as it is now. May raise `NotFound`."""
        del workspace
        return target

    def finish(self, workspace: Workspace, target: T) -> None:
        """Do what follows once a record is gone, in the worker."""
        for stored in self._unsent_drafts(workspace, [target]):
            if self.edit is not None:
                stored_drafts.discard(workspace, self.edit, stored.draft.uid)

    def invalidate_reads(self) -> None:
        """Discard what the server read before and has changed."""
        if self.edit is not None:
            self.edit.invalidate_reads()

    def journal_name(self, target: T) -> str:
        """Return the name of the subject in the journal."""
        return target.title

    def selection_values(self, target: T) -> set[str]:
        """Return the values that may name the record in the URL."""
        return {str(target.subject_id)}

    def removed_message(self, targets: Sequence[T]) -> str:
        """Return the message about records that were removed."""
        return f"{self.verb.done.capitalize()}: {names([each.title for each in targets])}."

    def gone_before_message(self, outcomes: Sequence[Outcome[T]]) -> str:
        """Return the message about records that did not exist any more."""
        return f"Already gone: {names([each.target.title for each in outcomes])}."

    def label(self, targets: Sequence[Target]) -> str:
        """Return the label of the button that removes the records."""
        what = targets[0].title if len(targets) == 1 else count(len(targets), *self.noun)
        return f"{self.verb.label} {what}"

    def question(self, targets: Sequence[Target]) -> str:
        """Return the title of the dialog."""
        what = f"this {self.noun[0]}" if len(targets) == 1 else count(len(targets), *self.noun)
        return f"{self.verb.label} {what}?"

    def summary(self, outcomes: Sequence[Outcome[T]]) -> str:
        """Return one line if all the records are gone; otherwise an empty text."""
        if any(not each.is_gone for each in outcomes):
            return ""
        gone, gone_before = outcomes_in(outcomes, "gone"), outcomes_in(outcomes, "gone before")
        lines = [self.removed_message([each.target for each in gone])] if gone else []
        return " ".join([*lines, *([self.gone_before_message(gone_before)] if gone_before else [])])

    def _unsent_drafts(self, workspace: Workspace, targets: Sequence[Target]) -> list[StoredDraft[Any]]:
        if self.edit is None:
            return []
        ids = {each.subject_id for each in targets} - {None}
        return [each for each in stored_drafts.list_unfinished(workspace, self.edit) if each.draft.subject_id in ids]


@dataclass
class RemovalProgress:
    """How far the removal of several records is. The worker counts them, and a person may ask it to stop."""

    total: int = 0
    done: int = 0
    is_stopped: bool = False
    is_finished: bool = False

    def stop(self) -> None:
        """Ask the worker not to remove the remaining records."""
        self.is_stopped = True


def remove_each(
    workspace: Workspace, removal: Removal[T], targets: Sequence[T], progress: RemovalProgress | None = None
) -> list[Outcome[T]]:
    """Remove one record after the other, and return the result for each.

    Stops once a person asks for it, the service cannot be reached, the service no longer knows the user, or the journal
    cannot be written.
    """
    progress = progress or RemovalProgress(len(targets))
    try:
        return _remove_each(workspace, removal, targets, progress)
    finally:
        progress.is_finished = True


def _remove_each(
    workspace: Workspace, removal: Removal[T], targets: Sequence[T], progress: RemovalProgress
) -> list[Outcome[T]]:
    outcomes: list[Outcome[T]] = []
    stopped: Exception | None = None
    for target in targets:
        if stopped is not None or progress.is_stopped:
            outcomes.append(Outcome(target, "not tried", stopped))
            continue
        outcome = _remove(workspace, removal, target)
        outcomes.append(outcome)
        progress.done += 1
        if outcome.state == "kept" and isinstance(outcome.error, TransportError | NotAuthenticated | JournalError):
            stopped = outcome.error
    return outcomes


def outcomes_in(outcomes: Iterable[Outcome[T]], state: RemovalState) -> list[Outcome[T]]:
    """Return the outcomes in a state."""
    return [each for each in outcomes if each.state == state]


def unknown_of_others(outcomes: Iterable[Outcome[T]], targets: Iterable[T]) -> list[Outcome[T]]:
    """Return the unknown outcomes of records other than these, whose titles may have changed."""
    these = {each.identity for each in targets}
    return [each for each in outcomes_in(outcomes, "unknown") if each.target.identity not in these]


def _remove(workspace: Workspace, removal: Removal[T], target: T) -> Outcome[T]:
    is_sent = False
    try:
        found = removal.refresh(workspace, target)
        with journaled(
            workspace,
            removal.action,
            subject_kind=removal.kind,
            subject_id=None if found.subject_id is None else str(found.subject_id),
            subject_name=removal.journal_name(found) or None,
            request=removal.journal_request(found),
        ) as call:
            is_sent = True
            call.result = removal.send(workspace, found)
    except NotFound as error:
        return Outcome(target, "gone before", error)
    except (ServiceError, JournalError) as error:
        # A gateway's error page may stand for a removal that was made.
        is_unknown = is_sent and (isinstance(error, ServiceFailed) or classify_outcome(error) == "unknown")
        return Outcome(target, "unknown" if is_unknown else "kept", error)
    with suppress(JournalError):
        removal.finish(workspace, found)
    return Outcome(target, "gone")
