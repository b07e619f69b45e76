"""Find coordinates whose latitude and longitude look swapped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry.base import BaseGeometry

from domain.incidents.area import country_shapes

_ANTARCTICA = "AQ"
_DOUBT = "is on land only if latitude and longitude are swapped. Check their order."


def is_on_land(geometry: BaseGeometry) -> bool:
    """Return whether a geometry in degrees touches land, other than Antarctica."""
    return bool(shapely.intersects(_land(), geometry).any())


def swap(geometry: BaseGeometry) -> BaseGeometry:
    """Return a geometry with latitude and longitude exchanged."""
    swapped: BaseGeometry = shapely.transform(geometry, lambda at: at[:, ::-1])
    return swapped


def swapped_note(label: str, geometries: Sequence[BaseGeometry]) -> str:
    """Return a sentence for shapes that are on land only if latitude and longitude are exchanged; otherwise ""."""
    whole = shapely.union_all(list(geometries))
    west, _, east, _ = whole.bounds if not whole.is_empty else (180.0, 0.0, 180.0, 0.0)
    if west < -90 or east > 90 or is_on_land(whole) or not is_on_land(swap(whole)):
        return ""
    return f"“{label}” {_DOUBT}"


def looks_swapped(notes: Sequence[str]) -> bool:
    """Return whether one of the notes is from `swapped_note`."""
    return any(note.endswith(_DOUBT) for note in notes)


@cache
def _land() -> npt.NDArray[np.object_]:
    land = np.array([each for code, each in country_shapes().items() if code != _ANTARCTICA], dtype=object)
    shapely.prepare(land)
    return land
