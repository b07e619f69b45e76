"""Draw how the texts of an alert changed, word by word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from domain.alerts.alert_form import LABELS
from domain.alerts.alert_templates import TEXTS, texts_of
from domain.alerts.draft import AlertDraft
from domain.alerts.wording.word_changes import WordChange, word_changes
from domain.text.plain_text import names, plain

_STYLES: Final = {"same": "{}", "removed": ":red[~~{}~~]", "added": ":green[**{}**]"}


def changes_from_sent(draft: AlertDraft) -> None:
    """Draw the difference between a follow-up and the alert that it follows, if it is known."""
    if draft.sent_texts:
        _draw("Changes from the sent alert", draft.sent_texts, draft, key=f"public_alert-changes/{draft.uid}")


def changes_between(title: str, earlier: AlertDraft, draft: AlertDraft, *, key: str) -> None:
    """Draw the difference between two drafts: their texts, and the labels of other fields that changed."""
    others = [
        label for name, label in LABELS.items() if name not in TEXTS and getattr(earlier, name) != getattr(draft, name)
    ]
    _draw(title, texts_of(earlier), draft, key=key, others=others)


def _draw(title: str, before: Mapping[str, str], draft: AlertDraft, *, key: str, others: Sequence[str] = ()) -> None:
    changed = {name: text for name, text in before.items() if text.split() != getattr(draft, name).split()}
    with st.expander(title, icon=":material/difference:", expanded=True, key=key):
        for name, text in changed.items():
            st.markdown(f"**{plain(LABELS[name])}**: {_as_markdown(word_changes(text, getattr(draft, name)))}")
        if changed:
            st.caption("Words in bold were added. Words that are struck through were removed.")
        if others:
            st.markdown(f"Also changed: {plain(names([*others]))}.")
        if not changed and not others:
            st.caption("Nothing has changed.")


def _as_markdown(changes: Sequence[WordChange]) -> str:
    return " ".join(_STYLES[change.kind].format(plain(change.text)) for change in changes)
