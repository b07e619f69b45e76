"""A table of records: put in order, a page at a time, with rows that can be picked and files to take away.

Order, pages, picks and files are those of the whole result, never of what happens to be in sight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import pandas as pd
import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

from components.shell.address import AddressField, page_field, text_field
from components.shell.address import in_address as standing_in_address
from components.widgets.downloads import download_row
from components.widgets.pager import pager
from components.widgets.paging import (
    PAGE_SIZE,
    Column,
    cells_of,
    columns_of,
    ids_of,
    in_order,
    next_order,
    order_of,
    picked_now,
)

HEIGHT: Final = 560
_NAME: Final = "muster.record_table"
_SCRIPTS: Final = ComponentManifest("muster", "", [ComponentConfig("record_table", "browser")])


@dataclass(frozen=True)
class Picked:
    """The ids that are picked, and the rows of those in sight."""

    ids: Sequence[str]
    rows: pd.DataFrame

    @property
    def one(self) -> str | None:
        """The id of what is picked, where one row can be."""
        return next(iter(self.ids), None)


def record_table(
    table: pd.DataFrame,
    columns: Mapping[str, str | Column],
    key: str,
    *,
    id_column: str | Sequence[str] = (),
    selection: Literal["one", "many"] | None = "one",
    selected: Sequence[str] | None = None,
    picked_in: str | None = None,
    noun: tuple[str, str] = ("row", "rows"),
    shown: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
    values: Callable[[str], pd.Series] | None = None,
    page_size: int = PAGE_SIZE,
    height: int = HEIGHT,
    total: int | None = None,
    in_address: bool = False,
    file: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
    stem: str = "",
    by: str | None = None,
    placeholder: str = "",
) -> Picked:
    """Draw a table and give back what is picked.

    `columns` names the columns to show, in order. A press on a heading puts the whole table in order by it, another
    turns the order round, a third takes it back; `by` is the column whose order the table has by itself. `shown` makes
    what is shown out of the rows of one page, and `values` what puts all rows in order, where the table holds neither.
    Rows are known by the text of `id_column`, or of several. What is picked stands in the URL as `picked_in`, or is
    kept by the caller, who gives it as `selected`; else it is forgotten once it is out of sight. With `total`, `table`
    is the page of so many that the caller read, by the number that the session holds as `key`-page: it cannot be put
    in order. `file` makes the table of the files out of the whole one in its order. With `in_address`, order and page
    stand in the URL. What is longer than `height`, in pixels, scrolls.
    """
    columns = columns_of(columns)
    addressed = (_order(key), page_field(f"{key}-page")) if in_address else ()
    with standing_in_address(*addressed):
        order = None if total is not None else order_of(_order(key).get(), columns, by)
        whole = table
        if order is not None and order != (by, False):
            name, descending = order
            whole = in_order(table, values(name) if values else table[columns[name].order or name], descending)
        place = st.container()
        bounds = pager(len(table) if total is None else total, key=f"{key}-page", page_size=page_size, noun=noun)
        page = whole.iloc[bounds.start : bounds.stop] if total is None else table
    if file is not None:
        download_row(lambda: file(whole), stem, f"{key}-file")
    ids = ids_of(page, id_column)
    pressed_key, picked_key = f"{key}-pressed", f"{key}-picked"
    pressed = st.session_state.pop(pressed_key, None)
    if picked_in is not None:
        selected = st.query_params.get_all(picked_in)
    kept = selected if selected is not None else st.session_state.get(picked_key, [])
    picked = picked_now(kept, pressed, ids, selection, keeps_what_is_out_of_sight=selected is not None)
    if selected is None:
        st.session_state[picked_key] = picked
    if picked_in is not None and pressed is not None:
        _in_url(picked_in, picked)
    cells = cells_of(page if shown is None else shown(page), columns, placeholder)
    with place:
        _drawn()(
            key=key,
            data={
                "label": f"Table of {noun[1]}",
                "mode": selection,
                "height": f"{height}px",
                "columns": [
                    {
                        "name": name,
                        "label": column.label,
                        "numeric": column.numeric,
                        "colours": dict(column.colours),
                        "sort": _direction(name, order) if total is None else None,
                    }
                    for name, column in columns.items()
                ],
                "rows": [{"id": id_, "cells": row} for id_, row in zip(ids, cells, strict=True)],
                "picked": [id_ for id_ in ids if id_ in picked],
            },
            on_sort_change=lambda: _sort(key, columns, by),
            on_pick_change=lambda: _pick(key, pressed_key),
        )
    return Picked(picked, page[[id_ in picked for id_ in ids]])


def _drawn() -> Any:
    """The part of the page that draws a table; its scripts are served from here, as the security policy asks."""
    manager = get_bidi_component_manager()
    if manager.get(_NAME) is None:
        manager.register_from_manifest(_SCRIPTS, Path(__file__).parent)
    return st.components.v2.component(_NAME, js="record_table.js", css="record_table.css")


def _direction(name: str, order: tuple[str, bool] | None) -> str:
    if order is None or order[0] != name:
        return "none"
    return "descending" if order[1] else "ascending"


def _sort(key: str, columns: Mapping[str, Column], by: str | None) -> None:
    order = order_of(_order(key).get(), columns, by)
    _order(key).set(next_order(order, str(st.session_state[key]["sort"]), by))
    page = f"{key}-page"
    if page in st.session_state:
        st.session_state[page] = 1


def _pick(key: str, pressed_key: str) -> None:
    st.session_state[pressed_key] = [str(id_) for id_ in st.session_state[key]["pick"]]


def _in_url(name: str, values: Sequence[str]) -> None:
    if values:
        st.query_params[name] = values
    else:
        st.query_params.pop(name, None)


def _order(key: str) -> AddressField[str]:
    return text_field(f"{key}-sort")
