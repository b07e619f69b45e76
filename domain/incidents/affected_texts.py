"""The texts about affected people, on the screen and in files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

import pandas as pd

from domain.expected_locations.roster_load import Failure
from domain.incidents.affected import SECTIONS, Affected, Section
from domain.incidents.area import kilometers
from domain.tables.status import Status
from domain.tables.table_pages import Column
from domain.text import time_text
from domain.text.plain_text import count, plain
from journal.incidents import MARKS, Mark, MarkStatus

SECTION_LABELS: Final[dict[Section, str]] = {
    "affected": "Affected",
    "possiblyAffected": "Possibly affected",
    "departed": "Departed",
    "nearby": "Nearby",
    "notPlaced": "Can’t be placed",
}
SECTION_HELP: Final[dict[Section, str]] = {
    "affected": "At some point, the most likely place of the person is in the area.",
    "possiblyAffected": "The person is on the way to the area, or one of several places where the person can be is in "
    "the area, or the trip has no expected location at that time and the place before or after it is in the area, or "
    "a stay in the area ends exactly when the incident begins or begins exactly when it ends.",
    "departed": "The person has departed from a place in the area and is in transit to a place outside.",
    "nearby": "A place where the person can be is outside the area, but within the “Nearby” distance.",
    "notPlaced": "A place where the person can be has no coordinates.",
}
STATUSES: Final[dict[str, Status]] = {
    "there": Status("● There", "", "blue"),
    "arriving": Status("◎ Arriving", "", "green"),
    "leaving": Status("◉ Leaving", "", "violet"),
    "in transit through": Status("➤ In transit", "", "green"),
}
MARK_STATUSES: Final[dict[MarkStatus, Status]] = {
    "unanswered": Status("○ Unanswered", "", "gray"),
    "contacted": Status("◐ Contacted", "", "blue"),
    "safe": Status("● Safe", "", "green"),
    "needs help": Status("▲ Needs help", "", "red"),
}
LISTED_SECTIONS: Final[tuple[Section, ...]] = ("affected", "possiblyAffected")
"""The sections whose people are called until they answer."""
URGENCY: Final[tuple[MarkStatus, ...]] = ("needs help", "unanswered", "contacted", "safe")
"""The marks, the most urgent first."""
_UNANSWERED_RANKS: Final[dict[Section, int]] = {
    "affected": 1,
    "possiblyAffected": 2,
    "notPlaced": 3,
    "departed": 5,
    "nearby": 6,
}
_RANKS: Final[dict[MarkStatus, int]] = {"needs help": 0, "contacted": 4, "safe": 7}
CHANGE_LABELS: Final = {"arrived": "Arrived", "left": "Left", "new": "New", "canceled": "Canceled"}
_CALL_COLUMNS: Final = {
    "assigned": Column("Assigned to", is_optional=True),
    "phones": Column("Call", is_optional=True, is_phone=True),
}
_PEOPLE_COLUMNS: Final = {
    "name": Column("Person"),
    "section_label": Column("Section", sort_column="section"),
    "locator": Column("Record locator"),
    "status": Column("Status"),
    "place": Column("Place"),
    "kind": Column("Segment"),
    "distance_text": Column("Distance", sort_column="distance_km"),
    "from_local": Column("From (local)", sort_column="from", is_one_line=True, is_secondary=True),
    "until_local": Column("Until (local)", sort_column="until", is_one_line=True),
    "until_utc": Column("Until (UTC)", sort_column="until", is_one_line=True, is_secondary=True),
    "sure": Column("Certainty"),
    "why": Column("Why"),
}
_FILE_COLUMNS: Final = {
    "section": "Section",
    "name": "Person",
    "external_id": "Employee ID",
    "locator": "Record locator",
    "itinerary": "Trip ID",
    "status": "Status",
    "place": "Place",
    "country": "Country",
    "kind": "Segment",
    "latitude": "Latitude",
    "longitude": "Longitude",
    "distance_km": "Distance (km)",
    "from": "From (UTC)",
    "until": "Until (UTC)",
    "from_local": "From (local)",
    "until_local": "Until (local)",
    "zone": "Time zone",
    "sure": "Certainty",
    "why": "Why",
}


def people_columns(section: Section | None, *, with_marks: bool, is_compact: bool) -> dict[str, Column]:
    """Return the columns of the table of a section, or of all sections if None.

    Only a saved incident has marks, and only nearby people have a distance.
    """
    marks = {"mark": Column("Mark", sort_column="urgency"), **_CALL_COLUMNS} if with_marks else {}
    columns = {"name": _PEOPLE_COLUMNS["name"], **marks, **_PEOPLE_COLUMNS}
    if section is not None:
        del columns["section_label"]
    if section != "nearby":
        del columns["distance_text"]
    if not is_compact:
        return columns
    in_sight = {"mark", "distance_text", *_CALL_COLUMNS}
    return {"name": Column("Person and why")} | {name: column for name, column in columns.items() if name in in_sight}


def answer(affected: Affected) -> str:
    """Return the answer in one line of Markdown."""
    total = affected.counts["affected"]
    parts = [f"**{count(total.people, 'person', 'people')} affected**"]
    parts += [
        f"**{affected.counts[section].people:,}** {SECTION_LABELS[section].lower()}"
        for section in SECTIONS
        if section not in ("affected", "notPlaced")
    ]
    locations = total.locations + affected.counts["possiblyAffected"].locations
    return " · ".join([*parts, f"{count(locations, 'expected location', 'expected locations')} in the area"])


def people_left_out(affected: Affected, failures: Sequence[Failure], rosters: str, waiting: int) -> str:
    """Return which people the list leaves out, in one paragraph. `waiting` is the number of trips not read yet."""
    sentences = [f"The list covers only {rosters}."]
    if waiting:
        sentences.append(f"Muster is still loading {count(waiting, 'trip', 'trips')}.")
    return " ".join([*sentences, *affected.people_left_out(failures)])


def area_findings(affected: Affected) -> str:
    """Return as Markdown what was left out, changed, or is doubtful in the area; "" if nothing was."""
    return "\n".join(f"- {plain(note)}" for note in dict.fromkeys(affected.area.notes))


def section_label(section: Section, affected: Affected) -> str:
    """Return the name of a section with its number of people."""
    return f"{SECTION_LABELS[section]} · {affected.counts[section].people:,}"


def shown_people(page: pd.DataFrame, now: datetime, marks: Mapping[str, Mark]) -> pd.DataFrame:
    """Return the rows of a page as text."""
    its_marks = [marks.get(str(person)) for person in page["person"]]
    return page.assign(
        status=_objects([STATUSES.get(each, "") for each in page["status"]], page),
        section_label=page["section"].map(SECTION_LABELS),
        distance_text=["" if pd.isna(km) else kilometers(km) for km in page["distance_km"]],
        from_local=_local_times(page, "from", now),
        until_local=_local_times(page, "until", now),
        until_utc=["" if pd.isna(at) else time_text.utc_time(at, now=now) for at in page["until"]],
        mark=_objects([mark_status(mark, now) for mark in its_marks], page),
        assigned=["" if mark is None else mark.assigned_to for mark in its_marks],
    )


def compact_people(page: pd.DataFrame, now: datetime, marks: Mapping[str, Mark]) -> pd.DataFrame:
    """Return the rows of a page as text for a narrow list, with section, status, and reason below the name."""
    shown = shown_people(page, now, marks)
    sections = [
        " · ".join(filter(None, (str(name), "" if section == "affected" else SECTION_LABELS[section], str(status))))
        for name, section, status in zip(shown["name"], shown["section"], shown["status"], strict=True)
    ]
    return shown.assign(
        name=[f"{first}\n{why}" for first, why in zip(sections, shown["why"], strict=True)],
        mark=_objects([_status_and_note(marks.get(str(person))) for person in page["person"]], page),
    )


def mark_status(mark: Mark | None, now: datetime) -> Status:
    """Return the status of a mark with its note, and who set it when: "● Safe (ana, Fri, Nov 20, 14:05 UTC)"."""
    status = _status_and_note(mark)
    if mark is None or (mark.status == "unanswered" and not mark.note):
        return status
    return Status(f"{status} ({mark.marked_by}, {time_text.moment(mark.marked_at, now=now)})", "", status.color)


def _status_and_note(mark: Mark | None) -> Status:
    status = MARK_STATUSES["unanswered" if mark is None else mark.status]
    return Status(f"{status}: {mark.note}", "", status.color) if mark is not None and mark.note else status


def _objects(values: Sequence[object], page: pd.DataFrame) -> pd.Series:
    """Return a column of objects: as text, a status would lose its color."""
    return pd.Series(values, index=page.index, dtype=object)


def with_urgency(people: pd.DataFrame, marks: Mapping[str, Mark]) -> pd.DataFrame:
    """Return the people with the columns mark, assigned, and urgency (a number), the most urgent first.

    Those who need help come first, then those without an answer inside and possibly inside, then the others.
    """
    its_marks = [marks.get(str(person)) for person in people["person"]]
    statuses: list[MarkStatus] = ["unanswered" if mark is None else mark.status for mark in its_marks]
    urgency = [
        _UNANSWERED_RANKS[section] if status == "unanswered" else _RANKS[status]
        for status, section in zip(statuses, people["section"], strict=True)
    ]
    marked = people.assign(
        mark=statuses, assigned=["" if mark is None else mark.assigned_to for mark in its_marks], urgency=urgency
    )
    return marked.sort_values("urgency", kind="stable")


def filter_people(
    people: pd.DataFrame, *, section: Section | None, mark: MarkStatus | None = None, assignee: str | None = None
) -> pd.DataFrame:
    """Return the people of `with_urgency` in a section, with a mark, and assigned to a colleague. None means any.

    In no particular section, people who are only departed, nearby, or not placed do not count as unanswered.
    """
    chosen = people
    if section is not None:
        chosen = chosen[chosen["section"] == section]
    if mark is not None:
        chosen = chosen[chosen["mark"] == mark]
    if mark == "unanswered" and section is None:
        chosen = chosen[chosen["section"].isin(LISTED_SECTIONS)]
    return chosen if assignee is None else chosen[chosen["assigned"] == assignee]


def find_marked(
    status: MarkStatus, affected: Affected, marks: Mapping[str, Mark], everyone: pd.DataFrame
) -> pd.DataFrame:
    """Return the people with a mark: rows of the list, then those of `everyone` who are no longer on the list.

    The section of the latter is "", and their place says that they are not listed.
    """
    marked = [person for person, mark in marks.items() if mark.status == status]
    listed = affected.people[affected.people["person"].isin(marked)]
    off_list = pd.DataFrame({"person": [each for each in marked if each not in set(listed["person"])]})
    if off_list.empty:
        return listed
    names_by_person = everyone.set_index("person")["name"]
    off_list = off_list.assign(
        name=[str(names_by_person.get(person, person)) for person in off_list["person"]],
        section="",
        place="No longer on the list",
        locator="",
    )
    return pd.concat([listed, off_list], ignore_index=True)


def mark_counts(affected: Affected, marks: Mapping[str, Mark]) -> dict[MarkStatus, int]:
    """Count the people with each mark, on the list or not, and those unanswered among the (possibly) affected."""
    answers = {person: mark.status for person, mark in marks.items() if mark.status != "unanswered"}
    listed = affected.people.loc[affected.people["section"].isin(LISTED_SECTIONS), "person"]
    counts = Counter(answers.values())
    return {mark: counts[mark] if mark != "unanswered" else len(set(listed) - set(answers)) for mark in MARKS}


def people_file(affected: Affected, marks: Mapping[str, Mark] | None = None) -> pd.DataFrame:
    """Return the whole list as a table for a file, with the marks of a saved incident."""
    table = affected.people
    file = table.assign(
        section=table["section"].map(SECTION_LABELS),
        from_local=_local(table, "from"),
        until_local=_local(table, "until"),
    )[list(_FILE_COLUMNS)].rename(columns=_FILE_COLUMNS)
    if marks is None:
        return file
    each = [marks.get(str(person)) for person in table["person"]]
    file["Mark"] = [mark.status if mark else "unanswered" for mark in each]
    file["Note"] = [mark.note if mark else "" for mark in each]
    file["Marked by"] = [mark.marked_by if mark else "" for mark in each]
    file["Marked at (UTC)"] = [mark.marked_at if mark else None for mark in each]
    file["Assigned to"] = [mark.assigned_to if mark else "" for mark in each]
    return file


def file_stem(name: str, now: datetime) -> str:
    """Return a file name without its ending."""
    safe = "".join(letter if letter.isalnum() else "-" for letter in name.lower())
    return f"affected-{'-'.join(part for part in safe.split('-') if part)[:60] or 'people'}-{now:%Y-%m-%d-%H%M}"


def _local_times(page: pd.DataFrame, column: str, now: datetime) -> list[str]:
    return [
        "Unknown" if pd.isna(at) else time_text.at_place(at, zone or None, now=now, briefly=True)
        for at, zone in zip(page[column], page["zone"], strict=True)
    ]


def _local(table: pd.DataFrame, column: str) -> list[str]:
    return [
        "" if pd.isna(at) or not zone else at.tz_convert(zone).strftime("%Y-%m-%d %H:%M")
        for at, zone in zip(table[column], table["zone"], strict=True)
    ]
