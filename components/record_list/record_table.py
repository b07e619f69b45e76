"""A table of records: put in order, a page at a time, with rows that can be picked and files to take away.

Order, pages, picks and files are those of the whole result, never of what happens to be in sight.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import pandas as pd
import streamlit as st

from components.shell.address import AddressField, page_field, text_field
from components.shell.address import in_address as standing_in_address
from components.shell.state import StateKey
from components.streamlit_workarounds.own_scripts import own_part
from components.widgets.downloads import download_menu
from domain.tables.status import Status
from domain.tables.table_pages import (
    PAGE_SIZE,
    Column,
    PageBounds,
    cells_of,
    columns_of,
    ids_of,
    in_order,
    next_order,
    order_of,
    page_bounds,
    picked_now,
)
from domain.text.plain_text import count

HEIGHT: Final = 560
_FIVE_PAGES_PIXELS: Final = 248
_SEVEN_PAGES_PIXELS: Final = 320


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
    values: Callable[[str], pd.Series] | None = None,
    page_size: int = PAGE_SIZE,
    in_address: bool = False,
    file: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
    stem: str = "",
    by: str | None = None,
    noun: tuple[str, str] = ("row", "rows"),
    turn_to: str = "",
    **drawing: Any,
) -> Picked:
    """Draw a table and give back what is picked.

    `columns` names the columns to show, in order. A press on a heading puts the whole table in order by it, another
    turns the order round, a third takes it back; `by` is the column whose order the table has by itself, followed by
    " descending" where the last comes first. `values` are what puts all rows in order, where the table does not hold
    them. `file` makes the table of the files out of the whole one in its order. With `in_address`, order and page stand
    in the URL. `turn_to` is the ID of a row whose page is shown now.
    `drawing` is how a page is drawn: see `page_table`.
    """
    columns = columns_of(columns)
    with standing_in_address(*(addressed_by(key) if in_address else ())):
        order = ordered_by(key, columns, by)
        whole = table
        if order is not None and order != order_of("", (), by):
            name, descending = order
            whole = in_order(table, values(name) if values else table[columns[name].order or name], descending)
        place = st.container()
        if turn_to and turn_to in (ids := ids_of(whole, drawing.get("id_column", ()))):
            page_key = f"{key}-page"
            st.session_state[page_key] = ids.index(turn_to) // page_size + 1
        bounds = pager(len(table), key=f"{key}-page", page_size=page_size, noun=noun)
    if file is not None:
        download_menu(lambda: file(whole), stem, f"{key}-file")
    with place:
        page = whole.iloc[bounds.start : bounds.stop]
        return page_table(page, columns, key, orders=columns, noun=noun, by=by, **drawing)


def page_table(
    page: pd.DataFrame,
    columns: Mapping[str, Column],
    key: str,
    *,
    orders: Collection[str],
    noun: tuple[str, str],
    by: str | None = None,
    id_column: str | Sequence[str] = (),
    selection: Literal["one", "many"] | None = "one",
    picked_in: StateKey[list[str]] | None = None,
    shown: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
    height: int = HEIGHT,
    placeholder: str = "",
    has_cards: bool = False,
) -> Picked:
    """Draw one page of a table, which the caller put in the order that `ordered_by` tells; give back what is picked.

    The headings of `orders` can be pressed. Rows are known by the text of `id_column`, or of several. What is picked
    is kept as `picked_in`, else it is forgotten once it is out of sight. `shown` makes what is shown out of
    the rows. What is longer than `height`, in pixels, scrolls. With `has_cards`, each row is a card on a phone, without
    the columns that are secondary.
    """
    order = ordered_by(key, orders, by)
    ids = ids_of(page, id_column)
    kept = StateKey[list[str]](f"{key}-picked", list) if picked_in is None else picked_in

    def pick(pressed: Sequence[str] | None) -> list[str]:
        picked = picked_now(kept.get(), pressed, ids, selection, keeps_what_is_out_of_sight=picked_in is not None)
        kept.set(picked)
        return picked

    picked = pick(None)
    page_shown = page if shown is None else shown(page)
    cells = cells_of(page_shown, columns, placeholder)
    own_part(
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
                    "numeric": column.numeric,
                    "badges": _badges(page_shown[name]),
                    "inOneLine": column.in_one_line,
                    "isSecondary": column.is_secondary,
                    "sort": _direction(name, order) if name in orders else None,
                }
                for name, column in columns.items()
            ],
            "rows": [{"id": id_, "cells": row} for id_, row in zip(ids, cells, strict=True)],
            "picked": [id_ for id_ in ids if id_ in picked],
        },
        then={"sort": lambda name: _sort(key, orders, by, name), "pick": pick},
    )
    return Picked(picked, page[[id_ in picked for id_ in ids]])


def _badges(values: Iterable[object]) -> dict[str, list[str]]:
    """Return the color and the icon of each status among the values, by its text."""
    return {str(each): [each.color, each.icon] for each in values if isinstance(each, Status)}


def addressed_by(key: str) -> tuple[AddressField[Any], ...]:
    """What stands in the address of a table: its order and its page."""
    return _order(key), page_field(f"{key}-page")


def ordered_by(key: str, orders: Collection[str], by: str | None = None) -> tuple[str, bool] | None:
    """The column that a table is put in order by, and whether the last comes first."""
    return order_of(_order(key).get(), orders, by)


def pager(
    total: int,
    *,
    key: str,
    page_size: int = PAGE_SIZE,
    noun: tuple[str, str] = ("row", "rows"),
    sizes: Sequence[int] = (),
    sized: AddressField[str] | None = None,
    of: int | None = None,
) -> PageBounds:
    """Draw the page numbers if there are several pages; give back what the selected page shows.

    How many there are is drawn with page numbers, and where they are fewer than `of`, the number that the page states.
    `sizes` are what a page may have, chosen as `sized`.
    """
    bounds = page_bounds(total, 1, page_size)
    offers_sizes = sized is not None and total > min(sizes)
    if bounds.pages == 1 and not offers_sizes:
        with st.container(key=f"announced-{key}"):
            if of is not None and total < of:
                st.caption(f"{total:,} of {count(of, *noun)}")
        return bounds
    held = st.session_state.get(key)
    if isinstance(held, int) and held > bounds.pages:
        st.session_state[key] = bounds.pages
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        slot = st.container(key=f"announced-{key}", width="content").empty()
        if bounds.pages > 1:
            # In less room than five numbers take it leaves some of them out, and of two the other.
            room = _FIVE_PAGES_PIXELS if bounds.pages <= 5 else _SEVEN_PAGES_PIXELS
            bounds = page_bounds(total, st.pagination(bounds.pages, key=key, width=room), page_size)
        if sized is not None and offers_sizes:
            st.selectbox(
                "Rows per page",
                [str(size) for size in sizes],
                key=sized.widget_key,
                format_func="{} per page".format,
                label_visibility="collapsed",
                on_change=_first_page,
                args=(key,),
                width=130,
            )
        slot.caption(f"{bounds.words} {noun[1]}")
    return bounds


def _first_page(key: str) -> None:
    if key in st.session_state:
        st.session_state[key] = 1


def _direction(name: str, order: tuple[str, bool] | None) -> str:
    if order is None or order[0] != name:
        return "none"
    return "descending" if order[1] else "ascending"


def _sort(key: str, orders: Collection[str], by: str | None, pressed: str) -> None:
    _order(key).set(next_order(ordered_by(key, orders, by), pressed, by))
    page = f"{key}-page"
    if page in st.session_state:
        st.session_state[page] = 1


def _order(key: str) -> AddressField[str]:
    return text_field(f"{key}-sort")
