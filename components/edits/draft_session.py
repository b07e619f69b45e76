"""The draft on the screen in one browser session: stored as a person types, undone, and compared with other tabs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple

import streamlit as st

from components.shell.state import StateKey
from domain.edits import stored_drafts
from domain.edits.edit_draft import D, DraftVersion, StoredDraft
from domain.edits.undo import undo_step
from domain.forms.form import new_uid

if TYPE_CHECKING:
    from datetime import datetime

    from domain.edits.edit import Edit
    from domain.edits.edit_draft import Draft
    from domain.runtime.workspace import Workspace

QUERY: Final = "draft"
"""The query parameter that names a draft."""
MOST_STEPS: Final = 50
DISCARDED_ELSEWHERE: Final = "This draft was discarded in another tab. Muster stored it again."
UPDATED_ELSEWHERE: Final = "This draft has changed in another tab. This tab shows the new version."


class Step(NamedTuple):
    """What a person did, and the draft before and after."""

    label: str
    original: Any
    result: Any


def remember(steps: StateKey[list[Step]], label: str, original: Draft, result: Draft) -> None:
    """Add a step for undo, once, even if an interrupted run does it again."""
    step, known = Step(label, original, result), steps.get()
    if known[-1:] != [step]:
        steps.set([*known, step][-MOST_STEPS:])


class DraftSession(Generic[D]):
    """The draft of one kind of edit in a browser session."""

    def __init__(self, edit: Edit[D, Any], *, sync_from_widgets: Callable[[StateKey[D | None]], D | None]) -> None:
        """`sync_from_widgets` returns the draft of the session with what the fields contain now."""
        self.edit = edit
        self._sync_from_widgets = sync_from_widgets
        self.draft: StateKey[D | None] = StateKey(f"{edit.key}.draft", lambda: None)
        self.saved: StateKey[DraftVersion | None] = StateKey(f"{edit.key}.saved", lambda: None)
        self.note: StateKey[str] = StateKey(f"{edit.key}.note", str)
        self.steps: StateKey[list[Step]] = StateKey(f"{edit.key}.steps", list)
        self.undone: StateKey[list[Step]] = StateKey(f"{edit.key}.undone", list)
        self.conflict: StateKey[StoredDraft[D] | None] = StateKey(f"{edit.key}.conflict", lambda: None)
        """The version of another tab while it differs from what this tab shows. This tab then stores nothing."""
        self._error: StateKey[tuple[str, Exception] | None] = StateKey(f"{edit.key}.error", lambda: None)

    def current(self) -> D | None:
        """Return the draft with what the fields contain now."""
        return self._sync_from_widgets(self.draft)

    def show(self, draft: D, note: str = "", *, version: datetime | None = None) -> None:
        """Show a draft, and clear everything about the previous one."""
        self.draft.set(draft)
        self.saved.set(DraftVersion(draft, version))
        self.note.set(note)
        for key in (self.steps, self.undone, self.conflict, self._error):
            key.clear()

    def is_stored(self, draft: D) -> bool:
        """Whether the journal has this draft. A new draft is stored once something is typed."""
        saved = self.saved.get()
        return saved is not None and saved.draft.uid == draft.uid and saved.version is not None

    def replace_with(self, workspace: Workspace, fresh: D, note: str) -> None:
        """Store another draft, show it, and discard the one on the screen."""
        shown = self.draft.get()
        version = stored_drafts.begin(workspace, self.edit, fresh)
        if shown is not None:
            stored_drafts.discard(workspace, self.edit, shown.uid, if_unsent=True)
        self.show(fresh, note, version=version)
        st.query_params.from_dict({QUERY: fresh.uid})

    def do(self, label: str, step: Callable[[D], D]) -> None:
        """Change the draft by a step that can be undone."""
        draft = self.current()
        if draft is None:
            return
        result = step(draft)
        if result != draft:
            remember(self.steps, label, draft, result)
            self.undone.clear()
            self.draft.set(result)

    def keep_steps(self, workspace: Workspace, draft: D) -> None:
        """Keep the steps for undo in the memory of the server, so that they survive a reload of the page."""
        workspace.unsaved_work[self.steps.name] = (draft.uid, self.steps.get(), self.undone.get())

    def restore_steps(self, workspace: Workspace, draft: D) -> None:
        """Restore the steps of this draft after a reload of the page."""
        uid, steps, undone = workspace.unsaved_work.get(self.steps.name, ("", [], []))
        if uid == draft.uid:
            self.steps.set(list(steps))
            self.undone.set(list(undone))

    def undo(self) -> None:
        """Undo the last step, but not what was typed since in other fields."""
        self._step_over(self.steps, self.undone)

    def redo(self) -> None:
        """Redo the step that was undone last."""
        self._step_over(self.undone, self.steps)

    def _step_over(self, source: StateKey[list[Step]], target: StateKey[list[Step]]) -> None:
        steps, draft = source.get(), self.current()
        if not steps or draft is None:
            return
        *rest, (label, original, result) = steps
        restored = undo_step(draft, original, result)
        source.set(rest)
        remember(target, label, draft, restored)
        self.draft.set(restored)

    def set_stage(self, *, review: bool) -> None:
        """Go to the review if there are no errors, else show all of them; or go back to the form."""
        draft = self.current()
        if draft is None:
            return
        self._error.clear()
        if not review:
            self.draft.set(draft.model_copy(update={"stage": "edit"}))
            return
        checked = draft.model_copy(update={"checked": True, "refused": []})
        self.draft.set(checked.model_copy(update={"stage": "edit" if self.edit.problems(checked) else "review"}))

    def store(self, workspace: Workspace, draft: D, stored: StoredDraft[D] | None) -> D:
        """Store the draft if it differs from `stored`, and return it.

        If another tab has stored another version, this tab shows that one. If something was typed in both, this tab has
        a `conflict`. A change clears what the service refused. A draft that is empty again is discarded.
        """
        self.keep_steps(workspace, draft)
        saved = self.saved.get() or DraftVersion(draft, None)
        version = stored.version if stored is not None else None
        is_same = draft == saved.draft
        if version != saved.version:
            is_same = False
            if stored is None:
                self.note.set("" if draft.is_untouched else DISCARDED_ELSEWHERE)
            elif draft.has_same_payload(stored.draft):
                is_same = True  # Each tab has its own stage.
            elif draft.has_same_payload(saved.draft):
                state = {name: getattr(draft, name) for name in draft.ui_state_fields}
                draft, is_same = stored.draft.model_copy(update=state), True
                self.note.set(UPDATED_ELSEWHERE)
            else:
                self.conflict.set(stored)
                return draft
        self.conflict.clear()
        if not is_same:
            draft = self.edit.normalize(saved.draft, draft)
            if not draft.has_same_payload(saved.draft):
                self._error.clear()
                if draft.refused == saved.draft.refused:
                    draft = draft.model_copy(update={"refused": []})
            if not draft.is_untouched:
                version = stored_drafts.save(workspace, self.edit, draft, seen=version)
                if version is None:
                    # Stored or claimed by another tab at this moment: the next run handles it.
                    return draft
            elif version is not None:
                stored_drafts.discard(workspace, self.edit, draft.uid)
                version = None
        self.saved.set(DraftVersion(draft, version))
        self.draft.set(draft)
        return draft

    def reload(self) -> None:
        """Replace the draft with the version of the other tab. Undo brings back this one."""
        other, draft = self.conflict.get(), self.current()
        if other is None or draft is None:
            return
        self.saved.set(DraftVersion(other.draft, other.version))
        self.do("reload the draft", lambda _: other.draft)
        self.conflict.clear()

    def overwrite(self) -> None:
        """Store this draft over the version of the other tab, with the next run."""
        other = self.conflict.get()
        if other is not None:
            self.saved.set(DraftVersion(other.draft, other.version))
            self.conflict.clear()

    def unsent(self, draft: D, sent_version: StoredDraft[D]) -> D | None:
        """Return what this tab shows as a new draft, if it was changed here and another tab sent another version."""
        saved = self.saved.get()
        if saved is None or saved.draft.uid != sent_version.draft.uid or not sent_version.is_own:
            return None
        if draft.has_same_payload(saved.draft) or draft.has_same_payload(sent_version.draft):
            return None
        unsent: D = draft.model_copy(update={"uid": new_uid(), "stage": "edit"})
        return unsent

    def error_of(self, draft: D) -> Exception | None:
        """Return the error of the last attempt to send or resolve the draft."""
        failed = self._error.get()
        return failed[1] if failed is not None and failed[0] == draft.uid else None

    def set_error(self, draft: D, error: Exception | None) -> None:
        """Store an error for the page to show."""
        self._error.set(None if error is None else (draft.uid, error))

    def clear_error(self) -> None:
        """Clear the error."""
        self._error.clear()
