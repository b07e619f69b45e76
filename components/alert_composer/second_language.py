"""The same alert in another language: a second draft, linked to the first, with its own text and its own meter."""

from __future__ import annotations

from typing import Final

import streamlit as st

from components.alert_composer.opening import keep, show_new
from components.alert_sending.alert_change import ALERT, ALERT_EDITOR
from components.alert_wording.follow_ups import follow_up
from components.change import kept_drafts
from components.public_alerts.draft import SECOND_LANGUAGE, AlertDraft
from components.public_alerts.wordings import excerpt
from components.shell.navigation import link_to
from components.shell.screens import PUBLIC_ALERT
from components.shell.state import StateKey
from components.shell.workspace import Workspace
from components.widgets.markdown_text import plain

_ASKED: Final = StateKey[list[str]]("public_alerts.language_asked", list)


def in_another_language(workspace: Workspace, draft: AlertDraft) -> None:
    """Draw what the draft says in another language, or is said in; else the way to begin that."""
    if draft.beside:
        first = kept_drafts.load(workspace, ALERT, draft.beside)
        with st.container(border=True, gap="xsmall", key="public_alert-first-language"):
            st.markdown(":material/translate: **The same alert in another language**")
            if first is not None:
                st.text(first.draft.sms)
                if first.draft.instructions.strip():
                    st.text(first.draft.instructions)
            link_to(PUBLIC_ALERT, "Open the first one", draft=draft.beside)
        return
    others = [each.draft for each in kept_drafts.unfinished(workspace, ALERT) if each.draft.beside == draft.uid]
    for other in others:
        said = excerpt(other.sms) or "no text yet"
        link_to(PUBLIC_ALERT, plain(f"In another language: {said}"), icon=":material/translate:", draft=other.uid)
    if draft.sms.strip():
        st.button(
            "In another language",
            key="public_alert.second_language",
            icon=":material/translate:",
            type="tertiary",
            help="A second alert to the same people, linked to this one, whose text you write in the other language. "
            "Each is reviewed and sent by itself.",
            on_click=_ASKED.get().append,
            args=(draft.uid,),
        )


def begin_language_if_asked(workspace: Workspace) -> None:
    """Begin the alert in another language that was asked for; the first is kept as it stands."""
    asked, draft = _ASKED.get(), ALERT_EDITOR.current()
    if draft is not None and draft.uid in asked:
        first = keep(workspace, draft)
        show_new(workspace, follow_up(SECOND_LANGUAGE, first).model_copy(update={"beside": first.uid}))
    asked.clear()
