"""The legend of the kinds of segments."""

from components.maps.kind_chips import kinds_legend
from domain.maps.palette import KIND_COLOURS


def test_the_legend_lists_the_kinds_on_the_map_by_color_and_letter_in_a_fixed_order() -> None:
    air, rail = kinds_legend(["Rail", "Air", "Rail"], "light").split("\u2003")
    assert KIND_COLOURS["Air"]["light"] in air
    assert " F]{" in air
    assert air.endswith("\u00a0Flight")
    assert " T]{" in rail


def test_the_legend_lists_unknown_kinds_as_other_and_is_empty_for_an_empty_map() -> None:
    assert kinds_legend([None], "light").endswith("\u00a0Other")
    assert kinds_legend([], "light") == ""
