"""What the marks mean."""

from components.maps.marks import kinds_legend, statuses_legend
from domain.maps.palette import KIND_COLOURS


def test_only_what_is_on_the_map_is_explained_in_a_fixed_order() -> None:
    air, rail = KIND_COLOURS["Air"]["light"], KIND_COLOURS["Rail"]["light"]
    assert kinds_legend(["Rail", "Air", "Rail"], "light").split("\u2003") == [
        f':color[●]{{foreground="{air}"}}\u00a0Air',
        f':color[◆]{{foreground="{rail}"}}\u00a0Rail',
    ]


def test_statuses_are_explained_by_their_filling_which_no_line_parts_from_its_word() -> None:
    told = statuses_legend(["possible", "there", "leaving", "arriving"]).split("\u2003")
    assert told == ["●\u00a0There", "◎\u00a0Arriving", "◐\u00a0Leaving", "○\u00a0Possible"]


def test_legs_are_explained_by_chips_with_letters() -> None:
    words = kinds_legend(["Air", "Car"], "light", as_lines=True)
    assert " A]{" in words
    assert " C]{" in words


def test_a_place_of_no_known_kind_is_explained_too() -> None:
    assert kinds_legend([None], "light").endswith("\u00a0Other")


def test_nothing_needs_no_legend() -> None:
    assert (kinds_legend([], "light"), statuses_legend([])) == ("", "")
