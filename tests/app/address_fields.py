"""Where the fields stand that write themselves into the address: they must not move (docs/architecture.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from streamlit.testing.v1 import AppTest


def places_of_address_fields(app: AppTest) -> dict[str, tuple[int, ...]]:
    """The blocks above each field that is bound to the address, as positions from the root, by the field's name."""
    return {key: path[:-1] for key, path in _walk(app._tree, ())}


def _walk(node: Any, path: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    bound = getattr(getattr(node, "proto", None), "query_param_key", "")
    if bound:
        yield bound, path
    for index, child in getattr(node, "children", {}).items():
        yield from _walk(child, (*path, index))
