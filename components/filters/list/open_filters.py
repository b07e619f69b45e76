"""Open one filter or several from JSON files, each as a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from components.shell.address import go_to
from components.shell.notices import show_success
from components.shell.state import StateKey
from domain.edits import stored_drafts
from domain.filters.filter_change import FILTER_EDIT
from domain.filters.opened_json import OpenedJson, parse_filters_json
from domain.runtime.screens import CONTACT_FILTER
from domain.text.plain_text import count, plain
from domain.text.text_limits import MAX_PASTE

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace

_KEY: Final = "contact-filters-open"
_MOST_NOTES: Final = 12
_OPENED: Final = StateKey[int]("contact_filters.opened", int)
"""Counts what was opened: with another key, the fields are empty again."""
_NOTES: Final = StateKey[list[str]]("contact_filters.opened_notes", list)
"""The problems of what was opened last."""


def draw_open_filters(workspace: Workspace) -> None:
    """Draw the fields for JSON, and the problems of what was opened last."""
    opening = st.expander(
        "Open filters from JSON", icon=":material/file_open:", key=_part_key("opens"), on_change="rerun"
    )
    if opening.open:
        with opening:
            st.caption("Each filter becomes a draft. Nothing is sent until you save it.")
            st.file_uploader("JSON files", type=["json", "txt"], accept_multiple_files=True, key=_part_key("files"))
            st.text_area(
                "Or paste JSON",
                key=_part_key("text"),
                max_chars=MAX_PASTE,
                height=120,
                placeholder='[{"name": …, "contactFilterRules": […]}, …]',
            )
            if st.button("Open JSON", key=f"{_KEY}-open"):
                _open(workspace)
    notes = _NOTES.get()
    if notes:
        lines = [f"- {plain(note)}" for note in notes[:_MOST_NOTES]]
        if len(notes) > _MOST_NOTES:
            lines.append(f"- and {len(notes) - _MOST_NOTES:,} more, shown next to the rules of the drafts")
        st.warning("**Check the JSON:**\n" + "\n".join(lines), icon=":material/warning:")
        st.button("Dismiss", key=f"{_KEY}-dismiss", type="tertiary", on_click=_NOTES.clear)


def _open(workspace: Workspace) -> None:
    """Store a draft for each filter. The only one is opened in the rule builder."""
    files = st.session_state.get(_part_key("files")) or ()
    sources = [(each.name, each.getvalue()) for each in files]
    pasted = str(st.session_state.get(_part_key("text")) or "")
    if pasted.strip():
        sources.append(("The pasted text", pasted.encode()))
    notes: list[str] = [] if sources else ["Select a file, or paste JSON."]
    drafts = []
    for name, content in sources:
        for opened in _parse(content):
            if opened.draft is None:
                notes.append(f"{name} was not opened. {opened.problem}")
                continue
            title = opened.draft.title
            notes += [f"{title}{f', rule {rule}' if rule else ''}: {note}" for rule, note in opened.notes]
            drafts.append(opened.draft.model_copy(update={"checked": bool(opened.notes)}))
    _NOTES.set(notes)
    for draft in drafts:
        stored_drafts.save(workspace, FILTER_EDIT, draft, seen=None)
    if not drafts:
        st.rerun()
    _OPENED.set(_OPENED.get() + 1)
    if len(drafts) == 1:
        go_to(CONTACT_FILTER, draft=drafts[0].uid)
    show_success(f"Opened {count(len(drafts), 'filter', 'filters')} as drafts. Open each draft to save it.")
    st.rerun()


def _part_key(part: str) -> str:
    """Return the key of the "files", the "text", or the expander that "opens" them."""
    return f"{_KEY}/{part}/{_OPENED.get()}"


def _parse(content: bytes) -> list[OpenedJson]:
    try:
        return parse_filters_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return [OpenedJson(problem="The file is not UTF-8 text.")]
