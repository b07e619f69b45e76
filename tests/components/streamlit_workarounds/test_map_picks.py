"""Selected places of a map keep their selection when its rows change."""

from hypothesis import given
from hypothesis import strategies as st

from components.streamlit_workarounds.map_picks import arranged, picked_ids, pinned_rows

STATE = {"selection": {"indices": {"places": [2, 0]}, "objects": {"places": [{"id": "SIN"}, {"id": "KWI"}]}}}
IDS = st.lists(st.sampled_from("ABCDEFGHIJ"), unique=True, max_size=8)


class Attributes:
    """An object with attributes instead of items, like Streamlit's state."""

    selection = STATE["selection"]


def test_picked_ids_are_in_the_order_of_picking() -> None:
    assert picked_ids(STATE, "places") == ["SIN", "KWI"]
    assert picked_ids(Attributes(), "places") == ["SIN", "KWI"]
    assert pinned_rows(STATE, "places") == {2: "SIN", 0: "KWI"}


def test_without_a_valid_state_of_the_layer_there_are_no_picks() -> None:
    for state in (None, {}, {"selection": {}}, {"selection": {"indices": {"places": [1]}}}, "x", 7):
        assert picked_ids(state, "places") == []
    assert picked_ids(STATE, "rings") == []


def test_without_a_layer_name_the_ids_of_all_layers_are_returned() -> None:
    assert picked_ids(STATE) == ["SIN", "KWI"]
    assert picked_ids(None) == []


def test_rows_without_an_id_are_not_picks() -> None:
    state = {"selection": {"indices": {"places": [1, 2]}, "objects": {"places": [{}, "?"]}}}
    assert picked_ids(state, "places") == []


def test_a_picked_place_keeps_its_row_while_the_others_move() -> None:
    assert arranged(["A", "B", "C", "D"], {3: "A"}) == [1, 2, 3, 0]


def test_a_picked_place_that_was_removed_leaves_an_empty_row() -> None:
    assert arranged(["A", "B"], {0: "X"}) == [-1, 0, 1]
    assert arranged([], {1: "X"}) == [-1, -1]


def test_a_row_beyond_the_end_is_padded_with_empty_rows() -> None:
    assert arranged(["A", "B"], {4: "B"}) == [0, -1, -1, -1, 1]


@given(IDS, st.dictionaries(st.integers(0, 12), st.sampled_from("ABCDEFGHIJ"), max_size=4))
def test_every_place_has_one_row_and_every_pinned_place_its_pinned_row(ids: list[str], pinned: dict[int, str]) -> None:
    unique = {row: identity for row, identity in pinned.items() if list(pinned.values()).count(identity) == 1}
    order = arranged(ids, unique)
    assert sorted(place for place in order if place >= 0) == list(range(len(ids)))
    for row, identity in unique.items():
        assert order[row] == (ids.index(identity) if identity in ids else -1)
