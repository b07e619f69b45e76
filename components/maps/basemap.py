"""The ground of every map: countries and their borders by URL, so that they travel once and not with each rerun."""

from typing import Any

from components.maps.palette import GROUNDS, Theme, rgb
from components.maps.viewport import MAX_LATITUDE

STATIC_PATH = "app/static/basemap"
"""Where the app serves static/basemap, below its base path. It is public: no sign-in protects it."""


def static_url(name: str, base_path: str = "") -> str:
    """Return the address of a file in static/basemap from the root of the host."""
    root = base_path.strip("/")
    return f"/{root}/{STATIC_PATH}/{name}" if root else f"/{STATIC_PATH}/{name}"


def basemap_layers(theme: Theme, base_path: str = "") -> list[dict[str, Any]]:
    """Return the layers of the ground, from the bottom up."""
    return [_sea(theme), _graticule(theme), _countries(theme, static_url("countries.geojson", base_path))]


# Colours stand in _subLayerProps and not in getFillColor or getColor: Streamlit fades every layer that has one of these
# as soon as something is picked.


def _sea(theme: Theme) -> dict[str, Any]:
    # Not as the colour that the window is cleared with: that wipes out the copies of a world that repeats.
    corners = [[-180, -MAX_LATITUDE], [180, -MAX_LATITUDE], [180, MAX_LATITUDE], [-180, MAX_LATITUDE]]
    return {
        "@@type": "GeoJsonLayer",
        "id": "sea",
        "data": _feature({"type": "Polygon", "coordinates": [[*corners, corners[0]]]}),
        "pickable": False,
        "stroked": False,
        "_subLayerProps": {"polygons-fill": {"getFillColor": [*rgb(GROUNDS[theme].sea), 255]}},
    }


def _countries(theme: Theme, url: str) -> dict[str, Any]:
    ground = GROUNDS[theme]
    return {
        "@@type": "GeoJsonLayer",
        "id": "countries",
        "data": url,
        "pickable": False,
        "stroked": False,
        "filled": True,
        "lineWidthUnits": "pixels",
        "lineWidthMinPixels": 0.6,
        "_subLayerProps": {
            "polygons-fill": {"getFillColor": [*rgb(ground.land), 255]},
            "linestrings": {"getColor": [*rgb(ground.border), 255], "getWidth": 0.9},
        },
    }


def _graticule(theme: Theme) -> dict[str, Any]:
    meridians = [[[lon, -MAX_LATITUDE], [lon, MAX_LATITUDE]] for lon in range(-180, 180, 30)]
    # In steps of 90 degrees: one step around the world would be none.
    parallels = [[[lon, lat] for lon in range(-180, 181, 90)] for lat in range(-60, 61, 30)]
    return {
        "@@type": "GeoJsonLayer",
        "id": "graticule",
        "data": _feature({"type": "MultiLineString", "coordinates": [*meridians, *parallels]}),
        "pickable": False,
        "lineWidthUnits": "pixels",
        "_subLayerProps": {"linestrings": {"getColor": [*rgb(GROUNDS[theme].graticule), 255], "getWidth": 0.7}},
    }


def _feature(geometry: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Feature", "properties": {}, "geometry": geometry}
