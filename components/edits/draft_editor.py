"""The draft that is on the screen: opened, kept as it is typed, undone, sent, looked for, settled; nothing is drawn."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, NoReturn

import streamlit as st

from components.shell.address import ON_ITS_WAY_SECONDS, go_to
from components.shell.changing import change as begin
from components.shell.changing import is_same_press, is_under_way
from components.shell.notices import done
from components.shell.session import session_lives
from components.shell.state import StateKey
from domain.edits import draft_sending, stored_drafts
from domain.edits.edit import Change, D, ReconcileCandidate, Reconciliation
from domain.edits.merging import merged, words_on
from domain.edits.stored_drafts import SendStatus, StoredDraft
from domain.forms.form import new_uid

if TYPE_CHECKING:
    from datetime import datetime

    from domain.edits.edit import Draft, SubjectId
    from domain.runtime.calls import End
    from domain.runtime.workspace import Workspace

QUERY: Final = "draft"
"""The part of an address that names a draft."""
STEPS_KEPT: Final = 50
BEGUN: Final = "This is the change you began and did not finish."
GONE: Final = "This draft was discarded in another tab. What stands here is kept again."
NOT_YOURS: Final = "You have no draft of that name: it was sent or discarded, or somebody else began it."
OTHER_TAB: Final = "This is what was saved. Another tab keeps a change of it that is not."
KEPT_HERE: Final = "keep what stands here"


class Saved(NamedTuple):
    """A draft as this tab saw it kept last; `version` is None where it never was."""

    draft: Any
    version: datetime | None


class Step(NamedTuple):
    """Something that a person did, and the draft before and after it."""

    what: str
    before: Any
    after: Any


def remember(steps: StateKey[list[Step]], what: str, before: Draft, after: Draft) -> None:
    """Keep a step for the way back, once, though a run that is cut off does it again."""
    step, known = Step(what, before, after), steps.get()
    if known[-1:] != [step]:
        steps.set([*known, step][-STEPS_KEPT:])


class Editor(Generic[D]):
    """What a browser session holds of one kind of change, and what its buttons do; one for each kind, made once.

    `take_up` gives the draft of the session with what stands in the fields now.
    """

    def __init__(self, change: Change[D], *, take_up: Callable[[StateKey[D | None]], D | None]) -> None:
        self.change = change
        self._take_up = take_up
        self.draft: StateKey[D | None] = StateKey(f"{change.key}.draft", lambda: None)
        self.saved: StateKey[Saved | None] = StateKey(f"{change.key}.saved", lambda: None)
        self.note: StateKey[str] = StateKey(f"{change.key}.note", str)
        self.steps: StateKey[list[Step]] = StateKey(f"{change.key}.steps", list)
        self.undone: StateKey[list[Step]] = StateKey(f"{change.key}.undone", list)
        self.linked: StateKey[str] = StateKey(f"{change.key}.linked", str)
        self.just_sent: StateKey[str] = StateKey(f"{change.key}.just_sent", str)
        self._led_on_at: StateKey[float | None] = StateKey(f"{change.key}.led_on_at", lambda: None)
        self.landed: StateKey[SubjectId | None] = StateKey(f"{change.key}.landed", lambda: None)
        """The id of what was just sent from the screen that this leads to again, until that has opened it."""
        self._error: StateKey[tuple[str, Exception] | None] = StateKey(f"{change.key}.error", lambda: None)
        self._found: StateKey[tuple[str, Reconciliation | Exception] | None] = StateKey(
            f"{change.key}.found", lambda: None
        )

    def holds(self, uid: str, subject_id: SubjectId | None) -> bool:
        """Whether the draft that the address asks for, by its name or by what it changes, is on the screen."""
        held = self.draft.get()
        if held is None:
            return False
        if subject_id is not None:
            return held.subject_id == subject_id and uid in ("", held.uid)
        if uid:
            if held.uid == uid:
                self.linked.set(uid)
            return held.uid == uid
        # The browser may run the page again before it has taken up the address with the draft's name: only where that
        # was seen once does an address without it mean another, new one.
        return not held.is_change and (held.is_untouched or self.linked.get() != held.uid)

    def back_from_review(self, workspace: Workspace, uid: str) -> bool:
        """Take up again the draft whose review *back* left for the address that did not name it yet."""
        held = self.draft.get()
        if held is None or uid or held.stage != "review" or self.linked.get() != held.uid:
            return False
        kept = stored_drafts.load(workspace, self.change, held.uid)
        if kept is None or kept.status is not SendStatus.DRAFT or is_under_way(workspace, self.change.kind, held.uid):
            return False
        self.draft.set(held.model_copy(update={"stage": "edit"}))
        return True

    def kept_for(
        self, workspace: Workspace, uid: str, subject_id: SubjectId | None
    ) -> tuple[StoredDraft[D] | None, str]:
        """What is kept for an address, the draft it names or the change of this that was begun, with words on it."""
        kept = stored_drafts.load(workspace, self.change, uid) if uid else None
        if kept is not None and subject_id in (None, kept.draft.subject_id):
            return kept, self.cut_off(workspace, kept)
        begun = stored_drafts.unfinished_about(workspace, self.change, subject_id) if subject_id is not None else []
        return (begun[0], BEGUN) if begun else (None, "")

    def open(self, workspace: Workspace, subject_id: SubjectId | None, begin: Callable[[], D | None]) -> bool:
        """Put the draft on the screen that the address names, or the change of this, unless it is there already.

        Where none is kept, `begin` gives the draft to begin with; None, and False here, where there is none. An address
        that names another draft then names none.
        """
        uid = st.query_params.get(QUERY, "")
        if self.holds(uid, subject_id) or (subject_id is None and self.back_from_review(workspace, uid)):
            return True
        kept, note = self.kept_for(workspace, uid, subject_id)
        if kept is not None and kept.draft.uid != uid and self.landed.get() == subject_id:
            # What was just sent is shown as it was sent.
            kept, note = None, OTHER_TAB
        draft = kept.draft if kept is not None else begin()
        if draft is None:
            return False
        if uid and draft.uid != uid:
            del st.query_params[QUERY]
            note = f"{NOT_YOURS} {note if draft.is_change else f'This is a new {self.change.words.noun}.'}".strip()
        self.landed.clear()
        self.show(draft, note, version=kept.version if kept is not None else None)
        return True

    def leads_on(self, uid: str) -> bool:
        """Whether the screen of this draft leads on to the record made from it, which it does right after the sending.

        The second click of a double click may arrive after the first has led on, and still bring the draft's address.
        """
        if self.just_sent.get() != uid:
            return False
        led_on_at = self._led_on_at.get()
        if led_on_at is None:
            self._led_on_at.set(time.monotonic())
        return led_on_at is None or time.monotonic() - led_on_at <= ON_ITS_WAY_SECONDS

    def open_new(self) -> NoReturn:
        """Open the screen with nothing begun on it; what was typed there before stays among the unfinished."""
        self.draft.clear()
        go_to(self.change.screen)

    def cut_off(self, workspace: Workspace, kept: StoredDraft[D]) -> str:
        """Say that a sending was stopped before anything left; "" where none was."""
        if kept.cut_off is None:
            return ""
        begun = self.change.told_at(workspace, kept.draft, kept.cut_off)
        return (
            f"Not {self.change.words.sent}. A sending begun {begun} was cut off before anything left. "
            "Look at it again, and go on if it is still wanted."
        )

    def show(self, draft: D, note: str = "", *, version: datetime | None = None) -> None:
        """Put a draft on the screen, with nothing left of the one before it."""
        self.draft.set(draft)
        self.saved.set(Saved(draft, version))
        self.note.set(note)
        for key in (self.steps, self.undone, self._error, self._found):
            key.clear()

    def is_kept(self, draft: D) -> bool:
        """Whether the journal keeps this draft: not what was only begun, until something is typed."""
        saved = self.saved.get()
        return saved is not None and saved.draft.uid == draft.uid and saved.version is not None

    def go_on_as(self, workspace: Workspace, fresh: D, note: str) -> None:
        """Keep another draft and put it on the screen instead of what is there, which is let go of."""
        held = self.draft.get()
        version = stored_drafts.save(workspace, self.change, fresh, seen=None)
        if held is not None:
            stored_drafts.discard(workspace, self.change, held.uid, if_unsent=True)
        self.show(fresh, note, version=version)
        st.query_params.from_dict({QUERY: fresh.uid})

    def current(self) -> D | None:
        """The draft with everything that stands in the fields at this moment."""
        return self._take_up(self.draft)

    def do(self, what: str, step: Callable[[D], D]) -> None:
        """Do a step to the draft, keeping the draft before it under `what` was done."""
        draft = self.current()
        if draft is None:
            return
        after = step(draft)
        if after != draft:
            remember(self.steps, what, draft, after)
            self.undone.clear()
            self.draft.set(after)

    def undo(self) -> None:
        """Go back before the last step, but for what was done since to other parts of the draft."""
        self._step_over(self.steps, self.undone)

    def redo(self) -> None:
        """Do again what was undone last."""
        self._step_over(self.undone, self.steps)

    def _step_over(self, source: StateKey[list[Step]], target: StateKey[list[Step]]) -> None:
        steps, draft = source.get(), self.current()
        if not steps or draft is None:
            return
        *rest, (what, before, after) = steps
        back = merged(after, before, draft, whole=self.change.whole, together=self.change.together).draft
        back = back.model_copy(update={name: getattr(draft, name) for name in draft.ui_state_fields})
        source.set(rest)
        remember(target, what, draft, back)
        self.draft.set(back)

    def set_stage(self, *, review: bool) -> None:
        """Go on to the review where nothing has to be mended, pointing out everything that has; or back from it."""
        draft = self.current()
        if draft is None:
            return
        self._error.clear()
        if not review:
            self.draft.set(draft.model_copy(update={"stage": "edit"}))
            return
        asked = draft.model_copy(update={"checked": True, "refused": []})
        self.draft.set(asked.model_copy(update={"stage": "edit" if self.change.problems(asked) else "review"}))

    def keep(self, workspace: Workspace, draft: D, kept: StoredDraft[D] | None) -> D:
        """Keep the draft where it differs from what is kept, put together with what another tab made of it.

        What the service refused no longer stands once the draft changed. A draft of which nothing is left is forgotten.
        """
        saved = self.saved.get() or Saved(draft, None)
        seen, version = saved.draft, kept.version if kept is not None else None
        is_theirs_too = version != saved.version
        if is_theirs_too:
            draft, seen = self._with_other_tab(saved, draft, kept)
            if kept is not None and draft.has_same_payload(kept.draft):
                # Where each tab stands with it is its own: being looked at in another one changes no draft.
                seen = draft
        if draft != seen:
            draft = self.change.settle(saved.draft, draft)
            if not draft.has_same_payload(saved.draft):
                self._error.clear()
                if draft.refused == saved.draft.refused:
                    draft = draft.model_copy(update={"refused": []})
            if not draft.is_untouched:
                version = stored_drafts.save(workspace, self.change, draft, seen=version)
                if version is None:
                    # Kept or taken elsewhere at this very moment: the next run sees what it became.
                    return draft
            elif version is not None:
                stored_drafts.discard(workspace, self.change, draft.uid)
                version = None
        self.saved.set(Saved(draft, version))
        self.draft.set(draft)
        return draft

    def _with_other_tab(self, saved: Saved, draft: D, kept: StoredDraft[D] | None) -> tuple[D, D | None]:
        """The draft put together with what is kept by now, and that; None where it was discarded elsewhere."""
        if kept is None:
            self.note.set("" if draft.is_untouched else GONE)
            return draft, None
        both = merged(saved.draft, draft, kept.draft, whole=self.change.whole, together=self.change.together)
        if both.both:
            remember(self.steps, KEPT_HERE, kept.draft, both.draft)
        if said := words_on(both, self.change.part):
            self.note.set(said)
        return both.draft, kept.draft

    def unsent(self, draft: D, sent: StoredDraft[D]) -> D | None:
        """What was typed in this tab and is not in what another tab sent of it, as a draft of its own; else None."""
        saved = self.saved.get()
        if saved is None or saved.draft.uid != sent.draft.uid or not sent.is_own:
            return None
        if draft.has_same_payload(saved.draft) or draft.has_same_payload(sent.draft):
            return None
        both = merged(saved.draft, draft, sent.draft, whole=self.change.whole, together=self.change.together)
        unsent: D = both.draft.model_copy(update={"uid": new_uid(), "stage": "edit"})
        return unsent

    def send(self, workspace: Workspace, note: Mapping[str, Any] | None = None) -> None:
        """Send the draft that is on the screen; call it in a callback. `note` is for who looks after a lost answer."""
        ready = self.ready(workspace)
        if ready is not None:
            self.send_this(workspace, ready, note)

    def ready(self, workspace: Workspace) -> Saved | None:
        """The draft that is on the screen as it would be sent; None where it may not be.

        What another tab changed of it, or that it was discarded there, has to be seen first, and what has to be mended
        is pointed out. Nor does who was signed out in another tab send anything here.
        """
        draft, change = self.current(), self.change
        if draft is None or is_same_press(workspace, change.kind, draft.uid) or not session_lives():
            return None
        kept = stored_drafts.load(workspace, change, draft.uid)
        if kept is not None and kept.status is not SendStatus.DRAFT:
            return None
        before = self.saved.get()
        was_discarded = kept is None and before is not None and before.version is not None
        together = self.keep(workspace, draft, kept)
        if was_discarded or not together.has_same_payload(draft):
            return None
        if change.problems(together.model_copy(update={"refused": []})):
            self.draft.set(together.model_copy(update={"checked": True, "stage": "edit"}))
            return None
        saved = self.saved.get()
        return Saved(together, saved.version if saved is not None else None)

    def send_this(self, workspace: Workspace, ready: Saved, note: Mapping[str, Any] | None = None) -> None:
        """Send a draft as it was when it was ready, and only where it still is what is kept."""
        change, draft = self.change, ready.draft
        work = partial(draft_sending.carry_out, workspace, change, draft, seen=ready.version, note=note or {})
        self._begin(workspace, change.kind, draft, work, self._sent)

    def look(self, workspace: Workspace, kept: StoredDraft[D]) -> None:
        """Look, after a lost answer, what the service holds."""
        work, draft = partial(self.what_is_there, workspace, kept), kept.draft
        self._begin(workspace, self.looking, draft, work, self._looked)

    def what_is_there(self, workspace: Workspace, kept: StoredDraft[D]) -> Reconciliation:
        """What the service holds that the draft may have become. Raises `ServiceError`."""
        found = self.change.look(workspace, kept)
        return found if isinstance(found, Reconciliation) else Reconciliation(list(found))

    def settle(self, workspace: Workspace, kept: StoredDraft[D], candidate: ReconcileCandidate) -> None:
        """Take what was found for what the draft became."""
        work = partial(draft_sending.settle_as_done, workspace, self.change, kept, candidate)
        self._begin(workspace, self.deciding, kept.draft, work, self._sent)

    def give_back(self, workspace: Workspace, kept: StoredDraft[D]) -> None:
        """Take the draft for not sent, and go back to it; it is sent again only by a press of its own."""
        work = partial(draft_sending.settle_as_not_done, workspace, self.change, kept)
        self._begin(workspace, self.deciding, kept.draft, work, self._sent)

    @property
    def looking(self) -> str:
        """What looking for a draft is called among the calls under way."""
        return f"{self.change.kind}.look"

    @property
    def deciding(self) -> str:
        """What deciding on a draft is called among the calls under way."""
        return f"{self.change.kind}.decide"

    def error_of(self, draft: D) -> Exception | None:
        """What went wrong when the draft was sent or settled last."""
        failed = self._error.get()
        return failed[1] if failed is not None and failed[0] == draft.uid else None

    def failed(self, draft: D, error: Exception) -> None:
        """Keep what went wrong, for the page to show."""
        self._error.set((draft.uid, error))

    def forget_error(self) -> None:
        """Let go of what went wrong: it is told in another way, or was mended."""
        self._error.clear()

    def found_for(self, draft: D) -> Reconciliation | Exception | None:
        """What looking found, or why it failed; None where nobody looked."""
        found = self._found.get()
        return found[1] if found is not None and found[0] == draft.uid else None

    def _begin(
        self,
        workspace: Workspace,
        kind: str,
        draft: D,
        work: Callable[[], Any],
        then: Callable[[Workspace, D, End], None],
    ) -> None:
        if not is_same_press(workspace, kind, draft.uid):
            label = f"{self.change.words.noun.capitalize()} {self.change.called(draft)}"
            begin(workspace, kind, draft.uid, work, label=label, then=partial(then, workspace, draft))

    def _sent(self, workspace: Workspace, draft: D, end: End) -> None:
        self._error.set(None if end.error is None else (draft.uid, end.error))
        for said in end.value or ():
            done(said)
        if end.value is not None:
            self.just_sent.set(draft.uid)
            self._led_on_at.clear()
        self._found.clear()
        self.change.forget()
        self._read_again(workspace, draft)

    def _read_again(self, workspace: Workspace, draft: D) -> None:
        """Put on the screen what is kept of the draft by now, if that is what is on it."""
        held, kept = self.draft.get(), stored_drafts.load(workspace, self.change, draft.uid)
        if held is not None and held.uid == draft.uid and kept is not None and kept.status is SendStatus.DRAFT:
            self.draft.set(kept.draft)
            self.saved.set(Saved(kept.draft, kept.version))

    def _looked(self, _: Workspace, draft: D, end: End) -> None:
        self.found(draft, end.value if end.error is None else end.error)

    def found(self, draft: D, looked: Reconciliation | Exception) -> None:
        """Keep what looking found, or why it failed, for the page to show."""
        self._found.set((draft.uid, looked))
