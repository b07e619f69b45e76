"""The filter read back: as a sentence, as the exact JSON that will be sent, and the way from JSON into the builder."""

from __future__ import annotations

import re
from typing import Final

import streamlit as st

from components.contact_filters.draft import FilterDraft
from components.contact_filters.sentence import sentence
from components.contact_filters.wire import as_json
from components.filter_builder import actions
from components.filter_builder.actions import JSON_NOTES
from components.filter_builder.form_values import PREFIX
from components.widgets.downloads import download
from components.widgets.markdown_text import plain
from components.widgets.number_text import count

NOTES_SHOWN: Final = 12
_NOT_IN_FILE_NAMES: Final = re.compile(r"[^\w.-]+")


def read_back(draft: FilterDraft, zone: str) -> None:
    """Draw the sentence, and the JSON where the person asks for it."""
    with st.container(border=True, key="contact_filter-sentence"):
        st.markdown(f":material/format_quote: {plain(sentence(draft, zone))}")
        muted = len(draft.rules) - len(draft.live_rules)
        if muted and draft.live_rules:
            st.caption(f"{count(muted, 'muted rule is', 'muted rules are')} left out, here and when you save.")
    sent = st.expander(
        "The exact JSON that will be sent", icon=":material/data_object:", key=f"{PREFIX}.json", on_change="rerun"
    )
    if sent.open:
        with sent:
            _sent(draft)
    taken = st.expander(
        "Open a filter from JSON", icon=":material/file_open:", key=actions.json_key("opens"), on_change="rerun"
    )
    if taken.open:
        with taken:
            _taken()


def json_notes(draft: FilterDraft) -> None:
    """Say what was wrong with the JSON that was opened last, until the person puts it away."""
    held = JSON_NOTES.get()
    if held is None or held[0] != draft.uid or not (held[1] or held[2]):
        return
    _, problem, notes = held
    if problem:
        st.error(f"**The JSON was not opened; the rules are as they were.** {plain(problem)}", icon=":material/error:")
    else:
        lines = [f"- {plain(f'Rule {number}: {words}' if number else words)}" for number, words in notes[:NOTES_SHOWN]]
        if len(notes) > NOTES_SHOWN:
            lines.append(f"- and {len(notes) - NOTES_SHOWN:,} more, each at its rule")
        said = "\n".join(lines)
        st.warning(
            f"**Opened, with {count(len(notes), 'thing', 'things')} to look at**, as the JSON had it:\n{said}",
            icon=":material/warning:",
        )
    st.button("Put this away", key=f"{PREFIX}.json_notes", type="tertiary", on_click=actions.forget_json_notes)


def _sent(draft: FilterDraft) -> None:
    text = as_json(draft)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Muted rules, and fields that cannot be read yet, are not in it.", width="content")
        st.space("stretch")
        download(
            "Download",
            lambda: text,
            f"{_file_stem(draft)}.json",
            mime="application/json",
            key=f"{PREFIX}.json_download",
        )
    st.code(text, language=None, wrap_lines=True)


def _taken() -> None:
    st.caption(
        "A filter, an answer of the service, or a list of rules. It takes the place of the rules; *Undo* goes back."
    )
    st.text_area(
        "Paste JSON", key=actions.json_key("text"), height=140, placeholder='{"name": …, "contactFilterRules": […]}'
    )
    st.file_uploader("or upload a file", type=["json", "txt"], key=actions.json_key("file"))
    st.button("Open it in the builder", key=f"{PREFIX}.json_open", on_click=actions.open_json)


def _file_stem(draft: FilterDraft) -> str:
    return _NOT_IN_FILE_NAMES.sub("-", draft.title).strip("-.") or "contact-filter"
