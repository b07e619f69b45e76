"""Drawing which columns of the file stand for what the rules look at, and letting a person say so."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components.filter_test_bench.bench import BenchResult
from components.filter_test_bench.column_matching import Match, unmatched, unsure
from components.filter_test_bench.state import CHOSEN
from components.filter_test_bench.subjects import UNTIL, Subject, name_of_kind
from components.shell.state import StateKey
from components.widgets.markdown_text import plain
from components.widgets.number_text import names


def mapping(result: BenchResult, *, key: str) -> None:
    """Draw the step: folded away while every column was found, open and first where one is missing."""
    subjects = list(result.subjects.values())
    if not subjects:
        return
    missing, doubtful = unmatched(subjects, result.matches), unsure(subjects, result.matches)
    if doubtful:
        labels = names([f"“{subject.label}”" for subject in doubtful])
        st.info(f"Look whether the right column was taken for {plain(labels)}.", icon=":material/view_column:")
    found = len(subjects) - len(missing)
    with st.expander(
        f"Columns of the file: {found:,} of {len(subjects):,} found",
        expanded=bool(missing or doubtful),
        icon=":material/view_column:",
        key=f"{key}-columns",
    ):
        for subject in subjects:
            _subject(subject, result, key)
        if CHOSEN.get():
            st.button(
                "Back to what was found by itself",
                key=f"{key}-columns-reset",
                icon=":material/undo:",
                on_click=CHOSEN.clear,
            )


def _subject(subject: Subject, result: BenchResult, key: str) -> None:
    slots = st.columns(2) if subject.is_span else [st.container()]
    for slot, place in zip(subject.slots, slots, strict=True):
        with place:
            label = f"{subject.label} until" if slot.endswith(UNTIL) else subject.label
            _slot(slot, label, subject, result.matches[slot], result.file.headers, key)


def _slot(slot: str, label: str, subject: Subject, match: Match, headers: tuple[str, ...], key: str) -> None:
    # What is shown is what is used: found anew, it replaces what the widget held.
    held = StateKey[object](f"{key}-column-{slot}", lambda: None)
    if subject.takes_several:
        held.set(list(match.headers))
        st.multiselect(
            plain(label),
            headers,
            key=held.widget_key,
            placeholder="No column",
            help=name_of_kind(subject) or None,
            on_change=partial(_choose, slot, held.widget_key),
        )
    else:
        held.set(match.headers[0] if match.headers else None)
        st.selectbox(
            plain(label),
            headers,
            index=None,
            key=held.widget_key,
            placeholder="In the same column" if slot.endswith(UNTIL) else "No column",
            help=name_of_kind(subject) or None,
            on_change=partial(_choose, slot, held.widget_key),
        )
    if not match.is_sure:
        st.caption(":material/help: Taken because it is called alike: look whether it is the one.")


def _choose(slot: str, widget_key: str) -> None:
    said = StateKey[list[str] | str | None](widget_key, lambda: None).get()
    CHOSEN.set({**CHOSEN.get(), slot: said if isinstance(said, list) else [said] if said else []})
