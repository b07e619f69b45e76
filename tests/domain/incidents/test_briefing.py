"""The briefing on an incident, an escaped file with a picture, and its draft alert."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

import numpy as np

from domain.incidents.affected import find_affected
from domain.incidents.area import circle, country
from domain.incidents.briefing import Briefing, briefing_html
from domain.incidents.briefing_map import draw_map
from domain.incidents.incident_alert import draft_alert
from domain.incidents.incident_time import IncidentTime, stored_time
from domain.maps.palette import GROUNDS
from journal.incidents import Mark
from tests.domain.expected_locations.records import build_locations
from tests.domain.incidents.test_affected_times import AREA, record, time_at

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Tags(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        if tag not in ("meta", "rect", "path"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_briefing_is_one_page_with_every_value_escaped() -> None:
    locations = build_locations([record("<img src=x onerror=alert(1)>", "hotel", "Stay", -40, 40, "A1")])
    found = find_affected(locations, AREA, time_at(0), None)
    briefing = Briefing(
        name="Quake <script>",
        begins=time_at(0),
        ends=None,
        as_of=NOW,
        not_covered="The list covers only the roster “Trek & Co”.",
    )
    page = briefing_html(found, briefing, NOW, None)
    tags = Tags(page)
    assert tags.open == []
    assert {"svg", "table"} <= set(tags.names)
    assert not {"script", "img", "link"} & set(tags.names)
    assert "Quake <script>" in tags.text
    assert "only the roster “Trek & Co”." in tags.text
    assert "Affected: 1 person" in tags.text
    assert "http" not in page.replace("http-equiv", "")


def test_the_summary_names_who_needs_help_and_the_list_begins_with_the_unanswered() -> None:
    names = {"A": "Alba, Ana", "B": "Bruno, Ben", "C": "Cruz, Cai", "D": "Diaz, Dee", "E": "Elm, Eva"}
    rows = [
        *(record(person, "hotel", "Stay", -5, 40) for person in "ABC"),
        record("D", "SIN", "Stay", -5, 40),
        record("E", "LHR", "Stay", -5, 40),
    ]
    locations = build_locations(rows, names)
    found = find_affected(locations, AREA, time_at(0), time_at(24), margin_km=30)
    keys = dict(zip(locations.people["name"], locations.people["person"], strict=True))
    marks = {
        keys[name]: Mark(keys[name], status, note, 1, "ana", NOW)
        for name, status, note in (
            ("Alba, Ana", "needs help", "Trapped"),
            ("Bruno, Ben", "safe", ""),
            ("Elm, Eva", "needs help", "Has moved away"),
        )
    }
    briefing = Briefing(
        name="Quake",
        begins=time_at(0),
        ends=time_at(24),
        as_of=NOW - timedelta(minutes=39),
        not_covered="",
        state="open",
        notes=["Airport closed"],
        everyone=locations.people,
    )
    page = briefing_html(found, briefing, NOW, marks)
    summary, listed = page.split("</section>")
    assert "Needs help: 2 people" in summary
    assert (
        "<strong>Alba, Ana</strong><br>Lion Hotel, Singapore · AAA111 · Trapped · ana, Fri, Nov 20, 12:00 UTC"
        in summary
    )
    assert "<strong>Elm, Eva</strong><br>No longer on the list" in summary
    assert 'class="old">As of Fri, Nov 20, 11:21 UTC · 39 min ago' in summary
    assert "Airport closed" in summary
    in_order = re.findall(r"<h2>([^<]*)</h2>|<td><strong>([^<]*)</strong>", listed)
    assert ["".join(each) for each in in_order] == [
        "○ Unanswered: 1 person",
        "Cruz, Cai",
        "▲ Needs help: 1 person",
        "Alba, Ana",
        "● Safe: 1 person",
        "Bruno, Ben",
        "Nearby: 1 person",
        "Diaz, Dee",
    ]


def test_the_area_fills_the_map_across_the_180th_meridian() -> None:
    area = circle(-17, 179.9, 300)
    map_svg = draw_map(area.geometry, area.label, find_affected(build_locations([]), area, time_at(0), None).people)
    drawn = re.findall(r'<path d="([^"]*)" fill="#C0362C"', map_svg)[0]
    corners = np.array([each.split(",") for each in re.findall(r"[\d.-]+,[\d.-]+", drawn)], dtype=float)
    assert drawn.count("M") == 1
    assert np.allclose([corners[:, 1].min(), corners[:, 1].max()], [24, 376], atol=1)
    assert np.allclose(corners.mean(axis=0), [360, 200], atol=8)
    assert ">200 km</text>" in map_svg


def test_the_map_shows_the_side_of_the_river() -> None:
    """The Rhine at Cologne, from the south-east to the north-west."""
    area = circle(50.94, 6.96, 40)
    map_svg = draw_map(area.geometry, area.label, find_affected(build_locations([]), area, time_at(0), None).people)
    (rivers,) = re.findall(rf'<path d="([^"]+)" fill="none" stroke="{GROUNDS["light"].river}"', map_svg)
    points = np.array([each.split(",") for each in re.findall(r"[\d.-]+,[\d.-]+", rivers)], dtype=float)
    assert np.hypot(*(points - [360, 200]).T).min() < 40


def test_a_draft_alert_uses_the_area_and_time_and_the_longest_duration() -> None:
    area = circle(27.7, 85.3, 40, label="40 km around Kathmandu")
    draft = draft_alert("Quake", area, NOW, NOW + timedelta(hours=5, minutes=10), NOW, None)
    assert (draft.title, draft.hours) == ("Quake", 6)
    assert draft.instructions.startswith("Area: 40 km around Kathmandu. From Fri, Nov 20, 17:45 UTC+5:45 until ")
    for ends in (None, NOW + timedelta(days=3)):
        assert draft_alert("Quake", country("NP"), NOW, ends, NOW, None).hours == 24


def test_presets_follow_the_clock_and_a_stored_time_does_not() -> None:
    assert IncidentTime("Now").ends(NOW) == NOW
    assert IncidentTime("Next 6 h").ends(NOW) == NOW + timedelta(hours=6)
    assert stored_time(NOW, None).ends(NOW) is None
    later = NOW + timedelta(days=1)
    assert stored_time(NOW, later).begins(later) == NOW
    assert IncidentTime("Between two times", later.replace(tzinfo=None), NOW.replace(tzinfo=None)).problem
