"""What is found in a shape file, and what simplifying it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Finding:
    """Something that is wrong: with how many features, which (the first, from 1), and whether nothing can be sent so.

    `code` is what it is mended by, `is_mended` tells that it was. Where a person can choose otherwise, `choices` are
    the values with a preview each, and `chosen` is the value now.
    """

    code: str
    said: str
    count: int = 1
    features: Sequence[int] = ()
    blocks: bool = False
    is_mended: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    chosen: str = ""


@dataclass(frozen=True)
class Loss:
    """What simpler shapes lost: corners, the largest shift in metres, square metres, parts and holes.

    The shift is that of corners that went to the line that is left; parts and holes that went are only counted.
    """

    vertices_before: int
    vertices_after: int
    shift: float
    area_before: float
    area_after: float
    parts_gone: int
