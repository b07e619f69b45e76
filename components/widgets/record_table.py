"""A table of records: a page at a time, sorted over all pages, with rows that can be picked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal

import pandas as pd
import streamlit as st

from components.widgets.pager import pager
from components.widgets.paging import fingerprint, in_order, picked_rows, rows_of


def record_table(
    table: pd.DataFrame,
    columns: Mapping[str, Any],
    key: str,
    *,
    page_size: int | None = 50,
    selection: Literal["one", "many"] | None = "one",
    id_column: str | None = None,
    selected: Collection[object] = (),
    noun: tuple[str, str] = ("row", "rows"),
    height: int | Literal["auto", "stretch", "content"] = "auto",
    placeholder: str = "",
) -> pd.DataFrame:
    """Draw a table and give back the rows that are picked, as rows of `table`.

    `columns` names the columns to show, in order: a label, or a Streamlit column configuration. `page_size` None shows
    all rows (a caller that pages for itself). Rows whose `id_column` is in `selected` start out picked. A pick is
    forgotten when the rows in sight change, so that it never slides to another record. `placeholder` stands in cells
    that hold nothing.
    """
    shown = table
    if page_size is not None and len(table) > page_size:
        shown = in_order(table, *_ordering(columns, key))
    table_place = st.container()
    if page_size is not None:
        # Under the table: above it, the table's own floating buttons would lie over the page numbers.
        bounds = pager(len(table), key=f"{key}-page", page_size=page_size, noun=noun)
        shown = shown.iloc[bounds.start : bounds.stop]
    configuration = {name: value for name, value in columns.items() if value is not None}
    drawing: dict[str, Any] = {
        "column_order": list(columns),
        "column_config": configuration,
        "hide_index": True,
        "height": height,
        "placeholder": placeholder,
    }
    if selection is None:
        table_place.dataframe(shown, key=key, **drawing)
        return table.iloc[0:0]
    state = table_place.dataframe(
        shown,
        key=f"{key}-{fingerprint(shown, id_column)}",
        on_select="rerun",
        selection_mode="single-row" if selection == "one" else "multi-row",
        selection_default={"selection": {"rows": rows_of(shown, id_column, selected)}} if selected else None,
        **drawing,
    )
    return picked_rows(shown, state["selection"]["rows"])


def number_column(label: str) -> Any:
    """Configure a column of numbers with separators."""
    return st.column_config.NumberColumn(label, format="localized")


def _ordering(columns: Mapping[str, Any], key: str) -> tuple[str | None, bool]:
    """Draw what a table of several pages is sorted by; a click on a heading would sort the page in sight only."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        column = st.selectbox(
            "Sort by",
            [None, *columns],
            format_func=lambda name: "As listed" if name is None else _label(name, columns[name]),
            key=f"{key}-sort",
            width=220,
        )
        descending = st.toggle("Last first", key=f"{key}-descending", disabled=column is None)
    return column, descending


def _label(name: str, configuration: Any) -> str:
    if isinstance(configuration, str):
        return configuration
    label = configuration.get("label") if isinstance(configuration, Mapping) else None
    return str(label or name)
