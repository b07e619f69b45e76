"""The briefing on an incident, an escaped file with a picture, and its draft alert."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

from domain.expected_locations.bounds import Bounds
from domain.incidents.affected import find_affected
from domain.incidents.area import circle, country
from domain.incidents.briefing import Briefing, briefing_html
from domain.incidents.incident_alert import draft_alert
from domain.incidents.incident_time import IncidentTime, stored_time
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
        bounds=Bounds(170, -30, -170, -10),
        rosters="Trek & Co",
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
    assert IncidentTime("From, until", later.replace(tzinfo=None), NOW.replace(tzinfo=None)).problem
