"""Names beside marks: which places get one, on which side, so that no two names overlap."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from domain.geography.airports import airport
from domain.geography.folding import fold
from domain.text.plain_text import in_short

Floats = npt.NDArray[np.float64]
Anchor = Literal["start", "middle", "end"]

FONT_SIZE = 12.0
LINE_HEIGHT = 1.3
LONGEST = 22
GAP = 3.0
"""Pixels between a mark and its name, and at least between two names."""
LEADING = 10
"""How many of the first places have a name even at the cost of covering small marks."""
LARGE_MARK = 10.0
"""Pixels of radius beyond which a mark is never covered."""

_AIRPORT_CODE = re.compile(r"\(([A-Z]{3})\)$")
_ANY_AIRPORT = frozenset({"airport", "international"})
_NARROW = frozenset("iljftrI.,;:'|!()[] ·")
_WIDE = frozenset("mwMWGOQ@%&")


@dataclass(frozen=True)
class Box:
    """A rectangle on the screen in pixels, y downwards."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Label:
    """A name to draw: of which place, its text, and how it hangs on the place in pixels."""

    index: int
    text: str
    anchor: Anchor
    dx: float
    dy: float
    box: Box


def short_name(label: str) -> str:
    """Return a place's name as a map has room for it: city and code for an airport, else its first part, cut."""
    code = _AIRPORT_CODE.search(label)
    known = airport(code.group(1)) if code else None
    # Stations are called by codes too: "Edinburgh Waverley (EDB)" is not in Sudan.
    if known and set(fold(label).split()) & set(fold(f"{known.city} {known.name}").split()) - _ANY_AIRPORT:
        city = known.city.split(",")[0].split("/")[0].strip()
        return f"{in_short(city, LONGEST - 4)} {known.iata}" if city else known.iata
    return in_short(label.split(",")[0].strip() or label, LONGEST)


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """Return about how wide a text is drawn, in pixels, rather too wide than too narrow."""
    ems = 0.0
    for letter in text:
        if letter in _NARROW:
            ems += 0.36
        elif letter in _WIDE:
            ems += 0.92
        elif ord(letter) > 0x2E80:
            ems += 1.05
        else:
            ems += 0.68 if letter.isupper() else 0.58
    return ems * size


def placed_labels(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    radius: npt.ArrayLike,
    texts: Sequence[str],
    *,
    width: float,
    height: float,
    most: int = 40,
    size: float = FONT_SIZE,
    obstacles: Floats | None = None,
    leading: int = LEADING,
) -> list[Label]:
    """Choose names greedily in the given order, the most important place first.

    Positions and radii are those of the marks on the screen in pixels; `obstacles` are more rectangles to keep clear,
    one row each: left, top, right, bottom. A name lies wholly within the window, overlaps no other name, no mark and no
    obstacle, and is left out where no side has room. Only the names of the first `leading` places may lie over smaller
    marks and over obstacles.
    """
    xs, ys, rs = (np.asarray(values, dtype=np.float64) for values in (x, y, radius))
    marks = np.column_stack([xs - rs, ys - rs, xs + rs, ys + rs])
    others = marks if obstacles is None else np.vstack([marks, obstacles])
    reserved = np.empty((0, 4))
    labels: list[Label] = []
    for index, text in enumerate(texts):
        if len(labels) >= most:
            break
        cx, cy, r = float(xs[index]), float(ys[index]), float(rs[index])
        if not text or not (0 <= cx <= width and 0 <= cy <= height):
            continue
        inside = [
            label
            for label in _candidates(index, text, cx, cy, r, size)
            if label.box.left >= 0 and label.box.top >= 0 and label.box.right <= width and label.box.bottom <= height
        ]
        free = [label for label in inside if not _hits(reserved, label.box)]
        chosen = next((label for label in free if not _hits(others, label.box)), None)
        if chosen is None and index < leading:
            large = marks[rs > LARGE_MARK]
            chosen = next((label for label in free if not _hits(large, label.box)), None)
        if chosen:
            labels.append(chosen)
            box = chosen.box
            row = [box.left - GAP, box.top - GAP / 2, box.right + GAP, box.bottom + GAP / 2]
            reserved = np.vstack([reserved, row])
    return labels


def _candidates(index: int, text: str, cx: float, cy: float, r: float, size: float) -> list[Label]:
    across, down = text_width(text, size), size * LINE_HEIGHT
    aside, below = r + GAP, r + down / 2 + 1
    places: list[tuple[Anchor, float, float]] = [
        ("start", aside, 0.0),
        ("end", -aside, 0.0),
        ("middle", 0.0, below),
        ("middle", 0.0, -below),
    ]
    lefts = {"start": 0.0, "middle": -across / 2, "end": -across}
    labels = []
    for anchor, dx, dy in places:
        left, top = cx + dx + lefts[anchor], cy + dy - down / 2
        labels.append(Label(index, text, anchor, dx, dy, Box(left, top, left + across, top + down)))
    return labels


def _hits(taken: Floats, box: Box) -> bool:
    return bool(
        (
            (taken[:, 0] < box.right) & (box.left < taken[:, 2]) & (taken[:, 1] < box.bottom) & (box.top < taken[:, 3])
        ).any()
    )
