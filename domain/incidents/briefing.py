"""A briefing on an incident: one HTML page without further files, to print or send."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
import shapely
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from domain.expected_locations.bounds import Bounds
from domain.incidents.affected import SECTIONS, Affected
from domain.incidents.affected_texts import SECTION_LABELS, shown_people
from domain.incidents.incident_time import time_words
from domain.text.plain_text import count
from domain.text.time_text import ago, moment
from journal.incidents import Mark

_COUNTRIES: Final = Path(__file__).resolve().parents[2] / "static" / "basemap" / "countries.geojson"
_WORLD: Final = Bounds(-180, -85, 180, 85)
_WIDTH: Final = 720
_TALLEST: Final = 320
_STYLE: Final = """
body { font: 11pt/1.35 system-ui, sans-serif; color: #16212b; margin: 1.5rem auto; max-width: 60rem; padding: 0 1rem; }
h1 { margin: 0 0 .2rem; font-size: 1.5rem; } h2 { font-size: 1.05rem; margin: 1rem 0 .3rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: .5rem 0; }
dt { font-weight: 600; } dd { margin: 0; } svg { width: 100%; max-height: 22rem; border: 1px solid #9aa7b2; }
table { border-collapse: collapse; width: 100%; font-size: 9pt; }
th, td { border: 1px solid #9aa7b2; padding: .2rem .35rem; text-align: left; vertical-align: top; }
thead { display: table-header-group; } tr { break-inside: avoid; }
.covered { border-left: 4px solid #b4690e; padding-left: .6rem; }
@page { size: A4; margin: 12mm; }
@media print { body { margin: 0; max-width: none; padding: 0; font-size: 9pt; } svg { max-height: 70mm; } }
"""
_COLUMNS: Final = {
    "name": "Person",
    "locator": "Record locator",
    "status": "Status",
    "place": "Place",
    "from_local": "From (local)",
    "until_local": "Until (local)",
    "until_utc": "Until (UTC)",
    "why": "Why",
}


@dataclass(frozen=True)
class Briefing:
    """The contents of a briefing besides the list."""

    name: str
    begins: datetime
    ends: datetime | None
    bounds: Bounds | None
    rosters: str
    as_of: datetime | None
    not_covered: str
    notes: Sequence[str] = ()


def briefing_html(affected: Affected, briefing: Briefing, now: datetime, marks: dict[str, Mark] | None) -> str:
    """Write the page. Every value is escaped."""
    facts = {
        "Where": affected.area.label,
        "When": time_words(briefing.begins, briefing.ends, now),
        "Rosters": briefing.rosters,
        "Data as of": f"{moment(briefing.as_of, now=now)} · {ago(briefing.as_of, now)}"
        if briefing.as_of is not None
        else "Not all trips have been loaded.",
        "Created": moment(now, now=now),
    }
    rows = "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in facts.items())
    counts = " · ".join(
        f"<strong>{affected.counts[each].people:,}</strong> {escape(SECTION_LABELS[each].lower())} "
        f"({count(affected.counts[each].locations, 'expected location', 'expected locations')})"
        for each in SECTIONS
    )
    notes = "".join(f"<li>{escape(note)}</li>" for note in briefing.notes)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(briefing.name)}</title>'
        '<meta name="viewport" content="width=device-width">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{_STYLE}</style></head><body><h1>{escape(briefing.name)}</h1><dl>{rows}</dl><p>{counts}</p>"
        f'<p class="covered">{escape(briefing.not_covered)}</p>{_map_svg(affected, briefing.bounds or _WORLD)}'
        + (f"<h2>Notes</h2><ul>{notes}</ul>" if notes else "")
        + "".join(_section_html(affected.people, each, now, marks) for each in SECTIONS)
        + "</body></html>"
    )


def _section_html(people: pd.DataFrame, section: str, now: datetime, marks: dict[str, Mark] | None) -> str:
    listed = people[people["section"] == section]
    if listed.empty:
        return ""
    shown = shown_people(listed, now, marks or {})
    columns = {**_COLUMNS, **({"mark": "Mark"} if marks is not None else {})}
    head = "".join(f"<th>{escape(label)}</th>" for label in columns.values())
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(str(value))}</td>' for value in row)}</tr>"
        for row in shown[list(columns)].itertuples(index=False)
    )
    label = SECTION_LABELS[section]  # type: ignore[index]
    heading = f"{label}: {count(len(listed), 'person', 'people')}"
    return f"<h2>{escape(heading)}</h2><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _map_svg(found: Affected, bounds: Bounds) -> str:
    """Draw the countries, the area, and the places of the listed people, in an equirectangular projection."""
    east = bounds.east + 360 if bounds.east < bounds.west else bounds.east
    squeeze = max(np.cos(np.radians((bounds.south + bounds.north) / 2)), 0.1)
    scale = min(_WIDTH / ((east - bounds.west) * squeeze), _TALLEST / (bounds.north - bounds.south))
    height = (bounds.north - bounds.south) * scale
    view = shapely.box(bounds.west, bounds.south, east, bounds.north)

    def path(geometry: BaseGeometry) -> str:
        rings = [shapely.get_coordinates(ring) for ring in shapely.get_rings(shapely.get_parts(geometry))]
        corners = [(ring - [bounds.west, bounds.north]) * [squeeze * scale, -scale] for ring in rings]
        return "".join(f"M{'L'.join(f'{x:.1f},{y:.1f}' for x, y in ring)}Z" for ring in corners)

    def drawn(geometry: BaseGeometry) -> str:
        turns = [translate(geometry, turn) for turn in (-360, 0, 360)]
        return "".join(path(each.intersection(view)) for each in turns if each.intersects(view))

    width = (east - bounds.west) * squeeze * scale
    land = "".join(drawn(each) for each in _countries())
    placed = found.people[found.people["section"] != "notPlaced"].dropna(subset=["latitude", "longitude"])
    spots = placed.groupby(["latitude", "longitude"]).agg(people=("person", "size"), place=("place", "first"))
    marks = ""
    for (latitude, longitude), people, place in spots.itertuples():
        x = longitude + 360 if longitude < bounds.west else longitude
        if x <= east and bounds.south <= latitude <= bounds.north:
            at = f'cx="{(x - bounds.west) * squeeze * scale:.1f}" cy="{(bounds.north - latitude) * scale:.1f}"'
            radius = min(4 + np.sqrt(people), 16)
            marks += f'<circle {at} r="{radius:.1f}"><title>{escape(str(place))}: {people:,}</title></circle>'
    label = escape(f"Map of {found.area.label} with the places of the people", quote=True)
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{label}">'
        f'<rect width="100%" height="100%" fill="#d3dfe8"/><path d="{land}" fill="#f5f6f3" stroke="#9aa7b2" '
        f'stroke-width=".7"/><path d="{drawn(found.area.geometry)}" fill="#c0362c" fill-opacity=".18" '
        f'stroke="#c0362c" stroke-width="1.5"/><g fill="#003ba9" stroke="#fff">{marks}</g></svg>'
    )


@cache
def _countries() -> list[BaseGeometry]:
    features = json.loads(_COUNTRIES.read_text(encoding="utf-8"))["features"]
    return [shapely.make_valid(shapely.from_geojson(json.dumps(each["geometry"]))) for each in features]
