"""The map of places: from a table of places to all that the browser needs to draw it, and no more than may be seen."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from cachetools import LRUCache, cached

from components.maps.deck import Drawn, SplicedDeck, ground_layers, harmless, harmless_in_tooltip, static_url, tooltip
from components.maps.labels import Label, placed_labels, short_name, text_width
from components.maps.marks import RING, count_text, icon_cells, icon_name, icon_sizes, radii, ring_sizes
from components.maps.viewport import Floats, View
from components.streamlit_workarounds.map_picks import arranged
from domain.maps.palette import GROUNDS, OTHER_KIND, Theme, rgb

LAYER = "places"
"""The id of the layer that can be picked."""
FONT = '"Source Sans", "Source Sans Pro", system-ui, sans-serif'
LABEL_CANDIDATES = 200
"""How many of the biggest places may get a name; more would be tried in vain."""
PIXELS_A_LABEL = 11_000
SMALL_SCREEN = 500
SMALL_SCREEN_SCALE = 0.72
COUNTED_RADIUS = 8.0
"""Marks smaller than this, in pixels, show no count."""

_COLUMNS = ["place_id", "label", "lat", "lon", "people", "locations", "kind", "status"]
STATUS_WORDS: Mapping[str, str] = {
    "there": "there",
    "arriving": "arriving",
    "leaving": "leaving",
    "possible": "possibly there",
}


def _digest(places: pd.DataFrame, **drawing: object) -> str:
    rows = pd.util.hash_pandas_object(places[_COLUMNS], index=False).to_numpy()
    return hashlib.sha256(rows.tobytes() + repr(sorted(drawing.items())).encode()).hexdigest()


@cached(LRUCache(32), key=_digest, lock=Lock())
def place_map_of(
    places: pd.DataFrame,
    *,
    theme: Theme,
    view: View,
    pinned: Mapping[int, str],
    selected: Sequence[str],
    base_path: str = "",
) -> Drawn:
    """Return the map of places, the same object as before while nothing of it has changed.

    `places` has place_id, label, lat, lon (degrees; rows without are left out), people, locations, kind, status; other
    columns never leave the server. `pinned` says which row a place was picked in, `selected` which places are ringed.
    """
    known = places[np.isfinite(places["lat"].astype(float)) & np.isfinite(places["lon"].astype(float))]
    # The biggest first: smaller marks are drawn over them, and names go to the most people.
    known = known.sort_values("people", ascending=False, kind="stable")
    radius = radii(known["people"].to_numpy(), scale=SMALL_SCREEN_SCALE if view.width < SMALL_SCREEN else 1.0)
    x, y = view.screen(known["lat"].to_numpy(dtype=float), known["lon"].to_numpy(dtype=float))
    rows = _rows(known, radius)
    counted = _counted(known["people"].to_numpy(), radius, x, y)
    order = arranged(known["place_id"].tolist(), pinned)
    atlas = static_url(f"basemap/marks-{theme}.png", base_path)
    ringed = known["place_id"].isin(list(selected)).to_numpy()
    highlight = [255, 255, 255, 70] if theme == "light" else [0, 0, 0, 50]
    rings = rows.loc[ringed, ["x", "y"]].assign(s=ring_sizes(radius[ringed]).round(1), i=RING)
    layers = [
        *ground_layers(theme, view.zoom, base_path),
        _icon_layer(
            LAYER,
            _in_order(rows, order, pinned),
            atlas,
            pickable=True,
            autoHighlight=True,
            highlightColor=highlight,
        ),
        _icon_layer("rings", rings, atlas),
        *_count_layers(known, rows, counted, theme),
        _name_layer(known, rows, counted, radius, x, y, view, theme),
    ]
    deck = SplicedDeck(layers, view=view, tooltip=tooltip(theme))
    return Drawn(deck, _description(known))


def _rows(known: pd.DataFrame, radius: Floats) -> pd.DataFrame:
    """One row a mark under short names: a million letters of column names are a megabyte."""
    people, locations = known["people"].to_numpy(), known["locations"].to_numpy()
    kinds = known["kind"].fillna(OTHER_KIND).astype(str).to_numpy()
    statuses = known["status"].fillna("there").astype(str).to_numpy()
    details = [
        f"{n:,} people, most {STATUS_WORDS.get(status, status)} · {many:,} locations, most {kind.lower()}"
        if n > 1
        else f"1 person, {STATUS_WORDS.get(status, status)} · {kind.lower()}"
        for n, many, kind, status in zip(people, locations, kinds, statuses, strict=True)
    ]
    return pd.DataFrame(
        {
            "id": harmless(known["place_id"]).to_numpy(),
            "x": known["lon"].to_numpy(dtype=float).round(4),
            "y": known["lat"].to_numpy(dtype=float).round(4),
            "s": icon_sizes(radius).round(1),
            "i": [icon_name(kind, status) for kind, status in zip(kinds, statuses, strict=True)],
            "n": harmless_in_tooltip(known["label"]).to_numpy(),
            "d": details,
        }
    )


def _in_order(rows: pd.DataFrame, order: list[int], pinned: Mapping[int, str]) -> pd.DataFrame:
    """The rows as `arranged` says, with rows of no size where nothing is drawn."""
    if order == list(range(len(rows))):
        return rows
    empty = {"x": 0.0, "y": 0.0, "s": 0.0, "i": icon_name(None, None), "n": "", "d": ""}
    blanks = [{"id": pinned.get(row, ""), **empty} for row, place in enumerate(order) if place < 0]
    # Blank rows stand behind the others first, and are then taken from there one after another.
    known = pd.concat([rows, pd.DataFrame(blanks)]) if blanks else rows
    blank = iter(range(len(rows), len(known)))
    return known.iloc[[place if place >= 0 else next(blank) for place in order]]


def _icon_layer(name: str, rows: pd.DataFrame, atlas: str, **more: Any) -> dict[str, Any]:
    return {
        "@@type": "IconLayer",
        "id": name,
        "data": rows,
        "iconAtlas": atlas,
        "iconMapping": icon_cells(),
        "getPosition": "@@=[x,y]",
        "getIcon": "@@=i",
        "getSize": "@@=s",
        "sizeUnits": "pixels",
        "pickable": False,
        **more,
    }


@dataclass(frozen=True)
class _Counted:
    """The count of each mark as text, its size in pixels, and whether the mark shows it."""

    texts: list[str]
    sizes: Floats
    shown: npt.NDArray[np.bool_]


def _counted(people: npt.NDArray[Any], radius: Floats, x: Floats, y: Floats) -> _Counted:
    """A count is shown in a mark that has room for it and that no later mark covers."""
    texts = [count_text(int(n)) for n in people]
    sizes = np.clip(radius * 0.85, 10.0, 14.0)
    widths = np.array([text_width(text, 1.0) for text in texts], dtype=np.float64) * sizes
    shown = (widths <= radius * 1.75) & (radius >= COUNTED_RADIUS)
    for row in np.flatnonzero(shown):
        later = slice(row + 1, None)
        across = np.abs(x[later] - x[row]) < widths[row] / 2 + radius[later] * 0.9
        down = np.abs(y[later] - y[row]) < sizes[row] / 2 + radius[later] * 0.9
        shown[row] = not (across & down).any()
    return _Counted(texts, sizes, shown)


def _count_layers(known: pd.DataFrame, rows: pd.DataFrame, counted: _Counted, theme: Theme) -> list[dict[str, Any]]:
    """Counts in full marks are light on dark; in half and hollow ones the other way round, on a ground of their own."""
    frame = rows[["x", "y"]].assign(t=counted.texts, z=counted.sizes.round(1))
    pale = known["status"].isin(["leaving", "possible"]).to_numpy()
    ground = GROUNDS[theme]
    return [
        text_layer("counts", frame[counted.shown & ~pale], ground.on_mark, weight=700),
        text_layer("counts-pale", frame[counted.shown & pale], ground.ink, weight=700, under=ground.casing),
    ]


def _name_layer(
    known: pd.DataFrame,
    rows: pd.DataFrame,
    counted: _Counted,
    radius: Floats,
    x: Floats,
    y: Floats,
    view: View,
    theme: Theme,
) -> dict[str, Any]:
    """Names of the biggest places; one whose mark cannot show its count carries it."""
    labels = known["label"].head(LABEL_CANDIDATES).fillna("").astype(str)
    names = [
        short_name(label) if shown or n < 2 else f"{short_name(label)} · {text}"
        for label, shown, text, n in zip(labels, counted.shown, counted.texts, known["people"], strict=False)
    ]
    most = max(6, min(40, int(view.width * view.height / PIXELS_A_LABEL)))
    placed = placed_labels(x, y, radius, names, width=view.width, height=view.height, most=most)
    ground = GROUNDS[theme]
    return names_layer(rows, placed, ground.ink, weight=600, under=ground.land)


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


def _description(known: pd.DataFrame) -> str:
    """Return what the map shows in words: how many places and people, and where most are."""
    if known.empty:
        return "Map of the world without places."
    biggest = ", ".join(f"{label} ({n:,})" for label, n in known[["label", "people"]].head(3).itertuples(index=False))
    places = f"{len(known):,} {'place' if len(known) == 1 else 'places'}"
    return f"Map of {places} where people are expected. Most people: {biggest}."
