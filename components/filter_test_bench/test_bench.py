"""The test bench on the screen: a file of contacts, who matches, what each rule keeps, and why."""

from __future__ import annotations

from typing import Final, get_args

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
from components.widgets.downloads import download_row
from components.widgets.markdown_text import plain
from components.widgets.number_text import count
from components.widgets.pager import pager
from components.widgets.record_table import number_column, record_table

PAGE_SIZE: Final = 50
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
    st.dataframe(
        table,
        key=f"{key}-rules",
        hide_index=True,
        height="content",
        placeholder="–",
        column_order=["number", "rule", "alone", "share", "kept", "change"],
        column_config={
            "number": st.column_config.NumberColumn("Rule", width=50),
            "rule": "What it asks",
            "alone": number_column("Holds for"),
            "share": st.column_config.ProgressColumn("Of all", min_value=0, max_value=100, format="%.0f %%"),
            "kept": number_column("Left after it"),
            "change": st.column_config.TextColumn(
                "If muted", help="How many more would match without the rule, or with a muted one."
            ),
        },
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
    table_place = st.container()
    # Under the table: above it, the table's own floating buttons would lie over the page numbers.
    bounds = pager(len(rows), key=f"{key}-page-{who}", page_size=PAGE_SIZE, noun=("contact", "contacts"))
    page = people_frame(result, rows[bounds.start : bounds.stop], with_reasons=with_reasons)
    columns = shown_columns(result, with_reasons=with_reasons)
    with table_place:
        chosen = record_table(page, dict.fromkeys(columns), f"{key}-people-{who}", page_size=None, id_column=ROW)
    download_row(
        lambda: people_frame(result, rows, with_reasons=with_reasons).drop(columns=ROW),
        file_stem(draft.title, who),
        f"{key}-download-{who}",
    )
    st.caption(f"The files hold {count(len(rows), 'contact', 'contacts')} with every column of yours.")
    return int(chosen[ROW].iloc[0]) if len(chosen) else None


def _nobody(who: Who) -> str:
    if who == "match":
        return "Nobody in the file matches. The table above shows which rule leaves nobody; mute it to see who would."
    if who == "nearly":
        return "Nobody is kept out by one rule alone."
    return "Nobody is out: every rule that is judged here holds for everybody."
