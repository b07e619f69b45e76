"""What a screen declares of a change: its draft, what is sent, and how to look for it after a lost answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeAlias, TypeVar

from pydantic import Field

from client import Invalid
from domain.forms.form import Part
from domain.runtime.problems import NotSentError
from domain.text.plain_text import id_in
from domain.text.time_text import moment

if TYPE_CHECKING:
    from domain.edits.stored_drafts import StoredDraft
    from domain.runtime.screens import Screen
    from domain.runtime.workspace import Workspace
    from journal import Entry

Stage = Literal["edit", "review"]
SubjectId: TypeAlias = int | str
"""The id of a record at the service, as its area has it: a whole number, or a text."""
UI_STATE_FIELDS = frozenset({"stage", "checked", "refused"})
"""What a draft holds of where the person stands with it, and not of what is sent."""


class Draft(Part):
    """What is being typed, kept as JSON between visits; fields are texts or choices, half-typed ones included.

    `refused` is what the service refused last, as (field of the interface, words); it stands until the draft changes.
    `checked` is set once the person asked to go on: from then on what is missing is pointed out too.
    """

    ui_state_fields: ClassVar[frozenset[str]] = UI_STATE_FIELDS

    stage: Stage = "edit"
    checked: bool = False
    refused: list[tuple[str, str]] = Field(default_factory=list)

    if TYPE_CHECKING:  # Not there at run time: a draft may have a field of this name, and another way to be called.

        @property
        def title(self) -> str:
            """What a person calls it."""

    @property
    def subject_id(self) -> SubjectId | None:
        """The id at the service of what is changed; None for something new."""
        return None

    @property
    def is_change(self) -> bool:
        """Whether something that exists is changed."""
        return self.subject_id is not None

    @property
    def is_untouched(self) -> bool:
        """Whether there is nothing in it worth keeping."""
        return False

    def has_same_payload(self, other: Self) -> bool:
        """Whether two drafts would send the same; where the person stands with them does not count."""
        return self.model_dump(exclude=set(self.ui_state_fields)) == other.model_dump(exclude=set(self.ui_state_fields))


D = TypeVar("D", bound=Draft)


@dataclass(frozen=True)
class ReconcileCandidate:
    """What the service holds now that a draft may have become; `query` opens it, `told` says how like it is.

    `text` is what it says, `at` when it was made, told as every moment of the draft is. Of one that came from another
    sending it `is_other`, and is not taken for this one.
    """

    subject_id: SubjectId | None
    title: str
    told: str
    looks_like_it: bool
    query: Mapping[str, Any]
    text: str = ""
    at: datetime | None = None
    is_other: bool = False


@dataclass(frozen=True)
class Reconciliation:
    """What looking found, likest first, and in a sentence what was looked through."""

    candidates: Sequence[ReconcileCandidate]
    told: str = ""


@dataclass(frozen=True, kw_only=True)
class Words(Generic[D]):
    """How a change is spoken of: "Trip WSVM7K is being *sent*", "whether the service *added* this trip".

    `titled` is what a title calls it, where that is not its noun with what it is called. Where `risk` is given, the
    service is looked at once more before a draft is given back, and it is told, by what was found or why nothing could
    be, what to fear when it is sent again.
    """

    noun: str
    did: Callable[[D], str]
    nothing_found: Callable[[D], str]
    sent: str = "sent"
    not_done: str = "It was not done: back to the review, to send it again"
    titled: Callable[[D], str] | None = None
    before: Callable[[StoredDraft[D]], str] = lambda _: ""
    risk: Callable[[Reconciliation | Exception], str] | None = None


class EditConflictError(NotSentError):
    """Somebody else changed the record since the draft was made from it; `stored` is what they made of it."""

    def __init__(self, stored: Any, said: str) -> None:
        super().__init__(said)
        self.stored = stored


class DuplicateRecordError(NotSentError):
    """Another record is what this one would be, or is called so; `other` is that one."""

    def __init__(self, other: Any, said: str) -> None:
        super().__init__(said)
        self.other = other


def describe_match(is_sent: bool, is_before: bool) -> str:
    """Say of what a lost answer left whether it is what was sent, or what was there before."""
    if is_sent:
        return "It says exactly what you sent: it looks as if it was saved."
    if is_before:
        return "It says what it said before: it looks as if nothing was saved."
    return "It says something else than you sent."


def field_refusals(error: Exception) -> list[tuple[str, str]]:
    """What a refusal says of single fields, as (field of the interface, words)."""
    return [(each.field, each.message) for each in error.field_errors] if isinstance(error, Invalid) else []


def _nothing(*_: Any) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Change(Generic[D]):
    """One kind of change, carried out as all are: kept while it is typed, sent once, and never lost out of sight.

    `kind` is the journal's kind of subject, `kept_as` that of its drafts; `key` begins its widgets' keys; `called` is
    what a person calls a draft, `excerpt` what tells it from others, `part` what they call a field of it. `wire` is
    what is sent, built once, and `request` what the journal keeps of it under `name`, with what else is `known` at the
    desk. `before` reads what has to be
    known first, in the worker, and raises `NotSentError` where that keeps it from being sent. `call` makes the one
    call, and gives its result, with the id of what was created. `look` reads, after a lost answer, what the service
    holds that may be it. `problems` are lines that keep a draft from being sent, `refusals` what an error says of
    single fields. `landing` is where one is led after it was sent, `follow_up` what else is done then, in the worker,
    and what is said of it all; `forget` lets go, in the session, of what was read before and no longer holds.
    `id_in` reads an id as the journal keeps it, `told` the draft as its entry tells it, for who does not have it.
    `told_at` writes a moment in its life. `settle` is what follows from what a draft says by now; it gets the draft as
    it was kept, and as it is.
    Where two tabs change one draft, items of the lists in `whole` are taken as one, and so are fields `together`.
    """

    kind: str
    kept_as: str
    key: str
    model: type[D]
    words: Words[D]
    action: Callable[[D], str]
    wire: Callable[[D], Any]
    request: Callable[[D, Any], Mapping[str, Any]]
    call: Callable[[Workspace, D, Any], Any]
    look: Callable[[Workspace, StoredDraft[D]], Sequence[ReconcileCandidate] | Reconciliation]
    problems: Callable[[D], Sequence[str]]
    screen: Screen
    landing: Callable[[StoredDraft[D]], tuple[Screen, Mapping[str, Any]]]
    follow_up: Callable[[Workspace, D, Any], list[str]]
    refusals: Callable[[Exception], list[tuple[str, str]]] = field_refusals
    id_in: Callable[[str], SubjectId | None] = id_in
    called: Callable[[D], str] = lambda draft: draft.title
    excerpt: Callable[[D], str] = lambda _: ""
    part: Callable[[str], str] = lambda part: part.replace("_", " ")
    name: Callable[[Workspace, D], str] = lambda _, draft: draft.title
    known: Callable[[Workspace, D], Mapping[str, Any]] = lambda *_: {}
    told: Callable[[Entry], D] | None = None
    told_at: Callable[[Workspace, D, datetime], str] = lambda _, __, at: moment(at)
    settle: Callable[[D, D], D] = lambda _, draft: draft
    query: Callable[[D], Mapping[str, Any]] = lambda draft: {"id": draft.subject_id, "draft": draft.uid}
    before: Callable[[Workspace, D], None] = _nothing
    forget: Callable[[], None] = _nothing
    whole: frozenset[str] = frozenset()
    together: tuple[tuple[str, ...], ...] = ()

    def refused(self, draft: D, error: Exception) -> D:
        """The draft with what it was refused for, back where it can be mended."""
        named = self.refusals(error)
        stage = "edit" if named else draft.stage
        return draft.model_copy(update={"refused": named, "stage": stage, "checked": draft.checked or bool(named)})

    def written_down(self, workspace: Workspace, draft: D, wire: Any) -> dict[str, Any]:
        """What the journal keeps of a sending: by the draft's uid its entry is found again.

        The uid stands first: the journal's text for searching ends somewhere in a long request.
        """
        return {"draft": draft.uid, **self.known(workspace, draft), **self.request(draft, wire)}
