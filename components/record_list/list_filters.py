"""The filters of a list, drawn in one row or folded behind a button on a phone, and the query they make."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from components.record_list.declaration import AllRecords, ListQuery, RecordList
from components.record_list.filter_controls import SearchFilter
from components.record_list.record_table import current_order, url_fields
from components.shell.address import AddressField, choice_field, choices_field, page_field, text_field
from components.shell.state import StateKey
from domain.tables.loaded_records import NEW
from domain.tables.table_pages import PAGE_SIZE

if TYPE_CHECKING:
    from components.record_list.declaration import Filter
    from domain.runtime.workspace import Workspace


def selection_field(record_list: RecordList[Any]) -> AddressField[list[str]]:
    """Return the URL parameter with the IDs of the selected records."""
    return choices_field(record_list.url_parameter)


def select_record(record_list: RecordList[Any], record_id: str | None) -> None:
    """Select this record; None clears the selection."""
    selection_field(record_list).set_with_url([] if record_id is None else [record_id])


def search_field(record_list: RecordList[Any]) -> AddressField[str]:
    """Return the URL parameter of the search text, for a list that is read all at once."""
    return text_field(f"{record_list.key}-find")


def size_field(record_list: RecordList[Any]) -> AddressField[str]:
    """Return the URL parameter of the number of rows per page."""
    options = [str(size) for size in page_sizes(record_list)]
    return choice_field(f"{record_list.key}-size", options, options[0])


def page_sizes(record_list: RecordList[Any]) -> Sequence[int]:
    """Return the numbers of rows that a page can have."""
    return (PAGE_SIZE,) if isinstance(record_list.source, AllRecords) else record_list.source.page_sizes


def filters_of(record_list: RecordList[Any]) -> list[Filter]:
    """Return the filters of a list. The search field of a list that is read all at once comes first."""
    source = record_list.source
    if not isinstance(source, AllRecords) or not source.search:
        return list(record_list.filters)
    search = SearchFilter(search_field(record_list), f"Find {record_list.noun_with_article}", source.search_hint)
    return [search, *record_list.filters]


def fields_of(record_list: RecordList[Any]) -> list[AddressField[Any]]:
    """Return all URL parameters of a list."""
    filters = [field for each in filters_of(record_list) for field in each.fields]
    return [*filters, *url_fields(record_list.key), size_field(record_list), selection_field(record_list)]


def draw_filters(workspace: Workspace, record_list: RecordList[Any], place: Any) -> ListQuery:
    """Draw the filters in `place`, and return the query they make."""
    _draw_filter_row(workspace, record_list, place)
    fields = [field for each in record_list.filters for field in each.fields]
    shown = [name for name, column in record_list.columns.items() if not column.is_hidden]
    sortable = shown if isinstance(record_list.source, AllRecords) else record_list.source.sortable
    return ListQuery(
        page_number=page_field(f"{record_list.key}-page").get(),
        page_size=int(size_field(record_list).get()),
        order=current_order(record_list.key, sortable, record_list.default_order),
        values={field.name: field.get() for field in fields},
        url_values=tuple((field.name, tuple(field.url_values())) for field in fields),
    )


def _draw_filter_row(workspace: Workspace, record_list: RecordList[Any], place: Any) -> None:
    filters = filters_of(record_list)
    others = [each for each in filters if not isinstance(each, SearchFilter)]
    with place, st.container(horizontal=True, key=f"filters-{record_list.key}"):
        for each in filters:
            if each not in others:
                each.draw(workspace, partial(start_over, record_list))
        if not others:
            return
        is_open = StateKey[bool](f"{record_list.key}-filters-shown", lambda: False)
        with st.container(key=f"fold-{record_list.key}", width="content"):
            number = sum(any(field.url_values() for field in each.fields) for each in others)
            label = "Hide filters" if is_open.get() else f"Filters · {number}" if number else "Filters"
            st.button(
                label,
                key=f"{record_list.key}-fold",
                icon=":material/filter_list:",
                on_click=lambda: is_open.set(not is_open.get()),
            )
        # The style sheet hides a folded container on a phone, and the button on every other screen.
        with st.container(
            horizontal=True,
            width="content",
            key=f"{'un' if is_open.get() else ''}folded-{record_list.key}",
        ):
            for each in others:
                each.draw(workspace, partial(start_over, record_list))


def is_filtered(record_list: RecordList[Any]) -> bool:
    """Return whether any filter is set."""
    return any(field.url_values() for each in filters_of(record_list) for field in each.fields)


def has_new_filters(record_list: RecordList[Any]) -> StateKey[bool]:
    """Return the state that holds whether a filter was changed since the list was drawn."""
    return StateKey(f"{record_list.key}-narrowed", lambda: False)


def start_over(record_list: RecordList[Any]) -> None:
    """Go to the first page after a filter was changed."""
    page_field(f"{record_list.key}-page").set(1)
    has_new_filters(record_list).set(True)


def clear_filters(record_list: RecordList[Any]) -> None:
    """Clear all filters. Call it in a callback."""
    for each in filters_of(record_list):
        for field in each.fields:
            field.set_from_url([])
    start_over(record_list)


def clear_unlisted_selection(record_list: RecordList[Any], listed_ids: Sequence[str]) -> None:
    """After a filter was changed, clear the selected record if it is no longer in the list."""
    changed = has_new_filters(record_list)
    if changed.get() and record_list.selection == "one":
        selection_field(record_list).set(
            [each for each in selection_field(record_list).get() if each in listed_ids or each == NEW]
        )
    changed.clear()
