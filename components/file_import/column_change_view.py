"""Draw changes to whole columns: beside repeated errors, from a menu, and as a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import Final, Literal

import pandas as pd
import streamlit as st

from components.shell.notices import field_problem
from components.shell.state import StateKey
from domain.file_import.checking import Check
from domain.file_import.column_changes import ChangedValue, ColumnChange, possible_kinds, split_at
from domain.file_import.column_matching import Column
from domain.file_import.repeated_errors import RepeatedError, find_repeated_errors
from domain.geography.time_zones import all_zones
from domain.text.plain_text import count, plain, plain_label
from domain.text.text_limits import MAX_LINE

MenuKind = Literal["replace", "separate", "split", "zone", "year"]
_KINDS: Final[Mapping[MenuKind, str]] = {
    "replace": "Replace a value",
    "separate": "Separate people or values in a cell",
    "split": "Split into several columns",
    "zone": "Set the time zone",
    "year": "Add the year",
}
MOST_EXAMPLES: Final = 5
MOST_VALUES: Final = 200
"""At most this many values of a column are offered. Others can be typed."""
EMPTY: Final = "(empty)"


def draw_repeated_errors(check: Check, *, key: str) -> None:
    """Draw the values that are wrong in several rows, each with a field to replace it in all of them."""
    errors, total = find_repeated_errors(check)
    if not errors:
        return
    with st.container(border=True, key=f"{key}-repeated"):
        st.markdown("**The same error in several rows**")
        for error in errors:
            _draw_repeated_error(check, error, key)
        if total > len(errors):
            st.caption(f"{count(total - len(errors), 'more value', 'more values')} after these.")


def _draw_repeated_error(check: Check, error: RepeatedError, key: str) -> None:
    rows = count(error.rows, "row", "rows")
    digest = sha256(f"{error.column.name} {error.text}".encode()).hexdigest()[:12]
    new_text = StateKey[str](f"{key}-repeated-{digest}-{error.suggestion}", lambda: error.suggestion)
    problem = StateKey[str](f"{key}-repeated-{digest}-problem", str)

    def replace_everywhere() -> None:
        text = " ".join(new_text.get().split())
        if text in ("", error.text):
            problem.set("Enter the new value.")
            return
        problem.clear()
        check.change_column(error.column, ColumnChange("replace", error.text, text))

    value = f"“{error.text}”"
    st.markdown(f"**{plain(value)}** in {plain(error.column.label)}, {rows}. {plain(error.message)}")
    with st.container(horizontal=True, vertical_alignment="center"):
        new_text.get()
        st.text_input(
            f"New value for {plain_label(value)} in {plain_label(error.column.label)}",
            key=new_text.widget_key,
            max_chars=MAX_LINE,
            label_visibility="collapsed",
            placeholder="New value",
            live=True,
            width=240,
        )
        st.button(
            f"Replace in all {rows}",
            key=f"{key}-repeated-{digest}-replace",
            icon=":material/find_replace:",
            on_click=replace_everywhere,
        )
        st.button(
            f"Skip {rows}",
            key=f"{key}-repeated-{digest}-skip",
            icon=":material/playlist_remove:",
            on_click=partial(check.change_column, error.column, ColumnChange("skip", error.text)),
        )
    field_problem(problem.get())


def draw_column_menu(check: Check, *, key: str) -> None:
    """Draw the menu that changes a whole column, with some of its values before and after."""
    columns: dict[str, Column | None] = {
        each.label: each for each in check.columns if check.headings_of[each.name] or each.required
    }
    columns |= {heading: None for heading in check.unmatched_headings if heading not in columns}
    # A new popover after each decision, so that it closes.
    with st.popover("Change a column", icon=":material/edit_note:", key=f"{key}-change-{check.version}"):
        chosen = StateKey[str | None](f"{key}-change-column", lambda: None)
        if chosen.get() not in columns:
            chosen.set(None)
        label: str | None = st.selectbox(
            "Column", [*columns], index=None, key=chosen.widget_key, placeholder="Select a column"
        )
        if label is None:
            return
        column = columns[label]
        headings = [label] if column is None else check.matches[column.name].headers
        kinds: list[MenuKind] = [each for each in _KINDS if column is not None and each in possible_kinds(column)]
        kinds += ["split"] if len(headings) == 1 else []
        kind: MenuKind = st.selectbox(
            "Change", kinds, format_func=lambda each: _KINDS[each], key=f"{key}-change-kind-{label}"
        )
        if kind == "split":
            _draw_split(check, next(iter(headings)), key)
        elif column is not None:
            change = _draw_change(check, column, kind, key)
            if change is not None:
                _draw_preview(check, column, change, key)


def _draw_change(check: Check, column: Column, kind: MenuKind, key: str) -> ColumnChange | None:
    """Draw the fields of a change, and return it once they are filled."""
    key = f"{key}-change-{column.name}-{kind}"
    if kind == "replace":
        values = check.texts_of(column.name).value_counts().head(MOST_VALUES)
        old: str | None = st.selectbox(
            "Value",
            [*values.index],
            index=None,
            format_func=lambda text: (
                f"{text or EMPTY} · {count(values[text], 'row', 'rows')}" if text in values else text
            ),
            key=f"{key}-old",
            placeholder="Select or enter a value",
            accept_new_options=True,
        )
        new = st.text_input("New value", key=f"{key}-new", max_chars=MAX_LINE, live=True)
        new = " ".join((new or "").split())
        return ColumnChange("replace", old, new) if old is not None and new not in ("", old) else None
    if kind == "separate":
        text = st.text_input(
            "Separator", key=f"{key}-separator", max_chars=MAX_LINE, live=True, placeholder="Such as , or /"
        )
        return ColumnChange("separate", text.strip()) if text and text.strip() else None
    if kind == "zone":
        zone: str | None = st.selectbox(
            "Time zone", all_zones(), index=None, key=f"{key}-zone", placeholder="Select a time zone"
        )
        return ColumnChange("zone", zone) if zone else None
    year = st.number_input("Year", 1970, 2199, datetime.now(UTC).year, key=f"{key}-year")
    return ColumnChange("year", str(year))


def _draw_preview(check: Check, column: Column, change: ColumnChange, key: str) -> None:
    """Draw values before and after a change, and the button that applies it."""
    target = _target_column(check, column, change)
    changed = check.preview_change(target, change)
    rows = count(sum(each.rows for each in changed), "row", "rows")
    if not changed:
        st.caption("This does not change any cell.")
        return
    _draw_values(changed)
    st.button(
        f"Change {rows}",
        key=f"{key}-change-apply",
        type="primary",
        icon=":material/done_all:",
        on_click=partial(check.change_column, target, change),
    )


def _target_column(check: Check, column: Column, change: ColumnChange) -> Column:
    """Return the column that a change is stored for: local times have a column for their time zone."""
    if change.kind != "zone" or not column.zone_column:
        return column
    return next(each for each in check.columns if each.name == column.zone_column)


def _draw_values(changed: list[ChangedValue]) -> None:
    shown = changed[:MOST_EXAMPLES]
    table = {
        "Before": [plain(each.old) or EMPTY for each in shown],
        "After": [plain(each.new) for each in shown],
        "Rows": [f"{each.rows:,}" for each in shown],
    }
    st.table(pd.DataFrame(table), hide_index=True)
    if len(changed) > len(shown):
        st.caption(f"{count(len(changed) - len(shown), 'more value', 'more values')}.")


def _draw_split(check: Check, heading: str, key: str) -> None:
    separator = st.text_input(
        "Separator", key=f"{key}-change-split", max_chars=MAX_LINE, live=True, placeholder="Such as / or -"
    )
    split = split_at(check.source.frame[heading], (separator or "").strip())
    if split is None:
        if separator:
            st.caption("No cell has this separator.")
        return
    is_split = check.source.frame[heading].str.contains(split.separator, regex=False)
    examples = check.source.frame[heading][is_split].value_counts().head(MOST_EXAMPLES)
    parts = [[part.strip() for part in text.split(split.separator, split.parts - 1)] for text in examples.index]
    table = {"Before": [plain(text) for text in examples.index]} | {
        f"Part {number + 1}": [plain(each[number]) if number < len(each) else "" for each in parts]
        for number in range(split.parts)
    }
    st.table(pd.DataFrame(table), hide_index=True)
    st.button(
        f"Split into {split.parts} columns",
        key=f"{key}-change-apply",
        type="primary",
        icon=":material/done_all:",
        on_click=partial(check.split_heading, heading, split),
    )


def draw_column_changes(check: Check, *, key: str) -> None:
    """Draw the changes to whole columns, each with a button that removes it."""
    changes = check.list_column_changes()
    splits = check.decisions.heading_splits
    if not (changes or splits):
        return
    with st.expander(
        f"Changes to whole columns: {len(changes) + len(splits):,}", icon=":material/edit_note:", key=f"{key}-changes"
    ):
        for heading, split in splits.items():
            _draw_removable(
                f"**{plain(heading)}**: {plain(split.summary)}",
                f"{key}-split-remove-{heading}",
                partial(check.remove_split, heading),
            )
        for number, (column, change, rows) in enumerate(changes):
            message = plain(f"{change.summary} · {count(rows, 'row', 'rows')}")
            message = f"**{plain(column.label)}**: {message}"
            _draw_removable(message, f"{key}-change-remove-{number}", partial(check.remove_change, column, change))


def _draw_removable(message: str, key: str, remove: Callable[[], None]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(message, width="stretch")
        st.button("Remove", key=key, icon=":material/close:", on_click=remove)
