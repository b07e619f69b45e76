"""What the marks mean."""

from xml.etree import ElementTree

from components.maps.legend import kinds_legend, statuses_legend
from components.maps.palette import KIND_COLOURS

SVG = "{http://www.w3.org/2000/svg}"


def test_only_what_is_on_the_map_is_explained_in_a_fixed_order() -> None:
    picture, words = kinds_legend(["Rail", "Air", "Rail"], "light")
    assert [text.text for text in ElementTree.fromstring(picture).iter(f"{SVG}text")] == ["Air", "Rail"]
    assert words == "Air: circle, Rail: diamond"
    assert KIND_COLOURS["Rail"]["light"] in picture


def test_statuses_are_explained_by_their_filling() -> None:
    picture, words = statuses_legend(["possible", "there", "leaving", "arriving"], "dark")
    told = [text.text for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    assert told == ["There", "Arriving", "Leaving", "Possible"]
    assert words == "There: solid, Arriving: ring, Leaving: half, Possible: hollow"


def test_legs_are_explained_by_lines_with_letters() -> None:
    picture, words = kinds_legend(["Air", "Car"], "light", as_lines=True)
    assert len(list(ElementTree.fromstring(picture).iter(f"{SVG}line"))) == 2
    assert words == "Air, Car"


def test_a_place_of_no_known_kind_is_explained_too() -> None:
    assert "Other" in kinds_legend([None], "light")[0]


def test_nothing_needs_no_legend() -> None:
    assert kinds_legend([], "light") == ("", "")
    assert statuses_legend([], "dark") == ("", "")
