"""What part of the world a map shows first: fitted to the data, around the date line where that is the shorter way."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from domain.geography.distance import WGS84

Floats = npt.NDArray[np.float64]

TILE = 512.0
"""Pixels of the whole world at zoom 0, both ways, in deck.gl's web Mercator."""
MAX_LATITUDE = 85.05
MIN_ZOOM = -1.0
MAX_ZOOM = 12.0
CLOSEST_FIT = 6.0
"""Zoom at which a single place is shown: its country around it."""
CLOSER_BY = 0.9
"""Zoom levels that a fitted view must win before the map is moved for it: nearly twice as large."""
NEARLY_AROUND = 290.0
"""Degrees of longitude beyond which a view shows the world from edge to edge."""
HAIR = 0.001
"""Zoom levels, less than a pixel, that keep rounding from showing the next world."""
SCALE_SHARE = 0.25
"""The share of a map's width that the line of its scale has at most."""
PHONE_WIDTH = 350
PHONE_HEIGHT = 340
DESKTOP_WIDTH = 1060


@dataclass(frozen=True)
class View:
    """A window on the world: its centre in decimal degrees, deck.gl's zoom, and its size in pixels."""

    longitude: float
    latitude: float
    zoom: float
    width: float
    height: float

    @property
    def world(self) -> float:
        """Width of the whole world in pixels."""
        return float(TILE * 2.0**self.zoom)

    def screen(self, lat: npt.ArrayLike, lon: npt.ArrayLike) -> tuple[Floats, Floats]:
        """Return where places lie in the window, in pixels from its top left, each in the copy nearest its centre."""
        away = np.asarray(lon, dtype=np.float64) - self.longitude
        x = (np.remainder(away + 180.0, 360.0) - 180.0) / 360.0 * self.world + self.width / 2
        y = (mercator(lat) - mercator(self.latitude)) * self.world + self.height / 2
        return x, y

    @property
    def bounds(self) -> list[list[float]]:
        """The one world that the window may look at: the usual one, or the one around this view where it looks beyond.

        deck.gl comes closer until this fills its window, which may be wider than the view was made for: it would fill
        the rest with the next world, and every place would stand there twice.
        """
        middle = self.longitude if abs(self.longitude) + self.width / self.world * 180 > 180 else 0.0
        return [[middle - 180, -MAX_LATITUDE], [middle + 180, MAX_LATITUDE]]

    def to_deck(self) -> dict[str, float | bool]:
        """Return deck.gl's initial view state; not normalized, so that a narrow map may show the whole world."""
        return {
            "longitude": round(self.longitude, 4),
            "latitude": round(self.latitude, 4),
            "zoom": round(self.zoom, 3),
            "minZoom": MIN_ZOOM,
            "maxZoom": MAX_ZOOM,
            "pitch": 0,
            "bearing": 0,
            "normalize": False,
        }


class Scale(NamedTuple):
    """The line of a map's scale: its width on the screen, and the round length that it stands for, such as "20 km"."""

    pixels: float
    text: str


def scale_at(view: View, latitude: float) -> Scale:
    """Return the scale of a map along a latitude."""
    degrees = min(SCALE_SHARE * view.width * 360.0 / view.world, 90.0)
    _, _, meters = WGS84.inv(view.longitude, latitude, view.longitude + degrees, latitude)
    length = round_length(meters)
    text = f"{length / 1000:,.0f} km" if length >= 1000 else f"{length:,.0f} m"
    return Scale(degrees * length / meters * view.world / 360.0, text)


def round_length(meters: float) -> float:
    """Return the longest of 1, 2 and 5 times a power of ten that is no longer."""
    power = 10.0 ** math.floor(math.log10(max(meters, 1.0)))
    return next(step * power for step in (5, 2, 1) if step * power <= meters or step == 1)


def mercator(lat: npt.ArrayLike) -> Floats:
    """Return the height of latitudes in the world's square: 0 in the north, 1 in the south."""
    clipped = np.clip(np.asarray(lat, dtype=np.float64), -MAX_LATITUDE, MAX_LATITUDE)
    return np.asarray(0.5 - np.log(np.tan(np.pi / 4 + np.radians(clipped) / 2)) / (2 * np.pi))


def latitude_at(height: float) -> float:
    """Return the latitude at a height in the world's square."""
    return math.degrees(2 * math.atan(math.exp((0.5 - height) * 2 * math.pi)) - math.pi / 2)


