"""The test bench on the screen: a file of contacts, who matches, what each rule keeps, and why."""

from __future__ import annotations

from typing import Final, get_args

import pandas as pd
import streamlit as st

from components.contact_filters.draft import FilterDraft
from components.filter_test_bench import bench_words
from components.filter_test_bench.bench import BenchResult, ContactBench
from components.filter_test_bench.bench_frames import (
    ROW,
    Who,
    file_stem,
    people_frame,
    rows_of_people,
    rule_notes,
    rules_frame,
    shown_columns,
)
from components.filter_test_bench.intake import file_bar, intake
from components.filter_test_bench.judging_choice import judging_choice
from components.filter_test_bench.mapping_view import mapping
from components.filter_test_bench.state import BENCH, CHOSEN
from components.filter_test_bench.why_view import why_section
from components.widgets.markdown_text import plain
from components.widgets.number_text import count
from components.widgets.paging import Column, numbers
from components.widgets.record_table import record_table

_WHO: Final = {
    "match": "Who matches",
    "nearly": "Out by one rule",
    "out": "Everybody out",
    "all": "Everybody",
}


@st.fragment
def test_bench(draft: FilterDraft, *, key: str) -> None:
    """Draw the bench for the filter as it is now. A change inside it draws the bench anew, not the page."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header("Test bench", anchor=False, width="content")
        st.badge("Estimate", icon=":material/science:", color="orange")
        st.space("stretch")
        judging = judging_choice(key=key)
    st.caption(bench_words.ESTIMATE)
    bench = BENCH.get()
    if bench is None:
        intake(draft, judging, key=key)
        return
    file_bar(bench, draft, judging, key=key)
    result = bench.hold_against(draft, judging, CHOSEN.get())
    _answer(result)
    mapping(result, key=key)
    if result.rules:
        _rules(bench, result, key)
    picked = _people(draft, result, key)
    why_section(bench, result, picked, key=key)


def _answer(result: BenchResult) -> None:
    st.subheader(plain(bench_words.headline(result)), anchor=False)
    kept = bench_words.kept_words(result)
    if kept:
        st.markdown(plain(kept))
    aside = bench_words.set_aside_words(result)
    if aside:
        st.warning(plain(aside), icon=":material/help:")
    for words in (bench_words.case_words(result), bench_words.now_words(result)):
        if words:
            st.caption(f":material/info: {plain(words)}")


def _rules(bench: ContactBench, result: BenchResult, key: str) -> None:
    table = rules_frame(bench, result)
    record_table(
        table,
        {
            "number": numbers("Rule"),
            "rule": "What it asks",
            "alone": numbers("Holds for"),
            "share": Column("Of all", "{:.0f} %".format, numeric=True),
            "kept": numbers("Left after it"),
            "change": "If muted",
        },
        f"{key}-rules",
        selection=None,
        noun=("rule", "rules"),
        by="number",
        placeholder="–",
    )
    notes = rule_notes(table)
    if notes:
        # Not in the table: on a narrow screen nobody would see them there.
        st.caption("\n".join(f"- {plain(note)}" for note in notes))


def _people(draft: FilterDraft, result: BenchResult, key: str) -> int | None:
    """Draw the people, a page at a time; give back the row of the file that is picked."""
    who: Who = st.radio(
        "People",
        get_args(Who),
        format_func=lambda who: _WHO[who],
        horizontal=True,
        label_visibility="collapsed",
        key=f"{key}-who",
        persist_state="session",
    )
    rows = rows_of_people(result, who)
    if not len(rows):
        st.caption(_nobody(who))
        return None
    with_reasons = who != "match"

    def frame(people: pd.DataFrame) -> pd.DataFrame:
        return people_frame(result, people[ROW].to_numpy(), with_reasons=with_reasons)

    picked = record_table(
        pd.DataFrame({ROW: rows}),
        {name: name for name in shown_columns(result, with_reasons=with_reasons)},
        f"{key}-people-{who}",
        id_column=ROW,
        noun=("contact", "contacts"),
        shown=frame,
        values=lambda name: frame(pd.DataFrame({ROW: rows}))[name],
        file=lambda ordered: frame(ordered).drop(columns=ROW),
        stem=file_stem(draft.title, who),
    )
    st.caption(f"The files hold {count(len(rows), 'contact', 'contacts')} with every column of yours.")
    return None if picked.one is None else int(picked.one)


def _nobody(who: Who) -> str:
    if who == "match":
        return "Nobody in the file matches. The table above shows which rule leaves nobody; mute it to see who would."
    if who == "nearly":
        return "Nobody is kept out by one rule alone."
    return "Nobody is out: every rule that is judged here holds for everybody."
