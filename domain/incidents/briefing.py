"""A briefing on an incident: one HTML page without further files, to print or send. Its first sheet is the summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from typing import Final, Literal

import pandas as pd

from domain.expected_locations.expected_words import OUTDATED_AFTER
from domain.incidents.affected import SECTIONS, Affected, Section
from domain.incidents.affected_texts import (
    LISTED_SECTIONS,
    MARK_STATUSES,
    SECTION_LABELS,
    find_marked,
    shown_people,
    with_urgency,
)
from domain.incidents.briefing_map import draw_map
from domain.incidents.incident_time import time_words
from domain.text.plain_text import LONGEST_NAME, count, in_short
from domain.text.time_text import ago, moment
from journal.incidents import IncidentState, Mark, MarkStatus

# The first sheet is as high as the sheets of A4 and US Letter allow: the map takes what the text leaves.
_STYLE: Final = """
:root { color-scheme: light; }
body { font: 11pt/1.35 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; color: #14222e; background: #fff;
  margin: 1.5rem auto; max-width: 60rem; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.2; } h2 { font-size: 1.05rem; margin: 1rem 0 .3rem; }
p { margin: .3rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: .4rem 0; }
dt { font-weight: 600; } dd { margin: 0; }
.sheet { display: flex; flex-direction: column; }
svg { width: 100%; flex: 1 1 45mm; min-height: 45mm; max-height: 120mm; margin-top: .4rem; border: 1px solid #9aa7b2;
  box-sizing: border-box; }
