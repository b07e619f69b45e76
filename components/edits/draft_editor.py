"""The editor of one kind of edit: opening a draft, sending it, and checking its status. Nothing is drawn."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NoReturn

import streamlit as st

from components.edits.draft_session import QUERY, DraftSession
from components.shell.address import URL_DELAY_SECONDS, go_to
from components.shell.background_changes import is_under_way, prepare_change
from components.shell.background_changes import start_change as start_worker
from components.shell.notices import show_success
from components.shell.session import is_signed_in
from components.shell.state import StateKey
from components.widgets.browser_zone import browser_zone
from domain.edits import draft_sending, stored_drafts
from domain.edits.edit import ReconcileCandidate, Reconciliation
from domain.edits.edit_draft import D, DraftVersion, SendStatus, StoredDraft

if TYPE_CHECKING:
    from datetime import datetime

    from domain.edits.edit import Edit
    from domain.edits.edit_draft import SubjectId
    from domain.runtime.calls import End
    from domain.runtime.workspace import Workspace

UNFINISHED: Final = "You have not finished this edit."
NO_SUCH_DRAFT: Final = "You have no draft with this ID. The draft was sent or discarded, or belongs to someone else."
UNSAVED_ELSEWHERE: Final = "This is the saved version. Another tab has unsaved changes."


class Editor(DraftSession[D]):
    """The editor of one kind of edit in a browser session, with what its buttons do. There is one for each kind."""

    def __init__(self, edit: Edit[D, Any], *, sync_from_widgets: Callable[[StateKey[D | None]], D | None]) -> None:
        super().__init__(edit, sync_from_widgets=sync_from_widgets)
        self.linked: StateKey[str] = StateKey(f"{edit.key}.linked", str)
        """The uid of the draft that the URL has named."""
        self.just_sent: StateKey[str] = StateKey(f"{edit.key}.just_sent", str)
        self._redirected_at: StateKey[float | None] = StateKey(f"{edit.key}.redirected_at", lambda: None)
        self.landed: StateKey[SubjectId | None] = StateKey(f"{edit.key}.landed", lambda: None)
        """The ID of a record just sent from the screen that also shows it, until the screen has opened it."""
        self._found: StateKey[tuple[str, Reconciliation | Exception] | None] = StateKey(
            f"{edit.key}.found", lambda: None
        )

    def shows(self, uid: str, subject_id: SubjectId | None) -> bool:
        """Whether the draft on the screen is the one the URL names, by its uid or its record."""
        shown = self.draft.get()
        if shown is None:
            return False
        if subject_id is not None:
            return shown.subject_id == subject_id and uid in ("", shown.uid)
        if uid:
            if shown.uid == uid:
                self.linked.set(uid)
            return shown.uid == uid
        # The browser may run the page again before its URL names the draft. A URL without a draft means a new one only
        # after the URL has named this one.
        return not shown.is_change and (shown.is_untouched or self.linked.get() != shown.uid)

    def reopen_from_review(self, workspace: Workspace, uid: str) -> bool:
        """Show the form again if the browser's *back* left the review for the URL that did not name the draft yet."""
        shown = self.draft.get()
        if shown is None or uid or shown.stage != "review" or self.linked.get() != shown.uid:
            return False
        stored = stored_drafts.load(workspace, self.edit, shown.uid)
        if (
            stored is None
            or stored.status is not SendStatus.DRAFT
            or is_under_way(workspace, self.edit.kind, shown.uid)
        ):
            return False
        self.draft.set(shown.model_copy(update={"stage": "edit"}))
        return True

    def find_stored(
        self, workspace: Workspace, uid: str, subject_id: SubjectId | None
    ) -> tuple[StoredDraft[D] | None, str]:
        """Return the stored draft that the URL names, or the unfinished change of its record, with a note about it."""
        stored = stored_drafts.load(workspace, self.edit, uid) if uid else None
        if stored is not None and subject_id in (None, stored.draft.subject_id):
            return stored, self.interrupted_note(workspace, stored)
        found = (
            stored_drafts.list_unfinished_changes(workspace, self.edit, subject_id) if subject_id is not None else []
        )
        return (found[0], UNFINISHED) if found else (None, "")

    def open(self, workspace: Workspace, subject_id: SubjectId | None, create: Callable[[], D | None]) -> bool:
        """Show the draft that the URL names, unless it is on the screen already; return whether there is one.

        If none is stored, `create` makes it, or returns None. A URL with an unknown draft then names none.
        """
        uid = st.query_params.get(QUERY, "")
        if self.shows(uid, subject_id) or (subject_id is None and self.reopen_from_review(workspace, uid)):
            return True
        stored, note = self.find_stored(workspace, uid, subject_id)
        if stored is not None and stored.draft.uid != uid and self.landed.get() == subject_id:
            # A record just sent is shown as it was sent.
            stored, note = None, UNSAVED_ELSEWHERE
        draft = stored.draft if stored is not None else create()
        if draft is None:
            return False
        if uid and draft.uid != uid:
            del st.query_params[QUERY]
            note = f"{NO_SUCH_DRAFT} {note if draft.is_change else f'This is a new {self.edit.noun}.'}".strip()
        self.landed.clear()
        self.show(draft, note, version=stored.version if stored is not None else None)
        self.restore_steps(workspace, draft)
        return True

    def open_new(self) -> NoReturn:
        """Open the screen with an empty draft. The previous one stays among the unfinished."""
        self.draft.clear()
        go_to(self.edit.screen)

    def show(self, draft: D, note: str = "", *, version: datetime | None = None) -> None:
        """Show a draft, and clear everything about the previous one."""
        super().show(draft, note, version=version)
        self._found.clear()

    def redirects(self, uid: str) -> bool:
        """Whether the screen of this draft redirects to its record, right after sending.

        The second click of a double click may arrive after the redirect, and still bring the URL of the draft.
        """
        if self.just_sent.get() != uid:
            return False
        redirected_at = self._redirected_at.get()
        if redirected_at is None:
            self._redirected_at.set(time.monotonic())
        return redirected_at is None or time.monotonic() - redirected_at <= URL_DELAY_SECONDS

    def interrupted_note(self, workspace: Workspace, stored: StoredDraft[D]) -> str:
        """Say that sending stopped before anything was sent; empty if it did not."""
        if stored.interrupted_at is None:
            return ""
        at = self.edit.format_time(workspace, stored.draft, stored.interrupted_at, browser_zone())
        return f"Not sent. Sending started {at} and stopped before anything was sent. Check the draft, then send it."

    def send(self, workspace: Workspace, note: Mapping[str, Any] | None = None) -> None:
        """Send the draft on the screen. Call it in a callback. `note` is stored for `reconcile`."""
        self.note.clear()
        ready = self.ready(workspace)
        if ready is not None:
            edit, draft = self.edit, ready.draft
            work, ended = self._sending(workspace, ready, note)
            start_worker(workspace, edit.kind, draft.uid, work, label=edit.heading(draft), then=ended)

    def ready(self, workspace: Workspace) -> DraftVersion | None:
        """Return the draft on the screen as it would be sent; None if it may not be sent.

        A draft may not be sent with an unseen change of another tab, with errors, or after the session ended.
        """
        draft, edit = self.current(), self.edit
        if draft is None or not is_signed_in():
            return None
        stored = stored_drafts.load(workspace, edit, draft.uid)
        if stored is not None and stored.status is not SendStatus.DRAFT:
            return None
        seen = self.saved.get()
        was_discarded = stored is None and seen is not None and seen.version is not None
        current = self.store(workspace, draft, stored)
        if was_discarded or self.conflict.get() is not None or not current.has_same_payload(draft):
            return None
        if edit.problems(current.model_copy(update={"refused": []})):
            self.draft.set(current.model_copy(update={"checked": True, "stage": "edit"}))
            return None
        saved = self.saved.get()
        return DraftVersion(current, saved.version if saved is not None else None)

    def prepare_sending(self, workspace: Workspace, ready: DraftVersion) -> Callable[[], None]:
        """Return a function that starts the worker that sends this version, if it is still the stored one then."""
        edit, draft = self.edit, ready.draft
        work, ended = self._sending(workspace, ready, None)
        return prepare_change(workspace, edit.kind, draft.uid, work, label=edit.heading(draft), then=ended)

    def _sending(
        self, workspace: Workspace, ready: DraftVersion, note: Mapping[str, Any] | None
    ) -> tuple[Callable[[], Any], Callable[[End], None]]:
        draft = ready.draft
        work = partial(draft_sending.send_draft, workspace, self.edit, draft, seen=ready.version, note=note or {})
        return work, partial(self._ended, workspace, draft)

    def reconcile(self, workspace: Workspace, stored: StoredDraft[D]) -> None:
        """Start the worker that looks at the service after a lost response."""
        work = partial(self.edit.reconcile, workspace, stored)
        self._start(workspace, self.reconciling, stored.draft, work, self._reconciled)

    def mark_as_done(self, workspace: Workspace, stored: StoredDraft[D], candidate: ReconcileCandidate) -> None:
        """Record that the draft became this candidate."""
        work = partial(draft_sending.mark_as_done, workspace, self.edit, stored, candidate)
        self._start(workspace, self.deciding, stored.draft, work, self._ended)

    def mark_as_not_done(self, workspace: Workspace, stored: StoredDraft[D]) -> None:
        """Record that nothing was changed, and show the draft again. Only another press sends it."""
        work = partial(draft_sending.mark_as_not_done, workspace, self.edit, stored)
        self._start(workspace, self.deciding, stored.draft, work, self._ended)

    @property
    def reconciling(self) -> str:
        """The kind of the running call that reconciles."""
        return f"{self.edit.kind}.look"

    @property
    def deciding(self) -> str:
        """The kind of the running call that records a decision."""
        return f"{self.edit.kind}.decide"

    def reconciliation_of(self, draft: D) -> Reconciliation | Exception | None:
        """Return what reconciling found, or its error; None if it was not done."""
        found = self._found.get()
        return found[1] if found is not None and found[0] == draft.uid else None

    def set_reconciliation(self, draft: D, result: Reconciliation | Exception) -> None:
        """Store what reconciling found for the page to show."""
        self._found.set((draft.uid, result))

    def _start(
        self,
        workspace: Workspace,
        kind: str,
        draft: D,
        work: Callable[[], Any],
        then: Callable[[Workspace, D, End], None],
    ) -> None:
        ended = partial(then, workspace, draft)
        start_worker(workspace, kind, draft.uid, work, label=self.edit.heading(draft), then=ended)

    def _ended(self, workspace: Workspace, draft: D, end: End) -> None:
        self.set_error(draft, end.error)
        for message in end.value or ():
            show_success(message)
        if end.value is not None:
            self.just_sent.set(draft.uid)
            self._redirected_at.clear()
        self._found.clear()
        self.edit.invalidate_reads()
        self._read_again(workspace, draft)

    def _read_again(self, workspace: Workspace, draft: D) -> None:
        """Show the stored version of the draft, if the draft is on the screen."""
        shown, stored = self.draft.get(), stored_drafts.load(workspace, self.edit, draft.uid)
        if shown is not None and shown.uid == draft.uid and stored is not None and stored.status is SendStatus.DRAFT:
            self.draft.set(stored.draft)
            self.saved.set(DraftVersion(stored.draft, stored.version))

    def _reconciled(self, _: Workspace, draft: D, end: End) -> None:
        self.set_reconciliation(draft, end.value if end.error is None else end.error)
