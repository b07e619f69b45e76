"""Pages, order and picked rows."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.widgets.paging import fingerprint, in_order, page_bounds, picked_rows, rows_of
from components.widgets.picking import shown_id
from components.widgets.progress import Progress

TABLE = pd.DataFrame({"id": ["3", "1", "2"], "name": ["beta", "Alpha", None], "n": [2, 10, 1]})


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
def test_a_page_knows_its_rows(total: int, number: int, expected: tuple[int, int, int, int, str]) -> None:
    bounds = page_bounds(total, number, 50)
    assert (bounds.number, bounds.pages, bounds.start, bounds.stop, bounds.words) == expected


@given(st.integers(0, 10_000), st.integers(1, 500))
def test_the_pages_together_hold_every_row_once(total: int, page_size: int) -> None:
    pages = page_bounds(total, 1, page_size).pages
    rows = [row for n in range(1, pages + 1) for row in range(*_span(total, n, page_size))]
    assert rows == list(range(total))


def _span(total: int, number: int, page_size: int) -> tuple[int, int]:
    bounds = page_bounds(total, number, page_size)
    return bounds.start, bounds.stop


def test_sorting_ignores_case_and_puts_empty_cells_last_both_ways() -> None:
    assert list(in_order(TABLE, "name", False)["id"]) == ["1", "3", "2"]
    assert list(in_order(TABLE, "name", True)["id"]) == ["3", "1", "2"]
    assert list(in_order(TABLE, "n", False)["id"]) == ["2", "3", "1"]
    assert in_order(TABLE, None, True) is TABLE
    assert in_order(TABLE, "gone", True) is TABLE


def test_rows_are_found_by_id_and_taken_by_position() -> None:
    assert rows_of(TABLE, "id", ["2", 3]) == [0, 2]
    assert rows_of(TABLE, None, ["2"]) == []
    assert list(picked_rows(TABLE, [2, 0, 7])["id"]) == ["2", "3"]


def test_other_rows_in_sight_have_another_fingerprint() -> None:
    assert fingerprint(TABLE, "id") == fingerprint(TABLE.copy(), "id")
    assert fingerprint(TABLE, "id") != fingerprint(TABLE.iloc[::-1], "id")
    assert fingerprint(TABLE, "id") != fingerprint(TABLE.iloc[:2], "id")


@pytest.mark.parametrize(
    ("picked", "in_url", "shown"),
    [(["1"], None, "1"), (["1"], "2", "1"), ([], "2", None), ([], "9", "9"), ([], None, None)],
)
def test_what_is_shown_is_picked_or_named_by_the_address(
    picked: list[str], in_url: str | None, shown: str | None
) -> None:
    assert shown_id(picked, {"1", "2"}, in_url) == shown


@pytest.mark.parametrize(
    ("done", "total", "share"), [(0, 10, 0.0), (5, 10, 0.5), (11, 10, 1.0), (0, 0, 1.0), (-1, 4, 0.0)]
)
def test_progress_stays_between_nothing_and_all(done: int, total: int, share: float) -> None:
    assert Progress(total, done, "", False).share == share
