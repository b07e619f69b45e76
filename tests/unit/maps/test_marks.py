"""Sizes, names and pictures of marks."""

import importlib.util
import struct
import zlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.maps.marks import (
    CELL,
    CELL_RADIUS,
    KIND_SHAPES,
    MAX_RADIUS,
    MIN_RADIUS,
    STATUSES,
    count_text,
    icon_cells,
    icon_name,
    icon_sizes,
    radii,
)
from domain.maps.palette import GROUNDS, KIND_COLOURS, Theme

PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def build_marks() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_marks", PROJECT / "scripts" / "build_marks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_areas_are_in_proportion_to_people_between_the_limits() -> None:
    small, large = radii([100, 400])
    assert (large / small) ** 2 == pytest.approx(4)
    assert large == MAX_RADIUS


@given(st.lists(st.integers(0, 5_000_000), min_size=1, max_size=50))
def test_marks_keep_within_the_limits_and_never_shrink_with_more_people(people: list[int]) -> None:
    ordered = radii(sorted(people))
    assert (ordered >= MIN_RADIUS).all()
    assert (ordered <= MAX_RADIUS).all()
    assert (np.diff(ordered) >= 0).all()


def test_a_few_people_do_not_look_like_a_crowd() -> None:
    assert radii([3])[0] == MIN_RADIUS
    assert radii([])[:].size == 0


def test_a_small_screen_shrinks_all_marks_alike() -> None:
    assert radii([60], scale=0.5)[0] == MAX_RADIUS / 2


@pytest.mark.parametrize(
    ("people", "text"),
    [(0, "0"), (7, "7"), (999, "999"), (1000, "1k"), (1234, "1.2k"), (9999, "9.9k"), (12_345, "12k"), (999_999, "999k"),
     (1_000_000, "1M"), (1_250_000, "1.2M")],
)  # fmt: skip
def test_counts_are_as_short_as_marks_need_them(people: int, text: str) -> None:
    assert count_text(people) == text


def test_every_kind_and_status_has_a_cell_of_its_own() -> None:
    names = [icon_name(kind, status) for kind in KIND_COLOURS for status in STATUSES]
    cells = icon_cells()
    assert len(set(names)) == len(KIND_COLOURS) * len(STATUSES)
    assert set(names) < set(cells)
    assert len({(cell["x"], cell["y"]) for cell in cells.values()}) == len(cells)


def test_unknown_kinds_and_statuses_have_a_mark_too() -> None:
    assert icon_name(None, None) == "O0"
    assert icon_name("Air", "lost") == "A0"


def test_a_cell_is_drawn_so_large_that_its_circle_has_the_radius() -> None:
    assert icon_sizes(np.array([10.0]))[0] * CELL_RADIUS == pytest.approx(10)


@pytest.mark.parametrize("shape", sorted(set(KIND_SHAPES.values())))
def test_all_shapes_have_the_area_of_the_circle(shape: str, build_marks: ModuleType) -> None:
    centre = (np.arange(800) + 0.5) / 800 - 0.5
    x, y = np.meshgrid(centre, centre)
    area = float((build_marks.SHAPES[shape](x, y) < 0).mean())
    assert area == pytest.approx(np.pi * CELL_RADIUS**2, rel=0.01)


@pytest.mark.parametrize("theme", sorted(GROUNDS))
def test_the_committed_pictures_are_those_the_script_draws(theme: Theme, build_marks: ModuleType) -> None:
    committed = (PROJECT / "static" / "basemap" / f"marks-{theme}.png").read_bytes()
    drawn = build_marks.sheet(theme)
    height, width, _ = drawn.shape
    assert struct.unpack(">II", committed[16:24]) == (width, height)
    # Filter bytes are all 0, so a row is a 0 and its pixels.
    data = zlib.decompress(committed[committed.index(b"IDAT") + 4 : -16])
    pixels = np.frombuffer(data, dtype=np.uint8).reshape(height, 1 + width * 4)[:, 1:].reshape(height, width, 4)
    assert np.abs(pixels.astype(int) - drawn.astype(int)).max() <= 1


@pytest.mark.parametrize("theme", sorted(GROUNDS))
def test_no_mark_touches_the_edge_of_its_cell(theme: Theme, build_marks: ModuleType) -> None:
    for kind in KIND_COLOURS:
        alpha = build_marks.cell(kind, "there", theme)[..., 3]
        assert alpha.shape == (CELL, CELL)
        assert max(alpha[0].max(), alpha[-1].max(), alpha[:, 0].max(), alpha[:, -1].max()) == 0
