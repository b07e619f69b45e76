"""What a person picked on a map, as Streamlit reports it, and the order of rows that keeps it true.

The browser keeps a selection as row numbers. When the rows change, it looks the numbers up in the new rows, and what
was Singapore becomes whatever stands there now (streamlit/streamlit#13703). So the rows that are picked keep their
numbers, if need be empty. Held by
`tests/browser/test_maps.py::
test_a_map_says_it_is_being_drawn_and_keeps_what_is_picked_while_rows_come_and_go`.
"""

from collections.abc import Mapping, Sequence
from typing import Any


def picked_ids(selection: object, layer: str | None = None) -> list[str]:
    """Return the ids of the rows picked in a layer, or in all layers, in the order of picking.

    `selection` is the state of `st.pydeck_chart`: ``{"selection": {"indices": {layer: [...]}, "objects": {layer:
    [...]}}}``, or None before the first draw. Rows without an id are left out.
    """
    layers = list(_part(_part(selection, "selection"), "indices") or ()) if layer is None else [layer]
    return [identity for each in layers for identity in pinned_rows(selection, each).values() if identity]


def pinned_rows(selection: object, layer: str) -> dict[int, str]:
    """Return the id of each picked row by its number; empty text for a row without an id."""
    state = _part(_part(selection, "selection"), "indices"), _part(_part(selection, "selection"), "objects")
    indices, objects = (_part(each, layer) for each in state)
    if not isinstance(indices, Sequence) or not isinstance(objects, Sequence):
        return {}
    return {
        int(index): str(row.get("id", "")) if isinstance(row, Mapping) else ""
        for index, row in zip(indices, objects, strict=False)
    }


def arranged(ids: Sequence[str], pinned: Mapping[int, str]) -> list[int]:
    """Return which place stands in each row: the places in their order, but each pinned one where it was picked.

    A pinned place that is not among the ids keeps its row too; its row, and those needed to reach a pinned one beyond
    the end, hold -1: nothing is drawn there.
    """
    number = {identity: place for place, identity in enumerate(ids)}
    fixed = {row: number.get(identity, -1) for row, identity in pinned.items() if row >= 0}
    taken = set(fixed.values())
    others = [place for place in range(len(ids)) if place not in taken]
    order: list[int] = []
    while others or len(order) <= max(fixed, default=-1):
        row = len(order)
        order.append(fixed[row] if row in fixed else others.pop(0) if others else -1)
    return order


def _part(whole: object, name: str) -> Any:
    if isinstance(whole, Mapping):
        return whole.get(name)
    return getattr(whole, name, None)
