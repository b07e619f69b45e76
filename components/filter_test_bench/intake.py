"""Drawing how a file of contacts gets in, or a sample of one, and how it is forgotten."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from components.contact_filters.draft import FilterDraft
from components.filter_test_bench import bench_words
from components.filter_test_bench.bench import ContactBench
from components.filter_test_bench.contact_file import MAX_ROWS, read_contacts
from components.filter_test_bench.judging import Judging
from components.filter_test_bench.sample import SAMPLE_NAME, sample_csv
from components.filter_test_bench.state import BENCH, CHOSEN, INTAKE, PROBLEM
from components.intake.delimited import Unreadable
from components.shell.state import StateKey
from components.widgets.downloads import CSV_MIME, download
from components.widgets.field_problem import field_problem
from components.widgets.file_intake import file_field, row_problems
from components.widgets.markdown_text import plain


def intake(draft: FilterDraft, judging: Judging, *, key: str) -> None:
    """Draw the field for a file and the two ways to a sample; a file that was taken is kept and the page runs again."""
    _file_field(key, "Contacts as a CSV file")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Try it with a sample",
            key=f"{key}-sample",
            icon=":material/science:",
            help="A few made-up contacts, made from the filter's rules: some match, some miss one rule each.",
            on_click=partial(take_sample, draft, judging),
        )
        download(
            "Sample as a file",
            partial(sample_csv, draft, judging),
            SAMPLE_NAME,
            mime=CSV_MIME,
            key=f"{key}-sample-file",
            kind="tertiary",
        )
    st.caption(bench_words.PRIVACY)


def file_bar(bench: ContactBench, draft: FilterDraft, judging: Judging, *, key: str) -> None:
    """Draw which file is held against the rules, what to know of its reading, and how to take another or none."""
    file = bench.file
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f":material/description: **{plain(file.name)}** · {plain(bench_words.file_words(file))}", width="content"
        )
        st.space("stretch")
        if file.name == SAMPLE_NAME:
            st.button(
                "New sample",
                key=f"{key}-sample-anew",
                icon=":material/science:",
                help="Make it anew from the rules as they are now.",
                on_click=partial(take_sample, draft, judging),
            )
        with st.popover("Another file", icon=":material/upload_file:", key=f"{key}-another"):
            _file_field(key, "Contacts as a CSV file")
            st.caption(bench_words.PRIVACY)
        st.button("Forget this file", key=f"{key}-forget", icon=":material/delete:", on_click=forget)
    field_problem(PROBLEM.get())
    for note in (*file.notes, *bench_words.person_notes(bench)):
        st.caption(f":material/info: {plain(note)}")
    row_problems(file.problems, key=f"{key}-problems")
    if file.doubt:
        st.warning(plain(file.doubt), icon=":material/help:")
    if file.rows + file.has_headings > 1:
        # What is shown is what is used: another file replaces what the widget held.
        held = StateKey[bool](f"{key}-headings", bool)
        held.set(file.has_headings)
        st.checkbox(f"Row {file.numbers[0]} holds the headings", key=held.widget_key, on_change=_turn_headings)


def take_sample(draft: FilterDraft, judging: Judging) -> None:
    """Hold the sample against the rules."""
    _take(SAMPLE_NAME, sample_csv(draft, judging))


def forget() -> None:
    """Let go of the file and of everything worked out of it."""
    BENCH.clear()
    CHOSEN.clear()
    PROBLEM.clear()


def _file_field(key: str, label: str) -> None:
    upload = file_field(
        label,
        key=f"{key}-file-{INTAKE.get()}",
        help_text=f"A row a contact under a row of headings, up to {MAX_ROWS:,} rows. Headings such as “Last name”, "
        "“lastName” or “address.country” are found by themselves; the others can be matched by hand.",
    )
    if BENCH.get() is None:
        field_problem(PROBLEM.get())
    if upload is not None:
        with st.spinner(f"Reading {plain(upload.name)} …"):
            _take(upload.name, upload.getvalue())
        INTAKE.set(INTAKE.get() + 1)
        st.rerun()


def _take(name: str, content: bytes) -> None:
    """Keep the file; one that cannot be read leaves the one before as it is, and says why."""
    try:
        BENCH.set(ContactBench(read_contacts(name, content)))
    except Unreadable as error:
        PROBLEM.set(f"{name} was not taken. {error}")
        return
    CHOSEN.clear()
    PROBLEM.clear()


def _turn_headings() -> None:
    """Take the first row for a contact where it was taken for headings, and the other way round."""
    bench = BENCH.get()
    if bench is not None:
        BENCH.set(ContactBench(replace(bench.file, has_headings=not bench.file.has_headings)))
        CHOSEN.clear()
