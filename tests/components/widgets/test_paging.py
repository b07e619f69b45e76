"""Pages, sort order, and selected rows."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.shell.job_progress import Progress
from domain.tables.table_pages import (
    Column,
    format_cells,
    next_order,
    normalize_columns,
    numbers,
    order_of,
    page_bounds,
    row_ids,
    sort_rows,
    update_selection,
)

NOW = pd.Timestamp("2026-11-20T14:05Z")


@pytest.mark.parametrize(
    ("total", "number", "expected"),
    [
        (0, 1, (1, 1, 0, 0, "0")),
        (50, 1, (1, 1, 0, 50, "50")),
        (1612, 2, (2, 33, 50, 100, "51–100 of 1,612")),
        (1612, 99, (33, 33, 1600, 1612, "1,601–1,612 of 1,612")),
        (1612, -4, (1, 33, 0, 50, "1–50 of 1,612")),
    ],
)
def test_a_page_has_the_correct_range_of_rows(
    total: int, number: int, expected: tuple[int, int, int, int, str]
) -> None:
    bounds = page_bounds(total, number, 50)
    assert (bounds.number, bounds.pages, bounds.start, bounds.stop, bounds.range_text) == expected


@given(st.integers(0, 10_000), st.integers(1, 500))
def test_the_pages_together_contain_every_row_once(total: int, page_size: int) -> None:
    pages = page_bounds(total, 1, page_size).pages
    rows = [row for n in range(1, pages + 1) for row in range(*_span(total, n, page_size))]
    assert rows == list(range(total))


def _span(total: int, number: int, page_size: int) -> tuple[int, int]:
    bounds = page_bounds(total, number, page_size)
    return bounds.start, bounds.stop


@pytest.mark.parametrize(
    ("values", "ordered", "reversed_"),
    [
        (["beta", "Alpha", None], [1, 0, 2], [0, 1, 2]),
        ([2, 10, 1], [2, 0, 1], [1, 0, 2]),
        (["100", "20", "3"], [2, 1, 0], [0, 1, 2]),
        ([str(2**62), str(2**62 + 1), None], [0, 1, 2], [1, 0, 2]),
        (["same", "Same", "SAME"], [0, 1, 2], [0, 1, 2]),
        (pd.to_datetime(["2026-01-02", None, "2026-01-01"], utc=True), [2, 0, 1], [0, 2, 1]),
    ],
    ids=["text", "numbers", "ids", "long ids", "equals", "times"],
)
def test_rows_are_sorted_by_a_column_with_missing_values_last(
    values: Any, ordered: list[int], reversed_: list[int]
) -> None:
    table = pd.DataFrame({"row": [0, 1, 2], "value": values})
    assert list(sort_rows(table, table["value"], False)["row"]) == ordered
    assert list(sort_rows(table, table["value"], True)["row"]) == reversed_


def test_a_table_of_selected_rows_is_sorted_by_their_own_values() -> None:
    table = pd.DataFrame({"n": [5, 3, 9, 1]}).iloc[[2, 0, 1]]
    assert list(sort_rows(table, table["n"], False)["n"]) == [3, 5, 9]


def test_a_column_header_sorts_ascending_then_descending_then_not_at_all() -> None:
    columns = {"name", "n"}
    seen = [""]
    for _ in range(3):
        seen.append(next_order(order_of(seen[-1], columns), "n"))
    assert seen == ["", "n ascending", "n descending", ""]
    assert next_order(("name", False), "n") == "n ascending"


def test_the_column_header_of_the_default_order_reverses_it_at_once() -> None:
    columns = {"name", "n"}
    assert order_of("", columns, "name") == ("name", False)
    assert next_order(("name", False), "name", "name") == "name descending"
    assert next_order(("name", True), "name", "name") == ""
    assert next_order(("n", True), "name", "name") == ""


def test_the_column_header_of_a_descending_default_order_reverses_it() -> None:
    assert order_of("", {"at"}, "at descending") == ("at", True)
    assert next_order(("at", True), "at", "at descending") == "at ascending"
    assert next_order(("at", False), "at", "at descending") == ""
    assert next_order(("n", False), "at", "at descending") == ""
    assert next_order(("at", True), "n", "at descending") == "n ascending"


@pytest.mark.parametrize("text", ["", "gone ascending", "n", "n sideways", "ascending", " descending"])
def test_an_unknown_sort_order_is_ignored(text: str) -> None:
    assert order_of(text, {"n"}) is None


def test_a_column_can_have_any_name() -> None:
    assert order_of(next_order(None, "-a descending"), {"-a descending"}) == ("-a descending", False)


@pytest.mark.parametrize(
    ("selected_ids", "clicked_ids", "selection", "keeps", "expected"),
    [
        (["1", "9"], None, "many", True, ["1", "9"]),
        (["1", "9"], None, "one", False, ["1"]),
        (["1", "9"], [], "many", True, ["9"]),
        (["1", "9"], ["2"], "many", True, ["9", "2"]),
        (["9"], ["2"], "one", True, ["2"]),
        (["1"], [], "one", True, []),
        (["1"], ["2", "7"], "many", True, ["2"]),
    ],
)
def test_a_click_changes_the_selection_of_its_page_only(
    selected_ids: list[str], clicked_ids: list[str] | None, selection: Any, keeps: bool, expected: list[str]
) -> None:
    picked = update_selection(selected_ids, clicked_ids, {"1", "2"}, selection, keeps_other_pages=keeps)
    assert picked == expected


def test_cells_are_text_with_a_placeholder_for_empty_ones() -> None:
    page = pd.DataFrame({"n": pd.Series([1234567, None], dtype="Int64"), "id": [str(2**62), None], "at": [NOW, pd.NaT]})
    columns = normalize_columns({"id": "Id", "n": numbers("Number"), "at": Column("When", lambda at: f"{at:%H:%M}")})
    assert format_cells(page, columns, "–") == [[str(2**62), "1,234,567", "14:05"], ["–", "–", "–"]]
    assert format_cells(page.iloc[:0], columns) == []


def test_rows_are_identified_by_the_text_of_their_columns() -> None:
    page = pd.DataFrame({"person": [1, 1], "place": ["a", "b"]})
    assert row_ids(page, "place") == ["a", "b"]
    assert len(set(row_ids(page, ("person", "place")))) == 2
    assert row_ids(page, ()) == ["0", "1"]


@pytest.mark.parametrize(
    ("done", "total", "share"), [(0, 10, 0.0), (5, 10, 0.5), (11, 10, 1.0), (0, 0, 1.0), (-1, 4, 0.0)]
)
def test_progress_stays_between_0_and_1(done: int, total: int, share: float) -> None:
    assert Progress(total, done, "", False).share == share
