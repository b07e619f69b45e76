"""Layers of names and other short texts on a pydeck map."""

from typing import Any

import pandas as pd

from components.maps.deck import harmless
from domain.maps.labels import Label
from domain.maps.palette import rgb

FONT = '"Source Sans", "Source Sans Pro", system-ui, sans-serif'


def names_layer(rows: pd.DataFrame, labels: list[Label], colour: str, **drawing: Any) -> dict[str, Any]:
    """The names that were placed beside marks; `rows` has x, y (degrees) of each mark."""
    at = rows.iloc[[label.index for label in labels]][["x", "y"]].reset_index(drop=True)
    frame = at.assign(
        t=harmless(pd.Series([label.text for label in labels], dtype="str")).to_numpy(),
        a=[label.anchor for label in labels],
        u=[round(label.dx, 1) for label in labels],
        v=[round(label.dy, 1) for label in labels],
    )
    layer = text_layer("names", frame, colour, **{"size": 12, **drawing})
    return {**layer, "getPixelOffset": "@@=[u,v]", "getTextAnchor": "@@=a"}


def text_layer(
    name: str, frame: pd.DataFrame, colour: str, *, weight: int, under: str | None = None, size: int | str = "@@=z"
) -> dict[str, Any]:
    """A layer of texts t at x, y (degrees), of a size in pixels; `under` is the colour of the ground they stand on."""
    layer: dict[str, Any] = {
        "@@type": "TextLayer",
        "id": name,
        "data": frame,
        "getPosition": "@@=[x,y]",
        "getText": "@@=t",
        "getSize": size,
        "sizeUnits": "pixels",
        "fontFamily": FONT,
        "fontWeight": weight,
        "characterSet": "auto",
        "fontSettings": {"fontSize": 32, "buffer": 4},
        "pickable": False,
        # Not as getColor, for the reason in deck.py.
        "_subLayerProps": {"characters": {"getColor": [*rgb(colour), 255]}},
    }
    if under:
        layer |= {
            "background": True,
            "getBackgroundColor": [*rgb(under), 165],
            "backgroundPadding": [2, 0],
            "backgroundBorderRadius": 3,
        }
    return layer
