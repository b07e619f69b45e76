"""Drawing how the rules are judged, and letting what the interface leaves open be taken otherwise."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

import streamlit as st

from components.filter_test_bench.bench_words import judging_words
from components.filter_test_bench.judging import DateOrder, Judging, judging_of
from components.filter_test_bench.state import ABSENT_IS_OTHER, AT_MOMENT, CASE_MATTERS, DATE_ORDER, MOMENT, ZONE
from components.geography.time_zones import all_zones
from components.widgets.markdown_text import plain

_ORDERS = {
    "as the file shows": "As the file's own dates show",
    "day first": "Day first: 3 April",
    "month first": "Month first: 4 March",
}


def judging_choice(*, key: str) -> Judging:
    """Draw the button behind which the choices stand; give back how to judge."""
    for kept in (CASE_MATTERS, ABSENT_IS_OTHER, ZONE, DATE_ORDER, AT_MOMENT, MOMENT):
        kept.get()
    with st.popover("How it is judged", icon=":material/rule:", key=f"{key}-judging"):
        case_matters = st.toggle("Capitals count in texts", key=CASE_MATTERS.widget_key, persist_state="session")
        absent_is_other = st.toggle(
            "“Is not” holds for somebody without a value",
            key=ABSENT_IS_OTHER.widget_key,
            persist_state="session",
            help="So do “does not contain” and “is none of”.",
        )
        zones = dict.fromkeys((*all_zones(), ZONE.get()))
        zone = st.selectbox("Times without a zone are in", tuple(zones), key=ZONE.widget_key, persist_state="session")
        order = st.selectbox(
            "Dates such as 03/04/2026",
            get_args(DateOrder),
            format_func=lambda order: _ORDERS[order],
            key=DATE_ORDER.widget_key,
            persist_state="session",
        )
        at_moment = st.toggle("Judge “now” at another moment", key=AT_MOMENT.widget_key, persist_state="session")
        moment = None
        if at_moment:
            moment = st.datetime_input(
                f"“Now” is ({plain(zone)})",
                value=None,
                key=MOMENT.widget_key,
                format="YYYY-MM-DD",
                persist_state="session",
            )
            if moment is None:
                st.caption("Give the moment; until then it is the present one.")
        judging = judging_of(
            datetime.now(UTC),
            moment if at_moment else None,
            zone,
            case_matters=case_matters,
            absent_is_other=absent_is_other,
            date_order=order,
        )
        st.markdown("\n".join(f"- {plain(words)}" for words in judging_words(judging)))
    return judging
