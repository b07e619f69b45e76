"""A table with sorting, pages, selection, and downloads, which all work on the whole result."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

import pandas as pd
import streamlit as st

from components.shell.address import AddressField, in_address, page_field, text_field
from components.shell.state import StateKey
from components.streamlit_workarounds.own_scripts import draw_component
from components.widgets.downloads import download_menu
from domain.tables.status import Status
from domain.tables.table_pages import (
    PAGE_SIZE,
    Column,
    PageBounds,
    RowAction,
    format_cells,
    next_order,
    normalize_columns,
    order_of,
    page_bounds,
    row_ids,
    sort_rows,
    update_selection,
)
from domain.text.plain_text import count

HEIGHT: Final = 560
_FIVE_PAGES_PIXELS: Final = 248
_SEVEN_PAGES_PIXELS: Final = 320


@dataclass(frozen=True)
class TableSelection:
    """The IDs of the selected rows, and those rows that are on the page."""

    ids: Sequence[str]
    rows: pd.DataFrame

    @property
    def first_id(self) -> str | None:
        """The ID of the first selected row, if any."""
        return next(iter(self.ids), None)


def record_table(
    table: pd.DataFrame,
    columns: Mapping[str, str | Column],
    key: str,
    *,
    sort_values: Callable[[str], pd.Series] | None = None,
    page_size: int = PAGE_SIZE,
    has_url_state: bool = False,
    build_file: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
    stem: str = "",
    default_order: str | None = None,
    noun: tuple[str, str] = ("row", "rows"),
    reveal_id: str = "",
    **page_options: Any,
) -> TableSelection:
    """Draw a table and return its selection.

    A press on a heading sorts the whole table by this column, the next one reverses the order, and the third one
    restores the default.

    Args:
        table: All rows.
        columns: The columns to show, in order.
        key: The prefix of the widget keys.
        sort_values: Returns the values of a column that sort the rows, if the table does not contain them.
        page_size: The number of rows per page.
        has_url_state: Whether the URL contains the order and the page.
        build_file: Makes the table for downloads from the whole sorted table. Without it there is no download.
        stem: The name of the file without its extension.
        default_order: The column that the table is sorted by, followed by " descending" for that order.
        noun: A row, in singular and plural.
        reveal_id: The ID of a row whose page to show in this run.
        page_options: Further options of `page_table`.
    """
    columns = normalize_columns(columns)
    with in_address(*(url_fields(key) if has_url_state else ())):
        order = current_order(key, columns, default_order)
        rows = table
        if order is not None and order != order_of("", (), default_order):
            name, descending = order
            values = sort_values(name) if sort_values else table[columns[name].sort_column or name]
            rows = sort_rows(table, values, descending)
        place = st.container()
        if reveal_id and reveal_id in (ids := row_ids(rows, page_options.get("id_column", ()))):
            page_key = f"{key}-page"
            st.session_state[page_key] = ids.index(reveal_id) // page_size + 1
        bounds = pager(len(table), key=f"{key}-page", page_size=page_size, noun=noun)
    if build_file is not None:
        download_menu(lambda: build_file(rows), stem, f"{key}-file")
    with place:
        page = rows.iloc[bounds.start : bounds.stop]
        return page_table(page, columns, key, sortable=columns, noun=noun, default_order=default_order, **page_options)


def page_table(
    page: pd.DataFrame,
    columns: Mapping[str, Column],
    key: str,
    *,
    sortable: Collection[str],
    noun: tuple[str, str],
    default_order: str | None = None,
    id_column: str | Sequence[str] = (),
    selection: Literal["one", "many"] | None = "one",
    selection_state: StateKey[list[str]] | None = None,
    format_page: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
    height: int = HEIGHT,
    placeholder: str = "",
    has_cards: bool = False,
    actions: Sequence[RowAction] = (),
    actions_label: str = "",
    action_column: str = "",
    on_action: Callable[[str, str], object] | None = None,
) -> TableSelection:
    """Draw one page of a table that is sorted by `current_order`, and return its selection.

    Args:
        page: The rows of the page.
        columns: The columns to show, in order.
        key: The prefix of the widget keys.
        sortable: The columns whose headings can be pressed.
        noun: A row, in singular and plural.
        default_order: As for `record_table`.
        id_column: The column or columns whose text identifies a row.
        selection: Whether one row, many rows, or none can be selected.
        selection_state: Stores the IDs of the selected rows. Without it, rows of other pages are not remembered.
        format_page: Makes the cells to show from the rows.
        height: The maximum height in pixels, above which the table scrolls.
        placeholder: The text of empty cells.
        has_cards: Whether each row is a card on a phone, without the secondary columns.
        actions: The buttons at the end of each row.
        actions_label: The heading of the buttons.
        action_column: The column with the name of the action that is in effect.
        on_action: Called with the ID of the row and the name of the action.
    """
    order = current_order(key, sortable, default_order)
    ids = row_ids(page, id_column)
    is_remembered = selection_state is not None
    state = selection_state or StateKey[list[str]](f"{key}-picked", list)

    def select(pressed: Sequence[str] | None) -> list[str]:
        selected = update_selection(state.get(), pressed, ids, selection, keeps_other_pages=is_remembered)
        state.set(selected)
        return selected

    selected = select(None)
    page_shown = page if format_page is None else format_page(page)
    columns = {
        name: column
        for name, column in columns.items()
        if not column.is_optional or page_shown[name].astype(bool).any()
    }
    cells = format_cells(page_shown, columns, placeholder)
    actions_in_effect = page[action_column].astype(str).tolist() if action_column else [""] * len(page)

    def act(pressed: Sequence[str]) -> None:
        id_, action = pressed
        if on_action is not None and id_ in ids:
            on_action(id_, action)

    draw_component(
        "muster",
        "record_table",
        __file__,
        key=key,
        data={
            "label": f"Table of {noun[1]}",
            "mode": selection,
            "height": f"{height}px",
            "hasCards": has_cards,
            "columns": [
                {
                    "name": name,
                    "label": column.label,
                    "numeric": column.is_numeric,
                    "badges": _badges(page_shown[name]),
                    "inOneLine": column.is_one_line,
                    "isSecondary": column.is_secondary,
                    "isPhone": column.is_phone,
                    "sort": _direction(name, order) if name in sortable else None,
                }
                for name, column in columns.items()
            ],
            "rows": [
                {"id": id_, "cells": row, "action": action}
                for id_, row, action in zip(ids, cells, actions_in_effect, strict=True)
            ],
            "actions": [asdict(action) for action in actions],
            "actionsLabel": actions_label,
            "picked": [id_ for id_ in ids if id_ in selected],
        },
        on_press={"sort": lambda name: _sort(key, sortable, default_order, name), "pick": select, "act": act},
    )
    return TableSelection(selected, page[[id_ in selected for id_ in ids]])


def _badges(values: Iterable[object]) -> dict[str, list[str]]:
    """Return the color and the icon of each status among the values, by its text."""
    return {str(each): [each.color, each.icon] for each in values if isinstance(each, Status)}


def url_fields(key: str) -> tuple[AddressField[Any], ...]:
    """Return the URL parameters of a table: its order and its page."""
    return _order(key), page_field(f"{key}-page")


def current_order(key: str, sortable: Collection[str], default_order: str | None = None) -> tuple[str, bool] | None:
    """Return the column to sort a table by, and whether in descending order."""
    return order_of(_order(key).get(), sortable, default_order)


def pager(
    total: int,
    *,
    key: str,
    page_size: int = PAGE_SIZE,
    noun: tuple[str, str] = ("row", "rows"),
    page_sizes: Sequence[int] = (),
    size_field: AddressField[str] | None = None,
    unfiltered_total: int | None = None,
) -> PageBounds:
    """Draw the page numbers if there are several pages, and return the rows of the selected one.

    On a single page, the number of rows is drawn only if filters have left some out of `unfiltered_total`.
    `page_sizes` are the sizes to choose from, stored in `size_field`.
    """
    bounds = page_bounds(total, 1, page_size)
    offers_sizes = size_field is not None and total > min(page_sizes)
    if bounds.pages == 1 and not offers_sizes:
        with st.container(key=f"announced-{key}"):
            if unfiltered_total is not None and total < unfiltered_total:
                st.caption(f"{total:,} of {count(unfiltered_total, *noun)}")
        return bounds
    number = st.session_state.get(key)
    if isinstance(number, int) and number > bounds.pages:
        st.session_state[key] = bounds.pages
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        slot = st.container(key=f"announced-{key}", width="content").empty()
        if bounds.pages > 1:
            # With less room Streamlit leaves out page numbers, even the second of two.
            room = _FIVE_PAGES_PIXELS if bounds.pages <= 5 else _SEVEN_PAGES_PIXELS
            bounds = page_bounds(total, st.pagination(bounds.pages, key=key, width=room), page_size)
        if size_field is not None and offers_sizes:
            st.selectbox(
                "Rows per page",
                [str(size) for size in page_sizes],
                key=size_field.widget_key,
                format_func="{} per page".format,
                label_visibility="collapsed",
                on_change=_first_page,
                args=(key,),
                width=130,
            )
        slot.caption(f"{bounds.range_text} {noun[1]}")
    return bounds


def _first_page(key: str) -> None:
    if key in st.session_state:
        st.session_state[key] = 1


def _direction(name: str, order: tuple[str, bool] | None) -> str:
    if order is None or order[0] != name:
        return "none"
    return "descending" if order[1] else "ascending"


def _sort(key: str, sortable: Collection[str], default_order: str | None, pressed: str) -> None:
    _order(key).set(next_order(current_order(key, sortable, default_order), pressed, default_order))
    page = f"{key}-page"
    if page in st.session_state:
        st.session_state[page] = 1


def _order(key: str) -> AddressField[str]:
    return text_field(f"{key}-sort")
