"""The briefing on paper: the summary is one sheet of A4 and of US Letter, and nothing is cut."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from playwright.sync_api import Page

from domain.incidents.affected import find_affected
from domain.incidents.area import circle
from domain.incidents.briefing import Briefing, briefing_html
from journal.incidents import Mark
from tests.domain.expected_locations.records import Row, build_locations

NOW: Final = datetime(2026, 11, 20, 12, tzinfo=UTC)
# Width and height between the margins, in pixels at 96 per inch.
SHEETS: Final = {"A4": (703, 1031), "Letter": (725, 964)}
LONG_NAME: Final = "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh, Maximiliana Alexandrina Theodora"


def build_briefing(number: int, name: str, names: str, label: str, note: str, needing_help: int) -> str:
    people = [f"E{each:05d}" for each in range(number)]
    rows = [Row(each, each, "hotel", "Stay", NOW - timedelta(hours=9), NOW + timedelta(hours=9)) for each in people]
    locations = build_locations(rows, {each: f"{names} {each}" for each in people})
    found = find_affected(locations, circle(1.3, 103.8, 40, label=label), NOW, None)
    marks = {
        person: Mark(person, "needs help", note, 1, "ana", NOW) for person in found.people["person"].head(needing_help)
    }
    briefing = Briefing(
        name=name,
        begins=NOW,
        ends=None,
        as_of=NOW,
        not_covered=f"The list covers only the roster “{names}”.",
        state="open",
        notes=[note] * 3,
        everyone=locations.people,
    )
    return briefing_html(found, briefing, NOW, marks)


@pytest.mark.parametrize("paper", SHEETS)
@pytest.mark.parametrize(
    "briefing",
    [
        build_briefing(45, "Earthquake", "Silva, Ana", "40 km around Singapore", "Hurt", 3),
        build_briefing(30, "Earthquake" * 10, LONG_NAME, "Long place " * 40, "A very long note. " * 40, 12),
        build_briefing(0, "Earthquake", "Silva, Ana", "40 km around Singapore", "", 0),
    ],
    ids=["usual", "long", "no one"],
)
def test_the_summary_fits_on_one_sheet(page_at: Callable[..., Page], paper: str, briefing: str) -> None:
    width, height = SHEETS[paper]
    page = page_at(width, height)
    page.set_content(briefing)
    page.emulate_media(media="print")
    sheet = page.locator(".sheet").bounding_box()
    assert sheet is not None
    assert sheet["height"] <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("thead").first.evaluate("head => getComputedStyle(head).display") == "table-header-group"
    printed = page.pdf(format=paper)
    pages = len(re.findall(rb"/Type /Page\b", printed))
    list_height = page.evaluate("document.body.scrollHeight") - sheet["height"]
    assert pages >= 1 + list_height // height
