"""Problems found in a shape file, and what simplifying changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Finding:
    """A problem in a shape file."""

    code: str
    """Names the problem in `PrepareOptions.repairs`."""

    message: str
    count: int = 1
    """The number of features with the problem."""

    features: Sequence[int] = ()
    """The numbers of the first features with the problem, from 1."""

    blocks: bool = False
    """Whether the file cannot be sent with the problem."""

    is_repaired: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    """Values that the user can choose instead, each with a preview."""

    choice: str = ""
    """The chosen key of `choices`."""


@dataclass(frozen=True)
class Loss:
    """What simplifying changed."""

    vertices_before: int
    vertices_after: int
    shift: float
    """The largest distance from a removed corner to the simplified line, in meters."""

    area_before: float
    """In square meters."""

    area_after: float
    parts_removed: int
    """The number of removed parts and holes."""