def span_of(lon: npt.ArrayLike, *, worth_turning: float = 1.0) -> tuple[float, float]:
    """Return the westernmost longitude and the degrees eastwards from it that hold all.

    That is the shortest such span, across the date line if need be; but only where it takes less than the share
    `worth_turning` of the span within -180 to 180: people find their way in the world as it hangs on walls.
    """
    known = np.remainder(np.asarray(lon, dtype=np.float64) + 180.0, 360.0) - 180.0
    usual = float(known.max() - known.min())
    west, span = _across_widest_gap(known)
    return (west, span) if span < worth_turning * usual else (float(known.min()), usual)


def _across_widest_gap(lon: Floats) -> tuple[float, float]:
    sorted_lon = np.unique(np.remainder(lon, 360.0))
    gaps = np.diff(sorted_lon, append=sorted_lon[0] + 360.0)
    widest = int(np.argmax(gaps))
    west = float(sorted_lon[(widest + 1) % len(sorted_lon)])
    return (west + 180.0) % 360.0 - 180.0, 360.0 - float(gaps[widest])


def fitted_view(
    lat: npt.ArrayLike,
    lon: npt.ArrayLike,
    *,
    width: float,
    height: float,
    margin: float = 36.0,
    worth_turning: float = 0.8,
    closest: float = CLOSEST_FIT,
) -> View:
    """Return the closest view of this size that shows all places; one of the world where there are none.

    `margin` is in pixels, less on a small map; for `worth_turning` see `span_of`. `closest` is the zoom for one place.
    """
    known_lat, known_lon = np.asarray(lat, dtype=np.float64), np.asarray(lon, dtype=np.float64)
    finite = np.isfinite(known_lat) & np.isfinite(known_lon)
    if not finite.any():
        zoom = max(MIN_ZOOM, math.log2(max(width, 1.0) / TILE))
        return View(longitude=10.0, latitude=25.0, zoom=min(zoom, 1.3), width=width, height=height)
    west, span = span_of(known_lon[finite], worth_turning=worth_turning)
    heights = mercator(known_lat[finite])
    north, south = float(heights.min()), float(heights.max())
    inner_width, inner_height = width - 2 * min(margin, width / 12), height - 2 * min(margin, height / 12)
    across = inner_width / (TILE * max(span / 360.0, 1e-9))
    down = inner_height / (TILE * max(south - north, 1e-9))
    zoom = min(max(math.log2(min(across, down)), MIN_ZOOM), closest)
    longitude = (west + span / 2 + 180.0) % 360.0 - 180.0
    whole = math.log2(width / TILE) + HAIR
    if span > NEARLY_AROUND and zoom < whole + 0.2 and whole <= math.log2(down):
        # A margin would show a strip of the next world, with places twice, and cost a whole world to draw.
        zoom, longitude = whole, 0.0
    middle = _within_world((north + south) / 2, height / (TILE * 2.0**zoom))
    return View(longitude=longitude, latitude=latitude_at(middle), zoom=zoom, width=width, height=height)


def _within_world(middle: float, window: float) -> float:
    """Return the middle moved so that the window does not look beyond the poles, where the world is tall enough."""
    return 0.5 if window >= 1.0 else min(max(middle, window / 2), 1.0 - window / 2)


def window_size(user_agent: str | None, width: int | None, height: int) -> tuple[int, int]:
    """Return the width to fit a map for and the height to draw it with, in pixels.

    The server never learns the real width, only who is asking: a phone, or something as wide as the page said, else as
    a common laptop. A wider window shows more of the world on both sides, a narrower one cuts it. On a phone the map is
    no higher than a thumb can scroll past.
    """
    if user_agent and "Mobi" in user_agent:
        return PHONE_WIDTH, min(height, PHONE_HEIGHT)
    return width or DESKTOP_WIDTH, height


def steady_view(
    previous_view: View | None,
    lat: npt.ArrayLike,
    lon: npt.ArrayLike,
    *,
    width: float,
    height: float,
    closest: float = CLOSEST_FIT,
) -> View:
    """Return the view to start from: the one before as long as it still suits, else one fitted to the places.

    A map that jumps at each move of a slider cannot be read, and the browser forgets where a person has moved it. So
    the view changes only when a place would lie outside it, or all would fill little more than half of it.
    """
    fitted = fitted_view(lat, lon, width=width, height=height, closest=closest)
    if previous_view is None or (previous_view.width, previous_view.height) != (width, height):
        return fitted
    known_lat, known_lon = np.asarray(lat, dtype=np.float64), np.asarray(lon, dtype=np.float64)
    finite = np.isfinite(known_lat) & np.isfinite(known_lon)
    x, y = previous_view.screen(known_lat[finite], known_lon[finite])
    holds_all = bool(((x >= 0) & (x <= width) & (y >= 0) & (y <= height)).all())
    return previous_view if holds_all and fitted.zoom - previous_view.zoom < CLOSER_BY else fitted
