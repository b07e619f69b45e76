"""The editor of a public alert in a browser session, and the ways to open a draft."""

from __future__ import annotations

from typing import Final

import streamlit as st

from components.edits.draft_editor import Editor
from components.forms.form_view import sync_from_widgets
from components.shell.address import go_to
from components.shell.state import StateKey
from domain.alerts.alert_form import ALERT_FORM
from domain.alerts.alert_templates import fill_placeholders, open_placeholders, placeholder_key
from domain.alerts.draft import AlertDraft
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.edits import stored_drafts
from domain.runtime.screens import PUBLIC_ALERT
from domain.runtime.workspace import Workspace


def _sync_from_widgets(session_draft: StateKey[AlertDraft | None]) -> AlertDraft | None:
    draft = sync_from_widgets(ALERT_FORM, session_draft)
    if draft is None:
        return None
    words = {
        blank: str(st.session_state.get(placeholder_key(draft, blank)) or "") for blank in open_placeholders(draft)
    }
    with_words = fill_placeholders(draft, words)
    if with_words is not draft:
        session_draft.set(with_words)
    return with_words


ALERT_EDITOR: Final = Editor(ALERT_EDIT, sync_from_widgets=_sync_from_widgets)


def open_new(workspace: Workspace, draft: AlertDraft) -> None:
    """Store a new draft, and go to it."""
    stored_drafts.begin(workspace, ALERT_EDIT, draft)
    go_to(PUBLIC_ALERT, draft=draft.uid)


def open_begun(draft: AlertDraft) -> None:
    """Go to a new draft that is not stored until the user types something."""
    ALERT_EDITOR.show(draft)
    ALERT_EDITOR.linked.clear()
    go_to(PUBLIC_ALERT)
