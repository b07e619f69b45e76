"""Parts of an area in a link: drawn shapes as text, stored parts by name, and their map view."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
import shapely

from domain.incidents.area import Area, Circle, circle, polygon
from domain.incidents.area_file import NO_PART, AreaFile, FilePart
from domain.incidents.area_parts import (
    NO_PARTS,
    NOT_STORED,
    AreaPart,
    alert_time,
    bounds_around,
    drawn_text,
    editable_ring,
    outlines,
    read_parts,
)
from domain.incidents.area_reading import read_area_file, read_cap_area
from domain.incidents.area_text import parse_area
from domain.incidents.incident_time import IncidentTime


def build_ring(area: Area) -> dict[str, Any]:
    ring: dict[str, Any] = json.loads(shapely.to_geojson(area.geometry))
    return ring


def load_nothing(_: str) -> None:
    return None


def test_a_drawn_circle_becomes_a_circle_and_a_drawn_polygon_keeps_its_corners() -> None:
    assert drawn_text(build_ring(circle(27.7, 85.3, 40))) == "circle:27.7000,85.3000,40km"
    text = drawn_text({"type": "Polygon", "coordinates": [[[179, -18], [182, -18], [182, -16], [179, -18]]]})
    assert text == "polygon:-18.0000,179.0000 -18.0000,182.0000 -16.0000,182.0000"
    assert parse_area(text).geometry.equals(polygon([(-18, 179), (-18, -178), (-16, -178)]).geometry)


def test_an_area_of_a_file_is_loaded_by_the_name_in_the_link() -> None:
    name, area = "file:0123456789abcdef", polygon([(1, 1), (1, 2), (2, 2)])
    file = AreaFile("zones.kml", tuple(FilePart(label, "", area.parts) for label in ("Red", "Cone")))
    (whole,) = read_parts([name, NO_PARTS], {name: file}.get)
    assert (whole.label, whole.area) == ("zones.kml: 2 of 2 parts", file.select())
    assert [whole.with_selection(numbers) for numbers in ([2, 1], [2])] == [name, f"{name}:2"]
    (cone,) = read_parts([f"{name}:2,9"], {name: file}.get)
    assert (cone.label, cone.area) == ("zones.kml: 1 of 2 parts", file.select([2]))
    assert read_parts([f"{name}:"], {name: file}.get)[0].problem == NO_PART
    assert [part.problem for part in read_parts([name, NO_PARTS], load_nothing)] == [NOT_STORED]


def test_the_map_shows_every_part_of_a_file_and_which_count() -> None:
    name = "file:0123456789abcdef"
    zone, cone = polygon([(1, 1), (1, 2), (2, 2)]), polygon([(0, 0), (0, 9), (9, 9)])
    kinds = [FilePart("120 km/h", "Zone", zone.parts, group="zone"), FilePart("Cone", "", cone.parts, group="cone")]
    file = AreaFile("storm.kml", tuple(kinds))
    (undecided,), (chosen,) = (read_parts([text], {name: file}.get) for text in (name, f"{name}:2"))
    assert [each[:2] for each in outlines([undecided])] == [("120 km/h (Zone)", False), ("Cone", False)]
    assert [each[:2] for each in outlines([chosen])] == [("Cone", True), ("120 km/h (Zone)", False)]
    assert all(len(each.rings) == 1 for each in outlines([chosen]))
    assert bounds_around([undecided]) == bounds_around([chosen]) == bounds_around([AreaPart("", cone)])


def test_an_invalid_area_text_has_a_message() -> None:
    (part,) = read_parts(["nowhere at all"], load_nothing)
    assert part.area is None
    assert "isn’t an area" in part.problem


def load_editable_ring(text: str) -> dict[str, Any] | None:
    (part,) = read_parts([text], load_nothing)
    return editable_ring(part)


@pytest.mark.parametrize("text", ["country:BT", "circle:80,0,2000km", "polygon:-1,-1 1,1 -1,1 1,-1"])
def test_a_country_a_pole_and_several_polygons_cannot_be_edited_on_the_map(text: str) -> None:
    assert load_editable_ring(text) is None


@pytest.mark.parametrize(
    "text", ["polygon:1,1 1,2 2,2", "rectangle:-20,170,-10,-170", "polygon:-18,179 -18,-178 -16,-178"]
)
def test_an_area_with_one_ring_is_edited_on_the_map_also_across_the_date_line(text: str) -> None:
    ring = load_editable_ring(text)
    assert ring is not None
    longitudes = [lon for lon, _ in ring["coordinates"][0]]
    assert max(longitudes) - min(longitudes) < 30
    assert len(longitudes) == len(set(map(tuple, ring["coordinates"][0]))) + 1 <= 5
    again = parse_area(drawn_text(ring)).geometry
    assert again.symmetric_difference(parse_area(text).geometry).area < 1e-3


def test_a_circle_across_the_date_line_stays_a_circle_when_it_is_edited() -> None:
    ring = load_editable_ring("circle:-17,179,300km")
    assert ring is not None
    (again,) = parse_area(drawn_text(ring)).parts
    assert isinstance(again, Circle)
    assert (again.latitude, again.longitude, again.radius_km) == pytest.approx((-17, 179, 300), abs=1e-3)


@pytest.mark.parametrize(
    ("texts", "west_to_east"),
    [(["circle:-17,178,300km", "circle:-14,-171,300km"], (168, 197)), (["circle:50,0,300km"], (-12, 12))],
)
def test_the_view_contains_all_parts_the_shorter_way_around_the_world(
    texts: list[str], west_to_east: tuple[float, float]
) -> None:
    bounds = bounds_around(read_parts(texts, load_nothing))
    assert bounds is not None
    east = bounds.east + (360 if bounds.east < bounds.west else 0)
    assert np.allclose((bounds.west, east), west_to_east, atol=6)


CAP = """<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>1</identifier><sender>a</sender>
<sent>2026-11-27T20:00:00-00:00</sent><status>Actual</status><msgType>Alert</msgType><scope>Public</scope><info>
<category>Met</category><event>Storm</event><urgency>Expected</urgency><severity>Severe</severity>
<certainty>Likely</certainty>{times}<area><areaDesc>Coast</areaDesc><polygon>1,1 1,2 2,2 1,1</polygon></area></info>
</alert>"""
FEATURE = {"type": "Feature", "geometry": json.loads(shapely.to_geojson(shapely.box(1, 1, 2, 2)))}


@pytest.mark.parametrize(
    ("times", "begins", "ends"),
    [
        (
            {
                "onset": "2026-11-28T05:00:00+01:00",
                "effective": "2026-11-27T22:00:00Z",
                "expires": "2026-11-29T12:00:00Z",
            },
            datetime(2026, 11, 28, 4),  # noqa: DTZ001
            datetime(2026, 11, 29, 12),  # noqa: DTZ001
        ),
        ({"expires": "2026-11-29T12:00:00Z"}, datetime(2026, 11, 27, 20), datetime(2026, 11, 29, 12)),  # noqa: DTZ001
        ({}, datetime(2026, 11, 27, 20), None),  # noqa: DTZ001
    ],
)
def test_an_alert_used_as_area_offers_its_own_time(
    times: dict[str, str], begins: datetime, ends: datetime | None
) -> None:
    tags = "".join(f"<{name}>{text}</{name}>" for name, text in times.items())
    attributes = {"event": "Storm", "areaDesc": "Coast", "sent": "2026-11-27T20:00:00Z", **times}
    feed = json.dumps({"type": "FeatureCollection", "features": [{**FEATURE, "properties": attributes}]})
    now = datetime(2026, 11, 28, tzinfo=UTC)
    for file in (
        read_cap_area(CAP.format(times=tags), now=now),
        read_area_file("alerts.geojson", feed.encode(), now=now),
    ):
        stored = AreaFile.from_geojson(json.loads(json.dumps(file.to_geojson())))
        assert alert_time(read_parts(["file:0123456789abcdef"], lambda _, stored=stored: stored)) == IncidentTime(  # type: ignore[misc]
            "Between two times" if ends else "Since", begins, ends
        )
    assert alert_time(read_parts(["40 km around Kathmandu"], load_nothing)) is None
