"""Drawing why a person is in or out."""

from __future__ import annotations

from typing import Final

import streamlit as st

from components.filter_test_bench.bench import BenchResult, ContactBench
from components.filter_test_bench.why import MOST_FOUND, Why, WhyLine, explain, find_people, who_is
from components.widgets.markdown_text import plain

_MARKS: Final = {
    True: ":green[:material/check_circle:]",
    False: ":red[:material/cancel:]",
    None: ":gray[:material/help:]",
}


def why_section(bench: ContactBench, result: BenchResult, picked: int | None, *, key: str) -> None:
    """Draw the search for a person and the answer; a person searched for stands before one `picked` in the table."""
    st.subheader("Why is this person in or out?", anchor=False)
    text = st.text_input(
        "Find a person",
        key=f"{key}-find",
        live=True,
        placeholder="A name, an id, anything that stands in their row",
        persist_state="session",
    )
    row = picked
    if text.strip():
        found = find_people(result.file, text)
        if not found:
            st.caption("Nobody in the file has all of these words in their row.")
            return
        row = found[0]
        if len(found) > 1:
            row = st.selectbox("Person", found, format_func=lambda row: who_is(result.file, row), key=f"{key}-person")
            if len(found) == MOST_FOUND:
                st.caption(f"The first {MOST_FOUND} are offered: type more to find others.")
    if row is None:
        st.caption("Pick a person in the table above, or type a part of a name or id.")
        return
    _draw(explain(bench, result, row))


def _draw(why: Why) -> None:
    with st.container(border=True):
        st.markdown(f"{_MARKS[why.is_in]} **{plain(why.who)}** · {plain(why.summary)}")
        st.markdown("\n".join(_line(line) for line in why.lines))


def _line(line: WhyLine) -> str:
    if line.holds is None:
        mark, said = ":material/help:", "is set aside"
    elif line.holds:
        mark, said = ":green[:material/check:]", "holds"
    else:
        mark, said = ":red[:material/close:]", "does not hold"
    muted = " (muted: it does not count)" if line.is_muted else ""
    return f"{line.number}. {mark} **{plain(line.words)}** {said}{muted}. {plain(line.because)}"
