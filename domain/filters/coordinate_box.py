"""Rules for the latitude and longitude of addresses, from a box on the map.

The table allows comparisons of a number and no range, so a box is four rules. All rules must match, so a box across the
180th meridian, whose longitudes are above its west edge or below its east edge, is one filter for each side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from domain.filters import columns
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.rule_steps import NO_IDS, add_rule, set_operator, set_value
from domain.filters.values import read_value

LATITUDE: Final = "gisLocation.lat|SYSTEM_OBJECT|address"
LONGITUDE: Final = "gislocation.lon|SYSTEM_OBJECT|address"
EDGES: Final[Mapping[str, tuple[str, str]]] = {
    "north": (LATITUDE, "LTE"),
    "south": (LATITUDE, "GTE"),
    "west": (LONGITUDE, "GTE"),
    "east": (LONGITUDE, "LTE"),
}
"""The column and the operator of the rule for each edge."""
_DRAWN_DIGITS: Final = 5
"""The digits of an edge that is drawn: about a meter."""
_TYPED_DIGITS: Final = 12
_WHOLE_TURN: Final = 360


class Box(NamedTuple):
    """The edges in decimal degrees. Across the 180th meridian, `east` is less than `west`."""

    north: float
    south: float
    west: float
    east: float

    @property
    def crosses_date_line(self) -> bool:
        """Whether the box crosses the 180th meridian."""
        return self.east < self.west

    @property
    def texts(self) -> dict[str, str]:
        """The edges as they are typed, by name."""
        return {name: format_degrees(value) for name, value in self._asdict().items()}


def format_degrees(value: float) -> str:
    """Return degrees as they are typed: "47.5"."""
    return f"{round(value, _TYPED_DIGITS) + 0.0:.{_TYPED_DIGITS}f}".rstrip("0").rstrip(".")


def read_box(texts: Mapping[str, str]) -> tuple[Box | None, dict[str, str]]:
    """Read the four edges as typed, and return the box or the problems by edge; neither while edges are missing."""
    values: dict[str, float] = {}
    problems: dict[str, str] = {}
    for name, (key, _) in EDGES.items():
        read = read_value("number", texts.get(name, ""))
        limit = 90 if key == LATITUDE else 180
        if read.problem is not None:
            problems[name] = read.problem
        elif read.value is not None and abs(read.value) > limit:
            problems[name] = f"Enter a number from -{limit} to {limit}."
        elif read.value is not None:
            values[name] = float(read.value)
    if "north" in values and "south" in values and values["south"] >= values["north"]:
        problems["south"] = "The south edge must be less than the north edge."
    if "west" in values and values.get("east") == values["west"]:
        problems["east"] = "The west and the east edge must be different."
    return (Box(**values) if len(values) == len(EDGES) and not problems else None), problems


def box_around(area: Mapping[str, Any]) -> Box:
    """Return the box around a polygon drawn on a map, whose longitudes may be beyond 180 or -180."""
    (ring,) = area["coordinates"]
    longitudes, latitudes = [each[0] for each in ring], [each[1] for each in ring]
    north, south = (round(each, _DRAWN_DIGITS) for each in (max(latitudes), min(latitudes)))
    if max(longitudes) - min(longitudes) >= _WHOLE_TURN:
        return Box(north, south, -180.0, 180.0)
    west, east = (round(_within_a_turn(each), _DRAWN_DIGITS) for each in (min(longitudes), max(longitudes)))
    # An edge on the meridian itself may be written either way.
    return Box(north, south, -180.0 if west == 180 else west, 180.0 if east == -180 else east)


def polygon_of(box: Box) -> dict[str, Any]:
    """Return the box as a GeoJSON polygon. Across the 180th meridian, its longitudes go beyond 180."""
    east = box.east + _WHOLE_TURN if box.crosses_date_line else box.east
    corners = [(box.west, box.south), (east, box.south), (east, box.north), (box.west, box.north)]
    return {"type": "Polygon", "coordinates": [[list(each) for each in (*corners, corners[0])]]}


def split_at_date_line(box: Box) -> list[Box]:
    """Return the box, or the part on each side of the 180th meridian if it crosses that."""
    return [box._replace(east=180.0), box._replace(west=-180.0)] if box.crosses_date_line else [box]


def with_box(draft: FilterDraft, box: Box, field_ids: Mapping[str, int] = NO_IDS) -> FilterDraft:
    """Return the draft with a rule for each edge. An existing rule for an edge gets the new value.

    Rules without a column are removed.
    """
    has_column = [rule for rule in draft.rules if rule.payload or rule.typed or rule.muted]
    draft = draft.model_copy(update={"rules": has_column, "refused": []})
    for name, (key, operator) in EDGES.items():
        rule = _edge_rule(draft, name)
        if rule is None:
            draft = add_rule(draft, key, field_ids)
            rule = draft.rules[-1]
            draft = set_operator(draft, rule.uid, operator)
        draft = set_value(draft, rule.uid, "value", box.texts[name])
    return draft


def find_box(draft: FilterDraft) -> Box | None:
    """Return the box of the rules that are not muted; None if they are not a whole one."""
    rules = {name: _edge_rule(draft, name) for name in EDGES}
    texts = {
        name: format_degrees(value)
        for name, rule in rules.items()
        if rule is not None and isinstance(value := rule.payload.get("columnValue"), int | float)
    }
    return read_box(texts)[0]


def count_box_rules(draft: FilterDraft) -> int:
    """Return how many rules `with_box` would change instead of adding one."""
    return sum(_edge_rule(draft, name) is not None for name in EDGES)


def _edge_rule(draft: FilterDraft, name: str) -> RuleDraft | None:
    """Return the first rule with the column and the operator of an edge that is not muted."""
    for rule in draft.active_rules:
        if (columns.key_of_rule(rule.payload), columns.effective_operator(rule.payload)) == EDGES[name]:
            return rule
    return None


def _within_a_turn(longitude: float) -> float:
    return (longitude + 180) % _WHOLE_TURN - 180