table { border-collapse: collapse; width: 100%; font-size: 9.5pt; }
th, td { border: 1px solid #9aa7b2; padding: .2rem .4rem; text-align: left; vertical-align: top; }
th { background: #eef2f5; }
.counts td, .counts th { padding: .05rem .4rem; } .counts td, .counts th + th { text-align: right; }
.counts td.zero { color: #56636e; }
.list { table-layout: fixed; } .list th:nth-child(1) { width: 24%; } .list th:nth-child(2) { width: 46%; }
small { color: #44515c; font-size: .9em; display: block; }
.help { border-left: 4px solid #c0362c; padding-left: .6rem; margin: .4rem 0; }
.help h2 { margin: 0; color: #a02a21; } .help ul { margin: .2rem 0 0; padding-left: 1.2rem; }
.caution { border-left: 4px solid #b4690e; padding-left: .6rem; }
.old { color: #8a4b00; font-weight: 700; }
@page {
  size: portrait; margin: 12mm;
  @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; }
}
@media print {
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { margin: 0; max-width: none; padding: 0; font-size: 9.5pt; }
  table { font-size: 8.5pt; }
  .sheet { min-height: 248mm; break-after: page; }
  .screen { display: none; }
  thead { display: table-header-group; } tr { break-inside: avoid; } h2 { break-after: avoid; }
}
"""
_MARK_ORDER: Final[tuple[MarkStatus, ...]] = ("unanswered", "needs help", "contacted", "safe")
_KINDS: Final = {"open": "Briefing on an open incident", "closed": "Briefing on a closed incident", "": "Briefing"}
_HELP_IN_DETAIL: Final = 4
_HELP_NAMES: Final = 100
_NOTES_ON_SHEET: Final = 3
_AREA_NOTES_ON_SHEET: Final = 5
_LONGEST_LABEL: Final = 160
_LONGEST_NOTE: Final = 90


@dataclass(frozen=True)
class Briefing:
    """The contents of a briefing besides the list."""

    name: str
    begins: datetime
    ends: datetime | None
    as_of: datetime | None
    not_covered: str
    """The rosters that the list covers, and the people whom it leaves out."""
    state: IncidentState | Literal[""] = ""
    """The state of a saved incident."""
    notes: Sequence[str] = ()
    """The notes on a saved incident, the latest first."""
    everyone: pd.DataFrame = field(default_factory=lambda: pd.DataFrame({"person": [], "name": []}))
    """All people of the rosters: person, name."""


def briefing_html(affected: Affected, briefing: Briefing, now: datetime, marks: Mapping[str, Mark] | None) -> str:
    """Write the page. Every value is escaped. `marks` are those of a saved incident."""
    groups = "".join(
        _list_html(heading, people, now, marks) for heading, people in _groups(affected, marks) if not people.empty
    )
    area_notes = list(dict.fromkeys(affected.area.notes))[_AREA_NOTES_ON_SHEET:]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(briefing.name)}</title>'
        '<meta name="viewport" content="width=device-width">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{_STYLE}</style></head><body>{_sheet_html(affected, briefing, now, marks)}"
        f"{groups or '<p>No one is on the list.</p>'}{_bullets('Notes on the area', area_notes)}</body></html>"
    )


def _sheet_html(affected: Affected, briefing: Briefing, now: datetime, marks: Mapping[str, Mark] | None) -> str:
    """Write the first sheet: what is known, whom to help, and how far the list can be relied on."""
    facts = {
        "Where": in_short(affected.area.label, _LONGEST_LABEL),
        "When": time_words(briefing.begins, briefing.ends, now),
        "Created": moment(now, now=now),
    }
    rows = "".join(f"<dt>{label}</dt><dd>{escape(text)}</dd>" for label, text in facts.items())
    area_notes = list(dict.fromkeys(affected.area.notes))[:_AREA_NOTES_ON_SHEET]
    notes = "<br>".join(escape(in_short(each, _LONGEST_NOTE)) for each in briefing.notes[:_NOTES_ON_SHEET])
    limits = " ".join([briefing.not_covered, *area_notes])
    return (
        f'<section class="sheet"><small class="screen">Print this page to save it as a PDF file.</small>'
        f"<small>{_KINDS[briefing.state]}</small><h1>{escape(briefing.name)}</h1><dl>{rows}"
        f"<dt>Data</dt>{_age_html(briefing.as_of, now)}{f'<dt>Notes</dt><dd>{notes}</dd>' if notes else ''}</dl>"
        f"{_counts_html(affected, marks)}{_help_html(affected, briefing, now, marks)}"
        f'<p class="caution">{escape(limits)}</p>'
        f"{draw_map(affected.area.geometry, affected.area.label, affected.people)}"
        "<small>Blue: people who are or may be affected. Gray: others on the list.</small></section>"
    )


def _age_html(as_of: datetime | None, now: datetime) -> str:
    if as_of is None:
        return '<dd class="old">Muster has not loaded all trips.</dd>'
    is_old = ' class="old"' if now - as_of >= OUTDATED_AFTER else ""
    return f"<dd{is_old}>As of {moment(as_of, now=now)} · {ago(as_of, now)}</dd>"


def _counts_html(affected: Affected, marks: Mapping[str, Mark] | None) -> str:
    """Write a table of people by section, and by mark if there are marks."""
    people = with_urgency(affected.people, marks or {})
    columns = [] if marks is None else list(_MARK_ORDER)
    head = "".join(f"<th>{escape(MARK_STATUSES[mark])}</th>" for mark in columns)
    rows = ""
    for section in SECTIONS:
        listed = people.loc[people["section"] == section, "mark"]
        cells = "".join(_number_cell(int((listed == mark).sum())) for mark in columns)
        rows += f"<tr><th>{escape(SECTION_LABELS[section])}</th>{_number_cell(len(listed))}{cells}</tr>"
    return f'<table class="counts"><thead><tr><th></th><th>People</th>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _number_cell(number: int) -> str:
    return f"<td><strong>{number:,}</strong></td>" if number else '<td class="zero">0</td>'


def _help_html(affected: Affected, briefing: Briefing, now: datetime, marks: Mapping[str, Mark] | None) -> str:
    """Write who needs help, by name, also those who are no longer on the list."""
    if marks is None:
        return ""
    people = find_marked("needs help", affected, marks, briefing.everyone)
    if people.empty:
        return '<div class="help"><h2>Needs help: no one is marked</h2></div>'
    items = ""
    for row in people.head(_HELP_IN_DETAIL).to_dict("records"):
        mark = marks[row["person"]]
        by = f"{mark.marked_by}, {moment(mark.marked_at, now=now)}"
        about = [str(row["place"]), str(row["locator"]), in_short(mark.note, _LONGEST_NOTE), by]
        name = in_short(str(row["name"]), LONGEST_NAME)
        items += f"<li><strong>{escape(name)}</strong><br>{escape(' · '.join(filter(None, about)))}</li>"
    others = [in_short(str(each), LONGEST_NAME) for each in people["name"].iloc[_HELP_IN_DETAIL:]]
    if len(others) > _HELP_NAMES:
        others[_HELP_NAMES:] = [f"{len(others) - _HELP_NAMES:,} more"]
    also = "; ".join(others)
    return (
        f'<div class="help"><h2>Needs help: {count(len(people), "person", "people")}</h2><ul>{items}</ul>'
        + (f"<p>Also: {escape(also)}.</p>" if also else "")
        + "</div>"
    )


def _groups(affected: Affected, marks: Mapping[str, Mark] | None) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield headings and rows: people by mark, the unanswered first, then people of sections who need no call."""
    people = affected.people.assign(order=affected.people["section"].map(SECTIONS.index)).sort_values(
        ["order", "name"], kind="stable"
    )
    rest = people
    if marks is not None:
        marked = with_urgency(people, marks).sort_values("order", kind="stable")
        for mark in _MARK_ORDER:
            has_mark = marked["mark"] == mark
            chosen = marked[has_mark & marked["section"].isin(LISTED_SECTIONS) if mark == "unanswered" else has_mark]
            yield MARK_STATUSES[mark], chosen
            rest = rest[~rest["person"].isin(chosen["person"])]
    for section in SECTIONS:
        yield SECTION_LABELS[section], rest[rest["section"] == section]


def _list_html(heading: str, people: pd.DataFrame, now: datetime, marks: Mapping[str, Mark] | None) -> str:
    shown = shown_people(people, now, marks or {})
    head = "<th>Person</th><th>Where and why</th>" + ("<th>Mark</th>" if marks is not None else "")
    rows = ""
    for row in shown.to_dict("records"):
        section: Section = row["section"]
        about = " · ".join(filter(None, (str(row["locator"]), str(row["external_id"]))))
        where = " · ".join(filter(None, (SECTION_LABELS[section], str(row["status"]), str(row["place"]))))
        rows += f"<tr><td><strong>{escape(str(row['name']))}</strong><small>{escape(about)}</small></td>"
        rows += f"<td>{escape(where)}<small>{escape(str(row['why']))}</small></td>"
        assigned = f"<small>Assigned to {escape(str(row['assigned']))}</small>" if row["assigned"] else ""
        rows += f"<td>{escape(str(row['mark']))}{assigned}</td></tr>" if marks is not None else "</tr>"
    title = escape(f"{heading}: {count(len(people), 'person', 'people')}")
    return f'<h2>{title}</h2><table class="list"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _bullets(heading: str, texts: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<h2>{heading}</h2><ul>{items}</ul>" if items else ""
