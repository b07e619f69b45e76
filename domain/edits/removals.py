"""Deleting or canceling records, one or several: each once, in a worker, with what became of each. No drawing here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar

from client import NotAuthenticated, NotFound, ServiceError, ServiceFailed, TransportError
from domain.edits import stored_drafts
from domain.edits.journaled_calls import outcome_of, recorded
from domain.text.plain_text import count, names, plain
from journal import JournalError

if TYPE_CHECKING:
    from domain.edits.edit import Change, SubjectId
    from domain.edits.stored_drafts import StoredDraft
    from domain.runtime.workspace import Workspace

Became = Literal["gone", "gone before", "kept", "unknown", "not tried"]


@dataclass(frozen=True)
class Target:
    """A record to remove: its id where it is known, what people call it, and what else is told before it goes."""

    subject_id: SubjectId | None
    title: str
    told: str = ""

    @property
    def identity(self) -> str:
        """What tells it from others: its id, whatever it is called by now; without one, what it is called."""
        return str(self.subject_id or self.title)


T = TypeVar("T", bound=Target)


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """What became of one record, and the error that says why it was not removed."""

    target: T
    became: Became
    error: Exception | None = None

    @property
    def is_gone(self) -> bool:
        """Whether it is surely gone, by this or by somebody else."""
        return self.became in {"gone", "gone before"}


@dataclass(frozen=True)
class Verb:
    """The verb of a removal: "Delete", "deleted"."""

    label: str
    done: str


DELETE: Final = Verb("Delete", "deleted")
CANCEL: Final = Verb("Cancel", "canceled")


def _summary(_: Sequence[Any]) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Removal(Generic[T]):
    """One way of removing one kind of record, carried out as all are: asked first, each once, told by record.

    `call` makes the one call, `request` is what the journal keeps of it, under `name`. `find` is asked first for a
    record whose id no list told, and may raise `NotFound`. `lines` stand in the question, below the names. `after` is
    done in the worker once a record is gone, `forget` in the session once all have ended. `said` tells of those that
    went, `before` of those that were not there any more; "" for the usual words. `again` is said of those whose outcome
    is unknown. `address` is the parameter of the address that names what is picked, and `picked` how it may name a
    record.
    """

    kind: str
    key: str
    noun: tuple[str, str]
    action: str
    call: Callable[[Workspace, T], Any]
    request: Callable[[T], Mapping[str, Any]]
    lines: Callable[[Workspace, Sequence[T]], Sequence[str]]
    verb: Verb = DELETE
    name: Callable[[T], str] = lambda target: target.title
    find: Callable[[Workspace, T], T] = lambda _, target: target
    after: Callable[[Workspace, T], None] = lambda *_: None
    forget: Callable[[Sequence[Outcome[T]]], None] = lambda _: None
    draft_key: str = ""
    """Where the session keeps the draft of a change to such a record, which goes with the record."""
    said: Callable[[Sequence[T]], str] = _summary
    before: Callable[[Sequence[Outcome[T]]], str] = _summary
    again: str = "Look whether it is still there before you do it again."
    icon: str = ":material/delete:"
    address: str = ""
    picked: Callable[[T], Collection[str]] = lambda target: {str(target.subject_id)}

    def label(self, targets: Sequence[Target]) -> str:
        """What the red button says: what it does, with the name or the count."""
        what = targets[0].title if len(targets) == 1 else count(len(targets), *self.noun)
        return f"{self.verb.label} {what}"

    def question(self, targets: Sequence[Target]) -> str:
        """The title of the dialog that asks first."""
        what = f"this {self.noun[0]}" if len(targets) == 1 else count(len(targets), *self.noun)
        return f"{self.verb.label} {what}?"

    def summary(self, outcomes: Sequence[Outcome[T]]) -> str:
        """What is said in one line when all that was asked for is gone; empty where something is not."""
        if any(not each.is_gone for each in outcomes):
            return ""
        went = [each.target for each in outcomes if each.became == "gone"]
        before = of_kind(outcomes, "gone before")
        said = []
        if went:
            said.append(self.said(went) or f"{self.verb.done.capitalize()}: {names([each.title for each in went])}.")
        if before:
            said.append(self.before(before) or f"Already gone: {names([each.target.title for each in before])}.")
        return " ".join(said)


def removal_of(change: Change[Any], *, stays: str, **declared: Any) -> Removal[Target]:
    """Deleting, at the service, what can be changed too: with a record goes what the person began to change of it.

    `stays` says in a sentence what is not deleted with it; all else is as for `Removal`.
    """

    def begun(workspace: Workspace, targets: Sequence[Target]) -> list[StoredDraft[Any]]:
        ids = {each.subject_id for each in targets} - {None}
        return [kept for kept in stored_drafts.unfinished(workspace, change) if kept.draft.subject_id in ids]

    def lines(workspace: Workspace, targets: Sequence[Target]) -> list[str]:
        gone = "It is" if len(targets) == 1 else "They are"
        said = [
            f"{gone} deleted at the service, for everybody in the organization. {stays}",
            "This cannot be undone.",
        ]
        if titles := [kept.draft.title for kept in begun(workspace, targets)]:
            said.append(f"What you began to change and did not save goes with it: {plain(names(titles))}.")
        return said

    def discard(workspace: Workspace, target: Target) -> None:
        for kept in begun(workspace, [target]):
            stored_drafts.discard(workspace, change, kept.draft.uid)

    return Removal(
        kind=change.kind,
        action=f"{change.kind}.delete",
        lines=lines,
        after=discard,
        forget=lambda _: change.forget(),
        draft_key=f"{change.key}.draft",
        again="Look whether it is still in the list before you delete it again.",
        **declared,
    )


def remove_each(workspace: Workspace, removal: Removal[T], targets: Iterable[T]) -> list[Outcome[T]]:
    """Remove one after the other, and tell of each what became of it.

    Once the service cannot be reached, no longer knows the user, or the journal takes no entry, the rest is not tried.
    """
    outcomes: list[Outcome[T]] = []
    stopped: Exception | None = None
    for target in targets:
        if stopped is not None:
            outcomes.append(Outcome(target, "not tried", stopped))
            continue
        outcome = _remove(workspace, removal, target)
        outcomes.append(outcome)
        if outcome.became == "kept" and isinstance(outcome.error, TransportError | NotAuthenticated | JournalError):
            stopped = outcome.error
    return outcomes


def of_kind(outcomes: Iterable[Outcome[T]], became: Became) -> list[Outcome[T]]:
    """The records that this became of."""
    return [each for each in outcomes if each.became == became]


def unknown_of_others(outcomes: Iterable[Outcome[T]], targets: Iterable[T]) -> list[Outcome[T]]:
    """What is unknown of other records than these, which may be called otherwise by now."""
    these = {each.identity for each in targets}
    return [each for each in of_kind(outcomes, "unknown") if each.target.identity not in these]


def _remove(workspace: Workspace, removal: Removal[T], target: T) -> Outcome[T]:
    was_called = False

    def call() -> Any:
        nonlocal was_called
        was_called = True
        return removal.call(workspace, found)

    try:
        found = removal.find(workspace, target)
        recorded(
            workspace,
            removal.action,
            subject_kind=removal.kind,
            subject_id=None if found.subject_id is None else str(found.subject_id),
            subject_name=removal.name(found) or None,
            request=removal.request(found),
            call=call,
        )
    except NotFound as error:
        return Outcome(target, "gone before", error)
    except (ServiceError, JournalError) as error:
        # A gateway's fault page may stand for a removal that was made: that it was not cannot be promised.
        is_unknown = was_called and (isinstance(error, ServiceFailed) or outcome_of(error) == "unknown")
        return Outcome(target, "unknown" if is_unknown else "kept", error)
    with suppress(JournalError):
        removal.after(workspace, found)
    return Outcome(target, "gone")
