"""Who is affected by an incident, answered on the command line: the question, the trips, and the answer as text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, Final

import pandas as pd

from domain.expected_locations.roster_load import RosterLoad
from domain.incidents.affected import Affected, find_affected
from domain.incidents.area import Area, AreaError
from domain.incidents.area_file import AreaFile
from domain.incidents.area_reading import FILE_ENDINGS, read_area_file
from domain.incidents.area_text import parse_area, parse_distance_km
from domain.runtime.settings import settings
from domain.runtime.workspace import Workspace
from domain.tables.spreadsheet import to_csv
from domain.text.plain_text import names
from journal import Roster
from muster.file_errors import explain_read_error
from muster.run import CommandError, Exit, ReportProgress

FORMATS: Final = ("json", "csv")
POLL_SECONDS: Final = 0.5
_MOST_PARTS: Final = 20
_COLUMNS: Final = {
    "locator": "locator",
    "external_id": "externalId",
    "name": "name",
    "section": "section",
    "status": "status",
    "place": "place",
    "distance_km": "distanceKm",
    "from": "from",
    "until": "until",
    "why": "why",
}


@dataclass(frozen=True)
class Question:
    """The area, the time, and the margin of an incident; `ends` is None if it is ongoing."""

    area: Area
    begins: datetime
    ends: datetime | None
    margin_km: float

    @classmethod
    def of(
        cls, areas: list[str], begins: str, ends: str | None, margin: str, *, part_names: Sequence[str] = ()
    ) -> Question:
        """Parse the options of the command. Raises CommandError."""
        start, end = _time("--from", begins), _time("--until", ends) if ends is not None else None
        if end is not None and end < start:
            raise CommandError("--until is before --from.")
        try:
            return cls(_area(areas, part_names), start, end, parse_distance_km(margin))
        except AreaError as error:
            raise CommandError(str(error)) from error


@dataclass(frozen=True)
class Answer:
    """The people on the list, what the list does not cover, and the exit code."""

    exit: Exit
    generated_at: datetime
    area: dict[str, Any]
    not_covered: list[str]
    people: pd.DataFrame

    def as_json(self) -> str:
        """Write it as one JSON object."""
        people = self.people.astype(object).where(self.people.notna(), None)
        document = {
            "generatedAt": _utc(self.generated_at),
            "area": self.area,
            "notCovered": self.not_covered,
            "people": people.to_dict("records"),
        }
        return json.dumps(document, ensure_ascii=False)

    def as_csv(self) -> str:
        """Write the people, one per row, and then what the list does not cover, one sentence per row."""
        notes = [("notCovered", sentence) for sentence in self.not_covered]
        if self.people.empty and not notes:
            none = "No one is affected, possibly affected, or nearby, and every expected location could be placed."
            notes = [("none", none)]
        rows = pd.DataFrame(notes, columns=["section", "why"], dtype=object).reindex(columns=self.people.columns)
        return to_csv(pd.concat([self.people.astype(object), rows.astype(object)])).decode("utf-8-sig").rstrip()


def read_locators(path: Path) -> list[str]:
    """Read a file with one record locator per line; blank lines are skipped. Raises CommandError."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise CommandError(explain_read_error(path, error)) from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not text in UTF-8. Save it in UTF-8.") from error
    return list(dict.fromkeys(line.strip() for line in lines if line.strip()))


def answer_affected(
    workspace: Workspace, question: Question, *, roster: str | None, locators: list[str] | None, report: ReportProgress
) -> Answer:
    """Read the trips of a roster or of record locators, and find who is affected. Raises CommandError."""
    rosters = [_find_roster(workspace, roster)] if roster is not None else []
    load = RosterLoad(
        rosters,
        workspace.client.itineraries,
        workspace.journal,
        workspace.actor,
        width=settings().fan_out,
        record_locators=locators or (),
    )
    load.load()
    try:
        while not load.wait(POLL_SECONDS):
            report(f"{load.now.done:,} of {load.now.total:,} trips loaded")
    except KeyboardInterrupt:
        load.stop()
        raise
    if load.problem is not None and not load.counts["found"]:
        raise load.problem
    if load.now.error is not None:
        raise CommandError("The trips could not be loaded.") from load.now.error
    failures = load.failures()
    try:
        found = find_affected(
            load.locations(), question.area, question.begins, question.ends, margin_km=question.margin_km
        )
    except AreaError as error:
        raise CommandError(str(error)) from error
    unread = any(each.reason != "not found" for each in failures)
    code = Exit.UNFINISHED if unread else Exit.NOT_FOUND if failures else Exit.DONE if load.now.total else Exit.NOTHING
    return Answer(code, datetime.now(UTC), question.area.to_geojson(), found.not_covered(failures), _table(found))


def _table(found: Affected) -> pd.DataFrame:
    table = found.people[list(_COLUMNS)].rename(columns=_COLUMNS)
    for column in ("from", "until"):
        table[column] = pd.Series([None if pd.isna(at) else _utc(at) for at in table[column]], dtype=object)
    return table


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _find_roster(workspace: Workspace, name: str) -> Roster:
    rosters = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
    found = next((each for each in rosters if each.name.casefold() == name.strip().casefold()), None)
    if found is None:
        known = names([f"“{each.name}”" for each in rosters]) or "none"
        raise CommandError(f"There is no roster “{name}”. Rosters of this organization: {known}.")
    return found


def _area(texts: Sequence[str], part_names: Sequence[str]) -> Area:
    """Return all areas together. Of files, only the parts with these names count, or all if there are no names."""
    sources = [_read_source(text) for text in texts]
    files = [each for each in sources if isinstance(each, AreaFile)]
    if part_names and not files:
        raise CommandError("--part needs a file in --area.")
    for name in part_names:
        if not any(file.find(name) for file in files):
            known = names([f"“{part.title}”" for file in files for part in file.parts], at_most=_MOST_PARTS)
            raise CommandError(f"There is no part “{name}”. The parts are {known}.")
    areas = []
    for source in sources:
        if isinstance(source, AreaFile):
            numbers = [number for name in part_names for number in source.find(name)]
            if not part_names:
                areas.append(source.select())
            elif numbers:
                areas.append(source.select(numbers))
            else:
                raise CommandError(f"--part does not name a part of “{source.name}”.")
        else:
            areas.append(source)
    return reduce(or_, areas)


def _read_source(text: str) -> Area | AreaFile:
    path = Path(text)
    if path.suffix.lower() not in FILE_ENDINGS:
        return parse_area(text)
    try:
        return read_area_file(path.name, path.read_bytes())
    except OSError as error:
        raise CommandError(explain_read_error(path, error)) from error


def _time(option: str, text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise CommandError(
            f"{option}: “{text}” isn’t an ISO 8601 time. Use a format such as 2026-11-20T14:05Z."
        ) from error
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
