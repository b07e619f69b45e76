"""The bare page that `bench/filter_keystroke.py` measures against: as many widgets of each type, and nothing else."""

import streamlit as st

from domain.filters.filter_form import column_choices, operator_choices
from domain.geography.countries import all_countries

OPERATORS = operator_choices({"columnName": "firstName", "type": "SYSTEM", "dataType": "STRING"})
SELECTS = [column_choices({}), OPERATORS]


def number(kind: str) -> int:
    """Return how many widgets of a type the URL requests."""
    return int(st.query_params.get(kind, "0"))


st.set_page_config(layout="wide")
rules = number("rules")
for i in range(number("selects")):
    options = SELECTS[i % 2] if i < 2 * rules else all_countries()
    st.selectbox(
        f"Select {i}",
        tuple(options),
        index=None,
        key=f"select-{i}",
        format_func=options.__getitem__,
        label_visibility="collapsed",
    )
for i in range(number("multiselects")):
    st.multiselect(f"List {i}", ("310", "311"), key=f"list-{i}", label_visibility="collapsed", accept_new_options=True)
for i in range(number("dates")):
    st.date_input(f"Date {i}", value=None, key=f"date-{i}", format="YYYY-MM-DD", label_visibility="collapsed")
for i in range(number("buttons")):
    st.button("", icon=":material/close:", help=f"Button {i}", type="tertiary")
for i in range(number("popovers")):
    st.popover(
        "", icon=":material/more_horiz:", key=f"popover-{i}", help=f"Popover {i}", type="tertiary", on_change="rerun"
    )
for i in range(number("expanders")):
    st.expander(f"Expander {i}", key=f"expander-{i}", on_change="rerun")
for i in range(number("uploaders")):
    st.file_uploader(f"File {i}", key=f"file-{i}", label_visibility="collapsed")
texts = [
    st.text_input(f"Text {i}", key=f"text-{i}", label_visibility="collapsed", live=True) for i in range(number("texts"))
]
st.markdown(" ".join(texts))
