"""The filters of a list: drawn in one row, folded into a button on a phone, and what they ask for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from components.record_list.declared import Asked, Records, Whole
from components.record_list.narrowing import Find
from components.record_list.record_table import addressed_by, ordered_by
from components.shell.address import AddressField, choice_field, choices_field, page_field, text_field
from components.shell.state import StateKey
from domain.tables.listed import NEW
from domain.tables.table_pages import PAGE_SIZE

if TYPE_CHECKING:
    from components.record_list.declared import Filter
    from domain.runtime.workspace import Workspace


def picks(what: Records[Any]) -> AddressField[list[str]]:
    """What is selected, as the URL says."""
    return choices_field(what.picked_in)


def pick(what: Records[Any], record_id: str | None) -> None:
    """Open this record at the next drawing; None for none."""
    picks(what).put([] if record_id is None else [record_id])


def find_field(what: Records[Any]) -> AddressField[str]:
    """The text that a list is searched for, if it is read whole."""
    return text_field(f"{what.key}-find")


def size_field(what: Records[Any]) -> AddressField[str]:
    """The number of rows per page."""
    options = [str(size) for size in sizes(what)]
    return choice_field(f"{what.key}-size", options, options[0])


def sizes(what: Records[Any]) -> Sequence[int]:
    """The numbers of rows that a page may have."""
    return (PAGE_SIZE,) if isinstance(what.read, Whole) else what.read.sizes


def filters_of(what: Records[Any]) -> list[Filter]:
    """The filters of a list; the search field of one that is read whole comes first."""
    finds = isinstance(what.read, Whole) and what.read.search
    first: list[Filter] = [Find(find_field(what), f"Find {what.a}", what.read.hint)] if finds else []  # type: ignore[union-attr]
    return [*first, *what.filters]


def fields_of(what: Records[Any]) -> list[AddressField[Any]]:
    """Everything of a list that is in the URL."""
    narrowing = [field for each in filters_of(what) for field in each.fields]
    return [*narrowing, *addressed_by(what.key), size_field(what), picks(what)]


def query_of_list(workspace: Workspace, what: Records[Any], narrowing: Any) -> Asked:
    """Draw the filters, and return what they ask for."""
    _draw_filters(workspace, what, narrowing)
    fields = [field for each in what.filters for field in each.fields]
    shown = [name for name, column in what.columns.items() if not column.hidden]
    orders = shown if isinstance(what.read, Whole) else what.read.orders
    return Asked(
        number=page_field(f"{what.key}-page").get(),
        size=int(size_field(what).get()),
        order=ordered_by(what.key, orders, what.by),
        values={field.name: field.get() for field in fields},
        written=tuple((field.name, tuple(field.given())) for field in fields),
    )


def _draw_filters(workspace: Workspace, what: Records[Any], narrowing: Any) -> None:
    filters = filters_of(what)
    others = [each for each in filters if not isinstance(each, Find)]
    with narrowing, st.container(horizontal=True, vertical_alignment="bottom"):
        for each in filters:
            if each not in others:
                each.draw(workspace, partial(start_over, what))
        if not others:
            return
        is_open = StateKey[bool](f"{what.key}-filters-shown", lambda: False)
        with st.container(key=f"fold-{what.key}", width="content"):
            used = sum(any(field.given() for field in each.fields) for each in others)
            label = "Hide filters" if is_open.get() else f"Filters · {used}" if used else "Filters"
            st.button(
                label,
                key=f"{what.key}-fold",
                icon=":material/filter_list:",
                on_click=lambda: is_open.set(not is_open.get()),
            )
        # The style sheet hides a folded container on a phone, and the button on every other screen.
        with st.container(
            horizontal=True,
            vertical_alignment="bottom",
            width="content",
            key=f"{'un' if is_open.get() else ''}folded-{what.key}",
        ):
            for each in others:
                each.draw(workspace, partial(start_over, what))


def is_narrowed(what: Records[Any]) -> bool:
    """Whether any filter is set."""
    return any(field.given() for each in filters_of(what) for field in each.fields)


def filters_changed(what: Records[Any]) -> StateKey[bool]:
    """Whether a filter was changed since the last drawing."""
    return StateKey(f"{what.key}-narrowed", lambda: False)


def start_over(what: Records[Any]) -> None:
    """Go to the first page, after a filter was changed."""
    page_field(f"{what.key}-page").set(1)
    filters_changed(what).set(True)


def clear_filters(what: Records[Any]) -> None:
    """Clear every filter; call it in a callback."""
    for each in filters_of(what):
        for field in each.fields:
            field.take([])
    start_over(what)


def keep_listed(what: Records[Any], listed: Sequence[str]) -> None:
    """After a filter was changed, clear the selected record if it is not in the list any more."""
    changed = filters_changed(what)
    if changed.get() and what.selection == "one":
        picks(what).set([each for each in picks(what).get() if each in listed or each == NEW])
    changed.clear()
