"""A pydeck Deck that writes its JSON fast: tables go in as pandas writes them, spliced into a small compact frame."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pydeck as pdk

from components.maps.viewport import View

Layer = Mapping[str, Any]

_DATA_MARK = "\u0000data\u0000"
# As json.dumps writes it. What the tables hold is never looked through for it: they go in afterwards.
_WRITTEN_MARK = json.dumps(_DATA_MARK)


class SplicedDeck(pdk.Deck):  # type: ignore[misc]  # pydeck has no types
    """A map of layers given in deck.gl's own words, whose `data` may be DataFrames.

    Equal, once parsed, to what pydeck writes for the same layers with records in place of the DataFrames. pydeck makes
    a dictionary of each row and indents; at 20,000 rows that takes nine times as long. There is no map provider and no
    style, the only way in which nothing is fetched from another host.
    """

    def __init__(self, layers: Sequence[Layer], *, view: View, tooltip: Mapping[str, Any] | bool = False) -> None:
        """Take the layers from the bottom up. The world repeats sideways, so that the date line is no edge."""
        map_view = pdk.View(
            type="MapView",
            controller={
                "dragRotate": False,
                "touchRotate": False,
                "keyboard": True,
                "doubleClickZoom": True,
                "maxBounds": view.bounds,
            },
            repeat=True,
        )
        super().__init__(
            layers=[],
            views=[map_view],
            map_provider=None,
            initial_view_state=view.to_deck(),
            tooltip=tooltip,
        )
        self._json = _spliced(json.loads(super().to_json()), layers)

    def to_json(self) -> str:
        """Return the map as deck.gl's JSON converter reads it."""
        return self._json


@dataclass(frozen=True)
class Drawn:
    """What is drawn: the deck, a sentence for those who cannot see it, and how much of it had to be left out."""

    deck: SplicedDeck
    description: str
    left_out: int = 0


def _spliced(frame: dict[str, Any], layers: Sequence[Layer]) -> str:
    bare: list[dict[str, Any]] = []
    tables: list[str] = []
    for layer in layers:
        data = layer.get("data")
        if isinstance(data, pd.DataFrame):
            tables.append(data.to_json(orient="records", double_precision=4, force_ascii=False))
            bare.append({**layer, "data": _DATA_MARK})
        else:
            bare.append(dict(layer))
    frame["layers"] = bare
    around = json.dumps(frame, separators=(",", ":")).split(_WRITTEN_MARK)
    pieces = [around[0]]
    for table, after in zip(tables, around[1:], strict=True):
        pieces += [table, after]
    return "".join(pieces)
