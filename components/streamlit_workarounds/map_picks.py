"""The selection on a map, and an order of its rows that keeps the selection right.

The browser stores a selection as row numbers and applies them to the rows of the next run, so that Singapore may become
another place (streamlit/streamlit#13703). Selected rows therefore keep their numbers. Held by
`tests/browser/test_maps.py::
test_a_map_shows_progress_and_preserves_the_selection_while_rows_change`.
"""

from collections.abc import Mapping, Sequence
from typing import Any


def picked_ids(selection: object, layer: str | None = None) -> list[str]:
    """Return the IDs of the selected rows of a layer, or of all layers, in the order of selection.

    `selection` is the state of `st.pydeck_chart`: ``{"selection": {"indices": {layer: [...]}, "objects": {layer:
    [...]}}}``, or None before it is drawn. Rows without an ID are left out.
    """
    layers = list(_part(_part(selection, "selection"), "indices") or ()) if layer is None else [layer]
    return [identity for each in layers for identity in pinned_rows(selection, each).values() if identity]


def pinned_rows(selection: object, layer: str) -> dict[int, str]:
    """Return the ID of each selected row by its number, "" for a row without an ID."""
    state = _part(_part(selection, "selection"), "indices"), _part(_part(selection, "selection"), "objects")
    indices, objects = (_part(each, layer) for each in state)
    if not isinstance(indices, Sequence) or not isinstance(objects, Sequence):
        return {}
    return {
        int(index): str(row.get("id", "")) if isinstance(row, Mapping) else ""
        for index, row in zip(indices, objects, strict=False)
    }


def arranged(ids: Sequence[str], pinned: Mapping[int, str]) -> list[int]:
    """Return the index of the place in each row: places in order, but pinned ones in the row they were selected in.

    -1 means an empty row: of a pinned place that is not among the IDs, or before a pinned row beyond the end.
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
